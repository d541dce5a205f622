"""One line and the right exit code for every user error."""

from __future__ import annotations

import errno

import pytest

from sfida.cli import errors

RANDOMS = ["--seat", "random", "--seat", "random"]


@pytest.mark.parametrize(("arguments", "code", "message"), [
    (["plya"], 2, "no command 'plya'; did you mean 'play'?"),
    (["--nope"], 2, "no such option '--nope'"),
    (["play"], 2, "missing argument 'GAME|RECORD'"),
    (["play", "carcasonne"], 2, "unknown game 'carcasonne'; did you mean 'carcassonne'?"),
    (["play", ""], 2, "'' names nothing"),
    (["play", "carcassonne:rivr=true"], 2, "unknown option 'rivr' of game 'carcassonne'"),
    (["play", "carcassonne:rivr=true"], 2, "did you mean 'river'?"),
    (["play", "carcassonne:players=9"], 2, "must be a whole number from 2 to 5, not '9'"),
    (["play", "carcassonne:river"], 2, "is not key=value"),
    (["play", "carcassonne", "--seat", "ismct"], 2, "unknown agent 'ismct'; did you mean 'ismcts'?"),
    (["play", "carcassonne", "--seat", "ismcts:itertions=9"], 2, "did you mean 'iterations'?"),
    (["play", "carcassonne", "--seat", "human:level=9"], 2, "unknown option 'level' of agent 'human'"),
    (["play", "carcassonne", "--sead", "1"], 2, "no such option '--sead'"),
    (["play", "carcassonne", "--seed", "x"], 2, "'x' is not a whole number of at least 0"),
    (["play", "carcassonne", "--seed", str(2**128)], 2, f"is not a whole number from 0 to {2**128 - 1}"),
    (["tournament", "tic_tac_toe", "greedy", "random", "--seed", str(2**128)], 2, f"from 0 to {2**128 - 1}"),
    (["hint", "acres", "--seed", str(2**64)], 2, "is not a whole number from 0 to 18446744073709551615"),
    (["hint", "acres", "--game", "7"], 2, "--game counts the games of a file"),
    (["play", "acres", "--seat", "greedy:strategy=foo", "--seat", "random"], 2, "no strategy 'foo'; it has"),
    (["play", "carcassonne", "--seat", "hammer", "--seat", "random"], 2, "no strategy 'hammer'; it has none"),
    (["tournament", "tic_tac_toe", "random", "greedy", "--cluster", "tcp://x:1"], 2, "a cluster needs dask or ray"),
    (["games", "attila:player=3"], 2, "did you mean 'players'?"),
    (["games", "attila:map=none.toml"], 2, "none.toml cannot be read"),
    (["play", "tic_tac_toe", *RANDOMS, "--seat", "random"], 2, "has 2 seats, but --seat is given 3 times"),
    (["play", "carcassonne", *["--seat", "random"] * 6], 2,
     "--seat is given 6 times; 'carcassonne' takes 2 to 5 players"),
    (["play", "carcassonne", "--seat", "flat:threads=2"], 2, "unknown option 'threads' of agent 'flat'"),
    (["play", "none.jsonl"], 1, "none.jsonl: cannot be read: No such file or directory"),
    (["play", "tic_tac_toe", *RANDOMS, "--record", "no/such.jsonl"], 1, "no/such.jsonl: No such file"),
    (["play", "tic_tac_toe", *RANDOMS, "--record", "."], 2, "'.' is a directory"),
    (["replay"], 2, "missing argument 'RECORD'"),
    (["replay", "."], 1, "cannot be read: Is a directory"),
    (["games", "nogame"], 2, "unknown game 'nogame'"),
    (["agents", "nobody"], 2, "unknown agent 'nobody'"),
    (["bench", "nogame"], 2, "unknown game 'nogame'"),
    (["bench", "--seconds", "0"], 2, "'0' is not a number greater than 0"),
    (["bench", "tic_tac_toe", "--players", "3"], 2, "'players'"),
    (["profile", "carcassonne", "--threads", "one"], 2, "--threads is a list of whole numbers"),
    (["profile", "carcassonne", "--agent", "greedy"], 2, "greedy"),
    (["games", "--color", "pink"], 2, "'pink'"),
])
def test_one_line(sfida, arguments, code, message):
    result = sfida(*arguments)
    assert result.exit_code == code, result.stderr
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert message.lower() in result.stderr.lower()


def test_other_files_are_not_written_into(sfida, tmp_path):
    (tmp_path / "letter.txt").write_text("Dear Sir,\n")
    result = sfida("play", "tic_tac_toe", *RANDOMS, "--record", "letter.txt")
    assert result.exit_code == 1
    assert result.stdout == "", "the game is not even begun"
    assert (tmp_path / "letter.txt").read_text() == "Dear Sir,\n"


def test_a_finished_record_cannot_go_on(sfida):
    sfida("play", "tic_tac_toe", *RANDOMS, "--record", "done.jsonl")
    result = sfida("play", "done.jsonl")
    assert result.exit_code == 1
    assert "done.jsonl, line 1: this game is over; 'sfida replay' shows it" in result.stderr


def test_what_is_no_mistake_of_a_user_is_not_hidden():
    with pytest.raises(ZeroDivisionError):
        errors.report(ZeroDivisionError())


def test_system_errors_name_the_file():
    error = OSError(errno.EACCES, "Permission denied", "games.jsonl")
    assert errors.explain_os_error(error) == "games.jsonl: Permission denied"
