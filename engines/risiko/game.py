"""RisiKo! as a registered game, with its observations and its action space.

Armies have no bound, so only the moves worth searching have numbers (RIS-14.9). These moves use the fewest armies,
about half of them, or the most, and each of the three amounts has a number: "move half of the spare armies from Alaska
to Kamchatka" is one number, whatever the number of armies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, Any, ClassVar

from sfida.cython_ext.risiko.core import RisikoState
from sfida.engines.drawing.terminal import flowed
from sfida.engines.game import GameOptions
from sfida.engines.language import ENGLISH, N_, _, named, speaking
from sfida.engines.moves import Actions, MoveGroup
from sfida.engines.narration import Aid, Effect, Lesson, LuckCount, Term
from sfida.engines.on_demand import on_demand
from sfida.engines.position_game import BoardPicture, Place, PositionGame
from sfida.engines.risiko import style
from sfida.engines.risiko.objectives import (
    brief_objective, load_objectives, objective_name, score_line, with_objectives
)
from sfida.engines.risiko.options import RisikoOptions, Ruleset, settle
from sfida.engines.risiko.position import HIDDEN, Position, decode, position_of
from sfida.engines.risiko.tables import build_rules, card_name, load_data

if TYPE_CHECKING:
    from sfida.engines.risiko import advice, aids, board_svg, board_text, narration, notation, pointing, staging
else:
    advice, aids, board_svg, board_text, narration, notation, pointing, staging = on_demand(
        __package__, "advice", "aids", "board_svg", "board_text", "narration", "notation", "pointing", "staging")

# ---- The observation of a seat as plain data for programs, and its secrets


def observation(state: RisikoState, position: Position) -> dict[str, Any]:
    """Return the observation of a seat, JSON-able; `position` is the state as the seat sees it, with English words."""
    ids = state.rules.objectives
    return {
        "phase": position.phase, "round": position.round, "seat_on_turn": position.seat_on_turn,
        "first": position.first_seat, "left": position.left, "conquests": position.conquests,
        "owner": list(position.owner), "armies": list(position.armies),
        "attack": None if position.attack is None else list(position.attack), "assault": position.assault,
        "deck": position.deck, "discards": list(position.discards),
        "draw_cycle": position.draw_cycle, "card_cycles": list(position.card_cycles),
        "seats": [{
            "color": one.color, "alive": one.alive, "territories": one.territories, "armies": one.armies,
            "stock": one.stock,
            "continents": [load_data()["continent"][c]["code"] for c in one.continents], "income": one.income,
            "card_count": one.card_count, "cards": None if one.cards is None else list(map(card_name, one.cards)),
            "cards_by_cycle": {str(cycle): one.drawn_in.count(cycle) for cycle in one.drawn_in},
            "objective": None if one.objective is None else ids[one.objective], "progress": one.progress,
            "possible_objectives": [ids[k] for k in one.possible],
            "points": one.points, "eliminated_round": one.eliminated_round, "eliminated_by": one.eliminated_by,
        } for one in position.seats],
    }


def secrets(state: RisikoState, seat: int, rules: Ruleset, seat_name: Callable[[int], str]) -> dict[str, str]:
    """Return the cards and objectives of others that are hidden from the seat."""
    if state.is_over:
        return {}
    found = {}
    for i in range(state.players):      # without a whole position, because beliefs call this for a thousand worlds
        which, cards = state.objective(i), state.hand(i)
        if which is not None and not state.knows_objective(seat, i):
            found[_("objective of {seat}").format(seat=seat_name(i))] = brief_objective(rules, which)
        if cards and i != seat:
            found[_("cards of {seat}").format(seat=seat_name(i))] = " ".join(map(card_name, cards))
    return found


# ---- Moves of RisiKo! as numbers of a fixed action space

TERRITORIES, CARDS, COLORS, DICE = 42, 44, 6, 3
AMOUNTS = 3                     # fewest, half, most
PAIRS = TERRITORIES * TERRITORIES
# Number of action numbers by kind of move, in this order.
EXTENTS = {
    "color": COLORS, "end_trade": 1, "end_attack": 1, "end_turn": 1, "defend": DICE, "occupy": AMOUNTS,
    "place": TERRITORIES * AMOUNTS, "attack": PAIRS * DICE, "assault": PAIRS, "safe_assault": PAIRS,
    "fortify": PAIRS * AMOUNTS, "trade": comb(CARDS, 3),
}
FIRST = dict(zip(EXTENTS, (sum(list(EXTENTS.values())[:i]) for i in range(len(EXTENTS))), strict=True))


class RisikoActions(Actions):
    """Numbers of the moves worth searching."""

    count = sum(EXTENTS.values())
    complete = False

    def numbers(self, moves: Sequence[int]) -> list[int]:
        read = [_read(move) for move in moves]
        most: dict[int, int] = {}
        least: dict[int, int] = {}
        for first, amount in read:
            if amount >= 0:
                most[first] = max(amount, most.get(first, amount))
                least[first] = min(amount, least.get(first, amount))
        return [first if amount < 0 else first + _rank(amount, first, least[first], most[first])
                for first, amount in read]


@lru_cache(maxsize=1 << 16)
def _read(code: int) -> tuple[int, int]:
    """Return the number of a move and -1, or the first number of its choice of armies and the armies."""
    move = decode(code)
    pair = move.origin * TERRITORIES + move.target
    first = FIRST[move.kind]
    match move.kind:
        case "color":
            return first + move.amount, -1
        case "defend":
            return first + move.amount - 1, -1
        case "attack":
            return first + pair * DICE + move.amount - 1, -1
        case "assault" | "safe_assault":
            return first + pair, -1
        case "trade":
            return first + sum(comb(card, place + 1) for place, card in enumerate(move.cards)), -1
        case "place" | "occupy" | "fortify":
            return first + pair * AMOUNTS, move.amount
        case _:
            return first, -1


def _rank(amount: int, first: int, least: int, most: int) -> int:
    """Return 0 for the fewest armies, 1 for half, 2 for the most; a single choice is the most.

    A strategic move of the fewest armies is not worth searching: of two choices the first is half.
    """
    if amount == most:
        return 2
    return 0 if amount == least and not FIRST["fortify"] <= first < FIRST["trade"] else 1


ACTIONS: Actions = RisikoActions()


# ---- RisiKo! as a registered game

HELP = N_("""\
+CIN 5 or China 5 place 5 armies on China    ALK>KAM 3 attack Kamchatka from Alaska with three dice
ALK>>KAM assault until it falls or you cannot continue    ALK>>KAM 4 the same, but stop with 4 armies left
T ALK QUE PER trade a set (J1, J2 are the jokers)    d2 defend with two dice
x KAM 3+4 move 4 more armies in    ~UCR>EUM 4 strategic move    = end this part: no (more) sets, attacks, strategic move
in a long list ALK shows what Alaska may do; in a defence or after a conquest type the dice or armies: 2""")


class Risiko(PositionGame[RisikoState, Position]):
    """RisiKo! (Editrice Giochi); rules in docs/rules/risiko.md."""

    name: ClassVar[str] = "risiko"
    title: ClassVar[str] = "RisiKo!"
    length: ClassVar[str] = N_("about 12 rounds")
    minutes: ClassVar[tuple[int, ...]] = (90, 180)
    luck: ClassVar[int | None] = 22
    rules_version: ClassVar[int] = 2
    options_class: ClassVar[type[GameOptions]] = RisikoOptions
    chance_sources: ClassVar[tuple[str, ...]] = (
        N_("first player"), N_("objectives"), N_("territory deal"), N_("dice"), N_("territory cards"),
        N_("closing dice"),
    )
    luck_defaults: ClassVar[dict[str, Any]] = {"playouts": 32, "cutoff": 2, "trust": 0.7}
    search_defaults: ClassVar[dict[str, Any]] = {
        "cutoff": 4, "informed": 90, "blend": 0.0, "tau": 6.0, "priors": True, "c_prior": 1.0, "fpu": 0.1,
        "chance_depth": 2, "expand_at": 1,
    }
    search_exceptions: ClassVar[tuple[tuple[dict[str, tuple[Any, ...]], dict[str, Any]], ...]] = (
        ({"players": (3,)}, {"calibration": 0.8}),
    )
    search_learned: ClassVar[dict[str, Any]] = {"calibration": 0.85}
    aid_kinds: ClassVar[Mapping[str, str]] = {"owners": N_("who holds a territory"),
                                              "continents": N_("who holds how much of a continent"),
                                              "odds": N_("odds of an attack to the end"),
                                              "prices": N_("what a card is worth")}
    greedy_by_priors: ClassVar[bool] = True
    labels_list_moves: ClassVar[bool] = False           # labels name territories

    _notation = notation
    _text = board_text
    _status = board_text
    _pointing = pointing
    _staging = staging

    options: RisikoOptions

    def __init__(self, options: GameOptions | None = None) -> None:
        super().__init__(options)
        own = () if self.options.objectives is None else load_objectives(self.options.objectives)
        self.ruleset: Ruleset = settle(self.options, load_data(), own)

    def initial_state(self) -> RisikoState:
        return RisikoState(self, build_rules(self.ruleset, self.weights))

    def position(self, state: RisikoState, seat: int | None = None) -> Position:
        return with_objectives(position_of(state, seat), self.ruleset)

    # ---- rules ----------------------------------------------------------------------------------

    def ranks(self, state: RisikoState) -> list[int]:
        """Return each seat's rank at the end (RIS-17)."""
        return list(state.standings())

    # ---- notation -------------------------------------------------------------------------------

    def parse_turn(self, state: RisikoState, text: str) -> list[int]:
        return notation.parse_turn(state, text)

    def move_labels(self, state: RisikoState, moves: Sequence[int]) -> list[str]:
        return notation.move_labels(state, moves) or super().move_labels(state, moves)

    def move_groups(self, state: RisikoState, moves: Sequence[int]) -> list[MoveGroup]:
        return pointing.move_groups(state, moves)

    def move_note(self, state: RisikoState, move: int) -> str:
        return advice.note_of(state, decode(move), self.ruleset)

    def seen_move(self, state: RisikoState, move: int, seat: int | None) -> str:
        """Return the move as a seat saw it: only the owner sees a drawn card or an objective (RIS-15)."""
        hidden = ((state.phase == "draw" and seat != state.seat_on_turn)
                  or (state.phase == "chance_objectives" and seat != state.just_dealt))
        return self.format_move(state, move | HIDDEN if hidden else move)

    def help_text(self, *, color: bool = False, width: int = 100) -> str:
        legend = board_text.legend_text(tournament=self.ruleset.points, table=self.ruleset.trade_table, color=color,
                                    width=width)
        return "\n".join([*flowed(_(HELP), width), legend])

    def cards_text(self, state: RisikoState, *, color: bool = False, width: int = 100) -> str:
        return board_text.cards_text(tournament=self.ruleset.points, table=self.ruleset.trade_table, color=color,
                                 width=width)

    def seat_name(self, seat: int) -> str:
        """Return the colour of a seat, or its number if players choose their colours."""
        if self.ruleset.choose_colors:
            return _("seat {seat}").format(seat=seat)
        return named(style.color_row(seat)).lower()

    def explain_scores(self, state: RisikoState) -> list[str]:
        position = self.position(state)
        return [f"{self.seat_name(i)}: {score_line(self.ruleset, position, i)}" for i in range(self.players)]

    # ---- narration -------------------------------------------------------------------------------

    def describe_move(self, state: RisikoState, move: int) -> str:
        """Return the move in words, an objective with the text of its card."""
        dealt = decode(move)
        if dealt.kind == "objective" and dealt.amount != HIDDEN:
            return _("{seat} gets the objective: {objective}").format(
                seat=self.seat_name(state.just_dealt), objective=objective_name(self.ruleset, dealt.amount))
        return super().describe_move(state, move)

    def effects(self, before: RisikoState, move: int, after: RisikoState, seat: int | None) -> tuple[Effect, ...]:
        played = decode(move)
        if narration.changes_nothing(before, played, after):
            return ()
        return narration.effects_of(self.position(before), played, self.position(after), self.ruleset)

    def seen_words(self, state: RisikoState, move: int, seat: int | None) -> str:
        return self.describe_move(state, move | HIDDEN)

    def question(self, state: RisikoState, seat: int) -> str:
        return narration.sentence(self.position(state, seat))

    def forced_tells(self, state: RisikoState) -> bool:
        return state.phase == "trade"

    def is_quiet(self, state: RisikoState, move: int) -> bool:
        return state.phase in ("chance_objectives", "chance_deal")

    def aids(self, state: RisikoState, viewer: int | None) -> tuple[Aid, ...]:
        return aids.aids_of(state, self.position(state, viewer), viewer, self.ruleset)

    def luck_counts(self, state: RisikoState, outcome: int) -> tuple[LuckCount, ...]:
        move, chart = decode(outcome), _("Armies lost in battle")
        if move.kind == "draw":
            symbol = style.symbol_name(style.card_symbol(move.amount))
            return (LuckCount(_("Cards of {seat}").format(seat=self.seat_name(state.seat_on_turn)), symbol),)
        if move.kind == "close":
            return (LuckCount(_("Closing dice"), str(move.amount)),)
        if move.kind not in ("roll", "assault_end"):
            return ()
        position = self.position(state)
        here, there = position.origin, position.target
        lost = ((move.amount >> 2, move.amount & 3) if move.kind == "roll" else
                (position.armies[here] - (move.amount >> 8), position.armies[there] - (move.amount & 255)))
        return tuple(LuckCount(chart, self.seat_name(position.owner[place]), number)
                     for place, number in zip((here, there), lost, strict=True))

    def luck_is_public(self, state: RisikoState) -> bool:
        return state.phase in ("chance_roll", "chance_assault", "sdadata")

    def standing(self, state: RisikoState, seat: int, viewer: int) -> tuple[Term, ...]:
        return advice.standing_of(state, seat, viewer, self.ruleset)

    def introduction(self) -> str:
        return advice.introduction_of(self.ruleset)

    def lesson(self, state: RisikoState, seat: int) -> Lesson | None:
        return advice.lesson_of(state, seat, self.ruleset)

    # ---- drawing ---------------------------------------------------------------------------------

    def _picture(self) -> BoardPicture[Position]:
        return board_svg.board_svg

    def _places(self, state: RisikoState) -> tuple[Place, ...]:
        """Return the territories with which a move of the mover can begin."""
        moves = [decode(code) for code in state.candidate_moves()]
        found = {move.target if move.kind == "place" else move.origin for move in moves
                 if move.kind in ("place", "attack", "assault", "safe_assault", "fortify")}
        return tuple(("territory", i) for i in sorted(found))

    def stock_text(self, state: RisikoState, *, seat: int | None = None, color: bool = False, width: int = 100) -> str:
        return board_text.stock_text(self.position(state, seat), color=color, width=width)

    # ---- knowledge ------------------------------------------------------------------------------

    @property
    def actions(self) -> Actions | None:
        return None if self.ruleset.move_granularity == "full" else ACTIONS

    def observation(self, state: RisikoState, seat: int) -> dict[str, Any]:
        with speaking(ENGLISH):
            return observation(state, self.position(state, seat))

    def private_type(self, state: RisikoState, seat: int) -> str | None:
        """Return the objective."""
        which = state.objective(seat)
        return None if which is None else state.rules.objectives[which]

    def secrets(self, state: RisikoState, seat: int) -> dict[str, str]:
        """Return the hidden cards and objectives of others."""
        return secrets(state, seat, self.ruleset, self.seat_name)

    def decisions_left(self, state: RisikoState, seat: int) -> float:
        """Return about ten decisions per turn, for at least half a dozen turns while nobody is far ahead."""
        position = position_of(state)
        most = max(one.territories for one in position.seats)
        turns = max(2.0, 9.0 - most / 4.0)
        if self.ruleset.round_limit and not self.ruleset.sdadata:
            turns = min(turns, self.ruleset.round_limit - position.round + 1.0)
        return 10.0 * max(1.0, turns)
