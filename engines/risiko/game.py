"""RisiKo! as a registered game."""

from __future__ import annotations

from typing import Any, ClassVar

from sfida.cython_ext.risiko.core import PHASES, RisikoState
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game, GameOptions
from sfida.engines.risiko import names, notation, status, text
from sfida.engines.risiko.checks import check_position, check_step
from sfida.engines.risiko.goals import goal_of, hunted_colors, objective_name, progress_of, score_line
from sfida.engines.risiko.moves import HIDDEN, decode
from sfida.engines.risiko.objective_files import load_objectives
from sfida.engines.risiko.options import RisikoOptions, Ruleset, settle
from sfida.engines.risiko.position import Position, SeatPosition
from sfida.engines.risiko.rules import build_rules, card_name, load_data

SOURCES = {
    "chance_start": "first player", "chance_objectives": "objectives", "chance_deal": "territory deal",
    "chance_roll": "dice", "chance_assault": "dice", "draw": "territory cards", "sdadata": "closing dice",
}
HELP = """\
+CIN 5 place 5 armies on China    ALK>KAM 3 attack Kamchatka from Alaska with three dice
ALK>>KAM assault until it falls or you cannot go on    ALK>>KAM 4 the same, but stop with 4 armies left
T ALK QUE PER trade a set (J1, J2 are the jokers)    d2 defend with two dice
x KAM 3+4 move 4 more armies in    ~UCR>EUM 4 strategic move    = no (more) sets, attacks, strategic move"""


class Risiko(Game):
    """RisiKo! (Editrice Giochi); rules in docs/rules/risiko.md."""

    name: ClassVar[str] = "risiko"
    title: ClassVar[str] = "RisiKo!"
    rules_version: ClassVar[int] = 2
    options_class: ClassVar[type[GameOptions]] = RisikoOptions
    chance_sources: ClassVar[tuple[str, ...]] = tuple(dict.fromkeys(SOURCES.values()))
    search_defaults: ClassVar[dict[str, Any]] = {
        "cutoff": 4, "informed": 90, "blend": 0.0, "tau": 6.0, "priors": True, "c_prior": 1.0, "fpu": 0.1,
        "chance_depth": 2, "expand_at": 1,
    }
    greedy_by_priors: ClassVar[bool] = True
    labels_list_moves: ClassVar[bool] = False           # labels name territories

    options: RisikoOptions

    def __init__(self, options: GameOptions | None = None) -> None:
        super().__init__(options)
        own = () if self.options.objectives is None else load_objectives(self.options.objectives)
        self.ruleset: Ruleset = settle(self.options, load_data(), own)

    def initial_state(self) -> RisikoState:
        return RisikoState(self, build_rules(self.ruleset))

    # ---- plain data ---------------------------------------------------------------------------

    def position(self, state: GameState, seat: int | None = None) -> Position:
        """Return the state as plain data, as `seat` sees it (None: as everybody does)."""
        assert isinstance(state, RisikoState)
        raw = state.snapshot()
        over = raw["phase"] == "game_over"
        fighting = raw["phase"] in ("defend", "chance_roll", "chance_assault")
        ranks = state.standings() if over else ()
        return Position(
            players=self.players,
            tournament=self.ruleset.points,
            hunted=None if self.ruleset.objective_deck == "base" else hunted_colors(self.ruleset),
            phase=raw["phase"],
            round=raw["round"],
            seat_on_turn=raw["on_turn"],
            seat_to_move=raw["to_move"],
            owner=tuple(raw["owner"]),
            armies=tuple(raw["armies"]),
            left=raw["left"],
            attack=(raw["origin"], raw["target"], raw["attack_dice"],
                    0 if raw["phase"] == "defend" else raw["defence_dice"]) if fighting else None,
            conquests=raw["conquests"],
            deck=raw["deck"],
            discards=tuple(raw["discards"]),
            seats=tuple(self._seat(state, raw, i, over, i == seat) for i in range(self.players)),
            last=_last(raw),
            winners=tuple(i for i, rank in enumerate(ranks) if rank == 1),
        )

    def _seat(self, state: RisikoState, raw: dict[str, Any], seat: int, over: bool, own: bool) -> SeatPosition:
        row = raw["seats"][seat]
        revealed = self.ruleset.reveal_objective_on_elimination and row["eliminated_by"] >= 0
        objective = state.objective(seat) if over or own or revealed else None
        points = None
        if self.ruleset.points and objective is not None:
            points = state.points(seat)
        return SeatPosition(
            color=str(names.color_row(row["color"])["id"]) if row["color"] >= 0 else "",
            alive=row["alive"], territories=row["territories"], armies=row["armies"],
            continents=tuple(row["continents"]), income=row["income"], card_count=row["cards"],
            cards=tuple(state.hand(seat)) if over or own or row["cards"] == 0 else None,
            objective=objective, objective_name=objective_name(self.ruleset, objective),
            goal=goal_of(self.ruleset, objective),
            progress="" if objective is None or (raw["round"] == 0 and not raw["turns"])
            else progress_of(self.ruleset, state, raw, seat),
            points=points, eliminated_round=row["eliminated_round"], eliminated_by=row["eliminated_by"])

    # ---- notation -----------------------------------------------------------------------------

    def format_move(self, state: GameState, move: int) -> str:
        assert isinstance(state, RisikoState)
        return notation.format_move(state, move)

    def parse_move(self, state: GameState, text: str) -> int:
        assert isinstance(state, RisikoState)
        return notation.parse_move(state, text)

    def parse_turn(self, state: GameState, text: str) -> list[int]:
        assert isinstance(state, RisikoState)
        return notation.parse_turn(state, text)

    def describe_move(self, state: GameState, move: int) -> str:
        assert isinstance(state, RisikoState)
        return notation.describe_move(state, move)

    def seen_move(self, state: GameState, move: int, seat: int | None) -> str:
        """A card is seen by who draws it, an objective by who gets it (RIS-15)."""
        assert isinstance(state, RisikoState)
        hidden = ((state.phase == "draw" and seat != state.seat_on_turn)
                  or (state.phase == "chance_objectives" and seat != state.just_dealt))
        return self.format_move(state, move | HIDDEN if hidden else move)

    # ---- time -----------------------------------------------------------------------------------

    def decisions_left(self, state: GameState, seat: int) -> float:
        """Return some ten decisions a turn, of half a dozen turns at least while nobody is far ahead."""
        assert isinstance(state, RisikoState)
        raw = state.snapshot()
        most = max(int(row["territories"]) for row in raw["seats"])
        turns = max(2.0, 9.0 - most / 4.0)
        if self.ruleset.round_limit and not self.ruleset.sdadata:
            turns = min(turns, self.ruleset.round_limit - int(raw["round"]) + 1.0)
        return 10.0 * max(1.0, turns)

    # ---- what is seen -------------------------------------------------------------------------

    def board_text(self, state: GameState, *, seat: int | None = None, color: bool = False,
                   width: int = 100, labels: bool = False) -> str:
        return text.board_text(self.position(state, seat), seat=seat, color=color, width=width, labels=labels,
                               places=self._places(state, seat) if labels else ())

    def status_text(self, state: GameState, *, seat: int | None = None, color: bool = False, width: int = 100) -> str:
        return status.status_text(self.position(state, seat), seat=seat, color=color, width=width)

    def stock_text(self, state: GameState, *, seat: int | None = None, color: bool = False,
                   width: int = 100) -> str:
        return status.stock_text(self.position(state), color=color, width=width)

    def board_svg(self, state: GameState, *, seat: int | None = None, size: int = 800, labels: bool = False) -> str:
        from sfida.engines.risiko import svg  # pictures are not needed to play
        return svg.board_svg(self.position(state, seat), seat=seat, size=size, labels=labels,
                             places=self._places(state, seat) if labels else ())

    def _places(self, state: GameState, seat: int | None) -> tuple[tuple[str, int], ...]:
        """Return the territories with which a move of the seat can begin; none unless it is to move."""
        if seat is None or seat != state.to_move:
            return ()
        moves = [decode(code) for code in state.candidate_moves()]
        found = {move.target if move.kind == "place" else move.origin for move in moves
                 if move.kind in ("place", "attack", "assault", "safe_assault", "fortify")}
        return tuple(("territory", i) for i in sorted(found))

    def help_text(self, *, color: bool = False, width: int = 100) -> str:
        legend = status.legend_text(tournament=self.ruleset.points, table=self.ruleset.trade_table, color=color,
                                    width=width)
        return f"{HELP}\n\n{legend}"

    def explain_scores(self, state: GameState) -> list[str]:
        assert isinstance(state, RisikoState)
        position = self.position(state)
        return [f"{self.seat_name(i)}: {score_line(self.ruleset, position, i)}" for i in range(self.players)]

    def ranks(self, state: GameState) -> list[int]:
        """Return each seat's rank at the end (RIS-17)."""
        assert isinstance(state, RisikoState)
        return list(state.standings())

    def chance_source(self, state: GameState) -> str:
        assert isinstance(state, RisikoState)
        return SOURCES[state.phase]

    def seat_name(self, seat: int) -> str:
        """Return the colour of a seat; where players choose their colours, its number."""
        if self.ruleset.choose_colors:
            return f"seat {seat}"
        return str(names.color_row(seat)["name_en"]).lower()

    def secrets(self, state: GameState, seat: int) -> dict[str, str]:
        """Cards and objectives of others."""
        assert isinstance(state, RisikoState)
        if state.is_over:
            return {}
        found = {}
        position = self.position(state, seat)
        for i, one in enumerate(position.seats):
            if one.objective is None and state.objective(i) is not None:
                found[f"objective of {self.seat_name(i)}"] = state.rules.objectives[state.objective(i) or 0]
            if one.cards is None:
                found[f"cards of {self.seat_name(i)}"] = " ".join(map(card_name, state.hand(i)))
        return found

    def private_type(self, state: GameState, seat: int) -> str | None:
        """Return the objective."""
        assert isinstance(state, RisikoState)
        which = state.objective(seat)
        return None if which is None else state.rules.objectives[which]

    def observation(self, state: GameState, seat: int) -> dict[str, Any]:
        assert isinstance(state, RisikoState)
        raw = state.snapshot()
        position = self.position(state, seat)
        ids = state.rules.objectives
        return {
            "phase": position.phase, "round": position.round, "seat_on_turn": position.seat_on_turn,
            "first": raw["first"], "left": position.left, "conquests": position.conquests,
            "owner": list(position.owner), "armies": list(position.armies),
            "attack": None if position.attack is None else list(position.attack), "assault": raw["assault"],
            "deck": position.deck, "discards": list(position.discards),
            "draw_cycle": raw["cycles"], "card_cycles": raw["cycle"],
            "seats": [{
                "color": one.color, "alive": one.alive, "territories": one.territories, "armies": one.armies,
                "stock": raw["seats"][i]["stock"],
                "continents": [load_data()["continent"][c]["code"] for c in one.continents], "income": one.income,
                "card_count": one.card_count, "cards": None if one.cards is None else list(map(card_name, one.cards)),
                "cards_by_cycle": _by_cycle(state, raw, i),
                "objective": None if one.objective is None else ids[one.objective], "progress": one.progress,
                "possible_objectives": [ids[k] for k in raw["seats"][i]["possible"]],
                "points": one.points, "eliminated_round": one.eliminated_round, "eliminated_by": one.eliminated_by,
            } for i, one in enumerate(position.seats)],
        }

    # ---- debug build --------------------------------------------------------------------------

    def verify(self, state: GameState) -> None:
        """Recount the position; raises AssertionError on a difference."""
        assert isinstance(state, RisikoState)
        check_position(self.position(state), self.ruleset)

    def verify_step(self, before: GameState, move: int, after: GameState) -> None:
        """Recount what a move did (debug build); raises AssertionError on a difference."""
        assert isinstance(before, RisikoState)
        assert isinstance(after, RisikoState)
        check_step(before, move, after, self.ruleset)


def _by_cycle(state: RisikoState, raw: dict[str, Any], seat: int) -> dict[str, int]:
    """Return how many of a seat's cards were drawn in each cycle, which everybody can tell (RIS-16.2)."""
    counts: dict[str, int] = {}
    for cycle in sorted(raw["cycle"][card] for card in state.hand(seat)):
        counts[str(cycle)] = counts.get(str(cycle), 0) + 1
    return counts


def _last(raw: dict[str, Any]) -> tuple[str, int, int, int, int] | None:
    """Return the last move for the arrow: kind, origin, target, losses of both sides."""
    if not raw["last"]:
        return None
    move = decode(raw["last"])
    if move.kind in ("roll", "assault_end"):
        if raw["origin"] < 0:           # the turn is over by now
            return None
        losses = (move.amount >> 2, move.amount & 3) if move.kind == "roll" else (0, 0)
        return "roll", raw["origin"], raw["target"], *losses
    if move.kind in ("place", "deal"):
        return move.kind, -1, move.target, 0, 0
    if move.kind in ("attack", "assault", "safe_assault", "fortify"):
        return move.kind, move.origin, move.target, 0, 0
    if move.kind == "occupy" and raw["origin"] >= 0:
        return "occupy", raw["origin"], raw["target"], 0, 0
    return None


assert set(SOURCES) <= set(PHASES)
