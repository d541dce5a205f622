"""Whole games of Carcassonne, replayed with lists and flood fill alone."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.carcassonne.position import Follower, LaidFeature, PlacedTile, Position
from sfida.engines.carcassonne.tables import load_data, load_tiles, tile_type
from support.recounts.carcassonne import Placement, free_segments, legal_placements, open_cells, recount, score_turn

TURN = re.compile(r"(?:(?P<seat>\d):)?(?P<code>[A-Z]+)@(?P<x>-?\d+),(?P<y>-?\d+)/(?P<k>[0-3])"
                  r"(?:\+(?P<seg>\w+))?$")


@dataclass(frozen=True)
class TurnReport:
    """A turn of a `ReferenceGame`: the seat, the legal choices, and the points."""

    seat: int
    placements: tuple[Placement, ...]
    deploy_options: tuple[str, ...]
    gains: tuple[int, ...]
    completed: tuple[LaidFeature, ...]


@dataclass
class ReferenceGame:
    """A game replayed turn by turn, with lists and flood fill alone.

    Turns are text: "E@0,-1/2+c0", or "!C" for a tile that was drawn and fits nowhere. A turn that names
    its player ("1:E@0,-1/2") belongs to a position set up by hand: order of play and stacks are not checked.
    """

    options: CarcassonneOptions = field(default_factory=CarcassonneOptions)
    tiles: list[PlacedTile] = field(default_factory=list)
    followers: list[Follower] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    supply: list[int] = field(default_factory=list)
    discarded: list[str] = field(default_factory=list)
    seat: int = 0

    def __post_init__(self) -> None:
        setup = load_data()["setup"]
        start, turned = setup["start_tile"], setup["start_rotation"]
        self.land: Counter[str] = Counter({tile.code: tile.count for tile in load_tiles() if tile.set == "base"})
        self.river: Counter[str] = Counter()
        self.forced: list[str] = []
        if self.options.river:
            self.river = Counter({tile.code: tile.count for tile in load_tiles() if tile.set == "river"})
            self.river -= Counter([setup["river_source_tile"], setup["river_lake_tile"]])
            self.forced = [setup["river_lake_tile"]]
            if self.options.river_start_tile != "shuffled":
                self.land[start] -= 1
            if self.options.river_start_tile == "after_lake":
                self.forced.append(start)
            start, turned = setup["river_source_tile"], setup["river_source_rotation"]
        else:
            self.land[start] -= 1
        x, y = setup["start_position"]
        self.tiles = [PlacedTile(start, x, y, turned)]
        self.scores = [0] * self.options.players
        self.supply = [load_data()["players"]["followers_usable_per_player"]] * self.options.players

    def drawable(self) -> list[str]:
        """Return the codes that may be drawn next; empty when the game is over (CAR-10.1, CAR-12.6)."""
        if +self.river:
            return sorted(+self.river)
        return self.forced[:1] or sorted(+self.land)

    def take(self, code: str) -> None:
        """Take a tile off its stack."""
        if code not in self.drawable():
            raise ValueError(f"{code} cannot be drawn: left are {', '.join(self.drawable())}")
        if +self.river:
            self.river[code] -= 1
        elif self.forced:
            self.forced.pop(0)
        else:
            self.land[code] -= 1

    def discard(self, code: str) -> None:
        """Draw a tile that fits nowhere (CAR-5.9, CAR-11.12, CAR-11.13)."""
        if legal_placements(self.tiles, code, self.options):
            raise ValueError(f"{code} can be placed and so must be (CAR-5.10)")
        self.take(code)
        self.discarded.append(code)

    def play(self, text: str) -> TurnReport | None:
        """Play a turn given as text; None for a discard. Raises ValueError if it is not legal."""
        if text.startswith("!"):
            self.discard(text[1:])
            return None
        parts = TURN.fullmatch(text)
        if parts is None:
            raise ValueError(f"'{text}' is no turn")
        seat = self.seat if parts["seat"] is None else int(parts["seat"])
        if parts["seat"] is None:
            self.take(parts["code"])
        placements = legal_placements(self.tiles, parts["code"], self.options)
        place = (int(parts["x"]), int(parts["y"]), int(parts["k"]))
        if place not in placements:
            raise ValueError(f"{text}: the placement is not legal; legal are {placements}")
        self.tiles.append(PlacedTile(parts["code"], *place))
        free: list[int] = []
        if self.supply[seat]:
            free = free_segments(self.tiles, self.followers, self.options.players, self.options)
        segments = tile_type(parts["code"]).segments
        names = [segments[s].id for s in free]
        if parts["seg"]:
            if parts["seg"] not in names:
                raise ValueError(f"{text}: nobody may be deployed there; free are {names}")
            self.followers.append(Follower(len(self.tiles) - 1, free[names.index(parts["seg"])], seat))
        scoring = score_turn(self.tiles, self.followers, self.options.players, self.options)
        self.followers = list(scoring.followers)
        self.scores = [a + b for a, b in zip(self.scores, scoring.gains, strict=True)]
        out = Counter(follower.seat for follower in self.followers)
        each = load_data()["players"]["followers_usable_per_player"]
        self.supply = [each - out[s] for s in range(self.options.players)]
        self.seat = (seat + 1) % self.options.players
        return TurnReport(seat, tuple(placements), tuple(names), scoring.gains, scoring.completed)

    def position(self) -> Position:
        """Return the position between two turns, with the scores on the track."""
        return Position(
            players=self.options.players, phase="draw" if self.drawable() else "over", seat_on_turn=self.seat,
            tiles=tuple(self.tiles), followers=tuple(self.followers), scores=tuple(self.scores),
            supply=tuple(self.supply), open_places=tuple(open_cells(self.tiles)),
            remaining=dict(+self.land), discarded=tuple(self.discarded))

    def final(self) -> tuple[int, ...]:
        """Return the scores if the game ended now."""
        part = recount(self.position(), self.options).final_part
        return tuple(a + b for a, b in zip(self.scores, part, strict=True))
