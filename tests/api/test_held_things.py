"""Every public object is copied and pickled in every state of use, and NumPy's numbers count as numbers."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import sfida
from sfida.ai.beliefs import BeliefOptions, ParticleFilter
from sfida.ai.chance import SeededChance
from sfida.ai.seat import recorded_observations
from sfida.cython_ext.rng import Random
from sfida.cython_ext.search.search import Search
from support import public_names
from support.short_games import short

pytestmark = pytest.mark.release_only("both builds copy alike")
SPECS = ("carcassonne", "settlers_of_zarahemla:preset=catan,players=3", "risiko:preset=tournament,players=4",
         "attila:players=3", "a_few_acres_of_snow:preset=online", "tic_tac_toe", "kuhn_poker", "leduc_poker",
         "goofspiel", "phantom_tic_tac_toe")
AGENTS = ("random", "greedy", "flat:iterations=9", "pimc:iterations=9,worlds=2", "ismcts:iterations=9", "level:2",
          "mo-ismcts:iterations=9,threads=2", "ismcts:iterations=9,beliefs=8", "ismcts:iterations=9,clock=9")
COPIES: tuple[Callable[[Any], Any], ...] = (copy.copy, copy.deepcopy, lambda held: pickle.loads(pickle.dumps(held)))
WHOLE = (np.int8, np.int64, np.uint64)


def midway(spec: str) -> sfida.GameState:
    """Return a position in the middle of a random game."""
    state, rng = sfida.make(spec), Random(4)
    for _ in range(30):
        twin = state.clone()
        moves = twin.candidate_moves() if not twin.is_chance else [twin.sample_chance(rng)]
        twin.apply(moves[rng.below(len(moves))])
        if twin.is_over:
            break
        state = twin
    return state


def same_bytes(held: Any) -> Any:
    return held.to_bytes(), held.knowledge


def held_things() -> Iterator[tuple[str, str, Any, Callable[[Any], Any]]]:
    """Yield a public name, a label, an object, and a function whose result must be equal for copies."""
    for spec in SPECS:
        state, by_hand = midway(spec), midway(spec)
        by_hand.set_knowledge(None)
        game: Any = state.game
        yield "GameState", spec, state, same_bytes
        yield "GameState", f"{spec} by hand", by_hand, same_bytes
        yield "View", spec, by_hand.view(0), lambda view: (view.key(), view.seat, view.knowledge)
        yield "Game", spec, game, lambda game: (game.spec(), game.initial_state().to_bytes())
    events: list[sfida.MoveEvent] = []
    record = sfida.play("leduc_poker", ["random", "greedy"], seed=3, on_event=events.append)
    yield "GameRecord", "played", record, lambda record: record
    yield "GameResult", "played", record.result, lambda result: result
    yield "MoveEvent", "", events[0], lambda event: event.code
    yield "Random", "", Random(3), lambda rng: [rng.below(100) for _ in range(9)]
    batch = sfida.batch("tic_tac_toe", ["random", "random"], 3, seed=1)
    yield "GameBatch", "", batch, lambda batch: batch.moves.tolist()
    seen: list[sfida.GameOutcome] = []
    watcher = type("Watcher", (), {"on_game_end": lambda self, outcome: seen.append(outcome)})()
    table = sfida.tournament("leduc_poker", ["random", "greedy"], 4, seed=1, backend="threading", observers=[watcher])
    yield "GameOutcome", "", seen[0], lambda outcome: outcome
    yield "TournamentResult", "", table, lambda table: table
    yield "Standings", "", table.standings, lambda standings: standings
    yield "GameReport", "", sfida.testing.check_game("tic_tac_toe", seeds=1), lambda report: report
    belief = ParticleFilter(0, BeliefOptions(particles=20))
    for event in recorded_observations(record, 0, len(record.moves)):
        belief.observe(event)
    yield "", "belief", belief, lambda belief: (belief.ess, belief.alive)
    yield "", "luck", SeededChance(3), lambda luck: luck.draw(sfida.make("carcassonne"))
    for name, wrong in (("IllegalMove", lambda: sfida.make("tic_tac_toe").apply(99)),
                        ("InvalidOption", lambda: sfida.make("tic_tac_toe", players=3)),
                        ("InvalidRecord", lambda: sfida.read_record("/nowhere")),
                        ("UnknownAgent", lambda: sfida.agent("nobody")), ("UnknownGame", lambda: sfida.make("none")),
                        ("AgentFailure", lambda: sfida.play("tic_tac_toe", ["exec:false", "random"], seed=1))):
        with pytest.raises(sfida.SfidaError) as raised:
            wrong()
        assert type(raised.value).__name__ == name
        yield name, "", raised.value, lambda error: (type(error), str(error), getattr(error, "kind", None))
    for kind in (sfida.AmbiguousNotation, sfida.InvalidNotation, sfida.SfidaError):
        yield kind.__name__, "", kind("x"), str


@pytest.fixture(scope="module")
def things() -> list[tuple[str, str, Any, Callable[[Any], Any]]]:
    return list(held_things())


def test_every_public_class_is_tried(things: list[Any]) -> None:
    protocols = {"Agent", "Observer"}               # agents are below; an observer is the caller's own
    classes = {name for name in public_names.listed("sfida") if isinstance(getattr(sfida, name), type)}
    assert {name for name, *_ in things} >= classes - protocols


def test_things_are_copied_and_pickled(things: list[Any]) -> None:
    for name, label, held, content in things:
        for way in COPIES:
            twin = way(held)
            assert content(copy.deepcopy(held)) == content(twin), (name, label)


@pytest.mark.parametrize("spec", AGENTS)
def test_agents_are_copied_before_and_after_use(spec: str) -> None:
    for game in ("leduc_poker", "carcassonne"):
        agent: Any = sfida.agent(spec, seed=5)
        state = midway(game)
        view = None if state.is_chance else state.view(state.to_move)
        for _ in range(2):
            for way in COPIES:
                twin = way(agent)
                assert (twin.spec, twin.seed) == (spec, 5)
                if view is not None:
                    assert twin.choose(view) in view.legal_moves()
            sfida.play(game, [agent, "random"], seed=2)
            agent.seed = 5


@pytest.mark.parametrize("spec", SPECS)
def test_environments_are_copied_in_the_middle_of_an_episode(spec: str) -> None:
    pytest.importorskip("pettingzoo")
    from sfida import envs
    for made in (envs.aec_env(spec), envs.aec_env(spec, render_mode="ansi"), envs.parallel_env(spec),
                 envs.one_seat_env(spec)):
        made.reset(seed=3)
        for way in COPIES[1:]:
            way(made)


def test_what_cannot_be_copied_says_so_in_a_line() -> None:
    for way in COPIES:
        with pytest.raises(TypeError) as refused:
            way(Search(sfida.make("tic_tac_toe").view(0), 1))
        assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize("kind", WHOLE)
def test_whole_numbers_of_numpy_are_numbers(kind: type[Any]) -> None:
    one, two, three, four = map(kind, (1, 2, 3, 4))
    assert sfida.make("carcassonne", players=three).game.spec() == sfida.make("carcassonne", players=3).game.spec()
    assert sfida.agent("ismcts", iterations=four, c=two).spec == "ismcts:iterations=4,c=2"
    assert sfida.agent("level", level=two).spec == "level:2"
    record = sfida.play("tic_tac_toe", [sfida.agent("random", seed=two), "random"], seed=three)
    assert record == sfida.play("tic_tac_toe", ["random", "random"], seed=3)
    assert type(record.seed) is int
    tables = [sfida.tournament("tic_tac_toe", ["random", "greedy"], games, seed, jobs, backend="threading", limit=limit)
              for games, seed, jobs, limit in ((four, one, two, np.float32(9)), (4, 1, 1, 9))]
    assert tables[0].standings == tables[1].standings
    batches = [sfida.batch("tic_tac_toe", ["random", "random"], n, seed=seed, threads=n)
               for n, seed in ((two, one), (2, 1))]
    assert batches[0].moves.tolist() == batches[1].moves.tolist()
    assert sfida.testing.check_game("tic_tac_toe", seeds=one, seed=one).games == 1
    assert BeliefOptions(particles=four, tau=np.float32(0.5)).particles == 4
    assert SeededChance(two).draw(sfida.make("carcassonne")) == SeededChance(2).draw(sfida.make("carcassonne"))
    assert sfida.agent("socket", port=four).spec == "socket:4"
    json.dumps([record.seed, tables[0].standings.games])


@pytest.mark.parametrize("spec", [short(name) for name in (
    "carcassonne", "settlers_of_zarahemla", "risiko", "attila", "a_few_acres_of_snow", "leduc_poker",
    "phantom_tic_tac_toe")])
def test_moves_and_seats_may_be_numbers_of_numpy(spec: str) -> None:
    state, rng = sfida.make(spec), Random(2)
    game: Any = state.game
    for _ in range(60):
        if state.is_over:
            break
        moves = state.legal_moves()
        move = moves[rng.below(len(moves))]
        number, seat = np.uint64(move), np.int64(0)
        assert state.format(number) == state.format(move)
        assert game.describe_move(state, number) == game.describe_move(state, move)
        assert state.view(seat).key() == state.view(0).key()
        assert state.label(seat) == state.label(0)
        assert game.observation(state, seat) == game.observation(state, 0)
        twin = state.clone()
        twin.apply(number)
        state.apply(move)
        assert twin == state


def test_fractions_of_numpy_are_numbers() -> None:
    for kind in (np.float16, np.float32, np.float64):
        assert sfida.agent("ismcts", seconds=kind(0.5), c=kind(2)).spec == "ismcts:seconds=0.5,c=2"
        assert sfida.agent("level", level=kind(2.5)).spec == "level:2.5"
    for wrong in (np.float64("nan"), np.float32("inf"), np.float64(1e300)):
        with pytest.raises(sfida.InvalidOption):
            sfida.agent("ismcts", seconds=wrong)
        with pytest.raises(sfida.InvalidOption):
            sfida.tournament("tic_tac_toe", ["random", "greedy"], 4, seed=1, limit=wrong, backend="threading")
