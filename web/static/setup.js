// The dialog in which a new game is set up: how many play, who sits where, by which rules.

import { get } from "./api.js";
import { FRIEND, friendsOf, lastChoices, openWith, OTHER, specOf, withSeats } from "./choices.js";
import { alarm, button, field, fill, h, select, tick } from "./dom.js";
import { levelEntries, say } from "./words.js";

/** The form for a new game. */
export class Setup {
  /**
   * @param home What the server offers.
   * @param opened Called with the table that was opened, the seats of friends, and whether to teach.
   */
  constructor(home, opened) {
    this.home = home;
    this.opened = opened;
    this.title = h("h2", { id: "setup-title" });
    this.people = h("div", { class: "people" });
    this.preset = h("div", {});
    this.rules = h("div", { class: "rules" });
    this.moreRules = h("details", { class: "more", ontoggle: () => this.moreRules.open && this.showRules() }, h("summary", {}, say("new.rules")), this.rules);
    this.error = alarm();
    this.seed = h("input", { type: "text", inputmode: "numeric", autocomplete: "off" });
    this.luck = h("input", { type: "checkbox" });
    this.learn = h("input", { type: "checkbox" });
    this.learnTick = tick(say("learn.on"), this.learn);
    this.form = h("form", { novalidate: true, onsubmit: (event) => this.submitted(event) },
      this.people, this.preset, this.learnTick, this.moreRules,
      h("details", { class: "more" }, h("summary", {}, say("new.more")),
        field(say("new.seed"), this.seed, say("new.seed_why")),
        tick(say("new.luck"), this.luck)),
      this.error,
      h("div", { class: "row end" }, button(say("close"), () => this.element.close()), h("button", { type: "submit", class: "main" }, say("new.start"))));
    this.element = h("dialog", { class: "setup", "aria-labelledby": "setup-title" }, this.title, this.form,
      h("datalist", { id: "agents" }, (home.agents ?? []).map((agent) => h("option", { value: agent.spec }, agent.words ?? ""))));
  }

  /** Show the form for a game, filled in with the last choices. */
  open(game) {
    this.game = game;
    this.choices = lastChoices(game);
    this.usual = {};
    this.title.textContent = game.title;
    this.error.textContent = "";
    this.learn.checked = false;
    this.learnTick.hidden = !game.teaches;
    this.moreRules.hidden = this.options().length === 0;
    this.moreRules.open = false;
    this.showSeats();
    this.showPreset();
    this.element.showModal();
  }

  showSeats() {
    const { game, choices } = this;
    choices.seats = withSeats(game, choices.seats, choices.count);
    const counts = h("div", { class: "counts", role: "radiogroup", "aria-label": say("new.count") }, game.players.map((count) =>
      h("label", { class: "count" }, h("input", { type: "radio", name: "count", value: count, checked: count === choices.count, onchange: () => {
        choices.count = count;
        this.showSeats();
        this.people.querySelector("input:checked").focus();
        this.showRules();
      } }), h("span", {}, String(count)))));
    fill(this.people, game.players.length > 1 && [h("h3", {}, say("new.count")), counts],
      h("h3", {}, say("new.seats")), choices.seats.slice(0, choices.count).map((chosen, seat) => this.seatRow(chosen, seat)));
  }

  seatRow(chosen, seat) {
    const other = h("input", { type: "text", value: chosen.spec, hidden: chosen.kind !== OTHER, list: "agents", "aria-label": say("new.spec"),
      placeholder: "ismcts:seconds=2", oninput: (event) => (chosen.spec = event.target.value) });
    const entries = [["human", say("new.you")], ...(this.home.friends ? [[FRIEND, say("new.friend")]] : []), ...(this.game.levels === false ? [] : [...levelEntries(), ["level:auto", say("agents.auto")]]), [OTHER, say("new.another")]];
    const list = select(entries, chosen.kind, (kind) => {
      chosen.kind = kind;
      other.hidden = kind !== OTHER;
    }, { "aria-label": say("home.seat", { n: seat + 1 }) });
    return h("div", { class: "row seatrow" }, h("span", { class: "name", "aria-hidden": "true" }, say("home.seat", { n: seat + 1 })), list, other);
  }

  // ---- rules: the edition first, everything else behind "More rules"

  options() {
    return this.game.options.filter((option) => !["players", "preset"].includes(option.key));
  }

  showPreset() {
    const option = this.game.options.find((each) => each.key === "preset");
    fill(this.preset, option && field(option.label, select(option.choices.map(([value, words]) =>
      [value === option.default ? "" : value, value === option.default ? say("new.usual", { value: words }) : words]), this.choices.values.preset ?? "", (value) => {
      this.set("preset", value);
      this.showRules();
    })));
  }

  set(key, value) {
    if (value === "") delete this.choices.values[key];
    else this.choices.values[key] = value;
  }

  /** Show the other options with the values that they have as the game is set up; what is left as it was is not sent. */
  async showRules() {
    if (!this.moreRules.open) return;
    const { count, values: { preset } } = this.choices;
    const asked = (this.asked = specOf(this.game, { count, values: preset ? { preset } : {} }));
    try {
      const usual = await get(`/api/usual?game=${encodeURIComponent(asked)}`);
      if (asked !== this.asked) return;
      this.usual = usual;
      this.error.textContent = "";
    } catch (problem) {
      this.error.textContent = problem.message;
    }
    fill(this.rules, this.options().map((option) => this.option(option)));
  }

  option({ key, label, doc, type, choices }) {
    const usual = this.usual[key] === undefined ? say("new.as_usual") : say("new.usual", { value: this.usual[key] });
    const chosen = this.choices.values[key] ?? "";
    const input = choices.length
      ? select([["", usual], ...choices.filter(([value, words]) => words !== this.usual[key] || value === chosen)], chosen, (value) => this.set(key, value))
      // what is wrong is told by the server, in one line: a field for numbers would drop it unseen
      : h("input", { type: "text", inputmode: type === "int" ? "numeric" : null, placeholder: usual, value: chosen, oninput: (event) => this.set(key, event.target.value.trim()) });
    const plain = doc.toLowerCase() === label.toLowerCase() || (choices.length > 0 && type === "word"); // the choices say it all
    return field(label, input, plain ? null : doc);
  }

  async submitted(event) {
    event.preventDefault();
    this.error.textContent = "";
    const more = { ...(this.seed.value.trim() ? { seed: this.seed.value.trim() } : {}), ...(this.luck.checked ? { typed_luck: true } : {}) };
    try {
      const table = await openWith(this.game, this.choices, more);
      this.element.close();
      this.opened(table, friendsOf(this.choices), this.learn.checked);
    } catch (problem) {
      this.error.textContent = problem.message;
    }
  }
}
