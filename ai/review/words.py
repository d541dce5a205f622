"""What a review says in words, for the screen and for the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sfida.ai.lines import Ply
from sfida.ai.review.glance import Glance
from sfida.ai.review.model import Review, TurningPoint
from sfida.ai.review.summary import Parts, SeatSummary
from sfida.engines.faces.notation import Notation
from sfida.engines.language import N_, _

CURVE = N_("What the position was worth to each seat, in % of the win, by the arena's value function, which knows "
           "everything hidden.")
MARKS = N_("From left to right: the moves of the game. The numbers mark the turns that decided it, which are told "
           "below.")
ACCURACY = N_("Loss: share of the win given away by a decision against the best move, by what the seat knew, ± twice "
              "its uncertainty. Accuracy, 0 to 100: mean over the decisions of 103.17 exp(-0.0435 loss in %) - 3.17, "
              "the formula of Lichess. Decisions with one legal move do not count.")
# The parts of a result: what a column is called, and what it is.
PARTS = {
    "luck": (N_("luck"), N_("what chance was worth, by the arena's one definition")),
    "own": (N_("own"), N_("what the seat's own moves lost")),
    "gifts": (N_("gifts"), N_("what the moves that others lost by brought it")),
    "hidden": (N_("hidden"), N_("what moves changed because their seats could not know what was hidden")),
    "judgement": (N_("judgement"), N_("what the estimates leave unexplained")),
    "unjudged": (N_("unjudged"), N_("what decisions changed that were not judged")),
}


def part_name(name: str) -> str:
    """Return what the column of a part is called."""
    return _(PARTS[name][0])


def parts_explained(names: Iterable[str]) -> str:
    """Return what some parts are, in a line."""
    return "; ".join(f"{_(PARTS[name][0])}: {_(PARTS[name][1])}" for name in names)


def shown_parts(review: Review, seats: Iterable[SeatSummary]) -> list[str]:
    """Return the names of the parts worth a column: without secrets, or with all judged, there are fewer."""
    held = list(seats)
    return [name for name in PARTS if not (name == "hidden" and not review.hidden)
            and not (name == "unjudged" and all(getattr(one.parts, name) == 0.0 for one in held))]


def part_of(parts: Parts, name: str) -> float:
    """Return a part by its name."""
    value: float = getattr(parts, name)
    return value


def percentage(share: float, digits: int = 1, *, sign: bool = False) -> str:
    """Return a share in percentage points; what rounds to zero has no sign."""
    value = round(100 * share, digits) + 0.0
    return f"{value:{'+' if sign and value else ''}.{digits}f}"


def moment(point: TurningPoint, review: Review) -> str:
    """Say when a turn came, such as "move 41 of 175"."""
    return _("move {number} of {all}").format(number=point.at + 1, all=review.plies)


def verdict_words(point: TurningPoint) -> str:
    """Say what a turn lost."""
    low, high = max(0.0, point.loss - 2 * point.error), min(1.0, point.loss + 2 * point.error)
    if not point.better:
        return _("no better move was found; the turn changed the win by {change} %").format(
            change=percentage(point.swing, sign=True))
    said = (_("it cost {loss} % of the win ({low} to {high})") if point.loss > 2 * point.error else
            _("it may have cost {loss} % of the win ({low} to {high})"))
    return said.format(loss=percentage(point.loss), low=percentage(low), high=percentage(high))


def move_words(plies: Sequence[Ply]) -> str:
    """Return the first move of a line in notation and in words."""
    if not plies:
        return ""
    first = plies[0]
    return first.move if first.words == first.move else f"{first.move}: {first.words}"


def why_words(game: Notation, point: TurningPoint, played: str = "") -> list[str]:
    """Say why the other move is better: what each changes, and the answer that refutes the one played.

    `played` is what that one is called; "" for "the move played".
    """
    told = []
    if point.better:
        speaks = "; ".join([*point.reasons.for_and_against, *point.reasons.answered])
        if speaks:
            told.append(_("the better move: {reasons}").format(reasons=speaks))
    speaks = "; ".join([*point.against.for_and_against, *point.against.answered])
    if speaks:
        told.append(f"{played or _('the move played')}: {speaks}")
    if point.answer is not None:
        line, reply = point.played[:point.answer], point.played[point.answer]
        words = "" if reply.words == reply.move else f": {reply.words}"
        told.append(_("after {moves}, {seat} answers {reply}").format(
            moves=" ".join(ply.move for ply in line), seat=game.seat_name(reply.seat), reply=f"{reply.move}{words}"))
    return told


def line_words(game: Notation, plies: Sequence[Ply]) -> list[str]:
    """Return the events of a line, each with who did it."""
    return [f"{_('chance') if ply.seat < 0 else game.seat_name(ply.seat)}: {ply.words}" for ply in plies]


def glance_words(found: Glance, seat: int) -> list[str]:
    """Return what a seat is told right after a game, to follow its name: its luck, and its worst move."""
    luck = _("luck: not measured in so short a time") if found.luck is None else _("luck: {luck} % of the win").format(
        luck=percentage(found.luck[seat], 0, sign=True))
    if seat not in found.worst:
        return [luck, _("worst turn: a first look found no mistake")]
    event, verdict = found.worst[seat]
    return [luck, _("worst turn: move {number}, {move}: {best} was better by {loss} % of the win").format(
        number=event.ply + 1, move=event.before.format(event.move), best=verdict.best,
        loss=percentage(verdict.loss, 0))]
