"""Files named by a person: reading with limits, and writing."""

from __future__ import annotations

import gzip
import io
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import sfida
from sfida.cython_ext.errors import InvalidRecord
from sfida.engines import records
from sfida.engines.files import LineTooLong, expanded, lines_of, open_regular, read_at_most, write_whole
from sfida.engines.records import LONGEST_LINE, append_record, read_record, write_records

pytestmark = pytest.mark.release_only("nothing compiled")

posix = pytest.mark.skipif(os.name != "posix", reason="needs pipes, devices and links")
UNREADABLE: dict[str, Callable[[Path], object]] = {
    "a pipe": lambda path: os.mkfifo(path),
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a socket": lambda path: _bind(path),
}


def _bind(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as end:
        end.bind(str(path))


# ---- reading ----------------------------------------------------------------------------------------


@posix
@pytest.mark.parametrize("what", UNREADABLE)
def test_only_regular_files_are_read(tmp_path, monkeypatch, what):
    monkeypatch.chdir(tmp_path)                         # the name of a socket must be short
    path = Path("thing.jsonl")
    UNREADABLE[what](path)
    with pytest.raises(OSError, match=f"it is {what}, not a regular file") as caught:
        open_regular(path)
    assert caught.value.filename == str(path)
    with pytest.raises(InvalidRecord, match=f"^thing.jsonl: cannot be read: it is {what}, not a regular file$"):
        read_record(path)


@posix
def test_a_link_to_a_regular_file_is_read(tmp_path):
    (tmp_path / "file").write_text("text")
    (tmp_path / "link").symlink_to("file")
    with open_regular(tmp_path / "link") as file:
        assert file.read() == b"text"
        assert not os.get_inheritable(file.fileno())


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_names_that_no_file_can_have(tmp_path, name):
    for use in (open_regular, lambda path: write_whole(path, "text")):
        with pytest.raises(OSError, match="no file can have this name"):
            use(tmp_path / name)
    with pytest.raises(InvalidRecord, match="cannot be written: no file can have this name"):
        append_record(tmp_path / name, sfida.play("tic_tac_toe", ["random"] * 2))
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_user_has_no_files():
    with pytest.raises(OSError, match="home directory"):
        expanded("~nobody-has-this-name/games.jsonl")


def test_a_file_has_a_largest_size(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"x" * 100)
    assert read_at_most(path, 100) == b"x" * 100
    with pytest.raises(OSError, match="it is larger than 99 bytes"):
        read_at_most(path, 99)


def test_lines_are_read_in_pieces_that_are_bounded():
    asked = set()

    class Watched(io.BytesIO):
        def readline(self, size: int | None = -1) -> bytes:
            asked.add(size)
            return super().readline(size)

    lines = lines_of(Watched(b"abc\n\nabcd\nab"), 4)
    assert [next(lines), next(lines)] == [(1, b"abc\n"), (2, b"\n")]
    with pytest.raises(LineTooLong, match="line 3 is longer than 4 bytes"):
        next(lines)
    assert asked == {5}


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
def test_a_record_has_a_longest_line(tmp_path, monkeypatch, name):
    path, record = tmp_path / name, sfida.play("tic_tac_toe", ["random"] * 2, seed=1)
    write_records(path, [record])
    append_record(path, record)
    monkeypatch.setattr(records, "LONGEST_LINE", len(record.to_json_line().encode()) + 1)
    assert read_record(path, 2) == record
    monkeypatch.setattr(records, "LONGEST_LINE", len(record.to_json_line().encode()))
    with pytest.raises(InvalidRecord, match=f"{name}, line 1: longer than [0-9]+ bytes, which no record is"):
        read_record(path)


def test_blank_lines_have_an_end(tmp_path):
    path, record = tmp_path / "blank.jsonl.gz", sfida.play("tic_tac_toe", ["random"] * 2, seed=1)
    line = record.to_json_line().encode() + b"\n"
    path.write_bytes(gzip.compress(b"\n" * 1000 + line))
    assert read_record(path) == record
    path.write_bytes(gzip.compress((b" " * 100_000 + b"\n") * (LONGEST_LINE // 100_000 + 1)) + gzip.compress(line))
    with pytest.raises(InvalidRecord, match=f"more than {LONGEST_LINE} bytes of blank lines"):
        read_record(path)


@posix
def test_a_small_file_that_unpacks_to_one_endless_line_takes_little_memory(tmp_path):
    packed = gzip.compress(b" " * (1 << 24))
    path = tmp_path / "bomb.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"game":"') + packed * 512)        # 8 MB, a line of 8 GB
    program = f"""
import resource
from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.records import LONGEST_LINE, append_record, read_record, read_records
from sfida.engines.records import GameRecord
start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for use in (read_record, lambda path: list(read_records(path)),
            lambda path: append_record(path, GameRecord("tic_tac_toe", 1))):
    try:
        use({str(path)!r})
    except InvalidRecord as error:
        print(error)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - start)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    *refusals, grown = done.stdout.splitlines()
    assert len(refusals) == 3
    assert all(f"line 1: longer than {LONGEST_LINE} bytes" in line for line in refusals)
    assert int(grown) * (1 if sys.platform == "darwin" else 1024) < 200 << 20
    assert path.stat().st_size == len(gzip.compress(b'{"game":"')) + 512 * len(packed)


# ---- writing ----------------------------------------------------------------------------------------


@posix
@pytest.mark.parametrize("write", [
    lambda path: write_whole(path, "new"),
    lambda path: write_records(path, [sfida.play("tic_tac_toe", ["random"] * 2)]),
])
def test_nothing_that_is_planted_beside_a_file_is_followed(tmp_path, write):
    victim, path = tmp_path / "victim", tmp_path / "games.jsonl"
    victim.write_text("precious")
    planted = [tmp_path / f".games.jsonl{end}" for end in ("", f".{os.getpid()}", ".tmp")]
    for link in planted:
        link.symlink_to(victim)
    write(path)
    assert victim.read_text() == "precious"
    assert not path.is_symlink()
    assert sorted(tmp_path.iterdir()) == sorted([victim, path, *planted])


@posix
def test_a_written_file_keeps_its_mode_and_the_file_behind_a_link_is_written(tmp_path):
    behind, link = tmp_path / "behind", tmp_path / "link"
    behind.write_text("old")
    behind.chmod(0o604)
    link.symlink_to("behind")
    assert write_whole(link, "line\r\n\ud800") == link
    assert link.is_symlink()
    assert behind.read_bytes() == b"line\r\n?"
    assert behind.stat().st_mode & 0o777 == 0o604
    mask = os.umask(0o027)
    try:
        write_whole(tmp_path / "new", b"")
    finally:
        os.umask(mask)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o640


def test_a_write_that_fails_leaves_the_file_and_nothing_beside_it(tmp_path, monkeypatch):
    path = tmp_path / "file"
    write_whole(path, "old")

    def fails(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(OSError, match="No space left on device") as caught:
        write_whole(path, "new")
    assert caught.value.filename == str(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_whose_name_is_as_long_as_can_be(tmp_path):
    path = tmp_path / ("n" * 255)
    write_whole(path, "text")
    assert path.read_text() == "text"


@posix
def test_links_in_a_circle(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    for use in (open_regular, lambda path: write_whole(path, "text")):
        with pytest.raises(OSError, match="links"):
            use(tmp_path / "a")
