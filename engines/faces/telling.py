"""What people are told of a game as it goes on."""

from __future__ import annotations

from typing import Generic

from sfida.engines.faces import S
from sfida.engines.faces.notation import Notation
from sfida.engines.lessons import Lesson
from sfida.engines.narration import Effect, Narration, knows_event, score_changes
from sfida.engines.standing import Term


class Telling(Notation[S], Generic[S]):
    """The face that whoever tells a game reads: a terminal, a browser, a review.

    Games define `effects`; where something is hidden also `seen_words`.
    """

    def narrate(self, before: S, move: int, after: S, seat: int | None, *, everything: bool = False) -> Narration:
        """Tell an event, as far as a viewer may know it.

        Parameters
        ----------
        before, after : GameState
            The whole states around it.
        move : int
            Its code.
        seat : int or None
            The viewer; None: a spectator.
        everything : bool
            Nothing is kept from the viewer: the game is long over.
        """
        known = everything or self._knows(before, move, after, seat)
        words = self.describe_move(before, move) if known else self.seen_words(before, move, seat)
        return Narration(words, self.effects(before, move, after, seat), self.is_quiet(before, move))

    def told_notation(self, before: S, move: int, after: S, seat: int | None) -> str:
        """Return an event in notation as a viewer saw it; "" when the viewer saw nothing of it."""
        if not before.hidden:
            return self.format_move(before, move)
        seen = self.seen_move(before, move, seat)
        # If the game describes an event in its own words for a viewer, that is all the viewer may know.
        special = seen != self.format_move(before, move)
        return seen if special or self._knows(before, move, after, seat) else ""

    def _knows(self, before: S, move: int, after: S, seat: int | None) -> bool:
        """Say whether a viewer saw all of an event; a spectator knows what every seat knows."""
        if not before.hidden or seat == before.to_move:
            return True
        if self.seen_move(before, move, seat) != self.format_move(before, move):
            return False
        seats = range(before.players) if seat is None else (seat,)
        return all(one == before.to_move or knows_event(before, after, move, one) for one in seats)

    def effects(self, before: S, move: int, after: S, seat: int | None) -> tuple[Effect, ...]:
        """Return what came of an event, as far as a viewer may know it.

        All that changes the scores on show is told. By default that is all, and where something is hidden, and points
        may be as secret as a hand, nothing is.
        """
        if before.hidden:
            return ()
        names = [self.seat_name(one) for one in range(before.players)]
        return score_changes(names, before.scores(), after.scores())

    def seen_words(self, state: S, move: int, seat: int | None) -> str:
        """Return in words what a viewer saw of an event that it did not see whole; "" for nothing."""
        seen = self.seen_move(state, move, seat)
        return "" if seen == self.format_move(state, move) else seen

    def question(self, state: S, seat: int) -> str:
        """Say in one sentence what a seat is to decide now, with what counts there; "" where the moves say it all."""
        return ""

    def forced_tells(self, state: S) -> bool:
        """Say whether who learns that the mover has one legal move alone may learn a secret.

        Such a decision exists because of a secret, and is answered as if there were a choice. Games in which
        something is hidden name the decisions whose lists everybody can tell.
        """
        return bool(state.hidden)

    def is_quiet(self, state: S, move: int) -> bool:
        """Say whether an event is a step of the setup that board and status show soon enough, such as a card dealt."""
        return False

    # ---- reasons --------------------------------------------------------------------------------

    def standing(self, state: S, seat: int, viewer: int) -> tuple[Term, ...]:
        """Return how a seat stands, in the terms in which players of the game count.

        What a move gains and gives away is told by the difference of two standings.

        Parameters
        ----------
        state : GameState
            A world that is possible for the viewer.
        seat : int
            Whose standing it is.
        viewer : int
            Who is told: what this seat does not know of the other, and the world only supposes, is no term.

        Returns
        -------
        tuple of Term
            The most important first, the same ones at every moment. None by default: no reasons are given.
        """
        return ()

    # ---- a first game ---------------------------------------------------------------------------

    def introduction(self) -> str:
        """Tell a new player what the game is about: aim, course of a turn, what brings points; "" for no walk-through.

        Plain sentences in paragraphs that are parted by blank lines, at most 15 lines of 76 columns in all.
        """
        return ""

    def lesson(self, state: S, seat: int) -> Lesson | None:
        """Return what a new player should know about the decision of a seat; None where there is nothing to say.

        Games with an `introduction` have a lesson for each kind of decision. It tells nothing that the seat does not
        know.
        """
        return None
