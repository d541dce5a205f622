// Marks on a drawing: rings around places, on a sheet of their own above it, so that the drawing is not painted again.

const SHAPES = ["path", "circle", "rect", "ellipse", "polygon", "polyline", "line", "use", "g"];
const GEOMETRY = ["d", "points", "x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "x1", "y1", "x2", "y2",
  "href", "transform"];
const SVG = "http://www.w3.org/2000/svg";

function element(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** Return the bare shape of a drawn element, for a group that of its first part; null for what has none, such as letters. */
function shape(drawn) {
  if (!SHAPES.includes(drawn.tagName)) return null;
  const copy = element(drawn.tagName, {});
  for (const name of GEOMETRY) if (drawn.hasAttribute(name)) copy.setAttribute(name, drawn.getAttribute(name));
  copy.append(...[...drawn.children].map(shape).filter(Boolean).slice(0, 1));
  return copy.tagName === "g" && !copy.children.length ? null : copy;
}

/** Return the outline of a drawn element, in the units of the drawing: its own shape, or else a box around it. */
function outline(svg, drawn) {
  const inside = svg.getScreenCTM().inverse().multiply(drawn.getScreenCTM());
  const box = drawn.getBBox();
  const copy = shape(drawn) ?? element("rect", { x: box.x - 2, y: box.y - 2, width: box.width + 4, height: box.height + 4, rx: 6 });
  copy.setAttribute("transform", `matrix(${inside.a} ${inside.b} ${inside.c} ${inside.d} ${inside.e} ${inside.f})`);
  return copy;
}

/** Rings of several kinds ("choice", "chosen", "hint", "last", "focus") above a drawing. */
export class Rings {
  constructor(svg) {
    this.svg = svg;
    this.layer = element("svg", { class: "rings", viewBox: svg.getAttribute("viewBox"), "aria-hidden": "true" });
    this.kinds = new Map();
  }

  /** Show the rings of a kind around these elements, and no others of that kind. */
  show(kind, drawn) {
    let group = this.kinds.get(kind);
    if (!group) this.kinds.set(kind, (group = this.layer.appendChild(element("g", { class: kind }))));
    group.replaceChildren(...drawn.filter((each) => each.getScreenCTM()).flatMap((each) => {
      const rings = [outline(this.svg, each), outline(this.svg, each)];
      rings.forEach((ring, place) => ring.setAttribute("class", place ? "over" : "under"));
      return rings;
    }));
  }
}
