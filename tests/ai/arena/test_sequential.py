"""The sequential test: its hypotheses, its end, its error rates."""

import dataclasses
import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfida.ai.arena.bootstrap import Tally
from sfida.ai.arena.schedule import Setup
from sfida.ai.arena.sequential import (
    FEWEST_BLOCKS, Sprt, SprtOptions, cap_blocks, check_setup, decided_after, expected_blocks, expected_share, llr_path,
    sprt_state
)
from sfida.cython_ext.errors import InvalidOption


def setup_of(players=2, agents=2, mode="gauntlet", mirror=False):
    names = tuple("abcdef"[:agents])
    return Setup("simulated", 1, players, names, 1000, 1, mode, mirror)


def tally_of(shares, copies, players, missing=()):
    """Return blocks in which the first agent's seats have these mean shares, the same in every game."""
    shares, copies = np.asarray(shares, float), np.asarray(copies)
    number = np.array([index for index in range(len(shares)) if index not in missing])
    agent = np.zeros((len(number) * players, players), int)
    utility = np.zeros(agent.shape)
    for row, index in enumerate(number):
        for turn in range(players):
            game = row * players + turn
            first = np.roll(np.arange(players) < copies[index], turn)
            agent[game] = ~first
            utility[game] = np.where(first, shares[index], (1 - copies[index] * shares[index])
                                     / max(players - copies[index], 1))
    games, size = len(agent), (len(agent), players)
    return Tally(blocks=len(number), loose=0, block=np.repeat(np.arange(len(number)), players), number=number,
                 agent=agent, utility=utility, rank=1.0 + (utility < utility.max(axis=1, keepdims=True)),
                 score=np.zeros(size), decisions=np.ones(size), seconds=np.ones(size), wall=np.ones(games),
                 plies=np.ones(games, int), forfeit=np.full(games, -1))


# ---- options ------------------------------------------------------------------------------------------


def test_options_are_read_from_the_command_line():
    assert SprtOptions.parse("") == SprtOptions(0.0, 35.0, 0.05, 0.05)
    assert SprtOptions.parse(" elo0 = -5 , elo1=12.5,beta=.1") == SprtOptions(-5.0, 12.5, 0.05, 0.1)
    assert SprtOptions.parse(str(SprtOptions(-5.0, 12.5, 0.01, 0.1))) == SprtOptions(-5.0, 12.5, 0.01, 0.1)


@pytest.mark.parametrize(("text", "words"), [
    ("elo0=35,elo1=35", "'elo0' of the sequential test must be below 'elo1', not 35 with elo1=35"),
    ("elo1=-1", "must be below"),
    ("alpha=0.5", "'alpha' of the sequential test must be above 0 and below 0.5, not 0.5"),
    ("beta=0", "'beta' of the sequential test must be above 0"),
    ("elo1=2000", "'elo1' of the sequential test must be a number from -1000 to 1000, not"),
    ("elo2=3", "unknown option 'elo2' of the sequential test; did you mean"),
    ("elo0", "is not key=value"),
    ("elo0=much", "must be a number"),
])
def test_wrong_options_are_named_in_one_line(text, words):
    with pytest.raises(InvalidOption, match=words) as error:
        SprtOptions.parse(text)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("options", [{"alpha": 0.7}, {"beta": math.nan}, {"elo0": math.nan}, {"elo1": math.inf}])
def test_wrong_options_are_refused_from_python_too(options):
    with pytest.raises(InvalidOption):
        SprtOptions(**options)


def test_bounds_are_walds():
    assert SprtOptions().bounds == pytest.approx((-2.944, 2.944), abs=0.001)
    assert SprtOptions(alpha=0.01, beta=0.1).bounds == pytest.approx((math.log(0.1 / 0.99), math.log(0.9 / 0.01)))


@pytest.mark.parametrize(("elo", "copies", "players", "share"), [
    (0, 1, 4, 0.25), (0, 3, 4, 0.25), (35, 1, 2, 0.5502), (35, 1, 4, 0.2896), (400, 1, 2, 10 / 11),
    (400, 3, 4, 10 / 31)])
def test_shares_follow_from_the_lead(elo, copies, players, share):
    assert expected_share(elo, copies, players) == pytest.approx(share, abs=1e-4)


@pytest.mark.parametrize("setup", [setup_of(4, 5), setup_of(4, 2, mirror=True), setup_of(2, 2, "round-robin"),
                                   setup_of(5, 2, "round-robin")])
def test_a_first_agent_against_the_others_can_be_tested(setup):
    check_setup(setup)
    assert cap_blocks(setup, SprtOptions()) == 4 * expected_blocks(setup, SprtOptions())


def test_a_round_robin_of_three_cannot():
    with pytest.raises(InvalidOption, match="two agents or mode=gauntlet, not a round-robin of 3"):
        check_setup(setup_of(3, 3, "round-robin"))
    with pytest.raises(InvalidOption):
        sprt_state(tally_of([0.5], [1], 2), setup_of(2, 3, "round-robin"), SprtOptions())


# ---- the steps to the verdict -------------------------------------------------------------------------


def test_the_ratio_is_the_formulas():
    rng = np.random.default_rng(3)
    shares = rng.integers(0, 5, 60) / 4
    m0, m1 = 0.25, expected_share(35, 1, 4)
    coin = shares.mean() * (1 - shares.mean())
    variance = shares.var() * (m0 + m1) / 2 * (1 - (m0 + m1) / 2) / coin
    expected = ((m1 - m0) * (2 * shares - m0 - m1)).sum() / (2 * variance)
    assert llr_path(shares, np.ones(60, int), 4, SprtOptions())[-1] == pytest.approx(expected)


def test_block_by_block_is_the_same_as_all_at_once():
    rng = np.random.default_rng(5)
    options = SprtOptions(elo0=-10, elo1=20)
    copies = np.where(rng.random(400) < 0.4, 3, 1)
    shares = rng.binomial(4, 0.27, 400) / 4 / copies
    path = llr_path(shares, copies, 4, options)
    test = Sprt(options, 4)
    for index in range(400):
        verdict = test.add(float(shares[index]), int(copies[index]))
        assert test.llr == path[index]
        if verdict != "undecided":
            break
    assert test.blocks == (decided_after(path, options) or 400)


def test_the_start_decides_whatever_is_played_later():
    rng = np.random.default_rng(6)
    options = SprtOptions()
    shares = rng.binomial(2, 0.7, 300) / 2
    path = llr_path(shares, np.ones(300, int), 2, options)
    end = decided_after(path, options)
    assert end is not None
    assert end < 150
    assert decided_after(path[:end - 1], options) is None
    assert decided_after(path[:end], options) == end
    states = [sprt_state(tally_of(shares[:blocks], np.ones(blocks, int), 2), setup_of(), options)
              for blocks in (end, end + 1, 300)]
    assert states[0] == states[1] == states[2]
    assert (states[0].verdict, states[0].blocks, states[0].fraction) == ("H1", end, 1.0)
    before = sprt_state(tally_of(shares[:end - 1], np.ones(end - 1, int), 2), setup_of(), options)
    assert before.verdict == "undecided"
    assert 0 < before.fraction < 1


def test_nothing_counts_beyond_a_missing_block():
    shares = np.full(100, 1.0)
    state = sprt_state(tally_of(shares, np.ones(100, int), 2, missing=(20, 60)), setup_of(), SprtOptions())
    assert (state.blocks, state.verdict) == (20, "undecided")
    state = sprt_state(tally_of(shares, np.ones(100, int), 2, missing=(60,)), setup_of(), SprtOptions())
    assert (state.blocks, state.verdict) == (FEWEST_BLOCKS, "H1")


@pytest.mark.parametrize(("share", "verdict"), [(1.0, "H1"), (0.0, "H0"), (0.5, "H0"), (0.6, "H1")])
def test_blocks_that_all_agree_decide_for_the_nearer_hypothesis(share, verdict):
    path = llr_path(np.full(200, share), np.ones(200, int), 2, SprtOptions())
    assert np.isfinite(path).all()
    end = decided_after(path, SprtOptions())
    assert FEWEST_BLOCKS <= end <= 40
    assert (path[end - 1] > 0) == (verdict == "H1")


def test_before_the_first_block_nothing_is_said():
    state = sprt_state(tally_of([], [], 3), setup_of(3), SprtOptions())
    assert (state.llr, state.fraction, state.blocks, state.verdict) == (0, 0, 0, "undecided")


@pytest.mark.parametrize(("share", "options", "words"), [
    (1.0, SprtOptions(),
     r"a is stronger than b: a lead of 35 Elo is accepted over 0 \(LLR [0-9.]+ of 2.94 after 30 blocks\)"),
    (0.0, SprtOptions(),
     r"a is not stronger than b: a lead of 0 Elo is accepted over 35 \(LLR -[0-9.]+ of -2.94 after 30 blocks\)"),
    (1.0, SprtOptions(-20, 0), r"a is not weaker than b: a lead of 0 Elo is accepted over -20 .*"),
    (0.0, SprtOptions(-20, 0), r"a is weaker than b: a lead of -20 Elo is accepted over 0 .*"),
])
def test_the_verdict_in_words(share, options, words):
    state = sprt_state(tally_of(np.full(40, share), np.ones(40, int), 2), setup_of(), options)
    assert re.fullmatch(words, state.text)


def test_an_open_test_and_a_field_in_words():
    state = sprt_state(tally_of([0.25], [1], 4), setup_of(4, 3), SprtOptions())
    assert state.text.startswith("undecided whether a leads the others by 0 or by 35 Elo (LLR ")
    assert state.text.endswith("after 1 block)")


# ---- error rates --------------------------------------------------------------------------------------


def verdicts(shares, players, options):
    """Return the shares of H1, H0 and undecided among simulated tests, and the mean length."""
    lower, upper = options.bounds
    path = llr_path(shares, np.ones(shares.shape[1], int), players, options)
    ended = (path >= upper) | (path <= lower)
    ended[:, :FEWEST_BLOCKS - 1] = False
    first = ended.argmax(axis=1)
    decided = ended.any(axis=1)
    accepted = decided & (path[np.arange(len(path)), first] > 0)
    length = np.where(decided, first + 1, shares.shape[1]).mean()
    return accepted.mean(), (decided & ~accepted).mean(), (~decided).mean(), length


def four_players(share, tests, blocks, rng):
    """Return shares of one of four agents; each seat of a block has lognormal luck, the same in its four games."""
    luck = np.exp(rng.normal(size=(100_000, 4)))
    low, high = 0.1, 10.0
    for _ in range(40):                 # the strength whose mean share is this one
        strength = (low * high) ** 0.5
        won = (strength * luck[:, 0] / (strength * luck[:, 0] + luck[:, 1:].sum(axis=1))).mean()
        low, high = (strength, high) if won < share else (low, strength)
    luck = np.exp(rng.normal(size=(tests, blocks, 4)))
    own = strength * luck
    chance = own / (own + luck.sum(axis=2, keepdims=True) - luck)
    return (rng.random(chance.shape) < chance).mean(axis=2)


@pytest.mark.parametrize(("lead", "low", "high"), [(0, 0.03, 0.065), (35, 0.92, 0.97)])
def test_error_rates_with_four_players_and_common_luck(lead, low, high):
    """5 % each in theory; 2000 tests leave a standard error of 0.5 %."""
    options, setup = SprtOptions(), setup_of(4)
    shares = four_players(expected_share(lead, 1, 4), 2000, cap_blocks(setup, options), np.random.default_rng(lead))
    accepted, _, undecided, length = verdicts(shares, 4, options)
    assert low <= accepted <= high
    assert undecided < 0.02
    assert length < expected_blocks(setup, options)         # common luck shortens it


@pytest.mark.parametrize(("lead", "low", "high"), [(0, 0.03, 0.065), (35, 0.92, 0.97)])
def test_error_rates_with_two_players_and_draws(lead, low, high):
    """Half of the games are drawn; 2000 tests leave a standard error of 0.5 %."""
    options, setup, rng = SprtOptions(), setup_of(2), np.random.default_rng(lead)
    drawn = rng.random((2000, cap_blocks(setup, options), 2))
    share = expected_share(lead, 1, 2)
    shares = (0.5 * (drawn < share - 0.25) + 0.5 * (drawn < share + 0.25)).mean(axis=2)
    accepted, _, undecided, _ = verdicts(shares, 2, options)
    assert low <= accepted <= high
    assert undecided < 0.01


def test_the_expected_length_is_what_games_without_common_luck_take():
    """Games of four with one winner each; the mean over 500 tests has a standard error of about 4 blocks."""
    options, setup = SprtOptions(), setup_of(4)
    rng = np.random.default_rng(1)
    for lead in (0, 35):
        shares = rng.binomial(4, expected_share(lead, 1, 4), (500, cap_blocks(setup, options))) / 4
        assert verdicts(shares, 4, options)[3] == pytest.approx(expected_blocks(setup, options), rel=0.1)


def test_a_harder_question_takes_longer():
    setup = setup_of(4)
    lengths = [expected_blocks(setup, SprtOptions(elo1=elo)) for elo in (100, 35, 10)]
    assert lengths[0] < lengths[1] < lengths[2]
    assert lengths[2] == pytest.approx(lengths[1] * 3.5 ** 2, rel=0.1)
    assert expected_blocks(setup, SprtOptions(elo1=1000)) == FEWEST_BLOCKS
    mirrored = dataclasses.replace(setup, mirror=True)
    assert expected_blocks(mirrored, SprtOptions()) != lengths[1]


# ---- forfeits -----------------------------------------------------------------------------------------


def blocks_tested(blocks):
    """Return a test after blocks, given as (share of the first agent, whether a game was forfeited)."""
    test = Sprt(SprtOptions(), 2)
    for share, forfeited in blocks:
        test.add(share, 1, forfeited=forfeited)
    return test


def test_a_rival_that_does_not_play_decides_nothing():
    test = blocks_tested([(1.0, True)] * 500)
    assert (test.verdict, test.blocks, test.llr) == ("undecided", FEWEST_BLOCKS, 0.0)
    assert test.ended
    assert "30 of them with forfeits" in test.state("a", "b").text
    assert "ends here, because most blocks hold a forfeit" in test.state("a", "b").text


def test_an_agent_that_breaks_down_where_it_loses_does_not_pass():
    assert blocks_tested([(1.0, False)] * 40).verdict == "H1"
    test = blocks_tested([(1.0, False), (0.0, True)] * 100)
    assert (test.verdict, test.blocks, test.forfeited) == ("undecided", 60, 30)
    assert blocks_tested([(1.0, False), (1.0, False), (0.0, True), (0.0, True)] * 14).verdict == "undecided"


def test_an_agent_that_does_not_play_is_not_called_weaker():
    assert blocks_tested([(0.0, True)] * 100).verdict == "undecided"


def test_a_few_forfeits_do_not_hide_what_the_other_games_say():
    test = blocks_tested([(0.0 if n % 10 == 9 else 1.0, n % 10 == 9) for n in range(100)])
    assert test.verdict == "H1"
    assert "of them with forfeits, and without those)" in test.state("a", "b").text


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.booleans()), max_size=150))
def test_forfeits_never_make_a_test_pass(blocks):
    test = blocks_tested(blocks)
    counted = blocks[:test.blocks]
    whole = blocks_tested([block for block in counted if not block[1]])
    lost = blocks_tested([(share, False) for share, _ in counted])
    assert test.verdict in ("undecided", lost.verdict)
    assert test.verdict in ("undecided", whole.verdict)
    assert blocks_tested([(share, False) for share, _ in blocks]).forfeited == 0
