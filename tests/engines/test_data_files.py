"""TOML from outside: one line for every error, in all readers."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sfida.cython_ext.errors import InvalidOption, InvalidRecord, SfidaError
from sfida.engines.acres.replays import read_file
from sfida.engines.attila.map import load_land
from sfida.engines.data_files import MOST_BYTES, MOST_DOTS, load_toml

pytestmark = pytest.mark.release_only("nothing compiled")

WRONG = {
    "nested 3,000 deep": ("a = " + "[" * 3000 + "]" * 3000, "lists and tables are nested more than 16 deep"),
    "a list 17 deep": ("a = " + "[" * 17 + "]" * 17, "lists and tables are nested more than 16 deep"),
    "tables 17 deep": (".".join("a" * 18) + " = 1", "lists and tables are nested more than 16 deep"),
    "a key of 1,000 parts": (".".join("a" * 1000) + " = 1", f"line 1 has 999 dots; {MOST_DOTS} are read at most"),
    "a line of 10,005 characters": ("\nb = '" + "x" * 10000, "line 2 has 10005 characters; 10000 are read at most"),
    "5,000 digits": ("a = 1\nb = " + "9" * 5000, "there is a whole number of more than 64 bits"),
    "4,000 digits": ("b = " + "9" * 4000, "'b' has a whole number of more than 64 bits"),
    "4,000 hexadecimal digits": ("c = { b = [0x" + "f" * 4000 + "] }", "'b' has a whole number of more than 64 bits"),
    "less than 64 bits hold": (f"b = {-2**63 - 1}", "'b' has a whole number of more than 64 bits"),
    "a day that no month has": ("b = 2026-02-30", "not TOML: "),
    "a year of 5,000 digits": ("b = " + "9" * 4000 + "-01-01", "not TOML: "),
    "a null character": ("a\0 = 1", "not TOML: "),
    "no UTF-8": (b"a = '\xff'", "not a text file in UTF-8 (byte 6)"),
    "a key given twice": ("k" * 3000 + " = 1\n" + "k" * 3000 + " = 1", "not TOML: "),
    "an inline key given twice": ("a = {" + "k" * 1000 + " = 1, " + "k" * 1000 + " = 1}", "not TOML: "),
    "too large": ("# a comment\n" * (MOST_BYTES // 12 + 1), f"it is larger than {MOST_BYTES} bytes"),
}


def written(folder: Path, content: str | bytes) -> Path:
    path = folder / "file.toml"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize("what", WRONG)
@pytest.mark.parametrize(("read", "error"), [(load_land, InvalidOption), (read_file, InvalidRecord)])
def test_one_line(tmp_path, read, error, what):
    content, reason = WRONG[what]
    path = written(tmp_path, content)
    with pytest.raises(SfidaError) as caught:
        read(path if read is read_file else str(path))
    assert type(caught.value) is error
    message = str(caught.value)
    assert str(path) in message
    assert reason in message
    assert "\n" not in message
    assert len(message) < 300 + len(str(path))


@pytest.mark.skipif(os.name != "posix", reason="needs pipes and devices")
@pytest.mark.parametrize("read", [lambda path: load_land(str(path)), read_file])
def test_only_regular_files(tmp_path, read):
    os.mkfifo(tmp_path / "pipe.toml")
    for path, what in ((tmp_path / "pipe.toml", "it is a pipe"), (Path("/dev/zero"), "it is a device"),
                       (tmp_path, "Is a directory")):
        with pytest.raises(SfidaError, match=f"cannot be read: {what}"):
            read(path)


def test_what_is_read(tmp_path):
    text = "# ........................................\n[a]\nb = [1.5, inf, 0xff]\nc = -9223372036854775808\n"
    path = written(tmp_path, "\ufeff" + text)
    assert load_toml(path, InvalidRecord) == (text, {"a": {"b": [1.5, float("inf"), 255], "c": -2**63}})


@pytest.mark.parametrize(("row", "reason"), [
    ('[board]\nconfidence = "' + "x" * 81 + '"', "'confidence' must have at most 80 characters, not 81"),
    ("[board]\npicture_width = inf", "'picture_width' must be 100 to 10000, not inf"),
    ("[board]\npicture_width = nan", "'picture_width' must be 100 to 10000, not nan"),
    ("x" * 3000 + " = 1", "there is no table 'xxx"),
    ("[board]\n" + "x" * 3000 + " = 1", "[board]: there is no field 'xxx"),
])
def test_maps_repeat_little_of_what_is_wrong(tmp_path, row, reason):
    rows = "".join(f'[[provinces]]\nid = "p{i}"\ncode = "AB{c}"\nstart = true\nx = {i}\ny = 1\nrow = {i}\ncol = 1\n'
                   for i, c in enumerate("XY"))
    path = written(tmp_path, f'{row}\n{rows}[[links]]\na = "p0"\nb = "p1"\n')
    with pytest.raises(InvalidOption) as caught:
        load_land(str(path))
    assert reason in str(caught.value)
    assert "x" * 81 not in str(caught.value)

