// The clocks of people: the choice of one for a new table, and their faces at the seats, which count down between scenes.

import { h, select } from "./dom.js";
import { say } from "./words.js";

const MINUTES = [5, 10, 15, 20, 30, 45, 60, 90];
const SECONDS = [0, 5, 10, 20, 30, 60];
const SHORT = 30; // seconds that are few

/** Return the choice of a clock for a new table; `taken` gets the clock as the server reads it, or null. */
export function clockChoice(chosen, taken) {
  const [game, turn] = (chosen ?? "").split("+");
  let [minutes, seconds] = [game ? String(Number(game) / 60) : "", turn ?? "10"];
  const tell = () => taken(minutes ? `${60 * Number(minutes)}+${seconds}` : null);
  const second = select(SECONDS.map((each) => [String(each), say("clock.seconds", { n: each })]), seconds, (value) => {
    seconds = value;
    tell();
  }, { "aria-label": say("clock.turn"), hidden: !minutes });
  const first = select([["", say("clock.none")], ...MINUTES.map((each) => [String(each), say("clock.minutes", { n: each })])], minutes, (value) => {
    minutes = value;
    second.hidden = !value;
    tell();
  }, { "aria-label": say("clock.game") });
  return h("div", { class: "field clocks" }, h("span", { class: "name" }, say("clock.name")), h("div", { class: "row" }, first, second), h("small", {}, say("clock.why")));
}

/** The faces of the clocks at a table. */
export class Clocks {
  constructor() {
    this.scene = null;
    this.faces = new Map();
  }

  /** Take the times of a scene as it comes; the clock that runs goes on by itself. */
  show(scene) {
    if (scene === this.scene) return;
    this.scene = scene;
    this.at = performance.now();
    this.faces.clear();
    clearInterval(this.beat);
    if (scene.clock !== null && !scene.over) this.beat = setInterval(() => this.tick(), 250);
  }

  /** Return the face of a seat's clock; null if it has none. */
  face(seat) {
    if (seat.left === null || seat.left === undefined) return null;
    const face = h("span", { class: "clock", role: "timer", title: say("clock.left") });
    this.faces.set(seat.seat, face);
    this.draw(seat, face);
    return face;
  }

  tick() {
    const seat = this.scene.seats[this.scene.clock];
    const face = this.faces.get(seat?.seat);
    if (face) this.draw(seat, face);
  }

  draw(seat, face) {
    const gone = seat.seat === this.scene.clock && !this.scene.over ? (performance.now() - this.at) / 1000 : 0;
    const left = Math.max(0, Math.ceil(seat.left - gone));
    const words = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (face.textContent !== words) face.textContent = words;
    face.classList.toggle("short", left <= SHORT);
  }
}
