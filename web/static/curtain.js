// The curtain: several people share one screen, and what one of them sees is hidden from the others.

import { button, fill, h } from "./dom.js";
import { capital, say } from "./words.js";

/** Covers the table until the person whose turn it is has taken the device. */
export class Curtain {
  /** @param opened Called when the table may be seen. */
  constructor(opened) {
    this.opened = opened;
    this.seen = null; // the seat whose view was shown last
    this.element = h("div", { class: "curtain", hidden: true });
  }

  /** Say whether a scene must not be seen yet. */
  covers(scene) {
    const shared = scene.game.hidden && !scene.over && scene.mine.length > 1 && scene.viewer !== null;
    const covers = shared && scene.viewer !== this.seen;
    if (covers && this.element.hidden) this.draw(scene);
    this.element.hidden = !covers;
    return covers;
  }

  draw(scene) {
    const name = capital(scene.seats[scene.viewer].name);
    const open = button(say("curtain.open", { name }), () => {
      this.seen = scene.viewer;
      this.opened();
    }, { class: "main" });
    fill(this.element, h("div", { class: "card narrow" }, h("h2", {}, say("curtain.pass", { name })), h("p", {}, say("curtain.why", { name })), open));
    setTimeout(() => open.focus());
  }
}
