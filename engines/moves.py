"""Moves as people type and read them: bounded text, legality, numbered choices; and as numbers of an action space."""

from __future__ import annotations

import abc
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, ParamSpec, Protocol, Self, TypeVar

from sfida.cython_ext.errors import IllegalMove, InvalidNotation, SfidaError
from sfida.cython_ext.state import GameState
from sfida.engines.language import LANGUAGES, _, speaking
from sfida.engines.spec import did_you_mean, nearest, quoted, shortened

# ---- The text of a move as people type it, before a game reads it

LONGEST_MOVE = 1000             # characters; the longest turn, armies on 42 territories, has about 300


def bounded(text: str) -> str:
    """Return the text of a move without blanks at its ends.

    Raises
    ------
    InvalidNotation
        If the text is empty, or longer than `LONGEST_MOVE` characters: the time to read it may grow faster than its
        length.
    """
    bare = text.strip()
    if not bare:
        raise InvalidNotation(_("no move was given"))
    if len(bare) > LONGEST_MOVE:
        raise InvalidNotation(_("a text of {length} characters is no move; {most} are read at most").format(
            length=len(bare), most=LONGEST_MOVE))
    return bare


def plain(text: str) -> str:
    """Return the text of a move with single blanks and plain minus signs; raises InvalidNotation like `bounded`."""
    return " ".join(bounded(text).replace("\u2212", "-").replace("\u2013", "-").split())


def spelling(text: str) -> str:
    """Return a name in lower case, without accents, spaces and signs, so that spellings do not matter."""
    flat = unicodedata.normalize("NFKD", text)
    return re.sub(r"[^a-z0-9]", "", "".join(c for c in flat if not unicodedata.combining(c)).lower())


# ---- Moves as numbers that mean the same in every position: the fixed action spaces of learning environments

MOST_KNOWN = 1 << 17            # codes whose numbers are remembered, of one game


class Actions(abc.ABC):
    """The moves of seats as numbers 0 to `count` - 1.

    Attributes
    ----------
    count : int
        Numbers in use, from 0; some may stand for no move.
    complete : bool
        Every legal move has a number of its own. Otherwise only the moves worth searching have
        (`GameState.candidate_moves`), because a game knows no bound of its legal ones.
    """

    count: int
    complete: bool = True

    @abc.abstractmethod
    def numbers(self, moves: Sequence[int]) -> list[int]:
        """Return the number of each move of one decision, all different.

        Parameters
        ----------
        moves : sequence of int
            Codes of all its legal moves, or of all those worth searching where the numbers are not complete.
        """


class SmallCodes(Actions):
    """For a game whose codes of moves are small: they are the numbers.

    Parameters
    ----------
    count : int
        A bound: codes are below it.
    """

    def __init__(self, count: int) -> None:
        self.count = count

    def numbers(self, moves: Sequence[int]) -> list[int]:
        return list(moves)


class NumberedCodes(Actions):
    """For a game in which a function of the code alone numbers the moves; what it returned is remembered.

    Parameters
    ----------
    count : int
    number : callable
        Number of a code.
    """

    def __init__(self, count: int, number: Callable[[int], int]) -> None:
        self.count = count
        self._known = _Known(number)

    def numbers(self, moves: Sequence[int]) -> list[int]:
        known = self._known
        return [known[move] for move in moves]


class _Known(dict[int, int]):
    """What a function returned, by its argument."""

    def __init__(self, function: Callable[[int], int]) -> None:
        self._function = function

    def __missing__(self, key: int) -> int:
        if len(self) >= MOST_KNOWN:
            self.clear()
        value = self[key] = self._function(key)
        return value


# ---- What follows when a game has read a move: is it legal, which are, and lines of several moves

EXAMPLES = 4                    # legal moves that a refusal names


class Reason(NamedTuple):
    """Why a move is not legal.

    Attributes
    ----------
    words : str
        The rule as it applies here, in the language that is spoken.
    clause : str
        Its clause, such as "RIS-7.2".
    """

    words: str
    clause: str

    def __str__(self) -> str:
        return f"{self.words} ({self.clause})"


class Phased(Protocol):
    """What is needed of a state."""

    @property
    def game(self) -> Any: ...
    @property
    def to_move(self) -> int: ...
    @property
    def is_over(self) -> bool: ...
    @property
    def is_chance(self) -> bool: ...
    def legal_moves(self) -> list[int]: ...
    def apply(self, move: int) -> None: ...
    def clone(self) -> Self: ...
    def format(self, move: int) -> str: ...


S = TypeVar("S", bound=Phased)
P = ParamSpec("P")
M = TypeVar("M")


def first_meaning(readers: Iterable[Callable[P, M | None]], *given: P.args, **more: P.kwargs) -> M | None:
    """Return what the first reader that understands a text makes of it; None: none does.

    Parameters
    ----------
    readers : iterable of callable
        Each reads one form of move; it may raise InvalidNotation where a text has its form and is wrong.
    *given, **more
        What they read: a text, with a state before it where they look at one.
    """
    return next((move for reader in readers if (move := reader(*given, **more)) is not None), None)


def no_move(state: Phased | None, text: str, word: str, known: Iterable[str], like: str,
            works: Callable[[str], object]) -> InvalidNotation:
    """Return the refusal of a text that is no move at all.

    Parameters
    ----------
    state : Phased or None
        Where luck decides, its outcomes are the examples; None: as in any other position.
    text : str
        As it was typed.
    word : str
        What may be a slip of one of the `known` words.
    known : iterable of str
    like : str
        Examples of moves.
    works : callable
        Reads a known word, and raises SfidaError if it does not work here: only a word that does is suggested.
    """
    left = [name for name in known if name != word]
    while (found := nearest(word, left)) is not None and not _reads(works, found):
        left.remove(found)
    if state is not None and state.is_chance:
        like = ", ".join(map(state.format, state.legal_moves()[:EXAMPLES]))
    return InvalidNotation(_("{text} is no move{hint}; moves look like {like}").format(
        text=quoted(text.strip()), hint=did_you_mean(word, left), like=like))


def _reads(works: Callable[[str], object], text: str) -> bool:
    try:
        works(text)
    except SfidaError:
        return False
    return True


def legal_code(state: Phased, code: int, text: str, alike: Callable[[str], bool] | None = None,
               why: Callable[[], Reason | None] | None = None) -> int:
    """Return the code that a text means, if it is legal now.

    Parameters
    ----------
    state : Phased
    code : int
    text : str
        As it was typed, for the refusal.
    alike : callable, optional
        Whether a legal move, as text, is a good example; any is where none is good.
    why : callable, optional
        Returns the rule that forbids it; None where there is none to name.

    Raises
    ------
    IllegalMove
        If it is not; the message says why, or what is to be decided, names some legal moves and cites the rule.
    """
    legal = state.legal_moves()
    if code in legal:
        return code
    if state.is_over:
        raise IllegalMove(_("the game is over: no move is legal"))
    good = legal if alike is None else [move for move in legal if alike(state.format(move))] or legal
    reason = why() if why is not None else None
    words = state.game.question(state, state.to_move).rstrip(".") if reason is None else reason.words
    said = (_("{text} is not legal here{reason}; legal are for example {moves}") if len(legal) > EXAMPLES else
            _("{text} is not legal here{reason}; legal are {moves}"))
    told = said.format(text=quoted(text.strip()), reason=f" ({words})" if words else "",
                       moves=", ".join(map(state.format, good[:EXAMPLES])))
    raise IllegalMove(told if reason is None else _("{refusal}; rule {clause}").format(
        refusal=told, clause=reason.clause))


def played_through(state: S, texts: Iterable[str], parse: Callable[[S, str], int | list[int]],
                   decides: Callable[[S], str] | None = None, typed: str = "") -> list[int]:
    """Return the moves of texts read one after the other, each in the position after the last; `state` stays as it is.

    Parameters
    ----------
    state : Phased
    texts : iterable of str
    parse : callable
        Returns the move of a text, or several.
    decides : callable, optional
        Says who decides when it is no longer the seat that moves first; without it that is left to `parse`.

    typed : str, optional
        The line that the texts stand for where they are not parts of it: a refusal quotes it instead.

    Raises
    ------
    IllegalMove
        If another seat, or luck, decides before the last text.
    InvalidNotation
        As `parse`.
    """
    work = state.clone()
    moves: list[int] = []
    for text in texts:
        if moves and decides is not None and work.to_move != state.to_move:
            raise IllegalMove(_("{text} comes too early: first {decides}").format(
                text=quoted(text), decides=decides(work)))
        try:
            found = parse(work, text)
        except (IllegalMove, InvalidNotation) as error:
            said = quoted(typed.strip()) if typed else quoted(text)
            raise type(error)(str(error).replace(quoted(text), said)) from None
        for code in [found] if isinstance(found, int) else found:
            work.apply(code)
            moves.append(code)
    return moves


# ---- The numbered moves of a decision: the list, and the meaning of a typed line

LONGEST_LABEL = 6       # digits


@dataclass(frozen=True)
class MoveGroup:
    """Some of the legal moves, the first step of a choice from a long list.

    Attributes
    ----------
    name : str
        What to type to see its moves, such as "ALK"; no number, and no move of the game.
    words : str
        What they have in common, with what helps to choose among the groups.
    moves : tuple of int
        Codes.
    """

    name: str
    words: str
    moves: tuple[int, ...]


@dataclass(frozen=True)
class Choice:
    """One legal move of a position: its number, code, notation and words."""

    label: str
    move: int
    text: str
    words: str
    state: GameState = field(repr=False, compare=False)

    @cached_property
    def note(self) -> str:
        """What it costs and brings; worked out where it is shown."""
        return self.state.game.move_note(self.state, self.move)


class Choices:
    """The legal moves of the seat to move, with the numbers that the game gives them (`Notation.move_labels`)."""

    def __init__(self, state: GameState) -> None:
        self.state = state
        moves = state.legal_moves()
        game = state.game
        self.list: list[Choice] = [Choice(label, move, state.format(move), game.describe_move(state, move), state)
                     for label, move in zip(game.move_labels(state, moves), moves, strict=True)]

    @cached_property
    def groups(self) -> list[MoveGroup]:
        """The moves in groups, where the game offers a long list in steps."""
        return self.state.game.move_groups(self.state, [choice.move for choice in self.list])

    def group(self, line: str) -> list[Choice]:
        """Return the moves of the group that a line names; none if it names none."""
        inside = next((group.moves for group in self.groups
                       if group.name and group.name.lower() == line.strip().lower()), ())
        return [choice for choice in self.list if choice.move in inside]

    def label_of(self, text: str) -> str:
        """Return the label of the move with this notation, "" if there is none."""
        return next((choice.label for choice in self.list if choice.text == text), "")

    def _whole(self, move: int, line: str) -> list[int]:
        """Return the moves of a line that is a listed move: more than one if the game reads it as a whole turn."""
        try:
            moves = self.state.game.parse_turn(self.state, line)
        except SfidaError:
            return [move]
        return moves if moves[0] == move else [move]

    def find(self, line: str) -> list[int]:
        """Return the moves that a typed line stands for: a number, a move, its words, or a whole turn.

        A number may be followed by the rest of the turn, as in "7+c0" or "7 -".

        Raises
        ------
        InvalidNotation, IllegalMove, AmbiguousNotation
        """
        line = bounded(line)
        for choice in self.list:
            if choice.text.lower() == line.lower():
                return self._whole(choice.move, line)
        match = re.fullmatch(r"(\d+)\s*(\+\s*[^\W\d].*|-|)", line)
        if match is None:
            said = [choice.move for choice in self.list if choice.words.lower() == line.lower()]
            return said if len(said) == 1 else self._parsed(line)
        number, rest = match.groups()
        numbered = next((choice for choice in self.list if int(choice.label) == int(number)), None)
        if numbered is None:
            meant = self.state.game.label_text(self.state, int(number)) if len(number) < LONGEST_LABEL else ""
            if meant:
                return self._read(meant + rest, line)
            raise IllegalMove(_("there is no move {number} in the list; it holds {numbers}").format(
                number=shortened(number), numbers=", ".join(_spans([int(choice.label) for choice in self.list]))))
        return self._read(numbered.text + rest, line) if rest else [numbered.move]

    def _parsed(self, line: str) -> list[int]:
        """Return the moves of a line as the game reads it, or the one that has these words in another language."""
        game, state = self.state.game, self.state
        try:
            return game.parse_turn(state, line)
        except SfidaError:
            for code in LANGUAGES:
                with speaking(code):
                    said = [choice.move for choice in self.list
                            if game.describe_move(state, choice.move).lower() == line.lower()]
                if len(said) == 1:
                    return said
            raise

    def _read(self, meant: str, line: str) -> list[int]:
        """Return the moves of a text that stands for a typed line; a refusal quotes only the line."""
        try:
            return self.state.game.parse_turn(self.state, meant)
        except (IllegalMove, InvalidNotation) as error:
            raise type(error)(str(error).replace(quoted(meant), quoted(line))) from None

    def find_one(self, line: str) -> int:
        """Return the one move that a typed line stands for; a turn of several moves is refused.

        Raises
        ------
        InvalidNotation, IllegalMove, AmbiguousNotation
        """
        moves = self.find(line)
        if len(moves) > 1:
            first = self.state.format(moves[0])
            raise InvalidNotation(_("{text} is {number} decisions, one after the other; name one, such as the first: "
                                    "{first}").format(text=quoted(line.strip()), number=len(moves), first=first))
        return moves[0]


def _spans(numbers: list[int]) -> Iterator[str]:
    """Yield the runs of some numbers, such as "1 to 9" and "61"."""
    ordered = sorted(numbers)
    first = last = ordered[0]
    for number in [*ordered[1:], None]:
        if number is not None and number == last + 1:
            last = number
            continue
        yield str(first) if first == last else _("{first} to {last}").format(first=first, last=last)
        if number is not None:
            first = last = number
