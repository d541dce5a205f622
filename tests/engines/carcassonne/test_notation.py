"""Notation of Carcassonne: the texts that are understood, and the error messages for others."""

from __future__ import annotations

import pytest

from sfida.cython_ext.errors import AmbiguousNotation, IllegalMove, InvalidNotation
from sfida.engines.carcassonne import notation
from sfida.engines.carcassonne.position import Deploy, Draw, First, Place, decode, encode
from sfida.engines.carcassonne.style import segment_words
from sfida.engines.carcassonne.tables import load_tiles
from support.carcassonne import CODES, Table, random_moves

pytestmark = pytest.mark.release_only("reading and writing of text")


def in_hand(code: str, *turns: str, **options: object) -> Table:
    table = Table(**options)
    if turns:
        table.run(*turns)
    table.hand(0, code)
    return table


def laid(place: str, *turns: str, **options: object) -> Table:
    table = in_hand(place.split("@")[0], *turns, **options)
    table.state.apply(table.state.parse(place))
    return table


@pytest.mark.parametrize("move", [
    Draw(0), Draw(33), Place(4, 0, -1, 2), Place(33, -83, 83, 0), Deploy(None), Deploy(0), Deploy(7),
    First(4)])
def test_codes_are_reversible(move: Draw | Place | Deploy | First) -> None:
    assert decode(encode(move)) == move
    assert encode(move) < 2 ** 63


@pytest.mark.parametrize("text", [
    "E@0,-1/2", "e@0,-1/2", " E @ 0 , -1 / 2 ", "0,-1/2", "0 -1 2", "0,-1,2", "(0,-1)/2", "(0, -1) 180°",
    "e 0 -1 180",
    "E (0,-1) turned 180°", "E at (0,-1) turned 180°", "0,-1 rot 2", "0,-1 k2", "0,-1", "E 0,-1",
    "place E at 0,-1",
    "0,\u22121/2", "(0,-1) \u21bb2", "E0,-1/2", "0-1/2", "0,-1 180 degrees", "0 -1"])
def test_ways_to_write_a_placement(text: str) -> None:
    state = in_hand("E").state
    assert state.format(state.parse(text)) == "E@0,-1/2"


@pytest.mark.parametrize(("text", "canonical"), [
    ("1,0/3", "U@1,0/1"), ("1,0 270°", "U@1,0/1"), ("1,0/1", "U@1,0/1"), ("1 0", "U@1,0/1")])
def test_rotations_that_look_the_same_are_the_same(text: str, canonical: str) -> None:
    state = in_hand("U").state
    assert state.format(state.parse(text)) == canonical


@pytest.mark.parametrize("text", [
    "", "   ", "hello", "E@", "E@0", "0,-1/5", "0,-1 45°", "E@x,y/0", "Z@0,-1/2", "ZZ 0,-1", "0,-1/-1",
    "0,-1/", "?!",
    "E@0,-1/2 and then some", "99999,0/0", "0,-1°"])
def test_what_is_no_placement(text: str) -> None:
    with pytest.raises(InvalidNotation) as error:
        in_hand("E").state.parse(text)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 200


@pytest.mark.parametrize(("text", "why"), [
    ("E@0,0/0", r"\(0,0\) already holds tile D \(CAR-5\.3\)"), ("E@5,5/0", r"touches no tile \(CAR-5\.3\)"),
    ("first:1", r"it is settled who starts \(CAR-3\.6\)"), ("V", r"E is in hand and must be placed first.*CAR-4\.5"),
    ("E@1,1/0", "only at a corner"), ("E@0,-1/0", r"south side is field against city of D at \(0,0\)"),
    ("E@0,-1/1", "south side is field against city"), ("D@0,-1/2", r"the tile in hand is E, not D \(CAR-4\.2\)"),
    ("E@1,0/0", "west side is field against road"),
    ("1,0", r"E does not fit at \(1,0\), however it is turned: the place needs road in the west"),
    ("+c0", "must be placed first"), ("knight", "must be placed first"), ("-", "must be placed first"),
    ("200,0/0", "touches no tile")])
def test_why_a_placement_is_illegal(text: str, why: str) -> None:
    with pytest.raises(IllegalMove, match=why) as error:
        in_hand("E").state.parse(text)
    assert "\n" not in str(error.value)


def test_a_cell_without_rotation_may_be_ambiguous() -> None:
    table = in_hand("V", "0:B@0,1/0")
    with pytest.raises(AmbiguousNotation, match=r"V@0,2/0.*V@0,2/1|V@0,2/3"):
        table.state.parse("0,2")


@pytest.mark.parametrize(("text", "canonical"), [
    ("+c0", "+c0"), ("c0", "+c0"), ("C 0", "+c0"), ("c", "+c0"), ("K", "+c0"), ("knight", "+c0"),
    ("city", "+c0"),
    ("knight north", "+c0"), ("knight in the city to the north", "+c0"), ("city N", "+c0"),
    ("cavaliere", "+c0"),
    ("thief east", "+r0"), ("road E", "+r0"), ("r1", "+r1"), ("ladro S", "+r1"), ("W road", "+r2"),
    ("road W", "+r2"),
    ("farmer north", "+f0"), ("f1", "+f1"), ("farmer south-east", "+f1"), ("field SW", "+f2"),
    ("contadino sud ovest", "+f2"), ("-", "-"), ("none", "-"), ("pass", "-"), ("no follower", "-"),
    ("Nobody", "-")])
def test_ways_to_write_a_deployment(text: str, canonical: str) -> None:
    table = laid("L@1,0/0")                         # a crossing with a city to its north
    assert table.state.format(table.state.parse(text)) == canonical


@pytest.mark.parametrize("text", ["+x9", "somewhere", "", "+", "knight of the north star", "c0 c1", "+c0+f0"])
def test_what_is_no_deployment(text: str) -> None:
    with pytest.raises(InvalidNotation):
        laid("L@1,0/0").state.parse(text)


@pytest.mark.parametrize(("text", "candidates"), [
    ("road", ["+r0", "+r1", "+r2"]), ("thief", ["+r0", "+r1", "+r2"]), ("farmer", ["+f0", "+f1", "+f2"]),
    ("south", ["+r1"])])
def test_ambiguous_deployments_list_the_candidates(text: str, candidates: list[str]) -> None:
    state = laid("L@1,0/0").state
    if len(candidates) == 1:
        assert state.format(state.parse(text)) == candidates[0]
        return
    with pytest.raises(AmbiguousNotation) as error:
        state.parse(text)
    for candidate in candidates:
        assert candidate in str(error.value)


def test_only_the_free_part_is_meant() -> None:
    """There are two city parts, one of them joined to a knight: "city" means the other one."""
    table = laid("I@0,-1/2")
    with pytest.raises(AmbiguousNotation, match=r"\+c0 \(the city to the south\) or \+c1"):
        table.state.parse("city")
    assert table.state.format(table.state.parse("city south")) == "+c0"
    assert table.state.format(table.state.parse("city east")) == "+c1"
    table = laid("H@1,-1/1", "1:N@0,-1/1+c0")
    assert table.state.format(table.state.parse("city")) == "+c0"


@pytest.mark.parametrize(("text", "why"), [
    ("+c0", r"knight of Blue at \(0,-1\)"), ("knight", "knight of Blue"), ("+c1", "has no c1"),
    ("monk", "no monastery"),
    ("road", "no road"), ("city north", "no city to the north"), ("E@0,0/0", r"is placed already.*CAR-4\.5"),
    ("first:1", r"CAR-3\.6"), ("V", "is placed already")])
def test_why_a_deployment_is_illegal(text: str, why: str) -> None:
    table = laid("E@1,-1/3", "1:N@0,-1/1+c0")
    with pytest.raises(IllegalMove, match=why) as error:
        table.state.parse(text)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("text", "canonical"), [
    ("E", "E"), ("e", "E"), (" e ", "E"), ("draw E", "E"), ("city edge", "E"), ("tile v", "V"),
    ("monastery", "B"),
    ("monastery_road", "A")])
def test_ways_to_name_a_drawn_tile(text: str, canonical: str) -> None:
    state = Table().state
    assert state.format(state.parse(text)) == canonical


@pytest.mark.parametrize("text", ["", "ZZ", "tile", "!", "?"])
def test_what_is_no_tile(text: str) -> None:
    with pytest.raises(InvalidNotation):
        Table().state.parse(text)


@pytest.mark.parametrize(("text", "why"), [
    ("RB", r"no tile RB can be drawn now.*CAR-11\.2"), ("E@0,-1/2", r"a tile is drawn first.*CAR-4\.2"),
    ("knight", "a tile is drawn first"), ("pass", "a tile is drawn first"),
    ("!E", "may not be discarded")])
def test_why_a_draw_is_illegal(text: str, why: str) -> None:
    with pytest.raises(IllegalMove, match=why):
        Table().state.parse(text)


@pytest.mark.parametrize(("text", "seat"), [("first:1", 1), ("first 0", 0), ("1", 1), ("blue", 1),
    ("seat 0", 0)])
def test_who_starts(text: str, seat: int) -> None:
    state = Table(first_player="random").state
    assert decode(state.parse(text)) == First(seat)


def test_who_starts_out_of_range() -> None:
    state = Table(first_player="random").state
    with pytest.raises(IllegalMove, match="no seat 2"):
        state.parse("first:2")
    with pytest.raises(InvalidNotation):
        state.parse("me")


def test_nothing_is_legal_when_the_game_is_over() -> None:
    table = Table()
    random_moves(table, 1)
    with pytest.raises(IllegalMove, match="the game is over"):
        table.state.parse("E@0,0/0")


# ---- whole turns ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "moves"), [
    ("E@0,-1/2+c0", ["E@0,-1/2", "+c0"]), ("0,-1/2+c0", ["E@0,-1/2", "+c0"]), ("0,-1/2", ["E@0,-1/2"]),
    ("0,-1/2-", ["E@0,-1/2", "-"]), ("0,-1 -", ["E@0,-1/2", "-"]), ("0,-1 c0", ["E@0,-1/2", "+c0"]),
    ("0 -1 180° knight", ["E@0,-1/2", "+c0"]), ("e 0,-1/2 + f0", ["E@0,-1/2", "+f0"]),
    ("0,-1/2, farmer", ["E@0,-1/2", "+f0"]), ("0,-1 pass", ["E@0,-1/2", "-"])])
def test_a_turn_in_one_text(text: str, moves: list[str]) -> None:
    table = in_hand("E")
    state = table.state.clone()
    found = []
    for move in table.game.parse_turn(table.state, text):
        found.append(state.format(move))
        state.apply(move)
    assert found == moves


def test_a_turn_with_its_draw() -> None:
    table = Table()
    before = table.state.to_bytes()
    moves = table.game.parse_turn(table.state, "E@0,-1/2+c0")
    assert table.state.to_bytes() == before
    for move in moves:
        table.state.apply(move)
    assert table.if_over()["scores"] == [2, 0]


def test_parts_of_a_turn() -> None:
    table = laid("E@0,-1/2")
    assert [table.state.format(move) for move in table.game.parse_turn(table.state, "knight")] == ["+c0"]
    table = Table()
    assert [table.state.format(move) for move in table.game.parse_turn(table.state, "e")] == ["E"]


def test_a_turn_without_anything_to_deploy() -> None:
    table = in_hand("E", *[f"0:B@0,{y}/0+m" for y in range(1, 8)])
    assert len(table.game.parse_turn(table.state, "0,-1/2-")) == 1
    with pytest.raises(IllegalMove, match="Red has no follower left"):
        table.game.parse_turn(table.state, "0,-1/2+c0")
    table = in_hand("RD", "1:RG@0,1/0+f1", river=True)
    with pytest.raises(IllegalMove, match="farmer of Blue"):
        table.game.parse_turn(table.state, "-1,1/0+f0")


@pytest.mark.parametrize(("text", "error"), [
    ("0,-1/2+c9", IllegalMove), ("0,-1/2+zz", InvalidNotation), ("0,0/0+c0", IllegalMove)])
def test_wrong_turns_change_nothing(text: str, error: type[Exception]) -> None:
    table = in_hand("E")
    before = table.state.to_bytes()
    with pytest.raises(error):
        table.game.parse_turn(table.state, text)
    assert table.state.to_bytes() == before


# ---- writing and reading ----------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"river": True, "players": 4, "first_player": "random"}])
def test_every_legal_move_there_and_back(options: dict[str, object]) -> None:
    from random import Random

    table = Table(**options)
    rng = Random(5)
    while not table.state.is_over:
        moves = table.state.legal_moves()
        texts = [table.state.format(move) for move in moves]
        assert len(set(texts)) == len(texts)
        position = table.position
        for move, text in zip(moves, texts, strict=True):
            assert table.state.parse(text) == move
            assert notation.parse_move(table.game, table.state, text.lower()) == move
            if position.phase in ("place", "deploy"):
                words = table.game.describe_move(table.state, move)
                assert notation.parse_move(table.game, table.state, words) == move, words
        table.state.apply(rng.choice(moves))


@pytest.mark.parametrize("rotation", range(4))
def test_no_two_segments_are_called_the_same(rotation: int) -> None:
    for tile in load_tiles():
        words = [segment_words(tile, number, rotation) for number in range(len(tile.segments))]
        assert len(set(words)) == len(words), (tile.code, words)


def test_descriptions() -> None:
    table = Table()
    assert table.game.describe_move(table.state, table.state.parse("E")) == "tile E, city edge"
    table.hand(0, "E")
    assert table.game.describe_move(table.state, table.state.parse("0,-1")) == "E at (0,-1) turned 180°"
    table.state.apply(table.state.parse("0,-1"))
    words = [table.game.describe_move(table.state, move) for move in table.state.legal_moves()]
    assert words == ["no follower", "knight in the city to the south", "farmer in the field to the north"]
    table.state.apply(table.state.parse("-"))
    draw = encode(Draw(CODES.index("C")))
    assert table.game.describe_move(table.state, draw).endswith("it fits nowhere and is discarded")


@pytest.mark.parametrize(("code", "text", "said"), [
    ("U", "0,-1/3", "turned 270° (/3): its south side is field"), ("U", "1,0 180°", "turned 180° (/2)"),
    ("E", "1,0 upright", "not turned (/0)"), ("E", "Hello", "'Hello' is no placement"), ("E", "q 0,-1", "E, not Q"),
    ("E", "z@0,-1", "'z' is no tile"), ("E", "0,-1/2 North Knight", "no city to the north")])
def test_a_refusal_names_what_was_typed(code: str, text: str, said: str) -> None:
    table = in_hand(code)
    with pytest.raises((IllegalMove, InvalidNotation)) as error:
        table.game.parse_turn(table.state, text)
    assert said in str(error.value)
