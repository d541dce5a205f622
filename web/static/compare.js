// A decision of a game that is over: the board after the move played, beside it the one after a better move, and why.

import { Board } from "./board.js";
import { fill, h, list } from "./dom.js";
import { say } from "./words.js";

/** Shows a decision of a reviewed game, or a position alone. */
export class Comparison {
  /** @param name What the boards are called, to tell them from others on the page. */
  constructor(name) {
    this.played = new Half("played", say("compare.played_board", { name }));
    this.better = new Half("better", say("compare.better_board", { name }));
    this.why = h("div", {});
    this.element = h("div", { class: "comparison" },
      h("div", { class: "pair" }, this.played.element, this.better.element), this.why);
  }

  /** Show a decision with its two boards. */
  show(turn) {
    this.fill(turn.played, turn.better);
    fill(this.why, turn.why.length > 0 && list(turn.why));
  }

  /** Show the board of a position. */
  alone(board) {
    this.fill({ board, words: "", parts: [] }, null);
    fill(this.why);
  }

  fill(played, better) {
    this.better.element.hidden = !better; // before it is drawn: marks need to know where they are
    this.played.show(played);
    if (better) this.better.show(better);
  }
}

/** One board with the words of the move that led to it; what that move touched is marked. */
class Half {
  constructor(kind, name) {
    this.kind = kind;
    this.board = new Board(() => {});
    this.board.zones.rest.open = false; // the maps are compared
    this.board.element.setAttribute("aria-label", name);
    this.words = h("p", { class: "caption" });
    this.element = h("div", { class: `half ${kind}` }, this.words, this.board.element);
  }

  show({ words, board, parts }) {
    this.words.hidden = !words;
    fill(this.words, h("b", {}, say(`compare.${this.kind}`)), ` ${words}`);
    this.board.show(board);
    this.board.offer([]); // nothing is chosen here; it also names what is behind a tap
    this.board.mark(this.kind === "better" ? "hint" : "last", parts);
  }
}
