"""Moves as people type and read them: bounded text, legality, numbered choices; also numbers of an action space."""

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
        If the text is empty, or longer than `LONGEST_MOVE` characters: the time to parse a text may grow faster than
        its length.
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
    """Return a name in lower case, without accents, spaces and signs, so that variant spellings compare equal."""
    flat = unicodedata.normalize("NFKD", text)
    return re.sub(r"[^a-z0-9]", "", "".join(c for c in flat if not unicodedata.combining(c)).lower())


# ---- Moves as numbers that mean the same in every position: the fixed action spaces of learning environments

MOST_KNOWN = 1 << 17            # most codes whose numbers are cached, per game


class Actions(abc.ABC):
    """The moves of seats as numbers 0 to `count` - 1.

    Attributes
    ----------
    count : int
        Size of the action space; some numbers may stand for no move.
    complete : bool
        Every legal move has a distinct number. Otherwise only the moves worth searching have one
        (`GameState.candidate_moves`), because the game has no bound on the number of its legal moves.
    """

    count: int
    complete: bool = True

    @abc.abstractmethod
    def numbers(self, moves: Sequence[int]) -> list[int]:
        """Return the number of each move of one decision, all different.

        Parameters
        ----------
        moves : sequence of int
            Codes of all its legal moves, or of all moves worth searching if the numbers are not complete.
        """


class SmallCodes(Actions):
    """The action space of a game with small move codes: the codes are the numbers.

    Parameters
    ----------
    count : int
        Upper bound; all codes are less than it.
    """

    def __init__(self, count: int) -> None:
        self.count = count

    def numbers(self, moves: Sequence[int]) -> list[int]:
        return list(moves)


class NumberedCodes(Actions):
    """The action space of a game whose numbers are a function of the code alone; the numbers are cached.

    Parameters
    ----------
    count : int
    number : callable
        Returns the number of a code.
    """

    def __init__(self, count: int, number: Callable[[int], int]) -> None:
        self.count = count
        self._known = _Known(number)

    def numbers(self, moves: Sequence[int]) -> list[int]:
        known = self._known
        return [known[move] for move in moves]


class _Known(dict[int, int]):
    """A cache of a function: its values by argument."""

    def __init__(self, function: Callable[[int], int]) -> None:
        self._function = function

    def __missing__(self, key: int) -> int:
        if len(self) >= MOST_KNOWN:
            self.clear()
        value = self[key] = self._function(key)
        return value


# ---- Checks of a parsed move: legality, examples of legal moves, lines of several moves

EXAMPLES = 4                    # legal moves that a refusal lists


class Reason(NamedTuple):
    """The reason why a move is not legal.

    Attributes
    ----------
    words : str
        The rule as it applies here, in the current language.
    clause : str
        The clause of the rule, such as "RIS-7.2".
    """

    words: str
    clause: str

    def __str__(self) -> str:
        return f"{self.words} ({self.clause})"


class Phased(Protocol):
    """The members of a state that the functions below need."""

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
    """Return the result of the first reader that understands a text; None: no reader does.

    Parameters
    ----------
    readers : iterable of callable
        Each reads one form of move; it may raise InvalidNotation if a text has its form but is wrong.
    *given, **more
        Arguments of the readers: a text, preceded by a state if they need one.
    """
    return next((move for reader in readers if (move := reader(*given, **more)) is not None), None)


def no_move(state: Phased | None, text: str, word: str, known: Iterable[str], like: str,
            works: Callable[[str], object]) -> InvalidNotation:
    """Return the refusal of a text that is no move at all.

    Parameters
    ----------
    state : Phased or None
        At a chance event its outcomes are the examples; None: use the examples of `like`.
    text : str
        The text as typed.
    word : str
        The word that may be a misspelling of one of the `known` words.
    known : iterable of str
    like : str
        Examples of moves.
    works : callable
        Reads a known word, and raises SfidaError if the word does not work here; only working words are suggested.
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
    """Return the code of a text if the move is legal now.

    Parameters
    ----------
    state : Phased
    code : int
    text : str
        The text as typed, for the refusal.
    alike : callable, optional
        Returns whether a legal move, as text, is a good example; if no move is, any legal move is an example.
    why : callable, optional
        Returns the rule that forbids the move; None if there is no rule to cite.

    Raises
    ------
    IllegalMove
        If the move is not legal; the message gives the reason, or the current decision, lists some legal moves and
        cites the rule.
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
    """Return the moves of texts, each parsed in the position after the moves before; `state` does not change.

    Parameters
    ----------
    state : Phased
    texts : iterable of str
    parse : callable
        Returns the move of a text, or several moves.
    decides : callable, optional
        Describes the current decision if another seat, or chance, decides before the last text; without it `parse`
        handles that case.

    typed : str, optional
        The typed line, if the texts are not parts of it: a refusal quotes this line instead of a text.

    Raises
    ------
    IllegalMove
        If another seat, or chance, decides before the last text.
    InvalidNotation
        If `parse` raises it.
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
    """A group of legal moves; in a long list, a person first chooses a group.

    Attributes
    ----------
    name : str
        The word to type to see the moves of the group, such as "ALK"; neither a number nor a move of the game.
    words : str
        The common property of the moves, with help for the choice among groups.
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
        """Costs and gains of the move; computed only when shown."""
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
        """The moves in groups, if the game offers a long list in steps."""
        return self.state.game.move_groups(self.state, [choice.move for choice in self.list])

    def group(self, line: str) -> list[Choice]:
        """Return the moves of the group whose name is a line; empty if there is no such group."""
        inside = next((group.moves for group in self.groups
                       if group.name and group.name.lower() == line.strip().lower()), ())
        return [choice for choice in self.list if choice.move in inside]

    def label_of(self, text: str) -> str:
        """Return the label of the move with this notation; "" if there is no such move."""
        return next((choice.label for choice in self.list if choice.text == text), "")

    def _whole(self, move: int, line: str) -> list[int]:
        """Return the moves of a line that is a listed move: several if the game reads the line as a whole turn."""
        try:
            moves = self.state.game.parse_turn(self.state, line)
        except SfidaError:
            return [move]
        return moves if moves[0] == move else [move]

    def find(self, line: str) -> list[int]:
        """Return the moves of a typed line: a number, a move in notation or in words, or a whole turn.

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
        """Return the moves of a line as the game parses it, or the one move with these words in another language."""
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
        """Return the moves of a text that replaces a typed line; a refusal quotes only the line."""
        try:
            return self.state.game.parse_turn(self.state, meant)
        except (IllegalMove, InvalidNotation) as error:
            raise type(error)(str(error).replace(quoted(meant), quoted(line))) from None

    def find_one(self, line: str) -> int:
        """Return the one move of a typed line; a turn of several moves is refused.

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
