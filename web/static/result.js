// The end of a game: who won and why, the scores explained, the board move by move, the review.

import { fill, h } from "./dom.js";
import { swatch } from "./seats.js";
import { capital, language, number, percent, say } from "./words.js";

/** Shows the result of a game that is over. */
export class Result {
  /** @param link The link of the table. */
  constructor(link) {
    this.link = link;
    this.element = h("section", { class: "result card", hidden: true, "aria-label": say("result.name") });
  }

  show(scene) {
    this.element.hidden = !scene.over;
    const told = JSON.stringify(scene.result);
    if (!scene.over || told === this.told) return;
    this.told = told;
    const { result } = scene;
    fill(this.element, h("h2", { tabindex: "-1" }, winners(scene)),
      result?.ranks && this.table(scene),
      (result?.explained ?? []).length > 0 && h("details", { open: true }, h("summary", {}, say("result.explained")), h("ul", {}, result.explained.map((line) => h("li", {}, line)))),
      (result?.luck ?? []).length > 0 && h("details", {}, h("summary", {}, say("result.luck")), h("ul", {}, result.luck.map((line) => h("li", {}, line.text ?? line)))),
      h("div", { class: "row" },
        scene.can.review && h("a", { class: "button main", href: `${this.link.base}/review?lang=${language()}`, target: "_blank", rel: "noopener" }, say("result.review")),
        scene.can.record && h("a", { class: "button", href: `${this.link.base}/record`, download: "" }, say("result.record")),
        h("a", { class: "button", href: "/" }, say("result.again"))));
  }

  table({ seats, result }) {
    const order = [...seats].sort((a, b) => result.ranks[a.seat] - result.ranks[b.seat]);
    const shared = result.utilities.some((share) => share > 0 && share < 1);
    return h("table", {},
      h("thead", {}, h("tr", {}, ["rank", "seat", "points", shared && "share"].filter(Boolean).map((name) => h("th", { scope: "col" }, say(`result.${name}`))))),
      h("tbody", {}, order.map((seat) => h("tr", {},
        h("td", {}, String(result.ranks[seat.seat])), h("th", { scope: "row" }, swatch(seat), capital(seat.name)),
        h("td", {}, number(result.scores[seat.seat])),
        shared && h("td", {}, percent(result.utilities[seat.seat]))))));
  }
}

function winners({ seats, result }) {
  if (!result?.utilities) return say("result.over");
  const best = Math.max(...result.utilities);
  const names = seats.filter((seat) => result.utilities[seat.seat] === best).map((seat) => capital(seat.name));
  return names.length === 1 ? say("result.wins", { name: names[0] }) : say("result.tie", { names: names.join(", ") });
}
