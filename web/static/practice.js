// Practice: positions in which the host went wrong, asked until they are solved; the better move stays hidden until asked for.

import { get, post } from "./api.js";
import { Board } from "./board.js";
import { Deciding } from "./deciding.js";
import { alarm, button, fill, h, list } from "./dom.js";
import { transport } from "./transport.js";
import { say, settingsButton } from "./words.js";

const LEAST = 480; // pixels that a board is not made smaller than to be seen as a whole
const POLL = 700; // milliseconds between two looks how far the games are examined

/** Show the positions to practise. */
export async function show(top, main) {
  document.title = say("practice.title");
  fill(top, h("a", { href: transport.address("/"), class: "brand" }, "Sfida"), h("h1", {}, say("practice.title")), ...settingsButton());
  await new Overview(main).show();
}

/** The mistakes by game and kind, and what is due. */
class Overview {
  constructor(main) {
    this.main = main;
    this.sitting = new Sitting(main, (told) => this.show(told));
  }

  /** @param told What is said first, such as the result of a sitting. */
  async show(told = "") {
    const found = await get("/api/practice");
    const due = found.groups.flatMap((group) => group.due);
    const unexamined = h("section", { class: "card", hidden: !found.unexamined && !found.examining });
    fill(this.main, h("div", { class: "practice" },
      h("section", { class: "card verdict" }, told && h("p", { role: "status" }, told), h("h2", { tabindex: "-1" }, say("practice.due", { n: due.length })),
        h("p", {}, found.groups.length ? say("practice.why") : say("practice.none")),
        !due.length && found.next && h("p", {}, say("practice.next", { when: found.next })),
        due.length > 0 && button(say("practice.start"), () => this.sitting.begin(due), { class: "main large" })),
      unexamined,
      found.groups.length > 0 && h("section", { class: "card" }, h("h2", {}, say("practice.kinds")),
        h("ul", { class: "rows" }, found.groups.map((group) => this.group(group))))));
    if (told) this.main.querySelector("h2").focus();
    this.examine(unexamined, found);
  }

  group(group) {
    const name = group.kind ? `${group.game}: ${group.kind}` : group.game;
    const counts = [say("practice.due", { n: group.due.length }), say("practice.waiting", { n: group.waiting }), say("practice.solved", { n: group.solved })];
    return h("li", {}, h("span", {}, h("b", {}, name), h("br"), h("small", {}, counts.join(" · "))),
      button(say("practice.begin"), () => this.sitting.begin(group.due), { disabled: !group.due.length, "aria-label": `${say("practice.begin")}: ${name}` }));
  }

  /** Offer to look for mistakes in games that were not examined yet, or show how far that is. */
  async examine(card, { unexamined, examining, trouble }) {
    if (!examining) {
      fill(card, h("p", {}, say("practice.unexamined", { n: unexamined })), trouble && alarm(trouble),
        button(say("practice.examine"), async () => {
          await post("/api/practice", {});
          this.show();
        }));
      return;
    }
    const bar = h("progress", { max: examining[1], "aria-label": say("review.examining") });
    fill(card, h("div", { class: "examining" }, h("p", { role: "status" }, say("review.examining")), bar));
    for (let now = examining; now;) {
      bar.value = now[0] + now[2];
      await new Promise((again) => setTimeout(again, POLL));
      if (!card.isConnected) return;
      now = (await get("/api/practice")).examining;
    }
    if (card.isConnected) this.show();
  }
}

/** Some positions, asked one after the other. */
class Sitting {
  /** @param left Called with the result in words when no position is left, or the person leaves. */
  constructor(main, left) {
    Object.assign(this, { main, left });
    this.board = new Board((key) => this.deciding.take(key));
    this.deciding = new Deciding(this.board, (move) => this.answer(move), () => {});
    this.heading = h("h2", { tabindex: "-1" });
    this.story = h("div", {});
    this.verdict = h("section", { class: "card verdict", hidden: true, "aria-label": say("practice.verdict"), "aria-live": "polite" });
    this.failed = alarm();
    this.solve = button(say("practice.solution"), () => this.solution());
    this.skip = button(say("practice.skip"), () => this.next());
    this.actions = h("div", { class: "row" }, this.solve, this.skip,
      button(say("practice.leave"), () => this.leave()));
    this.element = h("div", { class: "table practising" }, h("div", { class: "play" }, this.board.element),
      h("div", { class: "side" }, h("section", { class: "card" }, this.heading, this.story), this.deciding.element, this.failed, this.verdict, this.actions));
  }

  /** Ask the positions with these keys. */
  begin(keys) {
    Object.assign(this, { keys, place: -1, answered: 0, right: 0 });
    fill(this.main, this.element);
    this.next();
  }

  leave() {
    this.left(this.answered ? say("practice.result", { right: this.right, n: this.answered }) : "");
  }

  async next() {
    this.place += 1;
    if (this.place >= this.keys.length) {
      this.leave();
      return;
    }
    this.failed.textContent = "";
    try {
      this.show(await get(`/api/practice/position?key=${this.keys[this.place]}`));
    } catch (problem) {
      this.failed.textContent = problem.message;
      this.ask(null);
      this.skip.hidden = false;
    }
  }

  show(scene) {
    this.scene = scene;
    this.counts = true; // the first answer counts
    this.wrong = "";
    const when = [scene.when, scene.date].filter(Boolean).join(", ");
    fill(this.heading, `${scene.title}, ${when}`);
    fill(this.story, h("p", {}, say("practice.of", { n: this.place + 1, all: this.keys.length }), scene.kind && ` · ${scene.kind}`),
      scene.events.length > 0 && h("details", {}, h("summary", {}, say("practice.before")),
        list(scene.events.slice(-8).map((event) => `${scene.seats[event.seat]?.name ?? say("events.luck")} ${event.words}`))));
    this.board.show(scene.board);
    this.board.element.style.maxWidth = `max(${LEAST}px, (100vh - 5rem) * ${this.board.ratio})`;
    this.ask(scene);
    this.heading.focus();
  }

  /** Let the person decide; null: nothing is to be decided. */
  ask(scene) {
    this.deciding.element.hidden = !scene;
    this.verdict.hidden = true;
    this.solve.hidden = this.skip.hidden = !scene;
    this.board.mark("hint", []);
    this.deciding.show(scene ?? { ...this.scene, decision: null, question: "", decision_art: "" });
    this.board.mark("last", scene?.last ?? []);
    this.element.dataset.version = `${this.scene?.key} ${scene ? "asked" : "answered"}`;
  }

  /** Hear whether a move was good. */
  async answer(move) {
    const { key } = this.scene;
    const judged = await post("/api/practice/judge", { key, move, counts: this.counts });
    this.count(judged.right);
    this.ask(null);
    this.wrong = judged.right ? "" : judged.move;
    this.tell(judged.right, h("h2", { tabindex: "-1" }, judged.head), h("p", {}, judged.words), judged.back && h("p", { class: "dim" }, judged.back),
      h("div", { class: "row" }, this.onward(), !judged.right && button(say("practice.again"), () => this.ask(this.scene)),
        button(say("practice.solution"), () => this.solution())));
  }

  /** Show the better move, and the reasons for it; who has not answered has not solved the position. */
  async solution() {
    this.solve.disabled = true;
    this.failed.textContent = "";
    try {
      const told = await post("/api/practice/solution", { key: this.scene.key, move: this.wrong, counts: this.counts });
      this.count(false);
      this.ask(null);
      this.board.stage(told.parts);
      this.board.mark("hint", told.parts);
      this.tell(null, h("h2", { tabindex: "-1" }, say("practice.solution_is")), told.back && h("p", { class: "dim" }, told.back),
        h("dl", {}, told.lines.map(([head, words], place) => [h("dt", {}, head === told.lines[place - 1]?.[0] ? "" : head), h("dd", {}, words)])), h("div", { class: "row" }, this.onward()));
    } catch (problem) {
      this.failed.textContent = problem.message;
    } finally {
      this.solve.disabled = false;
    }
  }

  onward() {
    return button(this.place + 1 < this.keys.length ? say("practice.onward") : say("practice.finish"), () => this.next(), { class: "main" });
  }

  count(right) {
    if (!this.counts) return;
    this.counts = false;
    this.answered += 1;
    this.right += right;
  }

  tell(right, ...parts) {
    fill(this.verdict, parts);
    this.verdict.hidden = false;
    this.verdict.classList.toggle("right", right === true);
    this.verdict.classList.toggle("wrong", right === false);
    this.verdict.querySelector("h2").focus();
  }
}
