"""Carcassonne with the River as a registered game, with its observations and its action space.

Numbers begin with the choice of the first seat; followers by segment (nobody first) follow, then placements by cell,
row by row from the north-west, and rotation. The number does not contain the tile, because the tile in hand is public.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ClassVar

from sfida.cython_ext.carcassonne.core import CarcassonneState
from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.carcassonne.position import Deploy, Draw, First, Place, Position, decode, position_of
from sfida.engines.carcassonne.style import color
from sfida.engines.carcassonne.tables import build_rules, load_tiles
from sfida.engines.game import Game, GameOptions, Part
from sfida.engines.language import N_, _
from sfida.engines.moves import Actions, MoveGroup, NumberedCodes
from sfida.engines.narration import Aid, Cue, Effect, Lesson, LuckCount, Term
from sfida.engines.on_demand import OnDemand, on_demand

if TYPE_CHECKING:
    from sfida.engines.carcassonne import advice, aids, board_svg, board_text, narration, notation, pointing, staging
    from sfida.engines.drawing import svg
else:
    svg = OnDemand("sfida.engines.drawing.svg")
    advice, aids, board_svg, board_text, narration, notation, pointing, staging = on_demand(
        __package__, "advice", "aids", "board_svg", "board_text", "narration", "notation", "pointing", "staging")

# ---- A position as plain data for programs


def observation(position: Position) -> dict[str, Any]:
    """Return the observation of every seat, JSON-able."""
    tiles = load_tiles()
    by_code = {tile.code: tile for tile in tiles}
    return {
        "phase": position.phase,
        "seat_on_turn": position.seat_on_turn,
        "tile_in_hand": position.tile_in_hand,
        "scores": list(position.scores),
        "supply": list(position.supply),
        "tiles": [{"code": t.code, "x": t.x, "y": t.y, "rotation": t.rotation} for t in position.tiles],
        "followers": [
            {"x": position.tiles[f.tile].x, "y": position.tiles[f.tile].y, "seat": f.seat,
             "segment": by_code[position.tiles[f.tile].code].segments[f.segment].id}
            for f in position.followers],
        "remaining": dict(position.remaining),
        "river_remaining": dict(position.river_remaining),
        "discarded": list(position.discarded),
    }


# ---- Moves of Carcassonne as numbers of a fixed action space

SEATS = 5
SEGMENTS = 16                   # bound on the segments of a tile, and one for nobody


@cache
def actions(tiles: int) -> Actions:
    """Return the numbers of the moves of a game.

    Parameters
    ----------
    tiles : int
        Number of tiles in the game. Laid tiles are connected, so tile n lies at most n - 1 steps from the first.
    """
    return NumberedCodes(SEATS + SEGMENTS + 4 * _cells(tiles - 1), partial(_number, tiles - 1))


def _cells(reach: int) -> int:
    return 2 * reach * (reach + 1) + 1


def _number(reach: int, code: int) -> int:
    """Return the number of a move; tiles lie at most `reach` steps from the first."""
    match decode(code):
        case First(seat):
            return seat
        case Deploy(segment):
            return SEATS + (0 if segment is None else segment + 1)
        case Place(_tile, x, y, rotation):
            before = (y + reach) ** 2 if y <= 0 else _cells(reach) - (reach - y + 1) ** 2   # cells of the rows before
            return SEATS + SEGMENTS + 4 * (before + x + reach - abs(y)) + rotation
        case move:
            raise ValueError(f"{move} is luck")


# ---- Carcassonne with the River as a registered game

HELP = N_("""\
E@0,-1/2   tile E east 0, north 1 of the start tile, 2 quarter turns clockwise
0,-1/2     the same without the tile code; 0,-1 will do when only one turn fits
+c0 or "knight north"   deploy a follower;   - or "none"   deploy nobody
0,-1/2+c0 or 7+c0 (by number)   the whole turn in one line""")


class Carcassonne(Game[CarcassonneState]):
    """Carcassonne (Klaus-Jürgen Wrede) with the River; rules in docs/rules/carcassonne.md."""

    name: ClassVar[str] = "carcassonne"
    title: ClassVar[str] = "Carcassonne"
    length: ClassVar[str] = "71 turns in all"
    minutes: ClassVar[tuple[int, ...]] = (30, 45)
    luck: ClassVar[int | None] = 8
    rules_version: ClassVar[int] = 1
    options_class: ClassVar[type[GameOptions]] = CarcassonneOptions
    chance_sources: ClassVar[tuple[str, ...]] = ("land stack", "river stack", "first player")
    aid_kinds: ClassVar[Mapping[str, str]] = {"fits": N_("tiles that fit a place"),
                                              "gaps": N_("places that no tile left can fill"),
                                              "owners": N_("who holds what, and its points"),
                                              "odds": N_("chances to complete it")}

    luck_defaults: ClassVar[dict[str, Any]] = {"steps": 2, "playouts": 32, "cutoff": 4, "trust": 0.65}
    search_defaults: ClassVar[dict[str, Any]] = {
        "cutoff": -1, "informed": 80, "blend": 0.6, "tau": 12.0, "priors": True, "c_prior": 1.0, "fpu": 0.1,
        "decisive": False,              # only the last move can win at once, and agents find that move anyway
        "endgame": 20_000_000, "endgame_pace": 40,  # 6 s; an attempt that turns out too large costs almost nothing
    }
    # with 3 and 5 players playouts to the end gain nothing up to 30 ms per decision (docs/lab/experiments.md)
    search_exceptions: ClassVar[tuple[tuple[dict[str, tuple[Any, ...]], dict[str, Any]], ...]] = (
        ({"players": (3, 5)}, {"cutoff": 7}),
    )
    search_learned: ClassVar[dict[str, Any]] = {
        "cutoff": 12, "blend": 0.2, "foresight": 0.03, "foresee_at": 16, "calibration": 0.65,
    }

    options: CarcassonneOptions

    def __init__(self, options: GameOptions | None = None) -> None:
        super().__init__(options)
        self.options.check()
        if self.options.river:
            self.title = N_("Carcassonne with the River")  # type: ignore[misc]
        self._read: tuple[bytes, Position] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_read": None}         # the cached position may contain what other views hide

    def initial_state(self) -> CarcassonneState:
        return CarcassonneState(self, build_rules(self.options, self.weights))

    def position(self, state: CarcassonneState) -> Position:
        """Return the state as plain data; the last position is cached, because lists call this for each move."""
        key = state.to_bytes()
        read = self._read
        if read is None or read[0] != key:
            self._read = read = key, position_of(state)
        return read[1]

    # ---- rules ----------------------------------------------------------------------------------

    # ---- notation -------------------------------------------------------------------------------

    def format_move(self, state: CarcassonneState, move: int) -> str:
        tiles = load_tiles()
        match decode(move):
            case Draw(number):
                return tiles[number].code if state.can_place(number) else f"!{tiles[number].code}"
            case Place(number, x, y, rotation):
                return f"{tiles[number].code}@{x},{y}/{rotation}"
            case Deploy(None):
                return "-"
            case Deploy(segment):
                return f"+{tiles[state.last_tile_type].segments[segment or 0].id}"
            case First(seat):
                return f"first:{seat}"

    def parse_move(self, state: CarcassonneState, text: str) -> int:
        legal = state.legal_moves()
        for move in legal:              # the texts of format_move, without building a Position
            if self.format_move(state, move) == text:
                return move
        return notation.parse_move(self, state, text)

    def parse_turn(self, state: CarcassonneState, text: str) -> list[int]:
        return notation.parse_turn(self, state, text)

    def describe_move(self, state: CarcassonneState, move: int) -> str:
        return notation.describe_move(state, self.position(state), move)

    def move_labels(self, state: CarcassonneState, moves: Sequence[int]) -> list[str]:
        """Return the labels of the moves; in the draw of the first seat these are the numbers of the seats."""
        seats = [str(move.seat) for move in map(decode, moves) if isinstance(move, First)]
        return seats if moves and len(seats) == len(moves) else super().move_labels(state, moves)

    def move_groups(self, state: CarcassonneState, moves: Sequence[int]) -> list[MoveGroup]:
        return advice.move_groups(moves)

    def move_note(self, state: CarcassonneState, move: int) -> str:
        return advice.move_note(state, move)

    def help_text(self, *, color: bool = False, width: int = 100) -> str:
        return f"{_(HELP)}\n{board_text.legend_text(self.players, color=color, width=width)}"

    def seat_name(self, seat: int) -> str:
        return color(seat).lower()

    def explain_scores(self, state: CarcassonneState) -> list[str]:
        return narration.explain_scores(state, self.options)

    # ---- narration -------------------------------------------------------------------------------

    def effects(self, before: CarcassonneState, move: int, after: CarcassonneState,
                seat: int | None) -> tuple[Effect, ...]:
        if not after.is_over and before.scores() == after.scores():
            return ()                   # only completed features that score are reported
        return narration.effects_of(before, move, after, self.options)

    def cues(self, before: CarcassonneState, move: int, after: CarcassonneState,
             viewer: int | None) -> tuple[Cue, ...]:
        return staging.cues(before, move, after)

    def question(self, state: CarcassonneState, seat: int) -> str:
        return narration.question(self.position(state))

    def aids(self, state: CarcassonneState, viewer: int | None) -> tuple[Aid, ...]:
        return aids.aids_of(state, self.position(state), self.options)

    def luck_counts(self, state: CarcassonneState, outcome: int) -> tuple[LuckCount, ...]:
        match decode(outcome):
            case Draw(number):
                chart = _("Tiles of {seat}").format(seat=self.seat_name(self.position(state).seat_on_turn))
                return (LuckCount(chart, narration.kind_of(load_tiles()[number])),)
        return ()

    def standing(self, state: CarcassonneState, seat: int, viewer: int) -> tuple[Term, ...]:
        return advice.standing(state, seat)

    def introduction(self) -> str:
        return advice.introduction(self.options)

    def lesson(self, state: CarcassonneState, seat: int) -> Lesson | None:
        return advice.lesson(state, self.options)

    # ---- drawing ---------------------------------------------------------------------------------

    def board_text(self, state: CarcassonneState, *, seat: int | None = None, color: bool = False,
                   width: int = 100, labels: bool = False) -> str:
        return board_text.board_text(self.position(state), tiles=load_tiles(), seat=seat, color=color, width=width,
                                     labels=labels)

    def low_board_text(self, state: CarcassonneState, height: int, *, seat: int | None = None, color: bool = False,
                       width: int = 100, labels: bool = False) -> str:
        return board_text.board_text(self.position(state), tiles=load_tiles(), seat=seat, color=color, width=width,
                                     labels=labels, height=height)

    def board_svg(self, state: CarcassonneState, *, seat: int | None = None, size: int = 800,
                  labels: bool = False) -> str:
        position = self.position(state)
        drawn = board_svg.board_svg(position, tiles=load_tiles(), seat=seat, size=size, labels=labels)
        if labels and seat is not None and seat == state.to_move:
            drawn = svg.with_ghosts(drawn, staging.ghosts(state, position, size))
        return self._with_choices(drawn, state, seat, labels)

    def move_parts(self, state: CarcassonneState, moves: Sequence[int]) -> dict[int, tuple[Part, ...]]:
        position = self.position(state)
        return {move: pointing.parts_of(state, position, move) for move in moves}

    def goes_on(self, state: CarcassonneState, move: int) -> bool:
        return isinstance(decode(move), Place)

    def event_parts(self, before: CarcassonneState, move: int, viewer: int | None) -> tuple[str, ...]:
        return pointing.touched(self.position(before), move)

    def draw_chance(self, state: CarcassonneState, move: int, *, color: bool = False) -> str:
        match decode(move):
            case Draw(number):
                return board_text.tile_rotations_text(load_tiles()[number].code, tiles=load_tiles(), color=color)
        return ""

    def draw_decision(self, state: CarcassonneState, *, color: bool = False, width: int = 100) -> str:
        position = self.position(state)
        if position.phase == "deploy":
            return board_text.deploy_text(position, tiles=load_tiles(), color=color, width=width)
        if position.phase == "place" and position.tile_in_hand is not None:
            fitting = {rotation for _, _, rotation in position.placements}
            return board_text.tile_rotations_text(position.tile_in_hand, tiles=load_tiles(), color=color, width=width,
                                                  fitting=fitting)
        return ""

    def status_text(self, state: CarcassonneState, *, seat: int | None = None, color: bool = False,
                    width: int = 100) -> str:
        return board_text.status_text(self.position(state), tiles=load_tiles(), seat=seat, color=color, width=width)

    def stock_text(self, state: CarcassonneState, *, seat: int | None = None, color: bool = False,
                   width: int = 100) -> str:
        return board_text.remaining_text(self.position(state), tiles=load_tiles(), color=color, width=width)

    # ---- knowledge ------------------------------------------------------------------------------

    @property
    def actions(self) -> Actions:
        return actions(sum(tile.count for tile in load_tiles() if self.options.river or tile.set != "river"))

    def observation(self, state: CarcassonneState, seat: int) -> dict[str, Any]:
        return observation(position_of(state, features=False))

    def decisions_left(self, state: CarcassonneState, seat: int) -> float:
        """Return the expected number of decisions: the seat's remaining tiles, each with a quick follower decision."""
        position = self.position(state)
        tiles = sum(position.remaining.values()) + sum(position.river_remaining.values())
        return 1.0 + 1.3 * tiles / self.players
