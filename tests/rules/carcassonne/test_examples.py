"""The worked examples, placements, opening and move-sequence counts of the rules, against the core."""

from __future__ import annotations

from typing import Any

import pytest

from sfida.cython_ext.carcassonne.core import perft
from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.carcassonne.tables import load_data, load_tiles
from support.carcassonne import CODES, Table, vector
from support.carcassonne_reference import ReferenceGame
from support.recounts.carcassonne import recount

VECTORS = load_data()["vector"]
PLACEMENTS = load_data()["placement_vector"]


def clauses_of(entry: dict[str, Any]) -> pytest.MarkDecorator:
    return pytest.mark.rule(*entry["clauses"])


@pytest.mark.parametrize("name", [pytest.param(v["id"], marks=clauses_of(v)) for v in VECTORS])
def test_worked_example(name: str) -> None:
    wanted = vector(name)
    table = Table(players=wanted["players"], river=wanted["river"])
    gains = []
    for number, text in enumerate(wanted["moves"]):
        turn = table.play(text)
        if any(turn.gains):
            gains.append([number, turn.gains])
    result = table.if_over()
    assert turn.free == wanted["options"]
    assert gains == wanted["gains"]
    assert result["scores"] == wanted["scores"]
    assert table.supply() == wanted["supply"]
    for key in ("incomplete", "farms", "final", "farms_per_farm", "farms_first_edition"):
        assert result[key] == wanted[key], key


@pytest.mark.parametrize("name", [v["id"] for v in VECTORS])
def test_worked_example_recounted(name: str) -> None:
    """The slow recount agrees with the rules on the same examples, so it can check the core."""
    wanted = vector(name)
    game = ReferenceGame(CarcassonneOptions(players=wanted["players"], river=wanted["river"]))
    gains = []
    for number, text in enumerate(wanted["moves"]):
        turn = game.play(text)
        assert turn is not None
        if any(turn.gains):
            gains.append([number, list(turn.gains)])
    recounted = recount(game.position(), game.options)
    assert list(turn.deploy_options) == wanted["options"]
    assert gains == wanted["gains"]
    assert game.scores == wanted["scores"]
    assert game.supply == wanted["supply"]
    assert list(recounted.incomplete) == wanted["incomplete"]
    assert list(recounted.farms) == wanted["farms"]
    assert list(recounted.farms_per_farm) == wanted["farms_per_farm"]
    assert list(recounted.farms_first_edition) == wanted["farms_first_edition"]
    assert list(game.final()) == wanted["final"]
    assert recounted.faults == ()


@pytest.mark.rule("CAR-5.3", "CAR-5.4", "CAR-5.5", "CAR-11.4", "CAR-11.8")
@pytest.mark.parametrize("case", PLACEMENTS, ids=lambda case: case["id"])
def test_placement_vector(case: dict[str, Any]) -> None:
    table = Table(river=case["river"])
    for text in case["moves"]:
        table.play(text)
    assert [list(place) for place in table.placements(case["tile"])] == case["legal"]


@pytest.mark.rule("CAR-5.3", "CAR-5.5", "CAR-5.6", "CAR-6.5")
@pytest.mark.parametrize("code", [tile.code for tile in load_tiles() if tile.set == "base"])
def test_opening_table(code: str) -> None:
    """T1 to T3: placements, and placements with a deployment, of every tile next to the start tile."""
    table = Table()
    places = table.placements(code)
    pairs = 0
    for x, y, rotation in places:
        twin = table.state.clone()
        twin.setup_turn(0, CODES.index(code))
        twin.apply(twin.parse(f"{code}@{x},{y}/{rotation}"))
        pairs += len(twin.legal_moves())
    opening = load_data()["opening"]
    assert len(places) == opening["placements"][code]
    assert pairs == opening["joint"][code]


def test_opening_totals() -> None:
    table = Table()
    left = table.position.remaining
    counts = {code: len(table.placements(code)) for code in left}
    assert sum(counts.values()) == 102
    assert sum(left[code] * counts[code] for code in left) == \
        load_data()["checksums"]["opening_placements_expected_numerator"]
    assert sum(left.values()) == 71


@pytest.mark.rule("CAR-5.5", "CAR-5.8", "CAR-6.6", "CAR-12.5")
@pytest.mark.parametrize(("turns", "deploys", "key"), [
    (1, False, "base_place"), (2, False, "base_place"), (3, False, "base_place"),
    (1, True, "base_full"), (2, True, "base_full")])
def test_sequences_of_the_base_game(turns: int, deploys: bool, key: str) -> None:
    assert perft(Table().state, turns, deploys) == load_data()["perft"][key][turns - 1]


@pytest.mark.rule("CAR-11.4", "CAR-11.5", "CAR-11.8", "CAR-13.4")
@pytest.mark.parametrize("turns", [1, 2, 3, 4])
@pytest.mark.parametrize("rule", ["immediate", "monotone", "none"])
def test_sequences_of_the_river(rule: str, turns: int) -> None:
    state = Table(river=True, river_uturn=rule).state
    assert perft(state, turns, False) == load_data()["perft"][f"river_{rule}_place"][turns - 1]


@pytest.mark.rule("CAR-6.6", "CAR-11.3", "CAR-11.6", "CAR-11.11")
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_sequences_of_the_river_with_followers(turns: int) -> None:
    assert perft(Table(river=True).state, turns, True) == \
        load_data()["perft"]["river_immediate_full"][turns - 1]


@pytest.mark.rule("CAR-5.5", "CAR-6.6")
def test_sequences_counted_by_playing() -> None:
    """The same count through the public state also checks the counter's shortcuts."""
    start = Table().state
    total = 0
    for draw in start.legal_moves():
        drawn = start.clone()
        drawn.apply(draw)
        for place in drawn.legal_moves():
            placed = drawn.clone()
            placed.apply(place)
            choices = placed.legal_moves()
            assert placed.to_move == 0
            total += len(choices)
    assert total == load_data()["perft"]["base_full"][0]
