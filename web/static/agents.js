// Opponents in words.

import { say } from "./words.js";

const LEVELS = 10;

/** Return the entries of a choice of levels. */
export const levelEntries = () =>
  Array.from({ length: LEVELS }, (_, i) => [`level:${i + 1}`, say("agents.level", { n: i + 1 })]);

/** Return what a spec of an agent means, as far as the page has words for it. */
export function agentWords(spec) {
  if (!spec || spec === "human") return say("agents.person");
  const level = spec.match(/^level:(?:level=)?(\d+|auto)$/)?.[1];
  if (level === "auto") return say("agents.auto");
  return level ? say("agents.level", { n: level }) : spec;
}
