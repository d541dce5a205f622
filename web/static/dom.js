// Elements, made in one call each. Nothing here takes markup as text.

/** Say whether there is a value. */
export const known = (value) => value !== undefined && value !== null;

/**
 * Return an element.
 *
 * Attributes that are functions are listeners ("onclick"), false and null leave an attribute out, true sets it empty.
 * Children are elements, texts, or lists of them; null and false are left out.
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (!isGiven(value)) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...present(children));
  return element;
}

/** Return an element of a drawing. */
export function svgElement(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** Replace the children of an element. */
export function fill(element, ...children) {
  element.replaceChildren(...present(children));
  return element;
}

const present = (children) => children.flat(3).filter(isGiven);
const isGiven = (value) => known(value) && value !== false;

/** Return a button. */
export const button = (words, onclick, attributes = {}) => h("button", { type: "button", onclick, ...attributes }, words);

/** Return a picture of an SVG document; it stands alone, so that its ids meet no others. */
export function picture(svg, words, attributes = {}) {
  return h("img", { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`, alt: words, ...attributes });
}

/** Return a labelled field: the label stands before or around what is edited. */
export const field = (words, input, note = null) =>
  h("label", { class: "field" }, h("span", { class: "name" }, words), input, note && h("small", {}, note));

/** Return a choice from a list of [value, words]. */
export const select = (entries, chosen, onchange, attributes = {}) =>
  h("select", { onchange: (event) => onchange(event.target.value), ...attributes },
    entries.map(([value, words]) => h("option", { value, selected: value === chosen }, words)));

/** Return a box to tick. */
export const tick = (words, input) => h("label", { class: "tick" }, input, words);

/** Return lines as a list. */
export const list = (lines) => h("ul", {}, lines.map((line) => h("li", {}, line)));

/** Return the head of a table. */
export const head = (columns) => h("thead", {}, h("tr", {}, columns.map((words) => h("th", { scope: "col" }, words))));

/** Return a place for what went wrong, read out as it comes. */
export const alarm = (words) => h("p", { class: "error", role: "alert" }, words);

/** Return a patch in the colour of a seat; its name always stands beside it. */
export function swatch(seat) {
  const patch = h("span", { class: "swatch", "aria-hidden": "true" });
  patch.style.background = seat.color || "transparent";
  return patch;
}

/** Say whether a person is writing into a field, so that single keys mean letters. */
export const isWriting = (element) => element?.matches?.("input:not([type=checkbox]):not([type=radio]), textarea, select") ?? false;
