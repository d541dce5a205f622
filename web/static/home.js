// The start page: the games, games in progress, a record to look at.

import { get, post } from "./api.js";
import { choicesWords, friendsOf, lastChoices, lastGame, openWith } from "./choices.js";
import { alarm, button, field, fill, h, known, picture, swatch } from "./dom.js";
import { learn } from "./learning.js";
import { Setup } from "./setup.js";
import { transport } from "./transport.js";
import { agentWords, capital, language, say, settingsButton } from "./words.js";

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"]; // names that other devices cannot reach
const FIRST = "carcassonne"; // the game for a first time

/** Show the start page. */
export async function show(top, main) {
  fill(top, h("a", { href: transport.address("/"), class: "brand" }, "Sfida"), h("h1", {}, say("home.title")), ...settingsButton());
  const home = await get("/api/home");
  const setup = new Setup(home, opened);
  const tables = home.tables ?? [];
  fill(main, h("div", { class: "home" },
    start(home), inProgress(tables.filter((table) => !table.over), home.kept ?? []), games(home, setup),
    h("div", { class: "rest" }, practice(), finished(tables.filter((table) => table.over)), upload(), transport.alone && transport.dataCard())),
  setup.element);
}

// ---- opening a table

/** Go to a table that was opened, or show the links for friends first. */
function opened(table, friends, teaches) {
  if (teaches) learn(table.play.split("/").at(-1));
  if (!friends.length) {
    transport.go(table.play);
    return;
  }
  const links = friends.map((seat) => [say("home.seat", { n: seat + 1 }), table.seats.find((each) => each.seat === seat).link]);
  const dialog = h("dialog", { class: "links", "aria-label": say("home.links") },
    h("h2", {}, say("home.links")), h("p", {}, say("home.links_why")),
    LOOPBACK.includes(location.hostname) && h("p", {}, h("b", {}, say("home.links_here"))),
    [...links, [say("home.watch"), table.watch]].filter(([, link]) => link).map(([name, link]) => linkRow(name, link)),
    h("a", { class: "button main", href: transport.address(table.play) }, say("home.to_table")));
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

const practice = () => h("section", { class: "card" }, h("h2", {}, say("practice.title")), h("p", {}, say("practice.why")),
  h("a", { class: "button", href: transport.address("/practice") }, say("practice.open")));

/** Do something that opens a table; what is wrong is said beside the button or field. */
async function trying(beside, open) {
  const place = beside.closest("section, article, li");
  place.querySelector(".error")?.remove();
  try {
    await open();
  } catch (problem) {
    place.append(alarm(problem.message));
  }
}

/** Play a game at once, with the last choices. */
const play = (game, teaches) => (event) => trying(event.currentTarget, async () => {
  const choices = lastChoices(game);
  opened(await openWith(game, choices), friendsOf(choices), teaches);
});

/** Continue a game that was kept. */
const open = (beside, body) => trying(beside, async () => transport.go((await post("/api/tables", body)).play));

// ---- one click to play

function start(home) {
  const last = lastGame(home.games);
  const game = last ?? home.games.find((each) => each.name === FIRST) ?? home.games[0];
  const taught = game.teaches ? game : home.games.find((each) => each.teaches);
  return h("section", { class: "start card", "aria-label": say("home.play_now") },
    button([say("home.play", { game: game.title })], play(game), { class: "main large play" }),
    h("p", { class: "dim" }, choicesWords(lastChoices(game))),
    taught && h("p", { class: "first" }, say("learn.first_time"), " ",
      button(say("learn.on"), play(taught, true), { class: "learn", "aria-label": `${say("learn.on")}: ${taught.title}` })));
}

// ---- the games

function games(home, setup) {
  const [large, small] = [home.games.filter((game) => !game.example), home.games.filter((game) => game.example)];
  return h("section", { class: "newgame" }, h("h2", {}, say("new.title")), h("div", { class: "games" }, large.map((game) => card(game, setup))),
    small.length > 0 && h("details", {}, h("summary", {}, say("new.small")), h("div", { class: "games" }, small.map((game) => card(game, setup)))));
}

function card(game, setup) {
  const named = (words) => ({ "aria-label": `${words}: ${game.title}` });
  return h("article", { class: "game", "data-game": game.name },
    game.pictured && h("img", { src: transport.picture(game.name), alt: "", loading: "lazy" }),
    h("h3", {}, game.title), h("p", { class: "facts" }, facts(game)),
    h("div", { class: "row" },
      button(say("move.play"), play(game), { class: "main", title: choicesWords(lastChoices(game)), ...named(say("move.play")) }),
      button(say("new.choose"), () => setup.open(game), { "aria-haspopup": "dialog", ...named(say("new.choose")) }),
      game.teaches && button(say("learn.short"), play(game, true), { class: "quiet", ...named(say("learn.on")) })));
}

/** Return one line about a game: players, minutes, how much luck. */
function facts({ players, minutes, luck }) {
  const range = (values) => (values.length > 1 ? `${values[0]}–${values.at(-1)}` : String(values[0]));
  return [say("new.players", { n: range(players) }), minutes.length && say("new.minutes", { n: range(minutes) }), luck].filter(Boolean).join(" · ");
}

// ---- games in progress, kept and finished

function inProgress(tables, kept) {
  if (!tables.length && !kept.length) return null;
  return h("section", { class: "card progress" }, h("h2", {}, say("home.tables")), h("ul", { class: "rows" },
    tables.map((table) => row(table.title, `table=${table.id}`, goTo(table, say("home.go_on")))),
    kept.map((game) => row(game.title, `kept=${encodeURIComponent(game.id)}`, button(say("home.go_on"), (event) => open(event.target, { game: game.game, kept: game.id }), { "aria-label": `${say("home.go_on")}: ${game.title}, ${game.date}` })))));
}

function finished(tables) {
  if (!tables.length) return null;
  return h("section", { class: "card finished" }, h("details", {}, h("summary", {}, h("b", {}, say("home.finished", { n: tables.length }))),
    h("ul", { class: "rows" }, tables.map((table) => row(table.title, `table=${table.id}`, goTo(table, say("home.look_back")))))));
}

const goTo = (table, words) => h("a", { class: "button", href: transport.address(table.link), "aria-label": `${words}: ${table.title}` }, words);

/** Return the row of a game; its picture, seats and points are fetched when it is seen. */
function row(title, asked, action) {
  const drawn = h("span", { class: "thumb" });
  const told = h("span", { class: "told" }, h("b", {}, title));
  const item = h("li", {}, drawn, told, action);
  const seen = new IntersectionObserver(async (entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    seen.disconnect();
    try {
      const { picture: svg, seats, scores, moved } = await get(`/api/preview?${asked}`);
      fill(drawn, picture(svg, ""));
      fill(told, h("b", {}, title), seats.map((seat, i) => seatLine(seat, scores[i])), known(moved) && h("small", {}, when(moved)));
    } catch (problem) {
      fill(told, h("b", {}, title), h("small", {}, problem.message));
    }
  });
  seen.observe(item);
  return item;
}

const seatLine = (seat, points) => h("small", { class: "seatline" }, swatch(seat),
  `${capital(seat.name)}, ${seat.mine && seat.agent === "human" ? say("seats.you") : agentWords(seat.agent)}: ${say("home.points", { n: points })}`);

/** Return the date of a last move, as it is written where the language is that of the browser. */
function when(seconds) {
  const place = navigator.language.startsWith(language()) ? navigator.language : language();
  return say("home.moved", { date: new Date(1000 * seconds).toLocaleString(place, { dateStyle: "medium", timeStyle: "short" }) });
}

function upload() {
  const file = h("input", { type: "file", accept: ".jsonl,.json,.txt,text/*", onchange: async () => {
    if (file.files[0]) open(file, { record: await file.files[0].text() });
  } });
  return h("section", { class: "card" }, h("h2", {}, say("home.record")), field(say("home.record_why"), file));
}
