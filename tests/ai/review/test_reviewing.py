"""Reviews of board games: parts that add up, verdicts that can be explained, and results of interrupted reviews."""

import dataclasses
import json

import pytest

import sfida
from sfida.ai.luck.value import Value, luck_of
from sfida.ai.review.judge import SearchJudge, certain, without_noise
from sfida.ai.review.model import DEPTHS, Depth, Effort, Review, accuracy, summaries
from sfida.ai.review.reviewing import Reviewing, quick_review
from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.registry import make_game
from support.short_games import SHORT

TINY = Depth("tiny", 2000, 1, 2)
GAMES = ("carcassonne", "settlers_of_zarahemla", "risiko", "attila", "a_few_acres_of_snow")


def played(name, seats=("greedy", "random"), seed=3):
    spec = SHORT.get(name, name)
    return sfida.play(spec, [seats[seat % len(seats)] for seat in range(make_game(spec).players)], seed=seed)


@pytest.fixture(scope="module")
def cut():
    """Return a review that Ctrl-C ended after some decisions, and its record."""
    record = played("carcassonne")

    def press(what, done, of, noun):
        if what == "looked at" and done >= 16:
            raise KeyboardInterrupt

    reviewing = Reviewing(record, TINY, on_progress=press)
    with pytest.raises(KeyboardInterrupt):
        reviewing.run()
    return record, reviewing


@pytest.mark.parametrize("name", GAMES)
def test_the_parts_add_up_to_the_result(name):
    """In the five games, with random seats, whose moves are luck to the arena but losses here."""
    record = played(name)
    review = Reviewing(record, TINY).run()
    assert review.complete
    luck = luck_of(record, Value(make_game(record.game)))
    for summary in summaries(review):
        parts, seat = summary.parts, summary.seat
        assert parts.total == pytest.approx(summary.result - summary.start, abs=1e-9)
        assert parts.luck == pytest.approx(luck.seats[seat], abs=1e-12), "the arena's one definition"
        own = [one.verdict for one in review.decisions if one.seat == seat and one.verdict is not None]
        assert parts.own == pytest.approx(-sum(verdict.loss for verdict in own), abs=1e-9)
        assert summary.loss == pytest.approx(-parts.own / summary.judged, abs=1e-9)
        assert parts.unjudged == 0.0
        if not review.hidden:
            assert parts.hidden == 0.0
    assert sum(summary.start for summary in summaries(review)) == pytest.approx(1.0, abs=1e-6)
    assert review.curve[-1] == tuple(record.result.utilities)
    for decision in review.decisions:
        assert (decision.verdict is None) == decision.forced
        if decision.verdict is not None:
            low, high = decision.verdict.interval
            assert low <= decision.verdict.loss <= high
            assert decision.verdict.mistake == (decision.verdict.loss > 2 * decision.verdict.error)
    assert Review.from_json(json.loads(json.dumps(review.to_json()))) == dataclasses.replace(review)


def test_a_review_is_the_same_every_time():
    record = played("carcassonne")
    one, other = (Reviewing(record, TINY, jobs=jobs).run() for jobs in (1, 2))
    assert dataclasses.replace(one, seconds=0.0) == dataclasses.replace(other, seconds=0.0)


def test_random_play_loses_more_than_greedy_play():
    review = Reviewing(played("carcassonne"), Depth("low", 60_000, 4, 2)).run()
    greedy, random = summaries(review)
    assert random.loss > 3 * greedy.loss
    assert random.accuracy < greedy.accuracy
    assert random.mistakes > 5
    assert sum(point.seat for point in review.turns) >= 4
    assert len(review.turns) == 5
    for point in review.turns:
        assert point.better
        assert point.better[0].move != point.played[0].move
        assert point.at in point.plies


def test_what_a_cut_review_tells(cut):
    _, reviewing = cut
    review = reviewing.result()
    judged, of = review.judged
    assert 16 <= judged < of
    assert not review.complete
    for summary in summaries(review):
        assert summary.parts.unjudged != 0.0
        assert summary.parts.total == pytest.approx(summary.result - summary.start, abs=1e-9)
    changes = [abs(one.change[one.seat]) for one in review.decisions if one.verdict is not None]
    left = [abs(one.change[one.seat]) for one in review.decisions if one.verdict is None and not one.forced]
    assert min(changes) >= max(left), "those that changed most are judged first"


def test_a_review_for_one_seat_tells_of_its_turns_alone(cut):
    record, _ = cut
    review = Reviewing(record, TINY, seat=0).run()
    assert {point.seat for point in review.turns} == {0}
    assert review.complete


def test_where_a_loss_is_in_doubt_more_is_searched(cut):
    record, _ = cut
    review = Reviewing(record, Depth("low", 60_000, 1, 2)).run()
    verdicts = [one.verdict for one in review.decisions if one.verdict is not None]
    again = [verdict for verdict in verdicts if verdict.searches > 1]
    assert 0 < len(again) < len(verdicts)
    assert all(verdict.best_line for verdict in again)


def test_a_game_that_is_not_over_is_refused():
    record = played("carcassonne")
    unfinished = dataclasses.replace(record, moves=record.moves[:-1], result=None, chance=None, where="a.jsonl")
    for look in (Reviewing, lambda record: quick_review(record, [0])):
        with pytest.raises(InvalidRecord, match=r"a\.jsonl: the game is not over; a review would tell what its seats"):
            look(unfinished)


def test_a_game_that_one_of_two_resigned_is_reviewed():
    record = played("carcassonne")
    resigned = dataclasses.replace(record, moves=record.moves[:40], result=None, chance=None).with_extra(
        ended="resign", forfeit={"seat": 0, "kind": "resign", "reason": "resign"})
    review = Reviewing(resigned, TINY).run()
    assert review.result == (0.0, 1.0)
    assert len(review.curve) == review.plies + 2
    for summary in summaries(review):
        assert summary.parts.total == pytest.approx(summary.result - summary.start, abs=1e-9)
    left = played("risiko")
    with pytest.raises(InvalidRecord, match="ended without a result"):
        Reviewing(dataclasses.replace(left, moves=left.moves[:40], result=None, chance=None).with_extra(
            ended="resign", forfeit={"seat": 0, "kind": "resign", "reason": "resign"}))


def test_a_judge_is_given_the_view_alone():
    """Hidden information cannot change a verdict: worlds that look alike to a seat have the same verdict."""
    record = played("risiko", seed=5)
    events = Reviewing(record, TINY).played.events
    decided = [event for event in events if event.seat >= 0 and len(event.before.legal_moves()) > 1][4::20]
    assert decided
    for event in decided[:5]:
        world = event.before.view(event.seat).sample(sfida.cython_ext.rng.Random(8))
        one, other = (SearchJudge().judge(state.view(event.seat), event.move, Effort(60, 2), 4)
                      for state in (event.before, world))
        assert one == other


def test_the_accuracy_is_that_of_lichess():
    assert accuracy(0.0) == pytest.approx(100.0, abs=1e-3)
    assert accuracy(0.1) == pytest.approx(63.58, abs=0.01)
    assert accuracy(1.0) == 0.0


@pytest.mark.parametrize(("difference", "error", "share"), [
    (0.1, 0.0, 1.0), (0.1, 0.1, 0.0), (0.05, 0.1, 0.0), (-0.1, 0.01, 0.0), (0.2, 0.1, 0.75)])
def test_errors_are_taken_off(difference, error, share):
    assert certain(difference, error) == pytest.approx(share)


def test_two_estimates_that_agree_are_kept_and_those_that_do_not_are_shrunk():
    import numpy as np

    def pair(one, other):
        return np.array([one, -one]), np.array([other, -other])

    assert without_noise([pair(0.1, 0.1)], [0])[0] == pytest.approx([0.1, -0.1])
    agreeing, apart = without_noise([pair(0.2, 0.2), pair(0.1, -0.08)], [0, 1])
    assert 0.15 < agreeing[0] < 0.2
    assert apart == pytest.approx([0.0, 0.0])


def test_depths_share_their_iterations_out():
    for depth in DEPTHS.values():
        for decisions in (1, 40, 500):
            first = depth.first(decisions)
            many, again = depth.again(decisions, decisions)
            assert first.searches == 1 < again.searches
            assert 1 <= many <= decisions
            assert again.iterations >= first.iterations
            spent = decisions * first.iterations * 2 + many * again.iterations * again.searches * 3
            assert spent <= max(1.1 * depth.iterations, 50 * decisions * 2 + 50 * 12 * many)


def test_a_glance_takes_no_more_time_than_it_is_given():
    record = played("risiko", seats=("greedy", "greedy"))
    now = iter(range(100_000))
    found = quick_review(record, [0], seconds=60.0, clock=lambda: float(next(now)))
    assert found.luck is None, "every look at the clock takes a second: there was no time for luck"
    plenty = quick_review(played("carcassonne"), [1], seconds=1e6)
    assert plenty.luck == luck_of(played("carcassonne"), Value(make_game("carcassonne"))).seats
    event, verdict = plenty.worst[1]
    assert event.seat == 1
    assert verdict.mistake
