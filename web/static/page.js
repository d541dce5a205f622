// Which page this is: the start page, or a table.

import { fill, h } from "./dom.js";
import { applyTheme, loadWords } from "./words.js";

applyTheme();
const link = location.pathname.match(/^\/play\/([\w-]+)$/);
const [page] = await Promise.all([link ? import("./table.js") : import("./home.js"), loadWords()]);
try {
  await page.show(document.getElementById("top"), document.getElementById("main"), link?.[1]);
} catch (problem) {
  fill(document.getElementById("main"), h("div", { class: "card narrow" },
    h("h1", {}, "Sfida"), h("p", { role: "alert" }, problem.message)));
}
