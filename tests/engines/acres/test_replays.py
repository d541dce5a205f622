"""Recorded games: read turn by turn, checked on the way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from sfida.cli.main import main
from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.acres.replays import read_replay, read_replays

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


# ---- the six games ----------------------------------------------------------------------------------


@needs_games
@pytest.mark.rule("FAS-5.2", "FAS-16.2", "FAS-16.5")
def test_six_recorded_games() -> None:
    """Vector 36: money and points agree after every turn, and the games end when the rules say so."""
    records = read_replays(SHARED)
    assert [record.extra["replay"] for record in records] == ["g1", "g2", "g3", "g4", "g5", "g6"]
    ends = []
    for record in records:
        state = record.replay()
        raw = state.snapshot()  # type: ignore[attr-defined]
        ends.append((raw["reason"], tuple(state.scores())))
        if record.result is not None:
            assert list(record.result.scores) == state.scores()
    assert ends[:5] == [("supply", (48, 61)), ("supply", (59, 51)), ("supply", (56, 30)), ("supply", (48, 30)),
                        ("supply", (58, 35))]
    assert ends[5][0] == ""
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
        read_replays(path)
    assert f"line {line}: turn" in str(raised.value)
    assert reason in str(raised.value)
