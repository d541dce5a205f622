"""Whole actions written as one clause, such as ``settle DEE NHV STM BOS`` (FAS-17.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfida.cython_ext.errors import AmbiguousNotation, IllegalMove, InvalidNotation
from sfida.engines.acres.notation import (
    ON_SIEGE,
    WITH_CARD,
    WITH_SITE,
    card_named,
    moves_about,
    parse_move,
    read_card,
    words_of,
)
from sfida.engines.acres.position import position_of
from sfida.engines.acres.refusals import not_now, why_not_with
from sfida.engines.acres.rules import card_codes
from sfida.engines.language import _
from sfida.engines.parsing import EXAMPLES, played_through
from sfida.engines.spec import quoted
from sfida.engines.typed import bounded

if TYPE_CHECKING:
    from sfida.cython_ext.acres.core import AcresState

OPTIONAL = ("coins", "furs", "discards", "govern")       # steps that may stop
STEPPED = ("transport", "settler", "strength", "raiders", *OPTIONAL)
# how many words belong to the first move; the cards behind them follow one by one
HEADS = {"settle": 3, "besiege": 3, "develop": 2, "raid": 2, "merchant": 2, "trader": 2, "discard": 2, "govern": 2}
OBJECTS = (*WITH_CARD, *WITH_SITE, *ON_SIEGE, "settle", "besiege", "fortify", "reinforce", "withdraw", "surrender")
WHOLE = ("discard", "govern")           # their first move is an action already; more cards are an addition
SORTED_FROM = {"raid": 2, "merchant": 2, "trader": 2, "discard": 1, "govern": 1}


class Clause:
    """An action being played on a copy of a state.

    Attributes
    ----------
    state : AcresState
        The copy, after the moves so far.
    moves : list of int
        Codes.
    """

    def __init__(self, state: AcresState) -> None:
        self.state: AcresState = state.clone()
        self.moves: list[int] = []

    def play(self, text: str) -> None:
        """Play the move that a text names; raises InvalidNotation or IllegalMove."""
        self.play_code(parse_move(self.state, text))

    def play_code(self, code: int) -> None:
        """Play a legal move."""
        self.state.apply(code)
        self.moves.append(code)

    def play_action(self, text: str) -> None:
        """Play one action of the side to move with all its cards, and stop where it may stop.

        Cards without an order may come in any order.

        Raises
        ------
        InvalidNotation, IllegalMove
        """
        words = words_of(self.state, text)
        verb = words[0]
        if self.state.phase == "siege_settle":
            self.play(text)
            return
        if verb in SORTED_FROM:
            at, seat = SORTED_FROM[verb], self.state.mover
            cards = sorted(read_card(word, seat) for word in words[at:])
            words[at:] = [card_codes()[card] for card in cards]
        head = HEADS.get(verb, len(words))
        self.play(" ".join(words[:head]) if verb not in ("+", "#draw") else text)
        for word in words[head:]:
            if self.state.phase not in STEPPED:
                raise InvalidNotation(_("{text} has more cards than the action takes").format(
                    text=quoted(text.strip())))
            try:
                self.play(f"+{word}")
            except IllegalMove as error:
                raise IllegalMove(str(error).replace(quoted(f"+{word}"), quoted(word))) from None
        if verb in HEADS and (self.state.phase in OPTIONAL or self._may_go()):
            self.play("done")

    def _may_go(self) -> bool:
        """Say whether a raid has cards enough and might take more (R-7)."""
        return self.state.phase == "raiders" and position_of(self.state).need == 0


def parse_turn(state: AcresState, text: str) -> list[int]:
    """Return the small moves of one action, such as ``settle DEE NHV STM BOS`` or ``trader TR MTL TAD``.

    A first move that is no whole action yet (``trader TR``) stays open: its cards may follow one by one.

    Actions are separated by semicolons: ``draft RG; money BOS; end``.

    Raises
    ------
    InvalidNotation, IllegalMove
    """
    actions = filter(None, map(str.strip, bounded(text).split(";")))
    moves = played_through(state, actions, _action, lambda _ahead: _("somebody else decides, or luck"))
    if not moves:
        raise InvalidNotation(_("no move was given"))
    return moves


def _action(state: AcresState, text: str) -> list[int]:
    if state.phase in STEPPED or state.is_chance:       # a card alone is enough
        return [parse_move(state, text)]
    about = moves_about(state, text)
    if about is not None:
        return _meant(state, text, about)
    words = words_of(state, text)
    if len(words) == 1 and words[0] in OBJECTS and not any(
            state.format(move).split()[0] == words[0] for move in state.legal_moves()):
        why = not_now(state, "withdraw" if words[0] == "surrender" else words[0])
        raise IllegalMove(_("no move with {text} is legal here").format(text=quoted(words[0]))
                          + ("" if why is None else f": {why}"))
    if len(words) <= HEADS.get(words[0], len(words)) and words[0] not in WHOLE:
        return [parse_move(state, text)]
    clause = Clause(state)
    clause.play_action(text)
    return clause.moves


def _meant(state: AcresState, text: str, about: list[int]) -> list[int]:
    """Return the one answer that a card or site alone stands for; what it might be else is said in the refusal."""
    if not about:
        card = card_named(bounded(text), state.mover)
        why = None if card is None else why_not_with(state, card)
        raise IllegalMove(_("there is no move with {text} here").format(text=quoted(text.strip()))
                          + ("" if why is None else f": {why}"))
    if len(about) == 1 and state.phase != "main":
        return about
    moves = ", ".join([*map(state.format, about[:EXAMPLES]), *(["..."] if len(about) > EXAMPLES else [])])
    raise AmbiguousNotation(_("say what to do with {text}: {moves}").format(text=quoted(text.strip()), moves=moves))
