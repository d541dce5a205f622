// What has happened, in motion: the events since the last scene, one after the other, above the board as it was.

import { button, fill, h, picture, svgElement } from "./dom.js";
import { play } from "./sound.js";
import { animates, capital, number, say } from "./words.js";

const BEAT = 550; // most milliseconds of a step
const QUICKEST = 120;
const ALL = 4000; // milliseconds in which all steps together are over
const SMALL = 0.09; // part of the board's width: a picture that says nothing of its size
const CONTROLS = "button, a, input, select, summary, dialog";
const SIDES = ["attack", "defence"]; // of two rows of dice
const EYES = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] }; // of 3 x 3

/** Plays events on the board before the new board is shown. */
export class Stage {
  /**
   * @param board The board.
   * @param seats The element with a row for each seat.
   * @param done Called when all is played, or skipped.
   */
  constructor(board, seats, done) {
    Object.assign(this, { board, seats, done });
    this.past = null; // viewer, and key and ply of the last event that was shown
    this.playing = false;
    this.layer = h("div", { class: "stage", "aria-hidden": "true" });
    this.caption = h("span", { class: "caption", "aria-hidden": "true" }); // the log tells it to those who listen
    this.skipper = h("div", { class: "skip row", hidden: true }, this.caption, button(say("stage.skip"), () => this.skip(), { class: "small" }));
    board.element.append(this.skipper, this.layer);
    addEventListener("pointerdown", ({ target }) => target.closest(CONTROLS) || this.skip(), true); // a skip replaces buttons:
    addEventListener("click", () => this.skip(), true); // first they are clicked
    addEventListener("wheel", () => this.skip(), { passive: true, capture: true });
    addEventListener("resize", () => this.skip());
    document.addEventListener("visibilitychange", () => this.skip());
    addEventListener("keydown", (event) => this.typed(event), true);
  }

  /**
   * Play what is new in a scene; false if there is nothing to play, so that the scene is to be shown now.
   *
   * While this plays, newer scenes wait: when it is over, `done` is to call again with the latest.
   */
  plays(scene) {
    if (this.playing) return true;
    const beats = this.skipped || !animates() || document.hidden || !this.board.svg ? [] : beatsOf(scene, this.news(scene));
    const last = scene.events.at(-1);
    this.past = { viewer: scene.viewer, key: last && keyOf(last), ply: last?.ply ?? -1 };
    this.skipped = false;
    if (beats.length) this.play(scene, beats);
    else this.clear();
    return beats.length > 0;
  }

  /** Return the events that came after those shown; none if another person looks, or the game went back. */
  news({ viewer, events, game }) {
    const { past } = this;
    if (!past || (game.hidden && viewer !== past.viewer)) return [];
    const same = events.find((event) => event.ply === past.ply);
    if (same ? keyOf(same) !== past.key && viewer === past.viewer : events[0]?.ply <= past.ply) return [];
    return events.filter((event) => event.ply > past.ply);
  }

  async play(scene, beats) {
    this.playing = true;
    this.scene = scene;
    this.skipper.hidden = false;
    const over = new Promise((resolve) => (this.stop = resolve));
    const time = Math.max(QUICKEST, Math.min(BEAT, ALL / beats.length));
    for (const beat of beats) {
      if (this.skipped) break;
      this.caption.textContent = beat.words;
      await Promise.race([over, Promise.all(beat.cues.map((cue, place) => this.show(cue, time, Math.min(place * 60, time / 3))))]);
    }
    this.playing = false;
    this.skipper.hidden = true;
    this.done();
  }

  /** Leave out the rest. */
  skip() {
    if (!this.playing) return;
    this.skipped = true;
    this.stop();
  }

  typed(event) {
    if (!this.playing || event.key !== "Escape" || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.skip();
  }

  clear() {
    fill(this.layer);
    this.draft = null;
  }

  // ---- places: boxes on the screen ----------------------------------------------------------------

  /** Return the box of a place. */
  box(key) {
    const seat = key.match(/^seat:(\d+)$/);
    const row = seat && this.seats.children[seat[1]];
    const drawn = key && !row && this.board.shown(key)[0];
    if (row || drawn) return boxOf(row || drawn);
    return (key && this.ahead(key)) || this.middle();
  }

  middle() {
    const { x, y, width, height } = this.board.sheet.getBoundingClientRect();
    const low = Math.min(height, innerHeight - Math.max(0, y));
    return new DOMRect(x + width / 2, Math.max(0, y) + low / 2, 0, 0);
  }

  /** Return the box of a place that only the new board shows, as it would be on this one. */
  ahead(key) {
    this.draft ??= this.layer.appendChild(draftOf(this.scene.board, this.board.svg.getBoundingClientRect().width));
    const there = this.draft.querySelector(`[data-place="${CSS.escape(key)}"]`);
    if (!there) return null;
    for (const one of this.draft.querySelectorAll("[data-place]")) {
      const other = this.board.svg.querySelector(`[data-place="${CSS.escape(one.dataset.place)}"]`);
      if (!other) continue;
      const [here, from, to] = [boxOf(other), boxOf(one), boxOf(there)];
      const scale = here.width / from.width;
      return new DOMRect(here.x + (to.x - from.x) * scale, here.y + (to.y - from.y) * scale, to.width * scale, to.height * scale);
    }
    return null;
  }

  /** Return how wide a cue's picture is on the screen. */
  wide(cue, boxes) {
    const { width } = this.board.svg.getBoundingClientRect();
    if (cue.size) return (cue.size * width) / this.board.svg.viewBox.baseVal.width;
    const on = cue.places.findIndex((key) => key && !key.startsWith("seat:"));
    return on < 0 ? SMALL * width : Math.min(boxes[on].width, boxes[on].height);
  }

  // ---- what is shown of a cue ---------------------------------------------------------------------

  /** Show a cue; returns a promise of its end. */
  show(cue, time, delay) {
    const boxes = cue.places.map((key) => this.box(key));
    play(cue.kind);
    const shown = { points: () => this.count(cue, boxes[0], time), dice: () => this.roll(cue.faces, centre(boxes[0]), time, delay),
      clash: () => this.clash(cue, boxes, time, delay) };
    return (shown[cue.kind] ?? (() => this.move(cue, boxes, time, delay)))();
  }

  /** Move a piece or a card from place to place; a piece that is laid stays. */
  move(cue, boxes, time, delay) {
    const [from, to] = [boxes[0], boxes.at(-1)].map(centre);
    const piece = this.put(cue.kind === "card" && !cue.picture ? h("div", { class: "back" }) : picture(cue.picture, ""), cue, this.wide(cue, boxes));
    const [stays, turns, away] = [cue.kind === "lay", cue.kind === "card" && cue.picture, /^(seat|bank|deck)/.test(cue.places.at(-1))];
    const pulse = boxes.length === 1;
    const frames = [
      { transform: `${at(from)} scale(.5)${turns ? " rotateY(90deg)" : ""}`, opacity: 0.4 },
      { transform: `${at(pulse ? from : between(from, to, away ? 0.15 : 0.6))} scale(1.2)`, opacity: 1, offset: 0.35 },
      { transform: `${at(to)} scale(${away ? 0.5 : 1})`, opacity: 1, offset: away ? 0.95 : 0.7 },
      { transform: `${at(to)} scale(${away ? 0.4 : 1})`, opacity: stays ? 1 : 0 },
    ];
    for (const sign of cue.words) this.rise(sign, to, time, delay);
    return moving(piece, frames, time, delay);
  }

  /** Let the armies of a place run at those of another, with the dice between them. */
  clash(cue, boxes, time, delay) {
    const [from, to] = [boxes[0], boxes.at(-1)].map(centre);
    const piece = this.put(picture(cue.picture, ""), cue, this.wide(cue, boxes));
    const near = between(from, to, 0.7);
    const shaken = [[0, 0], [6, -3], [-6, 3], [4, 2], [0, 0]].map(([x, y]) => `${at([to[0] + x, to[1] + y])} scale(1.3)`);
    const frames = boxes.length === 1 ? shaken.map((transform) => ({ transform }))
      : [{ transform: at(from) }, { transform: at(near), offset: 0.35 }, { transform: at(from), offset: 0.6 }, { transform: at(from) }];
    boxes.forEach((box, place) => cue.words[place] && this.rise(cue.words[place], centre(box), time, delay + time * 0.4));
    return Promise.all([moving(piece, [...frames.slice(0, -1), { ...frames.at(-1), opacity: 0 }], time, delay),
      cue.faces.length && this.roll(cue.faces, between(from, to, 0.5), time, delay)]);
  }

  /** Roll dice, a row for each side, that settle on their faces. */
  roll(sides, [x, y], time, delay) {
    const dice = sides.map((faces, side) => faces.map((face) => die(face, sides.length > 1 ? SIDES[side] : "alone")));
    const element = this.put(h("div", { class: "dice" }, dice.map((row) => h("div", {}, row))), {}, 0);
    element.style.transform = at([x, y]);
    return Promise.all(dice.flat().map((each, place) => {
      for (const step of [1, 2, 3]) setTimeout(() => eyes(each, ((each.dataset.face * step + place) % 6) + 1), (step - 1) * time * 0.12);
      setTimeout(() => eyes(each, each.dataset.face), time * 0.4);
      return moving(each, [{ transform: "translate(0, -1.4rem) rotate(-200deg)", opacity: 0.5 },
        { transform: "translate(.2rem, .1rem) rotate(20deg)", opacity: 1, offset: 0.3 }, { transform: "none", offset: 0.45 },
        { transform: "none", opacity: 1 }], time, delay);
    })).then(() => element.remove());
  }

  /** Count points up, or down, at a seat. */
  count(cue, box, time) {
    const { points } = cue;
    const sign = (value) => (points < 0 ? "−" : "+") + number(Math.abs(value), Number.isInteger(points) ? 0 : 1);
    const label = this.rise(sign(points / Math.abs(points)), [box.right - 24, box.y + box.height / 2], time, 0, "points");
    for (const part of [0.25, 0.5, 0.75, 1]) {
      const value = Number.isInteger(points) ? Math.trunc(points * part) || Math.sign(points) : points * part;
      setTimeout(() => (label.textContent = sign(value)), time * 0.5 * part);
    }
    return label.moved;
  }

  /** Let a sign rise at a point and vanish. */
  rise(text, [x, y], time, delay, kind = "sign") {
    const label = this.put(h("span", { class: kind }, text), {}, 0);
    label.moved = moving(label, [{ transform: `${at([x, y])} scale(.6)`, opacity: 0 }, { transform: at([x, y - 8]), opacity: 1, offset: 0.25 },
      { transform: at([x, y - 18]), opacity: 1, offset: 0.85 }, { transform: at([x, y - 24]), opacity: 0 }], time, delay);
    return label;
  }

  put(element, { kind }, width) {
    if (kind) element.dataset.cue = kind;
    if (width) element.style.width = `${width}px`;
    return this.layer.appendChild(element);
  }
}

const keyOf = (event) => `${event.ply} ${event.words}`;

/** Return the steps of events: dice and fights alone, then what moves at the same time; what a person here has just put down stays. */
function beatsOf(scene, events) {
  const beats = [];
  for (const { seat, words, cues = [], points } of events) {
    const by = scene.seats[seat];
    const told = by ? `${capital(by.name)}: ${words}` : words;
    const home = by?.person && scene.mine.includes(seat) ? `seat:${seat}` : null;
    const scored = points.flatMap((change, one) => (change ? [{ kind: "points", places: [`seat:${one}`], points: change }] : []));
    let together = null;
    for (const cue of [...cues.filter((one) => one.places[0] !== home || one.kind === "change"), ...scored]) {
      const alone = cue.kind === "dice" || cue.kind === "clash";
      if (together && !alone) together.push(cue);
      else beats.push({ words: told, cues: [cue] });
      together = alone ? null : beats.at(-1).cues;
    }
  }
  return beats;
}

/** Return the box of an element; of a group that of its last part, where the pieces stand. */
const boxOf = (element) => ((element.tagName === "g" && element.lastElementChild) || element).getBoundingClientRect();
const centre = ({ x, y, width, height }) => [x + width / 2, y + height / 2];
const between = (from, to, part) => [0, 1].map((i) => from[i] + (to[i] - from[i]) * part);
const at = ([x, y]) => `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%)`;

/** Move an element; returns a promise of the end. */
const moving = (element, frames, duration, delay) =>
  element.animate(frames, { duration: Math.max(1, duration - delay), delay, fill: "both", easing: "ease-in-out" }).finished.catch(() => {});

/** Return a board that is not seen, for its places. */
function draftOf(source, width) {
  const draft = document.importNode(new DOMParser().parseFromString(source, "image/svg+xml").documentElement, true);
  for (const name of ["width", "height", "role"]) draft.removeAttribute(name);
  for (const part of draft.querySelectorAll("[tabindex]")) part.removeAttribute("tabindex");
  draft.setAttribute("class", "draft");
  draft.style.width = `${width}px`;
  return draft;
}

/** Return a die that will show a face. */
function die(face, kind) {
  const made = svgElement("svg", { class: `die ${kind}`, viewBox: "0 0 30 30", "data-face": face });
  made.append(svgElement("rect", { x: 1, y: 1, width: 28, height: 28, rx: 6 }));
  return made;
}

/** Let a die show a face. */
function eyes(made, face) {
  made.replaceChildren(made.firstChild, ...EYES[face].map((spot) => svgElement("circle", { cx: 8 + 7 * (spot % 3), cy: 8 + 7 * Math.floor(spot / 3), r: 2.6 })));
}
