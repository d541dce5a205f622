// What has happened: the story, newest last; the end, explained; the board of a game that is over, move by move.

import { alarm, button, fill, h, head, list, swatch, tick } from "./dom.js";
import { transport } from "./transport.js";
import { capital, number, percent, say } from "./words.js";

/** Return the link to the record of the game. */
export const recordLink = (link, title) =>
  h("a", { class: "button", ...transport.documentLink(`${link.base}/record`, `${title}.jsonl`) }, say("result.record"));

/** Events in words, grouped by turn: at the table and in the log. */
export class EventList {
  /**
   * @param most Rows that are kept, the last ones.
   * @param point Called with the keys of the places that an event touched, and with null when they are to be forgotten.
   * @param why Asks why the decision at a ply was made; returns a promise of the answer.
   */
  constructor({ most = Infinity, point = () => {}, why }) {
    Object.assign(this, { most, point, why });
    this.element = h("div", { class: "story" });
  }

  get rows() {
    return [...this.element.querySelectorAll("[data-key]")];
  }

  /** Show events; what is there already stays, so that only news are read out. */
  show(scene, events) {
    this.element.classList.toggle("asks", scene.can.why);
    const keys = events.map((event) => `${event.ply} ${event.text} ${event.words}`);
    const shown = this.rows.map((row) => row.dataset.key);
    const from = keys.indexOf(shown.at(-1)) + 1;
    const continues = from > 0 && keys.slice(0, from).join("\n") === shown.slice(-from).join("\n");
    if (!continues) fill(this.element);
    events.slice(continues ? from : 0).forEach((event, place) =>
      this.turn(scene, event).append(this.row(scene, event, keys[(continues ? from : 0) + place])));
    for (const row of this.rows.slice(0, -this.most)) row.remove();
    for (const turn of [...this.element.children]) if (!turn.querySelector("[data-key]")) turn.remove();
  }

  /** Return the list of the turn of an event. */
  turn(scene, { turn, turn_of: of }) {
    const words = of < 0 ? say("events.turn", { n: turn }) : say("events.turn_of", { n: turn, name: capital(scene.seats[of].name) });
    let group = this.element.lastElementChild;
    if (group?.dataset.turn !== String(turn)) {
      group = h("div", { "data-turn": turn }, turn > 0 && h("h3"), h("ol"));
      this.element.append(group);
    }
    const heading = group.querySelector("h3");
    if (heading && heading.textContent !== words) heading.textContent = words;
    return group.querySelector("ol");
  }

  row(scene, event, key) {
    const seat = scene.seats[event.seat];
    const { parts } = event;
    const words = event.words || event.text || say("events.unseen");
    return h("li", { "data-key": key, onmouseenter: () => parts.length && this.point(parts), onmouseleave: () => parts.length && this.point(null) },
      h("p", {}, seat ? [swatch(seat), h("b", {}, `${capital(seat.name)} `)] : h("b", { class: "luck" }, `${say("events.luck")} `), words,
        seat && !seat.person && event.text && !event.forced && button(say("events.why"), ({ target }) => this.ask(event.ply, target),
          { class: "why quiet small", "aria-label": say("events.why_of", { move: words }), "aria-expanded": "false" })),
      event.effects.length > 0 && list(event.effects));
  }

  /** Show why a decision was made, below it, or put the answer away again. */
  async ask(ply, asked) {
    const opens = asked.getAttribute("aria-expanded") === "false";
    asked.setAttribute("aria-expanded", String(opens));
    const row = asked.closest("li");
    row.querySelector(".answer")?.remove();
    if (!opens) return;
    const answer = row.appendChild(h("div", { class: "answer" }, h("p", { class: "dim busy" }, say("events.thinking"))));
    try {
      fill(answer, outlined((await this.why(ply)).lines));
    } catch (problem) {
      fill(answer, alarm(problem.message));
    }
  }
}

/** Return lines as a list; lines that are set in belong to the line before. */
function outlined(lines) {
  const told = h("ul");
  for (const line of lines) {
    if (!line.startsWith(" ") || !told.lastChild) told.append(h("li", {}, line));
    else {
      if (told.lastChild.lastElementChild?.tagName !== "UL") told.lastChild.append(h("ul"));
      told.lastChild.lastElementChild.append(h("li", {}, line.trim()));
    }
  }
  return told;
}

/** What has happened, told to screen readers as it comes. */
export class Events {
  /** @param point, why As for an EventList. */
  constructor(point, why) {
    this.list = new EventList({ most: 60, point, why });
    this.roll = h("div", { class: "roll", role: "log", "aria-label": say("events.name"), tabindex: "0" }, this.list.element);
    this.element = h("section", { class: "events card" }, h("h2", {}, say("events.name")), this.roll);
  }

  /** Show the last events. */
  show(scene) {
    this.list.show(scene, scene.events);
    this.roll.scrollTop = this.roll.scrollHeight;
  }
}

/** The end of a game: who won and why, the scores explained, the review. */
export class Result {
  /** @param link The link of the table. */
  constructor(link) {
    this.link = link;
    this.element = h("section", { class: "result card", hidden: true, "aria-label": say("result.name") });
  }

  show(scene) {
    this.element.hidden = !scene.over;
    const told = JSON.stringify(scene.result);
    if (!scene.over || told === this.told) return;
    this.told = told;
    const { result } = scene;
    fill(this.element, h("h2", { tabindex: "-1" }, winners(scene)),
      result.ranks && this.table(scene),
      result.explained.length > 0 && h("details", { open: true }, h("summary", {}, say("result.explained")), list(result.explained)),
      result.luck.length > 0 && h("details", {}, h("summary", {}, say("result.luck")), list(result.luck)),
      h("div", { class: "row" },
        scene.can.review && h("a", { class: "button main", href: transport.address(`/review/${this.link.token}`) }, say("result.review")),
        scene.can.record && recordLink(this.link, scene.game.name),
        h("a", { class: "button", href: transport.address("/") }, say("result.again"))));
  }

  table({ seats, result }) {
    const order = [...seats].sort((a, b) => result.ranks[a.seat] - result.ranks[b.seat]);
    const shared = result.utilities.some((share) => share > 0 && share < 1);
    return h("table", {},
      head(["rank", "seat", "points", shared && "share"].filter(Boolean).map((name) => say(`result.${name}`))),
      h("tbody", {}, order.map((seat) => h("tr", {},
        h("td", {}, String(result.ranks[seat.seat])), h("th", { scope: "row" }, swatch(seat), capital(seat.name)),
        h("td", {}, number(result.scores[seat.seat])),
        shared && h("td", {}, percent(result.utilities[seat.seat]))))));
  }
}

function winners({ seats, result }) {
  if (!result.utilities) return say("result.over");
  const best = Math.max(...result.utilities);
  const names = seats.filter((seat) => result.utilities[seat.seat] === best).map((seat) => capital(seat.name));
  return names.length === 1 ? say("result.wins", { name: names[0] }) : say("result.tie", { names: names.join(", ") });
}

/** A slider over the moves of a game that is over, for its board. */
export class Lookback {
  /**
   * @param link The link of the table.
   * @param show Called with the drawing of a position.
   */
  constructor(link, show) {
    Object.assign(this, { link, show });
    this.range = h("input", { type: "range", min: "0", oninput: () => this.go(), "aria-label": say("lookback.name") });
    this.words = h("output", {});
    this.fresh = h("input", { type: "checkbox" });
    this.failed = alarm();
    this.branch = h("span", { class: "row" }, button(say("lookback.play_on"), () => this.playOn()),
      tick(say("lookback.fresh"), this.fresh), this.failed);
    this.element = h("div", { class: "lookback row", hidden: true },
      button("‹", () => this.step(-1), { "aria-label": say("lookback.before") }), this.range,
      button("›", () => this.step(1), { "aria-label": say("lookback.after") }), this.words, this.branch);
  }

  /** Offer the moves of a game that is over. */
  offer(scene) {
    this.element.hidden = !scene.over || !scene.events.length;
    if (this.element.hidden || this.version === scene.version) return;
    this.version = scene.version;
    this.most = scene.events.at(-1).ply + 1;
    this.branch.hidden = !scene.can.branch;
    this.range.max = String(this.most);
    this.range.value = String(this.most);
    this.tell();
  }

  tell() {
    fill(this.words, say("lookback.at", { n: this.range.value, all: this.most }));
  }

  step(by) {
    this.range.value = String(Number(this.range.value) + by);
    this.go();
  }

  /** Open a table that continues the game from the position that is shown. */
  async playOn() {
    try {
      const table = await this.link.post("branch", { ply: Number(this.range.value), fresh: this.fresh.checked });
      transport.go(table.play);
    } catch (problem) {
      this.failed.textContent = problem.message;
    }
  }

  async go() {
    this.tell();
    const asked = (this.asked = this.range.value);
    const { board } = await this.link.get(`board?ply=${asked}`);
    if (asked === this.asked) this.show(board);
  }
}
