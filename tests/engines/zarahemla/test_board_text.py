"""The terminal views of Zarahemla, as a person reads them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from sfida.engines.zarahemla.board_text import PIP, ROBBER, board_text, legend_text, status_text, stock_text
from sfida.engines.zarahemla.map import board, drawing_data
from sfida.engines.zarahemla.style import RESOURCES, elsewhere, pips, seat_letters, sentence
from support.pictures import bare
from support.zarahemla_pictures import EDGE, game, hidden, stations

DECK = [(card["id"], card["count"]) for card in drawing_data()["dev_card"]]


def shape(text: str) -> str:
    """Return the map without the lines below it."""
    return "\n".join(text.splitlines()[:25])


def test_every_piece_appears_once() -> None:
    position = game()
    text = shape(board_text(position))
    for seat, letter in enumerate(seat_letters(4)):
        kinds = [kind for _, owner, kind in position.buildings if owner == seat]
        assert len(re.findall(rf"{letter}s", text)) == kinds.count("settlement")
        assert len(re.findall(rf"{letter}C", text)) == kinds.count("city")
        roads = [edge for edge, owner in position.roads if owner == seat]
        columns = [{board().corners[corner].lattice[0] for corner in board().edges[edge].corners} for edge in roads]
        signs = re.findall(rf"(?<![A-Z])!?{letter}{{2,3}}(?![sC{letter}])", text)
        assert len(signs) == len(roads)
        assert sum(len(sign) == 2 for sign in signs) == sum(len(places) == 1 for places in columns)
    assert text.count(ROBBER) == 1
    assert text.count("!RR") == 1                       # the last move, a road that slants


def test_terrains_numbers_and_pips_are_all_there() -> None:
    position = game()
    text = shape(board_text(replace(position, stations=(), dice=0)))
    for terrain in RESOURCES:
        assert len(re.findall(rf"\b{terrain}\b", text)) == position.terrain.count(terrain)
    assert text.count("HIDEOUT") == 1
    tokens = re.findall(rf" (\d+) ({PIP}+)", text)
    assert sorted(int(number) for number, _ in tokens) == sorted(n for n in position.numbers if n)
    assert all(len(dots) == pips(int(number)) for number, dots in tokens)


def test_numbers_just_rolled_stand_out_except_under_the_robber() -> None:
    position = game()
    assert shape(board_text(position)).count(">8<") == 2
    six = shape(board_text(replace(position, dice=6)))
    assert position.numbers.count(6) == 2
    assert position.numbers[position.robber] == 6
    assert six.count(">6<") == 1


@pytest.mark.parametrize("width", [100, 68])
def test_corners_and_hexes_are_numbered_where_they_lie(width: int) -> None:
    position = replace(game(), stations=())
    taken = {corner for corner, _, _ in position.buildings}
    found = {}
    for row, line in enumerate(board_text(position, labels=True, color=True, width=width).splitlines()):
        for match in re.finditer(r"\x1b\[38;5;250m(\d\d)\x1b", line):
            found[int(match[1])] = row, len(bare(line[:match.start()]))
    assert set(found) == set(range(54)) - taken
    # Corners with the same lattice number stand in one column, higher corners above.
    for a, b in ((0, 12), (12, 17), (1, 13), (13, 18), (21, 27)):
        assert found[a][1] == found[b][1]
        assert found[a][0] < found[b][0]
    text = board_text(position, labels=True, width=width)
    assert {int(n) for n in re.findall(r"h(\d+)\b", text)} == set(range(19))
    # Numbers that buildings hide are listed below.
    told = dict(re.findall(r"\b([A-Z])  ((?:[sC]\d\d ?)+)", text))
    for seat, letter in enumerate(seat_letters(4)):
        own = [f"{kind[0].replace('c', 'C')}{corner:02}" for corner, owner, kind in position.buildings if owner == seat]
        assert told[letter].split() == own
    assert "00" not in shape(board_text(position, width=width))


def test_places_where_the_mover_may_play_stand_out() -> None:
    plain = board_text(game(), color=True)
    marked = board_text(game(), color=True, places={("corner", 0), ("edge", EDGE[0, 4]), ("hex", 3)})
    assert "\x1b[1;38;5;16;48;5;226m00" in marked
    assert "\x1b[1;38;5;16;48;5;226m\\" in marked
    assert "48;5;226m00" not in plain


def test_stations_say_what_they_take() -> None:
    text = shape(board_text(game()))
    for kind in RESOURCES:
        assert text.count(f"2:1 {kind}") == 1
    assert text.count("3:1") == 4
    brief = board_text(game(), width=58)
    assert [brief.count(f"2:1{letter}") for letter in "wbags"] == [1] * 5


def test_a_station_may_lie_on_any_edge_of_the_shore() -> None:
    shore = [number for number, edge in enumerate(board().edges) if edge.side]
    assert len(shore) == 30
    for number in shore:
        text = board_text(replace(game(), stations=((number, "water"),)))
        assert text.count("2:1 water") == 1
        assert len(re.findall("[╭╮╰╯┬┴]", text)) == (2 if board().edges[number].side in ("E", "W") else 1)


def test_too_narrow_a_terminal_is_told() -> None:
    text = board_text(game(), width=40)
    assert max(map(len, text.splitlines())) <= 40
    assert "columns would show all" in " ".join(text.split())


@pytest.mark.parametrize("viewer", range(4))
def test_nothing_secret_of_others_is_written(viewer: int) -> None:
    position = game(viewer)
    text = status_text(position, seat=viewer)
    for number, seat in enumerate(game().seats):
        hand = " ".join(f"{count} {kind}" for kind, count in zip(RESOURCES, seat.hand or (), strict=True) if count)
        assert (f"hand: {hand}" in text) == (number == viewer)
        row = next(line for line in text.splitlines() if f" {seat_letters(4)[number]}  " in line and "hand" not in line)
        assert str(seat.hand_size) in row.split()
        assert (f"{seat.points}+{seat.secret_points}" in row.split()) == (number == viewer and bool(seat.secret_points))
    own = {name for name, _ in game().seats[viewer].cards or ()}
    assert ("Temple Building" in text) == ("temple_building" in own)
    assert ("Liahona" in text) == ("liahona" in own)
    assert text.count("(you)") == 1


def test_played_cards_offer_bank_and_dice_are_told() -> None:
    text = status_text(game(2), seat=2)
    assert "played: Prosperity" in text
    assert "played: Bountiful Harvest" in text
    assert "offer: Red gives 2 wheat for 1 brick" in text
    assert "bank: 9 wood 16 brick 11 water 12 wheat 10 stone · development cards: 12 left" in text
    assert text.splitlines()[-1] == "Dice: 8. Red trades and builds."
    assert text.count("★") == 3
    assert [line.startswith(">") for line in text.splitlines()[1:5]] == [True, False, False, False]


@pytest.mark.rule("ZAR-17.4")
def test_what_the_others_hold_together_follows_from_the_bank() -> None:
    position = game(0)
    hands = [seat.hand for seat in game().seats[1:]]
    assert elsewhere(position, 0) == tuple(sum(hand[i] for hand in hands if hand) for i in range(5)) == (7, 1, 7, 3, 7)
    assert "the others hold together 7 wood 1 brick 7 water 3 wheat 7 stone" in status_text(position, seat=0)
    assert "the others hold" not in status_text(position)
    assert "the others hold" not in status_text(game(), seat=0)         # every hand is open
    blind = replace(position, seats=tuple(hidden(seat) for seat in position.seats))
    assert elsewhere(blind, 0) is None
    assert "the others hold" not in status_text(blind, seat=0)


def test_stock_counts_cards_not_played() -> None:
    text = " ".join(stock_text(game(), DECK).split())
    assert "12 in the deck, 9 in hands" in text
    assert "8 Stripling Warrior 1 Prosperity 1 Bountiful Harvest 2 Road Building 2 Temple Building 2 Liahona" in text


def test_without_a_temple_nothing_is_said_of_it() -> None:
    seats = tuple(replace(seat, stones=0, stones_left=0, temple=False) for seat in game().seats)
    assert "temple" not in status_text(replace(game(), seats=seats))
    assert "stones" not in status_text(replace(game(), seats=seats))
    assert "temple stone" in legend_text(4)
    assert "temple stone" not in legend_text(4, temple=False)


def test_every_phase_has_its_sentence() -> None:
    phases = ["setup_layout", "setup_tokens", "setup_first", "init_settlement", "init_road", "init_choose", "pre_roll",
              "dice", "discard", "robber", "steal", "stolen", "take", "free_roads", "main", "draw", "trade_compose",
              "trade_respond", "trade_pick"]
    said = {sentence(replace(game(), phase=phase, seat_to_move=2)) for phase in phases}
    assert len(said) == len(phases)
    assert all(text.endswith(".") for text in said)
    winner = replace(game(), phase="game_over", seat_to_move=-4)
    assert sentence(replace(winner, winner=0)) == "The game is over: Red wins with 8 points."
    assert "without a winner" in sentence(winner)


def test_stations_of_the_data_lie_on_the_shore() -> None:
    for edge, _ in stations():
        assert board().edges[edge].side
        assert round(sum(c * c for c in board().edges[edge].out), 9) == 1


@pytest.mark.rule("ZAR-2.1")
def test_geometry_is_that_of_the_data() -> None:
    data = drawing_data()["board"]
    for name, found in (("hex", board().hexes), ("corner", board().corners)):
        for entry, place in zip(data[name], found, strict=True):
            assert place.xy == pytest.approx((entry["x"], entry["y"]), abs=1e-4)
