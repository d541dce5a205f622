// While the computer thinks: how long, how much, and what it expects where nothing is hidden.

import { button, fill, h } from "./dom.js";
import { capital, number, percent, say } from "./words.js";

/** Shows that an agent is thinking. */
export class Thinking {
  /** @param hurry Tells the agent to move now. */
  constructor(hurry) {
    this.words = h("p", {});
    this.meter = h("meter", { min: "0", max: "1", "aria-label": say("thinking.share") });
    this.element = h("section", { class: "thinking card", hidden: true, "aria-label": say("thinking.name") },
      h("span", { class: "busy", "aria-hidden": "true" }), this.words, this.meter, button(say("thinking.hurry"), hurry));
  }

  show(scene, thinking) {
    this.element.hidden = !thinking;
    if (!thinking) return;
    const { seat, seconds = 0, iterations, share } = thinking;
    const told = [say("thinking.of", { name: capital(scene.seats[seat]?.name ?? "") }), say("thinking.seconds", { n: number(seconds, 0) })];
    if (iterations) told.push(say("thinking.tries", { n: number(iterations) }));
    if (share !== undefined && share !== null) told.push(say("thinking.expects", { share: percent(share) }));
    fill(this.words, told.join(" · "));
    this.meter.hidden = share === undefined || share === null;
    this.meter.value = share ?? 0;
  }
}
