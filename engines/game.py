"""What an engine gives besides its rules core: name, options, notation and drawing."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from sfida.cython_ext.errors import IllegalMove
from sfida.cython_ext.state import GameState
from sfida.engines.spec import canonical, options_from, quoted
from sfida.engines.typed import bounded
from sfida.engines.visible import visible


@dataclass(frozen=True)
class GameOptions:
    """Options that every game has; engines add their own fields."""

    players: int = 2


class Game(abc.ABC):
    """One game with chosen options. Immutable; states share it.

    Attributes
    ----------
    name : str
        Registered name, also the first word of a game spec.
    title : str
        Name on the box.
    rules_version : int
        Raised whenever the same moves would no longer give the same game.
    example : bool
        True for the tiny games of the tutorial.
    options_class : type
        Frozen dataclass; each field's metadata may hold `values`, `low`, `high` and `doc`.
    chance_sources : tuple of str
        Names of the independent physical sources of luck (tile stack, a die, a deck).
    search_defaults : dict
        Measured defaults of search parameters for this game (see `cython_ext.search.parameters`).
    greedy_by_priors : bool
        The priors look at each move closely enough to be rules of play: `greedy` plays the likeliest move.
    strategies : tuple of str
        Names of scripted strategies, which anybody may play as ``greedy:strategy=NAME``; see `strategy_worth`.
    sides : bool
        Seats differ in what they may do, beyond the order of play: an agent's results are told for each.
    labels_list_moves : bool
        A labelled board shows the numbered moves themselves, so that a list of them need not follow.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    rules_version: ClassVar[int] = 1
    example: ClassVar[bool] = False
    options_class: ClassVar[type[GameOptions]] = GameOptions
    chance_sources: ClassVar[tuple[str, ...]] = ("chance",)
    search_defaults: ClassVar[dict[str, Any]] = {}
    greedy_by_priors: ClassVar[bool] = False
    strategies: ClassVar[tuple[str, ...]] = ()
    sides: ClassVar[bool] = False
    labels_list_moves: ClassVar[bool] = True

    def __init__(self, options: GameOptions | None = None) -> None:
        self.options = options if options is not None else self.options_class()

    @classmethod
    def from_params(cls, params: Mapping[str, object]) -> Game:
        """Build the game from the values of a spec, as text or Python values; raises InvalidOption."""
        return cls(options_from(cls.options_class, params, f"game '{cls.name}'"))

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

    # ---- notation -----------------------------------------------------------------------------

    @abc.abstractmethod
    def format_move(self, state: GameState, move: int) -> str:
        """Return the canonical text of a legal move or chance outcome, unique within the legal list."""

    def parse_move(self, state: GameState, text: str) -> int:
        """Return the move that `text` names; raises one of the three notation errors."""
        wanted = "".join(bounded(text).split()).lower()
        for move in state.legal_moves():
            if "".join(self.format_move(state, move).split()).lower() == wanted:
                return move
        examples = ", ".join(self.format_move(state, m) for m in state.legal_moves()[:3])
        raise IllegalMove(f"{quoted(text.strip())} is not a legal move here; legal are for example: {examples}")

    def parse_turn(self, state: GameState, text: str) -> list[int]:
        """Return the moves of a whole turn given as one text (games with staged turns override)."""
        return [self.parse_move(state, text)]

    def describe_move(self, state: GameState, move: int) -> str:
        """Return the move in words for people, as played in `state`."""
        return self.format_move(state, move)

    def seen_move(self, state: GameState, move: int, seat: int | None) -> str:
        """Return the text of a move as `seat` saw it (None: a spectator); "" when it saw nothing.

        `state` is the state before the move. Games that hide something override this.
        """
        return self.format_move(state, move)

    # ---- what is seen -------------------------------------------------------------------------

    def seat_name(self, seat: int) -> str:
        """Return the name of a seat, for example its colour."""
        return f"seat {seat}"

    @abc.abstractmethod
    def observation(self, state: GameState, seat: int) -> dict[str, Any]:
        """Return what `seat` may see, as a JSON-able dict."""

    def private_type(self, state: GameState, seat: int) -> str | None:
        """Return the secret that a seat keeps for long and plays for, such as a hidden objective; None: it has none.

        A belief keeps what it has learnt of it when other hidden things, such as cards, are shown.

        Parameters
        ----------
        state : GameState
            A whole state, never a redacted one.
        seat : int
        """
        return None

    def secrets(self, state: GameState, seat: int) -> dict[str, str]:
        """Return what a whole state says about each thing that `seat` cannot see, in words for people.

        Beliefs are shown by it: how probable is each value of each thing. Which things there are, the keys, depends
        only on what the seat knows; what luck has not decided yet is no secret. The default tells nothing.

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

    def decisions_left(self, state: GameState, seat: int) -> float:
        """Return how many decisions of `seat` are to be expected until the end, the coming one included.

        A clock is divided by it. Only what is public may be read.
        """
        return 20.0

    def decision_weight(self, state: GameState, seat: int) -> float:
        """Return how much more time than an average one the coming decision of `seat` deserves; 1: as much."""
        return 1.0

    def strategy_worth(self, state: GameState, strategy: str) -> dict[int, float]:
        """Return what one of the game's `strategies` thinks of each legal move of the mover.

        Parameters
        ----------
        state : GameState
            A world determinized for the mover: what he cannot know must not count.
        strategy : str
            One of `strategies`.
        """
        raise NotImplementedError(f"{self.title} has no strategy '{strategy}'")

    @abc.abstractmethod
    def board_text(self, state: GameState, *, seat: int | None = None, color: bool = False,
                   width: int = 100, labels: bool = False) -> str:
        """Draw the board as text.

        Parameters
        ----------
        state : GameState
            May be redacted; nothing hidden from `seat` is drawn.
        seat : int, optional
            Whose view it is; None shows what is public.
        color : bool
            Use ANSI colours.
        width : int
            Columns to fit into.
        labels : bool
            Number the places where the mover may play.
        """

    def board_svg(self, state: GameState, *, seat: int | None = None, size: int = 800,
                  labels: bool = False) -> str:
        """Draw the board as one SVG document, `size` pixels wide."""
        lines = self.board_text(state, seat=seat).splitlines() or [""]
        height = 18 * len(lines) + 16
        escape = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
        rows = "".join(f'<text x="8" y="{18 * (i + 1)}" xml:space="preserve">{visible(line).translate(escape)}</text>'
                       for i, line in enumerate(lines))
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" viewBox="0 0 {size} {height}" '
                f'font-family="monospace" font-size="14">{rows}</svg>')

    def draw_chance(self, state: GameState, move: int, *, color: bool = False) -> str:
        """Draw what a chance event showed (such as a drawn tile in all its rotations); "" for nothing."""
        return ""

    def draw_decision(self, state: GameState, *, color: bool = False, width: int = 100) -> str:
        """Draw what the mover decides about and the board does not show (such as the tile in hand)."""
        return ""

    def status_text(self, state: GameState, *, seat: int | None = None, color: bool = False,
                    width: int = 100) -> str:
        """Say how it stands (scores, supplies, what is left), as far as the board does not."""
        return ""

    def stock_text(self, state: GameState, *, seat: int | None = None, color: bool = False,
                   width: int = 100) -> str:
        """Show what may still be drawn as far as `seat` can tell, piece by piece; "" where there is nothing to show."""
        return ""

    def answer(self, state: GameState, text: str) -> str | None:
        """Answer a question that a person types in place of a move, such as ``adj GER``; None: it is none.

        Only of what everybody may know.

        Raises
        ------
        InvalidNotation
            If it is one, but about nothing that exists.
        """
        return None

    def help_text(self, *, color: bool = False, width: int = 100) -> str:
        """Explain how moves are typed and what the signs on the board mean."""
        return ""

    def end_reason(self, state: GameState) -> str | None:
        """Return why a game that is over has ended, as one word, where games can end in several ways."""
        return None

    def explain_scores(self, state: GameState) -> list[str]:
        """Explain the final scores line by line, once the game is over."""
        return [f"{self.seat_name(i)}: {s}" for i, s in enumerate(state.scores())]

    # ---- luck ---------------------------------------------------------------------------------

    def chance_source(self, state: GameState) -> str:
        """Return which of `chance_sources` the coming chance event draws from."""
        return self.chance_sources[0]

    # ---- identity -----------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.options == other.options

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.options))

    def __repr__(self) -> str:
        return f"<game {self.spec()}>"
