// The start page: a new game, games that wait, a record to look at.

import { get, post } from "./api.js";
import { button, field, fill, h } from "./dom.js";
import { NewGame } from "./newgame.js";
import { settingsButton } from "./settings.js";
import { say } from "./words.js";

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"]; // names that other devices cannot reach

/** Show the start page. */
export async function show(top, main) {
  fill(top, h("a", { href: "/", class: "brand" }, "Sfida"), h("h1", {}, say("home.title")), ...settingsButton());
  const home = await get("/api/home");
  fill(main, h("div", { class: "home" },
    new NewGame(home, opened).element,
    h("div", { class: "side" }, waiting(home.tables), kept(home.kept), upload())));
}

/** Go to a table that was opened, or show the links for friends first. */
function opened(table, friends) {
  if (!friends.length) {
    location.href = table.play;
    return;
  }
  const links = friends.map((seat) => [say("home.seat", { n: seat + 1 }), table.seats.find((each) => each.seat === seat).link]);
  const dialog = h("dialog", { class: "links", "aria-label": say("home.links") },
    h("h2", {}, say("home.links")), h("p", {}, say("home.links_why")),
    LOOPBACK.includes(location.hostname) && h("p", {}, h("b", {}, say("home.links_here"))),
    [...links, [say("home.watch"), table.watch]].filter(([, link]) => link).map(([name, link]) => linkRow(name, link)),
    h("a", { class: "button main", href: table.play }, say("home.to_table")));
  document.body.append(dialog);
  dialog.showModal();
}

function linkRow(name, link) {
  const address = new URL(link, location.href).href;
  const input = h("input", { type: "text", readonly: true, value: address, onfocus: (event) => event.target.select() });
  const copy = button(say("home.copy"), async () => {
    input.select();
    await navigator.clipboard?.writeText(address).catch(() => {});
    copy.textContent = say("home.copied");
  });
  return h("div", { class: "row" }, field(name, input), copy);
}

function waiting(tables) {
  if (!tables?.length) return null;
  return h("section", { class: "card" }, h("h2", {}, say("home.tables")), h("ul", { class: "rows" }, tables.map((table) =>
    h("li", {}, h("a", { href: table.link }, table.title), h("small", {}, table.over ? say("home.over") : "")))));
}

function kept(games) {
  if (!games?.length) return null;
  return h("section", { class: "card" }, h("h2", {}, say("home.kept")), h("ul", { class: "rows" }, games.map((game) =>
    h("li", {}, button(say("home.go_on"), (event) => open(event.target, { game: game.game, kept: game.id }), { "aria-label": `${say("home.go_on")}: ${game.title}, ${game.date}` }),
      h("span", {}, h("b", {}, game.title), h("small", {}, ` ${game.date} · ${say("home.moves", { n: game.moves })} · ${(game.seats ?? []).join(", ")}`))))));
}

function upload() {
  const file = h("input", { type: "file", accept: ".jsonl,.json,.txt,text/*", onchange: async () => {
    if (file.files[0]) await open(file, { record: await file.files[0].text() });
  } });
  return h("section", { class: "card" }, h("h2", {}, say("home.record")), field(say("home.record_why"), file));
}

/** Open a table from beside the form; what is wrong is said there. */
async function open(beside, body) {
  try {
    const table = await post("/api/tables", body);
    location.href = table.play;
  } catch (problem) {
    const place = beside.closest("section");
    place.querySelector(".error")?.remove();
    place.append(h("p", { class: "error", role: "alert" }, problem.message || say("lost")));
  }
}
