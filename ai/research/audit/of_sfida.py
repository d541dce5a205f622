"""The audit of games with Sfida's contract: `determinize`, labels, unused bytes and histories that look alike.

A game is played; then something that one seat did not see is changed in it. Either two hidden events change places,
or a hidden event gets another outcome, and the game continues in the same way as far as possible. As long as the seat
saw the same of every event, its view, everything drawn or written from it, and its own moves must be the same.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from sfida.ai.external import protocol
from sfida.ai.research.audit.subject import Refused, Subject, Twin
from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import CHANCE, TERMINAL, GameState
from sfida.cython_ext.twins import Tape
from sfida.engines.game import Game, Knowledge, Rules
from sfida.engines.openspiel.game import OpenSpiel
from sfida.engines.python_game import PythonGame, PythonPosition

__all__ = ["Difference", "TwinCounts", "twins_of_game"]


# ---- Everything that a seat can see of a position; none of it may depend on what the seat cannot know

_FORMATTED = 40         # most moves of a legal list whose texts are compared


def sights_of(state: GameState, seat: int, *, texts: bool = True, pictures: bool = False) -> dict[str, Any]:
    """Return what a seat can see of a position, each item under the name of its source.

    Parameters
    ----------
    state : GameState
    seat : int
    texts, pictures : bool
        Whether to draw the board as text and as SVG, which is slow.

    Returns
    -------
    dict
        Values that compare equal if the seat sees the same.
    """
    game, view = state.game, state.view(seat)
    found: dict[str, Any] = {
        "view.key()": view.key(),
        "pickle of the view": pickle.dumps(view),
        "to_move": state.to_move,
        "label": state.label(seat),
        "observation": json.dumps(state.observation(seat)),
        "observation of the view": json.dumps(view.observation()),
        "scores": state.scores(),
        "utilities": state.utilities(),
        "inputs": state.inputs(seat) if state.sparse_inputs else [],
        "world": view.sample(Random(1)).to_bytes(),
    }
    if state.to_move == seat:
        moves = state.legal_moves()
        texts_of_moves = [state.format(move) for move in moves[:_FORMATTED]]
        found |= {
            "legal_moves": moves,
            "legal_moves of the view": view.legal_moves(),
            "candidate_moves": state.candidate_moves(),
            "texts of the moves": texts_of_moves,
            "descriptions of the moves": [game.describe_move(state, move) for move in moves[:_FORMATTED]],
            "parts of the moves": game.move_parts(state, moves[:_FORMATTED]),
            "move_priors": state.move_priors(),
            "move_features": state.move_features(),
            "evaluation": state.evaluation(),
            "line to a program": protocol.choose(1, view, texts_of_moves, 1, None),
        }
    if texts:
        found |= {
            "board_text": game.board_text(state, seat=seat, color=True, width=100, labels=True),
            "status_text": game.status_text(state, seat=seat, width=100),
            "stock_text": game.stock_text(state, seat=seat, width=100),
        }
        if state.to_move == seat:
            found["draw_decision"] = game.draw_decision(state, width=100)
            found["question"] = game.question(state, seat)
    if pictures:
        found["board_svg"] = game.board_svg(state, seat=seat, labels=True)
    return found


def differing(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """Return the names under which two results of `sights_of` differ."""
    return [name for name in one.keys() | other.keys() if name not in one or name not in other
            or one[name] != other[name]]


# ---- Bytes that a position does not use: no seat may see them, and nothing later may read them

PATTERNS = (0x55, 0xAA)
_SEED = 1


def scribbled(state: GameState, pattern: int) -> GameState:
    """Return a copy in which every byte that the position does not use holds the pattern."""
    twin = state.clone()
    twin.scribble(pattern)
    return twin


def scribbling_changes(state: GameState, *, texts: bool = True, pictures: bool = False) -> str | None:
    """Return what depends on bytes that the position does not use, or None if nothing does.

    For each pattern, it compares everything that each seat sees, the worlds of each seat, and playouts to the end and
    to an evaluation with those of the position.

    Parameters
    ----------
    state : GameState
        The true state, not a view.
    texts, pictures : bool
        Whether to compare the board drawn as text and as SVG.
    """
    seats = range(state.players)
    twins = [twin for twin in (scribbled(state, pattern) for pattern in PATTERNS) if twin != state]
    seen = [sights_of(state, seat, texts=texts, pictures=pictures) for seat in seats] if twins else []
    for twin in twins:
        for seat in seats:
            names = differing(seen[seat], sights_of(twin, seat, texts=texts, pictures=pictures))
            if names:
                return f"'{min(names)}' of seat {seat}"
            if _world(state, seat) != _world(twin, seat):
                return f"determinize({seat})"
        for cutoff, informed in ((-1, 0), (2, 100)):
            if _played_out(state, cutoff, informed) != _played_out(twin, cutoff, informed):
                return "a playout"
    return None


def _world(state: GameState, seat: int) -> GameState:
    world = state.clone()
    world.determinize(seat, Random(_SEED))
    return world


def _played_out(state: GameState, cutoff: int, informed: int) -> tuple[object, bytes]:
    end = state.clone()
    return end.random_playout(Random(_SEED), cutoff, informed), end.to_bytes()


# ---- Labels of events against views: a label shows exactly what the seat saw of an event

_MOVES = 4              # moves tried in each position
_DRAWS = 300            # worlds that show whether the view itself reveals too much


def label_fault(state: GameState, seat: int, worlds: list[GameState], rng: Random) -> str | None:
    """Return what is wrong with the labels of possible next events, or None.

    A move that is legal in one world may not be in another, so the same moves are tried in all of them. Labels of
    the true state and of worlds are kept separate: a game may use larger events in a world.

    Parameters
    ----------
    state : GameState
        The true state.
    seat : int
    worlds : list of GameState
        Worlds of the seat in this state.
    rng : Random
    """
    labels: dict[bytes, int] = {}
    some = _some(state.legal_moves(), rng)
    for starts in ([state], worlds):
        shown: dict[tuple[int, int | None], tuple[bytes, str]] = {}
        for start in starts:
            moves = start.legal_moves()
            for move in sorted({*some.intersection(moves), *_some(moves, rng)}):
                after = start.clone()
                after.apply(move)
                label, key, text = after.label(seat), after.view(seat).key(), start.format(move)
                if not 0 <= label < 2**64:
                    return f"label({seat}) is {label}"
                if labels.setdefault(key, label) != label:
                    return f"event_label({seat}) of '{text}' shows more than view({seat}) shows: it leaks"
                if after.is_over:           # the end reveals everything
                    continue
                own = move if start.to_move == seat else None
                first, other = shown.setdefault((label, own), (key, text))
                if first == key:
                    continue
                for _ in range(_DRAWS):     # Does the view itself reveal too much?
                    after.determinize(seat, rng)
                    if after.view(seat).key() != key:
                        return f"view({seat}) depends on what seat {seat} cannot know: it leaks"
                return (f"event_label({seat}) is the same after '{other}' and after '{text}', "
                        f"but view({seat}) is not: it misses what the event reveals")
    return None


def _some(moves: list[int], rng: Random) -> set[int]:
    """Return a few moves of a list, at random."""
    return {moves[rng.below(len(moves))] for _ in range(_MOVES)}


# ---- Twins: histories of a game that a seat cannot tell apart must look the same to it, byte for byte

INFORMED = (0, 40, 90)      # percentages of moves drawn by the game's priors; the games use them in turn
NEAR = 8                    # most hidden events of the same kind between two that change places
PICTURES = 10               # one in N full comparisons also draws the picture
_SHOWN = 12                 # most bytes and events that a message names


@dataclass(frozen=True)
class Difference:
    """Two histories that a seat could not tell apart, until its views differed.

    Attributes
    ----------
    game : str
        Game spec with the number of players.
    seed, seat, ply : int
        Seed of the game, seat of the view, and the event after which the views differ.
    what : str
        The difference, and its likely cause.
    history, twin : tuple of str
        The events from the first different one on, in the game's notation.
    """

    game: str
    seed: int
    seat: int
    ply: int
    what: str
    history: tuple[str, ...]
    twin: tuple[str, ...]

    def __str__(self) -> str:
        return (f"game '{self.game}', seed {self.seed}, seat {self.seat}, ply {self.ply}: {self.what}; "
                f"played {_listed(self.history)}, its twin {_listed(self.twin)}")


@dataclass
class TwinCounts:
    """The numbers of compared games and positions, and the differences.

    Attributes
    ----------
    games, swaps, outcomes : int
        Games played; twins in which two hidden events changed places; twins in which a hidden event got another
        outcome. Only twins with at least one compared position count.
    positions : int
        Positions of twins whose view was compared with that of the game; if the game hides nothing, positions of the
        game with every view compared with the position itself.
    audited : int
        Positions at which everything that the seat sees was compared, texts included.
    differences : list of Difference
    """

    games: int = 0
    swaps: int = 0
    outcomes: int = 0
    positions: int = 0
    audited: int = 0
    differences: list[Difference] = field(default_factory=list)


def twins_of_game(game: Rules, seed: int, *, twins: int = 20, every: int = 50, plies: int = 2000,
                  counts: TwinCounts | None = None) -> TwinCounts:
    """Play a game, follow twins of it for every seat, and compare.

    Parameters
    ----------
    game : Rules
    seed : int
        Seed of all random choices.
    twins : int
        Most twins for each seat.
    every : int
        Everything that the seat sees is compared at one in this many positions on average; 0: nowhere.
    plies : int
        Events after which a game is stopped.
    counts : TwinCounts, optional
        Counts to add to.

    Returns
    -------
    TwinCounts
        The counts; they have no `differences` if the game keeps its secrets.
    """
    counts = TwinCounts() if counts is None else counts
    rng = Random(derive(seed, game.players))
    start = game.initial_state()
    tape = Tape(start, rng, plies, INFORMED[seed % len(INFORMED)])
    counts.games += 1
    if not start.hidden:
        _compare_open(game, seed, tape, counts)
        return counts
    for seat in range(game.players):
        alike = tape.hidden_events(seat)
        for _ in range(twins if alike else 0):
            _follow(game, seed, tape, seat, alike, rng, every, counts)
    return counts


def _compare_open(game: Rules, seed: int, tape: Tape, counts: TwinCounts) -> None:
    """Check a game without hidden information, in which every view is the whole position."""
    counts.positions += len(tape.moves)
    for seat in range(game.players):
        closed = tape.count_closed(seat)
        if closed:
            counts.differences.append(Difference(
                game.spec(), seed, seat, len(tape.moves),
                f"nothing is hidden, but {closed} views are not the position", (), ()))


def _follow(game: Rules, seed: int, tape: Tape, seat: int, alike: list[list[int]], rng: Random, every: int,
            counts: TwinCounts) -> None:
    """Make one twin, in one of the two ways, and compare."""
    plies = alike[rng.below(len(alike))]
    at = rng.below(len(plies))
    later = [ply for ply in plies[at + 1:at + 1 + NEAR] if tape.moves[ply] != tape.moves[plies[at]]]
    swapped = later[rng.below(len(later))] if later and rng.below(2) else -1

    def audit(ply: int, twin: GameState) -> list[str] | None:
        counts.audited += 1
        pictures = rng.below(PICTURES) == 0
        names = differing(sights_of(tape.states[ply + 1], seat, pictures=pictures),
                          sights_of(twin, seat, pictures=pictures))
        if _told(tape.states[ply], tape.moves[ply], tape.states[ply + 1], seat) != _told(
                _replayed(tape.states[plies[at]], tape.line[:-1]), tape.line[-1], twin, seat):
            names.append("narration")
        return names or None

    positions, found = tape.twin(seat, plies[at], swapped, rng, every, audit)
    counts.positions += positions
    if positions:
        counts.swaps += swapped >= 0
        counts.outcomes += swapped < 0
    if found is not None:
        counts.differences.append(_difference(game, seed, tape, seat, plies[at], found))


def _told(before: GameState, move: int, after: GameState, seat: int) -> object:
    """Return what a seat is told of an event; nothing at the end of the game, which reveals everything."""
    return None if after.is_over else after.game.narrate(before, move, after, seat)


def _replayed(state: GameState, moves: list[int]) -> GameState:
    """Return the position after some moves."""
    state = state.clone()
    for move in moves:
        state.apply(move)
    return state


def _difference(game: Rules, seed: int, tape: Tape, seat: int, at: int,
                found: tuple[int, Any, GameState]) -> Difference:
    ply, what, twin = found
    if isinstance(what, str):
        words = what
    else:
        state = tape.states[ply + 1]
        names = what or differing(sights_of(state, seat, pictures=True), sights_of(twin, seat, pictures=True))
        words = f"{', '.join(sorted(names))} {'differs' if len(names) == 1 else 'differ'}"
        ours, theirs = state.view(seat).key(), twin.view(seat).key()
        offsets = [i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b]
        if offsets:
            more = " ..." if len(offsets) > _SHOWN else ""
            words += f"; bytes {', '.join(map(str, offsets[:_SHOWN]))}{more} of the view"
        if ours != theirs:
            words += (": the label of the last event leaves out what the seat was shown" if "observation" in names
                      else ": the view keeps what the seat never saw")
        else:
            words += ": it reads what the seat's view does not hold"
    history = _texts(tape.states[at], tape.moves[at:ply + 1])
    return Difference(game.spec(), seed, seat, ply, words, history, _texts(tape.states[at], tape.line))


def _texts(state: GameState, moves: list[int]) -> tuple[str, ...]:
    """Return the events from a position on, in notation."""
    state, texts = state.clone(), []
    for move in moves:
        texts.append(state.format(move))
        state.apply(move)
    return tuple(texts)


def _listed(texts: tuple[str, ...]) -> str:
    """Return the first and the last events."""
    if len(texts) > _SHOWN:
        texts = (*texts[:_SHOWN // 2], f"({len(texts) - _SHOWN} more)", *texts[-_SHOWN // 2:])
    return f"'{' '.join(texts)}'"


# ---- Games with Sfida's contract, compiled, in plain Python or from OpenSpiel: the audit of `determinize`

_TWINS = 12             # most twins for each seat of a game
_ELSEWHERE = ("world", "label")         # sights with separate checks


class StateSubject(Subject[GameState]):
    """A game of Sfida.

    Parameters
    ----------
    game : Game
    """

    sampler: ClassVar[str] = "determinize"
    canonical: ClassVar[bool] = True
    twinned: ClassVar[bool] = True

    def __init__(self, game: Game) -> None:
        self.game = game
        self.spec = game.spec()
        self.players = game.players
        self.hidden = game.initial_state().hidden
        self._names_secrets = (game.position_class.secrets is not PythonPosition.secrets if isinstance(game, PythonGame)
                               else type(game).secrets is not Knowledge.secrets)
        self.merges = not isinstance(game, OpenSpiel)   # OpenSpiel's positions hold their histories

    # ---- rules --------------------------------------------------------------------------------

    def start(self) -> GameState:
        return self.game.initial_state()

    def actor(self, place: GameState) -> int:
        return place.to_move

    def events(self, place: GameState) -> list[tuple[int, int]]:
        if place.to_move == CHANCE:
            return place.chance_outcomes()
        return [(move, 1) for move in place.legal_moves()]

    def after(self, place: GameState, event: int) -> GameState:
        child = place.clone()
        child.apply(event)
        return child

    def text(self, place: GameState, event: int) -> str:
        return place.format(event)

    def key(self, place: GameState) -> Hashable:
        return place.to_bytes()

    # ---- who knows what -----------------------------------------------------------------------

    def news(self, before: GameState, event: int, after: GameState, seat: int) -> Hashable | None:
        return after.label(seat) or None

    def known(self, place: GameState, seat: int) -> Hashable:
        return place.view(seat).key()

    def sights(self, place: GameState, seat: int) -> dict[str, Any]:
        found = sights_of(place, seat)
        for name in _ELSEWHERE:
            del found[name]
        return found

    def secret(self, place: GameState, seat: int) -> Hashable:
        return tuple(place.view(other).key() for other in range(self.players) if other != seat)

    def parts(self, place: GameState, seat: int) -> dict[str, Hashable]:
        """Return the secrets that the game names, or otherwise the pieces of what the others observe."""
        found: dict[str, Hashable] = {**self.game.secrets(place, seat)}
        for other in range(self.players) if not found else ():
            if other != seat:
                found |= _leaves(place.observation(other), f"observation({other})")
        return found

    def whole(self, place: GameState, seat: int) -> Hashable:
        if not self._names_secrets:
            return self.secret(place, seat)
        return tuple(sorted(self.game.secrets(place, seat).items()))

    # ---- the sampler --------------------------------------------------------------------------

    def sample(self, place: GameState, seat: int, seed: int) -> GameState:
        world = place.clone()
        try:
            world.determinize(seat, Random(seed))
        except Exception as error:      # an exception of the game's author, or there is no world
            raise Refused(_said(error)) from None
        return world

    def blind(self, place: GameState, seat: int, seed: int) -> GameState | None:
        return place.view(seat).sample(Random(seed))

    # ---- faults that a single position shows ------------------------------------------------------

    def impossible(self, world: GameState, seat: int) -> str | None:
        try:
            world.verify()
        except AssertionError as error:
            return f"a recount of the world fails: {error}"
        if world.to_move != TERMINAL and not world.legal_moves():
            return "nobody can move in the world"
        return None

    def unfaithful(self, place: GameState, world: GameState, seat: int) -> str | None:
        again = self.game.initial_state()
        again.load(world.to_bytes())
        if self.secret(again, seat) != self.secret(world, seat) or again != world:
            return "load(to_bytes()) of a world gives another one"
        try:
            again = pickle.loads(pickle.dumps(world))
        except Exception as error:      # the attributes of a game in plain Python may be any objects
            return f"a world cannot be pickled: {_said(error)}"
        if again != world:
            return "pickling a world gives another one"
        changed = scribbling_changes(place, texts=False)
        return None if changed is None else f"{changed} depends on bytes that the position does not use"

    def mislabelled(self, place: GameState, worlds: list[GameState], seat: int, seed: int) -> str | None:
        return label_fault(place, seat, worlds, Random(derive(seed, seat)))

    def twins(self, seed: int) -> tuple[int, list[Twin]]:
        counts = twins_of_game(self.game, seed, twins=_TWINS)
        return counts.positions, [Twin("label" in each.what, each.what.partition("; bytes")[0], each.seat, each.history,
                                       each.twin) for each in counts.differences]


def _said(error: Exception) -> str:
    """Return the text of an error in one line."""
    text = " ".join(str(error).split())[:160]
    return text if isinstance(error, SfidaError) else f"{type(error).__name__}: {text}"


def _leaves(value: Any, path: str) -> dict[str, Hashable]:
    """Return the numbers and texts inside an observation, by their paths."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if items is None:
        return {path: value}
    return {name: leaf for key, item in items for name, leaf in _leaves(item, f"{path}.{key}").items()}
