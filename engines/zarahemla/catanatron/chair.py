"""The information of a seat at a table of catanatron, as a position of Sfida (ZAR-17).

A chair reads the log as its seat saw it, its own hand and the sizes of the other hands, and nothing else. From these
it derives consistent whole positions: a world for every possible combination of hands, with development cards dealt
in some way that agrees with the cards played since. Any of these worlds, redacted for the seat, is its information.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from sfida.cython_ext.errors import IllegalMove
from sfida.cython_ext.zarahemla.core import ZarahemlaState
from sfida.engines.zarahemla.catanatron.library import LostTrack, hand_of, log_of, names, played_game, replay_game
from sfida.engines.zarahemla.catanatron.steps import (
    CARD_PLAYS, DISCARDS, UNSEEN, Discards, LoggedStep, is_discarding, step_of
)
from sfida.engines.zarahemla.position import decode, encode, position_of
from sfida.engines.zarahemla.tables import load_data

LOST = ("catanatron's game went on in a way that the rules here do not allow (see docs/measure/catanatron.md); "
        "this seat cannot follow it")
CARD_ROADS = 2                          # free roads per card


class Chair:
    """Follows one game of catanatron from one seat.

    Parameters
    ----------
    game : object
        A `catanatron.Game`.
    seat : int
        Number of the seat, in the order of the game's ``state.colors``.

    Attributes
    ----------
    events : list of (int, int, ZarahemlaState)
        Every event so far: actor (-1: chance), code, and the position after it, all in one possible world. When a card
        that was bought turns out to be another one, a new list starts from the beginning.
    strays : int
        Number of roads that the table allowed past another player's building, against Sfida's rules (ZAR-8.3).
    """

    def __init__(self, game: Any, seat: int) -> None:
        self.seat = seat
        self._colors = tuple(game.state.colors)
        self._follows = replay_game(game)
        self._plays = played_game(game)
        self._steps: list[LoggedStep] = []
        self._dealt: list[int] = []     # codes assumed for the cards that others bought
        self._seen: dict[int, tuple[tuple[int, ...], list[int]]] = {}   # own hand and all sizes, by steps read
        self._restart()

    def _restart(self) -> None:
        self._worlds: list[ZarahemlaState] = [self._follows.initial_state()]
        self._discards = Discards()
        self._followed = 0
        self._dealt_used = 0
        self._free_roads = 0            # free roads left to the seat on turn by a card
        self.strays: int = 0
        self.events: list[tuple[int, int, ZarahemlaState]] = []

    def read(self, game: Any) -> None:
        """Read the actions since the last call.

        Raises
        ------
        CatanatronError
            If players trade with each other.
        LostTrack
            If the table played a move that Sfida's rules do not allow, other than a stray road.
        """
        new = [step_of(entry, self._colors).seen_by(self.seat) for entry in log_of(game)[len(self._steps):]]
        self._steps += new
        dealt = self._deal()
        if dealt[:self._dealt_used] != self._dealt[:self._dealt_used]:
            self._restart()
        self._dealt = dealt
        if not game.state.is_discarding:
            sizes = [sum(hand_of(game, i)) for i in range(len(self._colors))]
            self._seen[len(self._steps)] = hand_of(game, self.seat), sizes
        for step in self._steps[self._followed:]:
            self._worlds = self._after(step)
            self._followed += 1
            if self._followed in self._seen:
                self._worlds = self._fitting(*self._seen[self._followed])
            if not self._worlds:
                raise LostTrack(LOST)

    def worlds(self, game: Any) -> list[ZarahemlaState]:
        """Return the possible positions, with the rules that the agent plays by.

        The Longest Road has the holder that the table sees. During the seat's own discard, seats that the table asks
        later have already given away some legal cards.

        Raises
        ------
        LostTrack
            If no world is possible.
        """
        holder = next((i for i in range(len(self._colors)) if game.state.player_state[f"P{i}_HAS_ROAD"]), -1)
        found = []
        for world in self._worlds:
            state = self._as_played(world)
            if is_discarding(state):
                try:
                    self._discards.play(state, until=self.seat)
                except IllegalMove:
                    continue            # a seat gave a card that it does not hold in this world
            road, army, temple = position_of(state).holders
            if road != holder:
                state.set_holders((holder, army, temple))
            found.append(state)
        if not found:
            raise LostTrack(LOST)
        return found

    def _as_played(self, world: ZarahemlaState) -> ZarahemlaState:
        """Return a world with the rules that the agent plays by."""
        state = self._plays.initial_state()
        state.load(world.to_bytes())
        return state

    # ---- development cards --------------------------------------------------------------------------

    def _deal(self) -> list[int]:
        """Return a card for each one that others bought, in the order of the log.

        A seat's first cards are the cards that it has played since; the others come from the cards that no other seat
        has shown, victory points last.
        """
        played: dict[int, list[int]] = {}
        deck = load_data()["dev_decks"][self._follows.ruleset.dev_deck]
        pool = Counter(dict(enumerate(deck)))
        bought: list[int] = []
        for step in self._steps:
            if step.kind in CARD_PLAYS:
                card = names().card[CARD_PLAYS[step.kind]]
                played.setdefault(step.seat, []).append(card)
                if step.seat != self.seat:
                    pool[card] -= 1
            elif step.kind == "BUY_DEVELOPMENT_CARD":
                if step.seat == self.seat:
                    pool[decode(step.moves[-1]).arg] -= 1
                else:
                    bought.append(step.seat)
        rest = iter(sorted(pool.elements()))
        shown = {seat: iter(cards) for seat, cards in played.items()}
        dealt = []
        for seat in bought:
            early = next(shown[seat], None) if seat in shown else None
            dealt.append(encode("draw_dev", next(rest) if early is None else early))
        return dealt

    # ---- worlds ---------------------------------------------------------------------------------------

    def _after(self, step: LoggedStep) -> list[ZarahemlaState]:
        """Return the worlds after a step, without the worlds that it contradicts."""
        if step.kind in DISCARDS:
            self._discards.add(step.seat, step.moves)
            return self._worlds
        worlds = self._worlds
        if self._discards.cards:
            worlds = self._played(worlds, None)
            self._discards.clear()
        for code in step.moves:
            if step.kind == "BUILD_ROAD":
                worlds = self._with_road(worlds, code)
            elif code != UNSEEN:
                worlds = self._played(worlds, code)
            elif step.kind == "BUY_DEVELOPMENT_CARD":
                code = self._dealt[self._dealt_used]
                self._dealt_used += 1
                worlds = self._played(worlds, code)
            else:
                noted = len(self.events) + 1
                worlds = [after for world in worlds for card, _ in world.chance_outcomes()
                          for after in self._played([world], card)]
                del self.events[noted:]         # the seat saw that one card was taken, but not which
        if step.kind in ("PLAY_ROAD_BUILDING", "END_TURN"):
            self._free_roads = CARD_ROADS if step.kind == "PLAY_ROAD_BUILDING" else 0
        elif step.kind == "PLAY_YEAR_OF_PLENTY":
            for number, world in enumerate(worlds):
                if encode("take_stop") in world.legal_moves():
                    world.apply(encode("take_stop"))
                    if number == 0:
                        self.events.append((step.seat, encode("take_stop"), self._as_played(world)))
        apart: dict[tuple[tuple[int, ...], ...], ZarahemlaState] = {}
        for world in worlds:
            apart.setdefault(tuple(world.hand(i) for i in range(world.players)), world)
        return [apart[hands] for hands in sorted(apart)]

    def _fitting(self, hand: tuple[int, ...], sizes: list[int]) -> list[ZarahemlaState]:
        """Return the worlds in which the seat has the given hand and the hands have the given sizes.

        The cards taken by a Monopoly are visible only in the sizes, and the next Monopoly may hide them. So the hand
        and the sizes seen at each read are checked again when the chair starts again.
        """
        worlds = self._worlds
        if self._discards.cards:
            worlds = self._played(worlds, None)
            self._discards.clear()
        return [world for world in worlds if world.hand(self.seat) == hand
                and [sum(world.hand(i)) for i in range(len(sizes))] == sizes]

    def _with_road(self, worlds: list[ZarahemlaState], code: int) -> list[ZarahemlaState]:
        """Return the worlds after a road.

        Versions after 3.2.1 let a road continue past the building that has cut it. The chair accepts such a road. If
        the card's other road could go nowhere else, Sfida's rules have already ended the card, so the road is free.
        """
        free, self._free_roads = self._free_roads > 0, max(0, self._free_roads - 1)
        due = not free or all(world.phase == "free_roads" for world in worlds)
        found = self._played(worlds, code) if due else []
        if found:
            return found
        self.strays += 1
        return self._played(worlds, code, lambda world: world.lay_road(decode(code).arg, free=free))

    def _played(self, worlds: Iterable[ZarahemlaState], code: int | None,
                apply: Callable[[ZarahemlaState], None] | None = None) -> list[ZarahemlaState]:
        """Return copies of the worlds in which a move was legal, after the move (None: the discards); note the event.

        `apply` plays the move in a way that differs from the rules.
        """
        found: list[ZarahemlaState] = []
        for world in worlds:
            after, events = world.clone(), list[tuple[int, int, ZarahemlaState]]()
            try:
                if code is None:
                    for seat, card in self._discards.events(after):
                        events.append((seat, card, self._as_played(after)))
                else:
                    seat = after.to_move
                    if apply is None:
                        after.apply(code)
                    else:
                        apply(after)
                    events.append((seat, code, self._as_played(after)))
            except IllegalMove:
                continue
            if not found:
                self.events += events
            found.append(after)
        return found
