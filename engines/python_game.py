"""Games written in plain Python: a position class and a few lines to register it.

An author writes a subclass of `PythonPosition` (the rules) and a subclass of `PythonGame` (name, title,
options). Every agent, record, view and test then works with the game as with a compiled game.
See docs/measure/adding_a_game.md.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, cast

from sfida.cython_ext.errors import IllegalMove, SfidaError, mark_fault
from sfida.cython_ext.python_state import Hooks, PythonState
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import CHANCE, TERMINAL, GameState
from sfida.engines.game import Game, GameOptions
from sfida.engines.language import N_
from sfida.engines.moves import Actions, SmallCodes, bounded
from sfida.engines.spec import quoted

__all__ = ["CHANCE", "TERMINAL", "PythonGame", "PythonPosition", "TwoPlayers", "position_of"]

@dataclass(frozen=True)
class TwoPlayers(GameOptions):
    """Options of a game for exactly two players."""

    players: int = field(default=2, metadata={"low": 2, "high": 2, "doc": "number of seats", "label": N_("Players")})


class PythonPosition:
    """A position of a game; subclasses hold the rules.

    A subclass sets `to_move` and defines `legal_moves`, `apply` and `utilities`; a game with chance adds
    `chance_outcomes`; a game with hidden information adds `determinize`, `event_label` and `observation`.
    Everything else has a sound default. All attributes must be plain values (numbers, text, tuples,
    lists, dicts, sets, dataclasses), because they are copied, compared and pickled. Nothing may depend on the
    order of a set or dict, and no two attributes may share a list.

    Attributes
    ----------
    to_move : int
        Seat to move (0-based), `CHANCE` (-1) or `TERMINAL` (-4); an attribute or a property.
    feature_names : tuple of str
        Names of the numbers that `features` returns, if it is defined.
    move_feature_names : tuple of str
        Names of the numbers that `move_features` returns for each move, if it is defined.

    Parameters
    ----------
    options : GameOptions
        The chosen options of the game.
    """

    __slots__ = ()

    to_move: int
    feature_names: ClassVar[tuple[str, ...]] = ()
    move_feature_names: ClassVar[tuple[str, ...]] = ()

    def __init__(self, options: Any) -> None:
        """Set up the initial position."""

    # ---- rules --------------------------------------------------------------------------------

    def legal_moves(self) -> Sequence[int]:
        """Return the code of every legal move of the seat to move, each once; there is always at least one.

        A code is an int in [0, 2**64) whose meaning does not depend on hidden information: "play a king", never
        "play the third card of the hand". Small codes (up to 256) are fastest.
        """
        raise NotImplementedError(f"{type(self).__name__} must define legal_moves()")

    def apply(self, move: int) -> None:
        """Play a legal move or a chance outcome, in place and deterministically; legality has been checked."""
        raise NotImplementedError(f"{type(self).__name__} must define apply(move)")

    def utilities(self) -> Sequence[float]:
        """Return each seat's win share once the game is over: in [0, 1], summing to 1."""
        raise NotImplementedError(f"{type(self).__name__} must define utilities()")

    def scores(self) -> Sequence[float]:
        """Return each seat's points, at any time; before the end only public points count.

        The default is the win shares at the end, and zeros before.
        """
        if self.to_move == TERMINAL:
            return self.utilities()
        raise NotImplementedError(f"{type(self).__name__} keeps no points before the end")

    def clone(self) -> Self:
        """Return an independent copy. The default is slow, and searches copy once per iteration."""
        return copy.deepcopy(self)

    # ---- chance -------------------------------------------------------------------------------

    def chance_outcomes(self) -> Sequence[tuple[int, int]]:
        """Return (code, integer weight) of each outcome of the next event when `to_move` is `CHANCE`.

        Nothing is drawn in advance: a deck is a count of each card, and a deal is one event per card.
        """
        raise NotImplementedError(f"{type(self).__name__} must define chance_outcomes()")

    # ---- hidden information ---------------------------------------------------------------------

    def determinize(self, seat: int, rng: Random) -> None:
        """Redraw, in place, everything that `seat` cannot know, uniformly among the consistent worlds.

        The result may depend only on what the seat knows and on `rng`: collect the unseen items,
        sort them, then shuffle. By default nothing is hidden.
        """

    def redact(self, seat: int) -> None:
        """Overwrite, in place, everything that `seat` cannot know; `determinize` must still work afterwards.

        The default replaces the true state by one fixed determinization, which reveals nothing because
        `determinize` depends only on what the seat knows.
        """
        self.determinize(seat, Random(0))

    def event_label(self, seat: int) -> Hashable:
        """Return a label of what `seat` saw of the last event: 0 or None for nothing, else an int, text or tuple.

        By default (perfect information) every seat sees every move.
        """
        raise NotImplementedError(f"{type(self).__name__} must define event_label(seat)")

    def saw_event(self, seat: int) -> bool | None:
        """Return whether `seat` saw all of the last event, or None to decide by its label.

        With None, the default, a table tries the other possible events: a seat knows the event if no other
        event would have given it the same label.
        """
        return None

    def observation(self, seat: int) -> dict[str, Any]:
        """Return the observation of `seat`, as a JSON-able dict.

        The default contains every public attribute; games with hidden information must define this method.
        """
        return {name: _plain(value) for name, value in _attributes(self).items() if not name.startswith("_")}

    def secrets(self, seat: int) -> dict[str, str]:
        """Return the value in this position of each thing that `seat` cannot see (see `Game.secrets`)."""
        return {}

    def private_bucket(self, seat: int) -> int:
        """Return a coarse summary of the seat's secret, 0 to 19."""
        return 0

    def is_bid(self) -> bool:
        """Return whether the mover's choice stays hidden from the other seats until all of them have chosen."""
        return False

    def retract_bids(self, seat: int) -> None:
        """Take back the other seats' bids that are not revealed yet, so that the search can choose them again.

        Called on a world in which `seat` is to move. Facts about those bids that `seat` has seen, such as a number of
        cards, must still hold for the new choices; to_move becomes the first seat whose bid was taken back.
        """

    # ---- knowledge (optional): public data and the mover's own secrets only ----------------------

    def candidate_moves(self) -> Sequence[int]:
        """Return the legal moves worth searching, a non-empty subset."""
        return self.legal_moves()

    def evaluate(self) -> Sequence[float]:
        """Return each seat's expected win share, for playouts that are cut early."""
        raise NotImplementedError(f"{type(self).__name__} has no evaluation")

    def features(self, seat: int) -> Sequence[float]:
        """Return the inputs of a learned evaluation for a seat: a number for each of `feature_names`.

        The method is called for every seat, and must be the same function of each seat's own situation; facts about the
        whole table, such as the moves left, are the same for all seats. A seat's secrets may count only while it is to
        move.
        """
        raise NotImplementedError(f"{type(self).__name__} lists no features")

    def priors(self, moves: list[int]) -> Sequence[float]:
        """Return a positive weight for each of `moves`, larger for moves that look more promising to the mover."""
        raise NotImplementedError(f"{type(self).__name__} has no priors")

    def move_features(self, moves: list[int]) -> Sequence[Sequence[float]]:
        """Return the inputs of learned priors for each of `moves`, from the mover's information.

        A move has one number for each of `move_feature_names`. Only differences between moves count. The logarithm of
        the result of `priors` is a further input, and needs no name.
        """
        raise NotImplementedError(f"{type(self).__name__} lists no features of moves")

    def playout_move(self, moves: list[int], rng: Random) -> int:
        """Return one of `moves` by a quick, sensible rollout policy."""
        return moves[rng.below(len(moves))]

    def sure_win(self, moves: list[int]) -> int | None:
        """Return one of `moves` that wins at once in every possible world, or None.

        If the method is not defined, the moves are tried out in games without hidden information.
        """
        return None

    # ---- text ---------------------------------------------------------------------------------

    def format(self, move: int) -> str:
        """Return the text of a legal move or chance outcome, unique among those that are legal now."""
        return str(move)

    def parse(self, text: str) -> int | None:
        """Return the move denoted by `text`, for notations with several forms of a move.

        After None (the default), the text is compared with `format` of every legal move, ignoring blanks and case.
        """
        return None

    def text(self, seat: int | None) -> str:
        """Draw the position as `seat` sees it; None: the public position."""
        if seat is None and _defines(type(self), "determinize"):
            return f"to_move: {self.to_move}"
        return "\n".join(f"{name}: {value}" for name, value in self.observation(seat or 0).items())


class PythonGame(Game[PythonState]):
    """A registered game whose rules are a `PythonPosition`.

    Attributes
    ----------
    position_class : type
        The rules.
    max_moves : int
        Largest possible number of legal moves or chance outcomes.
    max_plies : int
        Largest possible number of moves and chance events in a game; a longer playout is an error.
    max_codes : int
        Bound above the codes of the seats' moves, for learners that use the codes as numbers of actions; 0: the codes
        are not suitable.
    """

    position_class: ClassVar[type[PythonPosition]]
    max_moves: ClassVar[int] = 1024
    max_plies: ClassVar[int] = 10_000
    max_codes: ClassVar[int] = 0

    def __init__(self, options: GameOptions | None = None) -> None:
        super().__init__(options)
        self._hooks = self._hooks_of_positions()

    def _hooks_of_positions(self) -> Hooks:
        """Return the facts about the positions for the adapter: their bounds, and the optional methods they define."""
        kind = self.position_class
        hidden = _defines(kind, "determinize")
        for needed in ("event_label", "observation"):
            if hidden and not _defines(kind, needed):
                raise SfidaError(f"{kind.__name__} hides something (it defines determinize), so it must "
                                 f"define {needed}() too")
        if _defines(kind, "features") != bool(kind.feature_names):
            raise SfidaError(f"{kind.__name__} must define both features() and feature_names, or neither")
        if _defines(kind, "move_features") != bool(kind.move_feature_names):
            raise SfidaError(f"{kind.__name__} must define both move_features() and move_feature_names, or neither")
        if _defines(kind, "redact") and not hidden:
            raise SfidaError(f"{kind.__name__} defines redact(), so it must define determinize() too")
        return Hooks(
            self.name, self.max_moves, self.max_plies, hidden=hidden, labels=_defines(kind, "event_label"),
            candidates=_defines(kind, "candidate_moves"), priors=_defines(kind, "priors"),
            playout=_defines(kind, "playout_move"), evaluate=_defines(kind, "evaluate"),
            bucket=_defines(kind, "private_bucket"), scores=_defines(kind, "scores"),
            bids=_defines(kind, "is_bid"), retract=_defines(kind, "retract_bids"),
            sure_win=_defines(kind, "sure_win"), features=tuple(kind.feature_names),
            move_features=tuple(kind.move_feature_names))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.options,)

    def initial_state(self) -> PythonState:
        return PythonState(self, self.position_class(self.options), self.players, self._hooks)

    def format_move(self, state: PythonState, move: int) -> str:
        try:
            return position_of(state).format(move)
        except Exception as error:
            if move in state.legal_moves():         # otherwise the caller is at fault
                mark_fault(error, "format()", self.name)
            raise

    def parse_move(self, state: PythonState, text: str) -> int:
        with self._answers_for("parse()"):
            move = position_of(state).parse(bounded(text))
        if move is None:
            return super().parse_move(state, text)
        if move not in state.legal_moves():
            raise IllegalMove(f"{quoted(text.strip())} is not a legal move here")
        return move

    @property
    def actions(self) -> Actions | None:
        return SmallCodes(self.max_codes) if self.max_codes else None

    def observation(self, state: PythonState, seat: int) -> dict[str, Any]:
        with self._answers_for("observation()"):
            return position_of(state).observation(seat)

    def secrets(self, state: PythonState, seat: int) -> dict[str, str]:
        with self._answers_for("secrets()"):
            return position_of(state).secrets(seat)

    def board_text(self, state: PythonState, *, seat: int | None = None, color: bool = False,
                   width: int = 100, labels: bool = False) -> str:
        with self._answers_for("text()"):
            return position_of(state).text(seat)

    @contextlib.contextmanager
    def _answers_for(self, method: str) -> Iterator[None]:
        """Mark errors raised by the author's code as its own; the code was called according to the contract."""
        try:
            yield
        except SfidaError:              # text that is no move
            raise
        except Exception as error:
            mark_fault(error, method, self.name)
            raise


def position_of(state: GameState) -> PythonPosition:
    """Return the author's position object inside a state of a Python game."""
    if not isinstance(state, PythonState):
        raise TypeError(f"{state!r} is not a state of a game written in Python")
    return cast(PythonPosition, state.position)


def _defines(kind: type[PythonPosition], method: str) -> bool:
    """Return whether a position class overrides an optional method."""
    return getattr(kind, method) is not getattr(PythonPosition, method)


def _attributes(value: object) -> dict[str, Any]:
    """Return the attributes of an object, from its dict and its slots."""
    names = [name for kind in reversed(type(value).__mro__) for name in getattr(kind, "__slots__", ())]
    found = {name: getattr(value, name) for name in names if hasattr(value, name)}
    return found | getattr(value, "__dict__", {})


def _plain(value: object) -> Any:
    """Return a JSON-able form of a value."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted((_plain(item) for item in value), key=str)
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return str(value)
