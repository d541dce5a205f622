// Elements, made in one call each. Nothing here takes markup as text.

/**
 * Return an element.
 *
 * Attributes that are functions are listeners ("onclick"), false and null leave an attribute out, true sets it empty.
 * Children are elements, texts, or lists of them; null and false are left out.
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...present(children));
  return element;
}

/** Replace the children of an element. */
export function fill(element, ...children) {
  element.replaceChildren(...present(children));
  return element;
}

const present = (children) => children.flat(3).filter((child) => child !== null && child !== undefined && child !== false);

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
export function select(entries, chosen, onchange, attributes = {}) {
  const list = h("select", { onchange: (event) => onchange?.(event.target.value), ...attributes },
    entries.map(([value, words]) => h("option", { value, selected: String(value) === String(chosen) }, words)));
  return list;
}

/** Say whether a person is writing into a field, so that single keys mean letters. */
export const isWriting = (element) => element?.matches?.("input:not([type=checkbox]):not([type=radio]), textarea, select") ?? false;
