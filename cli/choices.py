"""The numbered moves of a decision: what is listed, and what a typed line means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sfida.cython_ext.errors import AmbiguousNotation, IllegalMove
from sfida.cython_ext.state import GameState


@dataclass(frozen=True)
class Choice:
    """One legal move: code, notation, words, and what is typed after the number to mean it."""

    move: int
    text: str
    words: str
    variant: str = ""


@dataclass(frozen=True)
class Group:
    """The moves under one number: one move, or the ways to use one place of the board."""

    number: str
    place: str
    choices: tuple[Choice, ...]

    def label(self, choice: Choice) -> str:
        """Return what is typed for a choice."""
        return self.number if len(self.choices) == 1 else f"{self.number}/{choice.variant}"


class Choices:
    """The legal moves of the seat to move.

    Moves whose notation differs only behind the last "/" belong to one place and share its number, which
    is the number that the board shows there. Where the notation itself is numbers, these are used.
    """

    def __init__(self, state: GameState) -> None:
        self.state = state
        places: dict[str, list[Choice]] = {}
        for move in state.legal_moves():
            text = state.format(move)
            place, slash, variant = text.rpartition("/")
            choice = Choice(move, text, state.game.describe_move(state, move), variant if slash else "")
            places.setdefault(place if slash else text, []).append(choice)
        plain = all(re.fullmatch(r"\d+", place) for place in places)
        self.groups: Sequence[Group] = [Group(place if plain else str(number), place, tuple(choices))
                                        for number, (place, choices) in enumerate(places.items(), 1)]
        self.by_place = any(choice.variant for group in self.groups for choice in group.choices)

    def label_of(self, move: int) -> str:
        """Return what is typed to choose a move by number."""
        for group in self.groups:
            for choice in group.choices:
                if choice.move == move:
                    return group.label(choice)
        return ""

    def find(self, line: str) -> list[int]:
        """Return the moves that a typed line means: a number, a move, or a whole turn.

        Raises
        ------
        InvalidNotation, IllegalMove, AmbiguousNotation
        """
        exact = [choice.move for group in self.groups for choice in group.choices
                 if choice.text.lower() == line.strip().lower()]
        if len(exact) == 1:
            return exact
        match = re.match(r"\s*(\d+)(?:/(\w+))?\s*(?![\w,.@/])(.*)$", line)
        if match is None:
            return [int(move) for move in self.state.game.parse_turn(self.state, line)]
        number, variant, rest = match.groups()
        choice = self._numbered(number, variant)
        if not rest:
            return [choice.move]
        return [int(move) for move in self.state.game.parse_turn(self.state, choice.text + rest)]

    def _numbered(self, number: str, variant: str | None) -> Choice:
        known = {group.number.lstrip("0") or "0": group for group in self.groups}
        group = known.get(number.lstrip("0") or "0")
        if group is None:
            numbers = [each.number for each in self.groups]
            held = numbers[0] if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
            raise IllegalMove(f"there is no move {number}; the list has {held}")
        if variant is None:
            if len(group.choices) == 1:
                return group.choices[0]
            ways = ", ".join(map(group.label, group.choices))
            raise AmbiguousNotation(f"{number} can be meant in {len(group.choices)} ways: {ways}")
        for choice in group.choices:
            if choice.variant == variant:
                return choice
        ways = ", ".join(f"{group.number}/{choice.variant}" for choice in group.choices if choice.variant)
        raise IllegalMove(f"there is no move {number}/{variant}; right is {ways or number}")
