"""A Few Acres of Snow as a registered game."""

from __future__ import annotations

from typing import Any, ClassVar

from sfida.cython_ext.acres.core import SIDES, AcresState
from sfida.cython_ext.state import GameState
from sfida.engines.acres import clauses, notation, status, text
from sfida.engines.acres.checks import check_position, check_step
from sfida.engines.acres.data import load_data
from sfida.engines.acres.moves import decode
from sfida.engines.acres.options import AcresOptions, Ruleset, settle
from sfida.engines.acres.picture import position_of
from sfida.engines.acres.position import Position
from sfida.engines.acres.rules import build_rules, card_codes, site_codes
from sfida.engines.acres.strategies import STRATEGIES
from sfida.engines.game import Game, GameOptions

SOURCES = {"deal": "initial deals", "draw": "draws", "home": "draws"}
REASONS = {"siege": "a siege won", "settle": "a home settled", "supply": "on points, a supply is empty",
           "capture": "on points, 12 points are captured", "max_turns": "on points, no turns are left"}
PLACED = ("settle", "develop", "fortify", "besiege", "raid")
HELP = """\
settle DEE NHV STM BOS   a site, from a card, with transport and settlers   develop ALB STM   fortify PEM FO
besiege LOU HAL NFK SA   reinforce LOU RI   leader LOU   withdraw LOU   surrender PRO
raid BOS NAn CB PR   ambush RG   convert PR   money BOS   merchant NHV BOS NYK   trader TR MTL TAD   piracy PRO
draft CB   discard STM PEM   reserve RI   retrieve   govern NFK PHI   intendant HS   home   pass   end
x FO block with a card   allow   hit RI hand lose a card   none show the hand   lost RI return a card
draft RG; money BOS; end   several actions at once   NYK (or #draw=NYK) a card that was drawn"""


class Acres(Game):
    """A Few Acres of Snow (Martin Wallace); rules in docs/rules/a_few_acres_of_snow.md."""

    name: ClassVar[str] = "a_few_acres_of_snow"
    title: ClassVar[str] = "A Few Acres of Snow"
    rules_version: ClassVar[int] = 3
    options_class: ClassVar[type[GameOptions]] = AcresOptions
    chance_sources: ClassVar[tuple[str, ...]] = ("initial deals", "draws")
    search_defaults: ClassVar[dict[str, Any]] = {
        "cutoff": 6, "informed": 95, "blend": 0.1, "tau": 12.0, "priors": True, "c_prior": 1.0, "fpu": 0.1,
        "chance_depth": 2, "expand_at": 1,
    }
    greedy_by_priors: ClassVar[bool] = True
    strategies: ClassVar[tuple[str, ...]] = tuple(STRATEGIES)
    sides: ClassVar[bool] = True
    labels_list_moves: ClassVar[bool] = False           # labels name sites

    options: AcresOptions

    def __init__(self, options: GameOptions | None = None) -> None:
        super().__init__(options)
        self.ruleset: Ruleset = settle(self.options, load_data())

    def initial_state(self) -> AcresState:
        return AcresState(self, build_rules(self.ruleset))

    def position(self, state: GameState, seat: int | None = None) -> Position:
        """Return the state as plain data, as `seat` sees it (None: as everybody does)."""
        assert isinstance(state, AcresState)
        return position_of(state, seat, self.ruleset)

    # ---- notation -----------------------------------------------------------------------------

    def format_move(self, state: GameState, move: int) -> str:
        assert isinstance(state, AcresState)
        return notation.format_move(state, move)

    def parse_move(self, state: GameState, text: str) -> int:
        assert isinstance(state, AcresState)
        return notation.parse_move(state, text)

    def parse_turn(self, state: GameState, text: str) -> list[int]:
        assert isinstance(state, AcresState)
        return clauses.parse_turn(state, text)

    def describe_move(self, state: GameState, move: int) -> str:
        assert isinstance(state, AcresState)
        return notation.describe_move(state, move)

    def seen_move(self, state: GameState, move: int, seat: int | None) -> str:
        """A card drawn is seen by its owner alone (FAS-17.4)."""
        assert isinstance(state, AcresState)
        if state.is_chance and seat != state.mover:
            return "#draw=?"
        return self.format_move(state, move)

    # ---- time -----------------------------------------------------------------------------------

    def decisions_left(self, state: GameState, seat: int) -> float:
        """Return some six decisions a turn for the turns that the fuller supply of discs suggests."""
        assert isinstance(state, AcresState)
        rows = state.snapshot()["seats"]
        discs = min(int(row["discs"]) for row in rows)
        turns = 7.0 * max(1, discs)
        if self.ruleset.max_turns is not None:
            turns = min(turns, (self.ruleset.max_turns - state.turns) / 2)
        return 6.0 + 6.0 * max(1.0, turns)

    def strategy_worth(self, state: GameState, strategy: str) -> dict[int, float]:
        assert isinstance(state, AcresState)
        return dict(state.move_worth(self.strategies.index(strategy)))

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
        from sfida.engines.acres import svg  # pictures are not needed to play
        return svg.board_svg(self.position(state, seat), seat=seat, size=size, labels=labels,
                             places=self._places(state, seat) if labels else ())

    def _places(self, state: GameState, seat: int | None) -> tuple[tuple[str, int], ...]:
        """Return the sites where the seat may act now; nothing unless it is to move."""
        if seat is None or seat != state.to_move:
            return ()
        moves = map(decode, state.legal_moves())
        return tuple(sorted({("site", move.place) for move in moves if move.kind in PLACED}))

    def help_text(self, *, color: bool = False, width: int = 100) -> str:
        return f"{HELP}\n\n{status.legend_text(color=color, width=width)}"

    def end_reason(self, state: GameState) -> str | None:
        """Return siege, settle, supply, capture or max_turns (FAS-16.7)."""
        assert isinstance(state, AcresState)
        return str(state.snapshot()["reason"]) or None

    def explain_scores(self, state: GameState) -> list[str]:
        """Sites, towns and captured pieces of each side (FAS-16.5), and why the game ended."""
        position = self.position(state)
        value = [row["vp"] for row in load_data()["board"]["locations"]]
        factor = load_data()["scoring"]["town_multiplier"]
        scoring = load_data()["scoring"]
        lines = []
        for seat, one in enumerate(position.seats):
            mine = [i for i, owner in enumerate(position.owner) if owner == seat]
            parts = [(sum(value[i] for i in mine if not position.town[i]), "villages"),
                     (sum(value[i] * factor for i in mine if position.town[i]), "towns"),
                     (one.captured_villages * scoring["captured_cube"], "captured villages"),
                     (one.captured_towns * scoring["captured_disc"], "captured towns")]
            lines.append(f"{self.seat_name(seat)}: {sum(n for n, _ in parts)} = "
                         + (" + ".join(f"{n} {what}" for n, what in parts if n) or "nothing"))
        if position.winner >= 0:
            lines.append(f"{self.seat_name(position.winner)} wins ({REASONS[position.reason]})")
        return lines

    def chance_source(self, state: GameState) -> str:
        assert isinstance(state, AcresState)
        return SOURCES[state.phase]

    def seat_name(self, seat: int) -> str:
        return SIDES[seat]

    def secrets(self, state: GameState, seat: int) -> dict[str, str]:
        """The hand of the other side, while the seat cannot tell it."""
        assert isinstance(state, AcresState)
        raw = state.snapshot()["seats"][1 - seat]
        if state.is_over or raw["deck_size"] == 0 or raw["hand_size"] == len(raw["known"]):
            return {}
        return {f"hand of {self.seat_name(1 - seat)}": " ".join(card_codes()[card] for card in raw["hand"])}

    def observation(self, state: GameState, seat: int) -> dict[str, Any]:
        assert isinstance(state, AcresState)
        position = self.position(state, seat)
        codes, sites = card_codes(), site_codes()

        def named(cards: tuple[int, ...] | None) -> list[str] | None:
            return None if cards is None else [codes[card] for card in cards]

        return {
            "phase": position.phase, "step": state.phase, "verb": position.verb,
            "site": sites[position.site] if position.site >= 0 else None, "chosen": named(position.chosen),
            "actions_left": position.actions_left, "turn": position.turn, "seat_on_turn": position.seat_on_turn,
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

    # ---- debug build --------------------------------------------------------------------------

    def verify(self, state: GameState) -> None:
        """Recount the position; raises AssertionError on a difference."""
        assert isinstance(state, AcresState)
        check_position(self.position(state))

    def verify_step(self, before: GameState, move: int, after: GameState) -> None:
        """Recount what a move did (debug build); raises AssertionError on a difference."""
        assert isinstance(before, AcresState)
        assert isinstance(after, AcresState)
        check_step(before, move, after)
