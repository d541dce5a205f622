"""The contract of a game: positions, and views of them for a seat. Move codes are 64-bit ints."""

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
    """Rebuild a state from its game, its byte form and its knowledge."""

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
    """Features of a seat that a learned evaluation can read."""
    move_feature_names: tuple[str, ...]
    """Features of a move that learned priors can read."""
    knowledge: Learned | None
    """Learned evaluation and priors; None: the hand-written ones."""
    __hash__: ClassVar[None]  # type: ignore[assignment]

    @property
    def to_move(self) -> int:
        """Seat to move, -1 (a chance event) or -4 (the game is over)."""
    @property
    def is_chance(self) -> bool:
        """Whether the next event is random."""
    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
    @property
    def state_bytes(self) -> int:
        """Size of the flat state."""
    def legal_moves(self) -> list[int]:
        """Return every legal move, ascending; at a chance event the outcomes, at the end nothing."""
    def candidate_moves(self) -> list[int]:
        """Return the moves worth searching, a non-empty subset."""
    def chance_outcomes(self) -> list[tuple[int, int]]:
        """Return (code, exact integer weight) of each outcome of the coming chance event."""
    def sample_chance(self, rng: Random) -> int:
        """Return one outcome, drawn with its true probability."""
    @property
    def source_number(self) -> int:
        """Number of the source of the coming chance event among the game's `chance_sources`."""
    def apply(self, move: int) -> None:
        """Play a legal move or a possible outcome; raises IllegalMove."""
    def verify(self) -> None:
        """Recompute every incremental structure; raises AssertionError on a difference."""
    def clone(self) -> Self:
        """Return an independent copy."""
    def scribble(self, pattern: int) -> None:
        """Overwrite with a byte what the position does not use; for tests."""
    def check_seat(self, seat: int) -> None:
        """Raise ValueError unless the seat exists."""
    def view(self, seat: int) -> View:
        """Return what the seat may see."""
    def determinize(self, seat: int, rng: Random) -> None:
        """Redraw in place everything that the seat cannot know."""
    def label(self, seat: int) -> int:
        """Return what the seat saw of the last event; 0: nothing."""
    @property
    def turn_number(self) -> int:
        """Public number of the turn; -1: a turn is a change of the seat to move."""
    @property
    def is_bidding(self) -> bool:
        """Whether the choice stays hidden from other seats that choose before it is revealed."""
    def take_back_bids(self, seat: int) -> None:
        """Take back the other seats' unrevealed choices."""
    def bucket(self, seat: int) -> int:
        """Return a coarse summary of the seat's secrets, 0 to 19."""
    def winning_move(self) -> int | None:
        """Return a move that wins for certain as far as the seat to move knows, or None."""
    def saw_event(self, seat: int) -> bool | None:
        """Return whether the seat saw all of the last event; None where the game does not say."""
    def observation(self, seat: int) -> dict[str, Any]:
        """Return what the seat may see, as a JSON-able dict."""
    def utilities(self) -> list[float] | None:
        """Return each seat's win share; None before the end."""
    def scores(self) -> list[int | float]:
        """Return each seat's points; before the end the public ones."""
    def ranks(self) -> list[int] | None:
        """Return each seat's rank, ties sharing one; None before the end."""
    def evaluation(self) -> tuple[list[float], list[float]] | None:
        """Return (win probabilities, expected points); None when the game has no evaluation."""
    input_names: tuple[str, ...]
    sparse_inputs: int
    @property
    def front_seat(self) -> int: ...
    def inputs(self, viewer: int = -1) -> list[int]: ...
    def features(self, seat: int, viewer: int = -1) -> dict[str, float]:
        """Return the features of a seat; viewer -1: public information only, -2: all secrets."""
    def set_knowledge(self, knowledge: Learned | None) -> None:
        """Use this learned knowledge from now on; raises InvalidOption if it does not fit."""
    def move_features(self) -> list[tuple[int, list[float]]]:
        """Return (move, features) of the moves worth searching."""
    def move_priors(self) -> list[tuple[int, float]]:
        """Return (move, prior) of the moves worth searching."""
    def random_playout(self, rng: Random, cutoff: int = -1,
                       informed: int = 0) -> tuple[list[float], list[float]]:
        """Play on in place and return (win probabilities, points) of the final position."""
    def format(self, move: int) -> str:
        """Return the move in the game's notation."""
    def parse(self, text: str) -> int:
        """Return the move that the text names."""
    def to_bytes(self) -> bytes:
        """Return the position as bytes."""
    def load(self, data: bytes) -> None:
        """Overwrite the position with bytes of the same game and options."""
    def raise_failure(self) -> None:
        """Re-raise an exception that a Python game raised while the search ran."""
    def _repr_svg_(self) -> str: ...

class View:
    """What one seat may see of a state: a redacted copy with a read-only interface."""

    seat: int
    redacted: bool

    @staticmethod
    def unredacted(state: GameState, seat: int) -> View:
        """Return a view that cheats, for positive controls."""
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
        """Return an independent copy."""
    @property
    def knowledge(self) -> Learned | None:
        """Learned evaluation and priors; None: the hand-written ones."""
    def set_knowledge(self, knowledge: Learned | None) -> None:
        """Use this learned knowledge from now on; raises InvalidOption if it does not fit."""
    def legal_moves(self) -> list[int]:
        """Return the legal moves of the viewing seat; empty when another seat is to move."""
    def candidate_moves(self) -> list[int]:
        """Return the moves worth searching; empty when another seat is to move."""
    def move_priors(self) -> list[tuple[int, float]]:
        """Return (move, prior) of the moves worth searching; empty when another seat is to move."""
    def format(self, move: int) -> str: ...
    def parse(self, text: str) -> int: ...
    def observation(self) -> dict[str, Any]: ...
    def scores(self) -> list[int | float]: ...
    def key(self) -> bytes:
        """Return the bytes of everything that the seat knows."""
    def sample(self, rng: Random) -> GameState:
        """Return a whole state drawn from those that the seat cannot distinguish."""
