// Marks on a drawing: rings around places, in a layer above it.

const SHAPES = ["path", "circle", "rect", "ellipse", "polygon", "polyline", "line"];
const GEOMETRY = ["d", "points", "x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "x1", "y1", "x2", "y2"];
const SVG = "http://www.w3.org/2000/svg";

function element(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** Return the outline of a drawn element, in the units of the drawing: its own shape, or a box around a group. */
function outline(svg, drawn) {
  const inside = svg.getScreenCTM().inverse().multiply(drawn.getScreenCTM());
  const transform = `matrix(${inside.a} ${inside.b} ${inside.c} ${inside.d} ${inside.e} ${inside.f})`;
  if (SHAPES.includes(drawn.tagName)) {
    const copy = element(drawn.tagName, {});
    for (const name of GEOMETRY) if (drawn.hasAttribute(name)) copy.setAttribute(name, drawn.getAttribute(name));
    copy.setAttribute("transform", transform);
    return copy;
  }
  const box = drawn.getBBox();
  return element("rect", { x: box.x - 2, y: box.y - 2, width: box.width + 4, height: box.height + 4, rx: 6, transform });
}

/** Rings of several kinds ("choice", "chosen", "hint", "last", "focus") in one layer of a drawing. */
export class Rings {
  constructor(svg) {
    this.svg = svg;
    this.layer = svg.appendChild(element("g", { class: "rings", "aria-hidden": "true" }));
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
