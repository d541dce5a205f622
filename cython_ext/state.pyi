"""The contract of a game: positions, and what a seat sees of them. Move codes are 64-bit ints."""

from typing import Any, ClassVar, Self

from sfida.cython_ext.learned import Learned
from sfida.cython_ext.rng import Random
from sfida.engines.game import Game

DEBUG: bool
CHANCE: int
TERMINAL: int
ONLOOKER: int
EVERYBODY: int

def restore(game: Game, data: bytes, *knowledge: Learned | None) -> GameState:
    """Rebuild a state from its game, its byte form and what it is judged by."""

class GameState:
    """A position of a game; changed only by `apply`, which is deterministic."""

    game: Game
    """The engine that made the state."""
    players: int
    max_legal: int
    max_listed: int
    hidden: bool
    has_evaluation: bool
    has_priors: bool
    has_sure_win: bool
    feature_names: tuple[str, ...]
    """What a learned evaluation can read of a seat."""
    move_feature_names: tuple[str, ...]
    """What learned priors can read of a move."""
    knowledge: Learned | None
    """What positions are judged by; None: what the game has by hand."""
    __hash__: ClassVar[None]  # type: ignore[assignment]

    @property
    def to_move(self) -> int:
        """Seat to move, -1 (a chance event) or -4 (the game is over)."""
    @property
    def is_chance(self) -> bool:
        """The next event is random."""
    @property
    def is_over(self) -> bool:
        """The game is over."""
    @property
    def state_bytes(self) -> int:
        """Size of the flat state."""
    def legal_moves(self) -> list[int]:
        """Every legal move, ascending; at a chance event the outcomes, at the end nothing."""
    def candidate_moves(self) -> list[int]:
        """The moves worth searching, a non-empty subset."""
    def chance_outcomes(self) -> list[tuple[int, int]]:
        """(code, exact integer weight) of each outcome of the coming chance event."""
    def sample_chance(self, rng: Random) -> int:
        """One outcome, drawn with its true probability."""
    def apply(self, move: int) -> None:
        """Play a legal move or a possible outcome; raises IllegalMove."""
    def verify(self) -> None:
        """Recompute every incremental structure; raises AssertionError on a difference."""
    def clone(self) -> Self:
        """An independent copy."""
    def scribble(self, pattern: int) -> None:
        """Overwrite with a byte what the position does not use; for tests."""
    def check_seat(self, seat: int) -> None:
        """Raise ValueError unless the seat exists."""
    def view(self, seat: int) -> View:
        """What the seat may see."""
    def determinize(self, seat: int, rng: Random) -> None:
        """Redraw in place everything the seat cannot know."""
    def label(self, seat: int) -> int:
        """What the seat saw of the last event; 0: nothing."""
    @property
    def turn_number(self) -> int:
        """Public number of the turn; -1: a turn is a change of who is to move."""
    @property
    def is_bidding(self) -> bool:
        """The choice at hand stays hidden from others who choose before it is revealed."""
    def take_back_bids(self, seat: int) -> None:
        """Take back others' choices that are not revealed yet."""
    def bucket(self, seat: int) -> int:
        """Coarse summary of what is secret to the seat, 0 to 19."""
    def winning_move(self) -> int | None:
        """A move that wins for certain as far as the seat to move knows."""
    def saw_event(self, seat: int) -> bool | None:
        """Whether the seat saw all of the last event; None where the game does not say."""
    def observation(self, seat: int) -> dict[str, Any]:
        """What the seat may see, JSON-able."""
    def utilities(self) -> list[float] | None:
        """Each seat's share of the win; None before the end."""
    def scores(self) -> list[int | float]:
        """Each seat's points; before the end the public ones."""
    def ranks(self) -> list[int] | None:
        """Each seat's rank, ties sharing one; None before the end."""
    def evaluation(self) -> tuple[list[float], list[float]] | None:
        """Expected (shares of the win, points); None when the game has no evaluation."""
    def features(self, seat: int, viewer: int = -1) -> dict[str, float]:
        """What a learned evaluation reads of a seat; viewer -1: what everybody may know, -2: all secrets."""
    def set_knowledge(self, knowledge: Learned | None) -> None:
        """Judge positions by what was learned from now on; raises InvalidOption if it does not fit."""
    def move_features(self) -> list[tuple[int, list[float]]]:
        """(move, features) of the moves worth searching."""
    def move_priors(self) -> list[tuple[int, float]]:
        """(move, prior) of the moves worth searching."""
    def random_playout(self, rng: Random, cutoff: int = -1,
                       informed: int = 0) -> tuple[list[float], list[float]]:
        """Play on in place; (shares of the win, points) of where it ended."""
    def format(self, move: int) -> str:
        """The move in the game's notation."""
    def parse(self, text: str) -> int:
        """The move that the text names."""
    def to_bytes(self) -> bytes:
        """The position as bytes."""
    def load(self, data: bytes) -> None:
        """Overwrite the position with bytes of the same game and options."""
    def raise_failure(self) -> None:
        """Re-raise what a Python game raised while the search ran."""
    def _repr_svg_(self) -> str: ...

class View:
    """What one seat may see of a state: a redacted copy behind a read-only face."""

    seat: int
    redacted: bool

    @staticmethod
    def unredacted(state: GameState, seat: int) -> View:
        """A view that cheats, for positive controls."""
    @property
    def game(self) -> Game:
        """The engine of the game."""
    @property
    def players(self) -> int: ...
    @property
    def to_move(self) -> int: ...
    @property
    def hidden(self) -> bool: ...
    @property
    def has_evaluation(self) -> bool: ...
    @property
    def has_priors(self) -> bool: ...
    def clone(self) -> View:
        """An independent copy."""
    @property
    def knowledge(self) -> Learned | None:
        """What positions are judged by; None: the hand-made evaluation."""
    def set_knowledge(self, knowledge: Learned | None) -> None:
        """Judge positions by a learned evaluation from now on; raises InvalidOption if it does not fit."""
    def legal_moves(self) -> list[int]:
        """Legal moves of the viewing seat; empty when another is to move."""
    def candidate_moves(self) -> list[int]:
        """Moves worth searching; empty when another seat is to move."""
    def move_priors(self) -> list[tuple[int, float]]:
        """(move, prior) of the moves worth searching; empty when another seat is to move."""
    def format(self, move: int) -> str: ...
    def parse(self, text: str) -> int: ...
    def observation(self) -> dict[str, Any]: ...
    def scores(self) -> list[int | float]: ...
    def key(self) -> bytes:
        """Bytes of everything the seat knows."""
    def sample(self, rng: Random) -> GameState:
        """A whole state drawn from those the seat cannot tell apart."""
