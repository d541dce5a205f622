"""What a review says in words, for the screen and for the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sfida.ai.lines import Ply
from sfida.ai.review.model import Review, TurningPoint
from sfida.ai.review.summary import Parts, SeatSummary
from sfida.engines.faces.notation import Notation

CURVE = ("What the position was worth to each seat, in % of the win, by the arena's value function, which knows "
         "everything hidden.")
MARKS = "From left to right: the moves of the game. The numbers mark the turns that decided it, which are told below."
ACCURACY = ("Loss: share of the win given away by a decision against the best move, by what the seat knew, ± twice its "
            "uncertainty. Accuracy, 0 to 100: mean over the decisions of 103.17 exp(-0.0435 loss in %) - 3.17, the "
            "formula of Lichess. Decisions with one legal move do not count.")
PARTS = {
    "luck": "what chance was worth, by the arena's one definition",
    "own": "what the seat's own moves lost",
    "gifts": "what the moves that others lost by brought it",
    "hidden": "what moves changed because their seats could not know what was hidden",
    "judgement": "what the estimates leave unexplained",
    "unjudged": "what decisions changed that were not judged",
}


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
    return f"move {point.at + 1} of {review.plies}"


def verdict_words(point: TurningPoint) -> str:
    """Say what a turn lost."""
    low, high = max(0.0, point.loss - 2 * point.error), min(1.0, point.loss + 2 * point.error)
    if not point.better:
        return f"no better move was found; the turn changed the win by {percentage(point.swing, sign=True)} %"
    lost = f"{percentage(point.loss)} % of the win ({percentage(low)} to {percentage(high)})"
    return f"it cost {lost}" if point.loss > 2 * point.error else f"it may have cost {lost}"


def move_words(plies: Sequence[Ply]) -> str:
    """Return the first move of a line in notation and in words."""
    if not plies:
        return ""
    first = plies[0]
    return first.move if first.words == first.move else f"{first.move}: {first.words}"


def why_words(game: Notation, point: TurningPoint, played: str = "the move played") -> list[str]:
    """Say why the other move is better: what each changes, and the answer that refutes the one played."""
    told = []
    if point.better:
        speaks = "; ".join([*point.reasons.for_and_against, *point.reasons.answered])
        if speaks:
            told.append(f"the better move: {speaks}")
    speaks = "; ".join([*point.against.for_and_against, *point.against.answered])
    if speaks:
        told.append(f"{played}: {speaks}")
    if point.answer is not None:
        line, reply = point.played[:point.answer], point.played[point.answer]
        words = "" if reply.words == reply.move else f": {reply.words}"
        told.append(f"after {' '.join(ply.move for ply in line)}, {game.seat_name(reply.seat)} answers "
                    f"{reply.move}{words}")
    return told


def line_words(game: Notation, plies: Sequence[Ply]) -> list[str]:
    """Return the events of a line, each with who did it."""
    return [f"{'chance' if ply.seat < 0 else game.seat_name(ply.seat)}: {ply.words}" for ply in plies]
