// The drawing of a position: what of it can be pointed at, with a mouse, a finger or keys, what is marked, and the ghosts
// of what a choice would put there.

import { Bubble } from "./bubble.js";
import { button, h, svgElement } from "./dom.js";
import { say } from "./words.js";
import { Zones } from "./zones.js";

const ZOOMS = [1, 1.4, 2, 2.8, 4];
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const PAGES = { PageUp: -1, PageDown: 1 };
const SHAPES = ["path", "circle", "rect", "ellipse", "polygon", "polyline", "line", "use", "g"];
const GEOMETRY = ["d", "points", "x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "x1", "y1", "x2", "y2",
  "href", "transform"];
const REST = 500; // milliseconds after which a resting pointer is told all that there is to know
const FAR = 7; // pixels from which a pressed pointer drags

/** The board of a table. */
export class Board {
  /**
   * @param pick Called with the key of a part that was chosen.
   * @param heed What else the pointer does, each optional: `point(key)`, with "" where nothing is, which returns what a
   *   click would do in words; `turn(by)`, which says whether a wheel meant anything; `lift(key)`, with "" when a thing is
   *   put back; `drop(from, to)`, with "" for the piece in hand.
   */
  constructor(pick, heed = {}) {
    this.pick = pick;
    this.heed = heed;
    this.pointed = ""; // the key under the pointer
    this.held = null; // what a pressed pointer may drag
    this.source = "";
    this.svg = null;
    this.offered = new Map(); // the elements that stand for what can be chosen now, by key
    this.place = ""; // the key that has, or last had, the focus
    this.zoom = 0;
    this.zones = new Zones(() => this.rings?.redraw());
    this.sheet = h("div", {
      class: "sheet", onclick: (event) => this.clicked(event), onkeydown: (event) => this.typed(event),
      onfocusin: (event) => this.focused(event), onfocusout: (event) => this.blurred(event),
      onpointerdown: (event) => this.pressed(event), onpointermove: (event) => this.moved(event),
      onpointerup: (event) => this.released(event), onpointercancel: () => this.letGo(),
      onpointerleave: (event) => event.pointerType === "mouse" && this.point("", null),
    }, this.zones.elements);
    this.sheet.addEventListener("wheel", (event) => this.wheeled(event), { passive: false });
    this.tools = h("div", { class: "tools", role: "group", "aria-label": say("board.size") },
      button("−", () => this.magnify(-1), { "aria-label": say("board.smaller"), title: say("board.smaller") }),
      button("+", () => this.magnify(1), { "aria-label": say("board.larger"), title: say("board.larger") }));
    this.bubble = new Bubble();
    this.aids = null; // tells what there is to know about a place
    this.element = h("section", { class: "board", "aria-label": say("board.name") }, this.sheet, this.bubble.element);
    addEventListener("pointerdown", (event) => this.element.contains(event.target) || this.point("", null), true);
    addEventListener("keydown", (event) => event.key === "Escape" && this.point("", null), true);
    this.magnify(0);
  }

  /** Show a drawing; the same one is left as it stands. */
  show(source) {
    if (source === this.source) return;
    this.source = source;
    const root = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
    const words = root.querySelector("title")?.textContent ?? "";
    root.removeAttribute("width");
    root.removeAttribute("height");
    root.setAttribute("role", "group"); // an image would hide the places in it
    root.setAttribute("aria-label", words);
    root.querySelector(":scope > title")?.remove();
    this.svg = document.importNode(root, true);
    // a place that cannot be chosen tells what is there; what lies below it is found by `keyAt`
    for (const place of this.svg.querySelectorAll("[data-place][pointer-events=none]")) place.setAttribute("pointer-events", "all");
    const pictures = this.zones.show(this.svg);
    this.ghosts = new Ghosts(this.svg, pictures);
    this.rings = new Rings(pictures);
    this.letGo();
    const [width, height] = (this.svg.getAttribute("viewBox") ?? "0 0 1 1").split(/[\s,]+/).slice(2).map(Number);
    this.ratio = width / height; // of the map
    this.offered = new Map();
    this.repoint();
  }

  /** Return the elements that show a place. */
  shown(key) {
    const name = CSS.escape(key);
    const parts = [...this.sheet.querySelectorAll(`[data-part="${name}"]`)];
    return parts.length ? parts : [...this.sheet.querySelectorAll(`[data-place="${name}"]`)];
  }

  /** Show the ghosts of chosen parts, and of those that a pointer would choose. */
  stage(chosen) {
    this.ghosts?.show(chosen, (key) => this.shown(key)[0]);
  }

  /**
   * Offer what can be chosen now; all else on the board is no button.
   *
   * Returns the options that the drawing does not show.
   */
  offer(options) {
    for (const part of this.sheet.querySelectorAll("svg [role=button], svg [tabindex]")) {
      for (const name of ["role", "tabindex", "aria-label"]) part.removeAttribute(name);
      part.classList.remove("can");
    }
    this.offered = new Map();
    const unseen = [];
    for (const option of options) {
      const drawn = this.shown(option.key);
      if (!drawn.length) {
        unseen.push(option);
        continue;
      }
      for (const part of drawn) part.classList.add("can");
      drawn[0].setAttribute("role", "button");
      drawn[0].setAttribute("aria-label", option.words);
      drawn[0].setAttribute("tabindex", "-1");
      this.offered.set(option.key, drawn[0]);
    }
    const drawn = [...this.offered.values()];
    this.zones.tell(drawn);
    const first = drawn.findIndex((part) => !this.zones.hides(part));
    this.rove(this.offered.has(this.place) ? this.place : [...this.offered.keys()][Math.max(0, first)]);
    this.mark("choice", [...this.offered.keys()]);
    return unseen;
  }

  /** Mark places: "choice", "chosen", "hint", "last", "aid" or "gaps". */
  mark(kind, keys) {
    this.rings?.show(kind, keys.flatMap((key) => this.shown(key).slice(0, 1)));
  }

  /** Let one of the offered places be the one that Tab comes to. */
  rove(key) {
    this.offered.get(this.place)?.setAttribute("tabindex", "-1");
    this.place = key ?? "";
    this.offered.get(this.place)?.setAttribute("tabindex", "0");
  }

  /** Put the focus on the board; false if nothing can be chosen there. */
  focus() {
    const drawn = this.offered.get(this.place);
    if (drawn && this.zones.hides(drawn)) this.zones.rest.open = true;
    drawn?.focus({ preventScroll: false });
    return this.offered.has(this.place);
  }

  keyOf(target) {
    const drawn = target.closest?.("[data-part], [data-place]");
    return drawn && (drawn.dataset.part ?? drawn.dataset.place);
  }

  /** Return the key at a point of the window: one that can be chosen, or else the uppermost; "" for none. */
  keyAt({ clientX, clientY }) {
    const keys = document.elementsFromPoint(clientX, clientY)
      .filter((each) => this.sheet.contains(each)).map((each) => this.keyOf(each)).filter(Boolean);
    return keys.find((key) => this.offered.has(key)) ?? keys[0] ?? "";
  }

  clicked(event) {
    if (this.dragged) return;
    const own = this.keyOf(event.target); // a click without a pointer, as of a screen reader, has no place
    const key = this.offered.has(own) ? own : this.keyAt(event) || own;
    if (event.pointerType === "touch") this.point(key, event); // a finger cannot rest on a place
    if (key) this.pick(key);
  }

  /** Show what is at a place: what a click would do there, and what there is to know; `at` is an event or an element. */
  point(key, at) {
    if (key === this.pointed) return;
    this.pointed = key;
    this.at = at instanceof Element ? at : at && { x: at.clientX, y: at.clientY };
    this.repoint();
  }

  /** Show the same again, where something has changed. */
  repoint() {
    const ahead = this.heed.point?.(this.pointed) ?? [];
    const known = this.aids?.tell(this.pointed) ?? [];
    clearTimeout(this.resting);
    if (this.bubble.controls) return;
    if (!this.at || !(ahead.length || known.length)) {
      this.bubble.hide();
      return;
    }
    const all = [...ahead, ...known];
    const rests = ahead.length && !(this.at instanceof Element); // who passes over choices reads only what they are
    this.bubble.show(this.at, rests ? ahead : all);
    if (rests) this.resting = setTimeout(() => this.bubble.controls ?? this.bubble.show(this.at, all), REST);
  }

  wheeled(event) {
    if (!event.ctrlKey && event.deltaY && this.heed.turn?.(Math.sign(event.deltaY))) event.preventDefault();
  }

  pressed(event) {
    this.dragged = false;
    const drawn = event.target.closest?.("[data-drag], [data-part], [data-place]");
    if (event.button || !drawn || !this.heed.drop) return;
    const key = drawn.hasAttribute("data-drag") ? "" : this.keyAt(event);
    if (key && !this.offered.has(key)) return;
    if (event.pointerType === "touch" && !drawn.closest("[data-drag]")) return; // a finger scrolls
    this.held = { key, x: event.clientX, y: event.clientY, id: event.pointerId };
  }

  moved(event) {
    const { held } = this;
    if (held && !this.dragged && Math.hypot(event.clientX - held.x, event.clientY - held.y) > FAR) {
      this.dragged = true;
      this.sheet.setPointerCapture(held.id);
      this.sheet.classList.add("dragging");
      if (held.key) this.heed.lift?.(held.key);
    }
    if (event.pointerType === "mouse" || this.dragged) this.point(this.keyAt(event), event);
  }

  released(event) {
    if (this.dragged && this.held) {
      const key = this.keyAt(event);
      if (key && key !== this.held.key) this.heed.drop(this.held.key, key);
      else this.heed.lift?.("");
    }
    this.letGo();
  }

  letGo() {
    this.held = null;
    this.sheet.classList.remove("dragging");
  }

  focused(event) {
    const key = this.keyOf(event.target);
    if (!this.offered.has(key)) return;
    this.rove(key);
    if (!event.target.matches(":focus-visible")) return;
    this.rings.show("focus", [this.offered.get(key)]);
    event.target.setAttribute("aria-describedby", this.bubble.element.id);
    this.point(key, event.target);
  }

  blurred(event) {
    this.rings?.show("focus", []);
    event.target.removeAttribute("aria-describedby");
    if (this.at === event.target) this.point("", null);
  }

  typed(event) {
    const key = this.keyOf(event.target);
    if (!this.offered.has(key)) return;
    if (event.key === "Enter" || event.key === " ") this.pick(key);
    else if (event.key in ARROWS) this.step(key, ARROWS[event.key]);
    else if (event.key in PAGES) this.next(key, PAGES[event.key]);
    else if (event.key === "Home") this.go([...this.offered.keys()][0]);
    else if (event.key === "End") this.go([...this.offered.keys()].at(-1));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Go from a place to the nearest one in a direction; where there is none, to the next of all. */
  step(from, [right, down]) {
    const centre = (drawn) => {
      const box = drawn.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [x, y] = centre(this.offered.get(from));
    let nearest = null;
    let least = Infinity;
    for (const [key, drawn] of this.offered) {
      const [u, v] = centre(drawn);
      const ahead = (u - x) * right + (v - y) * down;
      const aside = Math.abs((u - x) * down) + Math.abs((v - y) * right);
      if (key === from || ahead < 1) continue;
      if (ahead + 2 * aside < least) [nearest, least] = [key, ahead + 2 * aside];
    }
    if (nearest) this.go(nearest);
    else this.next(from, right + down);
  }

  /** Go to the next place, or the one before, in the order in which they are drawn. */
  next(from, by) {
    const keys = [...this.offered.keys()];
    this.go(keys.at((keys.indexOf(from) + by) % keys.length));
  }

  go(key) {
    this.rove(key);
    this.focus();
  }

  magnify(steps) {
    this.zoom = Math.min(ZOOMS.length - 1, Math.max(0, this.zoom + steps));
    this.sheet.style.setProperty("--zoom", ZOOMS[this.zoom]);
    this.zones.map.toggleAttribute("tabindex", false);
    if (this.zoom) this.zones.map.setAttribute("tabindex", "0"); // it scrolls, so keys must be able to scroll it
    const [smaller, larger] = this.tools.children;
    smaller.disabled = this.zoom === 0;
    larger.disabled = this.zoom === ZOOMS.length - 1;
  }
}

/** The ghosts of a drawing, on sheets above its pictures: what lies there once all of some parts are chosen. */
class Ghosts {
  /**
   * @param svg The drawing, the picture of its map.
   * @param pictures All its pictures.
   */
  constructor(svg, pictures) {
    const hidden = svg.querySelector(":scope > .ghosts");
    hidden?.remove();
    // those of a group keep it as their parent, which may have a place of its own
    this.known = [...(hidden?.children ?? [])].flatMap((each) => (each.matches(".ghost") ? [each] : [...each.children]));
    this.layers = pictures.map((each) => {
      const layer = svgElement("svg", { class: "staged", viewBox: each.getAttribute("viewBox") });
      each.after(layer);
      return layer;
    });
    this.shown = "";
  }

  /** Show the ghosts of these keys; `placeOf` returns the element of a place. */
  show(keys, placeOf) {
    const told = keys.join(" ");
    if (told === this.shown) return;
    this.shown = told;
    for (const layer of this.layers) layer.replaceChildren();
    for (const ghost of this.known) {
      const wanted = ghost.dataset.ghost.split(" ");
      if (!wanted.every((key) => keys.includes(key))) continue;
      const around = ghost.dataset.fit ? keys.slice(0, keys.indexOf(wanted[0])) : wanted;
      const place = around.findLast((key) => placeOf(key));
      const above = place && this.layers.find((layer) => layer.parentElement.contains(placeOf(place)));
      above?.append(this.made(ghost, keys, place, placeOf));
    }
  }

  made(ghost, keys, place, placeOf) {
    const copy = ghost.cloneNode(true);
    if (ghost.dataset.fit) {
      const at = place.slice(place.indexOf(":") + 1);
      for (const each of copy.querySelectorAll("[data-ghost*='@'], [data-place*='@']")) {
        for (const name of ["data-ghost", "data-place"]) {
          if (each.hasAttribute(name)) each.setAttribute(name, each.getAttribute(name).replace("@", at));
        }
      }
      const box = placeOf(place).getBBox();
      copy.setAttribute("transform", `translate(${box.x} ${box.y}) scale(${box.width / ghost.dataset.fit})`);
    }
    for (const each of copy.querySelectorAll(".ghost")) {
      if (!each.dataset.ghost.split(" ").every((key) => keys.includes(key))) each.remove();
    }
    for (const each of copy.querySelectorAll("[data-place]")) each.setAttribute("pointer-events", "all");
    for (const text of copy.querySelectorAll("[data-say]")) {
      const said = keys.findLast((key) => key.startsWith(`${text.dataset.say}:`));
      if (said) text.textContent = `+${said.split(":")[1]}`;
    }
    const group = ghost.parentElement; // has place and look of its ghosts, unless it is that of all ghosts, which is hidden
    const outer = group.matches(".ghosts") ? svgElement("g", {}) : group.cloneNode(false);
    outer.append(copy);
    return outer;
  }
}

/** Return the bare shape of a drawn element, for a group that of its first part, unless it is whole only with all of them; null for what has none, such as letters. */
function shape(drawn) {
  if (!SHAPES.includes(drawn.tagName)) return null;
  const copy = svgElement(drawn.tagName, {});
  for (const name of GEOMETRY) if (drawn.hasAttribute(name)) copy.setAttribute(name, drawn.getAttribute(name));
  if (drawn.classList.contains("line")) copy.setAttribute("class", "line");
  const inside = [...drawn.children].map(shape).filter(Boolean);
  copy.append(...(drawn.closest(".whole") ? inside : inside.slice(0, 1)));
  return copy.tagName === "g" && !copy.children.length ? null : copy;
}

/** Put a copy of a drawn element where that is, in the units of the drawing. */
function inPlace(svg, drawn, copy) {
  const { a, b, c, d, e, f } = svg.getScreenCTM().inverse().multiply(drawn.getScreenCTM());
  copy.setAttribute("transform", `matrix(${a} ${b} ${c} ${d} ${e} ${f})`);
  return copy;
}

/** Return copies of the elements that no ring may cover. */
function copies(svg, wanted) {
  const group = svgElement("g", {});
  group.append(...[...svg.querySelectorAll(wanted)].map((each) => inPlace(svg, each, each.cloneNode(true))));
  return group;
}

/** Return the outline of a drawn element, in the units of the drawing: its own shape, or else a box around it. */
function outline(svg, drawn) {
  const box = drawn.getBBox();
  const copy = shape(drawn) ?? svgElement("rect", { x: box.x - 2, y: box.y - 2, width: box.width + 4, height: box.height + 4, rx: 6 });
  return inPlace(svg, drawn, copy);
}

/**
 * Rings of several kinds ("choice", "chosen", "hint", "last", "focus") around places, on a sheet of their own above
 * each picture of the drawing, which is not painted again for them.
 */
class Rings {
  constructor(svgs) {
    this.layers = svgs.map((svg) => {
      const layer = svgElement("svg", { class: "rings", viewBox: svg.getAttribute("viewBox"), "aria-hidden": "true" });
      svg.after(layer);
      return { svg, layer, kinds: new Map(), names: null };
    });
    this.shown = new Map(); // what the rings of each kind are around
  }

  /** Show the rings of a kind around these elements, and no others of that kind. */
  show(kind, drawn) {
    this.shown.set(kind, drawn);
    for (const one of this.layers) {
      const { svg, layer, kinds } = one;
      if (!svg.getScreenCTM()?.a) continue; // it is not shown now
      one.names ??= layer.appendChild(copies(svg, ".above"));
      let group = kinds.get(kind);
      if (!group) kinds.set(kind, (group = layer.insertBefore(svgElement("g", { class: kind }), one.names)));
      const seen = drawn.filter((each) => svg.parentElement.contains(each) && each.getScreenCTM());
      group.replaceChildren(...seen.flatMap((each) => {
        const rings = [outline(svg, each), outline(svg, each)];
        rings.forEach((ring, place) => ring.setAttribute("class", place ? "over" : "under"));
        return rings;
      }));
    }
  }

  /** Show all rings again, where something comes to be seen. */
  redraw() {
    for (const [kind, drawn] of this.shown) this.show(kind, drawn);
  }
}
