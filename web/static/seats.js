// Who sits where, whose turn it is, and how it stands in expectation.

import { button, fill, h, select } from "./dom.js";
import { agentWords, levelEntries } from "./agents.js";
import { capital, percent, say } from "./words.js";

/** Return a patch in the colour of a seat; its name always stands beside it. */
export function swatch(seat) {
  const patch = h("span", { class: "swatch", "aria-hidden": "true" });
  patch.style.background = seat?.color || "transparent";
  return patch;
}

/** The row of seats. */
export class Seats {
  /** @param hand Called with a seat and the agent that is to play there. */
  constructor(hand) {
    this.hand = hand;
    this.element = h("ul", { class: "seats", "aria-label": say("seats.name") });
  }

  show(scene) {
    fill(this.element, scene.seats.map((seat) => this.row(scene, seat)));
  }

  row(scene, seat) {
    const moves = scene.to_move === seat.seat && !scene.over;
    const mine = scene.mine.includes(seat.seat);
    const share = scene.shares?.[seat.seat];
    const who = mine && seat.person ? say("seats.you") : agentWords(seat.agent);
    return h("li", { class: moves ? "seat moving" : "seat", "aria-current": moves ? "true" : null },
      swatch(seat), h("span", {}, h("b", {}, capital(seat.name)), h("small", {}, ` ${who}`),
        seat.person && !seat.present && !mine && h("small", { class: "away" }, ` ${say("seats.away")}`),
        share !== undefined && share !== null && h("small", { class: "share" }, ` ${percent(share)}`)),
      moves && h("span", { class: "turn" }, say("seats.to_move")),
      scene.can.seat && !scene.over && this.menu(scene, seat, mine));
  }

  /** Hand a seat of a person to the computer, or take it back. */
  menu(scene, seat, mine) {
    if (!seat.person) {
      return mine ? button(say("seats.take"), () => this.hand(seat.seat, "human"), { class: "quiet small" }) : null;
    }
    if (!mine && seat.present) return null;
    return select([["", "…"], ...levelEntries()], "", (agent) => agent && this.hand(seat.seat, agent),
      { class: "quiet small", "aria-label": say("seats.hand", { name: capital(seat.name) }), title: say("seats.hand", { name: capital(seat.name) }) });
  }
}
