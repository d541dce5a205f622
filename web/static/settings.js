// What a person has chosen for this browser: light or dark, the language, whether moves are confirmed.

import { button, h, select } from "./dom.js";
import { LANGUAGES, language, say } from "./words.js";

const THEMES = ["auto", "light", "dark"];

/** Show the page light or dark, as it was chosen. */
export function applyTheme() {
  document.documentElement.dataset.theme = localStorage.getItem("theme") ?? "auto";
}

/** Say whether a move is asked for once more before it is played. */
export const confirms = () => localStorage.getItem("confirm") === "yes";

/** Return the button that opens the settings, with what it opens. */
export function settingsButton() {
  const dialog = h("dialog", { class: "settings", "aria-label": say("settings.title") });
  const theme = localStorage.getItem("theme") ?? "auto";
  dialog.append(
    h("h2", {}, say("settings.title")),
    h("label", { class: "field" }, h("span", { class: "name" }, say("settings.theme")),
      select(THEMES.map((each) => [each, say(`settings.${each}`)]), theme, (chosen) => {
        localStorage.setItem("theme", chosen);
        applyTheme();
      })),
    h("label", { class: "field" }, h("span", { class: "name" }, say("settings.language")),
      select(Object.entries(LANGUAGES), language(), (chosen) => {
        localStorage.setItem("language", chosen);
        location.reload();
      })),
    h("label", { class: "tick" },
      h("input", {
        type: "checkbox", checked: confirms(),
        onchange: (event) => localStorage.setItem("confirm", event.target.checked ? "yes" : "no"),
      }), say("settings.confirm")),
    button(say("close"), () => dialog.close(), { class: "main" }));
  return [button("⚙", () => dialog.showModal(), { class: "quiet", "aria-label": say("settings.title"), title: say("settings.title") }), dialog];
}
