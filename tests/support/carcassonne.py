"""Helpers of the Carcassonne tests: positions set up by hand and whole games through the compiled core."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from sfida.engines.carcassonne.game import Carcassonne
from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.carcassonne.position import Position
from sfida.engines.carcassonne.tables import load_data, load_tiles

CODES = [tile.code for tile in load_tiles()]
TURN = re.compile(r"(?:(\d):)?([A-Z]+)@(-?\d+),(-?\d+)/([0-3])(?:\+(\w+))?")


@dataclass
class Turn:
    """The results of one played turn: the free segments, the points per seat, whether a follower was asked for."""

    free: list[str]
    gains: list[int]
    asked: bool


class Table:
    """A game of Carcassonne played by notation, turn after turn.

    A turn that names its player ("1:E@0,-1/2+c0") puts that player on turn with that tile in hand, as in the
    worked examples of the rules; otherwise the order of play and the stacks apply.
    """

    def __init__(self, **options: Any) -> None:
        self.options = CarcassonneOptions(**options)
        self.game = Carcassonne(self.options)
        self.state: Any = self.game.initial_state()

    @property
    def position(self) -> Position:
        return self.game.position(self.state)

    def hand(self, seat: int, code: str) -> None:
        """Put a seat on turn with a tile in hand."""
        self.state.setup_turn(seat, CODES.index(code))

    def placements(self, code: str, seat: int = 0) -> list[tuple[int, int, int]]:
        """Return the legal placements of a tile in the current position."""
        if not self.state.can_place(CODES.index(code)):
            return []
        twin = self.state.clone()
        twin.setup_turn(seat, CODES.index(code))
        return list(self.game.position(twin).placements)

    def draw(self, code: str) -> None:
        """Draw a tile from its stack."""
        self.state.apply(self.state.parse(code))

    def play(self, text: str) -> Turn:
        """Play a whole turn."""
        parts = TURN.fullmatch(text)
        assert parts is not None, text
        if parts[1] is not None:
            self.hand(int(parts[1]), parts[2])
        else:
            self.draw(parts[2])
        before = list(self.state.scores())
        seat = self.state.to_move
        self.state.apply(self.state.parse(f"{parts[2]}@{parts[3]},{parts[4]}/{parts[5]}"))
        position = self.position
        asked = position.phase == "deploy"
        free: list[str] = []
        if asked:
            assert position.seat_on_turn == seat
            segments = load_tiles()[CODES.index(parts[2])].segments
            free = [segments[s].id for s in position.deploy_segments]
            self.state.apply(self.state.parse(f"+{parts[6]}" if parts[6] else "-"))
        else:
            assert not parts[6], f"{text}: nobody was asked to deploy"
        after = self.state.final_scores_now()["scores"]
        return Turn(free, [b - a for a, b in zip(before, after, strict=True)], asked)

    def run(self, *turns: str) -> Turn:
        """Play turns; return the last one."""
        for text in turns:
            turn = self.play(text)
        return turn

    def if_over(self) -> dict[str, list[int]]:
        """Return the result if the game ended now."""
        result: dict[str, list[int]] = self.state.final_scores_now()
        return result

    def supply(self) -> list[int]:
        return list(self.position.supply)


def figures(state: Any) -> list[tuple[str, int, int, int, tuple[int, ...]]]:
    """Return kind, tiles (0 for farms), open sides, shields and followers by seat of each road, city and farm."""
    return sorted((one.kind, 0 if one.kind == "field" else len(one.tiles), one.open_edges, one.shields, one.followers)
                  for one in state.game.position(state).features if one.kind != "monastery")


def vector(name: str) -> dict[str, Any]:
    """Return the worked example with an id in the data file."""
    return next(v for v in load_data()["vector"] if v["id"] == name)


def golden(name: str) -> dict[str, Any]:
    """Return the reference game with an id in the data file."""
    return next(g for g in load_data()["golden_game"] if g["id"] == name)


def random_moves(table: Table, seed: int, until: int | None = None) -> None:
    """Play uniformly random moves, with draws by weight, until `until` tiles lie on the table or the game is over."""
    from random import Random

    rng = Random(seed)
    state = table.state
    while not state.is_over:
        if state.is_chance:
            outcomes = state.chance_outcomes()
            if until is not None and len(table.position.tiles) >= until:
                return
            state.apply(rng.choices([code for code, _ in outcomes], [n for _, n in outcomes])[0])
        else:
            state.apply(rng.choice(state.legal_moves()))


def after(name: str, turns: int | None = None, draw: str | None = None) -> Position:
    """Return a reference game after some turns, with one more tile drawn if asked."""
    game = golden(name)
    table = Table(players=game["players"], river=game["river"])
    for text in game["moves"][:turns]:
        if text.startswith("!"):
            table.draw(text)
        else:
            table.play(text)
    if draw is not None:
        table.draw(draw)
    return table.position
