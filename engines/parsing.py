"""What follows when a game has read a move: is it legal, which are, and lines of several moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, ParamSpec, Protocol, Self, TypeVar

from sfida.cython_ext.errors import IllegalMove, InvalidNotation, SfidaError
from sfida.engines.language import _
from sfida.engines.spec import did_you_mean, nearest, quoted

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
