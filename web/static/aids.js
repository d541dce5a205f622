// Aids: what is known of a place of the board, told at the pointer and marked on the board, and the switches for them.

import { button, fill, h, tick } from "./dom.js";
import { capital, say } from "./words.js";

const ALWAYS = "gaps"; // the kind whose places are marked all the time
const AWAY = 14; // pixels between the pointer and what is told
const SVG = "http://www.w3.org/2000/svg";

/** Tells what there is to know about the place under the pointer, under a finger, or with the focus. */
export class Aids {
  /**
   * @param board The board.
   * @param turn Called with a kind of aids, and whether it is to be on for everybody at the table.
   */
  constructor(board, turn) {
    Object.assign(this, { board, turn });
    this.at = ""; // the key of the place that is told about
    this.bubble = h("div", { class: "told", id: "told", role: "tooltip", hidden: true });
    this.switches = h("div", { class: "switches" });
    this.list = h("div", { class: "list" });
    this.all = h("details", { ontoggle: () => this.refresh() }, h("summary", {}, say("aids.all")), this.list);
    this.element = h("details", { class: "aids card" }, h("summary", {}, say("aids.name")), this.switches, this.all);
    board.element.append(this.bubble, hatching());
    for (const name of ["pointerover", "pointermove", "pointerleave", "pointercancel", "click", "focusin", "focusout"]) {
      board.sheet.addEventListener(name, (event) => this[name](event));
    }
    addEventListener("pointerdown", (event) => this.keyOf(event) === this.at || this.hide(), true);
    addEventListener("keydown", (event) => event.key === "Escape" && this.hide(), true);
  }

  /** Show the aids of a scene. */
  show(scene) {
    this.drawing = scene.board;
    this.told = Map.groupBy(scene.aids.told, (aid) => aid.place);
    this.element.hidden = !scene.aids.kinds.length;
    const off = scene.aids.kinds.filter((each) => !each.on).map((each) => each.name);
    fill(this.switches, scene.host
      ? h("fieldset", {}, h("legend", {}, say("aids.switches")), scene.aids.kinds.map((each) => this.box(each)))
      : off.length > 0 && h("p", { class: "dim" }, say("aids.off", { kinds: off.join(", ") })));
    this.board.mark(ALWAYS, scene.aids.told.filter((aid) => aid.kind === ALWAYS).map((aid) => aid.place));
    this.scene = scene;
    this.refresh();
    if (this.told.has(this.at)) this.tell(this.at);
    else this.hide();
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

  keyOf(event) {
    const key = this.board.sheet.contains(event.target) ? this.board.keyOf(event.target) : "";
    return this.board.source === this.drawing && this.told?.has(key) ? key : "";
  }

  pointerover(event) {
    const key = this.keyOf(event);
    if (key !== this.at) this.tell(key);
    this.pointermove(event);
  }

  pointermove(event) {
    if (this.at) place(this.bubble, event.clientX, event.clientY);
  }

  /** A mouse has left; what a finger has touched stays told until the next touch. */
  pointerleave(event) {
    if (event.pointerType !== "touch") this.hide();
  }

  pointercancel() {
    this.hide();
  }

  /** What is chosen needs no telling any more. */
  click(event) {
    if (event.pointerType === "touch" && this.board.offered.has(this.at)) this.hide();
  }

  focusin(event) {
    const key = this.keyOf(event);
    if (!key || !event.target.matches(":focus-visible")) return;
    event.target.setAttribute("aria-describedby", this.bubble.id);
    this.tell(key);
    const box = event.target.getBoundingClientRect();
    place(this.bubble, box.right - AWAY, box.bottom - AWAY);
  }

  focusout(event) {
    event.target.removeAttribute("aria-describedby");
    this.hide();
  }

  /** Tell about a place, and mark what it is about; "" for none. */
  tell(key) {
    const aids = this.told?.get(key) ?? [];
    if (!aids.length) return this.hide();
    this.at = key;
    fill(this.bubble, h("b", {}, capital(aids[0].title)), aids.map((aid) => h("p", {}, aid.words)));
    this.bubble.hidden = false;
    return this.mark(aids);
  }

  hide() {
    if (!this.at) return;
    this.at = "";
    this.bubble.hidden = true;
    this.mark([]);
  }

  mark(aids) {
    this.board.mark("aid", [...new Set(aids.flatMap((aid) => [aid.place, ...aid.marks]))]);
  }
}

/** Put an element beside a point of the window, where all of it can be seen. */
function place(element, x, y) {
  const { offsetWidth: wide, offsetHeight: high } = element;
  const left = x + AWAY + wide > innerWidth ? x - AWAY - wide : x + AWAY;
  const top = y + AWAY + high > innerHeight ? y - AWAY - high : y + AWAY;
  element.style.left = `${Math.max(4, left)}px`;
  element.style.top = `${Math.max(4, top)}px`;
}

/** Return the hatching of gaps, to which the style sheet refers. */
function hatching() {
  const made = (tag, attributes, ...children) => {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };
  return made("svg", { class: "patterns", width: 0, height: 0, "aria-hidden": "true" },
    made("pattern", { id: "hatching", width: 9, height: 9, patternUnits: "userSpaceOnUse" },
      made("path", { d: "M0 0 9 9M9 0 0 9", stroke: "#8a1c10", "stroke-width": 1, opacity: 0.55 })));
}
