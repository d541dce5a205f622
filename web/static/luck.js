// The luck of a game: sealed before it, with what the browsers of guests contribute; checked after it; drawn as charts.

import { button, fill, h, head, list } from "./dom.js";
import { fromHex, randomHex, sha256 } from "./sha256.js";
import { capital, number, say } from "./words.js";

const BYTES = 32; // that a guest contributes
const KEPT = 60; // tables whose seals this browser remembers
const SHOWN = 12; // digits of a hash in a line

// What is hashed, as in ai/luck/commitment.py.
const COMMITMENT = "sfida: commitment to the luck of a game";
const SEED = "sfida: seed of the luck of a game";
const hashed = (...lines) => sha256(lines.map((line) => `${line}\n`).join(""));
const promiseOf = (bytes) => sha256(fromHex(bytes));

/** What this browser saw of the luck of a table before the end, and what it contributed itself. */
class Notes {
  constructor(table) {
    this.table = table;
  }

  static all() {
    try {
      return JSON.parse(localStorage.getItem("luck")) ?? {};
    } catch {
      return {};
    }
  }

  get() {
    return Notes.all()[this.table] ?? {};
  }

  set(values) {
    const { [this.table]: old, ...others } = Notes.all();
    const kept = [...Object.entries(others).slice(1 - KEPT), [this.table, { ...old, ...values }]];
    localStorage.setItem("luck", JSON.stringify(Object.fromEntries(kept)));
  }
}

/**
 * Return what does not fit, as keys of texts; nothing if everything does.
 *
 * @param seen What was noted before the end.
 * @param luck What the server says after it.
 */
export function faults(seen, luck) {
  const given = luck.contributions.filter((part) => part.given);
  const found = [];
  if (seen.sha256 && seen.sha256 !== luck.sha256) found.push("exchanged");
  if (hashed(COMMITMENT, `seed ${luck.seed}`, `salt ${luck.salt}`) !== luck.sha256) found.push("unfit");
  const promises = seen.promises ?? luck.contributions.map(({ seat, promise }) => ({ seat, promise }));
  const kept = promises.length === luck.contributions.length
    && luck.contributions.every(({ seat, promise }, place) => promises[place].seat === seat && promises[place].promise === promise);
  if (!kept || given.some((part) => promiseOf(part.given) !== part.promise)) found.push("broken");
  if (seen.given && !given.some((part) => part.given === seen.bytes)) found.push("without_mine");
  const seed = given.length === 0 ? luck.seed
    : BigInt(`0x${hashed(SEED, `seed ${luck.seed}`, `salt ${luck.salt}`, ...given.map((part) => `seat ${part.seat} ${part.given}`)).slice(0, 32)}`).toString();
  if (seed !== luck.game_seed) found.push("other_seed");
  return found;
}

/** The seal on the luck: a line that stands beside the board, and this browser's part in it. */
export class Luck {
  /**
   * @param link The link of the table.
   * @param look Called to look at the luck more closely.
   * @param failed Called with what went wrong.
   */
  constructor(link, look, failed) {
    Object.assign(this, { link, failed });
    this.notes = new Notes(link.base);
    this.words = h("p", { role: "status" });
    this.open = button("", look, { class: "quiet small", "aria-haspopup": "dialog" });
    this.begin = button(say("luck.begin"), () => this.send("begin", {}), { hidden: true });
    this.element = h("section", { class: "sealing", hidden: true, "aria-label": say("luck.name") }, this.words, this.begin, this.open);
  }

  show(scene) {
    const { luck } = scene;
    const guest = !scene.host && scene.mine.length > 0;
    this.element.hidden = !luck || (!luck.sha256 && !guest);
    if (this.element.hidden) return;
    this.note(scene);
    const waits = luck.stage && luck.awaited.length > 0;
    const wrong = luck.seed === undefined ? [] : faults(this.notes.get(), luck);
    const text = waits ? say("luck.gathers", { names: luck.awaited.map((seat) => capital(scene.seats[seat].name)).join(", ") })
      : !luck.sha256 ? say("luck.open") : luck.seed === undefined ? "" : wrong.length ? say(`luck.${wrong[0]}`) : say(this.verdict());
    if (this.words.textContent !== text) this.words.textContent = text;
    this.words.hidden = !text;
    this.element.classList.toggle("wrong", wrong.length > 0);
    this.element.classList.toggle("card", Boolean(waits) || wrong.length > 0);
    this.begin.hidden = !waits || !scene.host;
    this.open.textContent = say(luck.seed === undefined ? "luck.sealed" : "luck.unsealed", { hash: luck.sha256.slice(0, SHOWN) });
    this.open.hidden = !luck.sha256;
  }

  /** Return what is said of luck that fits. */
  verdict() {
    const seen = this.notes.get();
    return seen.given ? "luck.fits_mine" : seen.sha256 ? "luck.fits" : "luck.fits_late";
  }

  /** Note what is shown before the end, and contribute if this is the browser of a guest. */
  note({ luck, over }) {
    const seen = this.notes.get();
    if (over || !luck.sha256) return;
    if (!seen.sha256) this.notes.set({ sha256: luck.sha256 });
    if (!luck.stage || luck.mine === null) return;
    const part = luck.contributions.find(({ seat }) => seat === luck.mine);
    if (luck.stage === "promises" && !part) {
      const bytes = seen.bytes ?? randomHex(BYTES);
      this.notes.set({ bytes });
      this.send("contribute", { promise: promiseOf(bytes) });
    } else if (luck.stage === "bytes" && part && seen.bytes && !part.given && part.promise === promiseOf(seen.bytes)) {
      // from here on nobody can exchange what was promised without being found out
      this.notes.set({ promises: luck.contributions.map(({ seat, promise }) => ({ seat, promise })), given: true });
      this.send("contribute", { given: seen.bytes });
    }
  }

  async send(name, body) {
    if (this.sending === JSON.stringify(body)) return;
    this.sending = JSON.stringify(body);
    try {
      await this.link.post(name, body);
    } catch (problem) {
      if (problem.status !== 409) this.failed(problem.message);
    } finally {
      this.sending = null;
    }
  }
}

/** Fill a page with the seal of a table and the charts of its luck. */
export function showLuck(page, link, seal, { charts }) {
  fill(page, seal?.sha256 && sealOf(seal, new Notes(link.base).get()), chartsOf(charts),
    !seal?.sha256 && !charts.length && h("p", { class: "dim" }, say("luck.none")));
}

function sealOf(seal, seen) {
  const pair = (name, value) => [h("dt", {}, say(`luck.${name}`)), h("dd", {}, h("code", {}, value))];
  const opened = seal.seed !== undefined;
  const wrong = opened ? faults(seen, seal) : [];
  return h("section", { class: "seal" }, h("h3", {}, say("luck.seal")),
    h("p", {}, say(opened ? "luck.opened_why" : "luck.sealed_why")),
    h("dl", {}, pair("hash", seal.sha256), opened && [pair("seed", seal.seed), pair("salt", seal.salt)],
      seal.contributions.map((part) => [h("dt", {}, say("luck.part", { name: capital(part.name) })),
        h("dd", {}, h("code", {}, part.given || part.promise), !part.given && ` ${say("luck.promised")}`)]),
      opened && seal.game_seed !== seal.seed && pair("game_seed", seal.game_seed)),
    wrong.length > 0 && h("div", { class: "error", role: "alert" }, list(wrong.map((key) => say(`luck.${key}`)))),
    opened && h("p", { class: "dim" }, say("luck.verify")));
}

/** Return the charts of dice and draws with what explains them; nothing if nothing was drawn. */
export const chartsOf = (charts) => charts.length > 0
  && [h("div", { class: "luckcharts" }, charts.map(chartOf)), h("p", { class: "dim" }, say("luck.key"))];

function chartOf({ title, svg, bars }) {
  const drawing = document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);
  return h("figure", { class: "luckchart" }, h("figcaption", {}, h("h3", {}, title)), drawing,
    h("details", {}, h("summary", {}, say("luck.table")),
      h("table", {}, head(["what", "seen", "expected", "spread"].map((name) => say(`luck.${name}`))),
        h("tbody", {}, bars.map((bar) => h("tr", {}, h("th", { scope: "row" }, bar.words),
          h("td", {}, number(bar.seen)), h("td", {}, number(bar.expected, 1)), h("td", {}, `± ${number(2 * bar.spread, 1)}`)))))));
}
