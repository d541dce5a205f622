// How a person decides: the panel with the question, what was chosen so far, what can be chosen next, the list of moves.

import { alarm, button, fill, h, isWriting, picture } from "./dom.js";
import { confirms, say } from "./words.js";

const FEW = 5; // moves of a group that are shown at once

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
    this.error = alarm();
    this.list = new MoveList((line) => this.send(line));
    this.element = h("section", { class: "deciding card", "aria-label": say("move.name") },
      this.question, this.art, this.chips, this.options, this.error, this.list.element);
    addEventListener("keydown", (event) => this.key(event), true);
    addEventListener("pointerdown", () => (this.keys = false), true);
  }

  /** Show the decision of a scene; null: there is nothing to decide for who sits here. */
  show(scene) {
    const { decision } = scene;
    this.element.style.minHeight = "";
    this.choosing = decision && new Choosing(decision);
    this.canGoBack = Boolean(decision?.back);
    this.steps = decision?.steps ?? "";
    this.error.textContent = "";
    fill(this.question, scene.question);
    fill(this.art, scene.decision_art && picture(scene.decision_art, ""));
    this.list.show(decision);
    this.refresh();
  }

  /** Offer nothing as yet, and take no less room meanwhile. */
  wait(scene) {
    const high = this.element.offsetHeight;
    this.show({ ...scene, decision: null, question: "", decision_art: "" });
    this.element.style.minHeight = `${high}px`;
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
      this.error.textContent = problem.message;
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

/** How a move is built by pointing at its parts, one after the other. */
class Choosing {
  /** @param decision The moves with their paths, and the words of all parts. */
  constructor(decision) {
    this.moves = decision.moves;
    this.parts = decision.parts;
    this.chosen = [];
    this.marks = []; // how many parts were chosen before each step of the person
  }

  /** The moves that are still possible. */
  get left() {
    return this.moves.filter((move) => this.chosen.every((key, place) => move.path[place] === key));
  }

  /** The move, once all its parts are chosen; null before. */
  get move() {
    const [first] = this.left;
    return this.left.length === 1 && first.path.length === this.chosen.length ? first : null;
  }

  /** What can be pointed at now: keys with their words, and the move where one is then left. */
  options() {
    const found = new Map();
    for (const move of this.left) {
      const key = move.path[this.chosen.length];
      if (key === undefined) continue;
      if (found.has(key)) found.get(key).move = null;
      else found.set(key, { key, words: this.wordsOf(key), picture: this.parts[key]?.picture ?? "", move });
    }
    return [...found.values()];
  }

  /** The words of a part. */
  wordsOf(key) {
    return this.parts[key]?.words || key;
  }

  /**
   * Point at a part: the next one, or the first of another move. What leaves no choice is chosen, too.
   *
   * Returns whether the part stood for anything.
   */
  take(key) {
    const next = this.options().some((option) => option.key === key);
    if (!next && !this.moves.some((move) => move.path[0] === key)) return false;
    if (!next) this.clear();
    this.marks.push(this.chosen.length);
    this.chosen.push(key);
    for (let options = this.options(); options.length === 1; options = this.options()) this.chosen.push(options[0].key);
    return true;
  }

  /** Take the last step back; false if there was none. */
  back() {
    if (!this.marks.length) return false;
    this.chosen.length = this.marks.pop();
    return true;
  }

  clear() {
    this.chosen = [];
    this.marks = [];
  }
}

/** The list of the legal moves, in groups where there are many, with a field to find or type one; needs no board. */
class MoveList {
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

/** Return a field for one of many amounts, for which a row of buttons would be too long; the keys are "amount:N". */
function amountField(options, take) {
  const amounts = options.map((option) => Number(option.key.split(":")[1])).sort((a, b) => a - b);
  const [least, most] = [amounts[0], amounts.at(-1)];
  const nearest = (value) => amounts.reduce((best, each) => (Math.abs(each - value) < Math.abs(best - value) ? each : best));
  const shown = [...new Set([least, nearest(most / 4), nearest(most / 2), nearest((3 * most) / 4), most])];
  const input = h("input", { type: "number", min: least, max: most, value: most, "aria-label": say("move.amount") });
  const submit = (event) => {
    event.preventDefault();
    take(`amount:${nearest(Number(input.value))}`);
  };
  return h("form", { class: "amounts", onsubmit: submit },
    h("div", { class: "choices" }, shown.map((amount) => button(String(amount), () => take(`amount:${amount}`), { "data-key": `amount:${amount}` }))),
    h("div", { class: "row" }, input, h("button", { type: "submit", class: "main" }, say("move.take"))));
}
