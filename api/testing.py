"""The public conformance suite: `check_game` plays random games and checks everything that the contract promises.

Authors run it on their own games; Sfida's tests run it on every registered one.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import pickle
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from sfida.ai.research.audit.of_sfida import PATTERNS, label_fault, scribbled, scribbling_changes, twins_of_game
from sfida.cython_ext.errors import IllegalMove, InvalidRecord, SfidaError, game_fault, unmarked_fault
from sfida.cython_ext.learned import Learned, pack
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game
from sfida.engines.records import LARGEST_SCORE
from sfida.engines.registry import make_game
from sfida.engines.spec import parse_spec

__all__ = ["GameReport", "check_game"]

CHANCE, TERMINAL = -1, -4
MOVES_TRIED = 40        # most moves tried at a thoroughly checked position
WORLDS = 3              # determinizations per seat and position
DRAWS = 300             # samples of a chance event that are compared with its weights
LONG = 10.0             # expected seconds from which the duration is announced
TWINS = 12              # most twins per seat and game (see `sfida.ai.research.audit.of_sfida`)


@dataclass(frozen=True)
class GameReport:
    """The report of `check_game` on a game.

    Attributes
    ----------
    game : str
        Canonical spec of the game.
    players : tuple of int
        Player counts checked.
    games, plies, chance_events : int
        Random games played to the end, their moves and the chance events among them.
    positions : int
        Positions checked thoroughly: drawn and determinized, with moves tried.
    longest : int
        Plies of the longest game.
    most_moves : int
        Longest legal list seen.
    twins : int
        Positions compared between twins: histories that a seat could not tell from the game
        (see `sfida.ai.research.audit.of_sfida`).
    """

    game: str
    players: tuple[int, ...]
    games: int
    plies: int
    chance_events: int
    positions: int
    longest: int
    most_moves: int
    twins: int


def check_game(game: str | Game, *, seeds: int = 10, seed: int = 0, max_plies: int = 20_000) -> GameReport:
    """Check that a game keeps the contract, by random play with every number of players.

    It checks that clones are independent; that the same moves give the same game; that every listed move can be
    applied and any other is refused without a trace; that lists are ascending, unique and never empty; that
    candidates are legal; that outcomes have positive weights and are drawn accordingly; that the observations, legal
    moves and displays of a seat depend neither on what it cannot know nor on bytes that the position does not use;
    that histories that look alike to a seat give it the same view; that determinizations are reproducible and
    consistent; that states survive conversion to bytes and pickling; that results are shares of one win; that
    notation can be parsed again; that boards can be drawn; and that games end.

    Parameters
    ----------
    game : str or Game
        Game spec of a registered game, or an engine object.
    seeds : int
        Number of random games for each number of players.
    seed : int
        Root of all random choices: the same call checks the same games.
    max_plies : int
        Most plies of a game; a longer one fails.

    Returns
    -------
    GameReport

    Raises
    ------
    AssertionError
        The message is one line with the game, the seed, the ply and the fault.
    UnknownGame, InvalidOption
        If the spec does not name a game.

    Notes
    -----
    A tiny game takes a second, Carcassonne half a minute and more (its 40 games have 7,228 moves), and games of
    thousands of moves longer. ``seeds=1`` takes a tenth of that. If the first game shows that the check will be long,
    one line on standard error says so; nothing else is printed.
    """
    base = make_game(game)
    counts = _player_counts(base)
    games = [_check_options(base, players) for players in counts]
    walks = [_Walk(one, derive(seed, one.players, k), k, max_plies) for one in games for k in range(seeds)]
    began = time.perf_counter()
    for number, walk in enumerate(walks):
        walk.run()
        if number == 0:
            _announce(base.name, len(walks), (time.perf_counter() - began) * len(walks))
    twins = sum(_check_twins(one, seed + k) for one in games for k in range(seeds))
    return GameReport(
        game=base.spec(), players=counts, games=len(walks), plies=sum(len(w.moves) for w in walks),
        chance_events=sum(w.chance_events for w in walks), positions=sum(w.positions for w in walks),
        longest=max(len(w.moves) for w in walks), most_moves=max(w.most_moves for w in walks), twins=twins)


def _announce(name: str, games: int, seconds: float) -> None:
    """Announce roughly how long the check will take, unless it is short."""
    if seconds >= LONG:
        print(f"check_game: {games} random games of {name} and their twins take about "
              f"{f'{seconds / 60:.0f} min' if seconds >= 90 else f'{seconds:.0f} s'}", file=sys.stderr, flush=True)


def _player_counts(game: Game) -> tuple[int, ...]:
    """Return every number of players that the options allow."""
    field = next(f for f in dataclasses.fields(game.options) if f.name == "players")
    if "values" in field.metadata:
        return tuple(field.metadata["values"])
    low, high = field.metadata.get("low"), field.metadata.get("high")
    return (game.players,) if low is None or high is None else tuple(range(low, high + 1))


def _check_options(base: Game, players: int) -> Game:
    """Return the game for this number of players, after checking that its spec reads back."""
    game = type(base)(dataclasses.replace(base.options, players=players))
    name, params = parse_spec(game.spec())
    where = f"game '{game.spec()}'"
    if game.players != players:
        raise AssertionError(f"{where}: made for {players} players, says it has {game.players}")
    if name != game.name or type(game).from_params(params) != game:
        raise AssertionError(f"{where}: its canonical spec does not read back as the same game")
    try:
        copied = pickle.loads(pickle.dumps(game))
    except Exception as error:
        raise AssertionError(f"{where}: the game object cannot be pickled: {error}") from error
    if copied != game:
        raise AssertionError(f"{where}: pickling the game object changes it")
    return game


def _check_twins(game: Game, seed: int) -> int:
    """Raise an error for the first difference between twins of a game; return how many positions were compared."""
    counts = twins_of_game(game, seed, twins=TWINS)
    if counts.differences:
        raise AssertionError(f"a seat is shown what it did not see: {counts.differences[0]}")
    return counts.positions if game.initial_state().hidden else 0


def _random_network(game: Game, rng: Random) -> Learned | None:
    """Return a small network that evaluates a game by its features, or None if the game lists none.

    If the game lists features of moves, the network has random priors, too.
    """
    names, moves = game.initial_state().feature_names, game.initial_state().move_feature_names
    if not names:
        return None

    def drawn(n: int) -> list[int]:
        return [rng.below(201) - 100 for _ in range(n)]

    n, hidden, players = len(names), 4, game.players
    table: dict[str, object] = {"mean": [0.0] * n, "gain": [64.0] * n}
    inputs = game.initial_state().sparse_inputs if rng.below(2) else 0
    if inputs:
        sizes = {"S1": inputs * hidden, "D1": players * n * hidden, "W2": hidden * hidden}
        longs = {"b1": hidden, "b2": hidden, "W3": hidden * players, "L": players * n * players, "b3": players}
        table |= {"inputs": inputs, "hidden": hidden, "second": hidden, "shift": 2, "s1": 5, "s2": 6, "s3": 16,
                  **{name: pack(drawn(size), "h") for name, size in sizes.items()},
                  **{name: pack(drawn(size), "i") for name, size in longs.items()}}
    else:
        table |= {"W1": [drawn(2 * n) for _ in range(hidden)], "b1": drawn(hidden), "s1": 6, "W2": drawn(hidden),
                  "L": drawn(2 * n), "s2": 16}
    if moves:
        table["moves"] = {"mean": [0.0] * len(moves), "gain": [64.0] * len(moves), "W": drawn(len(moves)), "s": 12}
    return Learned(game.name, game.rules_version, names, {players: table}, None, moves,
                   game.initial_state().input_names if inputs else ())


@dataclass(frozen=True)
class _Seen:
    """Everything that a seat can see of a position."""

    seat: int
    key: bytes
    observation: dict[str, object]
    texts: dict[int | None, str]
    picture: str


class _Walk:
    """One random game, checked as it is played."""

    def __init__(self, game: Game, seed: int, number: int, max_plies: int) -> None:
        self.game = game
        self.number = number
        self.max_plies = max_plies
        self.rng = Random(seed)
        self.network = _random_network(game, Random(derive(seed, 1)))
        self.moves: list[int] = []
        self.bytes: list[bytes] = []
        self.last = ""
        self.saved: list[tuple[int, str, GameState]] = []   # positions for playouts at the end
        self.chance_events = 0
        self.positions = 0
        self.most_moves = 0

    # ---- reporting ----------------------------------------------------------------------------

    def demand(self, holds: bool, message: str) -> None:
        """Raise AssertionError with the place and the message, unless `holds`."""
        if not holds:
            raise AssertionError(self.where() + message)

    def where(self) -> str:
        after = f" (after {self.last})" if self.last else ""
        return f"game '{self.game.spec()}', seed {self.number}, ply {len(self.moves)}{after}: "

    # ---- the game -----------------------------------------------------------------------------

    def run(self) -> None:
        try:
            self.play()
            self.replay()
            self.run_playouts()
        except AssertionError:
            raise
        except Exception as error:
            raise AssertionError(self.where() + str(game_fault(error) or unmarked_fault(error))) from error

    def play(self) -> None:
        state = self.game.initial_state()
        self.demand(state == self.game.initial_state(), "two initial states differ")
        while True:
            ply = len(self.moves)
            self.demand(ply <= self.max_plies, f"the game has not ended after {self.max_plies} plies")
            self.bytes.append(state.to_bytes())
            moves = self.check_lists(state)
            if ply < 4 or not moves or self.rng.below(8) == 0:
                self.check_thoroughly(state, moves)
            elif state.hidden:
                seat = self.rng.below(state.players)
                self.check_labels(state, seat, [self.world_of(state, seat, self.rng.next()) for _ in range(WORLDS)])
            self.demand(state.to_bytes() == self.bytes[-1], "looking at the state has changed it")
            if not moves:
                self.check_end(state)
                return
            move = self.choose(state, moves)
            self.step(state, move)

    def choose(self, state: GameState, moves: list[int]) -> int:
        if not state.is_chance:
            return moves[self.rng.below(len(moves))]
        self.chance_events += 1
        return state.sample_chance(self.rng)

    def step(self, state: GameState, move: int) -> None:
        """Apply a move; an earlier clone must not change, and must reach the same state by the same move."""
        twin, before = state.clone(), state.clone()
        text = state.format(move)
        state.apply(move)
        self.demand(twin.to_bytes() == self.bytes[-1],
                    f"a clone changed when '{text}' was applied to the state it was cloned from")
        after = state.to_bytes()
        twin.apply(move)
        self.demand(state.to_bytes() == after, f"the state changed when '{text}' was applied to its clone")
        self.demand(twin.to_bytes() == after,
                    f"applying '{text}' twice to equal states gave different positions")
        for twin in (scribbled(before, pattern) for pattern in PATTERNS):
            twin.apply(move)
            self.demand(twin.to_bytes() == after, f"'{text}' reads what the position before it does not use")
        self.moves.append(move)
        self.last = text

    def replay(self) -> None:
        """Check that the same moves give the same positions."""
        moves, state = self.moves, self.game.initial_state()
        self.moves, self.last = [], ""
        for move, expected in zip(moves, self.bytes, strict=False):
            self.demand(state.to_bytes() == expected, "replaying the moves leads to another position")
            self.last = state.format(move)
            state.apply(move)
            self.moves.append(move)
        self.demand(state.to_bytes() == self.bytes[-1], "replaying the moves leads to another position")

    # ---- at every position --------------------------------------------------------------------

    def check_lists(self, state: GameState) -> list[int]:
        actor = state.to_move
        self.demand(actor in (CHANCE, TERMINAL) or 0 <= actor < state.players, f"to_move is {actor}")
        self.demand(state.is_chance == (actor == CHANCE) and state.is_over == (actor == TERMINAL),
                    "is_chance or is_over disagrees with to_move")
        moves = state.legal_moves()
        self.most_moves = max(self.most_moves, len(moves))
        self.demand(moves == state.legal_moves(), "legal_moves() gives two different lists")
        self.demand(all(a < b for a, b in itertools.pairwise(moves)),
                    "legal_moves() is not ascending without repetition")
        self.demand(bool(moves) == (actor != TERMINAL), f"{len(moves)} legal moves while to_move is {actor}")
        self.demand(len(moves) <= max(state.max_legal, state.max_listed),
                    f"{len(moves)} legal moves, more than max_legal")
        outcomes = state.chance_outcomes()
        self.demand([code for code, _ in outcomes] == (moves if actor == CHANCE else []),
                    "chance_outcomes() does not agree with legal_moves()")
        self.demand(all(weight >= 1 for _, weight in outcomes), "a chance outcome has a weight below 1")
        if actor >= 0:
            candidates = state.candidate_moves()
            self.demand(bool(candidates) and set(candidates) <= set(moves)
                        and len(candidates) == len(set(candidates)),
                        "candidate_moves() is not a non-empty subset of legal_moves()")
        return moves

    # ---- at some positions --------------------------------------------------------------------

    def check_thoroughly(self, state: GameState, moves: list[int]) -> None:
        self.positions += 1
        state.verify()
        some = moves
        if len(moves) > MOVES_TRIED:
            some = moves[:]
            self.rng.shuffle(some)
            some = sorted(some[:MOVES_TRIED])
        self.check_moves(state, moves, some)
        self.check_actions(state, moves)
        self.check_notation(state, moves, some)
        self.check_bytes(state)
        if state.is_chance:
            self.check_sampling(state)
        self.check_drawing(state)
        for seat in range(state.players):
            self.check_seat(state, seat)
        self.check_chain(state)
        self.check_knowledge(state)
        self.check_unused(state)
        self.saved.append((len(self.moves), self.last, state.clone()))

    def check_moves(self, state: GameState, moves: list[int], some: list[int]) -> None:
        """Check that a listed move changes only the clone it is applied to; any other is refused without a trace."""
        before = state.to_bytes()
        twin = state.clone()
        for move in some:
            twin = state.clone()
            twin.apply(move)
            self.demand(state.to_bytes() == before,
                        f"the state changed when '{state.format(move)}' was applied to its clone")
        twin.verify()
        near = {move + step for move in some[:5] for step in (-1, 1)}
        for move in sorted((near | set(self.moves[-5:]) | {-1, 0, 1, 2**63, 2**64 - 1}) - set(moves)):
            twin = state.clone()
            try:
                twin.apply(move)
            except IllegalMove:
                self.demand(twin.to_bytes() == before, f"refusing the move {move} has changed the state")
            else:
                self.demand(False, f"the move {move} is not in legal_moves() but was applied")

    def check_actions(self, state: GameState, moves: list[int]) -> None:
        """Check that the moves have different numbers, all within the fixed action space, if the game has one."""
        actions = self.game.actions
        if actions is None or state.to_move < 0:
            return
        numbers = actions.numbers(moves if actions.complete else state.candidate_moves())
        self.demand(len(set(numbers)) == len(numbers) and all(0 <= number < actions.count for number in numbers),
                    f"the numbers of actions are not different ones below {actions.count}")

    def check_notation(self, state: GameState, moves: list[int], some: list[int]) -> None:
        seen: dict[str, int] = {}
        for move in moves:
            text = state.format(move)
            self.demand(bool(text.strip()) and len(text.splitlines()) == 1,
                        f"the text of move {move} is {text!r}: it must be one line, not blank")
            plain = "".join(text.split()).lower()
            first = seen.setdefault(plain, move)
            self.demand(first == move, f"moves {first} and {move} both read '{text}'")
        for move in some:
            text = state.format(move)
            self.demand(state.parse(text) == move, f"'{text}' is written for move {move} but read as another")
            self.demand(bool(self.game.describe_move(state, move)), f"move '{text}' has no description")
        for wrong in ("", "no such move!"):
            try:
                move = state.parse(wrong)
            except SfidaError as error:
                self.demand(len(str(error).splitlines()) == 1,
                            f"the error for the text {wrong!r} is not one line")
            else:
                self.demand(False, f"the text {wrong!r} was read as move {move}")

    def check_bytes(self, state: GameState) -> None:
        data = state.to_bytes()
        fresh = self.game.initial_state()
        fresh.load(data)
        self.demand(fresh == state and fresh.to_bytes() == data, "load(to_bytes()) gives another position")
        self.demand(fresh.legal_moves() == state.legal_moves() and fresh.to_move == state.to_move,
                    "load(to_bytes()) gives other legal moves")
        self.demand(pickle.loads(pickle.dumps(state)) == state, "pickling gives another position")
        try:
            fresh.load(data[:-1])
        except InvalidRecord:
            pass
        else:
            self.demand(False, "load() accepts truncated bytes")

    def check_sampling(self, state: GameState) -> None:
        """Compare draws with their weights by a chi-square test with about one false alarm in 10**8."""
        outcomes = state.chance_outcomes()
        total = sum(weight for _, weight in outcomes)
        counts = dict.fromkeys((code for code, _ in outcomes), 0)
        for _ in range(DRAWS):
            code = state.sample_chance(self.rng)
            self.demand(code in counts, f"sample_chance() drew {code}, which chance_outcomes() does not list")
            counts[code] += 1
        expected = [(counts[code], DRAWS * weight / total) for code, weight in outcomes]
        chi2 = sum((seen - mean) ** 2 / mean for seen, mean in expected)
        # Sparse cells in long lists widen the distribution; the exact variance takes that into account.
        freedom = len(outcomes) - 1
        sparse = sum(1 / mean for _, mean in expected) - (len(outcomes) ** 2 + 2 * freedom) / DRAWS
        variance = 2 * freedom + sparse
        self.demand(chi2 <= freedom + 9 * max(variance, 1.0) ** 0.5 + 20,
                    "sample_chance() does not draw by the weights of chance_outcomes()")
        source = self.game.chance_source(state)
        self.demand(source in self.game.chance_sources, f"the chance source '{source}' is not declared")

    def check_drawing(self, state: GameState) -> None:
        viewers = range(state.players) if state.hidden else [max(state.to_move, 0)]
        for seat in (None, *viewers):
            text = self.game.board_text(state, seat=seat)
            self.demand(isinstance(text, str) and "\x1b" not in text,
                        "board_text() without colour must be text without control codes")
            self.game.board_text(state, seat=seat, color=True, width=80, labels=True)
            self.demand(len(self.game.low_board_text(state, 10, seat=seat).splitlines()) <= 10,
                        "low_board_text() takes more lines than it is given")
        if not self.has_pictures():
            return
        svg = self.game.board_svg(state, seat=max(state.to_move, 0), labels=True)
        try:
            root = ElementTree.fromstring(svg)
        except ElementTree.ParseError as error:
            self.demand(False, f"board_svg() is not well-formed: {error}")
        else:
            self.demand(root.tag.endswith("svg"), "board_svg() is not an SVG document")

    def has_pictures(self) -> bool:
        """Return whether pictures are checked at this position; they are slow, so it is only every eighth."""
        return self.positions % 8 == 1

    def has_texts(self) -> bool:
        """Return whether worlds of this position are drawn as text and compared."""
        return self.positions % 3 == 1

    # ---- hidden information -------------------------------------------------------------------

    def check_seat(self, state: GameState, seat: int) -> None:
        view = state.view(seat)
        key = view.key()
        observation = state.observation(seat)
        try:
            json.dumps(observation)
        except (TypeError, ValueError) as error:
            self.demand(False, f"observation({seat}) is not JSON-able: {error}")
        self.demand(isinstance(observation, dict), f"observation({seat}) is not a dict")
        self.demand(state.view(seat).key() == key, f"view({seat}) taken twice differs")
        self.demand(view.to_move == state.to_move, f"view({seat}) says that {view.to_move} is to move")
        self.demand(view.observation() == observation,
                    f"observation({seat}) of the view differs from the state's")
        self.demand(0 <= state.bucket(seat) < 20, f"bucket({seat}) is {state.bucket(seat)}: it must be 0 to 19")
        view.scores()
        texts = ({viewer: self.game.board_text(state, seat=viewer) for viewer in (None, seat)}
                 if state.hidden and self.has_texts() else {})
        picture = self.game.board_svg(state, seat=seat) if state.hidden and self.has_pictures() else ""
        seen = _Seen(seat, key, observation, texts, picture)
        mine = state.to_move == seat
        self.demand(view.legal_moves() == (state.legal_moves() if mine else []),
                    f"legal_moves() of view({seat}) differs from the state's")
        self.demand(view.candidate_moves() == (state.candidate_moves() if mine else []),
                    f"candidate_moves() of view({seat}) differs from the state's")
        worlds = []
        for _ in range(WORLDS if state.hidden else 1):
            world_seed = self.rng.next()
            world = self.world_of(state, seat, world_seed)
            if not state.hidden:
                self.demand(world == state and key == state.to_bytes(),
                            f"nothing is hidden, but determinize({seat}) or view({seat}) changes the state")
            self.check_world(state, world, world_seed, seen)
            worlds.append(world)
        if state.hidden and not state.is_over:
            self.check_labels(state, seat, worlds)

    def world_of(self, state: GameState, seat: int, seed: int) -> GameState:
        """Return a determinization."""
        world = state.clone()
        world.determinize(seat, Random(seed))
        return world

    def check_world(self, state: GameState, world: GameState, world_seed: int, seen: _Seen) -> None:
        """Check that a determinization looks to its seat exactly like the true state."""
        seat = seen.seat
        again = self.world_of(state, seat, world_seed)
        self.demand(again == world, f"determinize({seat}) with the same seed gives different samples")
        self.demand(state.view(seat).sample(Random(world_seed)) == world,
                    f"determinize({seat}) of the view and of the state differ: it depends on hidden data")
        world.verify()
        view = world.view(seat)
        self.demand(view.key() == seen.key, f"view({seat}) depends on what seat {seat} cannot know: it leaks")
        self.demand(world.observation(seat) == seen.observation,
                    f"observation({seat}) depends on what seat {seat} cannot know: it leaks")
        self.demand(world.to_move == state.to_move, f"determinize({seat}) changes who is to move")
        self.demand((world.turn_number, world.is_bidding) == (state.turn_number, state.is_bidding),
                    f"turn_number or is_bidding depends on what seat {seat} cannot know")
        self.demand(world.bucket(seat) == state.bucket(seat), f"bucket({seat}) depends on what the seat cannot know")
        if state.to_move == seat:
            self.demand(world.legal_moves() == state.legal_moves(),
                        f"legal_moves() of seat {seat} depends on what the seat cannot know")
            self.demand(world.candidate_moves() == state.candidate_moves(),
                        f"candidate_moves() of seat {seat} depends on what the seat cannot know")
            for move in state.legal_moves()[:MOVES_TRIED]:
                self.demand(world.format(move) == state.format(move),
                            f"the text of move {move} depends on what seat {seat} cannot know")
            self.demand(world.move_priors() == state.move_priors(),
                        f"priors of seat {seat} depend on what the seat cannot know")
            self.demand(world.move_features() == state.move_features(),
                        f"features of moves of seat {seat} depend on what the seat cannot know")
            winning = state.winning_move()
            self.demand(winning is None or winning in state.candidate_moves(),
                        f"winning_move() gives {winning}, which is no candidate move")
            self.demand(world.winning_move() == winning,
                        f"winning_move() of seat {seat} depends on what the seat cannot know")
            self.check_bids(world, seat)
        self.demand(world.utilities() == state.utilities(), f"determinize({seat}) changes the result")
        if state.hidden:
            for viewer, text in seen.texts.items():
                self.demand(self.game.board_text(world, seat=viewer) == text,
                            f"board_text(seat={viewer}) shows what seat {seat} cannot know: it leaks")
            if self.has_pictures():
                self.demand(self.game.board_svg(world, seat=seat) == seen.picture,
                            f"board_svg(seat={seat}) shows what seat {seat} cannot know: it leaks")

    def check_bids(self, world: GameState, seat: int) -> None:
        """Check that the others can choose bids again after `take_back_bids`, and that the seat knows the same."""
        before = world.view(seat).key()
        again = world.clone()
        again.take_back_bids(seat)
        if again == world:
            return
        again.verify()
        self.demand(bool(again.legal_moves()), f"after take_back_bids({seat}) nobody can move")
        if again.to_move == seat:
            self.demand(again.view(seat).key() == before, f"take_back_bids({seat}) changes what seat {seat} knows")

    def check_labels(self, state: GameState, seat: int, worlds: list[GameState]) -> None:
        """Check that a label shows what the seat sees of an event, no more and no less."""
        fault = label_fault(state, seat, worlds, self.rng)
        self.demand(fault is None, fault or "")

    def check_unused(self, state: GameState) -> None:
        """Check that what a position does not use is zero, and that nothing depends on it."""
        self.demand(scribbled(state, 0) == state, "bytes that the position does not use are not zero")
        changed = scribbling_changes(state, texts=self.has_texts(), pictures=self.has_pictures())
        self.demand(changed is None, f"{changed} depends on bytes that the position does not use")

    def check_chain(self, state: GameState) -> None:
        """Check that a determinization of a determinization is one, too: determinize for each seat in turn, twice."""
        world = state.clone()
        for seat in [*range(world.players)] * 2:
            before = world.view(seat).key()
            world.determinize(seat, self.rng)
            self.demand(world.view(seat).key() == before,
                        f"determinize({seat}) in a world of another seat changes what seat {seat} knows")
        world.verify()

    # ---- results ------------------------------------------------------------------------------

    def check_shares(self, shares: Sequence[float], what: str) -> None:
        self.demand(len(shares) == self.game.players and all(-1e-9 <= x <= 1 + 1e-9 for x in shares)
                    and abs(sum(shares) - 1) <= 1e-6, f"{what} gives {list(shares)}: not shares of one win")

    def check_knowledge(self, state: GameState) -> None:
        self.check_evaluation(state, "evaluation()")
        if self.network is not None:
            self.check_features(state)
            twin = state.clone()
            twin.set_knowledge(self.network)
            self.check_evaluation(twin, "evaluation() by a network")
            self.check_priors(twin)
        self.check_priors(state)

    def check_priors(self, state: GameState) -> None:
        priors = state.move_priors()
        if state.to_move >= 0:
            self.demand(sorted(move for move, _ in priors) == state.candidate_moves(),
                        "move_priors() does not list the candidate moves")
            self.demand(all(p > 0 for _, p in priors) and abs(sum(p for _, p in priors) - 1) < 1e-3,
                        "priors are not positive shares of 1")

    def check_evaluation(self, state: GameState, what: str) -> None:
        expected = state.evaluation()
        if expected is None:
            return
        self.check_shares(expected[0], what)
        if state.hidden and state.to_move >= 0:
            world = state.clone()
            world.determinize(state.to_move, self.rng)
            self.demand(world.evaluation() == expected, f"{what} depends on what the seat to move cannot know")

    def check_features(self, state: GameState) -> None:
        """Check that features are finite and inputs are in range, and show their viewer nothing that it cannot know."""
        if state.is_over:
            return
        seats = range(state.players)
        viewer = max(state.to_move, -1)                     # everybody watches chance events
        known = [state.features(seat, viewer) for seat in seats]
        self.demand(all(math.isfinite(x) for row in known for x in row.values()), f"features() gives {known}")
        inputs = state.inputs(viewer)
        self.demand(all(0 <= one < state.sparse_inputs for one in (*inputs, *state.inputs(-2))) and
                    0 <= state.front_seat < state.players, f"inputs() gives {inputs}")
        for knower in ([viewer] if viewer >= 0 else seats) if state.hidden else ():
            world = state.clone()
            world.determinize(knower, self.rng)
            self.demand([world.features(seat, viewer) for seat in seats] == known,
                        "features() depend on what nobody has seen" if viewer < 0 else
                        "features() depend on what the seat to move cannot know")
            self.demand(world.inputs(viewer) == inputs, "inputs() depend on what nobody has seen" if viewer < 0 else
                        "inputs() depend on what the seat to move cannot know")

    def run_playouts(self) -> None:
        """Run playouts from every position that was checked thoroughly."""
        moves = self.moves
        for ply, last, state in self.saved:
            self.moves, self.last = moves[:ply], last
            self.check_playouts(state)
        self.moves = moves

    def check_playouts(self, state: GameState) -> None:
        for cutoff, informed in ((-1, 0), (2, 100)):
            views = [state.view(seat) for seat in range(state.players)]
            for start in [state.clone(), *(view.sample(self.rng) for view in views)]:
                shares, scores = start.random_playout(self.rng, cutoff, informed)
                self.check_shares(shares, "a random playout")
                self.demand(len(scores) == state.players, "a random playout does not give one score per seat")
                if not state.hidden:
                    break
        if not state.is_over:
            self.demand(state.utilities() is None and state.ranks() is None,
                        "utilities() or ranks() before the end is not None")
        self.demand(len(state.scores()) == state.players, "scores() does not give one number per seat")

    def check_end(self, state: GameState) -> None:
        shares = state.utilities()
        ranks = state.ranks()
        self.demand(shares is not None and ranks is not None, "utilities() or ranks() is None at the end")
        assert shares is not None
        assert ranks is not None
        self.check_shares(shares, "utilities()")
        if self.network is not None:
            twin = state.clone()
            twin.set_knowledge(self.network)
            judged = twin.evaluation()
            self.demand(judged is not None and list(judged[0]) == list(shares),
                        "a network does not leave the result of the game alone")
        self.demand(min(ranks) == 1 and max(ranks) <= state.players, f"ranks() gives {ranks}")
        self.demand(all(abs(score) <= LARGEST_SCORE for score in state.scores()),
                    f"scores() gives {state.scores()}: no record takes points beyond {LARGEST_SCORE:g}")
        self.demand(all(isinstance(line, str) for line in self.game.explain_scores(state)),
                    "explain_scores() must give lines of text")
