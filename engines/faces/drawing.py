"""How a position is shown to people, as text and as a picture."""

from __future__ import annotations

import abc
from typing import ClassVar, Generic

from sfida.engines.drawing.fitting import cropped
from sfida.engines.faces import S
from sfida.engines.visible import visible


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
        """Draw the board as one SVG document, `size` pixels wide."""
        lines = self.board_text(state, seat=seat).splitlines() or [""]
        height = 18 * len(lines) + 16
        escape = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
        rows = "".join(f'<text x="8" y="{18 * (i + 1)}" xml:space="preserve">{visible(line).translate(escape)}</text>'
                       for i, line in enumerate(lines))
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" viewBox="0 0 {size} {height}" '
                f'font-family="monospace" font-size="14">{rows}</svg>')

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
