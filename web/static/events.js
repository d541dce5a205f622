// What has happened, newest last, told to screen readers as it comes.

import { fill, h } from "./dom.js";
import { swatch } from "./seats.js";
import { capital, say } from "./words.js";

/** The story of the game. */
export class Events {
  /** @param point Called with the keys of the places that an event touched. */
  constructor(point) {
    this.point = point;
    this.last = "";
    this.list = h("ol");
    this.roll = h("div", { class: "roll", role: "log", "aria-label": say("events.name"), tabindex: "0" }, this.list);
    this.element = h("section", { class: "events card" }, h("h2", {}, say("events.name")), this.roll);
  }

  /** Show the last events; what stands there already stays, so that only news are read out. */
  show(scene) {
    const { events } = scene;
    const keys = events.map((event) => `${event.ply} ${event.text} ${event.words}`);
    const shown = [...this.list.children].map((row) => row.dataset.key);
    const from = keys.indexOf(shown.at(-1)) + 1;
    const continues = !shown.length || keys.slice(0, from).join("\n") === shown.slice(-from).join("\n");
    const rows = (first) => events.slice(first).map((event, place) => this.row(scene, event, keys[first + place]));
    if (continues && from) this.list.append(...rows(from));
    else fill(this.list, rows(0));
    while (this.list.children.length > 60) this.list.firstChild.remove();
    this.roll.scrollTop = this.roll.scrollHeight;
  }

  row(scene, event, key) {
    const seat = scene.seats[event.seat];
    const parts = event.parts ?? [];
    return h("li", { "data-key": key, onmouseenter: () => parts.length && this.point(parts), onmouseleave: () => parts.length && this.point(null) },
      h("p", {}, seat ? [swatch(seat), h("b", {}, `${capital(seat.name)} `)] : h("b", { class: "luck" }, `${say("events.luck")} `), event.words || event.text || say("events.unseen")),
      (event.effects ?? []).length > 0 && h("ul", {}, event.effects.map((effect) => h("li", {}, effect.text ?? effect))));
  }
}
