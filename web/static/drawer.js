// The drawer: log, what may still be drawn, cards, help, rules, why a move was chosen.

import { button, fill, h } from "./dom.js";
import { say } from "./words.js";

const PAGES = ["log", "why", "stock", "cards", "help", "rule"];
const ASKED = ["why", "rule"]; // with a field for what is asked

/** What can be looked up during a game. */
export class Drawer {
  /** @param link The link of the table. */
  constructor(link) {
    this.link = link;
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
      const text = answer.text ?? (answer.lines ?? []).map((line) => line.text ?? line).join("\n");
      fill(this.page, answer.note ? h("p", { class: "dim" }, answer.note) : null,
        text.trim() ? h("pre", { lang: answer.language }, text) : h("p", { class: "dim" }, say("drawer.nothing")));
      if (page === "log") this.page.scrollTop = this.page.scrollHeight;
    } catch (problem) {
      fill(this.page, h("p", { class: "error", role: "alert" }, problem.message || say("lost")));
    }
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
