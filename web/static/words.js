// The texts of the page, and what was chosen for this browser: language, light or dark, whether moves are confirmed.

import { button, field, h, select, tick } from "./dom.js";

const LANGUAGES = { en: "English", it: "Italiano" };
const THEMES = ["auto", "light", "dark"];

let catalogue = {};

/** Return the language that the page is shown in. */
export const language = () => document.documentElement.lang;

/** Return the headers that ask for the language that was chosen here before; else the server chooses. */
export function inLanguage() {
  const kept = localStorage.getItem("language");
  return kept in LANGUAGES ? { "X-Sfida-Language": kept } : {};
}

/** Load the texts; `ask` is that of a transport. */
export async function loadWords(ask) {
  const answer = await ask("GET", "/api/words", inLanguage());
  catalogue = JSON.parse(answer.body);
  document.documentElement.lang = catalogue.language;
}

/**
 * Return the text of a key such as "table.undo" with its {blanks} filled in.
 *
 * A text with forms "one" and "other" goes by the value of `n`.
 */
export function say(key, values = {}) {
  let text = key.split(".").reduce((inside, name) => inside?.[name], catalogue) ?? key;
  if (typeof text === "object") text = (values.n === 1 ? text.one : text.other) ?? key;
  return text.replace(/\{(\w+)\}/g, (blank, name) => values[name] ?? blank);
}

/** Return a name with a capital letter, as it stands alone. */
export const capital = (name) => name.charAt(0).toLocaleUpperCase(language()) + name.slice(1);

/** Return a number as it is written in the language. */
export const number = (value, digits = 0) =>
  value.toLocaleString(language(), { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Return a share as a whole percentage. */
export const percent = (share) => `${number(Math.round(100 * share))} %`;

/** Return the entries of a choice of levels. */
export const levelEntries = () =>
  Object.entries(catalogue.levels).map(([n, { title, words }]) => [`level:${n}`, say("agents.level_for", { n, name: title, words })]);

/** Return what a spec of an agent means, as far as the page has words for it. */
export function agentWords(spec) {
  if (!spec || spec === "human") return say("agents.person");
  const level = spec.match(/^level:(?:level=)?(\d+|auto)$/)?.[1];
  if (level === "auto") return say("agents.auto");
  return level ? say("agents.level", { n: level, name: catalogue.levels[level]?.title ?? "" }) : spec;
}

const theme = () => localStorage.getItem("theme") ?? "auto";

/** Show the page light or dark, as it was chosen. */
export function applyTheme() {
  document.documentElement.dataset.theme = theme();
}

/** Say whether a move is asked for once more before it is played. */
export const confirms = () => localStorage.getItem("confirm") === "yes";

/** Return the button that opens the settings, with what it opens. */
export function settingsButton() {
  const dialog = h("dialog", { class: "settings", "aria-label": say("settings.title") });
  dialog.append(
    h("h2", {}, say("settings.title")),
    field(say("settings.theme"), select(THEMES.map((each) => [each, say(`settings.${each}`)]), theme(), (chosen) => {
      localStorage.setItem("theme", chosen);
      applyTheme();
    })),
    field(say("settings.language"), select(Object.entries(LANGUAGES), language(), (chosen) => {
      localStorage.setItem("language", chosen);
      location.reload();
    })),
    tick(say("settings.confirm"), h("input", {
      type: "checkbox", checked: confirms(),
      onchange: (event) => localStorage.setItem("confirm", event.target.checked ? "yes" : "no"),
    })),
    button(say("close"), () => dialog.close(), { class: "main" }));
  return [button("⚙", () => dialog.showModal(), { class: "quiet", "aria-label": say("settings.title"), title: say("settings.title") }), dialog];
}
