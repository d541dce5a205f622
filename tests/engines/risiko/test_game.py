"""RisiKo! under search, in long games, and as an engine, beyond the rules themselves."""

from __future__ import annotations

import pytest

import sfida
from sfida.ai.research.profiling import bench
from sfida.cython_ext.rng import Random, derive
from sfida.engines.registry import make_game
from support.playing import deal, play
from support.risiko import setup, start, step


@pytest.mark.parametrize("agent", ["ismcts", "mo-ismcts", "pimc:worlds=5", "flat"])
def test_search_plays(agent: str) -> None:
    """The search plays in every phase in which a player decides."""
    options = ("," if ":" in agent else ":") + "iterations=20"
    player, seen = sfida.agent(agent + options, seed=1), set()
    positions = [
        deal(start(players=3), Random(1)),
        setup("b CIN 9 EU | g MOR 3 | n *", hands=["ALK QUE PER"], phase="turn_start"),
        setup("b CIN 9 EU | g MOR 3 | n *", phase="place", left=9), setup("b CIN 9 EU | g MOR 3 SIA | n *"),
        play(setup("b CIN 9 EU | g MOR 3 SIA | n *"), "CIN>>MOR"),
        play(setup("b CIN 9 EU | g MOR SIA | n *"), "CIN>MOR 3", "-0-1"),
        setup("b UCR 5 EUM | g MOR | n *", phase="fortify"), play(start("risiko:choose_colors=true"), "#first=1"),
    ]
    for state in positions:
        seen.add(state.phase)
        assert player.choose(state.view(state.to_move)) in state.legal_moves()
    assert seen == {"setup_place", "trade", "place", "attack", "defend", "occupy", "fortify", "colors"}


@pytest.mark.parametrize("spec", [
    "risiko:players=3", "risiko:players=6", "risiko:preset=tournament,players=4", "risiko:preset=rtu,players=5"])
def test_long_games(spec: str) -> None:
    """Positions are recounted during the game, and so are the worlds of every seat, which are also continued."""
    state, rng = start(spec), Random(derive(5, len(spec)))
    phases = set()
    for ply in range(1500):
        if state.is_over:
            break
        phases.add(state.phase)
        if ply % 50 == 0:
            state.verify()
            for seat in range(state.players):
                twin = state.view(seat).sample(rng)
                twin.verify()
                for _ in range(20):
                    if not twin.is_over:
                        step(twin, rng)
                twin.verify()
                twin.random_playout(rng)
                assert twin.is_over
        step(state, rng)
    assert {"setup_place", "place", "attack", "chance_roll", "occupy", "fortify", "draw"} <= phases


def test_playouts_with_and_without_a_policy() -> None:
    """A policy that is used only sometimes does not change where a playout may end."""
    state, rng = deal(start(players=4), Random(3)), Random(4)
    for informed in (0, 50, 100):
        twin = state.clone()
        shares, _ = twin.random_playout(rng, -1, informed)
        assert twin.is_over
        assert sum(shares) == pytest.approx(1.0)


def test_bench_counts_the_decisions_of_playouts() -> None:
    found = bench(make_game("risiko:players=4"), seconds=0.05)
    assert 800 < found["moves_per_playout"] < 2200
    assert found["state_bytes"] <= 1024
    assert found["ns_per_move"] < 5000


def test_short_names_of_seats() -> None:
    game = make_game("risiko:players=6")
    assert [game.seat_name(i) for i in range(6)] == ["blue", "yellow", "black", "red", "green", "purple"]
    assert make_game("risiko:choose_colors=true").seat_name(1) == "seat 1"
    assert game.spec() == "risiko:players=6"
    assert make_game("risiko:preset=rtu,round_limit=9").spec() == "risiko:preset=rtu,round_limit=9"


def test_decisions_left_fall() -> None:
    game = make_game("risiko:round_limit=20")
    early = setup("b CIN EU | g MOR | n *", options="round_limit=20", round_=5)
    late = setup("b CIN EU | g MOR | n *", options="round_limit=20", round_=20)
    assert game.decisions_left(early, 0) > game.decisions_left(late, 0) >= 10


@pytest.mark.rule("RIS-14.2")
def test_who_is_asked_without_a_set_is_told_and_nobody_else() -> None:
    """Only the holder of the cards is shown the possible answers; the others see the same text without a set."""
    board = "b CIN 9 EU | g MOR | n *"
    none, some = (setup(board, hands=[hand], phase="turn_start") for hand in ("ALK ALB GRO ONT", "ALK ALB SUO ONT"))
    own = [state.game.status_text(state, seat=0).splitlines()[-1] for state in (none, some)]
    assert own == ["Round 5. Blue is asked for a set, holds none, and continues with '='; the others are not told.",
                   "Round 5. Blue may trade three cards for armies, besides the 7 to place."]
    for seat in (1, 2, None):
        assert none.game.status_text(none, seat=seat) == some.game.status_text(some, seat=seat)
    assert none.parse("=") in none.legal_moves()
