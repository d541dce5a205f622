// A table: fetches the scene whenever it changed, and hands it to the parts of the page.

import { Drawer, Hints } from "./advice.js";
import { Aids } from "./aids.js";
import { Problem, TableLink } from "./api.js";
import { Board } from "./board.js";
import { Deciding } from "./deciding.js";
import { Clocks } from "./clock.js";
import { levelMenu } from "./company.js";
import { button, fill, h, known, swatch } from "./dom.js";
import { Learning } from "./learning.js";
import { Luck } from "./luck.js";
import { fullScreenButton } from "./screen.js";
import { news } from "./sound.js";
import { Stage } from "./stage.js";
import { Events, Lookback, recordLink, Result } from "./story.js";
import { transport } from "./transport.js";
import { agentWords, capital, number, percent, say, settingsButton } from "./words.js";

const TWO_COLUMNS = 720; // pixels of width from which the panel stands beside the board
const LEAST = 520; // pixels that a board is not made smaller than to be seen as a whole

/** Show the table of a link. */
export async function show(top, main, token) {
  const table = new Table(token);
  await table.begin(top, main);
}

class Table {
  constructor(token) {
    this.link = new TableLink(token);
    this.scene = null;
    this.wanted = 0; // the version that is being waited for
    this.announced = 0; // the version that the server told of last
    this.isLost = false; // the connection
    this.board = new Board((key) => this.deciding.take(key));
    this.deciding = new Deciding(this.board, (move, then) => this.act("play", { move, then }), () => this.doing("undo"));
    this.aids = new Aids(this.board, (kind, on) => this.doing("aids", { kind, on }));
    this.seats = new Seats((seat, agent) => this.doing("seat", { seat, agent }));
    this.stage = new Stage(this.board, this.seats.element, () => this.render());
    this.events = new Events((keys) => this.board.mark("last", keys ?? this.scene.last), (ply) => this.link.post("why", { move: "", ply }));
    this.drawer = new Drawer(this.link, () => this.scene);
    this.hints = new Hints(this.link, (keys) => this.board.svg && this.board.mark("hint", keys), (move) => this.doing("play", { move }));
    this.learning = new Learning(this.link, token, (rule) => this.drawer.open("rule", rule));
    this.learning.element.addEventListener("stopped", () => this.showActions(this.scene));
    this.result = new Result(this.link);
    this.lookback = new Lookback(this.link, (drawing) => this.board.show(drawing));
    this.thinking = new Thinking(() => this.doing("hurry"));
    this.luck = new Luck(this.link, () => this.drawer.open("luck"), (words) => this.say(words));
    this.curtain = new Curtain(() => this.render());
    this.actions = h("div", { class: "actions row", role: "group", "aria-label": say("table.actions") });
    this.notice = h("p", { class: "notice", role: "status", hidden: true });
    this.note = h("p", { class: "dim", hidden: true });
    this.title = h("h1", {});
  }

  async begin(top, main) {
    fill(top, h("a", { href: transport.address("/"), class: "brand" }, "Sfida"), this.title, this.board.tools, fullScreenButton(), ...settingsButton());
    this.side = h("div", { class: "side" }, this.seats.element, this.luck.element, this.learning.element, this.deciding.element, this.thinking.element, this.hints.element,
      this.result.element, this.note, this.actions, this.events.element, this.aids.element);
    this.whole = h("div", { class: "table" }, h("div", { class: "play" }, this.board.element, this.lookback.element), this.side);
    await this.refresh();
    fill(main, this.notice, this.whole, this.curtain.element, this.drawer.element);
    fitBoard(this.whole, this.board);
    this.render();
    this.link.listen((name, data) => this.told(name, data));
  }

  told(name, data) {
    if (name === "lost") this.lost();
    else if (name === "open") this.reached();
    else if (name === "changed") this.changed(data.version);
    else if (name === "thinking" && !this.scene.over) this.thinking.show(this.scene, data);
  }

  lost() {
    this.isLost = true;
    this.say(say("table.reconnecting"));
  }

  /** The connection is there, at first or again: what came before was not told, friends who sat down included. */
  reached() {
    if (this.isLost || this.scene.seats.some((seat) => seat.person && !seat.mine)) this.update();
  }

  /** Look again if there is something new: moves, or, told twice of the same version, somebody who comes or goes. */
  changed(version) {
    const again = version === this.announced;
    this.announced = version;
    if (version <= this.scene.version && !again) return;
    this.update(version);
  }

  /** Fetch the scene of a version, or a later one, and show it. */
  async update(version = 0) {
    try {
      await this.refresh(version);
      this.render();
    } catch {
      this.lost();
    }
  }

  /** Fetch the scene; while that is under way, further calls wait for it, and for the version that they want. */
  async refresh(version = 0) {
    this.wanted = Math.max(this.wanted, version);
    this.fetching ??= (async () => {
      const before = this.scene;
      do this.scene = await this.link.get("scene");
      while (this.scene.version < this.wanted);
      news(before, this.scene);
    })();
    try {
      await this.fetching;
      this.isLost = false;
      this.say("");
    } finally {
      this.fetching = null;
      this.wanted = 0;
    }
  }

  render() {
    const { scene } = this;
    if (!this.whole.isConnected) return;
    this.title.textContent = scene.game.title;
    document.title = scene.to_move !== null && scene.mine.includes(scene.to_move) && !scene.over
      ? say("table.your_turn", { title: scene.game.title }) : scene.game.title;
    const covered = this.curtain.covers(scene);
    this.whole.inert = covered;
    this.seats.clocks.show(scene);
    this.whole.classList.toggle("covered", covered);
    if (covered) return;
    this.seats.show(scene);
    this.luck.show(scene);
    this.drawer.seal = scene.luck;
    if (scene.trouble) this.say(scene.trouble);
    if (this.shown !== scene.version && this.stage.plays(scene)) {
      this.deciding.wait(scene); // not before it is over
      return;
    }
    this.note.textContent = scene.note;
    this.note.hidden = !scene.note;
    this.result.show(scene);
    if (this.shown === scene.version) {
      this.aids.show(scene); // they can be switched between moves
      return;
    }
    this.shown = scene.version;
    this.drawer.renew();
    this.board.show(scene.board);
    this.hints.clear();
    this.deciding.element.hidden = scene.over;
    this.deciding.show(scene);
    this.board.zones.news.hidden = Boolean(scene.question); // the question says the same
    this.board.mark("last", scene.last);
    this.aids.show(scene);
    this.thinking.show(scene, scene.thinking);
    this.events.show(scene);
    this.lookback.offer(scene);
    this.learning.show(scene);
    this.showActions(scene);
    this.whole.dataset.version = scene.version;
  }

  showActions({ can, over }) {
    fill(this.actions,
      can.hint && button(say("table.hint"), () => this.hints.ask()),
      can.undo && button(say("table.undo"), () => this.doing("undo")),
      can.redo && button(say("table.redo"), () => this.doing("redo")),
      button(say("drawer.name"), () => this.drawer.open("log"), { "aria-haspopup": "dialog" }),
      this.learning.toggle(this.scene),
      can.record && !over && recordLink(this.link, this.scene.game.name),
      can.resign && button(say("table.resign"), () => confirm(say("table.resign_sure")) && this.doing("resign"), { class: "danger" }));
  }

  /** Do something at the table; what was refused because the game has gone on is told as such. */
  async act(name, body = {}) {
    let played;
    try {
      played = await this.link.post(name, { version: this.scene.version, ...body });
    } catch (problem) {
      if (problem instanceof Problem && problem.status === 409) await this.update();
      throw problem;
    }
    if (this.scene.version < played.version) await this.update(played.version);
  }

  /** Do something, and tell what went wrong above the table. */
  async doing(name, body = {}) {
    try {
      await this.act(name, body);
    } catch (problem) {
      this.say(problem.message);
    }
  }

  say(words) {
    this.notice.textContent = words;
    this.notice.hidden = !words;
  }
}

/** The row of seats: who sits where, whose turn it is, and how it stands in expectation. */
class Seats {
  /** @param hand Called with a seat and the agent that is to play there. */
  constructor(hand) {
    this.hand = hand;
    this.clocks = new Clocks();
    this.element = h("ul", { class: "seats", "aria-label": say("seats.name") });
  }

  show(scene) {
    fill(this.element, scene.seats.map((seat) => this.row(scene, seat)));
  }

  row(scene, seat) {
    const moves = scene.to_move === seat.seat && !scene.over;
    const mine = scene.mine.includes(seat.seat);
    const share = scene.shares?.[seat.seat];
    const who = mine && seat.person ? say("seats.you") : agentWords(seat.agent, scene.game.characters);
    return h("li", { class: moves ? "seat moving" : "seat", "aria-current": moves ? "true" : null },
      swatch(seat), h("span", {}, h("b", {}, capital(seat.name)), h("small", {}, ` ${who}`),
        seat.person && !seat.present && !mine && h("small", { class: "away" }, ` ${say("seats.away")}`),
        known(share) && h("small", { class: "share" }, ` ${percent(share)}`)),
      this.clocks.face(seat),
      moves && h("span", { class: "turn" }, say("seats.to_move")),
      scene.can.seat && !scene.over && this.menu(scene, seat, mine));
  }

  /** Hand a seat of a person to the computer, or take it back. */
  menu(scene, seat, mine) {
    if (!seat.person) {
      return mine && seat.left !== 0 ? button(say("seats.take"), () => this.hand(seat.seat, "human"), { class: "quiet small" }) : null;
    }
    if (!mine && seat.present) return null;
    return levelMenu(scene.game.characters, (agent) => this.hand(seat.seat, agent),
      { class: "quiet small", "aria-label": say("seats.hand", { name: capital(seat.name) }), title: say("seats.hand", { name: capital(seat.name) }) });
  }
}

/** Shows that an agent is thinking: how long, how much, and what it expects where nothing is hidden. */
class Thinking {
  /** @param hurry Tells the agent to move now. */
  constructor(hurry) {
    this.words = h("p", {});
    this.meter = h("meter", { min: "0", max: "1", "aria-label": say("thinking.share") });
    this.element = h("section", { class: "thinking card", hidden: true, "aria-label": say("thinking.name") },
      h("span", { class: "busy", "aria-hidden": "true" }), this.words, this.meter, button(say("thinking.hurry"), hurry));
  }

  show(scene, thinking) {
    this.element.hidden = !thinking;
    if (!thinking) return;
    const { seat, seconds = 0, iterations, share } = thinking;
    const told = [say("thinking.of", { name: capital(scene.seats[seat]?.name ?? "") }), say("thinking.seconds", { n: number(seconds, 0) })];
    if (iterations) told.push(say("thinking.tries", { n: number(iterations) }));
    if (known(share)) told.push(say("thinking.expects", { share: percent(share) }));
    fill(this.words, told.join(" · "));
    this.meter.hidden = !known(share);
    this.meter.value = share ?? 0;
  }
}

/** Covers the table, where several people share one screen, until the person whose turn it is has taken the device. */
class Curtain {
  /** @param opened Called when the table may be seen. */
  constructor(opened) {
    this.opened = opened;
    this.seen = null; // the seat whose view was shown last
    this.element = h("div", { class: "curtain", hidden: true });
  }

  /** Say whether a scene must not be seen yet. */
  covers(scene) {
    const shared = scene.game.hidden && !scene.over && scene.mine.length > 1 && scene.viewer !== null;
    const covers = shared && scene.viewer !== this.seen;
    if (covers && this.element.hidden) this.draw(scene);
    this.element.hidden = !covers;
    return covers;
  }

  draw(scene) {
    const name = capital(scene.seats[scene.viewer].name);
    const open = button(say("curtain.open", { name }), () => {
      this.seen = scene.viewer;
      this.opened();
    }, { class: "main" });
    fill(this.element, h("div", { class: "card narrow" }, h("h2", {}, say("curtain.pass", { name })), h("p", {}, say("curtain.why", { name })), open));
    setTimeout(() => open.focus());
  }
}

/** Keep the board as wide as leaves room for the panel beside it, and if possible all of it on the screen. */
function fitBoard(table, board) {
  const fit = () => {
    const wide = table.clientWidth;
    const room = wide < TWO_COLUMNS ? wide : wide - Math.min(460, Math.max(280, wide * 0.3)) - 16;
    const high = innerHeight - table.getBoundingClientRect().top - scrollY - 12;
    const tall = high - board.zones.hand.offsetHeight - 8; // room for the map above what the viewer holds
    const whole = tall * (board.ratio ?? 1);
    table.style.setProperty("--room", `${Math.floor(room)}px`);
    table.style.setProperty("--fit", `${Math.floor(wide < TWO_COLUMNS ? room : Math.min(room, Math.max(whole, LEAST)))}px`);
    table.style.setProperty("--high", `${Math.floor(high)}px`);
    table.style.setProperty("--tall", `${Math.floor(Math.max(tall, 240))}px`);
    table.classList.toggle("columns", wide >= TWO_COLUMNS);
  };
  const sizes = new ResizeObserver(fit);
  sizes.observe(table.parentElement);
  sizes.observe(board.zones.hand);
  addEventListener("resize", fit);
  fit();
}
