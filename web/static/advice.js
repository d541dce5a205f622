// What a person may ask during a game: a hint, and what can be looked up.

import { alarm, button, fill, h, head, known, list } from "./dom.js";
import { showLuck } from "./luck.js";
import { EventList } from "./story.js";
import { number, percent, say } from "./words.js";

const PAGES = ["log", "why", "luck", "stock", "cards", "help", "rule"];
const ASKED = ["why", "rule"]; // with a field for what is asked

/** What the computer would play: marks on the board, and the moves compared in a table. */
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
      fill(this.element, alarm(problem.message));
    }
  }

  show({ best, win, others, line, reasons }) {
    this.mark(best.parts);
    fill(this.element,
      h("h2", {}, say("hint.name")),
      h("p", { class: "best" }, h("b", {}, best.words || best.text), known(win) && ` ${say("hint.wins", { share: percent(win) })}`),
      reasons.length > 0 && list(reasons),
      h("table", {}, h("caption", {}, say("hint.compared")),
        head(["move", "win", "tries"].map((name) => say(`hint.${name}`))),
        h("tbody", {}, [best, ...others].map((move) => h("tr", { onmouseenter: () => this.mark(move.parts), onmouseleave: () => this.mark(best.parts) },
          h("th", { scope: "row" }, move.words || move.text),
          h("td", {}, known(move.win) ? percent(move.win) : say("hint.untried")),
          h("td", {}, known(move.visits) ? number(move.visits) : ""))))),
      line.length > 1 && h("p", {}, say("hint.line", { moves: line.map((move) => move.words).join(" · ") })),
      h("div", { class: "row" },
        button(say("hint.play"), () => this.play(best.label), { class: "main" }),
        button(say("close"), () => this.clear())));
  }
}

/** What can be looked up: log, what may still be drawn, cards, help, rules, why a move was chosen. */
export class Drawer {
  /**
   * @param link The link of the table.
   * @param scene Returns the scene that is shown.
   */
  constructor(link, scene) {
    Object.assign(this, { link, scene });
    this.tabs = h("div", { class: "tabs", role: "tablist", "aria-label": say("drawer.name"), onkeydown: (event) => this.typed(event) },
      PAGES.map((page) => button(say(`drawer.${page}`), () => this.open(page),
        { role: "tab", id: `tab-${page}`, "aria-controls": "drawer-page", "aria-selected": "false", tabindex: "-1" })));
    this.find = h("input", { type: "search", maxlength: "200" });
    this.search = h("form", { class: "row", onsubmit: (event) => this.submitted(event) }, this.find, h("button", { type: "submit" }, say("drawer.search")));
    this.page = h("div", { id: "drawer-page", class: "page", role: "tabpanel", tabindex: "0" });
    this.element = h("dialog", { class: "drawer", "aria-label": say("drawer.name") },
      h("div", { class: "row head" }, this.tabs, button("×", () => this.element.close(), { class: "quiet", "aria-label": say("close") })),
      this.search, this.page);
  }

  async open(page, query = "") {
    if (!this.element.open) this.element.showModal();
    for (const tab of this.tabs.children) {
      const chosen = tab.id === `tab-${page}`;
      tab.setAttribute("aria-selected", String(chosen));
      tab.setAttribute("tabindex", chosen ? "0" : "-1");
    }
    this.page.setAttribute("aria-labelledby", `tab-${page}`);
    this.search.hidden = !ASKED.includes(page);
    if (page !== this.shown) this.find.value = "";
    this.shown = page;
    if (ASKED.includes(page)) for (const name of ["aria-label", "placeholder"]) this.find.setAttribute(name, say(`drawer.find_${page}`));
    fill(this.page, h("p", { class: "dim" }, say("waiting")));
    try {
      const answer = await (page === "why" ? this.link.post("why", { move: query })
        : this.link.get(page === "rule" ? `rule?find=${encodeURIComponent(query)}` : page));
      if (page !== this.shown) return;
      if (page === "log") return this.tell(answer.events);
      if (page === "luck") {
        showLuck(this.page, this.link, this.seal, answer);
        return;
      }
      const text = answer.text ?? (answer.lines ?? []).map((line) => line.text ?? line).join("\n");
      fill(this.page, answer.note ? h("p", { class: "dim" }, answer.note) : null,
        text.trim() ? h("pre", { lang: answer.language }, text) : h("p", { class: "dim" }, say("drawer.nothing")));
    } catch (problem) {
      fill(this.page, alarm(problem.message));
    }
  }

  /** Show all events, the last ones first in sight. */
  tell(events) {
    const told = new EventList({ why: (ply) => this.link.post("why", { move: "", ply }) });
    told.show(this.scene(), events);
    fill(this.page, events.length ? told.element : h("p", { class: "dim" }, say("drawer.nothing")));
    this.page.scrollTop = this.page.scrollHeight;
  }

  /** Show the luck as it is after a further move, if a person is looking at it. */
  renew() {
    if (this.element.open && this.shown === "luck") this.open("luck");
  }

  submitted(event) {
    event.preventDefault();
    this.open(this.shown, this.find.value.trim());
  }

  typed(event) {
    const turn = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!turn) return;
    const tabs = [...this.tabs.children];
    const next = tabs.at((tabs.indexOf(event.target) + turn) % tabs.length);
    next.click();
    next.focus();
  }
}
