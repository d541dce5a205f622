"""Attila as a registered game."""

from __future__ import annotations

from typing import Any, ClassVar

from sfida.cython_ext.attila.core import AttilaState
from sfida.cython_ext.state import GameState
from sfida.engines.attila import notation, status, text
from sfida.engines.attila.checks import check_position, check_step
from sfida.engines.attila.data import load_data
from sfida.engines.attila.land import Land
from sfida.engines.attila.maps import load_land
from sfida.engines.attila.moves import COMMIT_HIDDEN, DRAW_HIDDEN, LETTERS, OF_PROVINCES, OF_TRIBES, decode
from sfida.engines.attila.options import AttilaOptions
from sfida.engines.attila.position import Battle, Position, SeatPosition, Six
from sfida.engines.attila.rules import build_rules
from sfida.engines.drawing.cells import words, wrap
from sfida.engines.game import Game, GameOptions

SOURCES = {"first": "first player", "deal": "cards", "draw": "cards"}
HELP = (
    "F@GER+2 play a Frank card in Germania and gain influence", "F@GER,RAE put a second token in Raetia instead",
    "F then @GER then +2 or ,RAE the same, step by step", "VV or :V lay cards, done lay no more",
    "score hold the scoring", "*D Double turn", "*X(HHG) exchange cards", "*I(F2) or *I(F,V) move markers",
    "~F discard a dead card", "end end the turn", "adj GER name its neighbours",
)


class Attila(Game):
    """Attila (Karl-Heinz Schmiel); rules in docs/rules/attila.md."""

    name: ClassVar[str] = "attila"
    title: ClassVar[str] = "Attila (on a reconstructed map)"
    rules_version: ClassVar[int] = 3
    options_class: ClassVar[type[GameOptions]] = AttilaOptions
    chance_sources: ClassVar[tuple[str, ...]] = tuple(dict.fromkeys(SOURCES.values()))
    search_defaults: ClassVar[dict[str, Any]] = {
        "cutoff": 4, "informed": 90, "blend": 0.2, "tau": 6.0, "priors": True, "c_prior": 1.0, "fpu": 0.1,
        "chance_depth": 2, "expand_at": 1,
    }
    greedy_by_priors: ClassVar[bool] = True
    labels_list_moves: ClassVar[bool] = False

    options: AttilaOptions

    def __init__(self, options: GameOptions | None = None) -> None:
        super().__init__(options)
        self.land: Land = load_land(self.options.map)
        if not self.land.reconstructed:
            self.title = "Attila"  # type: ignore[misc]

    def initial_state(self) -> AttilaState:
        return AttilaState(self, build_rules(self.land, self.options))

    # ---- plain data ---------------------------------------------------------------------------

    def position(self, state: GameState, seat: int | None = None) -> Position:
        """Return the state as plain data, as `seat` sees it (None: as everybody does)."""
        assert isinstance(state, AttilaState)
        raw = state.snapshot()
        over = raw["phase"] == "game_over"
        ranks = state.ranks() if over else None
        left = raw["peace_used"]
        peace = []
        for row in load_data()["centuries"]:
            peace.append(row["peace_tiles"] - min(left, row["peace_tiles"]))
            left -= row["peace_tiles"] - peace[-1]
        numbers = [row["number"] for row in load_data()["centuries"]]
        return Position(
            land=self.land,
            players=self.players,
            phase=raw["phase"],
            turn=raw["turn"],
            seat_on_turn=raw["active"],
            seat_to_move=raw["to_move"],
            tokens=raw["tokens"],
            pacified=raw["pacified"],
            supply=raw["supply"],
            peace=tuple(peace),
            century=next((number for number, tiles in zip(numbers, peace, strict=True) if tiles), numbers[-1]),
            gain=raw["gain"],
            pile=raw["pile"],
            discards=raw["discards"],
            reshuffles=raw["reshuffles"],
            plays_left=raw["plays_left"],
            tile_used=raw["tile_used"],
            card=raw["card"] if raw["phase"] in ("place", "follow") or raw["queue"] else -1,
            queue=raw["queue"],
            given=raw["given"],
            ending=raw["ending"],
            seats=tuple(self._seat(state, raw["seats"][i], i, over or i == seat) for i in range(self.players)),
            winners=tuple(i for i, rank in enumerate(ranks or ()) if rank == 1),
            last=_last(raw["last"]),
            battle=_battle(raw["battle"]),
        )

    def _seat(self, state: AttilaState, row: dict[str, Any], seat: int, shown: bool) -> SeatPosition:
        face_up = shown or row["laid"] == 0 or self.options.open_commitments
        return SeatPosition(
            hand=state.hand(seat) if shown or row["hand"] == 0 else None, hand_size=row["hand"],
            laid=row["laid"], laid_cards=state.laid(seat) if face_up else None,
            influence=row["influence"], score=row["score"], prospect=row["prospect"], tiles=row["tiles"])

    # ---- notation -----------------------------------------------------------------------------

    def format_move(self, state: GameState, move: int) -> str:
        assert isinstance(state, AttilaState)
        return notation.format_move(state, move)

    def parse_move(self, state: GameState, text: str) -> int:
        assert isinstance(state, AttilaState)
        return notation.parse_move(state, text)

    def parse_turn(self, state: GameState, text: str) -> list[int]:
        assert isinstance(state, AttilaState)
        return notation.parse_turn(state, text)

    def describe_move(self, state: GameState, move: int) -> str:
        assert isinstance(state, AttilaState)
        return notation.describe_move(state, move)

    def seen_move(self, state: GameState, move: int, seat: int | None) -> str:
        """A card drawn or laid face down is seen by its owner (part 6)."""
        assert isinstance(state, AttilaState)
        kind = decode(move).kind
        if kind == "draw" and seat != state.drawer():
            move = DRAW_HIDDEN
        elif kind == "commit" and seat != state.to_move and not self.options.open_commitments:
            move = COMMIT_HIDDEN
        return self.format_move(state, move)

    # ---- time -----------------------------------------------------------------------------------

    def decisions_left(self, state: GameState, seat: int) -> float:
        """Return some five decisions a turn of one's own, by the peace tiles left."""
        assert isinstance(state, AttilaState)
        tiles = 10 - int(state.snapshot()["peace_used"])
        return 5.0 + 5.0 * tiles * 5.5 / self.players

    # ---- what is seen -------------------------------------------------------------------------

    def board_text(self, state: GameState, *, seat: int | None = None, color: bool = False,
                   width: int = 100, labels: bool = False) -> str:
        return text.board_text(self.position(state, seat), seat=seat, color=color, width=width, labels=labels,
                               places=self._places(state, seat) if labels else ())

    def status_text(self, state: GameState, *, seat: int | None = None, color: bool = False, width: int = 100) -> str:
        return status.status_text(self.position(state, seat), seat=seat, color=color, width=width)

    def stock_text(self, state: GameState, *, seat: int | None = None, color: bool = False,
                   width: int = 100) -> str:
        return status.stock_text(self.position(state, seat), color=color, width=width)

    def board_svg(self, state: GameState, *, seat: int | None = None, size: int = 800, labels: bool = False) -> str:
        from sfida.engines.attila import svg  # pictures are not needed to play
        return svg.board_svg(self.position(state, seat), seat=seat, size=size, labels=labels,
                             places=self._places(state, seat) if labels else ())

    def _places(self, state: GameState, seat: int | None) -> tuple[tuple[str, int], ...]:
        """Return the provinces with which a move of the seat can begin; none unless it is to move."""
        if seat is None or seat != state.to_move:
            return ()
        moves = [decode(code) for code in state.legal_moves()]
        return tuple(("province", move.what) for move in moves if move.kind in OF_PROVINCES)

    def help_text(self, *, color: bool = False, width: int = 100) -> str:
        legend = status.legend_text(reconstructed=self.land.reconstructed, color=color, width=width)
        return "\n".join([*wrap([words(line) for line in HELP], width, False, gap=4), "", legend])

    def answer(self, state: GameState, text: str) -> str | None:
        """Name the neighbours of a province: ``adj GER`` (part 12)."""
        return notation.neighbours(self.land, text)

    def explain_scores(self, state: GameState) -> list[str]:
        """Return the points of each seat by scoring."""
        assert isinstance(state, AttilaState)
        raw = state.snapshot()
        names = [f"{row['number']}th century" for row in load_data()["centuries"]] + ["final scoring"]
        held = [i for i in range(len(names)) if i == len(names) - 1 or any(one["gained"][i] for one in raw["seats"])]
        return [f"{self.seat_name(seat)}: {one['score']} = "
                + " + ".join(f"{one['gained'][i]} ({names[i]})" for i in held)
                for seat, one in enumerate(raw["seats"])]

    def chance_source(self, state: GameState) -> str:
        assert isinstance(state, AttilaState)
        return SOURCES[state.phase]

    def seat_name(self, seat: int) -> str:
        """Return the colour of a seat."""
        return str(load_data()["player_colors"][seat]["name_en"]).lower()

    def secrets(self, state: GameState, seat: int) -> dict[str, str]:
        """Hands of others and what they have laid face down."""
        assert isinstance(state, AttilaState)
        if state.is_over:
            return {}
        found = {}
        for i, one in enumerate(self.position(state, seat).seats):
            if one.hand is None:
                found[f"hand of {self.seat_name(i)}"] = _letters(state.hand(i))
            if one.laid_cards is None:
                found[f"cards laid by {self.seat_name(i)}"] = _letters(state.laid(i))
        return found

    def observation(self, state: GameState, seat: int) -> dict[str, Any]:
        assert isinstance(state, AttilaState)
        raw = state.snapshot()
        position = self.position(state, seat)
        code = {i: one.code for i, one in enumerate(self.land.provinces)}
        return {
            "phase": position.phase, "turn": position.turn, "seat_on_turn": position.seat_on_turn,
            "first": raw["first"], "dealt": raw["dealt"], "century": position.century, "gain": position.gain,
            "peace": list(position.peace), "ending": list(position.ending), "plays_left": position.plays_left,
            "tile_used": position.tile_used, "to_draw": raw["to_draw"], "scoring_due": raw["scoring_due"],
            "card": None if position.card < 0 else LETTERS[position.card],
            "tokens": {code[i]: _letters(here) for i, here in enumerate(position.tokens) if any(here)},
            "pacified": [code[i] for i, one in enumerate(position.pacified) if one],
            "supply": _letters_counted(position.supply), "box": _letters_counted(raw["box"]),
            "pile": position.pile, "discards": _letters(position.discards), "reshuffles": position.reshuffles,
            "conflicts": [code[i] for i in position.queue], "given": _letters(position.given),
            "battle": None if raw["battle"] is None else {
                "province": code[raw["battle"]["province"]],
                "tokens": _letters(raw["battle"]["tokens"]),
                "laid": [_letters(laid) for laid in raw["battle"]["shown"]],
                "left": [LETTERS[i] for i in range(6) if raw["battle"]["gone"] >> i & 1]},
            "seats": [{
                "hand": None if one.hand is None else _letters(one.hand), "hand_size": one.hand_size,
                "laid": one.laid, "laid_cards": None if one.laid_cards is None else _letters(one.laid_cards),
                "influence": _letters_counted(one.influence), "score": one.score, "prospect": one.prospect,
                "gained": list(raw["seats"][i]["gained"]), "tiles": list(one.tiles),
            } for i, one in enumerate(position.seats)],
            "hands_log": [[kind, who, what if kind != "draw" or who == seat or position.phase == "game_over" else None]
                          for kind, who, what in state.history()],
        }

    # ---- debug build --------------------------------------------------------------------------

    def verify(self, state: GameState) -> None:
        """Recount the position; raises AssertionError on a difference."""
        assert isinstance(state, AttilaState)
        check_position(state, self.position(state), self.options)

    def verify_step(self, before: GameState, move: int, after: GameState) -> None:
        """Recount what a move did (debug build); raises AssertionError on a difference."""
        assert isinstance(before, AttilaState)
        assert isinstance(after, AttilaState)
        check_step(before, move, after, self.options)


def _letters(cards: Six) -> str:
    """Return cards or tokens as letters, such as "FFH"."""
    return "".join(letter * n for letter, n in zip(LETTERS, cards, strict=True))


def _letters_counted(counts: Six) -> dict[str, int]:
    return dict(zip(LETTERS, counts, strict=True))


def _last(code: int | None) -> tuple[str, int] | None:
    """Return the last move for highlighting."""
    if code is None or code in (DRAW_HIDDEN, COMMIT_HIDDEN):
        return None
    move = decode(code)
    if move.kind in ("draw", "commit"):     # whoever sees the position need not have seen which
        return None
    return move.kind, move.what if move.kind in OF_TRIBES or move.kind in OF_PROVINCES else -1


def _battle(raw: dict[str, Any] | None) -> Battle | None:
    if raw is None:
        return None
    there = [n > 0 for n in raw["tokens"]]
    strength = [n + sum(laid[i] for laid in raw["shown"]) if there[i] else 0 for i, n in enumerate(raw["tokens"])]
    removed = [n if raw["gone"] >> i & 1 else 0 for i, n in enumerate(raw["tokens"])]
    return Battle(raw["province"], _six(strength), _six(removed), tuple(_six(laid) for laid in raw["shown"]))


def _six(counts: list[int]) -> Six:
    a, b, c, d, e, f = counts
    return a, b, c, d, e, f
