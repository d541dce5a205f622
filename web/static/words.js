// The texts of the page, and what was chosen for this browser: language, light or dark, whether moves are confirmed.

import { button, field, h, select, tick } from "./dom.js";

const LANGUAGES = { en: "English", it: "Italiano" };
const THEMES = ["auto", "light", "dark"];

let catalogue = {};

/** Return the language that the page is shown in. */
export const language = () => document.documentElement.lang;

/** Say whether places, tiles and cards are named by their codes, as at a terminal. */
export const codes = () => localStorage.getItem("codes") === "yes";

/** Return the headers that ask for the words chosen here: with or without codes, and in which language; else the server chooses. */
export function inWords() {
  const kept = localStorage.getItem("language");
  return { ...(kept in LANGUAGES ? { "X-Sfida-Language": kept } : {}), ...(codes() ? {} : { "X-Sfida-Codes": "no" }) };
}

/** Load the texts; `ask` is that of a transport. */
export async function loadWords(ask) {
  const answer = await ask("GET", "/api/words", inWords());
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
  catalogue.levels.map(({ name, words }, i) => [`level:${i + 1}`, say("agents.level_for", { n: i + 1, name, words })]);

/** Return what a spec of an agent means, as far as the page has words for it. */
export function agentWords(spec) {
  if (!spec || spec === "human") return say("agents.person");
  const level = spec.match(/^level:(?:level=)?(\d+|auto)$/)?.[1];
  if (level === "auto") return say("agents.auto");
  return level ? say("agents.level", { n: level, name: catalogue.levels[level - 1].name }) : spec;
}

const theme = () => localStorage.getItem("theme") ?? "auto";

/** Show the page light or dark, as it was chosen. */
export function applyTheme() {
  document.documentElement.dataset.theme = theme();
  document.documentElement.classList.toggle("codes", codes());
}

/** Say whether a move is asked for once more before it is played: usually only where a finger hides what it touches. */
export const confirms = () => (localStorage.getItem("confirm") ?? (matchMedia("(pointer: coarse)").matches ? "yes" : "no")) === "yes";

/** Say whether events are shown in motion. */
export const animates = () => localStorage.getItem("animate") !== "no" && !matchMedia("(prefers-reduced-motion: reduce)").matches;

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
    tick(say("settings.codes"), h("input", {
      type: "checkbox", checked: codes(),
      onchange: (event) => {
        localStorage.setItem("codes", event.target.checked ? "yes" : "no");
        location.reload();
      },
    })),
    tick(say("settings.animate"), h("input", {
      type: "checkbox", checked: localStorage.getItem("animate") !== "no",
      onchange: (event) => localStorage.setItem("animate", event.target.checked ? "yes" : "no"),
    })),
    button(say("close"), () => dialog.close(), { class: "main" }));
  return [button("⚙", () => dialog.showModal(), { class: "quiet", "aria-label": say("settings.title"), title: say("settings.title") }), dialog];
}
