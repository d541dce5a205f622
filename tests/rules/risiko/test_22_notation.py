"""Notation of moves: chapter 22, and codes."""

from __future__ import annotations

import re

import pytest

from sfida.cython_ext.errors import IllegalMove, InvalidNotation
from sfida.cython_ext.risiko.core import KINDS
from sfida.cython_ext.rng import Random, derive
from sfida.engines.moves import Choices
from sfida.engines.risiko.notation import read
from sfida.engines.risiko.position import Move, decode, encode
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


# ---- texts that leave parts out -------------------------------------------------------------------------


@pytest.mark.rule("RIS-22.3", "RIS-9.6", "RIS-11.4", "RIS-11.5")
@pytest.mark.parametrize(("board", "arranged", "text", "meant"), [
    ("b AFO 8 | g MAD 2 | n *", {"round_": 3}, "AFO>MAD", "AFO>MAD 1"),
    ("b AFO 8 | g MAD 3 | n *", {"round_": 3}, "East Africa to Madagascar", "AFO>MAD 2"),
    ("b AFO 8 | g MAD 2 | n *", {}, "AFO>MAD", "AFO>MAD 3"), ("b AFO 3 | g MAD 2 | n *", {}, "AFO>MAD", "AFO>MAD 2"),
    ("b UCR 5 EUM 1 | g * | n OC", {"phase": "fortify"}, "~UCR>EUM", "~UCR>EUM 4"),
    ("b UCR 5 EUM 1 | g * | n OC", {"phase": "fortify", "options": "preset=tournament"}, "~UCR>EUM", "~UCR>EUM 3"),
])
def test_what_is_left_out_is_the_most_that_is_legal(board: str, arranged: dict, text: str, meant: str) -> None:
    state = setup(board, **arranged)
    assert state.parse(text) == state.parse(meant)


@pytest.mark.rule("RIS-7.10", "RIS-7.11", "RIS-22.3")
def test_a_conquest_is_named_as_it_was() -> None:
    state = play(setup("b CIN 9 | g SIA 1 IND | n *"), "CIN>SIA 3", "-0-1")
    assert state.parse("x SIA 3+2") == state.parse("x 2") == state.parse("x Siam 2")
    for text, why in (("x IND 3+2", "move into Siam, which was conquered (RIS-7.11)"),
                      ("x SIA 2+2", "3 armies took part in the last throw and had to move in (RIS-7.10)")):
        with pytest.raises(IllegalMove, match=re.escape(why)):
            state.parse(text)


# ---- dice and other luck, as announced ------------------------------------------------------------------


@pytest.mark.rule("RIS-22.2", "RIS-7.5", "RIS-7.6")
@pytest.mark.parametrize(("text", "said"), [
    ("[2|3]", "3 dice of the attacker and 2 dice of the defender are thrown, not 1 and 1 (RIS-7.5)"),
    ("[6 5 2|6]", "and 2 dice of the defender are thrown, not 3 and 1 (RIS-7.6)"),
    ("[6 5|6 4]", "not 2 and 2 (RIS-7.5)"), ("[6 4|6 5 2]", "not 2 and 3 (RIS-7.5)"),
    ("[6 5 2 1|6 4]", "not 4 and 2 (RIS-7.5)"), ("[7 5 2|6 4]", "a die shows 1 to 6, not 7"),
    ("[6 5 0|6 4]", "a die shows 1 to 6, not 0"), ("6 5 2|8 4", "a die shows 1 to 6, not 8"),
    ("[6 5 2|6 4] -0-2", "these dice cost the attacker 1, the defender 1"),
    ("-1-0", "3 dice against 2 dice: together both sides lose 2 armies"), ("-0-3", "RIS-7.7"),
    ("[|]", "is written like"), ("[a 5 2|6 4]", "is written like"), ("6 5 2 6 4", "is written like"),
    ("rolled", "moves look like -0-2, -1-1, -2-0"),
])
def test_dice_that_were_not_thrown_are_refused(text: str, said: str) -> None:
    state = play(setup("b CIN 9 | g SIA 2 IND | n *"), "CIN>SIA 3", "d2")
    before = state.to_bytes()
    for reads in (state.game.parse_turn, type(state).parse):
        with pytest.raises((IllegalMove, InvalidNotation), match=re.escape(said)) as error:
            reads(state, text)
        assert len(str(error.value).splitlines()) == 1
    assert state.to_bytes() == before


@pytest.mark.rule("RIS-22.2")
@pytest.mark.parametrize("text", ["[6 5 2|6 4]", "[2 5 6|4 6]", "[652|64]", "652|64", "2, 5, 6 | 4, 6", "-1-1", "1-1",
                                  "[6 5 2|6 4] -1-1", "[6,5,2|6,4]-1-1"])
def test_dice_may_be_typed_in_many_ways(text: str) -> None:
    state = play(setup("b CIN 9 | g SIA 2 IND | n *"), "CIN>SIA 3", "d2")
    assert Choices(state).find(text) == [state.parse("-1-1")]
    for dice in ("1", "2", "6", "65", "652"):           # dice, not numbers of the list
        with pytest.raises(IllegalMove, match="there is no move"):
            Choices(state).find(dice)


@pytest.mark.rule("RIS-22.2", "RIS-3.2", "RIS-3.6", "RIS-3.7", "RIS-13.4", "RIS-15.4")
def test_luck_without_its_sign_and_luck_that_cannot_be() -> None:
    state = start(players=3)
    assert Choices(state).find("1") == Choices(state).find("yellow") == [state.parse("#first=1")]
    for step_, wrong in (("#first=1", "#first=3"), ("o24", "#objective=moon"), ("as_af", "o24"), ("kill_blu", "as_af"),
                         ("China", "#deal=moon"), ("siam", "China")):
        with pytest.raises((IllegalMove, InvalidNotation)):
            state.parse(wrong)
        play(state, step_)
    drawing = play(setup("b CIN 9 EGI | g SIA 1 IND | n *", hands=["", "ALK"]), "CIN>SIA 3", "-0-1", "x 0", "=", "=")
    assert drawing.parse("Peru") == drawing.parse("c:PER")
    assert drawing.parse("j1") == drawing.parse("c:J1")
    with pytest.raises(IllegalMove, match=r"ALK is not in the deck.*RIS-15\.4"):
        drawing.parse("Alaska")


# ---- refusals -------------------------------------------------------------------------------------------


@pytest.mark.rule("RIS-22.1", "RIS-9.6", "RIS-11.4", "RIS-11.5", "RIS-18.9")
@pytest.mark.parametrize(("arranged", "text", "why", "clause"), [
    ({"round_": 3}, "AFO>MAD 2", "nobody may be eliminated before the end of round 4: fewer dice must be thrown "
                                 "than it has armies, 1 at most", "RIS-9.6"),
    ({"round_": 4, "options": "early_elimination=no_attack"}, "AFO>MAD 1", "it cannot be attacked", "RIS-18.9"),
    ({"options": "preset=tournament"}, "AFO>MAD 1", "Madagascar is defended with 2 dice, and no fewer may attack it",
     "RIS-11.4"),
    ({"options": "preset=tournament", "phase": "fortify"}, "~AFO>AFS 7",
     "East Africa has 8 armies and borders an enemy, so 2 must stay: 6 at most", "RIS-11.5"),
    ({}, "AFO>MAD 4", "one to three dice", "RIS-7.5"), ({}, "AFS>MAD 3", "2 at most", "RIS-7.5"),
    ({}, "AFO>AFS", "South Africa is yours already", "RIS-7.2"), ({}, "MAD>AFO", "Madagascar is not yours", "RIS-7.2"),
    ({}, "AFO>CIN", "not neighbours", "RIS-7.3"), ({}, "AFS>>MAD 4", "needs 5 armies", "RIS-14.6"),
    ({}, "+AFO 3", "placed before the attacks", "RIS-5.6"), ({}, "~AFO>AFS", "after the attacks", "RIS-4.1"),
    ({}, "T ALK QUE PER", "in the reinforcement phase", "RIS-6.6"),
    ({}, "trade", "in the reinforcement phase", "RIS-6.6"),
    ({}, "tris", "in the reinforcement phase", "RIS-6.6"), ({}, "draw", "a turn with a conquest", "RIS-6.1"),
    ({}, "pesca", "a turn with a conquest", "RIS-6.1"), ({}, "x 2", "right after a conquest", "RIS-7.11"),
    ({}, "color=blu", "do not choose their colours", "RIS-3.5"), ({}, "-1-1", "no throw is due", "RIS-7.4"),
    ({"phase": "place", "left": 2}, "pass", "all armies must be placed", "RIS-5.6"),
    ({"phase": "place", "left": 2}, "AFO>MAD", "all armies must be placed", "RIS-5.6"),
    ({"phase": "place", "left": 2}, "+AFO 3", "2 armies at most", "RIS-14.3"),
    ({"phase": "place", "left": 2}, "+MAD", "yellow holds it", "RIS-5.5"),
    ({"phase": "turn_start", "hands": ["ALK ALB QUE"]}, "T ALK ALB QUE", "are no set", "RIS-6.4"),
    ({"phase": "turn_start", "hands": ["ALK ALB QUE"]}, "T ALK ALB PER", "you do not hold PER", "RIS-14.4"),
])
def test_refusals_cite_the_clause_that_forbids_the_move(arranged: dict, text: str, why: str, clause: str) -> None:
    state = setup("b AFO 8 AFS 3 | g MAD 2 | n *", **arranged)
    with pytest.raises(IllegalMove, match=f"{re.escape(why)}.*; rule {clause}$"):
        state.game.parse_turn(state, text)


@pytest.mark.rule("RIS-22.1")
def test_only_words_that_work_here_are_suggested() -> None:
    attack = setup("b AFO 8 AFS 3 | g MAD 2 | n *")
    placing = setup("b AFO 8 AFS 3 | g MAD 2 | n *", phase="place", left=2)
    for text, state, hint in (("pas", attack, "did you mean 'pass'"), ("Basda", attack, "did you mean 'basta'"),
                              ("trad", attack, "; moves look like"), ("pas", placing, "; moves look like")):
        with pytest.raises(InvalidNotation, match=re.escape(f"'{text}' is no move")) as error:
            state.parse(text)
        assert hint in str(error.value)
        assert ("did you mean" in str(error.value)) == ("did you mean" in hint)


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
    """In round 4 a later seat cannot eliminate the mover yet, but an earlier seat can in round 5."""
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
