// The texts of the page, looked up by key; the server keeps them, one catalogue for each language.

export const LANGUAGES = { en: "English", it: "Italiano" };

let catalogue = {};

/** Return the language that the page is shown in: as chosen here before, else as the browser prefers. */
export function language() {
  const kept = localStorage.getItem("language");
  if (kept in LANGUAGES) return kept;
  return (navigator.languages ?? [navigator.language]).map((each) => each.slice(0, 2)).find((each) => each in LANGUAGES) ?? "en";
}

/** Load the texts of the language. */
export async function loadWords() {
  const chosen = language();
  const answer = await fetch(`/api/words?lang=${chosen}`);
  catalogue = await answer.json();
  document.documentElement.lang = chosen;
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

/** Return a number as it is written in the language. */
export const number = (value, digits = 0) =>
  value.toLocaleString(document.documentElement.lang, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Return a share as a whole percentage. */
export const percent = (share) => `${number(Math.round(100 * share))} %`;
