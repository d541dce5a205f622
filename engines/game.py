"""The interfaces of a game: rules, notation, drawing, knowledge and narration, each typed by the game's state."""

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
from sfida.engines.drawing.terminal import cropped
from sfida.engines.language import N_, _
from sfida.engines.learned import beside
from sfida.engines.moves import Actions, MoveGroup, bounded
from sfida.engines.narration import Aid, Cue, Effect, Lesson, LuckCount, Narration, Term, knows_event, score_changes
from sfida.engines.on_demand import OnDemand
from sfida.engines.spec import canonical, options_from, quoted
from sfida.engines.untrusted import visible

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    from sfida.engines.drawing import svg
    from sfida.engines.records import GameRecord

    # The class of the game's states. Code that accepts any game writes `Game`, without a parameter.
    S = TypeVar("S", bound=GameState, default=Any)
else:                                   # only the type checker needs the default; Python before 3.13 has no such thing
    from typing import TypeVar

    S = TypeVar("S", bound=GameState)
    svg = OnDemand("sfida.engines.drawing.svg")

__all__ = ["INTERFACES", "Game", "GameOptions", "MoveGroup"]


# ---- Rules: name, options, start, chance and end of a game


@dataclass(frozen=True)
class GameOptions:
    """Options that every game has; engines add their own fields."""

    players: int = 2


_LUCK = ((35, N_("much luck")), (15, N_("some luck")), (0, N_("little luck")))


def luck_words(share: int | None) -> str:
    """Return the part of luck (`Rules.luck`) in words; "" if it was not measured."""
    return "" if share is None else next(_(words) for least, words in _LUCK if share >= least)


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
        Usual length of a game, in a few words for people, such as "about 18 turns each"; "" if none is given.
    minutes : tuple of int
        Usual length of a game between people, in minutes: shortest and longest; () if none is given.
    luck : int or None
        Part of the results that measured luck explains at least, in percent (docs/results/luck_and_skill.md); None: not
        measured.
    rules_version : int
        Raised whenever the same moves would no longer lead to the same game.
    example : bool
        True for the tiny games of the tutorial.
    options_class : type
        Frozen dataclass; each field's metadata may hold `values`, `low`, `high` and `doc`.
    options : GameOptions
        The chosen options.
    ruleset : object
        The options with the values of the preset in place of those that are not given.
    chance_sources : tuple of str
        Names of the independent physical sources of chance (tile stack, a die, a deck); empty if there is no chance.
    sides : bool
        The seats have different rules, beyond the order of play: an agent's results are reported for each seat.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    length: ClassVar[str] = ""
    minutes: ClassVar[tuple[int, ...]] = ()
    luck: ClassVar[int | None] = None
    rules_version: ClassVar[int] = 1
    example: ClassVar[bool] = False
    options_class: ClassVar[type[GameOptions]] = GameOptions
    chance_sources: ClassVar[tuple[str, ...]] = ("chance",)
    sides: ClassVar[bool] = False
    options: GameOptions
    ruleset: object

    def __init__(self, options: GameOptions | None = None) -> None:
        self.options = options if options is not None else self.options_class()
        self.ruleset = self.options

    @classmethod
    def from_params(cls, params: Mapping[str, object]) -> Self:
        """Build the game from the values of a spec, given as text or Python values; raises InvalidOption."""
        return cls(options_from(cls.options_class, params, _("game '{name}'").format(name=cls.name)))

    @classmethod
    def read_replay(cls, path: Path, number: int) -> GameRecord | None:
        """Return one game, counted from 1, of a file in this game's special format; None: the file has another format.

        Raises
        ------
        InvalidRecord
            If the file has that format but cannot be read or contradicts the rules.
        """
        return None

    def spec(self) -> str:
        """Return the canonical spec: the options that differ from their defaults, in field order."""
        return canonical(self.name, self.options)

    def settled(self) -> dict[str, Any]:
        """Return the value of every option by which the game is played; None stays where no single value follows."""
        rules = {key: value for key, value in vars(self.ruleset).items() if isinstance(value, (bool, int, float, str))}
        return {key: rules.get(key, value) for key, value in vars(self.options).items()}

    @property
    def players(self) -> int:
        """Number of seats."""
        return self.options.players

    @abc.abstractmethod
    def initial_state(self) -> GameState:
        """Return the state at the start of the game."""

    def chance_source(self, state: S) -> str:
        """Return the one of `chance_sources` from which the next chance event is drawn."""
        return self.chance_sources[state.source_number]

    def end_reason(self, state: S) -> str | None:
        """Return the reason why a finished game ended, as one word; None if all games end in the same way."""
        return None

    # ---- debug build ----------------------------------------------------------------------------

    def verify(self, state: S) -> None:
        """Recompute a position independently of the core; raises AssertionError on a difference."""

    def verify_step(self, before: S, move: int, after: S) -> None:
        """Recompute the effect of a move; raises AssertionError on a difference. Debug builds check every move."""

    # ---- identity -------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.options == other.options

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.options))

    def __repr__(self) -> str:
        return f"<game {self.spec()}>"


# ---- Notation: moves, seats and results as text


class Notation(abc.ABC, Generic[S]):
    """The interface for reading and writing moves: records, programs, people who type."""

    # ---- moves ----------------------------------------------------------------------------------

    @abc.abstractmethod
    def format_move(self, state: S, move: int) -> str:
        """Return the canonical text of a legal move or chance outcome, unique among the legal ones."""

    def parse_move(self, state: S, text: str) -> int:
        """Return the move denoted by `text`; raises one of the three notation errors."""
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
        """Return a move, played in `state`, in words for people."""
        return self.format_move(state, move)

    def seen_move(self, state: S, move: int, seat: int | None) -> str:
        """Return the text of a move as `seat` saw it (None: a spectator); "" if the seat saw nothing.

        `state` is the state before the move. Games with hidden information override this method.
        """
        return self.format_move(state, move)

    # ---- a list to choose from --------------------------------------------------------------------

    def move_labels(self, state: S, moves: Sequence[int]) -> list[str]:
        """Return the label of each legal move, a whole number shown on the labelled board; all labels differ.

        By default moves are numbered from 1. If the notation itself consists of whole numbers (bids, amounts), these
        numbers are the labels.
        """
        texts = [self.format_move(state, move) for move in moves]
        if all(re.fullmatch(r"\d+", text) for text in texts):
            return texts
        return [str(number) for number in range(1, len(moves) + 1)]

    def label_text(self, state: S, number: int) -> str:
        """Return the meaning of a number that is not a label now, as a text for `parse_turn`; "" for no meaning.

        The board may number places where no move is legal. Typing such a number is refused like the move itself.
        """
        return ""

    def move_groups(self, state: S, moves: Sequence[int]) -> list[MoveGroup]:
        """Return the legal moves in groups, for a list too long for one screen; no groups: show the whole list."""
        return []

    def move_note(self, state: S, move: int) -> str:
        """Return costs and gains of a legal move that its words do not mention, such as "price 4"; "" for none.

        The note contains only what the mover knows.
        """
        return ""

    # ---- for people -----------------------------------------------------------------------------

    def help_text(self, *, color: bool = False, width: int = 100) -> str:
        """Explain the notation of moves and the signs on the board."""
        return ""

    def answer(self, state: S, text: str) -> str | None:
        """Answer a question that a person types in place of a move, such as ``adj GER``; None: no such question.

        The answer contains only public information.

        Raises
        ------
        InvalidNotation
            If the text is a question about something that does not exist.
        """
        return None

    def seat_name(self, seat: int) -> str:
        """Return the name of a seat, for example its colour."""
        return _("seat {number}").format(number=seat)

    def explain_scores(self, state: S) -> list[str]:
        """Explain the final scores line by line, once the game is over."""
        return [f"{self.seat_name(i)}: {s}" for i, s in enumerate(state.scores())]


# ---- Drawing: a position as text and as a picture


@dataclass(frozen=True)
class Part:
    """One thing that a person points at to choose a move: a place, a card, an amount, a button.

    Attributes
    ----------
    key : str
        Identifier without blanks, such as "cell:3,-1", "card:goth" or "amount:4". Equal keys stand for the same
        thing. If the drawing shows the thing, its element there has the key as ``data-place``.
    words : str
        Text of the button for the part, also read aloud to people who cannot see the drawing.
    picture : str
        An SVG document of the part, such as the tile in that rotation; "" for none.
    dial : int or None
        The part is a setting, such as a rotation or an amount, that a person may leave as it is: its rank among the
        settings; the lowest is the usual one. None: the part must be chosen.
    """

    key: str
    words: str
    picture: str = ""
    dial: int | None = None


class Drawing(abc.ABC, Generic[S]):
    """The interface for screens and reports.

    Attributes
    ----------
    labels_list_moves : bool
        A labelled board shows the numbered moves themselves, so no list of moves needs to follow.
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
            The seat whose view is drawn; None: only public information.
        color : bool
            Use ANSI colours.
        width : int
            Columns available.
        labels : bool
            Number the places where the mover may play.
        """

    def low_board_text(self, state: S, height: int, *, seat: int | None = None, color: bool = False, width: int = 100,
                       labels: bool = False) -> str:
        """Draw the board as text in at most `height` lines: smaller, without its key, or only the part that matters.

        The other parameters are the same as in `board_text`.
        """
        drawn = self.board_text(state, seat=seat, color=color, width=width, labels=labels)
        return "\n".join(cropped(drawn.splitlines(), height))

    def board_svg(self, state: S, *, seat: int | None = None, size: int = 800, labels: bool = False) -> str:
        """Draw the board as one SVG document, `size` pixels wide.

        Every place, piece and card that can be a part of a move has an element whose ``data-place`` is the key of that
        part. With `labels`, for the seat to move, the parts of its legal moves are buttons: their elements also have
        ``data-part`` with the same key, ``role``, ``tabindex`` and ``aria-label``; and the picture has hidden ghosts of
        what the moves would put on the board (`engines.drawing.svg.ghost`).
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
        """Return the parts to point at, one after the other, to choose each move.

        No two moves have the same parts, and the parts of one move are never the beginning of another move's parts.
        The parts of a move do not depend on the other legal moves. By default a move has one part, which no drawing
        shows.

        Parameters
        ----------
        state : GameState
            May be redacted for the mover.
        moves : sequence of int
            Legal moves of the seat to move, or outcomes of a chance event.
        """
        return {move: (Part(f"move:{move}", state.game.describe_move(state, move)),) for move in moves}

    def goes_on(self, state: S, move: int) -> bool:
        """Return whether people choose a move together with the mover's next one, such as a tile with its follower.

        Nothing that the mover learns lies between the two. By default False.
        """
        return False

    def _with_choices(self, document: str, state: S, seat: int | None, labels: bool) -> str:
        """Turn the parts of the mover's moves in a picture into buttons, if the labels are for the mover."""
        if not labels or seat is None or seat != state.to_move:
            return document
        found = self.move_parts(state, state.legal_moves())
        return svg.with_choices(document, {part.key: part.words for parts in found.values() for part in parts})

    def event_parts(self, before: S, move: int, viewer: int | None) -> tuple[str, ...]:
        """Return the keys of the places that an event touched, as far as a viewer saw the event (None: a spectator).

        Parameters
        ----------
        before : GameState
            The whole state before the event.
        move : int
            A move or a chance outcome.
        viewer : int or None
        """
        return ()

    # ---- beside the board -----------------------------------------------------------------------

    def draw_chance(self, state: S, move: int, *, color: bool = False) -> str:
        """Draw the outcome of a chance event, such as a drawn tile in all its rotations; "" for no drawing."""
        return ""

    def draw_decision(self, state: S, *, color: bool = False, width: int = 100) -> str:
        """Draw the objects of the mover's decision that the board does not show, such as the tile in hand."""
        return ""

    def status_text(self, state: S, *, seat: int | None = None, color: bool = False, width: int = 100) -> str:
        """Describe the standing that the board does not show: scores, supplies, remaining pieces."""
        return ""

    def cards_text(self, state: S, *, color: bool = False, width: int = 100) -> str:
        """Explain the kinds of cards and the prices; "" if there is nothing to explain."""
        return ""

    def stock_text(self, state: S, *, seat: int | None = None, color: bool = False, width: int = 100) -> str:
        """List the pieces that may still be drawn, as far as `seat` knows; "" if there is nothing to list."""
        return ""


# ---- Knowledge: the information of a seat, and what is known about good play


class Knowledge(abc.ABC, Generic[S]):
    """The interface for agents and beliefs.

    Attributes
    ----------
    search_defaults : dict
        Measured defaults of search parameters for this game (see `cython_ext.search.parameters`).
    search_exceptions : tuple of (dict, dict)
        Exceptions to the defaults. The first dict gives option values, such as ``{"players": (4, 5)}``; if the game
        has one of the values of each option, the second dict replaces defaults. Later exceptions win.
        `search_settings` combines all of them.
    search_learned : dict
        The defaults that differ with a learned evaluation of positions; they win over the others.
    luck_defaults : dict
        Settings for the values of positions when luck is measured (see `ai.luck.value`); chosen to reduce the variance
        most (docs/measure/statistics.md).
    greedy_by_priors : bool
        The priors are good enough to be rules of play: `greedy` plays the move with the highest prior.
    strategies : tuple of str
        Names of scripted strategies, available as ``greedy:strategy=NAME``; see `strategy_worth`.
    weights : tuple of (str, float)
        Weights of the hand-written knowledge that differ from the game's own (`engines.characters`).
    leaning : str or None
        The strategy that priors and playouts follow, if not the first.
    """

    search_defaults: ClassVar[dict[str, Any]] = {}
    search_exceptions: ClassVar[tuple[tuple[dict[str, tuple[Any, ...]], dict[str, Any]], ...]] = ()
    search_learned: ClassVar[dict[str, Any]] = {}
    luck_defaults: ClassVar[dict[str, Any]] = {}
    greedy_by_priors: ClassVar[bool] = False
    strategies: ClassVar[tuple[str, ...]] = ()
    weights: tuple[tuple[str, float], ...] = ()
    leaning: str | None = None
    options: GameOptions                # declared by `Rules`

    # ---- the visible and the hidden information of a seat ----------------------------------------

    @abc.abstractmethod
    def observation(self, state: S, seat: int) -> dict[str, Any]:
        """Return the observation of `seat`, as a JSON-able dict."""

    def private_type(self, state: S, seat: int) -> str | None:
        """Return the lasting secret that guides a seat's play, such as a hidden objective; None: it has none.

        A belief keeps its knowledge of this secret when other hidden things, such as cards, are revealed.

        Parameters
        ----------
        state : GameState
            A whole state, never a redacted one.
        seat : int
        """
        return None

    def secrets(self, state: S, seat: int) -> dict[str, str]:
        """Return the value of each thing that is hidden from `seat` in a whole state, in words for people.

        Displays of beliefs give the probability of each value of each thing. The keys, which are the hidden things,
        depend only on the information of the seat. Outcomes that chance has not decided yet are not secrets. The
        default has no entries.

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
        """The moves as numbers of a fixed action space, for learners; None: the game has no action space."""
        return None

    # ---- knowledge for agents -------------------------------------------------------------------

    @property
    def knowledge(self) -> Learned | None:
        """The learned evaluation that is used by default; None: the hand-written evaluation.

        By default this is the evaluation in the file ``learned.json`` beside the game's module, if the file exists.
        """
        return beside(type(self))

    def search_settings(self, knowledge: Learned | None) -> dict[str, Any]:
        """Return the defaults of search parameters for this game with its options.

        Parameters
        ----------
        knowledge : Learned or None
            The evaluation of positions, used if it covers this number of players; None: the hand-written evaluation.
        """
        found = dict(self.search_defaults)
        for options, settings in self.search_exceptions:
            if all(getattr(self.options, name) in values for name, values in options.items()):
                found |= settings
        if knowledge is not None and self.options.players in knowledge.players:
            found |= self.search_learned
        return found

    def decisions_left(self, state: S, seat: int) -> float:
        """Return the expected number of decisions of `seat` until the end, the next one included.

        The time on a clock is divided by this number. Only public information may be read.
        """
        return 20.0

    def decision_weight(self, state: S, seat: int) -> float:
        """Return the time that the next decision of `seat` deserves, as a multiple of the average decision's time."""
        return 1.0

    def input_symmetries(self) -> tuple[Mapping[str, Sequence[int]], ...]:
        """Return the symmetries of the game's sparse inputs, without the identity; by default there is none.

        Positions that differ only by a symmetry are worth the same, which learning uses. A symmetry maps the name of
        each group of inputs that it changes (see `GameState.input_names`) to the member that takes the place of each.
        """
        return ()

    def strategy_worth(self, state: S, strategy: str) -> dict[int, float]:
        """Return the worth of each legal move of the mover according to one of the game's `strategies`.

        Parameters
        ----------
        state : GameState
            A world determinized for the mover: information hidden from the mover must not count.
        strategy : str
            One of `strategies`.
        """
        raise NotImplementedError(f"{type(self).__name__} has no strategy '{strategy}'")


# ---- Narration: reports of a running game for people


class Telling(Notation[S], Generic[S]):
    """The interface for narrating a game: in a terminal, a browser, a review.

    Games define `effects`; games with hidden information also define `seen_words`.

    Attributes
    ----------
    aid_kinds : mapping of str to str
        Name of each kind of `aids` in English, such as "odds of an attack".
    """

    aid_kinds: ClassVar[Mapping[str, str]] = {}

    def narrate(self, before: S, move: int, after: S, seat: int | None, *, everything: bool = False) -> Narration:
        """Narrate an event, as far as a viewer may know it.

        Parameters
        ----------
        before, after : GameState
            The whole states before and after the event.
        move : int
            Code of the event.
        seat : int or None
            The viewer; None: a spectator.
        everything : bool
            Hide nothing from the viewer: the game is long over.
        """
        known = everything or self._knows(before, move, after, seat)
        words = self.describe_move(before, move) if known else self.seen_words(before, move, seat)
        return Narration(words, self.effects(before, move, after, seat), self.is_quiet(before, move))

    def told_notation(self, before: S, move: int, after: S, seat: int | None) -> str:
        """Return an event in notation as a viewer saw it; "" if the viewer saw nothing of the event."""
        if not before.hidden:
            return self.format_move(before, move)
        seen = self.seen_move(before, move, seat)
        # If the game has a special text of the event for a viewer, the viewer may know nothing beyond that text.
        special = seen != self.format_move(before, move)
        return seen if special or self._knows(before, move, after, seat) else ""

    def _knows(self, before: S, move: int, after: S, seat: int | None) -> bool:
        """Return whether a viewer saw all of an event; a spectator knows only what every seat knows."""
        if not before.hidden or seat == before.to_move:
            return True
        if self.seen_move(before, move, seat) != self.format_move(before, move):
            return False
        seats = range(before.players) if seat is None else (seat,)
        return all(one == before.to_move or knows_event(before, after, move, one) for one in seats)

    def effects(self, before: S, move: int, after: S, seat: int | None) -> tuple[Effect, ...]:
        """Return the effects of an event, as far as a viewer may know them.

        They include every change of the displayed scores. The default reports only these changes, and nothing in games
        with hidden information, where points may be as secret as a hand.
        """
        if before.hidden:
            return ()
        names = [self.seat_name(one) for one in range(before.players)]
        return score_changes(names, before.scores(), after.scores())

    def cues(self, before: S, move: int, after: S, viewer: int | None) -> tuple[Cue, ...]:
        """Return what a page shows of an event in motion, as far as a viewer may know it; by default nothing.

        Parameters
        ----------
        before, after : GameState
            The whole states before and after the event.
        move : int
        viewer : int or None
            None: a spectator.
        """
        return ()

    def seen_words(self, state: S, move: int, seat: int | None) -> str:
        """Return the visible part of an event that a viewer saw only in part, in words; "" for nothing."""
        seen = self.seen_move(state, move, seat)
        return "" if seen == self.format_move(state, move) else seen

    def question(self, state: S, seat: int) -> str:
        """Return one sentence on the current decision of a seat and what matters for it; "" if the moves say it all."""
        return ""

    def forced_tells(self, state: S) -> bool:
        """Return whether the fact that the mover has only one legal move may reveal a secret.

        Such a decision exists because of a secret, so it is answered as if there were a choice. Games with hidden
        information return False for decisions whose legal moves are public.
        """
        return bool(state.hidden)

    def is_quiet(self, state: S, move: int) -> bool:
        """Return whether an event is a step of the setup that board and status show anyway, such as a card dealt."""
        return False

    # ---- facts and reasons ----------------------------------------------------------------------

    def aids(self, state: S, viewer: int | None) -> tuple[Aid, ...]:
        """Return what a viewer may know about places of the board: costs, odds, owners, and what fits.

        Parameters
        ----------
        state : GameState
            A position; only what the viewer knows of it is read.
        viewer : int or None
            A seat; None: a spectator, who gets public information.
        """
        return ()

    # ---- charts of the luck ---------------------------------------------------------------------

    def luck_counts(self, state: S, outcome: int) -> tuple[LuckCount, ...]:
        """Return what an outcome of the coming chance event adds to the charts of dice and draws; () for nothing.

        Only public information of the state is read.
        """
        return (LuckCount(_("Draws"), self.format_move(state, outcome)),)

    def luck_is_public(self, state: S) -> bool:
        """Return whether everybody knows the odds of the coming chance event, as those of dice."""
        return not state.hidden

    # ---- reasons --------------------------------------------------------------------------------

    def standing(self, state: S, seat: int, viewer: int) -> tuple[Term, ...]:
        """Return the standing of a seat, in the terms in which players of the game count.

        The difference of two standings shows the gains and losses of a move.

        Parameters
        ----------
        state : GameState
            A world that is possible for the viewer.
        seat : int
            The seat whose standing is returned.
        viewer : int
            The seat that reads the terms. Facts that this seat does not know, and that the world only assumes, are not
            among the terms.

        Returns
        -------
        tuple of Term
            The most important first; the same terms at every moment. Empty by default: no reasons are given.
        """
        return ()

    # ---- a first game ---------------------------------------------------------------------------

    def introduction(self) -> str:
        """Introduce a new player to the game: aim, course of a turn, sources of points; "" for no walk-through.

        Plain sentences in paragraphs, separated by blank lines, of at most 15 lines of 76 columns in all.
        """
        return ""

    def lesson(self, state: S, seat: int) -> Lesson | None:
        """Return the lesson for a new player on the decision of a seat; None if there is none.

        Games with an `introduction` have a lesson for each kind of decision. A lesson contains only what the seat
        knows.
        """
        return None


# ---- The part of an engine beside its rules core: a game with its interfaces

INTERFACES = (Rules, Notation, Telling, Drawing, Knowledge)


class Game(Rules[S], Telling[S], Drawing[S], Knowledge[S]):
    """One game with chosen options. Immutable; states share it.

    An engine defines `initial_state`, `format_move`, `board_text` and `observation`; all other members have defaults.
    ``Game[AcresState]`` is a game whose methods take states of that class.
    """
