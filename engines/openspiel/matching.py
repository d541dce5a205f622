"""Which events agree with what a seat has seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfida.engines.openspiel.history import Node, Record, start

if TYPE_CHECKING:
    from sfida.engines.openspiel.rules import Rules

CHANCE, TERMINAL = -1, -4
END = -9                        # instead of an event: a world may end here

Place = tuple[Node, int]        # where a history stands, and how many items of the record it accounts for


class Matcher:
    """One seat's record, and the histories that show the seat just that.

    Parameters
    ----------
    rules : Rules
    seat : int
        Whose record it is.
    record : tuple
        Everything the seat has seen (`Node.record`).
    actor : int
        Who acts at the end.
    """

    def __init__(self, rules: Rules, seat: int, record: Record, actor: int) -> None:
        self.rules = rules
        self.seat = seat
        self.record = record
        self.actor = actor

    def begin(self) -> Place:
        """Return the start of the game."""
        return start(self.rules), 1

    def events(self, place: Place) -> list[tuple[int, int]]:
        """Return what may happen next, with weights: events, and `END` where the history may end."""
        node, at = place
        done = at == len(self.record)
        found = [(END, 1)] if done and node.actor == self.actor else []
        if node.actor == self.seat:
            own = None if done else self.record[at]
            return found + ([(own, 1)] if isinstance(own, int) and own in node.actions() else [])
        if node.actor == CHANCE:
            return found + node.outcomes()
        return found + [(action, 1) for action in node.actions()]

    def follow(self, place: Place, event: int) -> Place | None:
        """Return where a possible event leads; None if the seat would have seen something else."""
        node, at = place
        if node.actor == self.seat:
            at += 1
        child = node.child(event)
        if child.actor == TERMINAL:     # whoever has seen a record knows that the game went on
            return None
        news = child.news(self.seat)
        if news is None:
            return child, at
        if at < len(self.record) and self.record[at] == news:
            return child, at + 1
        return None

    def complaint(self) -> str:
        """Say that no history agrees with the record, as far as was looked."""
        return (f"no history of OpenSpiel's {self.rules.text} was found that shows seat {self.seat} what it has "
                "seen: too much is hidden in this game, or what it tells its players contradicts itself")
