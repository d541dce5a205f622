// Who plays along: the levels of a game with their characters.

import { fill, h, select } from "./dom.js";
import { levelEntries, say } from "./words.js";

const hasLevel = (kind) => kind.startsWith("level:");

/** Return the spec of an agent with a character, which only a level can have. */
export const withCharacter = (kind, character) => (hasLevel(kind) && character ? `${kind}/${character}` : kind);

/**
 * Return the choice of a character for a seat of the start page, with what it is like: `element`, and `show` to look
 * again whether the seat is a level's.
 */
export function characterChoice(characters, chosen, seat) {
  const about = h("small", { class: "about" });
  const list = select([["", say("agents.plain")], ...(characters ?? []).map((each) => [each.name, each.title])], chosen.character ?? "", (name) => {
    chosen.character = name;
    show();
  }, { "aria-label": say("agents.which", { n: seat + 1 }) });
  const element = h("span", { class: "character" }, list, about);
  const show = () => {
    element.hidden = !characters?.length || !hasLevel(chosen.kind);
    about.textContent = characters?.find((each) => each.name === chosen.character)?.about ?? "";
  };
  show();
  return { element, show };
}

/** Return a menu of the levels, without and with each character; `taken` gets the spec that was chosen. */
export function levelMenu(characters, taken, attributes) {
  const options = (name) => levelEntries().map(([spec, words]) => h("option", { value: name ? `${spec}/${name}` : spec }, words));
  const menu = h("select", { onchange: (event) => event.target.value && taken(event.target.value), ...attributes });
  return fill(menu, h("option", { value: "" }, "…"), options(""),
    characters.map((each) => h("optgroup", { label: each.title }, options(each.name))));
}
