"""`sfida play` without a terminal: agents, piped moves, records and saves."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import pytest

import sfida as api
from sfida.ai.table import Table, take_seats
from sfida.engines.moves import Choices
from sfida.engines.records import read_records
from sfida.engines.registry import make_game

RANDOMS = ("--seat", "random", "--seat", "random")
PERSON = ("--seat", "human", "--seat", "random")


def test_json_is_one_event_a_line_then_the_result(events):
    *moves, result = events("play", "kuhn_poker", *RANDOMS, "--seed", 3)
    assert [move["ply"] for move in moves] == list(range(len(moves)))
    assert all(move["type"] == "move" for move in moves)
    assert [move["chance"] for move in moves[:3]] == [True, True, False]
    assert [move["seat"] for move in moves[:3]] == [-1, -1, 0]
    assert result["type"] == "result"
    assert result["game"] == "kuhn_poker"
    assert result["seats"] == ["random", "random"]
    assert sum(result["utilities"]) == pytest.approx(1)
    assert len(result["scores"]) == len(result["ranks"]) == 2
    assert result["plies"] == len(moves)
    assert result["seed"] == 3


@pytest.mark.parametrize("game", ["carcassonne", "goofspiel"])
def test_the_same_game_as_from_python(events, game):
    *moves, result = events("play", game, *RANDOMS, "--seed", 11)
    record = api.play(game, ["random", "random"], seed=11)
    assert tuple(move["move"] for move in moves) == record.moves
    assert record.result is not None
    assert result["scores"] == list(record.result.scores)


def test_the_seed_is_shown_and_gives_the_game_again(sfida):
    first = sfida("play", "tic_tac_toe", *RANDOMS).stdout
    seed = first.splitlines()[0].split("seed ")[1]
    assert sfida("play", "tic_tac_toe", *RANDOMS, "--seed", seed).stdout == first


def test_missing_seats_get_the_default_agent_and_nobody_is_asked(events):
    result = events("play", "tic_tac_toe", "--seat", "random")[-1]
    assert result["seats"] == ["random", "ismcts:seconds=1"]


def test_more_seats_mean_more_players(events):
    result = events("play", "carcassonne", *["--seat", "random"] * 3)[-1]
    assert result["game"] == "carcassonne:players=3"
    assert len(result["ranks"]) == 3


def test_people_read_text(sfida):
    text = sfida("play", "carcassonne", *RANDOMS, "--seed", 5).stdout
    assert "seed 5" in text
    assert "red random · blue random" in text
    assert "scored during play" in text
    assert "\x1b" not in text


def test_record_appends(sfida):
    for seed in (1, 2):
        sfida("play", "tic_tac_toe", *RANDOMS, "--seed", seed, "--record", "games.jsonl")
    records = list(read_records("games.jsonl"))
    assert [record.seed for record in records] == [1, 2]
    assert all(record.result for record in records)


# ---- people on standard input -------------------------------------------------------------------------


def test_piped_moves_by_notation_and_number(sfida, events):
    moves = events("play", "tic_tac_toe", "--seat", "human", "--seat", "human",
                   input="b2\n1\n a1 \nC1\nC3\n")
    assert [move["move"] for move in moves[:-1]] == ["b2", "a3", "a1", "c1", "c3"]
    assert moves[-1]["ranks"] == [1, 2]


def test_a_whole_turn_in_one_line(events):
    moves = events("play", "carcassonne", *PERSON, "--seed", 4, input="0,-1/2+c0\n", code=1)
    assert [move["move"] for move in moves[:3]] == ["P", "P@0,-1/2", "+c0"]


def test_refused_lines_are_told_and_the_next_is_read(sfida):
    result = sfida("play", "tic_tac_toe", "--seat", "human", "--seat", "human",
                   input="z9\n17\n\nb2\nb2\na1\nb1\na2\nb3\n")
    assert result.exit_code == 0
    errors = result.stderr.splitlines()
    assert len(errors) == 3
    assert errors[0].startswith("error: 'z9' is not a legal move here; legal are for example: a3")
    assert errors[1] == "error: there is no move 17 in the list; it holds 1 to 9"
    assert errors[2].startswith("error: 'b2' is not a legal move here")


def test_ambiguous_move_is_refused(sfida):
    result = sfida("play", "carcassonne", *PERSON, "--seed", 4, input="P 0,-1\n")
    assert "P fits at (0,-1) in 2 rotations: P@0,-1/2, P@0,-1/3" in result.stderr


def test_end_of_input_keeps_the_game(sfida, saves):
    result = sfida("play", "tic_tac_toe", *PERSON, "--seed", 1, "--record", "r.jsonl", input="b2\n")
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("error: standard input ended before the game did, after 2 moves")
    (record,) = read_records("r.jsonl")
    assert record.result is None
    (save,) = saves()
    assert str(save) in result.stderr
    assert next(read_records(save)) == record


def test_a_kept_game_goes_on(sfida, events, saves):
    sfida("play", "tic_tac_toe", "--seat", "human", "--seat", "human", "--seed", 9, input="b2\na1\nb1\n")
    (save,) = saves()
    moves = events("play", save, input="a2\nb3\n")
    assert [move["move"] for move in moves[:-1]] == ["b2", "a1", "b1", "a2", "b3"]
    assert moves[-1]["seed"] == 9
    assert moves[-1]["ranks"] == [1, 2]


def test_going_on_draws_the_same_luck(events, sfida, saves):
    whole = sfida("play", "carcassonne", *PERSON, "--seed", 4, "--json", input="1\n1\n1\n1\n1\n1\n")
    part = sfida("play", "carcassonne", *PERSON, "--seed", 4, input="1\n1\n1\n")
    save = part.stderr.split("sfida play ")[1].strip()
    rest = sfida("play", save, "--json", input="1\n1\n1\n")
    assert rest.stdout == whole.stdout


def test_quit_save_and_log_work_through_a_pipe(sfida, saves):
    result = sfida("play", "tic_tac_toe", *PERSON, "--seed", 1, input="b2\nlog\nsave mine.jsonl\nquit\n")
    assert result.exit_code == 0
    (record,) = read_records("mine.jsonl")
    assert record.moves[0] == "b2"
    assert result.stdout.count("X: b2") == 2
    assert len(saves()) == 1


def test_tiles_shows_what_is_left(sfida):
    text = sfida("play", "carcassonne", "--seat", "human", "--seat", "random", "--seed", 3,
                 input="tiles\nquit\n").stdout
    assert "V ×9" in text               # none drawn yet: seed 3 begins with tile B
    assert "B ×3" in text


def test_undo_goes_back_over_the_agent_and_the_luck_stays(events):
    lines = "1\n1\nundo\nundo\n2\n"
    moves = events("play", "carcassonne", *PERSON, "--seed", 4, input=lines, code=1)
    undone = [i for i, event in enumerate(moves) if event["type"] == "undo"]
    assert len(undone) == 2
    assert moves[undone[1]]["ply"] == 1, "back at the first placement"
    after = moves[undone[1] + 1:]
    assert after[0]["ply"] == 1
    assert after[0]["move"] != moves[1]["move"]
    again = events("play", "carcassonne", *PERSON, "--seed", 4, input="2\n", code=1)
    assert [event["move"] for event in after] == [event["move"] for event in again[1:]]


def test_undo_with_nothing_to_take_back(sfida):
    result = sfida("play", "tic_tac_toe", *PERSON, input="undo\n")
    assert "error: there is no decision of yours to take back" in result.stderr


def test_undo_stops_at_the_first_decision_and_redo_plays_all_of_it_again(events):
    """The first tile of seed 3 fits in one place, so laying it was no decision."""
    moves = events("play", "carcassonne", *PERSON, "--seed", 3, input="1\nundo\nundo\nredo\nredo\n", code=1)
    at = next(i for i, event in enumerate(moves) if event["type"] == "undo")
    played = [event["move"] for event in moves[:at]]
    assert moves[at]["ply"] == 2
    assert [event["type"] for event in moves].count("undo") == 1
    assert [event["move"] for event in moves[at + 1:]] == played[2:]


def test_an_only_move_that_is_asked_for_is_taken_back_alone(events):
    start = ("play", "carcassonne", *PERSON, "--seed", 3, "--ask-forced")
    moves = events(*start, input="1\n1\nundo\nundo\nredo\n", code=1)
    plies = [event["ply"] for event in moves if event["type"] == "undo"]
    assert plies == [2, 1]
    assert [event["ply"] for event in moves][-1] == 1, "redo plays one decision again"


def test_hint_names_a_move(sfida):
    result = sfida("play", "tic_tac_toe", "--seat", "human", "--seat", "human", "--seed", 1,
                   input="a1\nb2\na3\nhint\nquit\n")
    assert "hint: " in result.stdout
    assert "a2" in result.stdout.split("hint: ")[1], "the only move that does not lose at once"


# ---- hidden information -------------------------------------------------------------------------------


def test_a_person_does_not_see_the_other_card(sfida):
    for seed in range(6):
        result = sfida("play", "kuhn_poker", *PERSON, "--seed", seed, input="log\n")
        deals = [line for line in result.stdout.splitlines() if "chance:" in line]
        assert "deal" in deals[0], "one's own card is told"
        assert "deal:?" in deals[1]
        assert deals[2:] == deals[:2], "the log tells no more"


# ---- manual chance ------------------------------------------------------------------------------------


def test_manual_chance_refuses_what_cannot_be_drawn(sfida, events):
    lines = "P\n0,-1/2+c0\nC\nC\nE\n"
    moves = events("play", "carcassonne", "--manual-chance", "--seat", "human", "--seat", "greedy",
                   input=lines, code=1)
    assert moves[0] == {"schema": 1, "type": "move", "ply": 0, "seat": -1, "move": "P", "chance": True}
    assert [move["move"] for move in moves if move["chance"]][:2] == ["P", "C"]
    refused = sfida("play", "carcassonne", "--manual-chance", *PERSON, input="zz\nP\n")
    assert refused.stderr.startswith("error: 'zz' is no tile; give the code of the drawn tile")
    assert "tile P" in refused.stdout


def test_nobody_moves_for_the_agent(sfida):
    result = sfida("play", "carcassonne", "--manual-chance", "--seat", "greedy", "--seat", "human",
                   input="E@0,-1/2+c0\n")
    assert "error: red decides after the first 1 of the 3 moves" in result.stderr


def test_a_game_with_real_tiles_goes_on_with_real_tiles(sfida):
    part = sfida("play", "carcassonne", "--manual-chance", *PERSON, input="P\n0,-1/2+c0\n")
    save = part.stderr.split("sfida play ")[1].strip()
    rest = sfida("play", save, "--json", input="E\n")
    chance = [json.loads(line) for line in rest.stdout.splitlines()][3]
    assert chance["move"] == "E"
    assert chance["chance"] is True


# ---- games that must not be lost -------------------------------------------------------------------------


def test_a_listed_move_that_is_a_whole_action_is_one(sfida):
    """`discard NFK` ends the action; typed by its number in the list, it stays open for more cards."""
    start = ("play", "acres", "--seat", "human", "--seat", "greedy", "--seed", 1)
    done = sfida(*start, input="discard NFK\nend\n")
    assert "'end' is not legal here" not in done.stderr
    assert "discards Norfolk" in done.stdout
    several = sfida(*start, input="tiles\npass; end\n")
    assert "hand and deck together" in several.stdout
    assert "error: 'pass" not in several.stderr


@pytest.mark.parametrize("line", ["log 2", "undo 3", "board x", "moves draft", "tiles 7", "now or never"])
def test_commands_that_take_nothing_refuse_more(sfida, line):
    done = sfida("play", "tic_tac_toe", *PERSON, "--seed", 1, input=f"{line}\n")
    assert "stands alone" in done.stderr


def test_stock_counts_the_own_hand(sfida):
    shown = sfida("play", "attila:players=2", *PERSON, "--seed", 1, input="tiles\nquit\n").stdout
    assert "(42 in the pile, 6 in hands)" in shown


def test_a_game_whose_luck_the_seed_no_longer_gives_goes_on(sfida):
    sfida("play", "carcassonne", *PERSON, "--seed", 1, "--record", "game.jsonl", input="1\n1\n1\n1\nquit\n")
    (begun,) = read_records("game.jsonl")
    api.write_records("game.jsonl", [replace(begun, seed=2)])       # as if another version had drawn it
    done = sfida("play", "game.jsonl", "--record", "done.jsonl", input="undo\n" + "1\n" * 200)
    (record,) = read_records("done.jsonl")
    assert record.result is not None
    assert record.moves[:3] == begun.moves[:3]
    assert done.exit_code == 0


def test_a_game_that_goes_on_keeps_its_seed(sfida):
    sfida("play", "tic_tac_toe", *PERSON, "--seed", 1, "--record", "game.jsonl", input="a1\nquit\n")
    assert "keeps the seed of its record" in sfida("play", "game.jsonl", "--seed", 5).stderr


def test_only_what_was_kept_is_said_to_be(sfida, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null/nowhere")
    done = sfida("play", "tic_tac_toe", *PERSON, "--seed", 1, input="a1\nquit\n")
    assert done.exit_code == 1
    assert done.stderr.rstrip().endswith("error: the game could not be kept")
    assert "is kept" not in done.stderr.replace("is not kept", "")


def test_games_without_a_decision_push_out_none_with_one(sfida, saves):
    sfida("play", "tic_tac_toe", *PERSON, "--seed", 1, input="a1\nquit\n")
    (first,) = saves()
    aged = first.with_name("tic_tac_toe-20200101-000000-999999999.jsonl")
    first.rename(aged)
    for number in range(25):                # each as if by a separate program
        sfida("play", "tic_tac_toe", *PERSON, "--seed", number, input="quit\n")
        for path in saves():
            if path != aged and not path.stem.endswith("99"):
                path.rename(path.with_name(f"tic_tac_toe-20200102-{number:06}-99999999{number:02}99.jsonl"))
    assert aged in saves()
    assert len(saves()) <= 21


def test_the_name_of_a_preset_is_played_and_recorded_in_full(sfida, events):
    seats = ["--seat", "random"] * 3
    played = events("play", "catan:max_turns=2", *seats, "--seed", 1, "--record", "game.jsonl")
    full = "settlers_of_zarahemla:players=3,preset=catan,max_turns=2"
    assert played[-1]["game"] == full
    assert [record.game for record in read_records("game.jsonl")] == [full]
    slip = sfida("play", "catn")
    assert slip.exit_code == 2
    assert "unknown game 'catn'; did you mean 'catan'?" in slip.stderr


def test_a_file_with_the_short_name_of_a_game_does_not_stand_in_its_way(events, tmp_path):
    (tmp_path / "acres").write_text("no record")
    assert events("hint", "acres:preset=online", "--agent", "ismcts:iterations=5")[0]["type"] == "hint"


# ---- numbers, names, refusals -----------------------------------------------------------------------------


def piped(sfida, game, *lines):
    return sfida("play", game, *["--seat", "human"] * 1, *["--seat", "greedy"] * 2, "--seed", 3,
                 input="\n".join([*lines, "quit", ""]))


def test_refusals_give_the_rule(sfida):
    told = piped(sfida, "zarahemla", "S36", "36", "41", "23", "R12-17").stderr.splitlines()
    assert told[0].startswith("error: 'S36' is not legal here (corner 36 is too near: white has built at 31")
    assert "the distance rule keeps two paths between settlements" in told[0]
    assert told[1].startswith("error: '36' is not legal here (corner 36 is too near")
    assert "S36" not in told[1]
    assert "corner 41 is taken: blue has built there" in told[2]
    assert "the road must start at the settlement just placed, at 23" in told[3]


def test_names_and_bare_codes_are_read(sfida):
    done = piped(sfida, "risiko", "Alaska 2", "undo", "alk 1")
    assert "2 armies on Alaska" in done.stdout
    assert "1 army on Alaska" in done.stdout
    refused = piped(sfida, "risiko", "Egypt 1").stderr
    assert refused.startswith("error: 'Egypt 1' is not legal here (Egypt is not yours: ")
    spelled = sfida("play", "acres", "--seat", "human", "--seat", "greedy", "--seed", 3,
                    input="draft Regular Infantry\nmoney New York\n")
    assert "drafts Regular Infantry" in spelled.stdout
    assert "money New York" not in spelled.stderr


def test_forced_moves_are_played_for_people_on_standard_input(sfida):
    lines = "b2\na1\na2\nc2\nb1\nb3\na3\nc1\n"
    people = ("--seat", "human", "--seat", "human")
    assert "X: c3" in sfida("play", "tic_tac_toe", *people, input=lines).stdout
    assert "standard input ended" in sfida("play", "tic_tac_toe", *people, "--ask-forced", input=lines).stderr


def test_undo_goes_back_past_what_played_itself(sfida, stopped):
    state = stopped("r.jsonl", "risiko", lambda state: (state.phase == "trade" and len(state.legal_moves()) == 1
                                                       and state.snapshot()["round"] > 2))
    (before,) = read_records("r.jsonl")
    assert state.format(state.legal_moves()[0]) == "="
    done = sfida("play", "r.jsonl", "--record", "after.jsonl", input="undo\nquit\n")
    assert "taken back" in done.stderr + done.stdout
    (after,) = read_records("after.jsonl")
    assert len(after.moves) < len(before.moves), "a decision with a choice, before the one without"


def test_resigning_is_recorded_and_told(sfida, events):
    lines = "b2\nresign\nresign\n"
    moves = events("play", "tic_tac_toe", *PERSON, "--seed", 1, "--record", "r.jsonl", input=lines)
    assert moves[-1]["type"] == "resign"
    assert moves[-1]["seat"] == 0
    assert "X resigns: O wins." in sfida("replay", "r.jsonl").stdout
    again = sfida("play", "r.jsonl")
    assert again.exit_code == 1
    assert "this game is over" in again.stderr


def test_every_label_of_a_list_plays_its_move():
    for game in ("zarahemla", "acres", "risiko", "attila", "carcassonne", "tic_tac_toe"):
        engine = make_game(game)
        table = Table(engine, take_seats(engine, ["greedy"] * engine.players), 5)
        while not table.state.is_over and len(table.events) < 250:
            if not table.state.is_chance:
                choices = Choices(table.state)
                assert len({int(choice.label) for choice in choices.list}) == len(choices.list), game
                for choice in (choices.list[0], choices.list[-1]):
                    assert choices.find(choice.label) == [choice.move]
                grouped = [move for group in choices.groups for move in group.moves]
                assert not grouped or sorted(grouped) == sorted(choice.move for choice in choices.list)
            table.play(table.next_move())


def test_acres_says_who_holds_a_site(sfida):
    done = sfida("play", "acres", "--seat", "human", "--seat", "greedy", "--seed", 3,
                 input="settle QUE BOS\ndevelop HAL\nfortify Quebec FO\nquit\n")
    told = done.stderr.splitlines()
    assert told[0].startswith("error: 'settle QUE BOS' is not legal here (Quebec is French already)")
    assert told[1].startswith("error: 'develop HAL' is not legal here (Halifax is not yours)")
    assert "Quebec is not yours" in told[2]


def test_no_refusal_quotes_what_was_not_typed(sfida):
    done = piped(sfida, "zarahemla", "?1s/1b", "-wwa", "h:wb")
    for line in done.stderr.splitlines()[:3]:
        assert "give:" not in line.split(";")[0]
        assert any(typed in line for typed in ("?1s/1b", "-wwa", "h:wb"))


SIGNS = {"zarahemla": ("♣", "07", "h3", "•••", "*robber*", ">8<", "!", "★", "2:1", "Rs", "RRR"),
         "acres": ("#", "* ", "~ ", "- ", "! ", "> ", "╱", "≈", "=", "·", ". nobody", "1 village"),
         "risiko": ("12b", "y yellow", ">CIN", "CIN>", "CIN*", "dotted", "+5"),
         "attila": ("GER*", "#", "!", ". free", ">GER", "9>", "9=", "3:", "■-", "- X -"),
         "carcassonne": ("#", "═", "~", "⌂", "■", "┌┐", "·", "2-4", "↻", "/1", "unfit", "●", "○", "<-", "T thief")}


@pytest.mark.parametrize("game", SIGNS)
def test_the_help_fits_a_small_screen_and_tells_the_signs(sfida, game, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    engine = make_game(game)
    start = ("play", game, "--seat", "human", *["--seat", "greedy"] * (engine.players - 1), "--seed", 3)
    without, text = (sfida(*start, input=f"{typed}quit\n").stdout.splitlines() for typed in ("", "?\n"))
    assert len(text) - len(without) <= 23
    assert max(map(len, text[len(without):])) <= 80
    told = "\n".join(text[-(len(text) - len(without)):])
    assert [sign for sign in SIGNS[game] if sign not in told] == []


def test_a_topic_of_the_help_has_a_screen_of_its_own(sfida):
    done = piped(sfida, "carcassonne:players=3", "? hint", "help why", "? nonsense")
    columns = ("visits", "share", "win", "reward ≥", "prior", "play", "continues", "best", "asked", "next")
    assert [name for name in columns if done.stdout.count(f"\n{name} ") + done.stdout.count(f"{name}:") < 2] == []
    assert "there is no help on 'nonsense'" in done.stderr
    assert "'? hint'" in done.stderr


def test_a_game_starts_without_what_tournaments_need() -> None:
    """These imports take half a second, for which a person at the terminal would wait."""
    code = ("import sys, sfida.cli.play, sfida.cli.session; "
            "print([name for name in sys.modules if name in ('sfida.ai.arena.tournament', 'joblib', 'openskill')])")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_record_is_played_on_from_the_middle(sfida, events):
    sfida("play", "carcassonne", "--seat", "greedy", "--seat", "random", "--seed", 4, "--record", "whole.jsonl")
    whole = next(read_records("whole.jsonl"))
    *_, same = events("play", "whole.jsonl", "--until", 30, "--record", "same.jsonl")
    assert same["type"] == "result"
    assert next(read_records("same.jsonl")).moves == whole.moves
    events("play", "whole.jsonl", "--until", 30, "--seed", 9, "--seat", "greedy", "--seat", "greedy",
           "--record", "other.jsonl")
    other = next(read_records("other.jsonl"))
    assert other.moves[:30] == whole.moves[:30]
    assert other.moves != whole.moves
    assert other.seats == ("greedy", "greedy")


@pytest.mark.parametrize(("arguments", "said"), [
    (("carcassonne", "--until", 3), "--until counts the moves of a record"),
    (("whole.jsonl", "--until", 4000), "there is no position after move 4000"),
    (("whole.jsonl", "--seed", 3), "--seed is for a new game"),
])
def test_until_needs_a_position(sfida, arguments, said):
    sfida("play", "tic_tac_toe", *RANDOMS, "--seed", 4, "--record", "whole.jsonl")
    done = sfida("play", *arguments)
    assert done.exit_code
    assert said in " ".join(done.stderr.split())


# ---- clocks -----------------------------------------------------------------------------------------


def test_after_zero_the_computer_plays_on(sfida):
    told = sfida("play", "tic_tac_toe", *PERSON, "--clock", "0.000001", "--record", "r.jsonl", input="a1\n")
    assert "is up: level:5 plays on." in told.output
    record, = read_records("r.jsonl")
    assert record.seats == ("level:5", "random")
    assert record.extra["clocks"] == {"form": "0.000001", "left": {"0": 0.0}}


def test_a_clock_that_lasts_changes_nothing(events):
    game, typed = ("play", "tic_tac_toe", *PERSON, "--seed", 1), "b2\na1\nb1\na2\nb3\na3\nc1\nc2\nc3\n"
    assert events(*game, "--clock", "600+10", input=typed) == events(*game, input=typed)


def test_a_clock_is_for_a_new_game(sfida, record):
    assert "300+5" in sfida("play", "tic_tac_toe", *PERSON, "--clock", "soon").stderr
    assert "continued game keeps its clocks" in sfida("play", record, "--clock", "60").stderr
