// A table: fetches the scene whenever it changed, and hands it to the parts of the page.

import { Problem, TableLink } from "./api.js";
import { Board } from "./board.js";
import { Curtain } from "./curtain.js";
import { Deciding } from "./deciding.js";
import { button, fill, h } from "./dom.js";
import { Drawer } from "./drawer.js";
import { Events } from "./events.js";
import { Hints } from "./hints.js";
import { fitBoard } from "./layout.js";
import { Lookback } from "./lookback.js";
import { Result } from "./result.js";
import { Seats } from "./seats.js";
import { settingsButton } from "./settings.js";
import { Thinking } from "./thinking.js";
import { say } from "./words.js";

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
    this.deciding = new Deciding(this.board, (move) => this.act("play", { move }), () => this.doing("undo"));
    this.seats = new Seats((seat, agent) => this.doing("seat", { seat, agent }));
    this.events = new Events((keys) => this.board.mark("last", keys ?? this.scene.last ?? []));
    this.drawer = new Drawer(this.link);
    this.hints = new Hints(this.link, (keys) => this.board.svg && this.board.mark("hint", keys), (move) => this.doing("play", { move }));
    this.result = new Result(this.link);
    this.lookback = new Lookback(this.link, (drawing) => this.board.show(drawing));
    this.thinking = new Thinking(() => this.doing("hurry"));
    this.curtain = new Curtain(() => this.render());
    this.actions = h("div", { class: "actions row", role: "group", "aria-label": say("table.actions") });
    this.notice = h("p", { class: "notice", role: "status", hidden: true });
    this.note = h("p", { class: "dim", hidden: true });
    this.title = h("h1", {});
  }

  async begin(top, main) {
    fill(top, h("a", { href: "/", class: "brand" }, "Sfida"), this.title, this.board.tools, ...settingsButton());
    this.side = h("div", { class: "side" }, this.seats.element, this.deciding.element, this.thinking.element, this.hints.element,
      this.result.element, this.note, this.actions, this.events.element);
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
      do this.scene = await this.link.get("scene");
      while (this.scene.version < this.wanted);
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
    this.whole.classList.toggle("covered", covered);
    if (covered) return;
    this.seats.show(scene);
    this.trouble(scene.trouble);
    this.note.textContent = scene.note;
    this.note.hidden = !scene.note;
    this.result.show(scene);
    if (this.shown === scene.version) return;
    this.shown = scene.version;
    this.board.show(scene.board);
    this.hints.clear();
    this.deciding.element.hidden = scene.over;
    this.deciding.show(scene);
    this.board.mark("last", scene.last ?? []);
    this.thinking.show(scene, scene.thinking);
    this.events.show(scene);
    this.lookback.offer(scene);
    this.showActions(scene);
    this.whole.dataset.version = scene.version;
  }

  showActions({ can, over }) {
    fill(this.actions,
      can.hint && button(say("table.hint"), () => this.hints.ask()),
      can.undo && button(say("table.undo"), () => this.doing("undo")),
      can.redo && button(say("table.redo"), () => this.doing("redo")),
      button(say("drawer.name"), () => this.drawer.open("log"), { "aria-haspopup": "dialog" }),
      can.record && !over && h("a", { class: "button", href: `${this.link.base}/record`, download: "" }, say("result.record")),
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
      this.say(problem.message || say("lost"));
    }
  }

  /** Tell why the game does not go on. */
  trouble(words) {
    if (words) this.say(words);
  }

  say(words) {
    this.notice.textContent = words;
    this.notice.hidden = !words;
  }
}
