// A bubble beside the pointer or a place: what is there, what it costs, and what can be done there.

import { fill, h, known } from "./dom.js";
import { say } from "./words.js";

const APART = 14; // pixels between the bubble and what it belongs to

/** The one bubble of a board. */
export class Bubble {
  constructor() {
    this.words = h("div", { class: "said" });
    this.element = h("div", { class: "bubble", id: "bubble", hidden: true }, this.words);
    addEventListener("scroll", () => this.place(), { capture: true, passive: true });
    addEventListener("resize", () => this.place());
  }

  /**
   * Show words at a point or beside an element, and the controls that belong to them.
   *
   * @param at A point {x, y} of the window, or an element.
   * @param lines Texts, the first of which is the most important; the others are notes.
   * @param controls An element with buttons; null: the bubble only tells, and lets the pointer through.
   */
  show(at, lines, controls = null) {
    this.at = at;
    const [first, ...notes] = lines.filter(Boolean);
    fill(this.words, first && h("p", {}, first), notes.map((note) => h("small", {}, note)));
    this.words.hidden = !known(first);
    if (controls !== this.controls) {
      if (this.controls?.parentElement === this.element) this.controls.remove();
      this.controls = controls;
      if (controls) this.element.append(controls);
    }
    this.element.classList.toggle("busy-bubble", Boolean(controls));
    this.element.setAttribute("role", controls ? "group" : "tooltip");
    this.element.setAttribute("aria-label", controls ? say("move.settings") : first ?? "");
    this.element.hidden = this.words.hidden && !controls;
    this.place();
  }

  hide() {
    this.at = null;
    if (this.controls?.parentElement === this.element) this.controls.remove();
    this.controls = null;
    this.element.hidden = true;
  }

  /** Stand beside what the bubble belongs to, in the window, and not over it. */
  place() {
    if (this.element.hidden || !this.at) return;
    const box = this.at.getBoundingClientRect?.() ?? { left: this.at.x, right: this.at.x, top: this.at.y, bottom: this.at.y };
    const { offsetWidth: wide, offsetHeight: high } = this.element;
    const [most, least] = [document.documentElement.clientWidth - wide - 4, 4];
    const right = box.right + APART;
    const beside = right <= most ? right : box.left - wide - APART;
    const fits = beside >= least;
    const left = fits ? beside : Math.max(least, Math.min(most, (box.left + box.right - wide) / 2));
    const middle = (box.top + box.bottom - high) / 2;
    const below = box.bottom + APART;
    const top = fits ? middle : below + high < innerHeight ? below : box.top - high - APART;
    this.element.style.left = `${Math.round(left)}px`;
    this.element.style.top = `${Math.round(Math.max(4, Math.min(innerHeight - high - 4, top)))}px`;
  }
}
