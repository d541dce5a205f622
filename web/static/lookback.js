// The board of a game that is over, move by move.

import { button, fill, h } from "./dom.js";
import { say } from "./words.js";

/** A slider over the moves of a game. */
export class Lookback {
  /**
   * @param link The link of the table.
   * @param show Called with the drawing of a position.
   */
  constructor(link, show) {
    this.link = link;
    this.show = show;
    this.range = h("input", { type: "range", min: "0", oninput: () => this.go(), "aria-label": say("lookback.name") });
    this.words = h("output", {});
    this.element = h("div", { class: "lookback row", hidden: true },
      button("‹", () => this.step(-1), { "aria-label": say("lookback.before") }), this.range,
      button("›", () => this.step(1), { "aria-label": say("lookback.after") }), this.words);
  }

  /** Offer the moves of a game that is over. */
  offer(scene) {
    this.element.hidden = !scene.over || !scene.events.length;
    if (this.element.hidden || this.version === scene.version) return;
    this.version = scene.version;
    this.most = scene.events.at(-1).ply + 1;
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

  async go() {
    this.tell();
    const asked = (this.asked = this.range.value);
    const answer = await this.link.get(`board?ply=${asked}`);
    if (asked === this.asked) this.show(answer.board ?? answer);
  }
}
