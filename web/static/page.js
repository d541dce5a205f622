// Which page this is: the start page, or a table.

import { fill, h } from "./dom.js";
import { transport } from "./transport.js";
import { applyTheme, loadWords } from "./words.js";

const main = document.getElementById("main");
const told = (problem) => fill(main, h("div", { class: "card narrow" },
  h("h1", {}, "Sfida"), h("p", { role: "alert" }, problem.message)));

async function show() {
  const link = transport.here().match(/^\/play\/([\w-]+)$/);
  try {
    const page = await (link ? import("./table.js") : import("./home.js"));
    await page.show(document.getElementById("top"), main, link?.[1]);
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
