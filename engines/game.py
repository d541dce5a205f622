"""The interface of a game: rules, notation, drawing, knowledge and telling, each typed by the state of the game."""

from __future__ import annotations

import abc
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self

from sfida.cython_ext.errors import IllegalMove
from sfida.cython_ext.learned import Learned
from sfida.cython_ext.state import GameState
from sfida.engines.drawing.svg import with_choices
from sfida.engines.drawing.terminal import cropped
from sfida.engines.language import _
from sfida.engines.learned import beside
from sfida.engines.moves import Actions, MoveGroup, bounded
from sfida.engines.narration import Effect, Lesson, Narration, Term, knows_event, score_changes
from sfida.engines.spec import canonical, options_from, quoted
from sfida.engines.untrusted import visible

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    from sfida.engines.records import GameRecord

    # The class of the game's states; a reader that takes any game writes `Game`, without one.
    S = TypeVar("S", bound=GameState, default=Any)
else:                                   # the default is for the checker alone: before Python 3.13 there is none
    from typing import TypeVar

    S = TypeVar("S", bound=GameState)

__all__ = ["INTERFACES", "Game", "GameOptions", "MoveGroup"]


# ---- What is played: name, options, the start, the luck and the end of a game


@dataclass(frozen=True)
class GameOptions:
    """Options that every game has; engines add their own fields."""

    players: int = 2


class Rules(abc.ABC, Generic[S]):
    """The interface for tables, records and tournaments.

    A game whose rules order the losers by more than points also has a method ``ranks(state)``: the rank of each seat at
    the end.

    Attributes
    ----------
    name : str
        Registered name, also the first word of a game spec.
    title : str
        Name on the box.
    length : str
        How long a game lasts, in a few words for people, such as "about 18 turns each"; "" if nothing is said.
    rules_version : int
        Raised whenever the same moves would no longer give the same game.
    example : bool
        True for the tiny games of the tutorial.
    options_class : type
        Frozen dataclass; each field's metadata may hold `values`, `low`, `high` and `doc`.
    options : GameOptions
        The chosen ones.
    chance_sources : tuple of str
        Names of the independent physical sources of luck (tile stack, a die, a deck).
    sides : bool
        Seats differ in what they may do, beyond the order of play: an agent's results are told for each.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    length: ClassVar[str] = ""
    rules_version: ClassVar[int] = 1
    example: ClassVar[bool] = False
    options_class: ClassVar[type[GameOptions]] = GameOptions
    chance_sources: ClassVar[tuple[str, ...]] = ("chance",)
    sides: ClassVar[bool] = False
    options: GameOptions

    def __init__(self, options: GameOptions | None = None) -> None:
        self.options = options if options is not None else self.options_class()

    @classmethod
    def from_params(cls, params: Mapping[str, object]) -> Self:
        """Build the game from the values of a spec, as text or Python values; raises InvalidOption."""
        return cls(options_from(cls.options_class, params, _("game '{name}'").format(name=cls.name)))

    @classmethod
    def read_replay(cls, path: Path, number: int) -> GameRecord | None:
        """Return a game, counted from 1, of a file in a form of this game's own; None: the file has no such form.

        Raises
        ------
        InvalidRecord
            If the file has that form and cannot be read, or the rules contradict it.
        """
        return None

    def spec(self) -> str:
        """Return the canonical spec: options that differ from their defaults, in field order."""
        return canonical(self.name, self.options)

    @property
    def players(self) -> int:
        """Number of seats."""
        return self.options.players

    @abc.abstractmethod
    def initial_state(self) -> GameState:
        """Return the state at the start of the game."""

    def chance_source(self, state: S) -> str:
        """Return which of `chance_sources` the coming chance event draws from."""
        return self.chance_sources[0]

    def end_reason(self, state: S) -> str | None:
        """Return why a game that is over has ended, as one word, where games can end in several ways."""
        return None

    # ---- debug build ----------------------------------------------------------------------------

    def verify(self, state: S) -> None:
        """Recount a position apart from the core; raises AssertionError on a difference."""

    def verify_step(self, before: S, move: int, after: S) -> None:
        """Recount what a move did; raises AssertionError on a difference. A debug build calls it after each move."""

    # ---- identity -------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.options == other.options

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.options))

    def __repr__(self) -> str:
        return f"<game {self.spec()}>"


# ---- How moves, seats and results are written and read


class Notation(abc.ABC, Generic[S]):
    """The interface for reading and writing moves: records, programs, people who type."""

    # ---- moves ----------------------------------------------------------------------------------

    @abc.abstractmethod
    def format_move(self, state: S, move: int) -> str:
        """Return the canonical text of a legal move or chance outcome, unique within the legal list."""

    def parse_move(self, state: S, text: str) -> int:
        """Return the move that `text` names; raises one of the three notation errors."""
        wanted = "".join(bounded(text).split()).lower()
        for move in state.legal_moves():
            if "".join(self.format_move(state, move).split()).lower() == wanted:
                return move
        examples = ", ".join(self.format_move(state, m) for m in state.legal_moves()[:3])
        raise IllegalMove(_("{text} is not a legal move here; legal are for example: {moves}").format(
            text=quoted(text.strip()), moves=examples))

    def parse_turn(self, state: S, text: str) -> list[int]:
        """Return the moves of a whole turn given as one text (games with staged turns override)."""
        return [self.parse_move(state, text)]

    def describe_move(self, state: S, move: int) -> str:
        """Return the move in words for people, as played in `state`."""
        return self.format_move(state, move)

    def seen_move(self, state: S, move: int, seat: int | None) -> str:
        """Return the text of a move as `seat` saw it (None: a spectator); "" when it saw nothing.

        `state` is the state before the move. Games that hide something override this.
        """
        return self.format_move(state, move)

    # ---- a list to choose from --------------------------------------------------------------------

    def move_labels(self, state: S, moves: Sequence[int]) -> list[str]:
        """Return the whole number that stands for each legal move, as the labelled board shows it; all different.

        By default moves are numbered from 1; where the notation itself consists of whole numbers (bids, amounts),
        these are the labels.
        """
        texts = [self.format_move(state, move) for move in moves]
        if all(re.fullmatch(r"\d+", text) for text in texts):
            return texts
        return [str(number) for number in range(1, len(moves) + 1)]

    def label_text(self, state: S, number: int) -> str:
        """Return what a number means that is no label now, as a text for `parse_turn`; "" for nothing.

        The board shows some numbers where no move is legal: what is typed for them gets the refusal of that move.
        """
        return ""

    def move_groups(self, state: S, moves: Sequence[int]) -> list[MoveGroup]:
        """Return the legal moves in groups, for a list too long for one screen; none: it is shown whole."""
        return []

    def move_note(self, state: S, move: int) -> str:
        """Return what a legal move costs and brings, as far as its words do not say it, such as "price 4"; "" for none.

        Only what the mover knows.
        """
        return ""

    # ---- for people -----------------------------------------------------------------------------

    def help_text(self, *, color: bool = False, width: int = 100) -> str:
        """Explain how moves are typed and what the signs on the board mean."""
        return ""

    def answer(self, state: S, text: str) -> str | None:
        """Answer a question that a person types in place of a move, such as ``adj GER``; None: it is none.

        Only of what everybody may know.

        Raises
        ------
        InvalidNotation
            If it is one, but about nothing that exists.
        """
        return None

    def seat_name(self, seat: int) -> str:
        """Return the name of a seat, for example its colour."""
        return _("seat {number}").format(number=seat)

    def explain_scores(self, state: S) -> list[str]:
        """Explain the final scores line by line, once the game is over."""
        return [f"{self.seat_name(i)}: {s}" for i, s in enumerate(state.scores())]


# ---- How a position is shown to people, as text and as a picture


@dataclass(frozen=True)
class Part:
    """Something to point at on the way to a move: a place, a card, an amount, a button.

    Attributes
    ----------
    key : str
        What names it, without blanks, such as "cell:3,-1", "card:goth" or "amount:4". Equal keys stand for the same
        thing; one that the drawing shows is the value of ``data-place`` there.
    words : str
        What is written on a button that stands for it, and read to who cannot see the drawing.
    picture : str
        An SVG document that shows it, such as the tile in that rotation; "" for none.
    """

    key: str
    words: str
    picture: str = ""


class Drawing(abc.ABC, Generic[S]):
    """The interface for screens and reports.

    Attributes
    ----------
    labels_list_moves : bool
        A labelled board shows the numbered moves themselves, so that a list of them need not follow.
    """

    labels_list_moves: ClassVar[bool] = True

    @abc.abstractmethod
    def board_text(self, state: S, *, seat: int | None = None, color: bool = False, width: int = 100,
                   labels: bool = False) -> str:
        """Draw the board as text.

        Parameters
        ----------
        state : GameState
            May be redacted; nothing hidden from `seat` is drawn.
        seat : int, optional
            The seat whose view is drawn; None shows what is public.
        color : bool
            Use ANSI colours.
        width : int
            Columns to fit into.
        labels : bool
            Number the places where the mover may play.
        """

    def low_board_text(self, state: S, height: int, *, seat: int | None = None, color: bool = False, width: int = 100,
                       labels: bool = False) -> str:
        """Draw the board as text in at most `height` lines: smaller, without its key, or the part that matters.

        Other parameters are those of `board_text`.
        """
        drawn = self.board_text(state, seat=seat, color=color, width=width, labels=labels)
        return "\n".join(cropped(drawn.splitlines(), height))

    def board_svg(self, state: S, *, seat: int | None = None, size: int = 800, labels: bool = False) -> str:
        """Draw the board as one SVG document, `size` pixels wide.

        Every place, piece and card that a part of a move may stand for has an element with ``data-place``, the key of
        that part. With `labels`, for the seat to move, those that are parts of its moves are buttons: they have
        ``data-part`` with the same key, ``role``, ``tabindex`` and ``aria-label``.
        """
        lines = self.board_text(state, seat=seat).splitlines() or [""]
        height = 18 * len(lines) + 16
        escape = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
        rows = "".join(f'<text x="8" y="{18 * (i + 1)}" xml:space="preserve">{visible(line).translate(escape)}</text>'
                       for i, line in enumerate(lines))
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" viewBox="0 0 {size} {height}" '
                f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">{rows}</svg>')

    # ---- choosing by pointing -------------------------------------------------------------------

    def move_parts(self, state: S, moves: Sequence[int]) -> dict[int, tuple[Part, ...]]:
        """Return what is pointed at, one part after the other, to choose each move.

        No two moves have the same parts, and the parts of none are the beginning of another's; those of a move do not
        depend on what else is legal. By default a move has one part, which no drawing shows.

        Parameters
        ----------
        state : GameState
            May be redacted for the mover.
        moves : sequence of int
            Legal moves of the seat to move, or outcomes of a chance event.
        """
        return {move: (Part(f"move:{move}", state.game.describe_move(state, move)),) for move in moves}

    def _with_choices(self, document: str, state: S, seat: int | None, labels: bool) -> str:
        """Make the places of a picture that are parts of the mover's moves buttons, if labels are for the mover."""
        if not labels or seat is None or seat != state.to_move:
            return document
        found = self.move_parts(state, state.legal_moves())
        return with_choices(document, {part.key: part.words for parts in found.values() for part in parts})

    def event_parts(self, before: S, move: int, viewer: int | None) -> tuple[str, ...]:
        """Return the keys of the places that an event touched, as far as a viewer saw it (None: a spectator).

        Parameters
        ----------
        before : GameState
            The whole state before it.
        move : int
            A move or a chance outcome.
        viewer : int or None
        """
        return ()

    # ---- beside the board -----------------------------------------------------------------------

    def draw_chance(self, state: S, move: int, *, color: bool = False) -> str:
        """Draw what a chance event showed (such as a drawn tile in all its rotations); "" for nothing."""
        return ""

    def draw_decision(self, state: S, *, color: bool = False, width: int = 100) -> str:
        """Draw what the mover decides about and the board does not show (such as the tile in hand)."""
        return ""

    def status_text(self, state: S, *, seat: int | None = None, color: bool = False, width: int = 100) -> str:
        """Say how it stands (scores, supplies, what is left), as far as the board does not."""
        return ""

    def cards_text(self, state: S, *, color: bool = False, width: int = 100) -> str:
        """Say what each kind of card does and what things cost; "" where there is nothing to say."""
        return ""

    def stock_text(self, state: S, *, seat: int | None = None, color: bool = False, width: int = 100) -> str:
        """Show what may still be drawn as far as `seat` can tell, piece by piece; "" where there is nothing to show."""
        return ""


# ---- What a seat knows, and what is known about playing a game well


class Knowledge(abc.ABC, Generic[S]):
    """The interface for agents and beliefs.

    Attributes
    ----------
    search_defaults : dict
        Measured defaults of search parameters for this game (see `cython_ext.search.parameters`).
    search_exceptions : tuple of (dict, dict)
        Where other defaults are better: for options that have one of the values given, such as ``{"players": (4, 5)}``,
        the defaults that differ. What is later wins. Read both by `search_settings`.
    search_learned : dict
        The defaults that differ where a learned evaluation judges positions; they win over the others.
    luck_defaults : dict
        How positions of this game are valued when luck is measured (see `ai.luck.value`); chosen by the variance that
        it takes away (docs/measure/statistics.md).
    greedy_by_priors : bool
        The priors look at each move closely enough to be rules of play: `greedy` plays the likeliest move.
    strategies : tuple of str
        Names of scripted strategies, which anybody may play as ``greedy:strategy=NAME``; see `strategy_worth`.
    """

    search_defaults: ClassVar[dict[str, Any]] = {}
    search_exceptions: ClassVar[tuple[tuple[dict[str, tuple[Any, ...]], dict[str, Any]], ...]] = ()
    search_learned: ClassVar[dict[str, Any]] = {}
    luck_defaults: ClassVar[dict[str, Any]] = {}
    greedy_by_priors: ClassVar[bool] = False
    strategies: ClassVar[tuple[str, ...]] = ()
    options: GameOptions                # declared by `Rules`

    # ---- what a seat sees and does not see ------------------------------------------------------

    @abc.abstractmethod
    def observation(self, state: S, seat: int) -> dict[str, Any]:
        """Return what `seat` may see, as a JSON-able dict."""

    def private_type(self, state: S, seat: int) -> str | None:
        """Return the secret that a seat keeps for long and plays for, such as a hidden objective; None: it has none.

        A belief keeps what it has learnt of it when other hidden things, such as cards, are shown.

        Parameters
        ----------
        state : GameState
            A whole state, never a redacted one.
        seat : int
        """
        return None

    def secrets(self, state: S, seat: int) -> dict[str, str]:
        """Return what a whole state says about each thing that `seat` cannot see, in words for people.

        Beliefs are shown by it: how probable is each value of each thing. Which things there are, the keys, depends
        only on what the seat knows; what luck has not decided yet is no secret. The default shows nothing.

        Parameters
        ----------
        state : GameState
            A whole state, never a redacted one.
        seat : int

        Returns
        -------
        dict of str to str
            For example ``{"card of seat 1": "K"}``; empty when nothing is hidden from the seat.
        """
        return {}

    @property
    def actions(self) -> Actions | None:
        """The moves as numbers of a fixed action space, for learners; None: the game numbers none."""
        return None

    # ---- what an agent may go by ----------------------------------------------------------------

    @property
    def knowledge(self) -> Learned | None:
        """The learned evaluation by which positions are judged from the start; None: the hand-made one.

        By default the one in the file ``learned.json`` beside the game's module, if there is such a file.
        """
        return beside(type(self))

    def search_settings(self, knowledge: Learned | None) -> dict[str, Any]:
        """Return the defaults of search parameters for this game with its options.

        Parameters
        ----------
        knowledge : Learned or None
            What judges the positions, where it knows this number of players; None: the hand-written evaluation.
        """
        found = dict(self.search_defaults)
        for options, settings in self.search_exceptions:
            if all(getattr(self.options, name) in values for name, values in options.items()):
                found |= settings
        if knowledge is not None and self.options.players in knowledge.players:
            found |= self.search_learned
        return found

    def decisions_left(self, state: S, seat: int) -> float:
        """Return how many decisions of `seat` are to be expected until the end, the coming one included.

        A clock is divided by it. Only what is public may be read.
        """
        return 20.0

    def decision_weight(self, state: S, seat: int) -> float:
        """Return how much more time than an average one the coming decision of `seat` deserves; 1: as much."""
        return 1.0

    def strategy_worth(self, state: S, strategy: str) -> dict[int, float]:
        """Return what one of the game's `strategies` thinks of each legal move of the mover.

        Parameters
        ----------
        state : GameState
            A world determinized for the mover: what he cannot know must not count.
        strategy : str
            One of `strategies`.
        """
        raise NotImplementedError(f"{type(self).__name__} has no strategy '{strategy}'")


# ---- What people are told of a game as it continues


class Telling(Notation[S], Generic[S]):
    """The interface for telling a game: a terminal, a browser, a review.

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
            The seat whose standing is returned.
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

        Games with an `introduction` have a lesson for each kind of decision. It shows nothing that the seat does not
        know.
        """
        return None


# ---- What an engine gives besides its rules core: a game with its interfaces

INTERFACES = (Rules, Notation, Telling, Drawing, Knowledge)


class Game(Rules[S], Telling[S], Drawing[S], Knowledge[S]):
    """One game with chosen options. Immutable; states share it.

    An engine defines `initial_state`, `format_move`, `board_text` and `observation`; for the rest there are defaults.
    ``Game[AcresState]`` is a game whose methods take states of that class.
    """
