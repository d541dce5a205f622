"""A Few Acres of Snow as a registered game, with its observations and its action space.

Each kind has a block of numbers, in the order of `KINDS`: one number for each card type and place of such a move. Card
types and places have the same numbers as in the codes (see `position`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from sfida.cython_ext.acres.core import KINDS, AcresState
from sfida.cython_ext.acres.parameters import SITES, STRATEGIES, TYPES
from sfida.engines.acres.options import AcresOptions, Ruleset, settle
from sfida.engines.acres.position import NO_CARD, Position, decode, position_of
from sfida.engines.acres.style import cards, side_name, the_side
from sfida.engines.acres.tables import build_rules, card_codes, load_data, site_codes
from sfida.engines.drawing.terminal import flowed
from sfida.engines.game import GameOptions
from sfida.engines.language import N_, _, counted, points_line
from sfida.engines.moves import Actions, MoveGroup, NumberedCodes
from sfida.engines.narration import Aid, Effect, Lesson, LuckCount, Term
from sfida.engines.on_demand import on_demand
from sfida.engines.position_game import BoardPicture, Place, PositionGame

if TYPE_CHECKING:
    from sfida.engines.acres import advice, aids, board_svg, board_text, narration, notation, pointing, staging
    from sfida.engines.records import GameRecord
else:
    advice, aids, board_svg, board_text, narration, notation, pointing, staging = on_demand(
        __package__, "advice", "aids", "board_svg", "board_text", "narration", "notation", "pointing", "staging")

# ---- The observation of a seat as plain data for programs, and its secrets


def observation(position: Position) -> dict[str, Any]:
    """Return the observation of a seat, JSON-able."""
    codes, sites = card_codes(), site_codes()

    def named(cards: tuple[int, ...] | None) -> list[str] | None:
        return None if cards is None else [codes[card] for card in cards]

    return {
        "phase": position.stage, "step": position.phase, "verb": position.verb,
        "site": sites[position.site] if position.site >= 0 else None, "chosen": named(position.chosen),
        "actions_left": position.actions_left, "turn": position.turn, "quiet": position.quiet,
        "seat_on_turn": position.seat_on_turn,
        "sites": [{"site": sites[i], "seat": owner, "town": position.town[i], "fort": position.fort[i]}
                  for i, owner in enumerate(position.owner) if owner >= 0],
        "forts_left": position.forts_left, "neutral": named(position.neutral),
        "sieges": [{"attacker": siege.attacker, "site": sites[siege.site], "lead": siege.lead,
                    "cards": [named(cards) for cards in siege.cards]} for siege in position.sieges],
        "seats": [{
            "hand": named(one.hand), "hand_size": one.hand_size, "known": named(one.known),
            "deck": named(one.deck), "deck_size": one.deck_size, "unseen": named(one.unseen),
            "discards": named(one.discards), "reserve": named(one.reserve), "locations": named(one.locations),
            "empire": named(one.empire), "money": one.money, "points": one.points,
            "villages": one.villages, "towns": one.towns, "captured_villages": one.captured_villages,
            "captured_towns": one.captured_towns, "usable": [sites[i] for i in one.usable],
        } for one in position.seats],
        "winner": position.winner, "reason": position.reason,
    }


def secrets(state: AcresState, seat: int) -> dict[str, str]:
    """Return the hand of the other side, unless the seat knows it."""
    hand = state.hidden_hand(1 - seat)      # without a whole position: beliefs call this for a thousand worlds
    if hand is None:
        return {}
    whose = _("hand of {seat}").format(seat=state.game.seat_name(1 - seat))
    return {whose: " ".join(card_codes()[card] for card in hand)}


# ---- Moves of A Few Acres of Snow as numbers of a fixed action space

CARD = TYPES + 1                # the last number for no card
# Numbers of card types and of places by kind of move; no entry for "draw", a chance event.
EXTENTS = {
    "settle": (CARD, SITES), "besiege": (CARD, SITES), "fortify": (CARD, SITES),
    "develop": (1, SITES), "raid": (1, SITES),
    "reinforce": (CARD, 2), "lose": (CARD, 2), "give": (CARD, 2),
    "end": (1, 2), "leader": (1, 2), "withdraw": (1, 2), "resolve": (1, 2),
    **dict.fromkeys(("pass", "retrieve", "home", "stop", "allow", "show", "leave"), (1, 1)),
}


def _blocks() -> tuple[dict[int, tuple[int, int]], int]:
    """Return the first number and the number of places of each kind, and the total of numbers."""
    blocks, count = {}, 0
    for kind, name in enumerate(KINDS):
        if name not in ("", "draw"):
            cards, places = EXTENTS.get(name, (CARD, 1))
            blocks[kind] = count, places
            count += cards * places
    return blocks, count


_BLOCKS, _COUNT = _blocks()


def _number(code: int) -> int:
    first, places = _BLOCKS[code >> 16]
    card = code >> 8 & 255
    return first + (TYPES if card == NO_CARD else card) * places + (code & 255)


ACTIONS: Actions = NumberedCodes(_COUNT, _number)


# ---- A Few Acres of Snow as a registered game

_SEATS = N_("british"), N_("french")
PLACED = ("settle", "develop", "fortify", "besiege", "raid")
HELP = N_("""\
settle DEE NHV STM BOS: site, card, transport, settlers   besiege LOU HAL NFK SA: the last one with strength
develop ALB STM   fortify PEM FO   reinforce LOU RI   leader LOU   withdraw LOU   surrender PRO
raid BOS NAn CB PR   ambush RG   convert PR   money BOS   merchant NHV BOS NYK   trader TR MTL TAD   piracy PRO
draft CB: buy   discard STM PEM   reserve RI   retrieve   govern NFK PHI: return   intendant HS   home   pass   end
x FO: block   allow   hit RI hand: lose   none: show the hand   lost RI: return
draft alone: its moves, with prices   BOS alone: a card asked for or drawn   draft RG; end: both""")


class Acres(PositionGame[AcresState, Position]):
    """A Few Acres of Snow (Martin Wallace); rules in docs/rules/a_few_acres_of_snow.md."""

    name: ClassVar[str] = "a_few_acres_of_snow"
    title: ClassVar[str] = N_("A Few Acres of Snow")
    length: ClassVar[str] = "about 33 turns each"
    minutes: ClassVar[tuple[int, ...]] = (60, 120)
    luck: ClassVar[int | None] = 10
    rules_version: ClassVar[int] = 3
    options_class: ClassVar[type[GameOptions]] = AcresOptions
    chance_sources: ClassVar[tuple[str, ...]] = ("initial deals", "draws")
    luck_defaults: ClassVar[dict[str, Any]] = {"playouts": 32, "cutoff": 6, "trust": 0.55}
    search_defaults: ClassVar[dict[str, Any]] = {
        "cutoff": 6, "informed": 95, "blend": 0.1, "tau": 12.0, "priors": True, "c_prior": 1.0, "fpu": 0.1,
        "chance_depth": 2, "expand_at": 1,
    }
    aid_kinds: ClassVar[Mapping[str, str]] = {"owners": N_("who holds a site, and its points"),
                                              "ways": N_("from where a site is settled"),
                                              "sieges": N_("what a siege needs"), "odds": N_("odds of raids"),
                                              "prices": N_("prices and uses of cards")}
    greedy_by_priors: ClassVar[bool] = True
    strategies: ClassVar[tuple[str, ...]] = STRATEGIES
    sides: ClassVar[bool] = True
    labels_list_moves: ClassVar[bool] = False           # labels name sites

    _notation = notation
    _text = board_text
    _status = board_text
    _pointing = pointing
    _staging = staging

    options: AcresOptions

    def __init__(self, options: GameOptions | None = None) -> None:
        super().__init__(options)
        self.ruleset: Ruleset = settle(self.options, load_data())

    @classmethod
    def read_replay(cls, path: Path, number: int) -> GameRecord | None:
        """Return a game of a file of recorded games in the turn-by-turn format (`replays`)."""
        from sfida.engines.acres.replays import read_replay

        return read_replay(path, number) if path.suffix == ".toml" else None

    def initial_state(self) -> AcresState:
        return AcresState(self, build_rules(self.ruleset, self.weights, self.leaning))

    def position(self, state: AcresState, seat: int | None = None) -> Position:
        return position_of(state, seat)

    # ---- rules ----------------------------------------------------------------------------------

    def end_reason(self, state: AcresState) -> str | None:
        """Return siege, settle, supply, capture or max_turns (FAS-16.7)."""
        return self.position(state).reason or None

    # ---- notation -------------------------------------------------------------------------------

    def parse_turn(self, state: AcresState, text: str) -> list[int]:
        return notation.parse_turn(state, text)

    def move_groups(self, state: AcresState, moves: Sequence[int]) -> list[MoveGroup]:
        return pointing.move_groups(state, moves)

    def move_note(self, state: AcresState, move: int) -> str:
        return advice.move_note(state, move, self.ruleset)

    def seen_move(self, state: AcresState, move: int, seat: int | None) -> str:
        """Return the move as a seat saw it: only the owner sees a drawn card (FAS-17.4)."""
        if state.is_chance and seat != state.mover:
            return "#draw=?"
        return self.format_move(state, move)

    def help_text(self, *, color: bool = False, width: int = 100) -> str:
        return "\n".join(flowed(_(HELP), width)) + f"\n{board_text.legend_text(color=color, width=width)}"

    def seat_name(self, seat: int) -> str:
        return _(_SEATS[seat])

    def explain_scores(self, state: AcresState) -> list[str]:
        """Explain sites, towns and captured pieces of each side (FAS-16.5), and the end of the game."""
        position = self.position(state)
        value = [row["vp"] for row in load_data()["board"]["locations"]]
        factor = load_data()["scoring"]["town_multiplier"]
        scoring = load_data()["scoring"]
        lines = []
        for seat, one in enumerate(position.seats):
            mine = [i for i, owner in enumerate(position.owner) if owner == seat]
            towns = [i for i in mine if position.town[i]]
            parts = [(sum(value[i] for i in mine if not position.town[i]),
                      counted(len(mine) - len(towns), "village", "villages")),
                     (sum(value[i] * factor for i in towns), counted(len(towns), "town", "towns")),
                     (one.captured_villages * scoring["captured_cube"],
                      counted(one.captured_villages, "captured village", "captured villages")),
                     (one.captured_towns * scoring["captured_disc"],
                      counted(one.captured_towns, "captured town", "captured towns"))]
            lines.append(f"{self.seat_name(seat)}: "
                         + points_line(sum(n for n, _ in parts), [(n, what) for n, what in parts if n]))
        if position.winner >= 0:
            lines.append(narration.ended(position))
        return lines

    # ---- narration -------------------------------------------------------------------------------

    def effects(self, before: AcresState, move: int, after: AcresState, seat: int | None) -> tuple[Effect, ...]:
        was, now = self.position(before), self.position(after)
        told = narration.effects_of(was, move, now)
        return (*told, narration.end_of(now)) if now.is_over and not was.is_over else told

    def seen_words(self, state: AcresState, move: int, seat: int | None) -> str:
        return _("{side} draw a card").format(side=the_side(state.mover))

    def question(self, state: AcresState, seat: int) -> str:
        return narration.sentence(self.position(state, seat))

    def forced_tells(self, state: AcresState) -> bool:
        return state.phase != "order"

    def is_quiet(self, state: AcresState, move: int) -> bool:
        return state.phase == "deal"

    def aids(self, state: AcresState, viewer: int | None) -> tuple[Aid, ...]:
        return aids.aids_of(state, self.position(state, viewer), viewer)

    def luck_counts(self, state: AcresState, outcome: int) -> tuple[LuckCount, ...]:
        drawn = decode(outcome)
        if drawn.kind != "draw":
            return ()
        card, chart = cards()[drawn.card], _("{seat}: cards drawn").format(seat=side_name(state.mover))
        return (LuckCount(chart, card.name if card.site < 0 else _("location cards")),)

    def standing(self, state: AcresState, seat: int, viewer: int) -> tuple[Term, ...]:
        return advice.standing(self.position(state), seat, viewer)

    def introduction(self) -> str:
        return advice.introduction(self.ruleset)

    def lesson(self, state: AcresState, seat: int) -> Lesson | None:
        return advice.lesson(self.position(state), seat, self.ruleset)

    def cards_text(self, state: AcresState, *, color: bool = False, width: int = 100) -> str:
        return board_text.cards_text(self.position(self.initial_state()), color=color, width=width)

    # ---- drawing ---------------------------------------------------------------------------------

    def _picture(self) -> BoardPicture[Position]:
        return board_svg.board_svg

    def _places(self, state: AcresState) -> tuple[Place, ...]:
        """Return the sites where the mover may act now."""
        moves = map(decode, state.legal_moves())
        return tuple(sorted({("site", move.place) for move in moves if move.kind in PLACED}))

    def stock_text(self, state: AcresState, *, seat: int | None = None, color: bool = False, width: int = 100) -> str:
        return board_text.stock_text(self.position(state, seat), color=color, width=width)

    # ---- knowledge ------------------------------------------------------------------------------

    @property
    def actions(self) -> Actions:
        return ACTIONS

    def observation(self, state: AcresState, seat: int) -> dict[str, Any]:
        return observation(self.position(state, seat))

    def secrets(self, state: AcresState, seat: int) -> dict[str, str]:
        """Return the hand of the other side, unless the seat knows it."""
        return secrets(state, seat)

    def decisions_left(self, state: AcresState, seat: int) -> float:
        """Return about six decisions per turn, for the number of turns estimated from the smaller supply of discs."""
        turns = 7.0 * max(1, min(side.towns for side in self.position(state).seats))
        if self.ruleset.max_turns is not None:
            turns = min(turns, (self.ruleset.max_turns - state.turns) / 2)
        return 6.0 + 6.0 * max(1.0, turns)

    def strategy_worth(self, state: AcresState, strategy: str) -> dict[int, float]:
        return dict(state.move_worth(self.strategies.index(strategy)))
