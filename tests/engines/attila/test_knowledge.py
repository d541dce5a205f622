"""The knowledge of Attila for the search: win shares, priors, certain wins, and unpredictable commitments."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations_with_replacement
from math import exp

import pytest

import sfida
from sfida.ai.beliefs import BeliefOptions, ParticleFilter
from sfida.ai.chance import SeededChance
from sfida.ai.seat import observations
from sfida.cython_ext.attila.core import AttilaState
from sfida.cython_ext.rng import Random
from sfida.engines.attila.position import LETTERS
from sfida.engines.attila.tables import WEIGHTS, build_rules
from sfida.engines.registry import make_game
from support.attila import land_of, play, setup, start
from support.attila_conflicts import CONFLICTS, learned
from support.features import decisions, features_of
from support.playing import deal
from support.worth import check_worth

GREEDY = "greedy"


def share(state: AttilaState, seat: int = 0) -> float:
    """Return the win share of a seat."""
    evaluation = state.evaluation()
    assert evaluation is not None
    return float(evaluation[0][seat])


def chosen(state: AttilaState, agent: str = GREEDY, seed: int = 1) -> str:
    """Return the text of the move that an agent plays."""
    return str(state.format(sfida.agent(agent, seed=seed).choose(state.view(state.to_move))))


def duel(board: str, influence: Mapping[str, int], hands: tuple[str, ...] = ("FFHHGG", "SSTTVV"),
         **more: object) -> AttilaState:
    """Return a position of two players without tiles."""
    return setup(board, hands, players=2, influence=influence, tiles=("", ""), **more)  # type: ignore[arg-type]


# ---- win shares -------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["attila:players=2", "attila:players=5",
                                  "attila:players=3,open_commitments=true,tile_windows=every_decision"])
def test_shares_and_priors_in_whole_games(spec: str) -> None:
    assert check_worth(make_game(spec).initial_state(), sfida.agent(GREEDY, seed=3)) > 100


def test_the_evaluation_reads_no_hand() -> None:
    state = deal(start(players=4), Random(5))
    shares = state.evaluation()
    assert all(state.view(i).sample(Random(i)).evaluation() == shares for i in range(4))


def test_weights_can_be_overridden() -> None:
    state = duel("GER:FF RAE:H", {"0.F": 2, "1.H": 1})
    game = state.game
    rules = build_rules(land_of(state), game.options, (("later", 0.0),))        # type: ignore[attr-defined]
    twin = AttilaState(game, rules)
    twin.load(state.to_bytes())
    assert share(twin) != pytest.approx(share(state))
    with pytest.raises(ValueError, match="unknown weights: \\['latter'\\]"):
        build_rules(land_of(state), game.options, (("latter", 1.0),))               # type: ignore[attr-defined]


@pytest.mark.parametrize(("worse", "better"), [
    (("GER:FFFH", {"0.F": 3}), ("GER:FFFH", {"0.F": 3, "0.H": 1})),
    (("GER:F", {"0.F": 3}), ("GER:FFF", {"0.F": 3})),
    (("GER:F", {"0.F": 3, "1.F": 3}), ("GER:F", {"0.F": 4, "1.F": 3})),
])
def test_shares_know_what_is_good(worse: tuple[str, dict[str, int]], better: tuple[str, dict[str, int]]) -> None:
    """The better position has one more step, one more token of its own tribe, or first place instead of a tie."""
    assert share(duel(*worse)) < share(duel(*better))


@pytest.mark.rule("ATT-7.4")
def test_tokens_at_peace_are_safe() -> None:
    """Two Franks that three Huns would drive out are worth less than two that no tribe can drive out."""
    influence = {"0.F": 4, "1.S": 4}
    risk = duel("GER:FHHH RAE:SS", influence, used=1)
    safe = duel("GER:FHHH RAE:SS", influence, used=1, pacified="GER")
    assert share(safe) > share(risk)


@pytest.mark.rule("ATT-12.4")
def test_two_players_are_paid_within_two_spaces() -> None:
    """In the last scoring, a lead of three spaces takes the other seat's provinces away."""
    near, far = (duel("GER:F RAE:F NOR:F PAN:F", {"0.F": lead, "1.F": 10}, used=9) for lead in (12, 13))
    assert share(far) - share(near) > 0.03


@pytest.mark.rule("ATT-9.2")
def test_an_unused_tile_is_worth_something() -> None:
    with_tile, without = (setup("GER:F", players=3, influence={"0.F": 1}, tiles=(row, "", "")) for row in ("I", ""))
    assert share(with_tile) > share(without)


# ---- features ---------------------------------------------------------------------------------------

PARTS = ("points", "sure", "next_firsts", "next_seconds", "later_firsts", "later_seconds", "double_turn", "exchange",
         "influence_2", "short", "turn")
SHARED = ("peace", "rest", "ending", "supply")


def kept(tokens: str, later: bool) -> float:
    """Return the expected number of a province's tokens at the next scoring, or at a later one, by the evaluation."""
    counts = sorted(tokens.count(tribe) for tribe in set(tokens))
    fight = {1: WEIGHTS["fight_few"], 2: WEIGHTS["fight_few"], 3: WEIGHTS["fight_three"],
             4: WEIGHTS["fight_four"]}[len(tokens)]
    if later:
        fight += (1.0 - fight) * WEIGHTS["fight_later"]
    weakest = 0.85 if counts.count(counts[0]) == 1 else WEIGHTS["lose_tied"]
    lose = {0: weakest, 1: WEIGHTS["lose_near"], 2: WEIGHTS["lose_far"]}
    return sum(n * (1.0 - fight * lose.get(n - counts[0], 0.3 * WEIGHTS["lose_far"])) for n in counts)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_tokens_count_by_the_chance_that_they_survive(size: int) -> None:
    """For every multiset of tokens in a province: tokens at peace are safe, otherwise the weakest leave first."""
    influence = {f"0.{tribe}": 20 for tribe in LETTERS}     # every tribe pays the same

    def firsts(board: str, **more: str) -> tuple[float, float]:
        row = features_of(setup(board, players=2, influence=influence, **more))[0]
        return row["next_firsts"], row["later_firsts"]

    bare = firsts("")
    for tokens in map("".join, combinations_with_replacement(LETTERS, size)):
        safe, shaky = firsts(f"GER:{tokens}", pacified="GER"), firsts(f"GER:{tokens}")
        for k in range(2):
            share = (shaky[k] - bare[k]) / (safe[k] - bare[k])
            assert share == pytest.approx(kept(tokens, later=k == 1) / size), tokens


def rotated(state: AttilaState) -> AttilaState:
    """Return the start of a turn with each seat in the place of the one before it; only public information agrees."""
    seen, n = state.snapshot(), state.players
    seats = [seen["seats"][(i - 1) % n] for i in range(n)]
    twin = state.clone()
    twin.arrange(seen["tokens"], [state.hand((i - 1) % n) for i in range(n)], peace_used=10 - sum(seen["peace"]),
                 pacified=[i for i, at_peace in enumerate(seen["pacified"]) if at_peace],
                 influence=[seat["influence"] for seat in seats], supply=seen["supply"], discards=seen["discards"],
                 active=(seen["seat_on_turn"] + 1) % n, scores=[seat["score"] for seat in seats],
                 tiles=[seat["tiles"] for seat in seats], turn=seen["turn"])
    return twin


@pytest.mark.parametrize("players", [2, 4])
def test_features_add_up_to_the_evaluation(players: int) -> None:
    """The parts add up to the expected points; `worth` alone gives the win shares."""
    for state in decisions(start(players=players), sfida.agent(GREEDY, seed=3), 5):
        shares, points = state.evaluation()
        rows = features_of(state)
        assert [sum(row[name] for name in PARTS) for row in rows] == pytest.approx(points)
        powers = [exp(row["worth"]) for row in rows]
        assert [power / sum(powers) for power in powers] == pytest.approx(shares)


@pytest.mark.parametrize("players", [2, 4])
def test_features_treat_all_seats_alike(players: int) -> None:
    turns = 0
    for state in decisions(start(players=players), sfida.agent(GREEDY, seed=3), 1):
        if state.phase == "play" and not state.snapshot()["ending"]:
            twin = rotated(state)
            turns += 1
            for viewer in (-2, -1, 0, players - 1):
                moved = viewer if viewer < 0 else (viewer + 1) % players
                for seat in range(players):
                    there = twin.features((seat + 1) % players, moved)
                    assert there == pytest.approx(state.features(seat, viewer))
    assert turns > 10


def test_features_say_where_a_seat_stands() -> None:
    state = setup("GER:FFF RAE:FF PAN:H", ("FFFHHG", "SSTTVV"), players=2, used=4, scores=(7, 3), pacified="RAE",
                  tiles=("DX", "I"), influence={"0.F": 6, "0.H": 2, "0.G": 1, "1.F": 3, "1.H": 2, "1.S": 9})
    mine, other = features_of(state, 0)
    assert (mine["points"], mine["ahead"], other["ahead"]) == (7, 4, -4)
    assert (mine["firsts"], mine["ties"], other["firsts"], other["ties"]) == (2, 1, 1, 1)
    assert (mine["influence"], other["influence"], mine["top"], other["top"]) == (9, 14, 6, 9)
    assert mine["double_turn"] > 0.0 == mine["influence_2"]
    assert mine["safe"] > other["safe"] > 0.0
    assert mine["held"] > features_of(state)[0]["held"]
    assert all(mine[name] == other[name] for name in SHARED)
    assert (mine["wait"], other["wait"]) == (0.0, 0.5)


# ---- moves ------------------------------------------------------------------------------------------


def last_conflict(mine: str, other: str, scores: tuple[int, int, int] = (40, 40, 40)) -> AttilaState:
    """Return a position of three, before the tenth peace tile, with the Franks and Goths led by two seats."""
    return setup("GER:FFFH RAE:FFG NOR:GGG DAC:FG", ("FFFFFF", "SSTTVV", "SSTTVV"), players=3, used=9,
                 influence={f"{mine}.F": 14, f"{mine}.G": 14, f"{other}.F": 2, f"{other}.S": 9}, tiles=("", "", ""),
                 scores=scores, pacified="RAE NOR DAC")


@pytest.mark.rule("ATT-8.1")
def test_the_conflict_that_pays_is_begun_and_no_other() -> None:
    """The tenth peace tile ends the game in favour of the seat that leads in Franks and Goths."""
    assert chosen(play(last_conflict("0", "1"), "F")) == "@GER"
    assert chosen(play(last_conflict("1", "0"), "F")) != "@GER"


@pytest.mark.rule("ATT-6.7")
def test_the_own_tribe_is_defended() -> None:
    """Two cards save Franks that pay much; without a stake no card is laid."""
    rich = duel("GER:FFHH", {"0.F": 9, "1.H": 9}, ("FFGGGH", "SSTTVV"), used=8)
    play(rich, "H@GER+4")
    assert chosen(rich) == ":F"
    poor = duel("GER:SSVV", {"0.F": 9, "1.H": 9}, ("SSGGGV", "HHTTFF"), used=8)
    play(poor, "V@GER+4")
    assert chosen(poor) == "done"


@pytest.mark.rule("ATT-9.9")
def test_influence_2_takes_a_place_before_the_final_scoring() -> None:
    state = setup("GER:FFHH RAE:FFF NOR:FFF", ("GVVVVV", "SSTTHH"), players=2, used=9,
                  influence={"0.F": 9, "1.F": 10}, tiles=("I", ""))
    play(state, "G@GER+4", "nobody", "V@DAC+4")
    assert chosen(state) == "*I"
    play(state, "*I")
    assert chosen(state) == "I:F"


def test_a_won_game_is_ended() -> None:
    """A seat with a certain lead ends the turn: a certain win is the only move considered."""
    state = duel("GER:FFHH", {"0.F": 9}, ("GVVVVV", "SSTTHH"), used=9, scores=(40, 10))
    play(state, "G@GER+4", "nobody", "V@DAC+4")
    assert state.phase == "end"
    found = sfida.agent("ismcts:iterations=50", seed=1).analyze(state.view(0))
    assert found.best.code == state.parse("end")


@pytest.mark.parametrize("agent", ["ismcts:iterations=400", "mo-ismcts:iterations=400"])
def test_a_search_finds_the_winning_conflict(agent: str) -> None:
    """The final scoring now wins the game; later the tribes of others will have grown."""
    state = last_conflict("0", "1", (30, 36, 36))
    assert chosen(play(state, "F"), agent) == "@GER"


@pytest.mark.parametrize(("players", "games"), [(2, 6), (5, 5)])
def test_greedy_beats_random(players: int, games: int) -> None:
    """It wins all of 40 such games of either kind."""
    for seed in range(games):
        state, luck, me = start(players=players), SeededChance(seed), seed % players
        agents = [sfida.agent(GREEDY if i == me else "random", seed=10 * seed + i) for i in range(players)]
        while not state.is_over:
            state.apply(luck.draw(state) if state.is_chance
                        else agents[state.to_move].choose(state.view(state.to_move)))
        assert state.utilities()[me] == 1.0


# ---- commitments ------------------------------------------------------------------------------------


@pytest.mark.rule("ATT-6.5")
def test_drawn_commitments_are_harder_to_exploit() -> None:
    """With one of two cards, an agent's likeliest move always loses to an opponent that knows it."""
    tree = CONFLICTS["one of two cards"].tree()
    mixed, pure = learned(tree, "mo-ismcts:iterations=600", 1)
    assert tree.exploitability(pure) > 0.9
    assert tree.exploitability(mixed) < 0.75
    assert tree.exploitability(mixed) < tree.exploitability(pure) - 0.3


@pytest.mark.rule("ATT-6.5")
def test_commitments_have_a_strategy() -> None:
    state = CONFLICTS["unequal prizes"].state()
    found = sfida.agent("mo-ismcts:iterations=200", seed=1).analyze(state.view(0))
    assert sum(row.strategy for row in found.moves) == pytest.approx(1.0)
    play(state, ":F", "done")
    found = sfida.agent("mo-ismcts:iterations=200", seed=1).analyze(state.view(1))
    assert sum(row.strategy for row in found.moves) == pytest.approx(1.0)


# ---- beliefs ----------------------------------------------------------------------------------------


@pytest.mark.release_only("thousands of moves of sampled worlds, each recounted")
def test_beliefs_lean_to_what_plays_tell() -> None:
    """Over four games of greedy players the belief's expected hand is nearer the truth than that of the log alone.

    The errors are 2.5 to 7 squared cards; over eight games the error of the belief was a fifth smaller.
    """
    belief, plain = 0.0, 0.0
    for seed in range(4):
        state, luck, player = start(players=2), SeededChance(seed), sfida.agent(GREEDY, seed=seed)
        codes = []
        while len(codes) < 100:
            codes.append(luck.draw(state) if state.is_chance else player.choose(state.view(state.to_move)))
            state.apply(codes[-1])
        found = ParticleFilter(0, BeliefOptions(fresh=0.0), seed)
        for event in observations(make_game("attila:players=2"), codes, 0):
            found.observe(event)
        view, truth, rng = state.view(0), state.hand(1), Random(seed)
        for worlds, add in ((found.worlds(view, 100, rng), True), ([view.sample(rng) for _ in range(100)], False)):
            assert all(world.view(0).key() == view.key() for world in worlds)
            mean = [sum(world.hand(1)[i] for world in worlds) / len(worlds) for i in range(6)]
            error = sum((x - y) ** 2 for x, y in zip(mean, truth, strict=True))
            belief, plain = (belief + error, plain) if add else (belief, plain + error)
    assert belief < plain


def test_an_agent_plays_with_beliefs() -> None:
    state, luck, other = start(players=3), SeededChance(2), sfida.agent(GREEDY, seed=2)
    agent = sfida.agent("ismcts:iterations=60,beliefs=32", seed=2)
    seen, told, codes = 0, 0, []
    while seen < 12:
        if state.is_chance:
            codes.append(luck.draw(state))
        elif state.to_move == 0:
            for event in list(observations(make_game("attila:players=3"), codes, 0))[told:]:
                agent.observe(event)
                told += 1
            move = agent.choose(state.view(0))
            assert move in state.legal_moves()
            codes.append(move)
            seen += 1
        else:
            codes.append(other.choose(state.view(state.to_move)))
        state.apply(codes[-1])


@pytest.mark.parametrize(("options", "points"), [("", [6, 6, 0]), ("scoring_after_trigger=replaced", [3, 3, 0])])
def test_a_century_over_after_the_end_was_triggered_is_expected_twice(options: str, points: list[int]) -> None:
    """The century is scored and then the game, as the search expects (ATT-11.6)."""
    state = setup("GER:FFHH", ["GGHHSS"], used=5, influence={"0.G": 20, "0.F": 3, "1.H": 5}, options=options)
    play(state, "G@GER+3", "nobody")
    assert state.evaluation()[1] == pytest.approx(points)
    play(state, *(["score"] if state.phase == "prescore" else []))
    assert state.evaluation()[1] == pytest.approx(points)
    assert play(state, "end").scores() == points
