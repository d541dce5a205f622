"""How moves are written: chapter 22, and codes."""

from __future__ import annotations

import pytest

from sfida.cython_ext.errors import IllegalMove, InvalidNotation
from sfida.cython_ext.risiko.core import KINDS
from sfida.cython_ext.rng import Random, derive
from sfida.engines.risiko.moves import Move, decode, encode
from sfida.engines.risiko.notation import read
from support.playing import deal, play
from support.risiko import number, position, setup, start, step

TEXT = "b CIN 10 UCR 5 EUM ALK 4 | g MOR 4 OC | n *"
ALK, KAM, CIN, UCR, EUM = map(number, ("ALK", "KAM", "CIN", "UCR", "EUM"))


@pytest.mark.rule("RIS-22.1", "RIS-22.3")
@pytest.mark.parametrize(("text", "move"), [
    ("+CIN 5", Move("place", target=CIN, amount=5)), ("+cin5", Move("place", target=CIN, amount=5)),
    ("+Cina 12", Move("place", target=CIN, amount=12)), ("+china", Move("place", target=CIN, amount=1)),
    ("+Africa del Sud 2", Move("place", target=number("AFS"), amount=2)),
    ("+Peru 2", Move("place", target=number("PER"), amount=2)),
    ("+yakutsk 2", Move("place", target=number("JAC"), amount=2)),
    ("ALK>KAM 3", Move("attack", ALK, KAM, 3)), ("alaska > kamchatka", Move("attack", ALK, KAM, 3)),
    ("UCR>EUM 2", Move("attack", UCR, EUM, 2)), ("ALK>>KAM", Move("assault", ALK, KAM)),
    ("alk >> kam 4", Move("safe_assault", ALK, KAM)),
    ("T ALK QUE PER", Move("trade", cards=(0, 5, 10))), ("tris PER ALK QUE", Move("trade", cards=(0, 5, 10))),
    ("t J1 EGI ISL", Move("trade", cards=(13, 21, 42))), ("d2", Move("defend", amount=2)),
    ("x KAM 3+4", Move("occupy", amount=4)), ("x 4", Move("occupy", amount=4)), ("X KAM 4", Move("occupy", amount=4)),
    ("~UCR>EUM 4", Move("fortify", UCR, EUM, 4)), ("~ucr > eum", Move("fortify", UCR, EUM, 4)),
    ("=", Move("end_attack")), ("pass", Move("end_attack")), ("color=rosso", Move("color", amount=3)),
    ("colour Red", Move("color", amount=3)),
])
def test_moves(text: str, move: Move) -> None:
    assert read(setup(TEXT), text) == move


@pytest.mark.rule("RIS-22.2")
@pytest.mark.parametrize(("text", "move"), [
    ("#first=2", Move("start", amount=2)), ("#objective=o24", Move("objective", amount=0)),
    ("#deal=CIN", Move("deal", target=CIN)), ("-1-1", Move("roll", amount=5)), ("-0-3", Move("roll", amount=3)),
    ("[6 5 2|6 4]", Move("roll", amount=5)), ("[652|64] -1-1", Move("roll", amount=5)),
    ("c:CIN", Move("draw", amount=CIN)), ("C: j2", Move("draw", amount=43)), ("#dice=7", Move("close", amount=7)),
    ("#left=7|0", Move("assault_end", amount=7 << 8)),
])
def test_luck(text: str, move: Move) -> None:
    assert read(setup(TEXT), text) == move


@pytest.mark.rule("RIS-22.1", "RIS-22.2")
@pytest.mark.parametrize("text", [
    "", "hello", "+XYZ 2", "+CIN many", "ALK>", "ALK>>KAM 7", "T ALK QUE", "T ALK ALK QUE", "T ALK QUE ZZZ", "#first=x",
    "#objective=moon", "#deal=moon", "[652|64] -0-2", "[7|1]", "-4-0", "c:moon", "color=pink", "#left=900|0", "#rain=1",
    "+CIN 999999",
])
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(InvalidNotation) as error:
        read(setup(TEXT), text)
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.rule("RIS-22.1")
def test_illegal_moves_are_told_apart() -> None:
    for text in ("+CIN 3", "CIN>EUM 3", "ALK>KAM 4", "d2", "x 3", "T ALK QUE PER", "-1-0"):
        with pytest.raises(IllegalMove, match="legal are") as error:
            setup(TEXT).parse(text)
        assert len(str(error.value).splitlines()) == 1
    over = setup("b NA AF | g EU | n *", phase="turn_start", objectives=["na_af"])
    with pytest.raises(IllegalMove, match="over"):
        over.parse("=")


@pytest.mark.rule("RIS-22.1", "RIS-22.2")
@pytest.mark.parametrize("spec", ["risiko:players=3", "risiko:preset=rtu,players=5,round_limit=2",
                                  "risiko:choose_colors=true,players=4"])
def test_every_move_of_random_games_reads_back(spec: str) -> None:
    state, rng = start(spec), Random(derive(12, len(spec)))
    for _ in range(500):
        if state.is_over:
            break
        moves = state.legal_moves()
        texts = [state.format(code) for code in moves]
        assert len(set(texts)) == len(texts)
        if len(moves) > 40:
            moves = moves[::len(moves) // 40]
        for code in moves:
            assert state.parse(state.format(code)) == code
            assert state.game.describe_move(state, code)
        step(state, rng)


@pytest.mark.rule("RIS-22.4")
def test_lines_of_several_moves() -> None:
    state = setup(TEXT, phase="place", left=5)
    play(state, "+CIN 3 +UCR +ALK 1")
    assert state.phase == "attack"
    assert [position(state).armies[i] for i in (CIN, UCR, ALK)] == [13, 6, 5]
    turn = setup(TEXT, phase="place", left=2)
    with pytest.raises(IllegalMove, match="too early"):
        turn.game.parse_turn(turn, "+CIN 2 CIN>SIA 3 CIN>IND 3")
    assert turn.game.parse_turn(turn, "+CIN 2 CIN>SIA 3") == [turn.parse("+CIN 2"),
                                                              encode(Move("attack", CIN, number("SIA"), 3))]
    with pytest.raises(InvalidNotation):
        turn.game.parse_turn(turn, "+CIN 2 rubbish")


@pytest.mark.rule("RIS-22.5", "RIS-21.1")
@pytest.mark.parametrize(("armies", "move", "words"), [
    ("UCR 3 | g EUM 1", "UCR>EUM 2", "attacks Southern Europe from Ukraine with 2 dice, 75.4 % to conquer"),
    ("UCR 4 | g EUM 3", "UCR>>EUM", "assaults Southern Europe from Ukraine to the end, 32.8 % to conquer"),
    ("UCR 4 | g EUM 1", "UCR>>EUM 4", "assaults Southern Europe from Ukraine, keeping a reserve, 0.0 % to conquer"),
    ("UCR 6 | g EUM 3", "UCR>EUM 1", "attacks Southern Europe from Ukraine with 1 die, 51.6 % to conquer"),
    ("UCR 64 | g EUM 40", "UCR>>EUM", "about 42.8 % to conquer"),
])
def test_attacks_are_told_with_their_odds(armies: str, move: str, words: str) -> None:
    state = setup(f"b {armies} | n *")
    assert words in state.game.describe_move(state, encode(read(state, move)))


@pytest.mark.rule("RIS-22.5", "RIS-9.6")
@pytest.mark.parametrize(("options", "round_", "chance", "losses"), [
    ("", 3, "0.0", "5.4 armies on average, yellow 2.6"), ("", 4, "0.0", "5.4"), ("", 5, "46.2", "5.1"),
    ("early_elimination=off", 3, "46.2", "5.1"), ("early_elimination_rounds=2", 3, "46.2", "5.1"),
    ("early_elimination_rounds=6", 5, "0.0", "5.4"), ("preset=rtu", 4, "0.0", "3.1"), ("preset=rtu", 5, "44.5", "4.5"),
])
def test_odds_know_that_nobody_may_be_eliminated_yet(options: str, round_: int, chance: str, losses: str) -> None:
    """Eight armies attack five on a seat's only territory."""
    state = setup("b AFO 8 EU | g MAD 5 | n *", options=options, round_=round_)
    code = encode(read(state, "AFO>>MAD"))
    note = state.game.move_note(state, code)
    assert state.game.describe_move(state, code).endswith(f" to the end, {chance} % to conquer")
    assert note.startswith(f"costs {losses}")
    assert ("eliminates yellow" in note) == ("earns a card" in note) == (chance != "0.0")
    assert ("nobody is eliminated before round" in note) == (chance == "0.0")
    group = next(group for group in state.game.move_groups(state, state.legal_moves()) if group.name == "AFO")
    assert f"MAD {float(chance):.0f} %" in group.words


@pytest.mark.rule("RIS-22.5", "RIS-9.6")
def test_odds_of_later_attacks_are_those_of_the_round_in_which_they_come() -> None:
    """In round 4 whoever moves later cannot eliminate the mover yet, whoever moves earlier can in round 5."""
    def risks(attacker: int) -> list[float]:
        board = {1: "b MAD | g AFO 8 AFS | n *", 2: "b MAD | n AFO 8 AFS | g *"}[attacker]
        state = setup(board, phase="place", left=1, round_=4, on_turn=0, first=2)
        assert state.game.move_note(state, state.parse("+MAD 1")).endswith(
            "Madagascar with 0 %" if attacker == 1 else "Madagascar with 97 %")
        return [term.value for term in state.game.standing(state, 0, 0) if term.name == "territories at risk"]
    assert risks(1) == [0]
    assert risks(2) == [1]


@pytest.mark.rule("RIS-14.11")
def test_codes() -> None:
    seen = set()
    for number_, kind in KINDS.items():
        move = Move(kind, cards=(1, 2, 3)) if kind == "trade" else Move(kind, 3, 41, 777)
        code = encode(move)
        assert decode(code) == move
        assert code >> 28 == number_
        seen.add(code)
    assert len(seen) == len(KINDS)
    for wrong in (0, 1, 13 << 28, 1 << 60):
        with pytest.raises(ValueError, match="no move"):
            decode(wrong)
    with pytest.raises(ValueError, match="no kind"):
        encode(Move("castle"))
    with pytest.raises(ValueError, match="range"):
        encode(Move("place", amount=1 << 16))


@pytest.mark.rule("RIS-22.1")
def test_the_last_move_is_kept_for_drawing() -> None:
    state = setup(TEXT)
    assert position(state).last is None
    play(state, "CIN>MOR 3")
    assert position(state).last == ("attack", CIN, number("MOR"), 0, 0)
    play(state, "d3", "-1-2")
    assert position(state).last == ("roll", CIN, number("MOR"), 1, 2)
    assert position(state).attack is None
    play(state, "CIN>MOR 3")
    assert position(state).attack == (CIN, number("MOR"), 3, 0)
    assert deal(start(players=3), Random(1)).game.describe_move(state, state.parse("d1")) == "defends with 1 die"


@pytest.mark.rule("RIS-22.1")
def test_cards_and_colours_have_names_too() -> None:
    state = setup(TEXT, hands=["ALK QUE PER"], phase="turn_start")
    set_of_cards = state.parse("T ALK QUE PER")
    for text in ("trade Alaska Quebec Peru", "t alaska, québec, perù", "tris Alaska QUE Peru"):
        assert state.parse(text) == set_of_cards
    wide = setup(TEXT, hands=["BRA VEN SUE"], phase="turn_start")
    assert wide.parse("T Brazil Eastern United States Venezuela") == wide.parse("T BRA VEN SUE")
    choosing = play(start("risiko:choose_colors=true"), "#first=1")
    assert choosing.parse("blue") == choosing.parse("Blu") == choosing.parse("color=blu")


@pytest.mark.rule("RIS-22.1")
@pytest.mark.parametrize(("phase", "text", "why"), [
    ("attack", "China", "no enemy borders China"), ("attack", "MOR", "Middle East has one army, and it must stay"),
    ("attack", "Alaska", "Alaska is not yours: yellow holds it"),
    ("fortify", "ARG", "no territory of yours borders Argentina"), ("attack", "ARG", "say where to from Argentina")])
def test_a_territory_from_which_nothing_can_be_done(phase: str, text: str, why: str) -> None:
    state = setup("b AS 3 MOR ARG 3 | g NA | n *", phase=phase)
    with pytest.raises(IllegalMove, match=why):
        state.parse(text)
