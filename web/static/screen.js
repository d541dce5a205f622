// The whole screen for the table: a button, and the key f.

import { button, isWriting, svgElement } from "./dom.js";
import { say } from "./words.js";

/** Return the button that fills the screen with the page, or leaves it; null where the browser cannot. */
export function fullScreenButton() {
  if (!document.fullscreenEnabled) return null;
  const toggle = () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => {});
  const corners = svgElement("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" },
    svgElement("path", { d: "M1 5V1h4M11 1h4v4M15 11v4h-4M5 15H1v-4", fill: "none", stroke: "currentColor", "stroke-width": 2 }));
  const shown = button(corners, toggle, { class: "quiet", "aria-label": say("table.full"), title: `${say("table.full")} (F)`, "aria-pressed": "false", "aria-keyshortcuts": "f" });
  document.addEventListener("fullscreenchange", () => shown.setAttribute("aria-pressed", String(Boolean(document.fullscreenElement))));
  addEventListener("keydown", (event) => {
    if (event.key !== "f" || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
    if (shown.isConnected && !document.querySelector("dialog[open]")) toggle();
  });
  return shown;
}
