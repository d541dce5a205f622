"""Carcassonne with the River as a registered game."""

from __future__ import annotations

from typing import Any, ClassVar

from sfida.cython_ext.carcassonne import CarcassonneState
from sfida.cython_ext.state import GameState
from sfida.engines.carcassonne import notation
from sfida.engines.carcassonne.checks import check_position, check_step
from sfida.engines.carcassonne.explain import explain_scores
from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.carcassonne.position import Follower, PlacedTile, Position
from sfida.engines.carcassonne.rules import build_rules
from sfida.engines.carcassonne.tiles import load_data, load_tiles
from sfida.engines.game import Game, GameOptions


class Carcassonne(Game):
    """Carcassonne (Klaus-Jürgen Wrede) with the River; rules in docs/rules/carcassonne.md."""

    name: ClassVar[str] = "carcassonne"
    title: ClassVar[str] = "Carcassonne with the River"
    rules_version: ClassVar[int] = 1
    options_class: ClassVar[type[GameOptions]] = CarcassonneOptions
    chance_sources: ClassVar[tuple[str, ...]] = ("land stack", "river stack", "first player")

    options: CarcassonneOptions

    def initial_state(self) -> CarcassonneState:
        return CarcassonneState(self, build_rules(self.options))

    def position(self, state: GameState) -> Position:
        """Return the state as plain data."""
        assert isinstance(state, CarcassonneState)
        raw = state.snapshot()
        placements: tuple[tuple[int, int, int], ...] = ()
        if raw["phase"] == "place":
            placements = tuple(sorted((((m >> 16) & 255) - 128, ((m >> 8) & 255) - 128, m & 3)
                                      for m in state.legal_moves()))
        return Position(
            players=self.players,
            phase=raw["phase"],
            seat_on_turn=raw["seat_on_turn"],
            tiles=tuple(PlacedTile(*tile) for tile in raw["tiles"]),
            followers=tuple(Follower(*follower) for follower in raw["followers"]),
            scores=tuple(raw["scores"]),
            supply=tuple(raw["supply"]),
            tile_in_hand=raw["tile_in_hand"],
            open_places=tuple(raw["open_places"]),
            placements=placements,
            deploy_segments=tuple(raw["deploy_segments"]),
            remaining=raw["remaining"],
            river_remaining=raw["river_remaining"],
            discarded=tuple(raw["discarded"]),
        )

    def chance_source(self, state: GameState) -> str:
        assert isinstance(state, CarcassonneState)
        raw = state.snapshot()
        if raw["phase"] == "first":
            return "first player"
        return "river stack" if raw["river_remaining"] else "land stack"

    def format_move(self, state: GameState, move: int) -> str:
        return notation.format_move(self.position(state), move, self.options)

    def parse_move(self, state: GameState, text: str) -> int:
        return notation.parse_move(self.position(state), text, state.legal_moves(), self.options)

    def parse_turn(self, state: GameState, text: str) -> list[int]:
        return notation.parse_turn(self, state, text)

    def describe_move(self, state: GameState, move: int) -> str:
        return notation.describe_move(self.position(state), move, self.options)

    def explain_scores(self, state: GameState) -> list[str]:
        return explain_scores(self.position(state), self.options)

    def verify(self, state: GameState) -> None:
        """Recount the position (debug build); raises AssertionError on a difference."""
        check_position(self.position(state), self.options)

    def verify_step(self, before: GameState, move: int, after: GameState) -> None:
        """Recount what a move did, scores above all (debug build); raises AssertionError on a difference."""
        check_step(self.position(before), move, self.position(after), self.options)

    def seat_name(self, seat: int) -> str:
        return str(load_data()["players"]["colors"][seat]["name_en"])

    def observation(self, state: GameState, seat: int) -> dict[str, Any]:
        position = self.position(state)
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
