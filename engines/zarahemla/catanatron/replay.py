"""A game of catanatron replayed in Sfida's engine, with catanatron's measure of the Longest Road (ZAR-24.6, 24.7)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from sfida.cython_ext.errors import IllegalMove
from sfida.cython_ext.zarahemla.core import ZarahemlaState
from sfida.cython_ext.zarahemla.parameters import CARD_NAMES
from sfida.engines.zarahemla.catanatron.library import cards_of, hand_of, names, part, playable, replay_game
from sfida.engines.zarahemla.catanatron.steps import (
    DISCARDS, Discards, LoggedStep, Plan, is_discarding, plan_of, plans, step_of
)
from sfida.engines.zarahemla.position import decode, encode, position_of
from sfida.engines.zarahemla.tables import corners_of_edge

# ---- catanatron's measure of the Longest Road, defects included (ZAR-24.6), for an exact comparison

MINIMUM = 5


class RoadEmulation:
    """Lengths and holder of the Longest Road as catanatron counts them.

    Parameters
    ----------
    players : int

    Attributes
    ----------
    lengths : list of int
        Stored lengths by seat: a length decreases only when the road is cut.
    holder : int
        Seat, or -1.
    """

    def __init__(self, players: int) -> None:
        self.lengths: list[int] = [0] * players
        self.holder: int = -1
        self._best = 0
        self._owner: dict[int, int] = {}                # owner of each edge
        self._site: dict[int, int] = {}                 # owner of each corner
        self._counted: list[set[int]] = [set() for _ in range(players)]
        self._at: dict[int, list[tuple[int, int]]] = {}  # corner -> (edge, other corner)
        for edge, (a, b) in enumerate(corners_of_edge()):
            self._at.setdefault(a, []).append((edge, b))
            self._at.setdefault(b, []).append((edge, a))

    def build_road(self, seat: int, edge: int) -> None:
        """Update the lengths after a seat has built a road."""
        self._owner[edge] = seat
        self._counted[seat].update(c for c in corners_of_edge()[edge] if not self._is_enemy(c, seat))
        length = self._longest(seat)
        self.lengths[seat] = max(self.lengths[seat], length)
        if length >= MINIMUM and length > self._best:
            self.holder, self._best = seat, length

    def build_settlement(self, seat: int, corner: int) -> None:
        """Update the lengths after a seat has built a settlement, which may cut another seat's road."""
        self._site[corner] = seat
        self._counted[seat].add(corner)
        for other in range(len(self.lengths)):
            cut = [far for edge, far in self._at[corner] if self._owner.get(edge) == other]
            if other == seat or len(cut) != 2:
                continue
            for start in cut:
                self._counted[other] |= self._walk(other, start)
            self.lengths[other] = self._longest(other)
            self._best = max(self.lengths)
            self.holder = self.lengths.index(self._best)

    def _is_enemy(self, corner: int, seat: int) -> bool:
        return self._site.get(corner, seat) != seat

    def _walk(self, seat: int, start: int) -> set[int]:
        """Return the corners reached on own roads without passing an opponent's corner."""
        seen, agenda = set(), [start]
        while agenda:
            corner = agenda.pop()
            seen.add(corner)
            if not self._is_enemy(corner, seat):
                agenda += [far for edge, far in self._at[corner] if self._owner.get(edge) == seat and far not in seen]
        return seen

    def _longest(self, seat: int) -> int:
        """Return the length of the longest trail from a counted corner that enters no opponent's corner."""

        def trail(corner: int, used: frozenset[int]) -> int:
            return max((1 + trail(far, used | {edge}) for edge, far in self._at[corner]
                        if edge not in used and self._owner.get(edge) == seat and not self._is_enemy(far, seat)),
                       default=0)

        return max(trail(corner, frozenset()) for corner in self._counted[seat])


# ---- A game of catanatron replayed in Sfida's engine, action by action, with all differences noted (ZAR-24.7)

# Causes that are differences of the rules (ZAR-24.4).
BEFORE_DICE = "24.4 c: a card other than the Knight before the dice"
NO_MONEY = "24.4 e: Road Building without the cost of a road in hand"
ONE_CARD = "24.4 f: one card of Bountiful Harvest where two can be had"
ROAD_HOLDER = "24.4 n, o: who has the Longest Road"
PAST_BUILDING = "after 3.2: a road past another's building (ZAR-8.3)"
EXPECTED = (BEFORE_DICE, NO_MONEY, ONE_CARD, ROAD_HOLDER, PAST_BUILDING)


class Replay:
    """Follows one game of catanatron from its start.

    Parameters
    ----------
    game : object
        A `catanatron.Game` before its first action.

    Attributes
    ----------
    state : ZarahemlaState
        Sfida's position.
    differences : Counter
        Causes found so far: those of `EXPECTED`, and others in words.
    actions, comparisons : int
        Actions replayed, and lists of legal moves compared.
    broken : bool
        An action was not legal in Sfida, so the rest cannot be followed.
    """

    def __init__(self, game: Any) -> None:
        self.game = game
        self.state: ZarahemlaState = replay_game(game).initial_state()
        self.differences: Counter[str] = Counter()
        self.actions: int = 0
        self.comparisons: int = 0
        self.broken: bool = False
        self._road = RoadEmulation(len(game.state.colors))
        self._road_differs = False
        self._discards = Discards()

    def compare_legal(self) -> None:
        """Compare the legal moves before an action, except during discards, which are no choice in catanatron."""
        if self.broken or self.game.state.is_discarding:
            return
        self.comparisons += 1
        theirs = {plan_of(action, self.game.state.colors) for action in playable(self.game)}
        ours = plans(self.state)
        self.differences.update(self._missing(plan) for plan in theirs - ours)
        self.differences.update(self._surplus(plan) for plan in ours - theirs)

    def follow(self, entry: Any) -> None:
        """Play the latest action of catanatron, and compare the positions.

        Parameters
        ----------
        entry : object
            Result of ``Game.execute``.
        """
        if self.broken:
            return
        self.actions += 1
        step = step_of(entry, self.game.state.colors)
        try:
            if step.kind in DISCARDS:
                self._discards.add(step.seat, step.moves)
                if self.game.state.is_discarding:
                    return
                self._discards.play(self.state)
                self._discards.clear()
            else:
                self._play(step)
        except IllegalMove:
            past = self._is_past_building(step.moves, step.seat)
            self.differences[PAST_BUILDING if past else f"not legal for us: {step.kind}"] += 1
            self.broken = True
            return
        self._compare()

    def _play(self, step: LoggedStep) -> None:
        for code in step.moves:
            self.state.apply(code)
            move = decode(code)
            if move.kind == "road":
                self._road.build_road(step.seat, move.arg)
            elif move.kind == "settle":
                self._road.build_settlement(step.seat, move.arg)
        if step.kind == "PLAY_YEAR_OF_PLENTY" and encode("take_stop") in self.state.legal_moves():
            self.state.apply(encode("take_stop"))

    def _missing(self, plan: Plan | None) -> str:
        """Name the cause of a move that only catanatron allows."""
        if plan and self._is_past_building(plan, self.state.to_move):
            return PAST_BUILDING
        kinds = "an unknown action" if plan is None else ", ".join(decode(code).kind for code in plan)
        return f"only catanatron allows {kinds}"

    def _is_past_building(self, plan: Plan, seat: int) -> bool:
        """Return whether a move is a road without an own end, except at another player's building."""
        move = decode(plan[0])
        if move.kind != "road":
            return False
        owner = {corner: who for corner, who, _ in position_of(self.state).buildings}
        return any(owner.get(corner, seat) != seat for corner in corners_of_edge()[move.arg])

    def _surplus(self, plan: Plan) -> str:
        """Name the cause of a move that only Sfida allows."""
        kind = decode(plan[0]).kind
        if kind == "play_harvest" and len(plan) == 2:
            return ONE_CARD
        if kind.startswith("play_") and self.state.phase == "pre_roll" and kind != "play_warrior":
            return BEFORE_DICE
        if kind == "play_road_building" and min(self.state.hand(self.state.to_move)[:2]) == 0:
            return NO_MONEY
        return f"only we allow {', '.join(decode(code).kind for code in plan)}"

    def _compare(self) -> None:
        """Compare the positions, except for the road."""
        theirs, ours = self.game.state, position_of(self.state)
        table = names()
        found = {
            "bank": (list(theirs.resource_freqdeck), list(ours.bank)),
            "robber": (table.hex[tuple(theirs.board.robber_coordinate)], ours.robber),
            "deck": (_by_type(Counter(theirs.development_listdeck)), self.state.deck_cards()),
            "buildings": (sorted((table.corner[node], theirs.colors.index(color), kind.lower())
                                 for node, (color, kind) in theirs.board.buildings.items()), list(ours.buildings)),
            "roads": (sorted({(table.edge[pair], theirs.colors.index(color))
                              for pair, color in theirs.board.roads.items()}), list(ours.roads)),
        }
        if not is_discarding(self.state):
            found["player to decide"] = (theirs.current_player_index, self.state.to_move)
        for seat, row in enumerate(ours.seats):
            given = {name: theirs.player_state[f"P{seat}_{name}"] for name in (
                "ROADS_AVAILABLE", "SETTLEMENTS_AVAILABLE", "CITIES_AVAILABLE", "HAS_ARMY", "HAS_ROAD",
                "VICTORY_POINTS", "ACTUAL_VICTORY_POINTS")}
            held = self.state.dev_cards(seat)[0]
            points = row.points - 2 * row.longest_road
            road = 2 * given["HAS_ROAD"]
            found[f"hand of seat {seat}"] = (hand_of(self.game, seat), self.state.hand(seat))
            found[f"cards of seat {seat}"] = (_by_type(cards_of(self.game, seat)), held)
            found[f"cards played by seat {seat}"] = (
                _by_type(cards_of(self.game, seat, played=True)),
                [dict(row.played).get(name, 0) for name in CARD_NAMES])
            found[f"pieces of seat {seat}"] = (
                [given["ROADS_AVAILABLE"], given["SETTLEMENTS_AVAILABLE"], given["CITIES_AVAILABLE"]],
                [row.roads_left, row.settlements_left, row.cities_left])
            found[f"army of seat {seat}"] = (given["HAS_ARMY"], row.largest_army)
            found[f"points of seat {seat}, the road apart"] = (
                (given["VICTORY_POINTS"] - road, given["ACTUAL_VICTORY_POINTS"] - road),
                (points, points + held[table.card["VICTORY_POINT"]]))
            found[f"road of seat {seat}, as catanatron counts"] = (
                (theirs.board.road_color == theirs.colors[seat], theirs.board.road_lengths.get(theirs.colors[seat], 0)),
                (self._road.holder == seat, self._road.lengths[seat]))
        self.differences.update(f"differs: {what}" for what, (theirs_, ours_) in found.items() if theirs_ != ours_)
        if not self._road_differs and any(
                theirs.player_state[f"P{seat}_HAS_ROAD"] != ours.seats[seat].longest_road
                for seat in range(len(theirs.colors))):
            self._road_differs = True
            self.differences[ROAD_HOLDER] += 1

    def run(self) -> Counter[str]:
        """Play the game to its end in catanatron, comparing everything; return the differences.

        The seats of the table decide. A game ends with a winner or at catanatron's limit of turns.
        """
        limit = part("game").TURNS_LIMIT
        while self.game.winning_color() is None and self.game.state.num_turns < limit and not self.broken:
            self.compare_legal()
            self.follow(self.game.play_tick())
        return self.differences


def _by_type(cards: Any) -> list[int]:
    """Return counts by catanatron's names as Sfida's seven counts."""
    counts = [0] * 7
    for name, n in cards.items():
        counts[names().card[name]] = n
    return counts
