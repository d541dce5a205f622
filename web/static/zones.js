// The zones of a drawing: the map, which is magnified alone; below it what the viewer holds; the rest behind a tap.

import { fill, h, svgElement } from "./dom.js";
import { say } from "./words.js";

const NARROW = 350; // pixels of width that every screen has
const ROOMY = "(min-width: 720px)"; // the rest is open from the start where the screen is wide

/** Shows the zones of a drawing, each in a picture of its own; a drawing without zones is all map. */
export class Zones {
  /** @param opened Called when the rest was opened or closed. */
  constructor(opened) {
    this.news = h("p", { class: "news" });
    this.map = h("div", { class: "map" });
    this.hand = h("div", { class: "strips hand" });
    this.words = h("summary", {});
    this.others = h("div", { class: "strips" });
    this.rest = h("details", { class: "rest", open: matchMedia(ROOMY).matches, ontoggle: opened }, this.words, this.others);
    this.elements = [this.news, this.map, this.hand, this.rest];
  }

  /** Show a drawing, and return its pictures, that of the map first. */
  show(root) {
    const [left, top] = [this.map.scrollLeft, this.map.scrollTop];
    const found = { hand: [], rest: [] };
    const told = { when: "", news: "" };
    for (const zone of root.querySelectorAll("[data-zone]")) {
      const kind = zone.dataset.zone;
      if (kind === "map") root.setAttribute("viewBox", zone.dataset.box);
      else if (kind in told) told[kind] = zone.textContent;
      else found[kind].push(picture(root, zone));
    }
    this.when = told.when;
    fill(this.news, told.news);
    fill(this.map, h("div", { class: "drawing" }, root));
    fill(this.hand, found.hand.map(strip));
    fill(this.others, found.rest.map(strip));
    this.hand.hidden = !found.hand.length;
    this.rest.hidden = !found.rest.length;
    this.map.scrollTo(left, top);
    return [root, ...found.hand, ...found.rest];
  }

  /** Say whether an element is behind a tap now. */
  hides(drawn) {
    return !this.rest.open && this.others.contains(drawn);
  }

  /** Say how many of the elements that can be chosen are in the rest; open it if there are no others. */
  tell(drawn) {
    const inside = drawn.filter((each) => this.others.contains(each)).length;
    fill(this.words, [say("board.rest"), this.when, inside && say("board.rest_choices", { n: inside })].filter(Boolean).join(" · "));
    if (inside && inside === drawn.length) this.rest.open = true;
  }
}

/** Take a zone out of a drawing into a picture of its own. */
function picture(root, zone) {
  const made = svgElement("svg", { viewBox: zone.dataset.box, "font-family": root.getAttribute("font-family"), role: "group" });
  made.append(zone);
  return made;
}

/** Frame the picture of a zone, which is as large as it says that it can be read; a wide one is scrolled sideways. */
function strip(svg) {
  const frame = h("div", { class: "drawing" }, svg);
  const wide = Math.round(svg.viewBox.baseVal.width * svg.firstChild.dataset.scale);
  frame.style.width = `${wide}px`;
  return h("div", { class: "strip", tabindex: wide > NARROW && "0" }, frame); // keys must be able to scroll it
}
