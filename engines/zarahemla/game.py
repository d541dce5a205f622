"""The Settlers of Zarahemla as a registered game."""

from __future__ import annotations

from typing import Any, ClassVar

from sfida.cython_ext.state import GameState
from sfida.cython_ext.zarahemla.core import PHASES, ZarahemlaState
from sfida.engines.game import Game, GameOptions
from sfida.engines.zarahemla import notation, status, text
from sfida.engines.zarahemla.checks import check_position, check_step
from sfida.engines.zarahemla.moves import decode
from sfida.engines.zarahemla.options import Ruleset, ZarahemlaOptions, settle
from sfida.engines.zarahemla.position import Five, Position, SeatPosition
from sfida.engines.zarahemla.rules import build_rules, load_data
from sfida.engines.zarahemla.tables import CARD_IDS, RESOURCE_IDS
from sfida.engines.zarahemla.tables import TERRAIN_IDS as TERRAIN

STATION_KINDS = (*RESOURCE_IDS, "any")
SOURCES = {
    "setup_layout": "layout", "setup_tokens": "tokens", "setup_stations": "stations", "setup_first": "first player",
    "dice": "dice", "draw": "development deck", "stolen": "stolen cards",
}
PLACES = {"settle": "corner", "city": "corner", "choose_start": "corner", "road": "edge", "move_robber": "hex"}
HELP = """\
S23 settlement at corner 23    R23-29 road    C23 city    G23 first cards from the settlement at 23
roll   end   D buy a card   T temple stone   B3w>s trade 3 wood for a stone with the bank
W Warrior   RB Road Building   TB Temple Building   P:g Prosperity   H:wb Harvest   L8 Liahona
>h13 robber to hex 13   x1 steal from seat 1   -wwa discard
?1s/1b offer a stone for a brick   !2b/3s counter-offer   yes   no   deal1   nodeal
w wood, b brick, a water, g wheat, s stone"""


class Zarahemla(Game):
    """The Settlers of Zarahemla (Klaus Teuber); rules in docs/rules/settlers_of_zarahemla.md."""

    name: ClassVar[str] = "settlers_of_zarahemla"
    title: ClassVar[str] = "The Settlers of Zarahemla"
    rules_version: ClassVar[int] = 1
    options_class: ClassVar[type[GameOptions]] = ZarahemlaOptions
    chance_sources: ClassVar[tuple[str, ...]] = tuple(SOURCES.values())
    search_defaults: ClassVar[dict[str, Any]] = {
        "cutoff": 8, "informed": 90, "blend": 0.25, "tau": 2.0, "priors": True, "c_prior": 1.0, "fpu": 0.1,
        "chance_depth": 2, "expand_at": 1,
    }
    greedy_by_priors: ClassVar[bool] = True
    labels_list_moves: ClassVar[bool] = False           # labels name corners and hexes

    options: ZarahemlaOptions

    def __init__(self, options: GameOptions | None = None) -> None:
        super().__init__(options)
        self.ruleset: Ruleset = settle(self.options, load_data())

    def initial_state(self) -> ZarahemlaState:
        return ZarahemlaState(self, build_rules(self.ruleset))

    def position(self, state: GameState, seat: int | None = None) -> Position:
        """Return the state as plain data, as `seat` sees it (None: as everybody does)."""
        assert isinstance(state, ZarahemlaState)
        raw = state.snapshot()
        hands = state.known_hands(-1 if seat is None else seat)
        over = raw["phase"] == "game_over"
        last = decode(raw["last"]) if raw["last"] >= 0 else None
        if last is not None and last.kind in ("draw_dev", "stolen_card"):
            last = None
        giver = next((i for i in (raw["to_move"], raw["on_turn"])
                      if 0 <= i < self.players and any(raw["give"][i] + raw["want"][i])), None)
        return Position(
            players=self.players,
            phase=raw["phase"],
            seat_on_turn=raw["on_turn"],
            seat_to_move=raw["to_move"],
            terrain=tuple(TERRAIN[k] if k < len(TERRAIN) else "" for k in raw["terrain"]),
            numbers=tuple(raw["numbers"]),
            stations=tuple((row["edge"], STATION_KINDS[kind])
                           for row, kind in zip(load_data()["station"], raw["stations"], strict=True)),
            robber=raw["robber"],
            buildings=tuple(raw["buildings"]),
            roads=tuple(raw["roads"]),
            bank=_five(raw["bank"]),
            deck=raw["deck"],
            seats=tuple(self._seat(state, raw, i, hands[i], over or i == seat) for i in range(self.players)),
            dice=raw["dice"],
            offer=None if giver is None else (giver, _five(raw["give"][giver]), _five(raw["want"][giver])),
            last=None if last is None else (last.kind, last.arg),
        )

    def _seat(self, state: ZarahemlaState, raw: dict[str, Any], seat: int, hand: Five | None,
              open_cards: bool) -> SeatPosition:
        row = raw["seats"][seat]
        cards = state.dev_cards(seat)[0] if open_cards or row["cards"] == 0 else None
        points = load_data()["scoring"]["vp_card"]
        return SeatPosition(
            hand=hand, hand_size=row["size"],
            cards=None if cards is None else _named(cards), card_count=row["cards"], played=_named(row["played"]),
            warriors=row["played"][0], stones=row["stones"], road_length=row["length"],
            roads_left=row["roads_left"], settlements_left=row["settlements_left"], cities_left=row["cities_left"],
            stones_left=row["stones_left"], points=row["points"],
            secret_points=None if cards is None else points * cards[CARD_IDS.index("victory_point")],
            longest_road=raw["holders"][0] == seat, largest_army=raw["holders"][1] == seat,
            temple=raw["holders"][2] == seat)

    # ---- notation -----------------------------------------------------------------------------

    def format_move(self, state: GameState, move: int) -> str:
        assert isinstance(state, ZarahemlaState)
        return notation.format_move(state, move)

    def parse_move(self, state: GameState, text: str) -> int:
        assert isinstance(state, ZarahemlaState)
        return notation.parse_move(state, text)

    def parse_turn(self, state: GameState, text: str) -> list[int]:
        assert isinstance(state, ZarahemlaState)
        return notation.parse_turn(state, text)

    def describe_move(self, state: GameState, move: int) -> str:
        assert isinstance(state, ZarahemlaState)
        return notation.describe_move(state, move)

    def seen_move(self, state: GameState, move: int, seat: int | None) -> str:
        """A card drawn is seen by its buyer, a stolen one by thief and victim (ZAR-16)."""
        assert isinstance(state, ZarahemlaState)
        if state.phase == "draw" and seat != state.seat_on_turn:
            return "#draw=?"
        if state.phase == "stolen" and seat not in (state.seat_on_turn, state.victim):
            return "#stolen=?"
        return self.format_move(state, move)

    # ---- time -----------------------------------------------------------------------------------

    def decisions_left(self, state: GameState, seat: int) -> float:
        """Return some ten decisions a point that the leader still lacks."""
        assert isinstance(state, ZarahemlaState)
        most = max(int(row["points"]) for row in state.snapshot()["seats"])
        return 6.0 + 10.0 * max(1, min(self.ruleset.victory_points - most, 12))

    # ---- what is seen -------------------------------------------------------------------------

    def board_text(self, state: GameState, *, seat: int | None = None, color: bool = False,
                   width: int = 100, labels: bool = False) -> str:
        return text.board_text(self.position(state, seat), seat=seat, color=color, width=width, labels=labels,
                               places=self._places(state, seat) if labels else ())

    def status_text(self, state: GameState, *, seat: int | None = None, color: bool = False, width: int = 100) -> str:
        return status.status_text(self.position(state, seat), seat=seat, color=color, width=width)

    def board_svg(self, state: GameState, *, seat: int | None = None, size: int = 800, labels: bool = False) -> str:
        from sfida.engines.zarahemla import svg  # pictures are not needed to play
        return svg.board_svg(self.position(state, seat), seat=seat, size=size, labels=labels,
                             target=self.ruleset.victory_points, places=self._places(state, seat) if labels else ())

    def _places(self, state: GameState, seat: int | None) -> tuple[tuple[str, int], ...]:
        """Return where the seat may build or put the robber now; nothing unless it is to move."""
        if seat is None or seat != state.to_move:
            return ()
        found = {(PLACES[move.kind], move.arg) for move in map(decode, state.legal_moves()) if move.kind in PLACES}
        return tuple(sorted(found))

    def help_text(self, *, color: bool = False, width: int = 100) -> str:
        legend = status.legend_text(self.players, temple=self.ruleset.temple_enabled, color=color, width=width)
        gifts = "\n?2w/- gives 2 wood for nothing   ?-/1b asks for a brick" if self.ruleset.trade_gifts else ""
        return f"{HELP}{gifts}\n\n{legend}"

    def explain_scores(self, state: GameState) -> list[str]:
        position = self.position(state)
        points = load_data()["scoring"]
        lines = []
        for seat, one in enumerate(position.seats):
            towns = [kind for _, owner, kind in position.buildings if owner == seat]
            parts = [(towns.count("settlement") * points["settlement"], "settlements"),
                     (towns.count("city") * points["city"], "cities"), (one.secret_points or 0, "victory point cards"),
                     (one.longest_road * points["longest_road"], "longest road"),
                     (one.largest_army * points["largest_army"], "largest army"),
                     (one.temple * points["greatest_temple_contributor"], "temple")]
            lines.append(f"{self.seat_name(seat)}: {sum(n for n, _ in parts)} = "
                         + " + ".join(f"{n} {what}" for n, what in parts if n))
        return lines

    def chance_source(self, state: GameState) -> str:
        assert isinstance(state, ZarahemlaState)
        return SOURCES[state.phase]

    def seat_name(self, seat: int) -> str:
        return str(load_data()["player_colors"]["ids"][seat])

    def secrets(self, state: GameState, seat: int) -> dict[str, str]:
        """Hands that the seat cannot tell, and development cards of others."""
        assert isinstance(state, ZarahemlaState)
        found = {}
        known = state.known_hands(seat)
        raw = state.snapshot()
        for i in range(self.players):
            if known[i] is None:
                found[f"hand of {self.seat_name(i)}"] = _cards_text(state.hand(i))
            if i != seat and raw["seats"][i]["cards"] and raw["phase"] != "game_over":
                found[f"development cards of {self.seat_name(i)}"] = _count_text(_named(state.dev_cards(i)[0]))
        return found

    def observation(self, state: GameState, seat: int) -> dict[str, Any]:
        assert isinstance(state, ZarahemlaState)
        raw = state.snapshot()
        position = self.position(state, seat)
        return {
            "phase": position.phase,
            "seat_on_turn": position.seat_on_turn,
            "turns": raw["turns"],
            "dice": position.dice,
            "card_played": raw["card_played"],
            "cards_bought": raw["bought"],
            "terrain": list(position.terrain),
            "numbers": list(position.numbers),
            "stations": [{"edge": edge, "kind": kind} for edge, kind in position.stations],
            "robber": position.robber,
            "buildings": [{"corner": corner, "seat": owner, "kind": kind}
                          for corner, owner, kind in position.buildings],
            "roads": [{"edge": edge, "seat": owner} for edge, owner in position.roads],
            "bank": dict(zip(RESOURCE_IDS, position.bank, strict=True)),
            "deck": position.deck,
            "offers": [{"seat": i, "give": raw["give"][i], "want": raw["want"][i],
                        "answer": ("none", "no", "yes", "counter")[raw["answers"][i]]}
                       for i in range(self.players) if any(raw["give"][i] + raw["want"][i]) or raw["answers"][i]],
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

    # ---- debug build --------------------------------------------------------------------------

    def verify(self, state: GameState) -> None:
        """Recount the position; raises AssertionError on a difference."""
        assert isinstance(state, ZarahemlaState)
        check_position(self.position(state), self.ruleset)

    def verify_step(self, before: GameState, move: int, after: GameState) -> None:
        """Recount what a move did (debug build); raises AssertionError on a difference."""
        assert isinstance(before, ZarahemlaState)
        assert isinstance(after, ZarahemlaState)
        check_step(before, move, after, self.ruleset)


def _five(counts: Any) -> Five:
    wood, brick, water, wheat, stone = counts
    return wood, brick, water, wheat, stone


def _named(counts: list[int]) -> tuple[tuple[str, int], ...]:
    return tuple((name, n) for name, n in zip(CARD_IDS, counts, strict=True) if n)


def _cards_text(hand: Five) -> str:
    return " ".join(f"{n} {name}" for n, name in zip(hand, RESOURCE_IDS, strict=True) if n) or "no cards"


def _count_text(cards: tuple[tuple[str, int], ...]) -> str:
    return ", ".join(f"{n} {name.replace('_', ' ')}" for name, n in cards) or "none"


assert set(SOURCES) <= set(PHASES)
