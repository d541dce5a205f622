"""Calibration of forecasts, and the scale of Carcassonne's win estimate."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np

from bench import EVERY, FIVE, ResultLines, command, file_name, run_all
from sfida.ai.arena.bootstrap import Floats, Ints, Terms, ratios, tail, weights
from sfida.ai.table import MoveEvent, Table, take_seats
from sfida.cython_ext.carcassonne.core import CarcassonneState
from sfida.cython_ext.rng import derive
from sfida.cython_ext.state import GameState
from sfida.engines.registry import make_game

# ---- games and the forecasts in them --------------------------------------------------------------------


SEARCH, EVALUATION = "search", "evaluation"
DIGITS = 5                              # digits of a share in a file


@dataclass(frozen=True)
class AskedForecast:
    """The forecast at one position.

    Attributes
    ----------
    seat : int
        The seat whose win share is forecast; -1: all seats.
    root : tuple of float
        Win share of every seat: the mean over a search's iterations, or the evaluation.
    move : tuple of float
        Win share of every seat if the chosen move is played.
    """

    seat: int
    root: tuple[float, ...]
    move: tuple[float, ...]


@dataclass(frozen=True)
class ForecastPlan:
    """The games and forecasts of a run: the first line of a file, which must be the same when the file is continued.

    Attributes
    ----------
    game : str
        Complete spec.
    rules_version : str
    agent : str
        The agent of every seat.
    asked : str
        "search": forecasts of the search at every decision with a choice; "evaluation": those of the evaluation after
        every turn.
    seed : int
    """

    game: str
    rules_version: str
    agent: str
    asked: str
    seed: int

    @classmethod
    def of(cls, game: str, agent: str, asked: str, seed: int) -> ForecastPlan:
        """Return the plan for a game spec."""
        made = make_game(game)
        return cls(made.spec(), str(made.rules_version), agent, asked, seed)


@dataclass(frozen=True)
class ForecastGame:
    """A finished game with its forecasts.

    Attributes
    ----------
    number : int
    shares : tuple of float
        Win shares.
    said : tuple of AskedForecast
        Forecasts in the order of play.
    """

    number: int
    shares: tuple[float, ...]
    said: tuple[AskedForecast, ...]

    def line(self) -> dict[str, Any]:
        """Return the game as a line of a file."""
        return {"number": self.number, "shares": self.shares,
                "said": [[one.seat, one.root, one.move] for one in self.said]}

    @classmethod
    def of(cls, line: dict[str, Any]) -> ForecastGame:
        """Read a game from a line of a file."""
        return cls(line["number"], tuple(line["shares"]),
                   tuple(AskedForecast(seat, tuple(root), tuple(move)) for seat, root, move in line["said"]))


def play(plan: ForecastPlan, number: int) -> ForecastGame:
    """Play the game with this number; the same plan and number give the same game."""
    game, said = make_game(plan.game), list[AskedForecast]()
    seats = take_seats(game, [plan.agent] * game.players)
    table = Table(game, seats, derive(plan.seed, number))
    table.watchers.append(listen_to_search(said) if plan.asked == SEARCH else
                          after_turns(lambda state: said.append(evaluated(state))))
    try:
        table.begin()
        while not table.is_over:
            table.play(table.next_move())
    finally:
        for seat in seats:
            seat.close()
    shares = table.state.utilities()
    assert shares is not None
    return ForecastGame(number, _rounded(shares), tuple(said))


def listen_to_search(said: list[AskedForecast]) -> Callable[[GameState, MoveEvent], None]:
    """Return a watcher that notes the forecasts of searches; forced moves are not searched."""

    def watch(before: GameState, event: MoveEvent) -> None:
        found = event.analysis
        if found is not None and found.stopped != "forced":
            said.append(AskedForecast(event.seat, _rounded(found.value), _rounded(found.best.values or found.value)))

    return watch


def after_turns(note: Callable[[GameState], None]) -> Callable[[GameState, MoveEvent], None]:
    """Return a watcher that calls `note` with the position after each turn, before the chance events that follow.

    As in searches, turns are those that the game counts; if it counts none, a turn ends when another seat decides.
    """
    turn, last = None, None

    def watch(before: GameState, event: MoveEvent) -> None:
        nonlocal turn, last
        if event.chance:
            return
        now = before.turn_number if before.turn_number >= 0 else event.seat
        if last is not None and now != turn:
            note(last)
        assert event.state is not None
        turn, last = now, event.state.clone()

    return watch


def evaluated(state: GameState) -> AskedForecast:
    """Return the evaluation of a position."""
    wins = _rounded(state.evaluation()[0])
    return AskedForecast(-1, wins, wins)


def _rounded(shares: Sequence[float]) -> tuple[float, ...]:
    return tuple(round(float(share), DIGITS) for share in shares)


# ---- forecasts against results --------------------------------------------------------------------------


TENTHS = 10
POWERS = np.geomspace(0.2, 5.0, 200)
LEAST = 1e-3                            # minimum share; a share of 0 could have an infinite log loss
RESAMPLES = 2000


@dataclass(frozen=True)
class Tenth:
    """Forecasts and results in one tenth of the range; shares 0 to 1.

    Attributes
    ----------
    low, high : float
        Bounds of the tenth.
    positions, games : int
    said, happened : float
        Means over positions.
    ci95 : (float, float)
        95 % interval of `happened`, by bootstrap over games.
    """

    low: float
    high: float
    positions: int
    games: int
    said: float
    happened: float
    ci95: tuple[float, float]


@dataclass(frozen=True)
class Reliability:
    """The tenths with forecasts, and the power that corrects the forecasts best.

    Attributes
    ----------
    games, positions : int
    tenths : tuple of Tenth
    power : float
    power_ci95 : (float, float)
    log_loss, corrected : float
        Mean log loss over positions, of the shares of all seats as forecast and as corrected by the power.
    """

    games: int
    positions: int
    tenths: tuple[Tenth, ...]
    power: float
    power_ci95: tuple[float, float]
    log_loss: float
    corrected: float


def pairs(games: Sequence[ForecastGame], of: str) -> tuple[Ints, Floats, Floats]:
    """Return the game of each forecast share, the share, and the result, all of shape (N,)."""
    rows = [(number, getattr(one, of)[seat], game.shares[seat]) for number, game in enumerate(games)
            for one in game.said for seat in ([one.seat] if one.seat >= 0 else range(len(game.shares)))]
    number, said, happened = zip(*rows, strict=True) if rows else ((), (), ())
    return np.array(number, np.int64), np.array(said, float), np.array(happened, float)


def tenth_of(said: Floats) -> Ints:
    """Return the tenth, 0 to 9, of each share; the highest tenth includes 1."""
    return np.clip(np.floor(said * TENTHS + 1e-9), 0, TENTHS - 1).astype(np.int64)


def reliability(games: Sequence[ForecastGame], of: str = "root", seed: int = 1) -> Reliability:
    """Compare forecasts with results; `of`: "root" or "move"."""
    number, said, happened = pairs(games, of)
    tenth = tenth_of(said)
    terms = Terms.of(TENTHS, len(games), tenth, number, happened)
    found = ratios(terms, seed, RESAMPLES)
    rows = []
    for i in np.unique(tenth).tolist():
        inside = tenth == i
        rows.append(Tenth(i / TENTHS, (i + 1) / TENTHS, int(inside.sum()), len(np.unique(number[inside])),
                          float(said[inside].mean()), float(found.value[i]),
                          (float(found.low[i]), float(found.high[i]))))
    return Reliability(len(games), sum(len(game.said) for game in games), tuple(rows), *correction(games, of, seed))


def correction(games: Sequence[ForecastGame], of: str, seed: int) -> tuple[float, tuple[float, float], float, float]:
    """Return the power with the lowest log loss, its interval, and the log loss without and with the power."""
    losses = np.array([_losses(game, of) for game in games if game.said])
    count = np.array([len(game.said) for game in games if game.said])
    if not len(count):
        return 1.0, (float(POWERS[0]), float(POWERS[-1])), 0.0, 0.0
    total = losses.sum(axis=0)
    best = int(total[1:].argmin())
    sample = np.concatenate([POWERS[(losses[:, 1:].T @ taken).argmin(axis=0)]
                             for taken in weights(len(count), seed, RESAMPLES)])
    low, high = np.quantile(sample, [tail(len(count)), 1 - tail(len(count))])
    return (float(POWERS[best]), (float(low), float(high)), float(total[0] / count.sum()),
            float(total[1 + best] / count.sum()))


def _losses(game: ForecastGame, of: str) -> Floats:
    """Return the sum over a game of the log loss as forecast, followed by the sums with each of the powers."""
    logs = np.log(np.maximum([getattr(one, of) for one in game.said], LEAST))       # (positions, seats)
    z = np.concatenate([[1.0], POWERS])[:, None, None] * logs
    z -= z.max(axis=-1, keepdims=True)
    return np.asarray(-((z - np.log(np.exp(z).sum(axis=-1, keepdims=True))) @ np.array(game.shares)).sum(axis=-1))


# ---- playing -------------------------------------------------------------------------------------------
def games_in_tenths(games: Sequence[ForecastGame], of: str) -> list[int]:
    """Return the number of games with a forecast in each tenth."""
    number, said, _ = pairs(games, of)
    met = np.unique(np.stack([tenth_of(said), number]), axis=1)[0]
    return np.bincount(met, minlength=TENTHS).tolist()


# ---- printing ------------------------------------------------------------------------------------------
def show(found: Reliability) -> None:
    """Print the table of the tenths and the correction."""
    print("tenth       positions   games    said   happened   95 %\n" + "─" * 63)
    for row in found.tenths:
        said, happened, low, high = (100 * x for x in (row.said, row.happened, *row.ci95))
        print(f"{row.low:.1f} - {row.high:.1f}   {row.positions:9,} {row.games:7}   {said:5.1f}      {happened:5.1f}"
              f"   {low:5.1f} {high:5.1f}{'' if low <= said <= high else '  *'}")
    low, high = found.power_ci95
    print(f"Power {found.power:.2f} [{low:.2f} {high:.2f}]; log loss {found.log_loss:.4f}, "
          f"with it {found.corrected:.4f}. *: what was said is outside the interval.\n", flush=True)


@command
def calibration(*specs: str, every: Annotated[bool, "the five games with every number of players"] = False,
                agent: Annotated[str | None, "on every seat (ismcts:iterations=500; with --evaluation greedy)"] = None,
                evaluation: Annotated[bool, "ask the evaluation after every turn"] = False,
                of: Annotated[Literal["root", "move"], "which value of a search"] = "root",
                games: Annotated[int, "of each spec, at most"] = 300,
                until: Annotated[int, "stop when every tenth has this many games"] = 0, seed: int = 1, jobs: int = 1,
                store: Path | None = None,
                json_: Annotated[bool, "--json", "print one JSON object a line"] = False) -> None:
    """Compare forecasts of the result with what happened, both in %, in games of equal agents. Takes hours.

    calibration                                      five games, as few players as they allow
    calibration zarahemla:players=4 --agent ismcts:iterations=500 --games 400
    calibration --every --until 50 --store DIR -j 2  all numbers of players; may be interrupted
    calibration carcassonne --evaluation             what the evaluation says after every turn; a minute

    At every decision with a choice the search of the seat to move says what win probability it estimates. `--of root`
    takes the mean over all iterations (`Analysis.value`), `--of move` the value of the chosen move, which people are
    shown. The positions are sorted by what was said into tenths of the range; "said" and "happened" are means over
    them. The positions of a game share one result: intervals are 95 % by bootstrap over games, and "games" says how
    many independent games a tenth has. (Means over positions, not over games, are what a calibrated search gets right:
    a game that stays long in the highest tenth is one that continues well.)

    The correction raises the said shares of all seats to a power and divides them by their sum; the power is that of
    the least log loss. 1: none is needed; below 1 the search is too sure, above 1 not sure enough. It is no use where
    the tenths do not bend that way.

    With --until N a game continues until every tenth has N games (at most --games). With --store games are kept in a
    folder, one file a game spec; the same call continues with them. Ctrl-C prints what is known so far.
    """
    asked = EVALUATION if evaluation else SEARCH
    agent = agent or ("greedy" if evaluation else "ismcts:iterations=500")
    for spec in specs or (EVERY if every else FIVE):
        plan = ForecastPlan.of(spec, agent, asked, seed)
        lines = ResultLines(store and store / f"{file_name(f'{spec} {agent} {asked} {seed}')}.jsonl", asdict(plan))
        held = [ForecastGame.of(line) for line in lines.held]

        def enough(held: list[ForecastGame] = held) -> bool:
            return bool(until and min(games_in_tenths(held, of)) >= until)

        missing = range(len(held), games)
        with contextlib.suppress(KeyboardInterrupt):
            if missing and not enough():
                with contextlib.closing(run_all(play, ((plan, number) for number in missing), jobs)) as played:
                    for game in played:
                        held.append(game)
                        lines.add(game.line())
                        if enough():
                            break
        if not any(game.said for game in held):
            print(f"{spec}: {agent} said nothing in {len(held)} games", flush=True)
            continue
        found = reliability(held, of, seed)
        if json_:
            words = {"game": plan.game, "agent": agent, "asked": asked, "of": of, "seed": seed}
            print(json.dumps({**words, **asdict(found)}), flush=True)
            continue
        what = "its evaluation after every turn" if evaluation else f"the search of {agent} ({of})"
        print(f"{spec}, {what}, {found.games} games, {found.positions:,} positions", flush=True)
        show(found)


# ---- the scale of Carcassonne ---------------------------------------------------------------------------


SPREADS = np.arange(0.4, 3.01, 0.2)
FLOORS = (0.5, 1.0, 2.0, 3.0)
BAND = 10                               # tiles in a row of the table


@dataclass(frozen=True)
class ForecastRow:
    """A position: tiles left, expected points, and points and win shares at the end of the game."""

    left: int
    expected: tuple[float, ...]
    scores: tuple[float, ...]
    shares: tuple[float, ...]


def rows_of(spec: str, agent: str, seed: int) -> list[ForecastRow]:
    """Play a game and return its positions after every turn."""
    game, seen = make_game(spec), list[tuple[int, tuple[float, ...]]]()
    table = Table(game, take_seats(game, [agent] * game.players), seed)

    def note(state: GameState) -> None:
        assert isinstance(state, CarcassonneState)
        seen.append((state.tiles_left, tuple(state.evaluation()[1])))

    table.watchers.append(after_turns(note))
    table.begin()
    while not table.is_over:
        table.play(table.next_move())
    shares = table.state.utilities()
    assert shares is not None
    return [ForecastRow(left, expected, tuple(table.state.scores()), tuple(shares)) for left, expected in seen]


def loss(rows: list[ForecastRow], spread: float, floor: float) -> float:
    """Return the mean log loss with this scale."""
    total = 0.0
    for row in rows:
        z = np.asarray(row.expected) / (floor + spread * math.sqrt(row.left))
        z -= z.max()
        total -= float(np.dot(row.shares, z - math.log(np.exp(z).sum())))
    return total / len(rows)


@command
def carcassonne_scale(game: str = "carcassonne", *, agent: str = "greedy", games: int = 120, seed: int = 1) -> None:
    """Fit the scale of Carcassonne's win estimate, in points, and show how far those expected are off. Takes a minute.

    carcassonne-scale --games 120

    The estimate is a softmax of the expected points whose scale is `floor + spread * sqrt(tiles left)`. Positions are
    those after every turn in games of equal agents; the best scale has the least log loss of their results. Whether the
    estimate means what it says is shown by `calibration carcassonne --evaluation`.
    """
    rows = [row for number in range(games) for row in rows_of(game, agent, derive(seed, number))]
    bias = np.array([np.subtract(row.expected, row.scores) for row in rows])
    left = np.array([row.left for row in rows])
    print(f"{games} games of {agent}, {len(rows)} positions")
    for low in range(0, int(left.max()) + 1, BAND):
        inside = bias[(left >= low) & (left < low + BAND)]
        if len(inside):
            print(f"tiles left {low:2d}-{low + BAND - 1:2d}: score bias {inside.mean():+6.2f}, "
                  f"margin error sd {(inside[:, 0] - inside[:, 1]).std():5.2f}")
    best = min((loss(rows, spread, floor), spread, floor) for spread in SPREADS for floor in FLOORS)
    print(f"best fit: spread {best[1]:.2f} floor {best[2]:.2f} log loss {best[0]:.4f}")
