"""Attila in the terminal and as a picture: complete, free of secrets, within its width and the same every time."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from sfida.cython_ext.attila.core import AttilaState
from sfida.engines import attila
from sfida.engines.attila.board_svg import TRACK, WIDE, board_svg, high, scale, stand, track_box
from sfida.engines.attila.board_text import CELL, board_text, chart_text, status_text, stock_text, text_map
from sfida.engines.attila.game import Attila
from sfida.engines.attila.map import Land, Province, ProvinceLink
from sfida.engines.attila.narration import headline, sentence
from sfida.engines.attila.outlines import prepared
from sfida.engines.attila.position import Position
from sfida.engines.attila.style import letters_of, on_board, seat_letter, seat_name, spread, tribes
from sfida.engines.attila.terrain import terrain
from support.attila_pictures import (
    CODE, LETTERS, POSITIONS, battle_of, elsewhere, grid, land, on_map, opening, over, six
)
from support.pictures import SVG, inside, one, seat_of, with_class

EVERY = pytest.mark.parametrize("position", POSITIONS.values(), ids=POSITIONS)
MAPS = pytest.mark.parametrize("where", [land(), grid()], ids=["data", "grid"])
row_of = partial(seat_of, within="seats")


def drawn(position: Position, seat: int | None = None, **more: object) -> ET.Element:
    return ET.fromstring(board_svg(position, seat=seat, **more))  # type: ignore[arg-type]


def walk(players: int, seed: int, **options: object) -> Iterator[tuple[Attila, AttilaState]]:
    """Play a random game and yield every position."""
    game = Attila.from_params({"players": players, **options})
    state, luck = game.initial_state(), random.Random(seed)
    while True:
        yield game, state
        if state.to_move == -4:
            return
        if state.to_move == -1:
            outcomes = state.chance_outcomes()
            state.apply(luck.choices([move for move, _ in outcomes], [weight for _, weight in outcomes])[0])
        else:
            state.apply(luck.choice(state.legal_moves()))


# ---- the ground ---------------------------------------------------------------------------------------


def test_the_prepared_drawing_is_what_the_outlines_give():
    kept = (Path(attila.__file__).parent / "terrain.json").read_text()
    assert kept == prepared(), "python -m sfida.engines.attila.outlines > engines/attila/terrain.json"


@MAPS
@pytest.mark.rule("ATT-1.14")
def test_provinces_touch_where_the_map_has_a_border_on_land_and_nowhere_else(where: Land) -> None:
    points = [{point for ring in rings for point in ring} for rings in terrain(where).provinces]
    touching = {pair for pair in combinations(range(len(points)), 2) if len(points[pair[0]] & points[pair[1]]) > 2}
    assert touching == {(min(link.a, link.b), max(link.a, link.b)) for link in where.links if not link.water}


@MAPS
def test_every_province_has_one_ground_on_the_sheet_with_its_middle_on_it(where: Land) -> None:
    for number, rings in enumerate(terrain(where).provinces):
        assert rings
        middle = where.provinces[number].x, where.provinces[number].y
        assert inside(rings[0], *middle)
        assert all(-2 <= x <= where.wide + 2 and -2 <= y <= where.high + 2 for ring in rings for x, y in ring)
        for other, outlines in enumerate(terrain(where).provinces):
            assert other == number or not inside(outlines[0], *middle)


@MAPS
@pytest.mark.rule("ATT-1.12")
def test_islands_lie_in_the_sea_and_touch_no_province(where: Land) -> None:
    ground = terrain(where)
    taken = {point for rings in ground.provinces for ring in rings for point in ring}
    assert len(ground.islands) == len(where.islands)
    for island, rings in zip(where.islands, ground.islands, strict=True):
        assert inside(rings[0], island.x, island.y)
        assert not taken & set(rings[0])


@pytest.mark.rule("ATT-1.15")
def test_the_wilds_touch_start_provinces_only() -> None:
    ground = terrain(land())
    wild = {point for ring in ground.wilds for point in ring}
    beside = {number for number, rings in enumerate(ground.provinces)
              if len(wild & {point for ring in rings for point in ring}) > 2}
    assert beside
    assert all(land().provinces[number].start for number in beside)


@MAPS
def test_arrows_begin_and_end_on_the_ground_of_their_provinces(where: Land) -> None:
    water = [link for link in where.links if link.water]
    assert len(terrain(where).crossings) == len(water)
    for link, ends in zip(water, terrain(where).crossings, strict=True):
        for number, (x, y) in zip((link.a, link.b), ends, strict=True):
            ring = terrain(where).provinces[number][0]
            slack = 0.05 * terrain(where).span              # outlines are smoothed
            assert inside(ring, x, y) or min(math.dist((x, y), point) for point in ring) < slack


@MAPS
def test_neighbours_have_different_tints(where: Land) -> None:
    tints = terrain(where).tints
    assert all(tints[link.a] != tints[link.b] for link in where.links)
    assert set(tints) <= set(range(6))


def test_mountains_part_what_is_not_adjacent_and_summits_stand_on_them() -> None:
    ground = terrain(land())
    assert ground.rocks
    assert ground.peaks
    for x, y in ground.peaks:
        assert any(inside(ring, x, y) or min(math.dist((x, y), point) for point in ring) < 0.1 * ground.span
                   for ring in ground.rocks)


@pytest.mark.parametrize("places", [[(0, 0), (1, 0)], [(500, 350), (501, 350), (900, -40)], [(3, 4)]])
def test_odd_maps_are_drawn_too(places: list[tuple[int, int]]) -> None:
    provinces = tuple(Province(f"p{i}", f"PP{chr(65 + i)}", f"P {i}", i == 0, float(x), float(y), 0, i)
                      for i, (x, y) in enumerate(places))
    where = Land(provinces, tuple(ProvinceLink(i, i + 1, False) for i in range(len(places) - 1)), (), 1000.0, 700.0, 1,
                 len(places), 100)
    position = replace(opening(), land=where, tokens=on_map(where, "PPA:FF"), pacified=(False,) * len(places))
    assert [group.get("data-tokens") for group in drawn(position).iter() if group.get("data-tokens")] == ["FF"]
    assert "PPA*FF..." in board_text(position)


# ---- the terminal -------------------------------------------------------------------------------------


def cell_of(position: Position, number: int) -> str:
    """Return the cell of a province as the rules describe it."""
    place = position.land.provinces[number]
    tokens = letters_of(position.tokens[number])
    calm = position.pacified[number]
    mark = "#" if calm else "!" if len(tokens) > 4 else "*" if place.start else " "
    return place.code + mark + (tokens if calm else f"{tokens:.<5}")


@EVERY
@pytest.mark.parametrize("width", [48, 80, 100])
@pytest.mark.rule("ATT-1.15", "ATT-6.1", "ATT-7.1")
def test_every_province_shows_its_tokens_and_marks(position: Position, width: int) -> None:
    text = board_text(position, width=width)
    for number in range(len(position.land.provinces)):
        assert text.count(cell_of(position, number)) == 1


@pytest.mark.parametrize("width", [80, 100])
@MAPS
def test_cells_stand_where_the_data_say_and_do_not_overlap(where: Land, width: int) -> None:
    shape = text_map(where, width)
    assert shape is not None
    assert shape.columns <= width
    for a, b in combinations(range(len(where.provinces)), 2):
        (row, column), (other_row, other) = shape.cells[a], shape.cells[b]
        assert row != other_row or abs(column - other) > CELL
        assert (row < other_row) == (where.provinces[a].row < where.provinces[b].row)
        assert (column < other) == (where.provinces[a].column < where.provinces[b].column)


def test_lines_join_neighbours_and_those_over_water_are_dotted() -> None:
    lines = board_text(opening()).splitlines()
    row = next(line for line in lines if "RAE*" in line)
    assert re.search(r"RAE\*\.{5} ⠤+ NOR", row)
    assert re.search(r"CRE {1}\.{5} [⠄⠠ ]+ ASI", next(line for line in lines if "CRE" in line))
    assert "TAR ....." + 20 * " " in next(line for line in lines if "TAR" in line)


@pytest.mark.rule("ATT-1.14")
def test_where_the_map_does_not_fit_provinces_are_listed_with_their_neighbours() -> None:
    lines = {line[1:4]: line[11:].split() for line in board_text(opening(), width=40).splitlines()[:25]}
    for number, place in enumerate(land().provinces):
        beside = {land().provinces[link.a + link.b - number].code: link.water
                  for link in land().links if number in (link.a, link.b)}
        assert sorted(lines[place.code]) == sorted(f"({code})" if water else code for code, water in beside.items())


def test_the_last_token_is_pointed_at() -> None:
    assert ">GER!FHHVV" in board_text(battle_of())
    assert ">" not in "".join(board_text(replace(battle_of(), last=("done", -1))).splitlines()[:16])
    assert "LUS ....." + "<" in board_text(replace(opening(), last=("at", CODE["LUS"])))


@pytest.mark.parametrize("width", [50, 70, 100, 140])
@EVERY
@pytest.mark.rule("ATT-8.3")
def test_the_chart_gives_every_count_and_marks_the_first(position: Position, width: int) -> None:
    rows = chart_text(position, width=width)
    assert len(rows) == 7
    for tribe, row in zip(tribes(), rows[1:], strict=True):
        given = row.split("|")[0].split()
        spaces = [who.influence[tribe.number] for who in position.seats]
        best = max(spaces)
        shown = [f"{space}{('>' if spaces.count(best) == 1 else '=') if space == best > 0 else ''}" for space in spaces]
        counts = [count[tribe.number] for count in (on_board(position), spread(position), position.supply)]
        assert given[0] == tribe.letter
        assert given[-len(shown):] == shown
        assert given[-len(shown) - (1 if width < 60 else 3):-len(shown)] == list(
            map(str, counts[:1] if width < 60 else counts))


def test_the_lying_columns_hold_every_marker() -> None:
    position = battle_of()
    rows = chart_text(position, width=140)
    for tribe, row in zip(tribes(), rows[1:], strict=True):
        track = row.split("|")[1]
        assert len(track) == 2 * land().last_space
        for space in range(1, land().last_space + 1):
            here = [seat for seat, who in enumerate(position.seats) if who.influence[tribe.number] == space]
            place = track[2 * space - 2:2 * space].strip()
            assert place == ("·" if not here else str(len(here)) if len(here) > 2
                             else "".join(map(seat_letter, here)))


@pytest.mark.rule("ATT-6.5")
def test_the_status_tells_what_the_viewer_may_know_and_no_more() -> None:
    own = status_text(battle_of(), seat=0)
    assert "hand: F1 G1 S1 T1 laid down: F1 H1" in own
    assert own.count("hand:") == 1
    other = status_text(battle_of(1), seat=1)
    assert "laid down: V1" in other
    assert "laid down: F1 H1" not in other
    assert "hand:" not in status_text(battle_of(None))
    rows = status_text(battle_of(None)).splitlines()
    for seat, who in enumerate(battle_of(None).seats):
        given = rows[1 + seat].replace("*", "").replace(">", "").split()
        assert given[:6] == [seat_letter(seat), seat_name(seat), str(who.score), f"+{who.prospect}",
                             str(who.hand_size), str(who.laid)]


def test_the_status_shows_centuries_piles_tiles_and_what_happened() -> None:
    text = status_text(battle_of(), seat=0)
    for part in ("5th -- +2", ">6th ■■- +3", "7th ■■■■ +4", "pile: 11", "F3 H1 G4 S2 T0 V3", "D - -", "- X I",
                 "Last move: a token in Germania.",
                 "Red lays cards for the conflict in Germania: Huns 3, Franks 2, Vandals 2;",
                 "laid so far White 2, Red 1;",
                 "then Green (6 cards), Yellow (6 cards), Blue (6 cards)."):
        assert part in " ".join(text.split())
    done = status_text(over(), seat=0)
    assert "Last conflict in Germania: Franks 3, Vandals 2, Huns 1; Huns left, 1 token." in " ".join(done.split())
    assert "Laid there" not in done
    shown = replace(over().battle, laid=(six("VV"), six(""), six("FS")))
    told = status_text(replace(over(), battle=shown), seat=0)
    assert "Laid there: White 2 Vandals; Green 1 Frank and 1 Saxon." in " ".join(told.split())
    assert "Red wins with 103 points." in done
    assert "hand: F2 H1 G1 S1" in done
    giving = status_text(replace(battle_of(), phase="give", given=six("HHG")), seat=0)
    assert "put aside for an exchange: H2 G1" in giving


def test_what_is_not_seen_is_counted() -> None:
    text = stock_text(battle_of())
    known = Counter(letters_of(battle_of().discards) + "FGST" + "FH")
    for letter in LETTERS:
        assert f" {letter}  {9 - known[letter]} " in text
    assert "11 in the pile, 24 in hands" in text


@pytest.mark.parametrize(("changes", "said"), [
    ({"phase": "place", "card": 2}, "White places a token of the Goths: 20 left, start provinces only."),
    ({"phase": "play", "plays_left": 1, "gain": 2},
     "White plays a card, then 1 more: FFHGST in hand; 2 influence or a second token."),
    ({"phase": "follow", "card": 5, "gain": 3},
     "White gains 3 influence with the Vandals or places a second token: 20 left."),
    ({"phase": "prescore", "scoring_due": True, "peace": (0, 0, 3, 4)},
     "White may use a tile before the 5th century is scored."),
    ({"phase": "end", "ending": ("tribe", "influence")},
     "White ends the turn or uses a tile: unused Double turn, Influence 2. "
     "This is the last turn: a tribe has no token left, a marker is on the last space."),
    ({"phase": "end", "tile_used": True}, "White ends the turn."),
    ({"phase": "give", "given": six("HG")}, "White puts cards aside to exchange them: HG so far, FFHGST in hand."),
    ({"phase": "draw", "seat_to_move": -1, "seat_on_turn": 2}, "Green draws cards."),
    ({"phase": "order", "queue": (CODE["GER"], CODE["RAE"])},
     "White chooses which conflict comes first: Germania or Raetia."),
    ({"phase": "game_over", "seat_to_move": -4, "winners": (0, 2)},
     "The game is over: White and Green share the victory with 0 points."),
])
def test_a_sentence_says_what_is_going_on(changes: dict[str, object], said: str) -> None:
    assert sentence(replace(opening(), **changes)) == said  # type: ignore[arg-type]


def test_a_picture_has_room_for_the_headline_alone() -> None:
    assert headline(battle_of()) == "Red lays cards for the conflict in Germania."
    assert headline(over()) == sentence(over()) == "The game is over: Red wins with 103 points."


@pytest.mark.parametrize("phase", ["deal", "first", "play", "place", "follow", "order", "commit", "prescore", "end",
                                   "give", "inf_a", "inf_b", "draw"])
def test_every_phase_has_a_sentence_of_its_own(phase: str) -> None:
    said = sentence(replace(opening(), phase=phase, card=0, queue=(CODE["GER"], CODE["RAE"])))
    assert said.endswith(".")
    assert phase.replace("_", " ").capitalize() + "." != said


# ---- the picture --------------------------------------------------------------------------------------


@EVERY
@pytest.mark.rule("ATT-1.8")
def test_every_province_shows_its_tokens(position: Position) -> None:
    groups = {int(g.get("data-province", "")): g for g in with_class(drawn(position), "tokens")
              if g.get("data-province")}
    expected = {number: row for number, row in enumerate(position.tokens) if any(row)}
    assert set(groups) == set(expected)
    for number, row in expected.items():
        assert groups[number].get("data-tokens") == letters_of(row)
        heads = list(groups[number].iter(f"{SVG}use"))
        assert [int(use.get("data-tribe", "")) for use in heads] == [t for t, n in enumerate(row) for _ in range(n)]
        assert all(use.get("href") == f"#att-head-{use.get('data-tribe')}" for use in heads)
        spots = [tuple(map(float, re.findall(r"-?[\d.]+", use.get("transform", ""))[:2])) for use in heads]
        assert all(math.dist(a, b) > 21 for a, b in combinations(spots, 2))


@EVERY
@pytest.mark.rule("ATT-1.14", "ATT-1.15", "ATT-7.1")
def test_start_provinces_peace_and_water_are_drawn(position: Position) -> None:
    root, where = drawn(position), position.land
    rims = {int(e.get("data-province", "")) for e in with_class(root, "rim")}
    assert rims == {number for number, place in enumerate(where.provinces) if place.start}
    calm = {int(e.get("data-province", "")) for e in with_class(root, "pacified")}
    assert calm == {number for number, peace in enumerate(position.pacified) if peace}
    arrows = {(int(e.get("data-a", "")), int(e.get("data-b", ""))) for e in with_class(root, "arrow")}
    assert arrows == {(link.a, link.b) for link in where.links if link.water}
    codes = [e.text for e in with_class(one(root, "names"), "code")]
    assert codes == [place.code for place in where.provinces]
    assert [e.text for e in with_class(root, "island-name")] == [island.name for island in where.islands]


@EVERY
@pytest.mark.rule("ATT-5.3")
def test_the_chart_holds_every_marker(position: Position) -> None:
    chart = one(drawn(position), "chart")
    assert len(with_class(chart, "column")) == 6
    spaces = position.land.last_space + 1
    assert all(len(list(column.iter(f"{SVG}rect"))) == spaces for column in with_class(chart, "column"))
    found = Counter((int(group.get("data-space", "")), mark.get("class", "").split()[1])
                    for group in one(chart, "markers") for mark in group)
    assert found == Counter((space, f"seat-{seat}") for seat, who in enumerate(position.seats)
                            for space in who.influence)


def test_markers_of_a_space_do_not_hide_one_another() -> None:
    for group in one(one(drawn(battle_of()), "chart"), "markers"):
        discs = [list(mark.iter(f"{SVG}circle"))[1] for mark in group]
        spots = [(float(disc.get("cx", "")), float(disc.get("cy", "")), float(disc.get("r", ""))) for disc in discs]
        assert all(math.dist(a[:2], b[:2]) > 0.98 * (a[2] + b[2]) for a, b in combinations(spots, 2))


@pytest.mark.rule("ATT-8.10")
def test_the_score_track_runs_round_the_board_and_starts_again() -> None:
    boxes = [track_box(land(), space) for space in range(100)]
    assert boxes[0][:2] == (0.0, 0.0)
    for (ax, ay, aw, ah), (bx, by, bw, bh) in zip(boxes, [*boxes[1:], boxes[0]], strict=True):
        assert ax < bx + bw + 0.01                          # each touches the next
        assert bx < ax + aw + 0.01
        assert ay < by + bh + 0.01
        assert by < ay + ah + 0.01
    assert sum(wide * tall for _, _, wide, tall in boxes) == pytest.approx(
        (WIDE + 2 * TRACK) * (high(land()) + 2 * TRACK) - WIDE * high(land()))
    position = battle_of()
    marks = one(drawn(position), "scores")
    where = {mark.get("class", "").split()[1]: list(mark.iter(f"{SVG}circle"))[1] for mark in marks}
    for seat, who in enumerate(position.seats):
        x, y, wide, tall = boxes[who.score % 100]
        disc = where[f"seat-{seat}"]
        assert x < float(disc.get("cx", "")) < x + wide
        assert y < float(disc.get("cy", "")) < y + tall


@pytest.mark.rule("ATT-6.5", "ATT-2.6")
def test_a_picture_shows_the_viewers_cards_and_only_the_backs_of_others() -> None:
    for viewer in (0, 1, None):
        position = battle_of(viewer)
        root = drawn(position, viewer)
        for seat, who in enumerate(position.seats):
            row = row_of(root, seat)
            assert one(row, "score").text == str(who.score)
            assert one(row, "hand-size").text == str(who.hand_size)
            assert len(with_class(row, "known-hand")) == (seat == viewer)
            assert [mark.get("class", "").split()[1] for mark in with_class(row, "tile")] == [
                name if name in who.tiles else "used" for name in ("double_turn", "exchange", "influence_2")]
            laid = with_class(row, "laid")
            assert [mark.get("data-count") for mark in laid] == ([str(who.laid)] if who.laid else [])
            assert [mark.get("data-known") for mark in laid] == (
                [letters_of(who.laid_cards) if who.laid_cards is not None else ""] if who.laid else [])
        cards = {int(c.get("data-tribe", "")): int(c.get("data-count", "")) for c in with_class(root, "card")
                 if not any(c in list(own.iter()) for own in with_class(root, "own-laid"))}
        hand = position.seats[viewer].hand if viewer is not None else None
        assert cards == ({} if hand is None else {tribe: count for tribe, count in enumerate(hand) if count})
        assert len(with_class(root, "own-laid")) == (viewer is not None)


@pytest.mark.rule("ATT-2.2")
def test_centuries_and_piles_are_counted() -> None:
    root = drawn(battle_of())
    left = [(item.get("data-century"), item.get("data-left"),
             sum(use.get("href") == "#att-peace" for use in item.iter(f"{SVG}use")))
            for item in with_class(one(root, "centuries"), "century")]
    assert left == [("4", "0", 0), ("5", "0", 0), ("6", "2", 2), ("7", "4", 4)]
    assert [item.get("data-century") for item in with_class(one(root, "centuries"), "now")] == ["6"]
    assert one(root, "pile").text == "pile 11"
    assert [item.text for item in with_class(root, "discard")] == list("314203")
    counts = one(one(root, "chart"), "counts")
    for name, values in (("tokens", on_board(battle_of())), ("provinces", spread(battle_of())),
                         ("supply", battle_of().supply)):
        assert [item.text for item in with_class(counts, name)] == list(map(str, values))
    given = drawn(replace(battle_of(), phase="give", given=six("HHG")))
    assert "".join(text.text or "" for text in one(given, "given").iter(f"{SVG}text")) == "HHG"


def test_the_last_move_conflicts_and_places_are_marked() -> None:
    root = drawn(battle_of())
    assert [group.get("data-province") for group in with_class(root, "last")] == [str(CODE["GER"])]
    assert one(root, "fight").get("data-province") == str(CODE["GER"])
    assert not with_class(drawn(opening()), "last")
    assert not with_class(drawn(over()), "fight")
    marked = drawn(opening(), labels=True, places=[("province", 3), ("province", 3), ("province", 1)])
    assert [use.get("data-province") for use in with_class(marked, "place")] == ["1", "3"]
    assert not with_class(drawn(opening(), places=[("province", 3)]), "place")
    grown = drawn(replace(battle_of(), last=("inf_b", 4)))
    assert len(with_class(one(grown, "chart"), "last")) == 1


def test_the_end_names_the_winner_and_opens_the_hands() -> None:
    root = drawn(over(), 0)
    assert "Red wins with 103 points." in (one(root, "news").text or "")
    assert "winner" in (one(row_of(root, 1), "notes").text or "")
    assert len(with_class(root, "known-hand")) == 2
    assert not with_class(root, "prospect")
    assert "the borders are reconstructed" in [e.text for e in with_class(root, "key")]
    assert "the borders are reconstructed" not in [e.text for e in with_class(drawn(elsewhere()), "key")]


# ---- real games ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.rule("ATT-6.5")
def test_every_position_of_a_game_can_be_drawn_and_keeps_the_secrets(players: int) -> None:
    phases = set()
    for ply, (game, state) in enumerate(walk(players, players)):
        viewer = ply % players
        position = game.position(state, viewer)
        new = position.phase not in phases
        phases.add(position.phase)
        if ply % 9 and not new:
            continue
        text = game.board_text(state, seat=viewer, labels=True) + "\n" + game.status_text(state, seat=viewer)
        assert max(map(len, text.splitlines())) <= 100
        assert text.count("hand:") <= 1 or position.phase == "game_over"
        if ply % 27 == 0 or new:
            root = ET.fromstring(game.board_svg(state, seat=viewer, labels=True))
            for seat, who in enumerate(position.seats):
                known = seat == viewer or position.phase == "game_over" or not who.hand_size
                assert bool(with_class(row_of(root, seat), "known-hand")) == known
                backs = sum(int(back.get("data-count", "")) for back in with_class(row_of(root, seat), "backs"))
                assert backs == (0 if known else who.hand_size) + (0 if seat == viewer else who.laid)
    assert phases >= {"deal", "play", "place", "follow", "commit", "end", "draw", "game_over"}


@pytest.mark.parametrize("where", [land(), grid()], ids=["the map", "another map"])
def test_tokens_and_tile_stand_within_their_own_borders(where: Land) -> None:
    rings = terrain(where).provinces
    for number in range(len(where.provinces)):
        at = stand(where, number)
        corners = [(at.order.mark[0] + dx, at.order.mark[1] + dy) for dx in (-9, 9) for dy in (-9, 9)]
        corners += [(x + dx, y + dy) for tokens in at.order.places for x, y in tokens for dx in (-10, 10)
                    for dy in (-14, 12)]
        for x, y in corners:
            place = (at.x + x * at.size) / scale(where), (at.y + y * at.size) / scale(where)
            assert any(inside(ring, *place) for ring in rings[number]), where.provinces[number].code


def test_cards_and_signs_are_explained() -> None:
    game = Attila.from_params({})
    state = game.initial_state()
    said = game.cards_text(state, width=60)
    assert max(map(len, said.splitlines())) <= 60
    for part in ("1 in the 4th, 2 in the 5th, 3 in the 6th and 4 in the 7th century", "*D Double turn:", "*X Exchange:",
                 "*I Influence 2: two steps of influence"):
        assert part in " ".join(said.split())
    signs = " ".join(game.help_text(width=80).split())
    for part in ("GER* start province", "GER# pacified", "> before a seat: to move", "- tile used",
                 ":? one laid unseen"):
        assert part in signs
