// How a move is built by pointing at its parts, one after the other. Knows nothing of the page.

/** The way to a move of a decision. */
export class Choosing {
  /** @param decision The moves with their paths, and the words of all parts. */
  constructor(decision) {
    this.moves = decision.moves;
    this.parts = decision.parts;
    this.chosen = [];
    this.marks = []; // how many parts were chosen before each step of the person
  }

  /** The moves that are still possible. */
  get left() {
    return this.moves.filter((move) => this.chosen.every((key, place) => move.path[place] === key));
  }

  /** The move, once all its parts are chosen; null before. */
  get move() {
    const [first] = this.left;
    return this.left.length === 1 && first.path.length === this.chosen.length ? first : null;
  }

  /** What can be pointed at now: keys with their words, and the move where one is then left. */
  options() {
    const found = new Map();
    for (const move of this.left) {
      const key = move.path[this.chosen.length];
      if (key === undefined) continue;
      if (found.has(key)) found.get(key).move = null;
      else found.set(key, { key, words: this.wordsOf(key), picture: this.parts[key]?.picture ?? "", move });
    }
    return [...found.values()];
  }

  /** The words of a part. */
  wordsOf(key) {
    return this.parts[key]?.words || key;
  }

  /**
   * Point at a part: the next one, or the first of another move. What leaves no choice is chosen, too.
   *
   * Returns whether the part stood for anything.
   */
  take(key) {
    const next = this.options().some((option) => option.key === key);
    if (!next && !this.moves.some((move) => move.path[0] === key)) return false;
    if (!next) this.clear();
    this.marks.push(this.chosen.length);
    this.chosen.push(key);
    for (let options = this.options(); options.length === 1; options = this.options()) this.chosen.push(options[0].key);
    return true;
  }

  /** Take the last step back; false if there was none. */
  back() {
    if (!this.marks.length) return false;
    this.chosen.length = this.marks.pop();
    return true;
  }

  clear() {
    this.chosen = [];
    this.marks = [];
  }
}
