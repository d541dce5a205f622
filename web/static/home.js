// The start page: a new game, games that wait, a record to look at.

import { get, post } from "./api.js";
import { alarm, button, field, fill, h, known, select, tick } from "./dom.js";
import { clockChoice } from "./clock.js";
import { characterChoice, withCharacter } from "./company.js";
import { qrCode } from "./qr.js";
import { transport } from "./transport.js";
import { levelEntries, say, settingsButton } from "./words.js";

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"]; // names that other devices cannot reach
const FRIEND = "friend";
const OTHER = "other";

/** Show the start page. */
export async function show(top, main) {
  fill(top, h("a", { href: transport.address("/"), class: "brand" }, "Sfida"), h("h1", {}, say("home.title")), ...settingsButton());
  const home = await get("/api/home");
  fill(main, h("div", { class: "home" },
    new NewGame(home, (table, friends) => opened(table, friends, home.address)).element,
    h("div", { class: "side" }, waiting(home.tables), kept(home.kept), upload(), transport.alone && transport.dataCard())));
}

/** Go to a table that was opened, or show the links for friends first. */
function opened(table, friends, shared) {
  if (!friends.length) {
    transport.go(table.play);
    return;
  }
  const links = friends.map((seat) => [say("home.seat", { n: seat + 1 }), table.seats.find((each) => each.seat === seat).link]);
  const dialog = h("dialog", { class: "links", "aria-label": say("home.links") },
    h("h2", {}, say("home.links")), h("p", {}, say("home.links_why")),
    !shared && LOOPBACK.includes(location.hostname) && h("p", {}, h("b", {}, say("home.links_here"))),
    [...links, [say("home.watch"), table.watch]].filter(([, link]) => link).map(([name, link]) => linkRow(name, link, shared)),
    h("a", { class: "button main", href: transport.address(table.play) }, say("home.to_table")));
  document.body.append(dialog);
  dialog.showModal();
}

/** A link to send, with its QR code; `shared` is an address of the server that others reach, if it is known. */
function linkRow(name, link, shared) {
  const here = LOOPBACK.includes(location.hostname);
  const address = new URL(link, (here && shared) || location.href).href;
  const input = h("input", { type: "text", readonly: true, value: address, onfocus: (event) => event.target.select() });
  const copy = button(say("home.copy"), async () => {
    input.select();
    await navigator.clipboard?.writeText(address).catch(() => {});
    copy.textContent = say("home.copied");
  });
  const code = (!here || shared) && qrCode(address, say("home.qr", { name }));
  return h("div", { class: "row" }, field(name, input), copy, code);
}

function waiting(tables) {
  if (!tables?.length) return null;
  return h("section", { class: "card" }, h("h2", {}, say("home.tables")), h("ul", { class: "rows" }, tables.map((table) =>
    h("li", {}, h("a", { href: transport.address(table.link) }, table.title), h("small", {}, table.over ? say("home.over") : "")))));
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
    transport.go(table.play);
  } catch (problem) {
    const place = beside.closest("section");
    place.querySelector(".error")?.remove();
    place.append(alarm(problem.message));
  }
}

/** The form for a new game: which game, by which rules, who sits where. */
class NewGame {
  /**
   * @param home What the server offers.
   * @param opened Called with the table that was opened and the seats of friends.
   */
  constructor(home, opened) {
    this.home = home;
    this.opened = opened;
    this.games = home.games.filter((game) => !game.example).concat(home.games.filter((game) => game.example));
    this.seats = []; // what was chosen for each seat
    this.rules = h("details", { class: "rules" });
    this.people = h("div", { class: "people" });
    this.error = alarm();
    this.seed = h("input", { type: "text", inputmode: "numeric", autocomplete: "off" });
    this.luck = h("input", { type: "checkbox" });
    this.clock = clockChoice();
    this.element = h("form", { class: "card newgame", novalidate: true, onsubmit: (event) => this.submitted(event) },
      h("h2", {}, say("new.title")),
      h("fieldset", { class: "games" }, h("legend", {}, say("new.game")), this.gameChoices()),
      this.people, this.rules,
      h("details", {}, h("summary", {}, say("new.more")),
        field(say("new.seed"), this.seed, say("new.seed_why")),
        tick(say("new.luck"), this.luck), this.clock.element),
      this.error, h("button", { type: "submit", class: "main large" }, say("new.start")));
    this.choose(this.games[0]);
  }

  gameChoices() {
    const card = (game) => h("label", { class: "game" },
      h("input", { type: "radio", name: "game", value: game.name, checked: game === this.games[0], onchange: () => this.choose(game) }),
      h("span", {}, h("b", {}, game.title), h("small", {}, say("new.players", { n: game.players.length > 1 ? `${game.players[0]}–${game.players.at(-1)}` : game.players[0] }))));
    const [large, small] = [this.games.filter((game) => !game.example), this.games.filter((game) => game.example)];
    return [large.map(card), small.length > 0 && h("details", {}, h("summary", {}, say("new.small")), small.map(card))];
  }

  choose(game) {
    this.game = game;
    const players = game.options.find((option) => option.key === "players");
    this.count = players?.default ?? game.players[0];
    this.seats.forEach((seat) => delete seat.character); // each game has its own
    this.showSeats();
    this.showRules();
  }

  showSeats() {
    const { game } = this;
    const counts = h("div", { class: "counts", role: "radiogroup", "aria-label": say("new.count") }, game.players.map((count) =>
      h("label", { class: "count" }, h("input", { type: "radio", name: "count", value: count, checked: count === this.count, onchange: () => {
        this.count = count;
        this.showSeats();
        this.people.querySelector("input:checked").focus();
      } }), h("span", {}, String(count)))));
    fill(this.people, h("h3", {}, say("new.count")), game.players.length > 1 ? counts : h("p", {}, String(this.count)),
      h("h3", {}, say("new.seats")), Array.from({ length: this.count }, (_, seat) => this.seatRow(seat)));
  }

  seatRow(seat) {
    this.seats[seat] ??= { kind: seat === 0 ? "human" : "level:5", spec: "" };
    const chosen = this.seats[seat];
    const other = h("input", { type: "text", value: chosen.spec, hidden: chosen.kind !== OTHER, list: "agents", "aria-label": say("new.spec"),
      placeholder: "ismcts:seconds=2", oninput: (event) => (chosen.spec = event.target.value) });
    const entries = [["human", say("new.you")], ...(this.home.friends ? [[FRIEND, say("new.friend")]] : []), ...(this.game.levels === false ? [] : [...levelEntries(), ["level:auto", say("agents.auto")]]), [OTHER, say("new.another")]];
    const character = characterChoice(this.game.characters, chosen, seat);
    const list = select(entries, chosen.kind, (kind) => {
      chosen.kind = kind;
      other.hidden = kind !== OTHER;
      character.show();
    }, { "aria-label": say("home.seat", { n: seat + 1 }) });
    return h("div", { class: "row seatrow" }, h("span", { class: "name", "aria-hidden": "true" }, say("home.seat", { n: seat + 1 })), list, character.element, other,
      seat === 0 && h("datalist", { id: "agents" }, (this.home.agents ?? []).map((agent) => h("option", { value: agent.spec }, agent.words ?? ""))));
  }

  showRules() {
    const options = this.game.options.filter((option) => option.key !== "players");
    this.values = {};
    this.rules.hidden = !options.length;
    fill(this.rules, h("summary", {}, say("new.rules")), options.map((option) => this.option(option)));
  }

  /** Return the field of an option; what is left as it was is not sent. */
  option(option) {
    const set = (value) => {
      if (value === "") delete this.values[option.key];
      else this.values[option.key] = value;
    };
    const unset = known(option.default) ? say("new.default_is", { value: String(option.default) }) : option.unset ?? say("new.default");
    let input;
    if (option.values) {
      const others = option.values.filter((value) => value !== option.default);
      input = select([["", unset], ...others.map((value) => [String(value), String(value)])], "", set);
    } else {
      // what is wrong is told by the server, in one line: a field for numbers would drop it unseen
      input = h("input", { type: "text", inputmode: option.type === "int" ? "numeric" : null, placeholder: unset, oninput: (event) => set(event.target.value.trim()) });
    }
    return field(option.key.replaceAll("_", " "), input, option.doc);
  }

  async submitted(event) {
    event.preventDefault();
    this.error.textContent = "";
    const settings = [`players=${this.count}`, ...Object.entries(this.values).map(([key, value]) => `${key}=${value}`)];
    const chosen = this.seats.slice(0, this.count);
    const body = {
      game: `${this.game.name}:${settings.join(",")}`,
      seats: chosen.map((seat) => (seat.kind === FRIEND ? "human" : seat.kind === OTHER ? seat.spec.trim() : withCharacter(seat))),
    };
    if (this.seed.value.trim()) body.seed = this.seed.value.trim();
    if (this.luck.checked) body.typed_luck = true;
    const friends = chosen.flatMap(({ kind }, seat) => (kind === FRIEND ? [seat] : []));
    if (friends.length) body.invited = friends;
    if (this.clock.value()) body.clock = this.clock.value();
    try {
      this.opened(await post("/api/tables", body), friends);
    } catch (problem) {
      this.error.textContent = problem.message;
    }
  }
}
