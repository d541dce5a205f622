// Learning a game as it is played: the introduction, then a lesson at the first decision of each kind.

import { button, fill, h } from "./dom.js";
import { say } from "./words.js";

const KEY = "learning"; // tables at which somebody learns here, each with the pages that were read
const MOST = 30; // of them
const INTRODUCTION = "introduction";

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

function remember(tables) {
  localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(Object.entries(tables).slice(-MOST))));
}

/** From now on explain the game at the table of a link. */
export function learn(token) {
  remember({ ...remembered(), [token]: [] });
}

/** The pages for a learner at a table. */
export class Learning {
  /**
   * @param link The link of the table.
   * @param token Its token.
   * @param look Called with a clause of the rules that is to be shown.
   */
  constructor(link, token, look) {
    Object.assign(this, { link, token, look });
    this.pages = []; // what is to be read, the first of which is shown
    this.element = h("section", { class: "lesson card", "aria-label": say("learn.name"), "aria-live": "polite", hidden: true });
  }

  get isOn() {
    return this.token in remembered();
  }

  get taught() {
    return remembered()[this.token] ?? [];
  }

  /** Return the button that switches lessons on; they are switched off where they are shown. Null where there are none. */
  toggle(scene) {
    if (!scene.game.teaches || !scene.mine.length || scene.over || this.isOn) return null;
    return button(say("learn.on"), () => {
      learn(this.token);
      this.show(scene);
    });
  }

  /** Show what is due at a scene. A lesson on an earlier decision has had its time. */
  async show(scene) {
    if (this.pages[0] && this.pages[0].key !== INTRODUCTION) this.read(this.pages[0]);
    this.pages = this.pages.filter((page) => page.key === INTRODUCTION);
    this.draw();
    const asked = (this.asked = Symbol());
    if (!this.isOn || !scene.game.teaches || scene.over || !scene.mine.length) return;
    const { pages } = await this.link.get(`lesson?taught=${encodeURIComponent(this.taught.join(","))}`).catch(() => ({ pages: [] }));
    if (asked !== this.asked || !this.isOn) return;
    this.pages = pages;
    this.draw();
  }

  read(page) {
    if (this.isOn) remember({ ...remembered(), [this.token]: [...new Set([...this.taught, page.key])] });
  }

  draw() {
    const [page] = this.pages;
    this.element.hidden = !page;
    if (!page) {
      fill(this.element);
      return;
    }
    const next = button(say(this.pages.length > 1 ? "learn.next" : "learn.done"), () => {
      this.read(this.pages.shift());
      this.draw();
    }, { class: "main" });
    fill(this.element, h("h2", {}, page.title), page.text.split("\n\n").map((paragraph) => h("p", {}, paragraph)),
      h("div", { class: "row" }, next,
        page.rule && button(say("learn.rule", { rule: page.rule }), () => this.look(page.rule)),
        button(say("learn.off"), () => this.stop(), { class: "quiet" })));
  }

  stop() {
    const { [this.token]: _, ...others } = remembered();
    remember(others);
    this.pages = [];
    this.draw();
    this.element.dispatchEvent(new CustomEvent("stopped", { bubbles: true }));
  }
}
