// All moves of a decision as a list, in groups where there are many; the board is not needed for it.

import { fill, h } from "./dom.js";
import { say } from "./words.js";

/** The list of the legal moves. */
export class MoveList {
  /** @param chose Called with the move that was chosen. */
  constructor(chose) {
    this.chose = chose;
    this.title = h("summary");
    this.filter = h("input", { type: "search", oninput: () => this.refresh(), "aria-label": say("move.filter"), placeholder: say("move.filter") });
    this.list = h("div", { class: "list" });
    this.element = h("details", { class: "moves", ontoggle: () => this.refresh() }, this.title, this.filter, this.list);
  }

  /** Show the moves of a decision; null: there is none. */
  show(decision) {
    this.decision = decision;
    this.element.hidden = !decision;
    this.filter.value = "";
    if (!decision) return;
    fill(this.title, say("move.all", { n: decision.moves.length }));
    this.filter.hidden = decision.moves.length < 8;
    this.refresh();
  }

  refresh() {
    if (!this.element.open || !this.decision) {
      fill(this.list);
      return;
    }
    const wanted = this.filter.value.trim().toLowerCase();
    const fits = (move) => `${move.label} ${move.text} ${move.words} ${move.note}`.toLowerCase().includes(wanted);
    const moves = this.decision.moves.filter(fits);
    const groups = this.decision.groups?.length ? this.decision.groups : [{ name: "", words: "", moves: moves.map((move) => move.label) }];
    fill(this.list, moves.length ? groups.map((group) => this.group(group, moves)) : h("p", {}, say("move.none")));
  }

  group(group, moves) {
    const inside = moves.filter((move) => group.moves.map(String).includes(String(move.label)));
    if (!inside.length) return null;
    const rows = h("ul", {}, inside.map((move) => h("li", {},
      h("button", { type: "button", onclick: () => this.chose(move) },
        h("span", { class: "label" }, move.label), h("span", {}, move.words), h("code", {}, move.text),
        move.note && h("small", {}, move.note)))));
    if (!group.name) return rows;
    return h("details", { class: "group", open: this.filter.value !== "" || inside.length < 5 },
      h("summary", {}, h("b", {}, group.name), ` ${group.words}`), rows);
  }
}
