// The texts of the page, looked up by key; the server keeps them, one catalogue for each language.

export const LANGUAGES = { en: "English", it: "Italiano" };

let catalogue = {};

/** Return the language that the page is shown in. */
export const language = () => document.documentElement.lang;

/** Return the headers that ask for the language that was chosen here before; else the server chooses. */
export function inLanguage() {
  const kept = localStorage.getItem("language");
  return kept in LANGUAGES ? { "X-Sfida-Language": kept } : {};
}

/** Load the texts. */
export async function loadWords() {
  const answer = await fetch("/api/words", { headers: inLanguage() });
  catalogue = await answer.json();
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
