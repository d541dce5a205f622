// All moves of a decision as a list, in groups where there are many, with a field to find or type one.

import { fill, h } from "./dom.js";
import { say } from "./words.js";

const FEW = 5; // moves of a group that are shown at once

/** The list of the legal moves; the board is not needed for it. */
export class MoveList {
  /** @param chose Called with the label of a move that was chosen, or with what was typed. */
  constructor(chose) {
    this.chose = chose;
    this.title = h("summary");
    this.line = h("input", {
      type: "text", id: "typed", autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: "200",
      oninput: () => this.refresh(),
    });
    this.list = h("div", { class: "list" });
    const form = h("form", { onsubmit: (event) => this.typed(event) }, h("label", { for: "typed" }, say("move.typed")),
      h("div", { class: "row" }, this.line, h("button", { type: "submit" }, say("move.play"))));
    this.element = h("details", { class: "moves", ontoggle: () => this.refresh() }, this.title, form, this.list);
  }

  /** Show the moves of a decision; null: there is none. */
  show(decision) {
    this.decision = decision;
    this.element.hidden = !decision;
    this.line.value = "";
    if (!decision) return;
    fill(this.title, say("move.all", { n: decision.moves.length }));
    this.refresh();
  }

  /** Let a move be typed. */
  open() {
    this.element.open = true;
    this.line.focus();
  }

  typed(event) {
    event.preventDefault();
    if (this.line.value.trim()) this.chose(this.line.value.trim());
  }

  refresh() {
    if (!this.element.open || !this.decision) {
      fill(this.list);
      return;
    }
    const wanted = this.line.value.trim().toLowerCase();
    const fits = (move) => `${move.label} ${move.text} ${move.words} ${move.note}`.toLowerCase().includes(wanted);
    const moves = this.decision.moves.filter(fits);
    const named = (this.decision.groups ?? []).filter((group) => group.name);
    const groups = named.length ? named : [{ name: "", words: "", moves: moves.map((move) => move.label) }];
    fill(this.list, moves.length ? groups.map((group) => this.group(group, moves)) : h("p", {}, say("move.none")));
  }

  group(group, moves) {
    const inside = moves.filter((move) => group.moves.includes(move.label));
    if (!inside.length) return null;
    const rows = h("ul", {}, inside.map((move) => h("li", {},
      h("button", { type: "button", onclick: () => this.chose(move.label) },
        h("span", { class: "label" }, move.label), h("span", {}, move.words), move.text !== move.words && h("code", {}, move.text),
        move.note && h("small", {}, move.note)))));
    if (!group.name) return rows;
    return h("details", { class: "group", open: this.line.value !== "" || inside.length < FEW },
      h("summary", {}, h("b", {}, group.name), ` ${group.words}`), rows);
  }
}
