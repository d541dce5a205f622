"""A line on standard error with the progress of a tournament, or of what is computed from its games."""

from __future__ import annotations

from types import TracebackType

from sfida.ai.arena.progress import Progress
from sfida.cli.output import Output
from sfida.engines.language import _
from sfida.engines.wording import counted

_TENTHS = 10


class TournamentLine:
    """Draws progress over itself on a terminal; elsewhere writes a line after every tenth of the games.

    Parameters
    ----------
    output : Output
    quiet : bool
        Show nothing.
    """

    def __init__(self, output: Output, quiet: bool) -> None:
        self._output = output
        self._quiet = quiet
        self._tenth: int | None = None
        self._title = ""

    def show(self, progress: Progress, title: str = "") -> None:
        """Show the progress; `title` says of which tournament if there are several."""
        if title != self._title:
            self._title, self._tenth = title, None
        self._say(f"{title}  {text_of(progress)}" if title else text_of(progress), progress.games, progress.of)

    def count(self, what: str, games: int, of: int, noun: str = "games") -> None:
        """Show that something, such as "luck measured", has been done for so many games, or other things, of all."""
        self._say(f"{_(what)}: {games}/{of} {_(noun)}", games, of)

    def _say(self, text: str, games: int, of: int) -> None:
        if self._quiet:
            return
        if self._output.live:
            self._output.progress(text)
            return
        if games == of:
            self._tenth = None          # the table follows, or another count
            return
        tenth = _TENTHS * games // max(of, 1)
        if self._tenth is None or tenth > self._tenth:
            if self._tenth is not None:
                self._output.note(text)
            self._tenth = tenth

    def __enter__(self) -> TournamentLine:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if not self._quiet:
            self._output.progress("")


def text_of(progress: Progress) -> str:
    """Return progress in a line: games, rate, time left, leader and the progress of a sequential test."""
    parts = [f"{progress.games}/{progress.of} games", f"{progress.rate:.3g}/s"]
    if progress.left is not None and progress.games < progress.of:
        parts.append(f"{duration(progress.left)} left")
    if progress.leader:
        parts.append(f"{progress.leader} {100 * progress.share:.1f} % ± {100 * progress.half_width:.1f}")
    if progress.sprt is not None:
        parts.append(f"SPRT {100 * progress.sprt:.0f} %")
    if progress.forfeits:
        parts.append(counted(progress.forfeits, "forfeit", "forfeits"))
    return "  ".join(parts)


def duration(seconds: float) -> str:
    """Return a time span for people: 40 s, 3 min, 2 h 05 min."""
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60:02d} min"
