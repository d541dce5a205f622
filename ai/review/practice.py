"""Practice: positions in which a person erred, their schedule (Leitner), and the verdict on an answer.

S. Leitner, "So lernt man lernen" (1972): cards wait in a row of boxes. A right answer moves a card to the next box, a
wrong one back to the first; each box waits longer than the one before. A card that leaves the last box is known.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from enum import Enum
from pathlib import Path
from typing import Any

from sfida.ai.analysis import Reasons, follow, reasons_of
from sfida.ai.archive import DATE, kept_games, reviewable, seat_of
from sfida.ai.review import page
from sfida.ai.review.judge import Judge
from sfida.ai.review.model import DEEP, DEPTHS, FAST, NORMAL, SURE, Depth, Effort, Review, TurningPoint, Verdict
from sfida.ai.review.reviewing import ReviewCache, review_cache
from sfida.cython_ext.errors import InvalidRecord, SfidaError
from sfida.cython_ext.state import GameState, View
from sfida.engines.files import read_at_most, rewriting, state_folder, write_whole
from sfida.engines.language import _
from sfida.engines.records import MAX_SEATS, GameRecord
from sfida.engines.spec import parse_spec, quoted, shown
from sfida.engines.untrusted import FieldReader, json_text

# ---- The schedule of a position: the boxes of Leitner

WAITS = (0, 1, 2, 4, 8)         # days that a card waits in each box before it is asked
SOLVED = len(WAITS)             # the place of cards that have left the last box


class Outcome(Enum):
    """The ways to answer a position."""

    RIGHT = "right"
    HELPED = "helped"           # right, but with advice
    WRONG = "wrong"


@dataclass(frozen=True)
class BoxPlace:
    """The place of a card.

    Attributes
    ----------
    box : int
        From 0; `SOLVED` after the last one.
    due : date
        First day on which it is asked.
    """

    box: int
    due: date

    @property
    def solved(self) -> bool:
        """Whether the card has left the last box."""
        return self.box == SOLVED

    def is_due(self, today: date) -> bool:
        """Return whether the card is to be asked."""
        return not self.solved and self.due <= today

    def after(self, outcome: Outcome, today: date) -> BoxPlace:
        """Return the place of the card after an answer; an answer with advice leaves it in its box."""
        box = {Outcome.RIGHT: self.box + 1, Outcome.HELPED: self.box, Outcome.WRONG: 0}[outcome]
        return replace(self, box=box, due=today + timedelta(days=WAITS[box] if box < SOLVED else 0))


# ---- The deck: positions in which a person erred, each with its place in the schedule; kept in one file

SCHEMA = 1
_DEEPEST_FIRST = sorted(DEPTHS.values(), key=lambda depth: -depth.iterations)
WORTH = 0.01                    # least loss of a mistake to practise, in win shares
_MOST_BYTES = 1 << 27


def deck_file() -> Path:
    """Return the path of the practice deck in the state folder."""
    return state_folder() / "practice.json"


@dataclass(frozen=True)
class PracticeCard:
    """A position with a mistake.

    Attributes
    ----------
    record : GameRecord
        The game up to the decision.
    seat : int
        The person's seat, which decides.
    played, best : str
        The move played, and the better one of the review, in notation.
    loss, error : float
        Loss in win shares, and its standard error, by the review.
    place : BoxPlace
    """

    record: GameRecord
    seat: int
    played: str
    best: str
    loss: float
    error: float
    place: BoxPlace

    @property
    def key(self) -> str:
        """Key that is equal for the same position after the same moves."""
        told = json_text([self.record.game, list(self.record.moves)], compact=True)
        return hashlib.blake2b(told.encode(), digest_size=16).hexdigest()

    @property
    def game(self) -> str:
        """Name of the game."""
        return parse_spec(self.record.game)[0]

    @property
    def date(self) -> str:
        """Day of the game in ISO 8601; "" if it is not known."""
        return str(self.record.extra.get(DATE, ""))

    @property
    def interval(self) -> tuple[float, float]:
        """The loss less and plus twice its uncertainty, within 0 and 1."""
        return max(0.0, self.loss - SURE * self.error), min(1.0, self.loss + SURE * self.error)

    def to_json(self) -> dict[str, Any]:
        """Return the card as JSON-able data."""
        return {"record": self.record.to_json(), "seat": self.seat, "played": self.played, "best": self.best,
                "loss": self.loss, "error": self.error, "box": self.place.box, "due": self.place.due.isoformat()}

    @classmethod
    def from_json(cls, data: dict[str, Any], reader: FieldReader) -> PracticeCard:
        """Build a card from JSON data; raises InvalidRecord."""
        fields = dict(data)
        record = GameRecord.from_json(reader.take(fields, "record", dict), reader.where)
        box, due = reader.take(fields, "box", int, low=0, high=SOLVED), reader.take(fields, "due", str)
        try:
            parse_spec(record.game)
            place = BoxPlace(box, date.fromisoformat(due))
        except ValueError:
            reader.fail(f"'due' must be a date such as 2025-12-31, not {quoted(due)}")
        except SfidaError as error:
            reader.fail(str(error))
        return cls(record, reader.take(fields, "seat", int, low=0, high=MAX_SEATS - 1),
                   reader.take(fields, "played", str), reader.take(fields, "best", str),
                   reader.take(fields, "loss", float, low=0, high=1), reader.take(fields, "error", float, low=0), place)


@dataclass
class Deck:
    """All cards of a person.

    Attributes
    ----------
    cards : dict of str to PracticeCard
        Cards by key; solved ones stay, so that they are not added again.
    taken : set of str
        Keys of the reviews whose mistakes are in the deck.
    """

    cards: dict[str, PracticeCard] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    # ---- file ---------------------------------------------------------------------------------

    @classmethod
    def read(cls, path: Path) -> Deck:
        """Return the deck in a file, empty if there is no file; raises InvalidRecord if it is damaged."""
        try:
            return cls._read(path)
        except FileNotFoundError:
            return cls()
        except OSError as error:
            raise InvalidRecord(f"{shown(path)}: cannot be read: {error.strerror}") from None
        except InvalidRecord as error:
            raise InvalidRecord(f"{error}; the file is left as it is: mend it, or move it away to start over") from None

    @classmethod
    def _read(cls, path: Path) -> Deck:
        reader = FieldReader(shown(path))
        try:
            text = read_at_most(path, _MOST_BYTES).decode()
        except UnicodeDecodeError:
            reader.fail("not UTF-8 text")
        fields = reader.parse(text, "the deck")
        if not isinstance(fields, dict) or fields.get("type") != "practice":
            reader.fail("this is not a deck of positions to practise")
        schema = reader.take(fields, "schema", int)
        if schema != SCHEMA:
            reader.fail(f"this program reads decks of format {SCHEMA}, not {schema}")
        cards = [PracticeCard.from_json(entry, reader) for entry in reader.take_list(fields, "cards", dict)]
        return cls({card.key: card for card in cards}, set(reader.take_list(fields, "taken", str)))

    @classmethod
    @contextlib.contextmanager
    def changing(cls, path: Path) -> Iterator[Deck]:
        """Read the deck in a file for changes, and write it if it has changed.

        Other programs that do the same wait, so that no changes are lost.

        Raises
        ------
        InvalidRecord
            If the file is damaged, or cannot be written.
        """
        with contextlib.ExitStack() as held:
            try:
                held.enter_context(rewriting(path))
            except OSError as error:
                raise InvalidRecord(f"{shown(path)}: cannot be written: {error.strerror or error}") from None
            deck = cls.read(path)
            before = cls(dict(deck.cards), set(deck.taken))
            yield deck
            if deck != before:
                deck.write(path)

    def write(self, path: Path) -> None:
        """Write the deck in one step; raises InvalidRecord."""
        data = {"schema": SCHEMA, "type": "practice", "taken": sorted(self.taken),
                "cards": [card.to_json() for card in self.cards.values()]}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, json_text(data, compact=True) + "\n")
        except OSError as error:
            raise InvalidRecord(f"{shown(path)}: cannot be written: {error.strerror or error}") from None

    # ---- cards --------------------------------------------------------------------------------

    def take(self, key: str, record: GameRecord, seat: int, review: Review, today: date) -> int:
        """Add the mistakes of a seat in a reviewed game, due at once, and return how many are new.

        Parameters
        ----------
        key : str
            Key of the review; its mistakes are added once.
        record : GameRecord
        seat : int
        review : Review
        today : date
        """
        if key in self.taken:
            return 0
        self.taken.add(key)
        many = len(self.cards)
        for decision in review.decisions:
            verdict = decision.verdict
            if decision.seat == seat and verdict is not None and verdict.mistake and verdict.loss >= WORTH:
                card = PracticeCard(_before(record, decision.ply), seat, decision.move, verdict.best, verdict.loss,
                                    verdict.error, BoxPlace(0, today))
                self.cards.setdefault(card.key, card)
        return len(self.cards) - many

    def knows(self, cache: ReviewCache, record: GameRecord, seat: int, depth: Depth) -> bool:
        """Return whether the mistakes of a seat come from a review of the game that is as deep as this, or deeper."""
        return any(cache.key(record, whose, known) in self.taken for known in _DEEPEST_FIRST for whose in (seat, None)
                   if known.iterations >= depth.iterations)

    def gather(self, name: str | None, seat: int | None, today: date,
               left_out: Callable[[InvalidRecord], object]) -> list[tuple[GameRecord, int]]:
        """Add the mistakes in the reviewed games of the archive, each from its deepest review.

        Parameters
        ----------
        name : str or None
            Name of a game; None: all.
        seat : int or None
            The person's seat in games that several people played at one screen; None: these are left out.
        today : date
        left_out : callable
            Called with the error of each damaged record.

        Returns
        -------
        list of (GameRecord, int)
            The games without a review, each with the person's seat.
        """
        unreviewed, cache = [], review_cache()
        for found in kept_games(name):
            if isinstance(found, InvalidRecord):
                left_out(found)
                continue
            own = seat_of(found, seat) if reviewable(found) else None
            if own is not None and not self._take_kept(cache, found, own, today):
                unreviewed.append((found, own))
        return unreviewed

    def _take_kept(self, cache: ReviewCache, record: GameRecord, seat: int, today: date) -> bool:
        """Add the mistakes of a game from its deepest review; return whether the game has a review."""
        for depth in _DEEPEST_FIRST:
            for whose in (seat, None):          # a review of all seats has the person's decisions, too
                key = cache.key(record, whose, depth)
                if key in self.taken:
                    return True
                review = cache.find(record, whose, depth)
                if review is not None:
                    self.take(key, record, seat, review, today)
                    return True
        return False

    def answered(self, card: PracticeCard, outcome: Outcome, today: date) -> PracticeCard:
        """Move a card to its place after an answer, and return it.

        If another sitting has moved it since it was asked, only a wrong answer moves it again: no day counts twice.
        """
        now = self.cards.get(card.key, card)
        if now.place == card.place or outcome is Outcome.WRONG:
            now = dataclasses.replace(now, place=now.place.after(outcome, today))
        self.cards[card.key] = now
        return now

    def of(self, game: str | None) -> list[PracticeCard]:
        """Return the cards of a game by name, or of all."""
        return [card for card in self.cards.values() if game in (None, card.game)]

    def due(self, today: date, game: str | None = None) -> list[PracticeCard]:
        """Return the cards to ask: those that have waited longest first, then those that cost the most."""
        return sorted((card for card in self.of(game) if card.place.is_due(today)),
                      key=lambda card: (card.place.due, -card.loss))

    def next_due(self, game: str | None = None) -> date | None:
        """Return the day when the next card is due; None if all are solved."""
        return min(_days(self.of(game)), default=None)


def _days(cards: Iterable[PracticeCard]) -> Iterable[date]:
    return (card.place.due for card in cards if not card.place.solved)


def _before(record: GameRecord, ply: int) -> GameRecord:
    """Return the record of a game up to an event, without anything that was not known then."""
    chance = None if record.chance is None else tuple(number for number in record.chance if number < ply)
    kept = {DATE: record.extra[DATE]} if DATE in record.extra else {}
    return dataclasses.replace(record, moves=record.moves[:ply], chance=chance, result=None, extra=kept)


# ---- Judging an answer to a position as a review judges the moves of a game: by its loss

NEGLIGIBLE = 0.005              # largest loss of a right answer, in win shares
EFFORTS = {FAST: Effort(2_000, 4), NORMAL: Effort(10_000, 4), DEEP: Effort(100_000, 4)}


@dataclass(frozen=True)
class Judged:
    """A move in a position, with its verdict.

    Attributes
    ----------
    move : int
    verdict : Verdict
    point : TurningPoint
        The verdict as a turn, with the expected lines and the reasons for and against the moves.
    """

    move: int
    verdict: Verdict
    point: TurningPoint

    @property
    def good(self) -> bool:
        """Whether the move is not clearly worse than the best one."""
        return not (self.verdict.mistake and self.verdict.loss > NEGLIGIBLE)

    def outcome(self, *, again: bool, helped: bool) -> Outcome:
        """Return the outcome of answering with this move.

        Parameters
        ----------
        again : bool
            Whether it is the mistake of the game: whatever this search finds, a review has judged it already.
        helped : bool
            Whether the person had asked for advice.
        """
        if again or not self.good:
            return Outcome.WRONG
        return Outcome.HELPED if helped else Outcome.RIGHT


def judge_move(judge: Judge, view: View, move: int, ply: int, effort: Effort, seed: int) -> Judged:
    """Judge a move by what its seat knows.

    Parameters
    ----------
    judge : Judge
    view : View
        View of the seat to move.
    move : int
        A legal move.
    ply : int
        Number of events before it.
    effort : Effort
    seed : int
        Seed of the searches.
    """
    verdict = judge.judge(view, move, effort, seed)
    line = follow(view, verdict.line, verdict.seed)
    better = follow(view, verdict.best_line, verdict.seed) if verdict.loss else None
    verdict = replace(verdict, best_words=(line if better is None else better).plies[0].words)
    point = TurningPoint(
        view.seat, ply, (ply,), verdict.loss, verdict.error, -verdict.loss, line.plies,
        () if better is None else better.plies, line.answer if line.plies else None, reasons_of(view.game, line),
        Reasons() if better is None else reasons_of(view.game, better))
    return Judged(move, verdict, point)


# ---- Answers in words, for the screen and for the page


def answer_words(card: PracticeCard, state: GameState, judged: Judged, outcome: Outcome) -> tuple[str, str]:
    """Return the verdict on an answer to a position, and the sentence that follows it."""
    best, move = judged.verdict.best, state.format(judged.move)
    if outcome is Outcome.WRONG:
        if move == card.played:
            return _("Not solved:"), _("{move} is what you played in the game.").format(move=move)
        return _("Not solved:"), f"{_said(state, move)}; {page.verdict_words(judged.point)}."
    right = _("Right") + (_(", with help") if outcome is Outcome.HELPED else "") + ":"
    if best == move:
        return right, _("no better move than {move} was found.").format(move=move)
    return right, _("{move} is not clearly worse than {best}, the best move that was found.").format(
        move=move, best=best)


def solution_words(card: PracticeCard, state: GameState, told: Judged) -> list[tuple[str, str]]:
    """Return the move of the game, the better move and the reasons for it, each with its heading.

    Parameters
    ----------
    card : PracticeCard
    state : GameState
    told : Judged
        The move with which the better one is compared: that of the game, or a wrong answer.
    """
    low, high = card.interval
    in_game = state.format(told.move) == card.played
    lines = [(_("in the game"), _("{move}; it cost {loss} % of win probability ({low} to {high})").format(
        move=_said(state, card.played), loss=page.percentage(card.loss), low=page.percentage(low),
        high=page.percentage(high)))]
    if told.point.better:
        lines.append((_("better"), page.move_words(told.point.better)))
    elif in_game:                           # this search has missed what the review found
        lines.append((_("better"), _said(state, card.best)))
    return lines + [(_("why"), why) for why in page.why_words(
        state.game, told.point, _("the move of the game") if in_game else _("your answer"))]


def _said(state: GameState, move: str) -> str:
    """Return a move in notation and in words."""
    told = state.game.describe_move(state, state.parse(move))
    return move if told == move else f"{move}: {told}"


def comes_back(card: PracticeCard, today: date) -> str:
    """Return the sentence that says when a position comes back."""
    if card.place.solved:
        return _("Solved: it does not come back.")
    days = (card.place.due - today).days
    when = (_("the next time") if days <= 0 else _("tomorrow") if days == 1 else
            _("in {days} days").format(days=days))
    return _("It comes back {when} (box {box} of {boxes}).").format(when=when, box=card.place.box + 1, boxes=SOLVED)


def day_words(when: date, today: date) -> str:
    """Return a future day in words."""
    days = (when - today).days
    return _("tomorrow") if days == 1 else _("in {days} days, on {day}").format(days=days, day=when)
