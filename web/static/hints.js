// Advice: marks on the board, and the moves compared in a table.

import { button, fill, h } from "./dom.js";
import { number, percent, say } from "./words.js";

const known = (value) => value !== undefined && value !== null;

/** Shows what the computer would play. */
export class Hints {
  /**
   * @param link The link of the table.
   * @param mark Called with the keys of the places of a move.
   * @param play Called with the label of a move.
   */
  constructor(link, mark, play) {
    Object.assign(this, { link, mark, play });
    this.element = h("section", { class: "hints card", "aria-label": say("hint.name"), "aria-live": "polite" });
    this.clear();
  }

  clear() {
    this.element.hidden = true;
    fill(this.element);
    this.mark([]);
  }

  async ask() {
    this.element.hidden = false;
    fill(this.element, h("p", { class: "dim busy" }, say("hint.thinking")));
    const asked = (this.asked = Symbol());
    try {
      const advice = await this.link.post("hint");
      if (asked === this.asked && !this.element.hidden) this.show(advice);
    } catch (problem) {
      fill(this.element, h("p", { class: "error", role: "alert" }, problem.message || say("lost")));
    }
  }

  show({ best, win, others = [], line = [], reasons = [] }) {
    this.mark(best.parts ?? []);
    const all = others.some((other) => other.text === best.text) ? others : [{ ...best, win }, ...others];
    fill(this.element,
      h("h2", {}, say("hint.name")),
      h("p", { class: "best" }, h("b", {}, best.words || best.text), known(win) && ` ${say("hint.wins", { share: percent(win) })}`),
      reasons.length > 0 && h("ul", {}, reasons.map((reason) => h("li", {}, reason.text ?? reason))),
      h("table", {}, h("caption", {}, say("hint.compared")),
        h("thead", {}, h("tr", {}, ["move", "win", "tries"].map((name) => h("th", { scope: "col" }, say(`hint.${name}`))))),
        h("tbody", {}, all.map((move) => h("tr", { onmouseenter: () => this.mark(move.parts ?? []), onmouseleave: () => this.mark(best.parts ?? []) },
          h("th", { scope: "row" }, move.words || move.text),
          h("td", {}, known(move.win) ? percent(move.win) : say("hint.untried")),
          h("td", {}, known(move.visits) ? number(move.visits) : ""))))),
      line.length > 1 && h("p", {}, say("hint.line", { moves: line.map((move) => move.words ?? move.text ?? move).join(" · ") })),
      h("div", { class: "row" },
        button(say("hint.play"), () => this.play(best.label), { class: "main" }),
        button(say("close"), () => this.clear())));
  }
}
