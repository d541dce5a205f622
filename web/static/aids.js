// Aids: what is known of a place of the board, told at the pointer and marked on the board, and the switches for them.

import { button, fill, h, svgElement, tick } from "./dom.js";
import { capital, say } from "./words.js";

const ALWAYS = "gaps"; // the kind whose places are marked all the time

/** Tells what there is to know about the place under the pointer, under a finger, or with the focus. */
export class Aids {
  /**
   * @param board The board, whose bubble tells the aids.
   * @param turn Called with a kind of aids, and whether it is to be on for everybody at the table.
   */
  constructor(board, turn) {
    Object.assign(this, { board, turn });
    this.switches = h("div", { class: "switches" });
    this.list = h("div", { class: "list" });
    this.all = h("details", { ontoggle: () => this.refresh() }, h("summary", {}, say("aids.all")), this.list);
    this.element = h("details", { class: "aids card" }, h("summary", {}, say("aids.name")), this.switches, this.all);
    board.element.append(hatching());
    board.aids = this;
  }

  /** Show the aids of a scene. */
  show(scene) {
    this.drawing = scene.board;
    this.told = new Map(scene.aids.told.map((aid) => [aid.place, scene.aids.told.filter((each) => each.place === aid.place)]));
    this.element.hidden = !scene.aids.kinds.length;
    const off = scene.aids.kinds.filter((each) => !each.on).map((each) => each.name);
    fill(this.switches, scene.host
      ? h("fieldset", {}, h("legend", {}, say("aids.switches")), scene.aids.kinds.map((each) => this.box(each)))
      : off.length > 0 && h("p", { class: "dim" }, say("aids.off", { kinds: off.join(", ") })));
    this.board.mark(ALWAYS, scene.aids.told.filter((aid) => aid.kind === ALWAYS).map((aid) => aid.place));
    this.scene = scene;
    this.refresh();
    this.board.repoint();
  }

  box({ kind, name, on }) {
    return tick(capital(name), h("input", { type: "checkbox", "data-kind": kind, checked: on, onchange: (event) => this.turn(kind, event.target.checked) }));
  }

  /** Fill the list of all aids, for those who cannot point. */
  refresh() {
    if (!this.all.open) return fill(this.list);
    const { kinds, told } = this.scene.aids;
    const rows = (kind) => [...new Map(told.filter((aid) => aid.kind === kind)
      .map((aid) => [`${aid.title} ${aid.words} ${aid.marks}`, aid])).values()].map((aid) => h("li", {},
      button(`${capital(aid.title)}: ${aid.words}`, () => this.point(aid), {
        onfocus: () => this.mark([aid]), onblur: () => this.mark([]), onmouseenter: () => this.mark([aid]), onmouseleave: () => this.mark([]) })));
    return fill(this.list, kinds.map(({ kind, name }) => ({ name, inside: rows(kind) })).filter(({ inside }) => inside.length)
      .map(({ name, inside }) => [h("h3", {}, capital(name)), h("ul", {}, inside)]));
  }

  /** Bring the place of an aid into view. */
  point(aid) {
    this.board.shown(aid.place)[0]?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** Return what there is to know about a place, and mark what it is about; "" for no place. */
  tell(key) {
    const aids = (this.board.source === this.drawing && this.told?.get(key)) || [];
    this.mark(aids);
    return aids.length ? [capital(aids[0].title), ...aids.map((aid) => aid.words)] : [];
  }

  mark(aids) {
    this.board.mark("aid", [...new Set(aids.flatMap((aid) => [aid.place, ...aid.marks]))]);
  }
}

/** Return the hatching of gaps, to which the style sheet refers. */
function hatching() {
  const svg = svgElement("svg", { class: "patterns", width: 0, height: 0, "aria-hidden": "true" });
  const pattern = svg.appendChild(svgElement("pattern", { id: "hatching", width: 9, height: 9, patternUnits: "userSpaceOnUse" }));
  pattern.append(svgElement("path", { d: "M0 0 9 9M9 0 0 9", stroke: "#8a1c10", "stroke-width": 1, opacity: 0.55 }));
  return svg;
}
