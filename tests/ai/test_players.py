"""Agents without Python decide exactly as the agents at a table do: whole games are the same, move by move."""

from __future__ import annotations

import pytest

import sfida
from sfida.ai.agent import seating_of
from sfida.ai.arena.backends import portable
from sfida.ai.arena.player import SIZE, Company, GameRequest, Heartbeat, Lineup, Surroundings, play_game
from sfida.ai.chance import SeededChance
from sfida.ai.registry import agent
from sfida.ai.research.batch import batch
from sfida.ai.table import play
from sfida.cython_ext.rng import derive
from sfida.engines.registry import make_game

# Each game with several numbers of players, and agents whose options lead through every branch of a decision.
TABLES = [
    ("carcassonne", ["ismcts:iterations=30", "greedy"]),
    ("carcassonne:river=true", ["ismcts:iterations=30,final=sample,reuse=false", "random"]),
    ("carcassonne", ["ismcts:iterations=40,endgame=20000,endgame_pace=0", "ismcts:iterations=20,early_stop=false"]),
    ("carcassonne:players=3", ["ismcts:iterations=30,decisive=false,priors=false", "level:2",
                               "greedy:knowledge=learned"]),
    ("attila:players=2", ["ismcts:iterations=30", "greedy:worlds=3"]),
    ("attila:players=4", ["mo-ismcts:iterations=20", "random", "level:4", "greedy:knowledge=hand"]),
    ("a_few_acres_of_snow", ["ismcts:iterations=30", "mo-ismcts:iterations=20,bids=ucb"]),
    ("a_few_acres_of_snow", ["level:iterations=30, sight=4", "ismcts:iterations=20,final=visits"]),
    ("a_few_acres_of_snow", ["level:3/raider", "level:6/general"]),
    ("carcassonne", ["level:5/builder", "level:iterations=20/farmer"]),
    ("settlers_of_zarahemla:players=3", ["ismcts:iterations=15", "greedy", "random"]),
    ("settlers_of_zarahemla:players=2", ["mo-ismcts:iterations=15,knowledge=hand", "level:3"]),
    ("risiko:players=3", ["ismcts:iterations=15", "greedy", "random"]),
    ("risiko:players=4", ["mo-ismcts:iterations=10", "level:2", "greedy", "random"]),
]


@pytest.mark.parametrize(("game", "agents"), TABLES, ids=lambda part: part if isinstance(part, str) else "-".join(part))
def test_a_batch_plays_the_games_of_a_table(game: str, agents: list[str]) -> None:
    games = batch(game, agents, 3, seed=6, threads=2)
    for number in range(2):
        codes: list[int] = []
        record = play(game, agents, derive(6, number), on_event=lambda event, codes=codes: codes.append(event.code))
        first, last = games.starts[number], games.starts[number + 1]
        assert games.moves[first:last].tolist() == codes
        assert record.result is not None
        assert tuple(games.shares[number]) == record.result.utilities
        assert tuple(games.scores[number]) == record.result.scores


@pytest.mark.parametrize(("spec", "without"), [
    ("random", True), ("greedy", True), ("ismcts:iterations=10", True), ("mo-ismcts", True), ("level:4", True),
    ("ismcts:seconds=0.01", False), ("ismcts:iterations=10,seconds=0.01", False), ("ismcts:clock=10+1", False),
    ("ismcts:iterations=10,threads=2", False), ("ismcts:iterations=10,beliefs=20", False),
    ("pimc:iterations=10", False), ("flat:iterations=10", False), ("human", False),
])
def test_agents_whose_decisions_need_python_have_no_player(spec: str, without: bool) -> None:
    game = make_game("attila:players=2")
    assert (seating_of(game, [agent(spec), agent("random")]) is not None) == without


def test_games_in_python_and_other_agents_keep_the_table() -> None:
    class Own(type(agent("random"))):                           # type: ignore[misc]
        """An agent that inherits from one of Sfida's own."""

    assert seating_of(make_game("tic_tac_toe"), [agent("random"), agent("random")]) is None
    assert seating_of(make_game("carcassonne"), [Own(), agent("random")]) is None


@pytest.mark.parametrize(("game", "options"), [
    ("carcassonne", {"river": True}), ("carcassonne", {"first_player": "random"}), ("attila", {}),
    ("a_few_acres_of_snow", {}), ("risiko", {}), ("settlers_of_zarahemla", {})])
def test_every_source_of_luck_has_its_number(game: str, options: dict) -> None:
    try:
        engine = make_game(game, **options)
    except sfida.InvalidOption:
        pytest.skip("no such option")
    state, source = engine.initial_state(), SeededChance(5)
    named, drawn = set(), dict.fromkeys(engine.chance_sources, 0)
    while not state.is_over:
        if state.is_chance:
            name = engine.chance_source(state)
            assert engine.chance_sources[state.source_number] == name
            named.add(name)
            drawn[name] += 1
            state.apply(source.draw(state))
        else:
            state.apply(state.legal_moves()[0 if len(state.legal_moves()) < 3 else len(drawn) % 3])
        if sum(drawn.values()) > 200:
            break
    assert named


def played(tmp_path, game: str, agents: list[str], request: GameRequest, *, python: bool, limit: float = 60.0):
    engine = make_game(game)
    lineup = Lineup(portable(engine), tuple(agents), tuple(agents), limit, analyses=False)
    company = Company(lineup)
    if python:
        company.seating = lambda *_: None                       # type: ignore[method-assign,assignment,return-value]
    page = tmp_path / "page"
    page.write_bytes(bytes(SIZE))
    with Heartbeat(page) as heartbeat:
        reply = play_game(engine, company, request, heartbeat, Surroundings())
        return reply, heartbeat.moves()


@pytest.mark.parametrize(("game", "agents"), [
    ("carcassonne", ["ismcts:iterations=20", "greedy"]), ("risiko:players=3", ["level:2", "random", "random"]),
    ("a_few_acres_of_snow", ["mo-ismcts:iterations=10", "random"])])
def test_a_tournament_plays_the_games_of_a_table(tmp_path, game: str, agents: list[str]) -> None:
    request = GameRequest(tuple(range(len(agents))), seed=2**100 + 7, luck=2**90 + 1)
    (fast, noted), (slow, also) = (played(tmp_path, game, agents, request, python=python) for python in (False, True))
    assert fast.record == slow.record
    assert fast.record.to_json() == slow.record.to_json()
    assert (fast.scores, fast.decisions, fast.forfeit) == (slow.scores, slow.decisions, None)
    assert noted == also
    assert len(fast.move_seconds) == len(slow.move_seconds) == len(fast.record.moves)
    assert sum(fast.seconds) == pytest.approx(sum(fast.move_seconds), abs=1e-3)
    assert all(seconds == 0.0 for ply, seconds in enumerate(fast.move_seconds) if ply in (fast.record.chance or ()))


def test_a_slow_decision_without_python_is_forfeited_like_any_other(tmp_path) -> None:
    agents = ["ismcts:iterations=3000,early_stop=false", "random"]
    fast, slow = (played(tmp_path, "carcassonne", agents, GameRequest((0, 1), 3, 4), python=python, limit=1e-4)[0]
                  for python in (False, True))
    assert fast.record == slow.record
    assert fast.forfeit == slow.forfeit
    assert fast.forfeit is not None
    assert (fast.forfeit.kind, fast.decisions) == ("overtime", slow.decisions)


def test_the_same_agent_may_take_several_seats(tmp_path) -> None:
    request = GameRequest((0, 0), 5, 6)
    fast, slow = (played(tmp_path, "carcassonne", ["ismcts:iterations=10"], request, python=python)[0]
                  for python in (False, True))
    assert fast.record == slow.record


