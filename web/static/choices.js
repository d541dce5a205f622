// What was chosen for a game the last time, as this browser remembers it, and the request that opens such a table.

import { post } from "./api.js";
import { agentWords, say } from "./words.js";

const KEY = "choices";
const USUAL = "level:3"; // the opponent of a first game

export const FRIEND = "friend";
export const OTHER = "other";

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

/** Return the game that was played last, of those that there are; undefined for none. */
export const lastGame = (games) => games.find((game) => game.name === remembered().last);

/** Return what was chosen for a game last, or what suits a first game: how many play, who sits where, which rules. */
export function lastChoices(game) {
  const kept = remembered().games?.[game.name];
  const players = game.options.find((option) => option.key === "players");
  const count = game.players.includes(kept?.count) ? kept.count : (players?.default ?? game.players[0]);
  const seats = Array.isArray(kept?.seats) ? kept.seats.filter((seat) => typeof seat?.kind === "string") : [];
  const keys = game.options.map((option) => option.key);
  return { count, seats: withSeats(game, seats, count), values: Object.fromEntries(Object.entries(kept?.values ?? {}).filter(([key]) => keys.includes(key))) };
}

/** Return seats with as many more as a number of players needs: a person first, then opponents. */
export const withSeats = (game, seats, count) => Array.from({ length: Math.max(count, seats.length) }, (_, seat) =>
  seats[seat] ?? { kind: seat === 0 ? "human" : game.levels === false ? OTHER : USUAL, spec: game.levels === false ? "greedy" : "" });

/** Remember what was chosen for a game, which is now the one that was played last. */
function remember(game, { count, seats, values }) {
  const kept = remembered();
  localStorage.setItem(KEY, JSON.stringify({ last: game.name, games: { ...kept.games, [game.name]: { count, seats, values } } }));
}

/** Return the spec of a game with the chosen rules. */
export const specOf = (game, { count, values }) =>
  `${game.name}:${[`players=${count}`, ...Object.entries(values).map(([key, value]) => `${key}=${value}`)].join(",")}`;

/** Return the seats of friends among the chosen ones. */
export const friendsOf = ({ count, seats }) => seats.slice(0, count).flatMap(({ kind }, seat) => (kind === FRIEND ? [seat] : []));

const agentOf = ({ kind, spec }) => (kind === FRIEND ? "human" : kind === OTHER ? spec.trim() : kind);

/** Open a table with what was chosen, and remember it; `more` are further fields of the request. */
export async function openWith(game, choices, more = {}) {
  const friends = friendsOf(choices);
  const table = await post("/api/tables", {
    game: specOf(game, choices), seats: choices.seats.slice(0, choices.count).map(agentOf),
    ...(friends.length ? { invited: friends } : {}), ...more,
  });
  remember(game, choices);
  return table;
}

/** Return in words who plays against whom. */
export function choicesWords({ count, seats }) {
  const names = seats.slice(0, count).map((seat) => (seat.kind === FRIEND ? say("new.a_friend") : seat.kind === "human" ? say("new.somebody") : agentWords(agentOf(seat))));
  const own = seats.findIndex((seat) => seat.kind === "human");
  if (own < 0 || own >= count) return names.join(", ");
  names.splice(own, 1);
  const counted = [...new Set(names)].map((name) => {
    const times = names.filter((other) => other === name).length;
    return times > 1 ? `${times} × ${name}` : name;
  });
  return say("new.against", { others: counted.join(", ") });
}
