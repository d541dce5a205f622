"""What has happened in a game, event by event, and what each seat has seen of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfida.engines.openspiel.weights import integer_weights

if TYPE_CHECKING:
    from sfida.engines.openspiel.rules import Rules
    from sfida.engines.openspiel.worlds import Worlds

Record = tuple[int | str, ...]


class Node:
    """A state of OpenSpiel and the event that led to it. Never changed: copies of a position share it.

    Parameters
    ----------
    rules : Rules
    state : pyspiel.State
    parent : Node, optional
        Where it came from; None at the start.
    action : int
        The move or chance outcome that led here; -1 at the start.

    Attributes
    ----------
    actor : int
        Who acts next: a seat, -1 (chance) or -4 (the game is over); OpenSpiel's numbers are Sfida's.
    """

    __slots__ = ("_names", "_shown", "_state", "action", "actor", "parent", "rules", "worlds")

    def __init__(self, rules: Rules, state: Any, parent: Node | None = None, action: int = -1) -> None:
        self.rules: Rules = rules
        self._state = state
        self.parent: Node | None = parent
        self.action: int = action
        self.actor: int = state.current_player()
        self._shown: dict[int, str] | None = None
        self._names: dict[int, str] | None = None
        self.worlds: dict[int, Worlds] | None = None        # see `worlds.worlds_of`

    @property
    def state(self) -> Any:
        """OpenSpiel's state; not to be changed."""
        if self._state is None:
            self._state = self.rules.initial.clone()
            for action in self.history():
                self._state.apply_action(action)
        return self._state

    def forget_the_way(self) -> None:
        """Drop the states on the way here, which are large and seldom needed again."""
        node = self.parent
        while node is not None and node._state is not None:
            node._state = node._shown = node._names = None
            node = node.parent

    def child(self, action: int) -> Node:
        """Return where a legal move or a possible outcome leads."""
        return Node(self.rules, self.state.child(action), self, action)

    def actions(self) -> list[int]:
        """Return the legal moves of the actor, or the possible outcomes."""
        return [action for action, _ in self.outcomes()] if self.actor < 0 else list(self.state.legal_actions())

    def outcomes(self) -> list[tuple[int, int]]:
        """Return the possible outcomes of a chance event with their weights."""
        pairs = [(action, chance) for action, chance in self.state.chance_outcomes() if chance > 0.0]
        weights = integer_weights(tuple(chance for _, chance in pairs))
        return [(action, weight) for (action, _), weight in zip(pairs, weights, strict=True)]

    def history(self) -> tuple[int, ...]:
        """Return every event from the start."""
        events = []
        node = self
        while node.parent is not None:
            events.append(node.action)
            node = node.parent
        return tuple(reversed(events))

    def shown(self, seat: int) -> str:
        """Return what OpenSpiel tells a seat here."""
        if self._shown is None:
            self._shown = {}
        text = self._shown.get(seat)
        if text is None:
            text = self._shown[seat] = self.rules.shown(self.state, seat)
        return text

    def news(self, seat: int) -> str | None:
        """Return what OpenSpiel tells a seat here if it differs from what it told before the last event."""
        text = self.shown(seat)
        return None if self.parent is not None and self.parent.shown(seat) == text else text

    def record(self, seat: int) -> Record:
        """Return everything a seat has seen: its own moves as numbers, what it was shown as text, in order."""
        items: list[int | str] = []
        node = self
        while True:
            news = node.news(seat)
            if news is not None:
                items.append(news)
            if node.parent is None:
                return tuple(reversed(items))
            if node.parent.actor == seat:
                items.append(node.action)
            node = node.parent

    def name(self, action: int) -> str:
        """Return OpenSpiel's text of a move or outcome, with its number where others read the same."""
        if self._names is None:
            texts = {each: " ".join(self.state.action_to_string(self.actor, each).split())
                     for each in self.actions()}
            seen: dict[str, int] = {}
            for text in texts.values():
                plain = _plain(text)
                seen[plain] = seen.get(plain, 0) + 1
            self._names = {each: text if text and seen[_plain(text)] == 1 else f"{text}#{each}"
                           for each, text in texts.items()}
        return self._names[action]


def _plain(text: str) -> str:
    return "".join(text.split()).lower()


def start(rules: Rules) -> Node:
    """Return the start of a game."""
    return Node(rules, rules.initial)


def replay(rules: Rules, events: tuple[int, ...]) -> Node:
    """Return where a row of events leads; raises ValueError if one of them is not possible."""
    node = start(rules)
    for event in events:
        if node.actor != -4 and event not in node.actions():
            raise ValueError(f"event {event} is not possible")
        node = node.child(event)
    return node
