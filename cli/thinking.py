"""One line on standard error that shows how a search gets on, drawn over itself."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any

from sfida.cli.output import Output, percent


class Thinking:
    """Shows an agent's progress while the block runs; draws nothing where there is no terminal."""

    def __init__(self, output: Output, agent: Any, who: str) -> None:
        self._live = output.live
        self._width = output.width
        self._agent = agent
        self._who = who

    def __enter__(self) -> Thinking:
        if self._live:
            if hasattr(self._agent, "on_progress"):
                self._agent.on_progress = self.show
            self._draw(f"{self._who} thinks ...")
        return self

    def show(self, progress: Any) -> None:
        """Draw a `Progress` of the search."""
        text = f"{self._who} thinks ... {progress.seconds:.1f} s, {progress.iterations:,} iterations"
        if progress.best:
            text += f", {progress.best} {percent(progress.win_share)}"
        self._draw(text)

    def _draw(self, text: str) -> None:
        sys.stderr.write("\r\x1b[K" + text[:self._width - 1])
        sys.stderr.flush()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if self._live:
            if hasattr(self._agent, "on_progress"):
                self._agent.on_progress = None
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
