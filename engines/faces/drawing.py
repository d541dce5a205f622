"""How a position is shown to people, as text and as a picture."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic

from sfida.engines.drawing.fitting import cropped
from sfida.engines.drawing.pointing import with_choices
from sfida.engines.faces import S
from sfida.engines.visible import visible


@dataclass(frozen=True)
class Part:
    """Something to point at on the way to a move: a place, a card, an amount, a button.

    Attributes
    ----------
    key : str
        What names it, without blanks, such as "cell:3,-1", "card:goth" or "amount:4". Equal keys stand for the same
        thing; one that the drawing shows is the value of ``data-place`` there.
    words : str
        What is written on a button that stands for it, and read to who cannot see the drawing.
    picture : str
        An SVG document that shows it, such as the tile in that rotation; "" for none.
    """

    key: str
    words: str
    picture: str = ""


class Drawing(abc.ABC, Generic[S]):
    """The face that screens and reports read.

    Attributes
    ----------
    labels_list_moves : bool
        A labelled board shows the numbered moves themselves, so that a list of them need not follow.
    """

    labels_list_moves: ClassVar[bool] = True

    @abc.abstractmethod
    def board_text(self, state: S, *, seat: int | None = None, color: bool = False, width: int = 100,
                   labels: bool = False) -> str:
        """Draw the board as text.

        Parameters
        ----------
        state : GameState
            May be redacted; nothing hidden from `seat` is drawn.
        seat : int, optional
            Whose view it is; None shows what is public.
        color : bool
            Use ANSI colours.
        width : int
            Columns to fit into.
        labels : bool
            Number the places where the mover may play.
        """

    def low_board_text(self, state: S, height: int, *, seat: int | None = None, color: bool = False, width: int = 100,
                       labels: bool = False) -> str:
        """Draw the board as text in at most `height` lines: smaller, without its key, or the part that matters.

        Other parameters are those of `board_text`.
        """
        drawn = self.board_text(state, seat=seat, color=color, width=width, labels=labels)
        return "\n".join(cropped(drawn.splitlines(), height))

    def board_svg(self, state: S, *, seat: int | None = None, size: int = 800, labels: bool = False) -> str:
        """Draw the board as one SVG document, `size` pixels wide.

        Every place, piece and card that a part of a move may stand for has an element with ``data-place``, the key of
        that part. With `labels`, for the seat to move, those that are parts of its moves are buttons: they have
        ``data-part`` with the same key, ``role``, ``tabindex`` and ``aria-label``.
        """
        lines = self.board_text(state, seat=seat).splitlines() or [""]
        height = 18 * len(lines) + 16
        escape = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
        rows = "".join(f'<text x="8" y="{18 * (i + 1)}" xml:space="preserve">{visible(line).translate(escape)}</text>'
                       for i, line in enumerate(lines))
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" viewBox="0 0 {size} {height}" '
                f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">{rows}</svg>')

    # ---- choosing by pointing -------------------------------------------------------------------

    def move_parts(self, state: S, moves: Sequence[int]) -> dict[int, tuple[Part, ...]]:
        """Return what is pointed at, one part after the other, to choose each move.

        No two moves have the same parts, and the parts of none are the beginning of another's; those of a move do not
        depend on what else is legal. By default a move has one part, which no drawing shows.

        Parameters
        ----------
        state : GameState
            May be redacted for the mover.
        moves : sequence of int
            Legal moves of the seat to move, or outcomes of a chance event.
        """
        return {move: (Part(f"move:{move}", state.game.describe_move(state, move)),) for move in moves}

    def _with_choices(self, document: str, state: S, seat: int | None, labels: bool) -> str:
        """Make the places of a picture that are parts of the mover's moves buttons, if labels are for the mover."""
        if not labels or seat is None or seat != state.to_move:
            return document
        found = self.move_parts(state, state.legal_moves())
        return with_choices(document, {part.key: part.words for parts in found.values() for part in parts})

    def event_parts(self, before: S, move: int, viewer: int | None) -> tuple[str, ...]:
        """Return the keys of the places that an event touched, as far as a viewer saw it (None: a spectator).

        Parameters
        ----------
        before : GameState
            The whole state before it.
        move : int
            A move or a chance outcome.
        viewer : int or None
        """
        return ()

    # ---- beside the board -----------------------------------------------------------------------

    def draw_chance(self, state: S, move: int, *, color: bool = False) -> str:
        """Draw what a chance event showed (such as a drawn tile in all its rotations); "" for nothing."""
        return ""

    def draw_decision(self, state: S, *, color: bool = False, width: int = 100) -> str:
        """Draw what the mover decides about and the board does not show (such as the tile in hand)."""
        return ""

    def status_text(self, state: S, *, seat: int | None = None, color: bool = False, width: int = 100) -> str:
        """Say how it stands (scores, supplies, what is left), as far as the board does not."""
        return ""

    def cards_text(self, state: S, *, color: bool = False, width: int = 100) -> str:
        """Say what each kind of card does and what things cost; "" where there is nothing to say."""
        return ""

    def stock_text(self, state: S, *, seat: int | None = None, color: bool = False, width: int = 100) -> str:
        """Show what may still be drawn as far as `seat` can tell, piece by piece; "" where there is nothing to show."""
        return ""
