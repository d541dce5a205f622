"""Finished games: the luck of each seat, and the review as a page; one at a time, beside the decisions of agents."""

from __future__ import annotations

import contextlib
import threading
import time
from dataclasses import dataclass

from sfida.ai.agent import PERSON
from sfida.ai.archive import reviewable
from sfida.ai.report.html import escaped
from sfida.ai.review.model import FAST, depth_named
from sfida.ai.review.page import glance_words, page
from sfida.ai.review.reviewing import Reviewing, quick_review
from sfida.cython_ext.errors import InvalidRecord, game_fault
from sfida.engines.language import _, language, pgettext, speaking
from sfida.engines.records import GameRecord
from sfida.web.requests import RequestRefused
from sfida.web.runner import LOOK_BACK, Runner
from sfida.web.session import GameSession

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox"
_MOST = 40              # most reviews in memory


@dataclass
class Job:
    """A running or finished review."""

    told: str = ""
    html: str = ""
    error: str = ""


class Lookback:
    """Looks back at the games of a lobby.

    Parameters
    ----------
    runner : Runner
    """

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._jobs: dict[tuple[str, str], Job] = {}
        self._lock = threading.Lock()

    def tell_luck(self, session: GameSession) -> None:
        """Estimate the luck of people and their most expensive move in two seconds, and report it to the session."""
        record = session.table.record()
        people = [seat for seat, spec in enumerate(record.seats) if spec == PERSON]

        def look() -> None:
            with contextlib.suppress(InvalidRecord):        # the game has come to no result
                found = quick_review(record, people, clock=self._clock)
                session.tell_luck(lambda: [f"{session.game.seat_name(seat)}, {said}" for seat in people
                                           for said in glance_words(found, seat)])

        self._runner.submit(look, LOOK_BACK)

    def review(self, name: str, record: GameRecord) -> str:
        """Return the review of a game as an HTML page, or a page that shows its progress and reloads itself.

        Parameters
        ----------
        name : str
            Key of the game, equal in all requests for it.
        record : GameRecord

        Raises
        ------
        RequestRefused
            If the game has no result, or the review failed.
        """
        if not reviewable(record):
            raise RequestRefused(_("a game that has come to no result is not reviewed"))
        spoken = language()
        with self._lock:
            job = self._jobs.get((name, spoken))
            if job is None:
                job = self._jobs[name, spoken] = Job()
                for old in list(self._jobs)[:-_MOST]:
                    del self._jobs[old]
                self._runner.submit(lambda: self._review(job, record, spoken), LOOK_BACK)
        if job.error:
            raise RequestRefused(job.error)
        return job.html or _waiting(job.told)

    def _clock(self) -> float:
        self._runner.pause()
        return time.perf_counter()

    def _review(self, job: Job, record: GameRecord, spoken: str) -> None:
        def tell(what: str, done: int, of: int, noun: str) -> None:
            job.told = f"{done} / {of}"
            self._runner.pause()

        with speaking(spoken):
            try:
                reviewing = Reviewing(record, depth_named(FAST), on_progress=tell)
                job.html = page(reviewing.played, reviewing.run())
            except Exception as error:
                job.error = _("the review failed: {error}").format(error=game_fault(error) or error)
                raise


def _waiting(told: str) -> str:
    return (f'<!DOCTYPE html><html lang="{language()}"><head><meta charset="utf-8">'
            '<meta http-equiv="refresh" content="2"><meta name="color-scheme" content="light dark"><title>'
            f'{escaped(pgettext("title of a page", "Review"))}</title></head>'
            f'<body><p role="status">{escaped(_("The game is being reviewed ..."))} {escaped(told)}</p></body></html>')
