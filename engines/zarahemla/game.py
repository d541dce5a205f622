"""The Settlers of Zarahemla as a registered game, with its observations and its action space."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ClassVar

from sfida.cython_ext.zarahemla.core import ZarahemlaState
from sfida.cython_ext.zarahemla.parameters import CARD_NAMES
from sfida.engines.drawing.terminal import flowed
from sfida.engines.game import GameOptions
from sfida.engines.language import N_, _, counted, pgettext, points_line
from sfida.engines.moves import Actions, MoveGroup, SmallCodes
from sfida.engines.narration import Aid, Effect, Lesson, LuckCount, Term
from sfida.engines.on_demand import on_demand
from sfida.engines.position_game import BoardPicture, Place, PositionGame
from sfida.engines.zarahemla.options import Ruleset, ZarahemlaOptions, settle
from sfida.engines.zarahemla.position import Five, Position, decode, move_codes, position_of
from sfida.engines.zarahemla.style import SEAT_RGB, card_names, resource_cards, resource_noun, seat_names
from sfida.engines.zarahemla.tables import CARD_IDS, RESOURCE_IDS, build_rules, load_data

if TYPE_CHECKING:
    from sfida.engines.zarahemla import advice, aids, board_svg, board_text, narration, notation, pointing, staging
else:
    advice, aids, board_svg, board_text, narration, notation, pointing, staging = on_demand(
        __package__, "advice", "aids", "board_svg", "board_text", "narration", "notation", "pointing", "staging")

# ---- The observation of a seat as plain data for programs, and its secrets


def observation(position: Position) -> dict[str, Any]:
    """Return the observation of a seat, JSON-able; `position` is the state as the seat sees it."""
    return {
        "phase": position.phase,
        "seat_on_turn": position.seat_on_turn,
        "turns": position.turns,
        "dice": position.dice,
        "card_played": position.card_played,
        "cards_bought": position.cards_bought,
        "terrain": list(position.terrain),
        "numbers": list(position.numbers),
        "stations": [{"edge": edge, "kind": kind} for edge, kind in position.stations],
        "robber": position.robber,
        "buildings": [{"corner": corner, "seat": owner, "kind": kind}
                      for corner, owner, kind in position.buildings],
        "roads": [{"edge": edge, "seat": owner} for edge, owner in position.roads],
        "bank": dict(zip(RESOURCE_IDS, position.bank, strict=True)),
        "deck": position.deck,
        "offers": [{"seat": seat, "give": list(give), "want": list(want), "answer": answer}
                   for seat, (give, want, answer) in enumerate(
                       zip(position.gives, position.wants, position.answers, strict=True))
                   if any(give + want) or answer != "none"],
        "seats": [{
            "hand": None if one.hand is None else dict(zip(RESOURCE_IDS, one.hand, strict=True)),
            "hand_size": one.hand_size,
            "cards": None if one.cards is None else dict(one.cards), "card_count": one.card_count,
            "played": dict(one.played), "stones": one.stones, "road_length": one.road_length,
            "roads_left": one.roads_left, "settlements_left": one.settlements_left,
            "cities_left": one.cities_left, "stones_left": one.stones_left, "points": one.points,
            "longest_road": one.longest_road, "largest_army": one.largest_army, "temple": one.temple,
        } for one in position.seats],
    }


def secrets(state: ZarahemlaState, seat: int, seat_name: Callable[[int], str]) -> dict[str, str]:
    """Return the hands that the seat does not know, and the development cards of others."""
    found = {}
    for i, known in enumerate(state.known_hands(seat)):     # no position: beliefs call this for a thousand worlds
        if known is None:
            found[_("hand of {name}").format(name=seat_name(i))] = _cards_text(state.hand(i))
        held = state.dev_cards(i)[0]
        if i != seat and any(held) and not state.is_over:
            found[_("development cards of {name}").format(name=seat_name(i))] = _count_text(
                tuple((name, n) for name, n in zip(CARD_NAMES, held, strict=True) if n))
    return found


def _cards_text(hand: Five) -> str:
    return " ".join(resource_cards(name, n) for n, name in zip(hand, RESOURCE_IDS, strict=True) if n) or _("no cards")


def _count_text(cards: tuple[tuple[str, int], ...]) -> str:
    return ", ".join(f"{n} {card_names()[name].lower()}" for name, n in cards) or pgettext("zarahemla", "none")


# ---- Moves of The Settlers of Zarahemla as numbers of a fixed action space: their codes (ZAR-15)

@cache
def actions() -> Actions:
    """Return the numbers of the moves."""
    return SmallCodes(max(base + count for _name, base, count in move_codes()))


# ---- The Settlers of Zarahemla as a registered game

PLACES = {"settle": "corner", "city": "corner", "choose_start": "corner", "road": "edge", "move_robber": "hex"}
COMPOSING = ("trade_open", "trade_counter", "trade_give", "trade_want")
HELP = N_("""\
23 build at corner 23, or the first road to it   12 the robber to h12   61 and up  other moves of the list
S23 settlement at corner 23    R23-29 road    C23 city    G23 first cards from the settlement at 23
roll   end   D buy a card   T temple stone   B3w>s trade 3 wood for a stone with the bank
W Warrior   RB Road Building   TB Temple Building   P:g Prosperity   H:wb Harvest   L8 Liahona
>h13 or h13 robber to hex 13   x1 steal from seat 1   -wwa discard
?1s/1b offer a stone for a brick   !2b/3s counter-offer   yes   no   deal1   nodeal
w wood, b brick, a water, g wheat, s stone""")


class Zarahemla(PositionGame[ZarahemlaState, Position]):
    """The Settlers of Zarahemla (Klaus Teuber); rules in docs/rules/settlers_of_zarahemla.md."""

    name: ClassVar[str] = "settlers_of_zarahemla"
    title: ClassVar[str] = "The Settlers of Zarahemla"
    length: ClassVar[str] = "about 40 turns each"
    minutes: ClassVar[tuple[int, ...]] = (60, 90)
    luck: ClassVar[int | None] = 48
    rules_version: ClassVar[int] = 1
    options_class: ClassVar[type[GameOptions]] = ZarahemlaOptions
    chance_sources: ClassVar[tuple[str, ...]] = (
        "layout", "tokens", "stations", "first player", "dice", "development deck", "stolen cards",
    )
    luck_defaults: ClassVar[dict[str, Any]] = {"playouts": 32, "cutoff": 4, "trust": 0.65}
    search_defaults: ClassVar[dict[str, Any]] = {
        "cutoff": 8, "informed": 90, "blend": 0.25, "tau": 2.0, "priors": True, "c_prior": 1.0, "fpu": 0.1,
        "chance_depth": 2, "expand_at": 1,
    }
    aid_kinds: ClassVar[Mapping[str, str]] = {"yields": N_("what a place brings, and how often"),
                                              "owners": N_("who has built there"),
                                              "prices": N_("prices, and rates of the bank"),
                                              "odds": N_("odds of dice and cards")}
    greedy_by_priors: ClassVar[bool] = True
    labels_list_moves: ClassVar[bool] = False           # labels name corners and hexes

    _notation = notation
    _text = board_text
    _status = board_text
    _pointing = pointing
    _staging = staging

    options: ZarahemlaOptions

    def __init__(self, options: GameOptions | None = None) -> None:
        super().__init__(options)
        self.ruleset: Ruleset = settle(self.options, load_data())
        if self.options.preset == "catan":
            self.title = "Catan"  # type: ignore[misc]

    def initial_state(self) -> ZarahemlaState:
        return ZarahemlaState(self, build_rules(self.ruleset, self.weights))

    def position(self, state: ZarahemlaState, seat: int | None = None) -> Position:
        return position_of(state, seat)

    # ---- rules ----------------------------------------------------------------------------------

    # ---- notation -------------------------------------------------------------------------------

    def parse_turn(self, state: ZarahemlaState, text: str) -> list[int]:
        return notation.parse_turn(state, text)

    def move_labels(self, state: ZarahemlaState, moves: Sequence[int]) -> list[str]:
        return notation.move_labels(state, moves)

    def label_text(self, state: ZarahemlaState, number: int) -> str:
        return notation.label_text(state, number)

    def move_groups(self, state: ZarahemlaState, moves: Sequence[int]) -> list[MoveGroup]:
        return pointing.move_groups(state, moves)

    def move_note(self, state: ZarahemlaState, move: int) -> str:
        return advice.move_note(state, move)

    def seen_move(self, state: ZarahemlaState, move: int, seat: int | None) -> str:
        """Return the move as a seat saw it: the buyer sees a drawn card, thief and victim a stolen one (ZAR-16)."""
        if state.phase == "draw" and seat != state.seat_on_turn:
            return "#draw=?"
        if state.phase == "stolen" and seat not in (state.seat_on_turn, state.victim):
            return "#stolen=?"
        return self.format_move(state, move)

    def help_text(self, *, color: bool = False, width: int = 100) -> str:
        legend = board_text.legend_text(self.players, temple=self.ruleset.temple_enabled, color=color, width=width)
        lines = [_(HELP)]
        if self.ruleset.trade_gifts:
            lines.append(_("?2w/- gives 2 wood for nothing   ?-/1b asks for a brick"))
        return "\n".join([*flowed("\n".join(lines), width), legend])

    def seat_name(self, seat: int) -> str:
        return seat_names(len(SEAT_RGB))[seat].lower()

    def explain_scores(self, state: ZarahemlaState) -> list[str]:
        position = self.position(state)
        points = load_data()["scoring"]
        lines = []
        for seat, one in enumerate(position.seats):
            towns = [kind for _corner, owner, kind in position.buildings if owner == seat]
            settlements, cities, secret = towns.count("settlement"), towns.count("city"), one.secret_points or 0
            parts = [(settlements * points["settlement"], counted(settlements, "settlement", "settlements")),
                     (cities * points["city"], counted(cities, "city", "cities")),
                     (secret, counted(secret, "victory point card", "victory point cards")),
                     (one.longest_road * points["longest_road"], pgettext("zarahemla", "the longest road")),
                     (one.largest_army * points["largest_army"], pgettext("zarahemla", "the largest army")),
                     (one.temple * points["greatest_temple_contributor"], pgettext("zarahemla", "the temple"))]
            lines.append(f"{self.seat_name(seat)}: "
                         + points_line(sum(n for n, _what in parts), [(n, what) for n, what in parts if n]))
        return lines

    # ---- narration -------------------------------------------------------------------------------

    def effects(self, before: ZarahemlaState, move: int, after: ZarahemlaState,
                seat: int | None) -> tuple[Effect, ...]:
        return narration.effects_of(before, after, decode(move), self.ruleset, seat)

    def seen_words(self, state: ZarahemlaState, move: int, seat: int | None) -> str:
        return _("draws a development card") if state.phase == "draw" else _("a card is stolen")

    def question(self, state: ZarahemlaState, seat: int) -> str:
        return narration.question(state, self.position(state, seat), self.ruleset)

    def forced_tells(self, state: ZarahemlaState) -> bool:
        return state.phase not in ("init_settlement", "init_road", "init_choose", "robber", "steal", "free_roads")

    def is_quiet(self, state: ZarahemlaState, move: int) -> bool:
        """Return whether an event is quiet: the layout is on the board, and a completed offer repeats its steps."""
        return state.phase in ("setup_layout", "setup_tokens", "setup_stations") or decode(move).kind in COMPOSING

    def aids(self, state: ZarahemlaState, viewer: int | None) -> tuple[Aid, ...]:
        return aids.aids_of(state, self.position(state, viewer), viewer, self.ruleset)

    def luck_counts(self, state: ZarahemlaState, outcome: int) -> tuple[LuckCount, ...]:
        move, seat = decode(outcome), self.seat_name(state.seat_on_turn)
        if move.kind == "dice":
            return (LuckCount(_("Dice"), str(move.arg + 2)),)
        if move.kind == "draw_dev":
            return (LuckCount(_("Development cards of {seat}").format(seat=seat), card_names()[CARD_IDS[move.arg]]),)
        if move.kind == "stolen_card":
            return (LuckCount(_("Cards stolen by {seat}").format(seat=seat), resource_noun(RESOURCE_IDS[move.arg])),)
        return ()

    def luck_is_public(self, state: ZarahemlaState) -> bool:
        return state.phase == "dice"

    def standing(self, state: ZarahemlaState, seat: int, viewer: int) -> tuple[Term, ...]:
        return advice.standing(state, seat, viewer, self.ruleset)

    def introduction(self) -> str:
        return advice.introduction(self.ruleset)

    def lesson(self, state: ZarahemlaState, seat: int) -> Lesson:
        return advice.lesson(state, self.ruleset)

    def cards_text(self, state: ZarahemlaState, *, color: bool = False, width: int = 100) -> str:
        return "\n".join(board_text.card_lines(self._deck(), temple=self.ruleset.temple_enabled, color=color,
                                               width=width))

    def status_text(self, state: ZarahemlaState, *, seat: int | None = None, color: bool = False,
                    width: int = 100) -> str:
        asked = self.question(state, seat) if seat is not None and seat == state.to_move else ""
        return board_text.status_text(self.position(state, seat), seat=seat, color=color, width=width, asked=asked)

    def stock_text(self, state: ZarahemlaState, *, seat: int | None = None, color: bool = False,
                   width: int = 100) -> str:
        return board_text.stock_text(self.position(state, seat), self._deck(), color=color, width=width)

    def _deck(self) -> list[tuple[str, int]]:
        """Return the development cards at the start, by ids of the data."""
        return list(zip(CARD_IDS, load_data()["dev_decks"][self.ruleset.dev_deck], strict=True))

    # ---- drawing ---------------------------------------------------------------------------------

    def _picture(self) -> BoardPicture[Position]:
        return partial(board_svg.board_svg, target=self.ruleset.victory_points)

    def _places(self, state: ZarahemlaState) -> tuple[Place, ...]:
        """Return the places where the mover may build or put the robber now."""
        found = {(PLACES[move.kind], move.arg) for move in map(decode, state.legal_moves()) if move.kind in PLACES}
        return tuple(sorted(found))

    # ---- knowledge ------------------------------------------------------------------------------

    @property
    def actions(self) -> Actions:
        return actions()

    def observation(self, state: ZarahemlaState, seat: int) -> dict[str, Any]:
        return observation(self.position(state, seat))

    def secrets(self, state: ZarahemlaState, seat: int) -> dict[str, str]:
        """Return the hands that the seat does not know, and the development cards of others."""
        return secrets(state, seat, self.seat_name)

    def input_symmetries(self) -> tuple[Mapping[str, Sequence[int]], ...]:
        """Return the rotations and reflections of the board."""
        from sfida.engines.zarahemla.map import symmetries

        return tuple({"settled": one.corners, "grown": one.corners, "paved": one.edges, "robber": one.hexes}
                     for one in symmetries()[1:])

    def decisions_left(self, state: ZarahemlaState, seat: int) -> float:
        """Return about ten decisions per point that the leader still lacks."""
        most = max(one.points for one in self.position(state).seats)
        return 6.0 + 10.0 * max(1, min(self.ruleset.victory_points - most, 12))
