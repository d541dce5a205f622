"""Recorded games: read turn by turn, and checked while reading."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from sfida.cli.main import main
from sfida.cython_ext.errors import InvalidNotation, InvalidRecord
from sfida.engines.acres.replays import _Reader, read_replay
from support.acres import setup

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data" / "a_few_acres_of_snow_replays.toml"
needs_games = pytest.mark.skipif(not SHARED.exists(), reason="the recorded games are not part of the project")

SHORT = """\
[[replay]]
id = "short"
preset = "first_edition"
hand_british = "BOS NHV NYK PEM PHI"
hand_french = "LOU PRO RI0 TR0 TRI"
turns = [
  "B | draft RG |  | 7 5 17 29",
  "F | piracy PRO | MTL TAD | 5 7 17 29",
  "B | money BOS; merchant NHV PHI NYK | NFK STM RG BOS | 14 7 17 29",
  "F | trader TR0 TRI MTL TAD; draft CB | GAS QUE BX CB | 14 13 17 29",
  "B | ambush RG hit RI0 hand; pass | NHV | 14 13 17 29",
]
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "games.toml"
    path.write_text(text)
    return path


def test_a_short_game(tmp_path: Path) -> None:
    record = read_replay(written(tmp_path, SHORT))
    assert record.game == "a_few_acres_of_snow"
    assert record.result is None
    assert "hit RI0 hand" in record.moves
    assert len(record.chance or ()) == 10 + 2 + 4 + 4 + 1
    state = record.replay()
    assert state.scores() == [17, 29]
    assert state.to_move == 1


def test_tolerance(tmp_path: Path) -> None:
    loose = SHORT.replace("B | money BOS; merchant NHV PHI NYK | NFK STM RG BOS |",
                          "british|  MONEY Boston ;merchant nhv nyk phi;| BOS  nfk RG stm|")
    assert read_replay(written(tmp_path, loose)).moves[:16] == read_replay(written(tmp_path, SHORT)).moves[:16]


@pytest.mark.parametrize(("old", "new", "line", "reason"), [
    ("draft RG |", "draft CB |", 7, "turn 1: 'CB' is no card of this side"),
    ("7 5 17 29", "6 5 17 29", 7, "turn 1: british money should be 7 after this turn, not 6"),
    ("7 5 17 29", "7 5 17 " + "9" * 4301, 7, "turn 1: '7 5 17 999"),
    ("5 7 17 29", "5 7 17 30", 8, "turn 2: french points should be 29 after this turn, not 30"),
    ("F | piracy", "B | piracy", 8, "turn 2: it is the turn of the french"),
    ("MTL TAD | 5", "MTL HAL | 5", 8, "turn 2: HAL cannot be drawn: it is not in the deck"),
    ("MTL TAD | 5", "MTL | 5", 8, "turn 2: more cards are to be drawn"),
    ("MTL TAD | 5", "MTL TAD GAS | 5", 8, "turn 2: no more cards are drawn, but GAS is left"),
    ("money BOS; ", "", 9, "turn 3: 1 of the turn's actions are not told"),
    ("money BOS; ", "money STM; ", 9, "turn 3: 'money STM' is not legal here"),
    ("hit RI0 hand", "hit RI0 reserve", 11, "turn 5: 'hit RI0 reserve' is not legal here"),
    ("hit RI0 hand", "none", 11, "turn 5: 'none' is not legal here"),
    ("hit RI0 hand", "", 11, "turn 5: 'ambush RG': it is not told what came of it"),
    ("hit RI0 hand", "x CB", 11, None),
    ("; pass |", "; pass; pass |", 11, "turn 5: 'pass' is not legal here"),
    ("; pass |", "; pass", 11, "turn 5: 'B | ambush"),
    ("; pass |", "; besiege PRO PEM NFK BOS; |", 11, "turn 5: more cards are to be drawn"),
    ('"LOU PRO RI0 TR0 TRI"', '"LOU PRO RI0 TR0"', 7, "hand_french: 4 cards are too few"),
])
def test_tampered_turns_are_refused(tmp_path: Path, old: str, new: str, line: int, reason: str | None) -> None:
    assert old in SHORT
    path = written(tmp_path, SHORT.replace(old, new, 1))
    if reason is None:                          # another game, but not one against the rules
        assert read_replay(path).moves
        return
    with pytest.raises(InvalidRecord) as raised:
        read_replay(path)
    message = str(raised.value)
    assert message.startswith(f"{path}, line {line}: ")
    assert reason in message
    assert "\n" not in message


@pytest.mark.parametrize(("text", "reason"), [
    ("[[replay]]", "has no turns"), ("x = 1", "holds no [[replay]] table"), ("[[", "Invalid"),
    (SHORT.replace("first_edition", "third"), "preset")])
def test_files_that_are_none(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(InvalidRecord, match=reason.replace("[", r"\[")):
        read_replay(written(tmp_path, text))
    with pytest.raises(InvalidRecord, match="cannot be read"):
        read_replay(tmp_path / "missing.toml")
    with pytest.raises(InvalidRecord, match="there is no game 2"):
        read_replay(written(tmp_path, SHORT), 2)


def test_replay_on_the_command_line(tmp_path: Path) -> None:
    path = written(tmp_path, SHORT)
    result = CliRunner().invoke(main, ["replay", str(path), "--json"])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["scores"] == [17, 29]
    bad = CliRunner().invoke(main, ["replay", str(written(tmp_path, SHORT.replace("draft RG", "draft XX")))])
    assert bad.exit_code != 0
    assert "line 7: turn 1:" in bad.stderr


# ---- ends of games --------------------------------------------------------------------------------------

SIEGE = """\
[[replay]]
end = "siege"
winner = "french"
hand_british = "BOS NFK NHV NYK PEM"
hand_french = "LOU PRO QUE RI0 TR0"
turns = [
  "B | pass |  | 12 5 17 29",
  "F | besiege PEM PRO LOU RI0 | MTL GAS TAD | 12 5 17 29",
  "B | pass; pass |  | 12 5 17 29",
  "F | reinforce PEM MTL; discard TR0 | TRI LOU | 12 5 17 29",
  "B | pass; pass |  | 12 5 17 29",
  "F | siege PEM won settle QUE; discard GAS; discard LOU | PRO TR0 QUE | 12 5 15 33",
  "B | pass; pass |  | 12 5 15 33",
  "F | discard PRO; discard TAD | LOU PEM | 12 5 15 33",
  "B | pass; pass |  | 12 5 15 33",
  "F | discard TRI; discard TR0 | RI0 MTL | 12 5 15 33",
  "B | pass; pass |  | 12 5 15 33",
  "F | besiege BOS PEM QUE RI0; pass | GAS QUE PEM | 12 5 15 33",
  "B | pass; pass |  | 12 5 15 33",
  "F | reinforce BOS MTL; reinforce BOS LOU | TAD PRO | 12 5 15 33",
  "B | pass; pass |  | 12 5 15 33",
]
"""
GIVEN_UP = (SIEGE[:SIEGE.index('  "B | pass; pass', SIEGE.index("besiege BOS"))]
            + '  "B | surrender BOS |  | 12 5 15 33",\n]\n')
TOLD = SIEGE.replace('15 33",\n]', '15 33",\n  "F | siege BOS won |  | 12 5 15 33",\n]')


@pytest.mark.rule("FAS-11.15", "FAS-15.15", "FAS-16.7")
@pytest.mark.parametrize("text", [SIEGE, TOLD, GIVEN_UP], ids=["untold", "told", "surrender"])
def test_games_that_a_siege_ends(tmp_path: Path, text: str) -> None:
    """At the start of a turn, with or without a line for it, or within a turn, which then lacks its rest."""
    record = read_replay(written(tmp_path, text))
    assert record.result is not None
    assert record.result.ranks == (2, 1)
    assert record.result.scores == (15, 33)
    state = record.replay()
    assert state.game.end_reason(state) == "siege"


@pytest.mark.parametrize(("text", "old", "new", "reason"), [
    (TOLD, "siege BOS won", "siege BOS held", "the game is over before this turn"),
    (TOLD, "siege BOS won", "siege NYK won", "the game is over before this turn"),
    (TOLD, "siege BOS won |", "siege BOS won; pass |", "the game is over before this turn"),
    (TOLD, '"F | siege BOS won |  |', '"B | siege BOS won |  |', "the game is over before this turn"),
    (TOLD, "siege BOS won |  |", "siege BOS won | GAS |", "no cards are drawn"),
    (TOLD, 'won |  | 12 5 15 33', 'won |  | 12 5 15 34', "french points should be 33"),
    (TOLD, '15 33",\n]', '15 33",\n  "F | siege BOS won |  | 12 5 15 33",\n]', "the game is over before this turn"),
    (GIVEN_UP, "surrender BOS |", "surrender BOS; pass |", "'pass': the game is over before this"),
    (GIVEN_UP, "surrender BOS |", "surrender BOS leave |", "nothing more happens"),
    (GIVEN_UP, "surrender BOS |", "withdraw BOS |", "right would be surrender BOS"),
    (GIVEN_UP, "surrender BOS |  |", "surrender BOS | PHI |", "the game is over: no cards are drawn"),
    (SIEGE, "won settle QUE", "won", "it is not told whether a village is placed"),
    (SIEGE, "won settle QUE", "won settle QUE leave", "'leave' has no meaning there"),
    (SIEGE, "won settle QUE", "won settle QUE FO", "'FO' has no meaning there"),
    (SIEGE, "won settle QUE", "won lost", "'lost' has no meaning there"),
    (SIEGE, "siege PEM won settle QUE", "siege PEM won settle QUE; siege PEM won", "told twice"),
    (SIEGE, 'end = "siege"', 'end = "capture"', "the game should end by 'capture', but by the rules ends by 'siege'"),
    (SIEGE, 'winner = "french"', 'winner = "british"', "the winner is french, not british"),
])
def test_tampered_ends_are_refused(tmp_path: Path, text: str, old: str, new: str, reason: str) -> None:
    assert old in text
    with pytest.raises(InvalidRecord) as raised:
        read_replay(written(tmp_path, text.replace(old, new, 1)))
    assert reason in str(raised.value)
    assert ", line " in str(raised.value)


def test_a_village_that_needs_no_card() -> None:
    """Where a village is placed without a choice, `settle` may be recorded, but a card or `leave` may not."""
    for told, right in (("", True), (" settle", True), (" settle NYK", False), (" leave", False)):
        state = setup("BOS NYK NFK NHV PHI", "LOU PRO TAD GAS TRI", sites="F.FNI", sieges=((0, "FNI", "SA RI", ""),),
                      on_turn=1, actions=0, decks=("PEM STM", "MTL"))
        reader = _Reader(state)
        reader.play_turn("F |  |  | 12 5 17 31")
        line = f"B | siege FNI won{told}; money BOS; pass | PEM | 15 5 21 29"
        if right:
            reader.play_turn(line)
        else:
            with pytest.raises(InvalidRecord, match="a village is placed there without a card"):
                reader.play_turn(line)


@pytest.mark.parametrize(("end", "told"), [('winner = "french"', "seat 0 forfeits here: resign"),
                                           ('winner = "unrecorded"', "one side resigns here")])
@pytest.mark.rule("FAS-16.7")
def test_resignations_are_told(tmp_path: Path, end: str, told: str) -> None:
    path = written(tmp_path, SHORT.replace('id = "short"', f'end = "resignation"\n{end}'))
    assert read_replay(path).extra["ended"] == "resign"
    assert told in CliRunner().invoke(main, ["replay", str(path)]).stdout


# ---- files ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("old", "new", "reason"), [
    ('id = "short"', "final_points = 5", "'final_points' must be like { british = 48, french = 61 }, not 5"),
    ('id = "short"', 'final_money = "7 7"', "'final_money' must be like"),
    ('id = "short"', "final_money = { dutch = 7 }", "'final_money' must be like"),
    ('id = "short"', 'winner = ["french"]', "'winner' must be a text"),
    ('id = "short"', 'winner = "dutch"', "'winner' must be one of british, french, unrecorded, not 'dutch'"),
    ('id = "short"', 'end = "seige"', "'end' must be one of .*; did you mean 'siege'"),
    ('id = "short"', "id = [1]", "'id' must be a text"),
    ('"BOS NHV NYK PEM PHI"', "5", "'hand_british' must be a text, not 5"),
    ("turns = [", "turns = 5\nlines = [", "has no turns"),
    ("turns = [", "turns = [7,", "has no turns"),
])
def test_malformed_files_are_told_in_one_line(tmp_path: Path, old: str, new: str, reason: str) -> None:
    path = written(tmp_path, SHORT.replace(old, new, 1))
    with pytest.raises(InvalidRecord, match=reason) as raised:
        read_replay(path)
    assert "\n" not in str(raised.value)
    with pytest.raises(InvalidRecord, match=r"holds no \[\[replay\]\] table"):
        read_replay(written(tmp_path, "replay = [1, 2]"))


@pytest.mark.parametrize("change", [
    lambda text: text.replace('17 29",\n  "F | piracy', '17 29", "F | piracy', 1),        # two turns in one line
    lambda text: text.replace('"B | draft RG |', '"B\\u0020| draft RG |', 1),            # an escape
    lambda text: text.replace("turns = [", 'turns = [  # "F | trader TR0 TRI MTL TAD; draft CB | GAS QUE BX CB | 14"'),
    lambda text: text.replace("turns = [", "turns = [  # it's \"", 1),
    lambda text: text.replace('"B | draft RG |  | 7 5 17 29"', "'B | draft RG |  | 7 5 17 29'", 1),
    lambda text: text.replace('"B | draft RG |  | 7 5 17 29"', "\"\"\"B | draft RG |\n | 7 5 17 29\"\"\"", 1),
])
def test_the_line_of_a_turn_however_it_is_written(tmp_path: Path, change: Callable[[str], str]) -> None:
    text = change(SHORT)
    assert text != SHORT
    assert read_replay(written(tmp_path, text)).moves == read_replay(written(tmp_path, SHORT)).moves
    wrong = text.replace("GAS QUE BX CB | 14 13 17 29", "GAS QUE BX CB | 14 12 17 29")
    path = written(tmp_path, wrong)
    line = next(n for n, row in enumerate(wrong.splitlines(), start=1) if "14 12 17 29" in row)
    with pytest.raises(InvalidRecord, match=f"line {line}: turn 4: french money should be 13"):
        read_replay(path)


# ---- options --------------------------------------------------------------------------------------------

OPENING = SHORT[:SHORT.index('  "B | money')] + "]\n"             # its first two turns


def told_options(table: str, more: str = "") -> str:
    return OPENING.replace('id = "short"', f"options = {{ {table} }}\n{more}")


@pytest.mark.rule("FAS-17.8")
def test_a_recorded_game_names_its_options(tmp_path: Path) -> None:
    """The British hold a card that they start with only under this option; the record keeps the options."""
    text = told_options('british_bateaux_in_initial_deck = true, max_turns = "none"').replace(
        '"BOS NHV NYK PEM PHI"', '"BOS NHV NYK BX PHI"')
    record = read_replay(written(tmp_path, text))
    assert record.game == "a_few_acres_of_snow:max_turns=none,british_bateaux_in_initial_deck=true"
    assert record.replay().scores() == [17, 29]
    with pytest.raises(InvalidRecord, match="hand_british: BX cannot be drawn"):
        read_replay(written(tmp_path, text.replace("british_bateaux_in_initial_deck = true, ", "")))
    table = SHORT.replace("[[replay]]", "[[replay]]\noptions.end_check = 'before_sieges'")
    assert read_replay(written(tmp_path, table)).game == "a_few_acres_of_snow:end_check=before_sieges"


@pytest.mark.parametrize(("told", "reason"), [
    ("raid_rout = 'any'", "unknown option 'raid_rout' of game 'a_few_acres_of_snow'; did you mean 'raid_routes'"),
    ("spec = 'acres'", "unknown option 'spec' of game 'a_few_acres_of_snow'"),
    ("raid_routes = 'longest'", "'a_few_acres_of_snow' must be shortest or any, not 'longest'"),
    ("max_turns = 0", "'a_few_acres_of_snow' must be a whole number from 1 to 60000, or none, not 0"),
    ("no_governor = 1", "'a_few_acres_of_snow' must be true or false, or none, not 1"),
    ("no_governor = [true]", "'a_few_acres_of_snow' must be true or false, or none, not [True]"),
    ("end_check = 2026-01-01", "'a_few_acres_of_snow' must be before_sieges or after_sieges, or none, not datetime"),
    ("preset = 'second'", "'preset' stands beside 'options', not within"),
    ("french_picks_extra_initial_empire_card = true", "pick_french: it is not told which card the French start with"),
])
def test_wrong_options_are_told_in_one_line(tmp_path: Path, told: str, reason: str) -> None:
    path = written(tmp_path, told_options(told))
    with pytest.raises(InvalidRecord) as raised:
        read_replay(path)
    assert reason in str(raised.value)
    assert "\n" not in str(raised.value)
    shown = CliRunner().invoke(main, ["replay", str(path)])
    assert shown.exit_code != 0
    assert reason.split(" of game")[0] in shown.stderr
    assert "Traceback" not in shown.stderr


def test_options_that_are_no_table(tmp_path: Path) -> None:
    path = written(tmp_path, SHORT.replace('id = "short"', 'options = "raid_routes=any"'))
    with pytest.raises(InvalidRecord, match=r"'options' must be like \{ british_bateaux_in_initial_deck = true \}, "):
        read_replay(path)


def test_the_card_that_the_french_add(tmp_path: Path) -> None:
    option = "french_picks_extra_initial_empire_card = true"
    text = told_options(option, 'pick_french = "CB"').replace('"LOU PRO RI0 TR0 TRI"', '"LOU PRO CB TR0 TRI"')
    assert read_replay(written(tmp_path, text)).moves[0] == "pick CB"
    for pick, reason in (("XX", "pick_french: 'XX' is no card of this side"), ("BOS", "pick_french: 'BOS' is no card")):
        with pytest.raises(InvalidRecord, match=reason):
            read_replay(written(tmp_path, text.replace('pick_french = "CB"', f'pick_french = "{pick}"')))
    with pytest.raises(InvalidRecord, match="pick_french: no card is chosen without the option"):
        read_replay(written(tmp_path, text.replace(option, "")))


@pytest.mark.rule("FAS-13.13")
@pytest.mark.parametrize("routes", ["shortest", "any"])
def test_a_raid_that_took_a_longer_route(routes: str) -> None:
    """Three cards for a site two connections away: a record may hold this if its options allow any route."""
    state = setup("BOS NYK NFK NHV PHI", "CB NA NAn PRO TAD", sites="B.FHA", options=f"raid_routes={routes}",
                  on_turn=1, money=(12, 9), decks=("PEM STM", "MTL GAS TRI PR"))
    reader = _Reader(state)
    line = "F | raid FHA NAn CB NA; pass | MTL GAS TRI | 12 7 17 31"
    if routes == "shortest":
        with pytest.raises(InvalidNotation, match="'raid FHA NAn CB NA' has more cards than the action takes"):
            reader.play_turn(line)
        return
    reader.play_turn(line)
    assert "done" in reader.texts
    assert reader.texts.count("allow") == 1


# ---- the six games ----------------------------------------------------------------------------------


@needs_games
@pytest.mark.rule("FAS-5.2", "FAS-16.2", "FAS-16.5")
def test_six_recorded_games() -> None:
    """Vector 36: money and points agree after every turn, and the games end when the rules say so."""
    records = [read_replay(SHARED, number) for number in range(1, 7)]
    assert [record.extra["replay"] for record in records] == ["g1", "g2", "g3", "g4", "g5", "g6"]
    ends = []
    for record in records:
        state = record.replay()
        ends.append((state.game.end_reason(state), tuple(state.scores())))
        if record.result is not None:
            assert list(record.result.scores) == state.scores()
    assert ends[:5] == [("supply", (48, 61)), ("supply", (59, 51)), ("supply", (56, 30)), ("supply", (48, 30)),
                        ("supply", (58, 35))]
    assert ends[5][0] is None
    assert sum(text.startswith("surrender") for record in records for text in record.moves) == 2
    assert sum("unfilled" in text for record in records for text in record.moves) == 1


@needs_games
@pytest.mark.parametrize(("old", "new", "reason"), [
    ("B | draft RG |  | 7 5 17 29", "B | draft RG |  | 7 5 17 28", "french points should be 29"),
    ("siege HAL won lost FO settle QUE", "siege HAL won lost RI settle QUE", "the siege costs FO, not RI"),
    ("siege HAL won lost FO settle QUE; ", "", "a siege is won at the start of this turn"),
    ("siege PEM held lost MI", "siege PEM won lost MI", "is held, not won"),
    ("siege PRO held lost RI0; develop", "siege PRO held; develop", "costs"),
    ("trader TR FDU; discard DEE HAL CUM", "trader TR PEM; discard DEE HAL CUM", "not legal"),
])
def test_tampered_sieges_are_refused(tmp_path: Path, old: str, new: str, reason: str) -> None:
    text = SHARED.read_text(encoding="utf-8")
    assert old in text
    path = written(tmp_path, text.replace(old, new, 1))
    line = text[:text.index(old)].count("\n") + 1
    with pytest.raises(InvalidRecord) as raised:
        [read_replay(path, number) for number in range(1, 7)]
    assert f"line {line}: turn" in str(raised.value)
    assert reason in str(raised.value)
