"""Games whose states are converted to positions: plain data, as one seat sees them, the source of all drawings."""

from __future__ import annotations

import abc
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from sfida.cython_ext.state import GameState
from sfida.engines.game import Game, Part
from sfida.engines.narration import Cue
from sfida.engines.on_demand import OnDemand

if TYPE_CHECKING:
    from xml.etree import ElementTree as ET

    from sfida.engines.drawing import svg
else:
    svg = OnDemand("sfida.engines.drawing.svg")

# ---- Comparison of the rules core with a recomputation, in the checks of the debug build


def same(what: str, core: object, recount: object) -> None:
    """Raise AssertionError, with both values, if the core's value differs from the recomputed one."""
    if core != recount:
        raise AssertionError(f"{what}: the core has {core}, the recount {recount}")


# ---- Games whose states are converted to positions: plain data, as one seat sees them, the source of all drawings

Place = tuple[str, int]         # kind and number of a place of the board, such as a site, a corner or an edge

State = TypeVar("State", bound=GameState)
Read = TypeVar("Read", contravariant=True)
ReadState = TypeVar("ReadState", contravariant=True)
ReadPosition = TypeVar("ReadPosition", contravariant=True)
Position = TypeVar("Position")


class MoveTexts(Protocol[Read]):
    """A game's module `notation`."""

    def format_move(self, state: Read, code: int, /) -> str: ...

    def parse_move(self, state: Read, text: str, /) -> int: ...

    def describe_move(self, state: Read, code: int, /) -> str: ...


class BoardTexts(Protocol[Read]):
    """A game's module `board_text`: the board."""

    def board_text(self, position: Read, /, *, seat: int | None, color: bool, width: int, labels: bool,
                   places: Collection[Place], height: int | None) -> str: ...


class StatusTexts(Protocol[Read]):
    """A game's module `board_text`: the status."""

    def status_text(self, position: Read, /, *, seat: int | None, color: bool, width: int) -> str: ...


class Pointing(Protocol[Read]):
    """A game's module `pointing`."""

    def parts_of(self, state: Read, code: int, /) -> tuple[Part, ...]:
        """Return the parts to point at to choose a move; no parts: the move is one button with its words."""

    def touched(self, state: Read, code: int, /) -> tuple[str, ...]:
        """Return the keys of the places that an event touched."""


class BoardPicture(Protocol[Read]):
    """The function `board_svg` of a game's module of the same name."""

    def __call__(self, position: Read, /, *, seat: int | None, size: int, labels: bool,
                 places: Collection[Place]) -> str: ...


class Staging(Protocol[ReadState, ReadPosition]):
    """A game's module `staging`."""

    def ghosts(self, state: ReadState, position: ReadPosition, /) -> ET.Element:
        """Return an element whose children are the ghosts of the mover's legal moves."""

    def cues(self, before: ReadState, code: int, after: ReadState, /, *, known: bool) -> tuple[Cue, ...]:
        """Return the cues of an event; unless all of it is known, nothing of them depends on what is hidden."""


class PositionGame(Game[State], Generic[State, Position]):
    """A game of a compiled core, written and drawn by modules of its package.

    Attributes
    ----------
    _notation, _text, _status, _pointing, _staging : module
        Modules for the notation of moves, the board of a position, the status, the parts of moves to point at, and the
        staging of moves and events on pictures.
    """

    _notation: MoveTexts[State]
    _text: BoardTexts[Position]
    _status: StatusTexts[Position]
    _pointing: Pointing[State]
    _staging: Staging[State, Position]

    @abc.abstractmethod
    def position(self, state: State, seat: int | None = None) -> Position:
        """Return the state as plain data, as `seat` sees it (None: the public position)."""

    @abc.abstractmethod
    def _picture(self) -> BoardPicture[Position]:
        """Return the function that draws a position as SVG."""

    @abc.abstractmethod
    def _places(self, state: State) -> Collection[Place]:
        """Return the places where a move of the mover can begin; labels name them."""

    # ---- notation -------------------------------------------------------------------------------

    def format_move(self, state: State, move: int) -> str:
        return self._notation.format_move(state, move)

    def parse_move(self, state: State, text: str) -> int:
        return self._notation.parse_move(state, text)

    def describe_move(self, state: State, move: int) -> str:
        return self._notation.describe_move(state, move)

    # ---- drawing --------------------------------------------------------------------------------

    def board_text(self, state: State, *, seat: int | None = None, color: bool = False, width: int = 100,
                   labels: bool = False) -> str:
        return self._draw(state, None, seat, color, width, labels)

    def low_board_text(self, state: State, height: int, *, seat: int | None = None, color: bool = False,
                       width: int = 100, labels: bool = False) -> str:
        return self._draw(state, height, seat, color, width, labels)

    def _draw(self, state: State, height: int | None, seat: int | None, color: bool, width: int, labels: bool) -> str:
        return self._text.board_text(self.position(state, seat), seat=seat, color=color, width=width, labels=labels,
                                     places=self._labelled(state, seat) if labels else (), height=height)

    def status_text(self, state: State, *, seat: int | None = None, color: bool = False, width: int = 100) -> str:
        return self._status.status_text(self.position(state, seat), seat=seat, color=color, width=width)

    def board_svg(self, state: State, *, seat: int | None = None, size: int = 800, labels: bool = False) -> str:
        position = self.position(state, seat)
        places = self._labelled(state, seat) if labels else ()
        drawn = self._picture()(position, seat=seat, size=size, labels=labels, places=places)
        if labels and seat is not None and seat == state.to_move:
            drawn = svg.with_ghosts(drawn, self._staging.ghosts(state, position))
        return self._with_choices(drawn, state, seat, labels)

    def _labelled(self, state: State, seat: int | None) -> Collection[Place]:
        """Return the places where the seat may act now; empty unless it is to move."""
        return self._places(state) if seat is not None and seat == state.to_move else ()

    # ---- choosing by pointing -------------------------------------------------------------------

    def move_parts(self, state: State, moves: Sequence[int]) -> dict[int, tuple[Part, ...]]:
        placed = {move: self._pointing.parts_of(state, move) for move in moves}
        buttons = super().move_parts(state, [move for move in moves if not placed[move]])
        return placed | buttons

    def event_parts(self, before: State, move: int, viewer: int | None) -> tuple[str, ...]:
        if self.seen_move(before, move, viewer) != self.format_move(before, move):
            return ()
        return self._pointing.touched(before, move)

    # ---- showing events -------------------------------------------------------------------------

    def cues(self, before: State, move: int, after: State, viewer: int | None) -> tuple[Cue, ...]:
        return self._staging.cues(before, move, after, known=self._knows(before, move, after, viewer))
