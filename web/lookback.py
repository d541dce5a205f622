"""Games that are over: their luck, their review step by step, and the host's mistakes, which come back in practice.

Reviews run one at a time, beside the decisions of agents.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from sfida.ai import archive
from sfida.ai.agent import PERSON
from sfida.ai.archive import reviewable
from sfida.ai.registry import foreign_code
from sfida.ai.report.html import own_ids
from sfida.ai.review.judge import Played, SearchJudge, played_to_the_end
from sfida.ai.review.model import DEPTHS, FAST, Decision, Review, TurningPoint, summaries
from sfida.ai.review.page import charts_of, glance_words, inks, moment, page, verdict_words, why_words
from sfida.ai.review.practice import (
    EFFORTS, Deck, Judged, Outcome, PracticeCard, answer_words, comes_back, day_words, deck_file, judge_move,
    solution_words
)
from sfida.ai.review.reviewing import kept_review, quick_review, retold, turning_point, weight
from sfida.ai.session import Session
from sfida.cython_ext.errors import InvalidRecord, SfidaError, game_fault
from sfida.engines.language import _, language
from sfida.engines.records import GameRecord
from sfida.engines.registry import make_game
from sfida.web.requests import NotHere, RequestRefused, Stale
from sfida.web.runner import LOOK_BACK, Runner
from sfida.web.session import SIZE, GameSession

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
_MOST = 40              # most reviews, and most judged answers, in memory
_STAGES = ("valued", "looked at", "judged", "judged again")     # stages of a review, as it reports them
_DIGITS = 4             # digits of a share in an answer
_OTHER = "random"       # agent of the seats that never move in practice

Kept = TypeVar("Kept")


def _remember(kept: OrderedDict[Any, Kept], key: object, value: Kept) -> Kept:
    """Keep a value, and drop the oldest ones beyond `_MOST`."""
    kept[key] = value
    while len(kept) > _MOST:
        kept.popitem(last=False)
    return value


# ---- The reviews of the games of a lobby


@dataclass
class Job:
    """A running or finished review.

    Attributes
    ----------
    share : float
        The part that is done, 0 to 1.
    played : Played or None
    review : Review or None
        None while it runs.
    error : str
    told : dict of str to (Review, dict)
        The review in a language, and what a page shows of it, by language.
    """

    share: float = 0.0
    played: Played | None = None
    review: Review | None = None
    error: str = ""
    told: dict[str, tuple[Review, dict[str, Any]]] = field(default_factory=dict)


class Lookback:
    """Looks back at the games of a lobby.

    Parameters
    ----------
    runner : Runner
    """

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._jobs: OrderedDict[str, Job] = OrderedDict()
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

    def overview(self, name: str, record: GameRecord) -> dict[str, Any]:
        """Return the review of a game as its page shows it; while the review runs, the share that is done.

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
        job = self._job(name, record)
        if job.review is None:
            return {"ready": False, "share": round(job.share, _DIGITS)}
        return self._told(job)[1]

    def page(self, name: str, record: GameRecord) -> str:
        """Return the review of a game as one HTML file; raises Stale while it runs, and as `overview`."""
        job = self._job(name, record)
        review = self._told(job)[0]
        assert job.played is not None
        return page(job.played, review)

    def turn(self, name: str, record: GameRecord, ply: int) -> dict[str, Any]:
        """Return a decision with the boards after the move played and after the better one; raises as `page`.

        Also raises NotHere if the event was no decision that was judged.
        """
        job = self._job(name, record)
        review = self._told(job)[0]
        assert job.played is not None
        point = next((turn for turn in review.turns if turn.at == ply), None)
        if point is None:
            decided = [one for one in review.decisions if one.ply == ply and one.verdict is not None and not one.forced]
            if not decided:
                raise NotHere(_("move {number} was no decision").format(number=ply + 1))
            point = turning_point(job.played, decided)
        return _compared(job.played, review, point)

    def _told(self, job: Job) -> tuple[Review, dict[str, Any]]:
        if job.review is None or job.played is None:
            raise Stale(_("the game is still being examined"))
        if language() not in job.told:
            review = retold(job.played, job.review)
            job.told[language()] = review, _overview(job.played, review)
        return job.told[language()]

    def _job(self, name: str, record: GameRecord) -> Job:
        """Return the job of a game, which begins with the first call; raises RequestRefused."""
        if not reviewable(record):
            raise RequestRefused(_("a game that has come to no result is not reviewed"))
        with self._lock:
            job = self._jobs.get(name)
            if job is None:
                job = _remember(self._jobs, name, Job())
                self._runner.submit(lambda: self._review(job, record), LOOK_BACK)
        if job.error:
            raise RequestRefused(_("the review failed: {error}").format(error=job.error))
        return job

    def _clock(self) -> float:
        self._runner.pause()
        return time.perf_counter()

    def _review(self, job: Job, record: GameRecord) -> None:
        def tell(share: float) -> None:
            job.share = share
            self._runner.pause()

        try:
            job.played = played_to_the_end(record)
            job.review = kept_review(record, DEPTHS[FAST], on_progress=telling(tell))
        except Exception as error:
            job.error = str(game_fault(error) or error)
            raise


def telling(tell: Callable[[float], object]) -> Callable[[str, int, int, str], object]:
    """Return a listener to the progress of a review, which calls a function with the share that is done."""
    return lambda what, done, of, noun: tell((_STAGES.index(what) + done / of) / len(_STAGES))


def _overview(played: Played, review: Review) -> dict[str, Any]:
    """Return what a page shows of a review at first."""
    game = played.game
    turns = sorted(review.turns, key=lambda turn: turn.at)
    decisions = {one.ply: one for one in review.decisions}
    seats = [{"seat": one.seat, "name": one.name, "agent": one.agent, "inks": inks(game, one.seat),
              "decisions": one.judged, "mistakes": one.mistakes, "accuracy": one.accuracy, "loss": one.loss,
              "luck": one.parts.luck, "share": one.result} for one in summaries(review)]
    most = max(turns, key=lambda turn: weight([decisions[ply] for ply in turn.plies]), default=None)
    return {
        "ready": True, "game": {"name": game.name, "title": _(game.title)}, "seats": seats,
        "curve": [[round(share, _DIGITS) for share in row] for row in review.curve],
        "events": [_event(played, ply, decisions.get(ply)) for ply in range(len(played.events))],
        "turns": [{"ply": turn.at, "seat": turn.seat, "when": moment(turn, review)} for turn in turns],
        "charts": [chart.to_json() for chart in charts_of(played)],
        "most": None if most is None else most.at}


def _event(played: Played, ply: int, decision: Decision | None) -> dict[str, Any]:
    event, game = played.events[ply], played.game
    after = event.before.clone()
    after.apply(event.move)
    told = game.narrate(event.before, event.move, after, None, everything=True)
    found = {"seat": event.seat, "words": told.words, "effects": [effect.text for effect in told.effects]}
    if decision is None or decision.forced or decision.verdict is None:
        return found
    verdict = decision.verdict
    low, high = verdict.interval
    return {**found, "about": decision.about, "mistake": verdict.mistake, "loss": verdict.loss, "low": low,
            "high": high, "better": (verdict.best_words or verdict.best) if verdict.loss else ""}


def _compared(played: Played, review: Review, point: TurningPoint) -> dict[str, Any]:
    """Return a decision as its seat saw it: the move played and the better one, each with the board after it."""
    game, before = played.game, played.events[point.at].before
    decision = next(one for one in review.decisions if one.ply == point.at)

    def half(text: str, prefix: str) -> dict[str, Any]:
        move, after = before.parse(text), before.clone()
        after.apply(move)
        return {"words": game.describe_move(before, move), "parts": list(game.event_parts(before, move, point.seat)),
                "board": own_ids(game.board_svg(after, seat=point.seat, size=SIZE), f"{prefix}{point.at}-")}

    return {"ply": point.at, "seat": point.seat, "when": moment(point, review), "about": decision.about,
            "played": half(decision.move, "played"),
            "better": half(point.better[0].move, "better") if point.better else None,
            "loss": verdict_words(point), "why": why_words(game, point)}


# ---- Practice: positions in which the host went wrong, from all finished games


class Practice:
    """Asks the host the positions of the practice deck, which `sfida practice` asks, too.

    Parameters
    ----------
    runner : Runner
    trusts : bool
        Whether a position may run the code of a game that is not Sfida's own.
    """

    def __init__(self, runner: Runner, *, trusts: bool = False) -> None:
        self._runner = runner
        self._trusts = trusts
        self._kinds: OrderedDict[tuple[str, str], tuple[str, str]] = OrderedDict()      # by position and language
        self._judged: OrderedDict[tuple[str, int], Judged] = OrderedDict()      # by position and move
        self._examining: tuple[int, int, float] | None = None       # games done, games in all, share of this one
        self._trouble: str = ""
        self._lock = threading.Lock()

    def overview(self) -> dict[str, Any]:
        """Return the positions by game and kind of mistake, and the number of games that were not examined yet.

        While games are being examined, their number is left open, and what is found in them is not there yet.
        """
        today, examining = archive.today(), self._examining
        deck, unreviewed = self._gathered() if examining is None else (Deck.read(deck_file()), [])
        groups: dict[tuple[str, str], dict[str, Any]] = {}
        due = {card.key: place for place, card in enumerate(deck.due(today))}
        for card in sorted(deck.cards.values(), key=lambda card: due.get(card.key, len(due))):
            with contextlib.suppress(SfidaError):       # a game that is not installed, or other rules
                kind, words = self._kind(card)
                group = groups.setdefault((card.game, kind), {
                    "game": _(make_game(card.record.game).title), "kind": words, "due": [], "waiting": 0, "solved": 0})
                if card.key in due:
                    group["due"].append(card.key)
                else:
                    group["solved" if card.place.solved else "waiting"] += 1
        when = deck.next_due()
        return {"groups": sorted(groups.values(), key=lambda group: (-len(group["due"]), group["game"])),
                "next": "" if when is None or when <= today else day_words(when, today),
                "unexamined": len(unreviewed), "examining": examining, "trouble": self._trouble}

    def examine(self) -> None:
        """Review the finished games that were not examined yet."""
        with self._lock:
            if self._examining is not None:
                return
            games = self._gathered()[1]
            self._examining, self._trouble = (0, len(games), 0.0), ""
        self._runner.submit(lambda: self._examine(games), LOOK_BACK)

    def _gathered(self) -> tuple[Deck, list[tuple[GameRecord, int]]]:
        """Return the deck with the mistakes of all reviewed games, and the games that were not reviewed yet."""
        with Deck.changing(deck_file()) as deck:
            return deck, deck.gather(None, None, archive.today(), lambda error: None)

    def _examine(self, games: list[tuple[GameRecord, int]]) -> None:
        try:
            for number, (record, seat) in enumerate(games):
                def tell(share: float, number: int = number) -> None:
                    self._examining = number, len(games), share
                    self._runner.pause()

                try:
                    kept_review(self._trusted(record), DEPTHS[FAST], seat=seat, on_progress=telling(tell))
                except SfidaError as error:
                    self._trouble = str(game_fault(error) or error)
        finally:
            self._examining = None

    def asked(self, key: str) -> tuple[PracticeCard, GameSession]:
        """Return a position with a session in which its decision is open; raises NotHere or InvalidRecord."""
        card = Deck.read(deck_file()).cards.get(key)
        if card is None:
            raise NotHere(_("there is no such position; look at the list again"))
        record = replace(self._trusted(card.record), seed=0)
        seats = [PERSON if seat == card.seat else _OTHER for seat in range(len(record.seats) or 1)]
        session = Session.resumed(record, seats)
        state = session.table.state
        if int(state.to_move) != card.seat:
            raise InvalidRecord(f"{record.where}: seat {card.seat} is not to move after move {len(record.moves)}")
        for move in (card.played, card.best):
            state.parse(move)
        return card, GameSession(session, self._runner, lambda session: None)

    def about(self, card: PracticeCard) -> dict[str, Any]:
        """Return what a page says of a position beside the board."""
        return {"key": card.key, "kind": self._kind(card)[1], "title": _(make_game(card.record.game).title),
                "when": _("move {number}").format(number=len(card.record.moves) + 1), "date": card.date}

    def answer(self, key: str, text: str, *, counts: bool) -> dict[str, Any]:
        """Judge a typed move in a position; this takes a second.

        Parameters
        ----------
        key : str
        text : str
        counts : bool
            Whether the answer moves the position to another box: the first one does.
        """
        card, session = self.asked(key)
        moves = session.typed(text)
        state = session.table.state
        judged = self._judge(card, session, moves[0])
        outcome = judged.outcome(again=state.format(judged.move) == card.played, helped=False)
        head, words = answer_words(card, state, judged, outcome)
        return {"right": outcome is not Outcome.WRONG, "head": head, "words": words, "move": state.format(moves[0]),
                "back": self._count(card, outcome) if counts else ""}

    def solution(self, key: str, text: str, *, counts: bool) -> dict[str, Any]:
        """Return the better move in a position, where it is on the board, and the reasons for it.

        Parameters
        ----------
        key : str
        text : str
            The wrong answer with which it is compared; "": the move of the game.
        counts : bool
            Whether the position was not answered, which counts as a wrong answer.
        """
        card, session = self.asked(key)
        state = session.table.state
        told = self._judge(card, session, session.typed(text or card.played)[0])
        better = told.point.better[0].move if told.point.better else card.best
        move = state.parse(better)
        return {"lines": [[head, words] for head, words in solution_words(card, state, told)],
                "parts": [part.key for part in state.game.move_parts(state, [move])[move]],
                "back": self._count(card, Outcome.WRONG) if counts else ""}

    def _trusted(self, record: GameRecord) -> GameRecord:
        """Return a record that may run its game; raises InvalidRecord."""
        if not self._trusts and foreign_code(record.game, ()):
            raise InvalidRecord(_("{where} needs a game that is not Sfida's own").format(where=record.where))
        return record.trusting()

    def _kind(self, card: PracticeCard) -> tuple[str, str]:
        """Return the kind of a position's decision and its name, "" if the game names none."""
        place = card.key, language()
        if place not in self._kinds:
            lesson = (state := self._trusted(card.record).replay()).game.lesson(state, card.seat)
            self._kinds[place] = ("", "") if lesson is None else (lesson.key, lesson.title)
        return self._kinds[place]

    def _judge(self, card: PracticeCard, session: GameSession, move: int) -> Judged:
        place = card.key, move
        if place not in self._judged:
            view = session.table.state.view(card.seat)
            _remember(self._judged, place, judge_move(SearchJudge(), view, move, 0, EFFORTS[FAST], 0))
        return self._judged[place]

    def _count(self, card: PracticeCard, outcome: Outcome) -> str:
        """Move a position to the box that its outcome demands, and return when it comes back."""
        today = archive.today()
        with Deck.changing(deck_file()) as deck:
            moved = deck.answered(card, outcome, today)
        return comes_back(moved, today)
