// Which page this is: the start page, a table, the review of a game, or practice.

import { fill, h } from "./dom.js";
import { transport } from "./transport.js";
import { applyTheme, loadWords } from "./words.js";

const main = document.getElementById("main");
const told = (problem) => fill(main, h("div", { class: "card narrow" },
  h("h1", {}, "Sfida"), h("p", { role: "alert" }, problem.message)));

const PAGES = {
  play: () => import("./table.js"), review: () => import("./review.js"), practice: () => import("./practice.js"), "": () => import("./home.js"),
};

async function show() {
  const [, name, token] = transport.here().match(/^\/(play|review|practice|)(?:\/([\w-]+))?$/) ?? [null, ""];
  try {
    const page = await PAGES[name]();
    await page.show(document.getElementById("top"), main, token);
  } catch (problem) {
    told(problem);
  }
}

applyTheme();
try {
  const bar = h("progress", { "aria-label": "Sfida", max: 1 });
  if (transport.alone) fill(main, h("div", { class: "card narrow loading" }, h("h1", {}, "Sfida"), bar));
  await transport.start((share) => (share === null ? bar.removeAttribute("value") : (bar.value = share)));
  await loadWords(transport.ask);
  if (transport.alone) addEventListener("hashchange", show);
  await show();
} catch (problem) {
  told(problem);
}
