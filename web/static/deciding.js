// How a person decides: by moving the things themselves on the board, or by the panel with the question, what was chosen
// so far, what can be chosen next, and the list of moves.

import { alarm, button, fill, h, isWriting, known, picture } from "./dom.js";
import { confirms, say } from "./words.js";

const FEW = 5; // moves of a group that are shown at once

/** Lets a person choose a move. */
export class Deciding {
  /**
   * @param board The board, which shows most of what can be chosen.
   * @param play Called with the label of a move, or a typed line, and the text of the move chosen together with it, or
   *   ""; returns a promise.
   * @param undo Takes back the earlier part of the turn.
   */
  constructor(board, play, undo) {
    this.board = board;
    this.play = play;
    this.undo = undo;
    this.choosing = null;
    this.keys = false; // the last choice was made with keys, which must find the next one
    this.pointed = ""; // the place under the pointer
    this.turns = 0; // how far a wheel has turned what is not laid yet
    board.heed = {
      point: (key) => this.point(key), turn: (by) => this.turn(by),
      lift: (key) => this.lift(key), drop: (from, to) => this.drop(from, to),
    };
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
    this.turns = 0;
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

  /** Show what can be chosen next, and what is chosen as it will lie on the board. */
  refresh() {
    const { choosing } = this;
    const options = choosing ? choosing.options() : [];
    const settings = choosing ? choosing.settings() : [];
    this.board.stage(choosing?.chosen ?? []);
    const unseen = this.board.offer([...options, ...settings]);
    this.board.mark("chosen", choosing?.chosen ?? []);
    this.element.dataset.chosen = choosing?.chosen.join(" ") ?? "";
    const onBoard = options.filter((option) => !unseen.includes(option)).length;
    fill(this.chips,
      this.steps && h("span", { class: "steps" }, this.steps),
      (choosing?.chosen ?? []).map((key) => h("span", { class: "chip" }, choosing.wordsOf(key))),
      (choosing?.chosen.length || this.canGoBack) && button(say("move.back"), () => this.back(), { class: "quiet", "aria-keyshortcuts": "Escape" }));
    const move = choosing?.move;
    fill(this.options,
      onBoard > 0 && h("p", { class: "pointing" }, say("move.on_board", { n: onBoard })),
      this.settings(settings.filter((option) => unseen.includes(option))),
      move ? this.confirmation(move) : this.buttons(unseen.filter((option) => options.includes(option))));
    this.attach(move, onBoard);
    if (choosing && this.keys) this.focus();
    else if (choosing?.chosen.length && this.options.parentElement === this.element) this.options.lastElementChild?.scrollIntoView({ block: "nearest" });
  }

  /** Let what can be done next stand beside the place that was chosen last, if that is on the board. */
  attach(move, onBoard) {
    this.chips.hidden = false;
    const chosen = this.choosing?.chosen ?? [];
    const place = chosen.map((key) => this.board.shown(key)[0]).findLast((drawn) => this.board.svg?.contains(drawn));
    if (place && (move || !onBoard)) {
      this.chips.hidden = !this.steps; // the bubble says the same
      this.board.bubble.show(place, move ? [] : [this.choosing.wordsOf(chosen.at(-1))], this.options);
      return;
    }
    this.chips.after(this.options);
    this.board.bubble.hide();
    this.board.repoint();
  }

  buttons(options) {
    if (options.length > 12 && options.every(isAmount)) return amountField(options, (key) => this.take(key));
    const pictured = options.some((option) => option.picture);
    return h("div", { class: pictured ? "choices pictured" : "choices" }, options.map((option) =>
      h("button", { type: "button", onclick: () => this.take(option.key), "data-key": option.key },
        option.picture && picture(option.picture, ""), h("span", {}, option.words),
        option.move?.note && h("small", {}, option.move.note))));
  }

  /** What can still be set: an amount with a slider, a rotation with a button, others by their names. */
  settings(options) {
    const groups = [...new Set(options.map((option) => option.of))].map((of) => options.filter((option) => option.of === of));
    return h("div", { class: "dials row", role: "group", "aria-label": say("move.settings"), hidden: !options.length },
      groups.map((group) => {
        if (group.every(isAmount)) return amountSlider(this.choosing.chosen[group[0].of], group, (key) => this.take(key));
        if (group.every((option) => option.picture)) return button(`⟳ ${say("move.turn")}`, () => this.turn(1), { "aria-keyshortcuts": "r" });
        return group.map((option) => button(option.words, () => this.take(option.key), { class: "small", "data-set": option.key }));
      }));
  }

  confirmation(move) {
    return [h("p", { class: "whole" }, move.words, move.note && h("small", {}, ` ${move.note}`)),
      h("div", { class: "row" },
        button(say("move.play"), () => this.send(move.label, move.then), { class: "main play-move", "aria-keyshortcuts": "Enter" }),
        button("✕", () => this.back(), { class: "quiet", "aria-label": say("move.back"), title: say("move.back") }))];
  }

  /** Put the focus where the next choice is made. */
  focus() {
    if (isWriting(document.activeElement) && this.element.contains(document.activeElement)) return;
    const next = this.options.querySelector(".play-move") ?? (this.board.offered.size ? null : this.options.querySelector("button, input"));
    if (next) next.focus();
    else if (!this.board.focus()) this.question.focus();
  }

  /** A part was chosen. */
  take(key) {
    const { choosing } = this;
    const fresh = !choosing?.chosen.length;
    if (!choosing?.take(key)) return;
    if (fresh) for (let turn = 0; turn < this.turns; turn += 1) choosing.turn(1);
    this.settled();
  }

  /** Play the move at once if it is whole, and nothing of it was set without being asked for. */
  settled() {
    const { move } = this.choosing;
    if (move && !this.choosing.isPreset && !confirms()) this.send(move.label, move.then);
    else this.refresh();
  }

  // ---- pointing without choosing

  /** Show what a click would choose, the piece where it would lie; return its words and its cost. */
  point(key) {
    const { choosing } = this;
    this.pointed = key;
    const option = choosing?.options().find((each) => each.key === key);
    if (!option) {
      this.board.stage(choosing?.chosen ?? []);
      return [];
    }
    const ahead = choosing.copy();
    ahead.take(key);
    for (let turn = 0; turn < this.turns; turn += 1) ahead.turn(1);
    this.board.stage(ahead.chosen);
    return [ahead.move?.words ?? option.words, ahead.move?.note ?? option.move?.note].filter(Boolean);
  }

  /** Turn what is chosen, or what the pointer would choose; false if it cannot be turned. */
  turn(by) {
    const { choosing } = this;
    if (!choosing) return false;
    if (choosing.chosen.length) {
      if (!choosing.turn(by)) return false;
      this.refresh();
      return true;
    }
    const ahead = choosing.copy();
    if (!this.pointed || !ahead.take(this.pointed) || !ahead.turn(1)) return false;
    this.turns = (this.turns + by + 4) % 4;
    this.board.repoint();
    return true;
  }

  /** A thing is dragged: "" if it was let go where nothing is. */
  lift(key) {
    if (!key) {
      this.choosing?.clear();
      this.refresh();
    } else if (this.choosing?.take(key)) this.refresh();
  }

  /** A thing was dragged to a place; "" stands for what is in hand. */
  drop(from, to) {
    if (!from) return this.take(to);
    if (!this.choosing?.join(from, to)) return this.refresh();
    return this.settled();
  }

  back() {
    if (this.choosing?.back()) this.refresh();
    else if (this.canGoBack) this.undo();
  }

  /** Play a line: the label of a move, which is that move alone, or what was typed, which may be a whole turn. */
  async send(line, then = "") {
    if (!this.choosing || this.sending) return;
    this.sending = true;
    this.element.classList.add("sending");
    this.board.bubble.hide();
    try {
      await this.play(line, then);
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
    if (isWriting(event.target) || !this.choosing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") {
      event.preventDefault();
      this.list.open();
    } else if (event.key === "r") {
      this.pointed = this.board.pointed || (this.board.offered.has(document.activeElement?.dataset.part) ? document.activeElement.dataset.part : "");
      if (this.turn(1)) event.preventDefault();
    }
  }
}

const isAmount = (option) => /^amount:\d+$/.test(option.key);

/** How a move is built by pointing at its parts, one after the other; settings have a usual value until they are changed. */
class Choosing {
  /** @param decision The moves with their paths, and the words of all parts. */
  constructor(decision) {
    this.parts = decision.parts;
    this.moves = decision.moves.flatMap((move) => move.then.length ? move.then.map((next) => ({
      label: move.label, then: next.text, path: [...move.path, ...next.path], words: `${move.words}; ${next.words}`,
      note: [move.note, next.note].filter(Boolean).join("; "),
    })) : [{ ...move, then: "" }]);
    this.clear();
  }

  copy() {
    return Object.assign(Object.create(Choosing.prototype), this, { chosen: [...this.chosen], marks: [...this.marks] });
  }

  /** The moves that are still possible, after the first `count` chosen parts. */
  left(count = this.chosen.length) {
    return this.moves.filter((move) => this.chosen.slice(0, count).every((key, place) => move.path[place] === key)
      && this.wanted.every((key) => move.path.includes(key)));
  }

  /** The move, once all its parts are chosen; null before. */
  get move() {
    const left = this.left();
    return left.length === 1 && left[0].path.length === this.chosen.length ? left[0] : null;
  }

  /** What can be pointed at after the first `count` parts: keys with their words, and the move where one is then left. */
  options(count = this.chosen.length) {
    const found = new Map();
    for (const move of this.left(count)) {
      const key = move.path[count];
      if (key === undefined) continue;
      if (found.has(key)) found.get(key).move = null;
      else found.set(key, { key, words: this.wordsOf(key), picture: this.parts[key]?.picture ?? "", rank: this.parts[key]?.dial, move });
    }
    return [...found.values()];
  }

  /** What else the chosen settings could be; `of` is the place of the setting in the path. */
  settings() {
    return this.chosen.flatMap((key, of) => known(this.parts[key]?.dial)
      ? this.options(of).filter((option) => option.key !== key && known(option.rank)).map((option) => ({ ...option, of })) : []);
  }

  /** The words of a part. */
  wordsOf(key) {
    return this.parts[key]?.words || key;
  }

  /**
   * Point at a part: the next one, another value of a setting, what is chosen already, which turns it, or the first part
   * of another move.
   *
   * Returns whether the part stood for anything.
   */
  take(key) {
    if (this.options().some((option) => option.key === key)) this.enter(key);
    else if (this.settings().some((option) => option.key === key)) this.set(this.settings().find((option) => option.key === key));
    else if (this.chosen.includes(key)) return this.turn(1);
    else if (this.moves.some((move) => move.path[0] === key)) {
      const was = this.chosen;
      this.clear();
      this.enter(key, was);
    } else return false;
    return true;
  }

  enter(key, wishes = []) {
    this.marks.push(this.chosen.length);
    this.chosen.push(key);
    this.settle(wishes);
  }

  /** Choose what leaves no choice, and the settings: as wished for, or else as usual. */
  settle(wishes = []) {
    for (;;) {
      const options = this.options();
      if (!options.length || (options.length > 1 && !options.every((option) => known(option.rank)))) return;
      this.isPreset ||= options.length > 1;
      const usual = options.reduce((one, other) => ((other.rank ?? 0) < (one.rank ?? 0) ? other : one));
      this.chosen.push((options.find((option) => wishes.includes(option.key)) ?? usual).key);
    }
  }

  /** Change a setting, and keep what was chosen after it as far as that is possible. */
  set(option) {
    const later = this.chosen.slice(option.of + 1);
    this.chosen = [...this.chosen.slice(0, option.of), option.key];
    this.settle(later);
  }

  /** Give the first setting its next value; false if it has no other. */
  turn(by) {
    const of = this.chosen.findIndex((key) => known(this.parts[key]?.dial));
    const values = of < 0 ? [] : this.options(of).sort((one, other) => one.rank - other.rank);
    if (values.length < 2) return false;
    const now = values.findIndex((option) => option.key === this.chosen[of]);
    this.set({ ...values.at((now + by) % values.length), of });
    return true;
  }

  /** Choose both parts of a move, in whichever order; false if no move has both. */
  join(from, to) {
    this.clear();
    this.wanted = [from, to];
    const options = this.options();
    if (!options.length) {
      this.clear();
      return false;
    }
    const first = options.find((option) => this.wanted.includes(option.key)) ?? (options.length === 1 ? options[0] : null);
    if (first) {
      this.enter(first.key);
      const next = this.options().find((option) => this.wanted.includes(option.key));
      if (next) this.enter(next.key);
    }
    return true;
  }

  /** Take the last step back; false if there was none. */
  back() {
    if (!this.marks.length) return false;
    this.chosen.length = this.marks.pop();
    if (!this.chosen.length) this.clear();
    return true;
  }

  clear() {
    this.chosen = [];
    this.marks = []; // how many parts were chosen before each step of the person
    this.wanted = []; // parts that the move must have
    this.isPreset = false; // a setting was chosen without being asked for
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

  /** Say whether another move is told in the same words, so that only its text tells them apart. */
  alike(move) {
    return this.decision.moves.some((other) => other !== move && other.words === move.words);
  }

  group(group, moves) {
    const inside = moves.filter((move) => group.moves.includes(move.label));
    if (!inside.length) return null;
    const rows = h("ul", {}, inside.map((move) => h("li", {},
      h("button", { type: "button", onclick: () => this.chose(move.label) },
        h("span", { class: "label code" }, move.label), h("span", {}, move.words),
        move.text !== move.words && h("code", { class: this.alike(move) ? "" : "code" }, move.text),
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

/** Return a slider for an amount that is set; the keys are "amount:N". */
function amountSlider(chosen, options, take) {
  const amounts = [chosen, ...options.map((option) => option.key)].map((key) => Number(key.split(":")[1])).sort((a, b) => a - b);
  const told = h("output", {}, chosen.split(":")[1]);
  const slide = (event) => {
    const nearest = amounts.reduce((best, each) => (Math.abs(each - event.target.value) < Math.abs(best - event.target.value) ? each : best));
    told.textContent = nearest;
    if (event.type === "change") take(`amount:${nearest}`);
  };
  return h("label", { class: "slider row" }, h("span", {}, say("move.amount")),
    h("input", { type: "range", min: amounts[0], max: amounts.at(-1), value: chosen.split(":")[1], oninput: slide, onchange: slide }), told);
}
