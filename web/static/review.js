// The review of a game that is over: who won, the turn that mattered most, and the game step by step along its curve.

import { Problem, TableLink } from "./api.js";
import { Comparison } from "./compare.js";
import { alarm, button, fill, h, head, isWriting, known, list, svgElement, tick } from "./dom.js";
import { chartsOf } from "./luck.js";
import { transport } from "./transport.js";
import { agentWords, capital, language, number, percent, say, settingsButton } from "./words.js";

const POLL = 400; // milliseconds between two looks whether the game is examined
const DASHES = ["", "9 4", "2 3", "12 3 2 3", "5 3", "1 4"]; // for who does not see colours
const CLOSE = 0.03; // share of the curve's width below which two numbers would touch
const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

/** Show the review of the table of a link, once the game is examined. */
export async function show(top, main, token) {
  const link = new TableLink(token);
  const title = h("h1", {}, say("review.title"));
  document.title = say("review.title");
  fill(top, h("a", { href: transport.address("/"), class: "brand" }, "Sfida"), title, ...settingsButton());
  const found = await examined(link, main);
  if (!found) return;
  title.textContent = document.title = say("review.title_of", { game: found.game.title });
  new Review(link, found, transport.address(`/play/${token}`)).begin(main);
}

/** Return the review; while it is made, show how far it is. Null: another page is shown meanwhile. */
async function examined(link, main) {
  const bar = h("progress", { max: "1", value: "0", "aria-label": say("review.examining") });
  const done = h("span", {});
  const card = h("div", { class: "card narrow examining" }, h("p", { role: "status" }, say("review.examining")), bar, done);
  fill(main, card);
  while (card.isConnected) {
    const found = await link.get("lookback").catch((problem) => {
      if (!(problem instanceof Problem) || problem.status) throw problem;
      return { share: bar.value }; // the server does not answer for a moment
    });
    if (found.ready) return card.isConnected ? found : null;
    bar.value = found.share;
    done.textContent = percent(found.share);
    await new Promise((again) => setTimeout(again, POLL));
  }
  return null;
}

class Review {
  constructor(link, found, table) {
    Object.assign(this, { link, found, table });
    this.steps = new Steps(link, found);
  }

  begin(main) {
    const { found } = this;
    const parts = [this.verdict()];
    if (known(found.most)) parts.push(new Turns(this.link, found, (ply) => this.steps.go(ply + 1)).element);
    const charts = chartsOf(found.charts);
    parts.push(this.steps.element, players(found), charts && h("section", { class: "card" }, h("h2", {}, say("review.charts")), charts));
    fill(main, h("div", { class: "review" }, parts));
    this.steps.go(found.events.length);
  }

  /** The winner, one line on how it came about, and where to go from here. */
  verdict() {
    const { found } = this;
    const shares = found.curve.at(-1);
    const best = Math.max(...shares);
    const names = found.seats.filter((seat) => shares[seat.seat] === best).map((seat) => capital(seat.name));
    const own = found.seats[found.mine[0] ?? shares.indexOf(best)];
    return h("section", { class: "card verdict" },
      h("h2", {}, names.length === 1 ? say("result.wins", { name: names[0] }) : say("result.tie", { names: names.join(", ") })),
      h("p", {}, say("review.summary", { name: found.mine.includes(own.seat) ? say("review.you") : capital(own.name), n: own.mistakes, decisions: own.decisions, luck: signed(own.luck) })),
      h("div", { class: "row" },
        found.practice && h("a", { class: "button main", href: transport.address("/practice") }, say("practice.open")),
        h("a", { class: "button", href: this.table }, say("review.table")),
        h("a", { class: "button", ...transport.documentLink(`${this.link.base}/review?lang=${language()}`, "review.html") }, say("review.save"))));
  }
}

/** The turns that decided the game, the most important one first to be seen. */
class Turns {
  /** @param go Called with the ply of a turn that is to be seen on the curve. */
  constructor(link, found, go) {
    Object.assign(this, { link, found, go });
    this.title = h("h2", {});
    this.comparison = new Comparison(say("review.turn_name"));
    this.choice = h("div", { class: "row", role: "group", "aria-label": say("review.turns") }, found.turns.map((turn, place) =>
      button(String(place + 1), () => this.show(turn), { "data-ply": turn.ply, "aria-label": this.nameOf(turn) })));
    this.loss = h("p", { class: "loss" });
    this.failed = alarm();
    this.element = h("section", { class: "card decisive", "aria-label": say("review.turns") }, this.title,
      h("div", { class: "row" }, h("small", {}, say("review.turns")), this.choice), this.failed, this.loss, this.comparison.element);
    this.show(found.turns.find((turn) => turn.ply === found.most));
  }

  nameOf(turn) {
    return `${capital(this.found.seats[turn.seat].name)}, ${turn.when}`;
  }

  async show(turn) {
    this.wanted = turn;
    for (const each of this.choice.children) each.setAttribute("aria-pressed", String(Number(each.dataset.ply) === turn.ply));
    this.title.textContent = turn.ply === this.found.most ? say("review.most", { turn: this.nameOf(turn) }) : this.nameOf(turn);
    try {
      const answer = await this.link.get(`turn?ply=${turn.ply}`);
      if (this.wanted !== turn) return;
      this.comparison.show(answer);
      this.loss.textContent = capital(`${[answer.about, answer.loss].filter(Boolean).join(": ")}.`);
      if (this.begun) this.go(turn.ply);
      this.begun = true;
      this.element.dataset.ply = turn.ply;
    } catch (problem) {
      this.failed.textContent = problem.message;
    }
  }
}

/** The game along its curve: the position after some moves, the last of them, and the verdict on it. */
class Steps {
  constructor(link, found) {
    Object.assign(this, { link, found });
    this.at = -1;
    this.all = found.events.length;
    this.curve = new Curve(found, (place) => this.go(place));
    this.range = h("input", { type: "range", min: "0", max: this.all, "aria-label": say("lookback.name"), oninput: () => this.go(Number(this.range.value)) });
    this.own = h("input", { type: "checkbox", checked: found.mine.length > 0, onchange: () => this.showButtons() });
    const step = (key, words, act) => button(words, act, { "aria-label": say(key), title: say(key) });
    this.before = step("review.mistake_before", `« ${say("review.mistake")}`, () => this.mistake(-1));
    this.after = step("review.mistake_after", `${say("review.mistake")} »`, () => this.mistake(1));
    this.onward = button(say("lookback.play_on"), () => this.playOn());
    this.words = h("div", { class: "step", role: "status" });
    this.comparison = new Comparison(say("review.step_name"));
    this.failed = alarm();
    this.table = scrolls(say("review.listed"));
    this.element = h("section", { class: "card walk", "aria-label": say("review.curve") }, h("h2", {}, say("review.curve")),
      this.curve.element, this.range,
      h("div", { class: "row" }, this.before, step("lookback.before", "‹", () => this.go(this.at - 1)),
        step("lookback.after", "›", () => this.go(this.at + 1)), this.after,
        found.mine.length > 0 && found.mine.length < found.seats.length && tick(say("review.own"), this.own),
        found.branch && this.onward),
      this.words, this.failed, this.comparison.element,
      h("details", { ontoggle: (event) => event.target.open && this.list() }, h("summary", {}, say("review.listed")), this.table));
    addEventListener("keydown", (event) => this.typed(event));
  }

  /** The arrow keys step wherever they mean nothing else. */
  typed(event) {
    const busy = isWriting(event.target) || event.target.closest?.("[tabindex='0'], dialog") || event.altKey || event.ctrlKey || event.metaKey;
    if (!(event.key in STEPS) || busy || !this.element.isConnected) return;
    event.preventDefault();
    this.go(this.at + STEPS[event.key]);
  }

  /** The numbers of events after each of which a mistake was just made. */
  mistakes() {
    const { events, mine } = this.found;
    const counts = (event) => event.mistake && (!this.own.checked || !mine.length || mine.includes(event.seat));
    return events.flatMap((event, ply) => (counts(event) ? [ply + 1] : []));
  }

  mistake(by) {
    const places = this.mistakes();
    const next = by > 0 ? places.find((place) => place > this.at) : places.findLast((place) => place < this.at);
    if (known(next)) this.go(next);
  }

  /** Open a table that continues the game from here. */
  async playOn() {
    try {
      transport.go((await this.link.post("branch", { ply: this.at })).play);
    } catch (problem) {
      this.failed.textContent = problem.message;
    }
  }

  showButtons() {
    const places = this.mistakes();
    this.before.disabled = !places.some((place) => place < this.at);
    this.after.disabled = !places.some((place) => place > this.at);
    this.onward.disabled = this.at === this.all;
  }

  /** Go to the position after some events. */
  go(place) {
    const at = Math.min(this.all, Math.max(0, place));
    if (at === this.at) return;
    this.at = at;
    this.range.value = at;
    const told = `${say("lookback.at", { n: at, all: this.all })}: ${this.curve.go(at)}`;
    this.range.setAttribute("aria-valuetext", told);
    this.showButtons();
    this.tell();
    this.fetching ??= this.draw().finally(() => (this.fetching = null));
  }

  tell() {
    const event = this.found.events[this.at - 1];
    if (!event) {
      fill(this.words, h("p", {}, say("review.start")));
      return;
    }
    const seat = this.found.seats[event.seat];
    fill(this.words,
      h("p", {}, h("small", {}, [say("lookback.at", { n: this.at, all: this.all }), event.about].filter(Boolean).join(" · ")), h("br"),
        h("b", {}, seat ? `${capital(seat.name)} ` : `${say("events.luck")} `), event.words || say("events.unseen")),
      event.effects.length > 0 && list(event.effects),
      known(event.loss) && h("p", { class: event.mistake ? "mistake" : "" }, judgement(event)));
  }

  /** Draw the position; while one is on its way, those in between are left out. */
  async draw() {
    for (let drawn = -1; drawn !== this.at;) {
      drawn = this.at;
      const event = this.found.events[drawn - 1];
      this.failed.textContent = "";
      try {
        const answer = await this.link.get(event?.better ? `turn?ply=${drawn - 1}` : `board?ply=${drawn}`);
        if (drawn === this.at) {
          if (answer.played) this.comparison.show(answer);
          else this.comparison.alone(answer.board);
          this.element.dataset.at = drawn;
        }
      } catch (problem) {
        this.failed.textContent = problem.message;
      }
    }
  }

  /** List the events with the win probabilities after them: the curve for who does not see it. */
  list() {
    if (this.table.children.length) return;
    const { events, seats, curve } = this.found;
    const row = (event, ply) => h("tr", {},
      h("td", {}, button(String(ply + 1), () => this.go(ply + 1), { class: "quiet small", "aria-label": say("review.go", { n: ply + 1 }) })),
      h("td", {}, seats[event.seat] ? capital(seats[event.seat].name) : say("review.luck")), h("th", { scope: "row" }, event.words),
      seats.map((seat) => h("td", {}, percent(curve[ply + 1][seat.seat]))), h("td", { class: "wraps" }, known(event.loss) ? judgement(event) : ""));
    fill(this.table, h("table", {},
      head([say("review.number"), say("result.seat"), say("hint.move"), ...seats.map((seat) => capital(seat.name)), say("review.verdict")]),
      h("tbody", {}, events.map(row))));
  }
}

/** Say how good a decision was. */
function judgement({ mistake, loss, low, high, better }) {
  if (!better) return say("review.fine");
  const [lost, least, most] = [loss, low, high].map((share) => `${number(100 * share, 1)} %`);
  const figures = { loss: lost, low: least, high: most, better };
  return mistake ? say("review.lost", figures) : say("review.doubt", figures);
}

/** The win probability over the game, one line a seat, or one alone between two; a line shows where one is. */
class Curve {
  /** @param pick Called with the number of events that was pointed at. */
  constructor(found, pick) {
    Object.assign(this, { found, pick });
    this.last = Math.max(1, found.curve.length - 1);
    this.seats = found.seats.length > 2 ? found.seats : [found.seats[found.mine[0] ?? 0]];
    this.here = this.upright("here", 0);
    const grid = [0, 25, 50, 75, 100].map((y) => svgElement("line", { x1: 0, x2: 1000, y1: y, y2: y, class: "grid" }));
    const svg = svgElement("svg", { viewBox: "0 0 1000 100", preserveAspectRatio: "none" });
    const decided = found.turns.map(({ ply }) => this.upright("decided", ply + 1));
    svg.append(...grid, ...decided, ...this.seats.flatMap((seat, place) => this.line(seat, place)), this.here);
    for (const name of ["pointerdown", "pointermove"]) svg.addEventListener(name, (event) => this.pointed(event));
    this.legend = h("ul", { class: "legend" });
    const rows = []; // where the last number of each row stands: those that would touch stand above one another
    const turns = found.turns.map(({ ply }, place) => {
      const name = h("span", { class: "number" }, String(place + 1));
      const x = (ply + 1) / this.last;
      const row = [...rows, -1].findIndex((last) => x - last > CLOSE);
      rows[row] = x;
      name.style.left = `${100 * x}%`;
      name.style.marginBottom = `${row * 0.8}rem`;
      return name;
    });
    const plot = h("div", { class: "plot", "aria-hidden": "true" }, [100, 50, 0].map((level) => h("span", { class: "level" }, `${level} %`)), turns, svg);
    plot.style.marginTop = `${0.4 + 0.8 * rows.length}rem`;
    this.element = h("div", { class: "curve" }, plot, this.legend);
  }

  /** Return an upright line after some events. */
  upright(name, place) {
    const x = (1000 * place) / this.last;
    return svgElement("line", { x1: x, x2: x, y1: 0, y2: 100, class: name });
  }

  line(seat, place) {
    const { curve, events } = this.found;
    const point = (ply) => [(1000 * ply) / this.last, 100 * (1 - curve[ply][seat.seat])];
    const found = svgElement("polyline", { points: curve.map((_, ply) => point(ply).join(",")).join(" "), "stroke-dasharray": DASHES[place % DASHES.length] });
    const dots = events.flatMap((event, ply) => (event.mistake && (event.seat === seat.seat || this.seats.length === 1)
      ? [svgElement("path", { d: `M${point(ply + 1).join(" ")}h0`, class: event.seat === seat.seat ? "dot" : "dot other" })] : []));
    for (const each of [found, ...dots]) each.style.stroke = ink(this.found.seats[seat.seat]);
    for (const each of dots) if (each.classList.contains("other")) each.style.stroke = "";
    return [found, ...dots];
  }

  /** Mark a place, and return the win probabilities there in words. */
  go(place) {
    const x = (1000 * place) / this.last;
    this.here.setAttribute("x1", x);
    this.here.setAttribute("x2", x);
    const row = this.found.curve[place === this.found.events.length ? this.last : place];
    const told = this.seats.map((seat) => `${capital(seat.name)} ${percent(row[seat.seat])}`);
    fill(this.legend, this.seats.map((seat, order) => {
      const swatch = svgElement("svg", { viewBox: "0 0 28 8", "aria-hidden": "true" });
      const stroke = svgElement("line", { x1: 0, x2: 28, y1: 4, y2: 4, "stroke-dasharray": DASHES[order % DASHES.length] });
      stroke.style.stroke = ink(seat);
      swatch.append(stroke);
      return h("li", {}, swatch, told[order]);
    }));
    return told.join(", ");
  }

  pointed(event) {
    if (event.type === "pointermove" && !event.buttons) return;
    const box = event.currentTarget.getBoundingClientRect();
    if (event.type === "pointerdown") event.currentTarget.setPointerCapture(event.pointerId);
    this.pick(Math.min(this.found.events.length, Math.round((this.last * (event.clientX - box.x)) / box.width)));
  }
}


const ink = ({ inks }) => `light-dark(${inks[0]}, ${inks[1]})`;
const signed = (share) => `${share > 0 ? "+" : share < 0 ? "−" : ""}${percent(Math.abs(share))}`;

/** Return what scrolls sideways where it is too wide, with keys, too. */
const scrolls = (name, ...children) => h("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": name }, children);

/** The seats with what the review found of each. */
function players(found) {
  const row = (seat) => h("tr", {}, h("th", { scope: "row" }, capital(seat.name)), h("td", {}, agentWords(seat.agent)),
    h("td", {}, say("review.of", { n: seat.mistakes, all: seat.decisions })), h("td", {}, known(seat.accuracy) ? number(seat.accuracy, 0) : "–"),
    h("td", {}, signed(seat.luck)), h("td", {}, percent(seat.share)));
  return h("section", { class: "card" }, h("h2", {}, say("seats.name")), scrolls(say("seats.name"), h("table", {},
    head(["result.seat", "review.by", "review.mistakes", "review.accuracy", "review.luck", "result.share"].map((key) => say(key))),
    h("tbody", {}, found.seats.map(row)))), kinds(found), h("p", { class: "dim" }, say("review.explained")));
}

/** What kinds of mistakes the reader made, the most costly first. */
function kinds({ events, mine }) {
  const costs = new Map();
  for (const { seat, mistake, about, loss } of events) {
    if (mistake && about && mine.includes(seat)) costs.set(about, [...(costs.get(about) ?? []), loss]);
  }
  const sum = (losses) => losses.reduce((all, each) => all + each);
  const rows = [...costs].sort(([, a], [, b]) => sum(b) - sum(a));
  return rows.length > 0 && [h("h3", {}, say("review.kinds")),
    list(rows.map(([about, losses]) => `${about}: ${say("review.kind", { n: losses.length, loss: percent(sum(losses)) })}`))];
}
