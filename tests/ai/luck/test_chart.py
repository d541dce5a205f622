"""Charts of dice and draws: what came, what was expected, and what a viewer may know of it."""

from __future__ import annotations

import re
from collections import Counter

import pytest

import sfida as api
from sfida.ai.luck.chart import LuckEvent, luck_charts
from sfida.ai.session import retell
from sfida.cython_ext.rng import Random
from sfida.engines.carcassonne.narration import kind_of
from sfida.engines.carcassonne.tables import load_tiles
from sfida.engines.records import GameRecord
from sfida.engines.registry import make_game
from sfida.engines.risiko.position import position_of
from sfida.engines.zarahemla.style import card_names
from sfida.engines.zarahemla.tables import CARD_IDS

GAMES = ["carcassonne", "settlers_of_zarahemla:max_turns=40,trade_mode=none", "risiko:players=3,round_limit=3",
         "attila:players=2", "a_few_acres_of_snow:max_turns=12", "leduc_poker"]


def record_of(game: str) -> GameRecord:
    return api.play(game, ["random"] * make_game(game).players, seed=6)


def events_of(record: GameRecord) -> list[LuckEvent]:
    return [(step.before, step.event.code, step.after) for step in retell(record, len(record.moves))]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.split(":")[0])
def test_what_came_and_what_was_expected_add_up_to_the_same(game):
    for viewer, everything in ((None, True), (0, False), (None, False)):
        charts = luck_charts(make_game(game), events_of(record_of(game)), viewer, everything=everything)
        assert charts or (viewer, everything) == (None, False)
        for chart in charts:
            seen, expected = sum(bar.seen for bar in chart.bars), sum(bar.expected for bar in chart.bars)
            if "lost in battle" not in chart.title:
                assert expected == pytest.approx(seen)
            assert all(bar.expected >= 0 <= bar.spread for bar in chart.bars)
            assert chart.svg.count("<rect") == len(chart.bars)
            assert not re.search("style=|nan", chart.svg)


def test_dice_are_charted_against_two_dice():
    record = record_of(GAMES[1])
    dice = next(chart for chart in luck_charts(make_game(GAMES[1]), events_of(record), None) if chart.title == "Dice")
    rolls = [int(move.removeprefix("#dice=")) for move in record.moves if move.startswith("#dice=")]
    for bar in dice.bars:
        ways = 6 - abs(7 - int(bar.words))
        assert bar.seen == rolls.count(int(bar.words))
        assert bar.expected == pytest.approx(len(rolls) * ways / 36)
        assert bar.spread == pytest.approx((len(rolls) * ways * (36 - ways)) ** 0.5 / 36)


def test_tiles_are_charted_by_kind():
    record = record_of("carcassonne")
    kinds = {tile.code: kind_of(tile) for tile in load_tiles()}
    outcomes = [record.moves[ply] for ply in record.chance or ()]
    drawn = Counter(kinds[text.removeprefix("!")] for text in outcomes if not text.startswith("first"))
    charts = luck_charts(make_game("carcassonne"), events_of(record), None)
    assert [chart.title for chart in charts] == ["Tiles of red", "Tiles of blue"]
    assert sum((Counter({bar.words: bar.seen for bar in chart.bars}) for chart in charts), Counter()) == drawn
    assert len(drawn) == 6


def test_an_expectation_follows_from_what_the_seat_knows():
    """The exact odds of the next development card by a seat's knowledge add up to the expectation that it is shown."""
    record = api.play("settlers_of_zarahemla:trade_mode=none", ["greedy", "greedy"], seed=3)
    drawn = [before for before, _outcome, _after in events_of(record) if before.is_chance and before.phase == "draw"]
    for seat in (0, 1):
        own = [before.draw_odds(seat) for before in drawn if before.seat_on_turn == seat]
        chart = next(chart for chart in luck_charts(make_game(record.game), events_of(record), seat)
                     if chart.title.startswith("Development"))
        assert len(own) == sum(bar.seen for bar in chart.bars) > 2
        expected = {bar.words: bar.expected for bar in chart.bars}
        for name, odds in zip(CARD_IDS, zip(*own, strict=True), strict=True):
            assert expected.get(card_names()[name], 0.0) == pytest.approx(sum(odds), abs=0.03 * len(own))


def test_losses_are_charted_for_both_sides():
    record = record_of(GAMES[2])
    events = events_of(record)
    battles = next(chart for chart in luck_charts(make_game(GAMES[2]), events, None) if "battle" in chart.title)
    lost = sum(one.armies - other.armies for before, _outcome, after in events
               if before.phase in ("chance_roll", "chance_assault")
               for one, other in zip(position_of(before).seats, position_of(after).seats, strict=True))
    assert sum(bar.seen for bar in battles.bars) == lost > 0
    assert sum(bar.expected for bar in battles.bars) == pytest.approx(lost)


def test_a_chart_that_nobody_could_read_is_left_out(monkeypatch):
    events = events_of(record_of("carcassonne"))
    monkeypatch.setattr("sfida.ai.luck.chart._BARS", 3)
    assert luck_charts(make_game("carcassonne"), events, None) == []


@pytest.mark.parametrize("game", ["attila:players=2", "a_few_acres_of_snow:max_turns=12"])
def test_a_seat_is_shown_its_own_draws_only(game):
    engine, events = make_game(game), events_of(record_of(game))
    whole = luck_charts(engine, events, None, everything=True)
    assert len(whole) == 2
    for seat in (0, 1):
        own = luck_charts(engine, events, seat)
        assert len(own) == 1
        same = next(chart for chart in whole if chart.title == own[0].title)
        assert sum(bar.seen for bar in own[0].bars) == sum(bar.seen for bar in same.bars)
    assert luck_charts(engine, events, None) == []


def test_expectations_do_not_tell_what_others_hold():
    """Two games that look the same to a seat give it the same chart, whatever the other seat holds."""
    engine, events = make_game("attila:players=2"), events_of(record_of("attila:players=2"))
    before, outcome, after = next((b, o, a) for b, o, a in reversed(events) if b.is_chance
                                  and engine.told_notation(b, o, a, 0) == b.format(o))
    other = before.view(0).sample(Random(4))
    assert other.to_bytes() != before.to_bytes()
    then = other.clone()
    then.apply(outcome)
    assert luck_charts(engine, [(before, outcome, after)], 0) == luck_charts(engine, [(other, outcome, then)], 0)
