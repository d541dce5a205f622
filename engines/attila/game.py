"""Attila as a registered game, with its observations and its action space."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from sfida.cython_ext.attila.core import AttilaState
from sfida.engines.attila.map import Land, load_land
from sfida.engines.attila.options import AttilaOptions
from sfida.engines.attila.position import (
    COMMIT_HIDDEN, DRAW_HIDDEN, LETTERS, OF_PROVINCES, ROWS, WITHOUT_EFFECT, Position, Six, decode, position_of
)
from sfida.engines.attila.style import centuries, ordinal, seat_name, the_tribe
from sfida.engines.attila.tables import build_rules
from sfida.engines.drawing.terminal import words, wrap
from sfida.engines.game import GameOptions
from sfida.engines.language import N_, _, points_line
from sfida.engines.moves import Actions, MoveGroup, SmallCodes
from sfida.engines.narration import Aid, Effect, Lesson, LuckCount, Term
from sfida.engines.on_demand import on_demand
from sfida.engines.position_game import BoardPicture, Place, PositionGame

if TYPE_CHECKING:
    from sfida.engines.attila import advice, aids, board_svg, board_text, narration, notation, pointing, staging
else:
    advice, aids, board_svg, board_text, narration, notation, pointing, staging = on_demand(
        __package__, "advice", "aids", "board_svg", "board_text", "narration", "notation", "pointing", "staging")

# ---- The observation of a seat as plain data for programs, and its secrets


def observation(state: AttilaState, seat: int, position: Position) -> dict[str, Any]:
    """Return the observation of `seat`, JSON-able; `position` is the state as the seat sees it."""
    battle = position.battle
    code = {i: one.code for i, one in enumerate(position.land.provinces)}
    return {
        "phase": position.phase, "turn": position.turn, "seat_on_turn": position.seat_on_turn,
        "first": position.first_seat, "dealt": position.dealt, "century": position.century, "gain": position.gain,
        "peace": list(position.peace), "ending": list(position.ending), "plays_left": position.plays_left,
        "idle": position.idle, "tile_used": position.tile_used, "to_draw": position.to_draw,
        "scoring_due": position.scoring_due,
        "card": None if position.card < 0 else LETTERS[position.card],
        "tokens": {code[i]: _letters(here) for i, here in enumerate(position.tokens) if any(here)},
        "pacified": [code[i] for i, one in enumerate(position.pacified) if one],
        "supply": _letters_counted(position.supply), "box": _letters_counted(position.box),
        "pile": position.pile, "discards": _letters(position.discards), "reshuffles": position.reshuffles,
        "conflicts": [code[i] for i in position.queue], "given": _letters(position.given),
        "battle": None if battle is None else {
            "province": code[battle.province], "tokens": _letters(battle.tokens),
            "laid": [_letters(laid) for laid in battle.laid],
            "left": [letter for letter, n in zip(LETTERS, battle.removed, strict=True) if n]},
        "seats": [{
            "hand": None if one.hand is None else _letters(one.hand), "hand_size": one.hand_size,
            "laid": one.laid, "laid_cards": None if one.laid_cards is None else _letters(one.laid_cards),
            "influence": _letters_counted(one.influence), "score": one.score, "prospect": one.prospect,
            "gained": list(one.gained), "tiles": list(one.tiles),
        } for one in position.seats],
        "hands_log": [[kind, who, what if kind != "draw" or who == seat or position.phase == "game_over" else None]
                      for kind, who, what in state.history()],
    }


def secrets(state: AttilaState, position: Position, seat_name: Callable[[int], str]) -> dict[str, str]:
    """Return the other seats' hands and face-down cards; `position` is the state as the seat sees it."""
    if state.is_over:
        return {}
    found = {}
    for i, one in enumerate(position.seats):
        if one.hand is None:
            found[_("hand of {seat}").format(seat=seat_name(i))] = _letters(state.hand(i))
        if one.laid_cards is None:
            found[_("cards laid by {seat}").format(seat=seat_name(i))] = _letters(state.laid(i))
    return found


def _letters(cards: Six) -> str:
    """Return cards or tokens as letters, such as "FFH"."""
    return "".join(letter * n for letter, n in zip(LETTERS, cards, strict=True))


def _letters_counted(counts: Six) -> dict[str, int]:
    return dict(zip(LETTERS, counts, strict=True))


# ---- Moves of Attila as numbers of a fixed action space: their codes

ACTIONS: Actions = SmallCodes(max(first + count for _kind, first, count in ROWS))


# ---- Attila as a registered game

HELP = (
    N_("F@GER+2 a Frank card to Germania for 2 influence"), N_("F@GER,RAE or a second token"),
    N_("F, @GER, +2 or ,RAE in steps"), N_("VV or :V lay cards"), N_("done no more"), N_("score hold the scoring"),
    N_("*D tile Double turn"), N_("*X(HHG) tile Exchange"), N_("-H put aside"), N_("draw as many"),
    N_("*I(F2) or *I(F,V) tile Influence 2"), N_("I:F one step"), N_("~F discard a dead card"),
    N_("end end the turn"), N_("adj GER its neighbours"), N_("c:F or c a card drawn, seen or not"),
    N_(":? one laid unseen"),
)


class Attila(PositionGame[AttilaState, Position]):
    """Attila (Karl-Heinz Schmiel); rules in docs/rules/attila.md."""

    name: ClassVar[str] = "attila"
    title: ClassVar[str] = N_("Attila (on a reconstructed map)")
    length: ClassVar[str] = N_("about 18 turns each")
    minutes: ClassVar[tuple[int, ...]] = (45, 60)
    luck: ClassVar[int | None] = 17
    rules_version: ClassVar[int] = 4
    options_class: ClassVar[type[GameOptions]] = AttilaOptions
    chance_sources: ClassVar[tuple[str, ...]] = (N_("first player"), N_("cards"))
    luck_defaults: ClassVar[dict[str, Any]] = {"playouts": 32, "cutoff": 6, "trust": 0.65}
    search_defaults: ClassVar[dict[str, Any]] = {
        "cutoff": 4, "informed": 90, "blend": 0.2, "tau": 6.0, "priors": True, "c_prior": 1.0, "fpu": 0.1,
        "chance_depth": 2, "expand_at": 1, "calibration": 1.4,
    }
    search_exceptions: ClassVar[tuple[tuple[dict[str, tuple[Any, ...]], dict[str, Any]], ...]] = (
        ({"players": (2,)}, {"calibration": 1.0}),
    )
    aid_kinds: ClassVar[Mapping[str, str]] = {"owners": N_("what stands in a province, and conflicts"),
                                              "fits": N_("which tribes may go where"), "pays": N_("what a tribe pays")}
    greedy_by_priors: ClassVar[bool] = True
    labels_list_moves: ClassVar[bool] = False

    _notation = notation
    _text = board_text
    _status = board_text
    _pointing = pointing
    _staging = staging

    options: AttilaOptions

    def __init__(self, options: GameOptions | None = None) -> None:
        super().__init__(options)
        self.land: Land = load_land(self.options.map)
        if not self.land.reconstructed:
            self.title = "Attila"  # type: ignore[misc]

    def initial_state(self) -> AttilaState:
        return AttilaState(self, build_rules(self.land, self.options, self.weights))

    def position(self, state: AttilaState, seat: int | None = None) -> Position:
        return position_of(state, seat)

    # ---- rules ----------------------------------------------------------------------------------

    # ---- notation -------------------------------------------------------------------------------

    def parse_turn(self, state: AttilaState, text: str) -> list[int]:
        return notation.parse_turn(state, text)

    def seen_move(self, state: AttilaState, move: int, seat: int | None) -> str:
        """Return the move as a seat saw it: only the owner sees a drawn card, or one laid face down (part 6)."""
        kind = decode(move).kind
        if kind == "draw" and seat != state.drawer():
            move = DRAW_HIDDEN
        elif kind == "commit" and seat != state.to_move and not self.options.open_commitments:
            move = COMMIT_HIDDEN
        return self.format_move(state, move)

    def move_labels(self, state: AttilaState, moves: Sequence[int]) -> list[str]:
        """Return the labels of the moves; in the draw of the first seat these are the numbers of the seats."""
        if state.phase == "first":
            return [str(decode(move).what) for move in moves]
        return super().move_labels(state, moves)

    def move_groups(self, state: AttilaState, moves: Sequence[int]) -> list[MoveGroup]:
        """Group the provinces for a token by its effect there."""
        return pointing.move_groups(self.position(state, state.to_move), moves)

    def move_note(self, state: AttilaState, move: int) -> str:
        """Return the gains of a move: ranks on the chart, conflicts, odds of a draw."""
        if state.to_move < 0:
            return ""
        return advice.move_note(state, self.position(state, state.to_move), decode(move), self.options)

    def help_text(self, *, color: bool = False, width: int = 100) -> str:
        legend = board_text.legend_text(reconstructed=self.land.reconstructed, color=color, width=width)
        return "\n".join([*wrap([words(_(line)) for line in HELP], width, False, gap=4), legend])

    def answer(self, state: AttilaState, text: str) -> str | None:
        """Name the neighbours of a province: ``adj GER`` (part 12)."""
        return notation.neighbours(self.land, text)

    def seat_name(self, seat: int) -> str:
        """Return the colour of a seat."""
        return seat_name(seat).lower()

    def explain_scores(self, state: AttilaState) -> list[str]:
        """Return the points of each seat by scoring."""
        seats = self.position(state).seats
        names = [_("the {ordinal} century").format(ordinal=ordinal(one.number)) for one in centuries()]
        names.append(_("the final scoring"))
        held = [i for i in range(len(names)) if i == len(names) - 1 or any(one.gained[i] for one in seats)]
        return [f"{self.seat_name(seat)}: "
                + points_line(one.score, [(one.gained[i], names[i]) for i in held])
                for seat, one in enumerate(seats)]

    # ---- narration -------------------------------------------------------------------------------

    def effects(self, before: AttilaState, move: int, after: AttilaState, seat: int | None) -> tuple[Effect, ...]:
        played = decode(move)
        if played.kind in WITHOUT_EFFECT:
            return ()
        return narration.effects_of(self.position(before), played, self.position(after), self.options)

    def seen_words(self, state: AttilaState, move: int, seat: int | None) -> str:
        return _("draws a card") if decode(move).kind == "draw" else _("lays a card face down")

    def question(self, state: AttilaState, seat: int) -> str:
        return narration.sentence(self.position(state, seat))

    def forced_tells(self, state: AttilaState) -> bool:
        return state.phase in ("play", "commit", "give")

    def is_quiet(self, state: AttilaState, move: int) -> bool:
        return state.phase == "deal"

    def aids(self, state: AttilaState, viewer: int | None) -> tuple[Aid, ...]:
        return aids.aids_of(state, self.position(state, viewer), viewer, self.options)

    def luck_counts(self, state: AttilaState, outcome: int) -> tuple[LuckCount, ...]:
        drawn, seat = decode(outcome), state.drawer()
        if drawn.kind != "draw" or seat is None:
            return ()
        return (LuckCount(_("Cards of {seat}").format(seat=self.seat_name(seat)), the_tribe(drawn.what)),)

    def standing(self, state: AttilaState, seat: int, viewer: int) -> tuple[Term, ...]:
        return advice.standing_of(self.position(state, viewer), seat, self.options)

    def introduction(self) -> str:
        return advice.introduction(self.land, self.options)

    def lesson(self, state: AttilaState, seat: int) -> Lesson:
        return advice.lesson_of(state, self.position(state, seat), self.options)

    # ---- drawing ---------------------------------------------------------------------------------

    def goes_on(self, state: AttilaState, move: int) -> bool:
        return decode(move).kind == "card"

    def _picture(self) -> BoardPicture[Position]:
        return board_svg.board_svg

    def _places(self, state: AttilaState) -> tuple[Place, ...]:
        """Return the provinces with which a move of the mover can begin."""
        moves = [decode(code) for code in state.legal_moves()]
        return tuple(("province", move.what) for move in moves if move.kind in OF_PROVINCES)

    def stock_text(self, state: AttilaState, *, seat: int | None = None, color: bool = False, width: int = 100) -> str:
        return board_text.stock_text(self.position(state, seat), color=color, width=width)

    def cards_text(self, state: AttilaState, *, color: bool = False, width: int = 100) -> str:
        return board_text.cards_text(self.options, color=color, width=width)

    # ---- knowledge ------------------------------------------------------------------------------

    @property
    def actions(self) -> Actions:
        return ACTIONS

    def observation(self, state: AttilaState, seat: int) -> dict[str, Any]:
        return observation(state, seat, self.position(state, seat))

    def secrets(self, state: AttilaState, seat: int) -> dict[str, str]:
        """Return the other seats' hands and face-down cards."""
        return secrets(state, self.position(state, seat), self.seat_name)

    def decisions_left(self, state: AttilaState, seat: int) -> float:
        """Return about five decisions per own turn, for the number of turns estimated from the peace tiles left."""
        return 5.0 + 5.0 * sum(self.position(state).peace) * 5.5 / self.players
