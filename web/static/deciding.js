// The panel of a decision: the question, what was chosen so far, what can be chosen next, the list, the typed move.

import { button, fill, h, isWriting, picture } from "./dom.js";
import { amountField } from "./amounts.js";
import { Choosing } from "./choosing.js";
import { MoveList } from "./moves.js";
import { confirms } from "./settings.js";
import { say } from "./words.js";

/** Lets a person choose a move. */
export class Deciding {
  /**
   * @param board The board, which shows most of what can be chosen.
   * @param play Called with the label of a move, or a typed line; returns a promise.
   * @param undo Takes back the earlier part of the turn.
   */
  constructor(board, play, undo) {
    this.board = board;
    this.play = play;
    this.undo = undo;
    this.choosing = null;
    this.keys = false; // the last choice was made with keys, which must find the next one
    this.question = h("h2", { class: "question", tabindex: "-1" });
    this.art = h("div", { class: "art" });
    this.chips = h("div", { class: "chips" });
    this.options = h("div", { class: "options" });
    this.error = h("p", { class: "error", role: "alert" });
    this.list = new MoveList((line) => this.send(line));
    this.element = h("section", { class: "deciding card", "aria-label": say("move.name") },
      this.question, this.art, this.chips, this.options, this.error, this.list.element);
    addEventListener("keydown", (event) => this.key(event), true);
    addEventListener("pointerdown", () => (this.keys = false), true);
  }

  /** Show the decision of a scene; null: there is nothing to decide for who sits here. */
  show(scene) {
    const { decision } = scene;
    this.choosing = decision && new Choosing(decision);
    this.canGoBack = Boolean(decision?.back);
    this.steps = decision?.steps ?? "";
    this.error.textContent = "";
    fill(this.question, scene.question);
    fill(this.art, scene.decision_art && picture(scene.decision_art, ""));
    this.list.show(decision);
    this.refresh();
  }

  /** Show what can be chosen next. */
  refresh() {
    const { choosing } = this;
    const options = choosing ? choosing.options() : [];
    const unseen = this.board.offer(options);
    this.board.mark("chosen", choosing?.chosen ?? []);
    this.element.dataset.chosen = choosing?.chosen.join(" ") ?? "";
    const onBoard = options.length - unseen.length;
    fill(this.chips,
      this.steps && h("span", { class: "steps" }, this.steps),
      (choosing?.chosen ?? []).map((key) => h("span", { class: "chip" }, choosing.wordsOf(key))),
      (choosing?.chosen.length || this.canGoBack) && button(say("move.back"), () => this.back(), { class: "quiet", "aria-keyshortcuts": "Escape" }));
    const move = choosing?.move;
    fill(this.options,
      onBoard > 0 && h("p", { class: "pointing" }, say("move.on_board", { n: onBoard })),
      move ? this.confirmation(move) : this.buttons(unseen));
    if (choosing && this.keys) this.focus();
    else if (choosing?.chosen.length) this.options.lastElementChild?.scrollIntoView({ block: "nearest" });
  }

  buttons(options) {
    if (options.length > 12 && options.every((option) => /^amount:\d+$/.test(option.key))) {
      return amountField(options, (key) => this.take(key));
    }
    const pictured = options.some((option) => option.picture);
    return h("div", { class: pictured ? "choices pictured" : "choices" }, options.map((option) =>
      h("button", { type: "button", onclick: () => this.take(option.key), "data-key": option.key },
        option.picture && picture(option.picture, ""), h("span", {}, option.words),
        option.move?.note && h("small", {}, option.move.note))));
  }

  confirmation(move) {
    return [h("p", { class: "whole" }, move.words, move.note && h("small", {}, ` ${move.note}`)),
      button(say("move.play"), () => this.send(move.label), { class: "main", "aria-keyshortcuts": "Enter" })];
  }

  /** Put the focus where the next choice is made. */
  focus() {
    if (isWriting(document.activeElement) && this.element.contains(document.activeElement)) return;
    const next = this.options.querySelector("button.main") ?? (this.board.offered.size ? null : this.options.querySelector("button, input"));
    if (next) next.focus();
    else if (!this.board.focus()) this.question.focus();
  }

  /** A part was pointed at. */
  take(key) {
    if (!this.choosing?.take(key)) return;
    const { move } = this.choosing;
    if (move && !confirms()) this.send(move.label);
    else this.refresh();
  }

  back() {
    if (this.choosing?.back()) this.refresh();
    else if (this.canGoBack) this.undo();
  }

  /** Play a line: the label of a move, which is that move alone, or what was typed, which may be a whole turn. */
  async send(line) {
    if (!this.choosing || this.sending) return;
    this.sending = true;
    this.element.classList.add("sending");
    try {
      await this.play(line);
    } catch (problem) {
      this.choosing?.clear();
      this.refresh();
      this.error.textContent = problem.message || say("lost");
    } finally {
      this.sending = false;
      this.element.classList.remove("sending");
    }
  }

  key(event) {
    if (["Enter", " "].includes(event.key)) this.keys = true;
    if (event.key === "Escape" && !document.querySelector("dialog[open]")) this.back();
    if (event.key === "/" && !isWriting(event.target) && this.choosing) {
      event.preventDefault();
      this.list.open();
    }
  }
}
