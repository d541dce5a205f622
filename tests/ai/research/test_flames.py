"""Flame graphs: their three sources, the choice between them, and the drawing."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ET

import pytest

from sfida.ai.research import flames
from sfida.ai.research.flames import (
    CALLGRIND, COUNTERS, OTHER, PERF, Flames, Unusable, by_counters, counted, drawing, flames_of, from_callgrind,
    from_perf, readable, tree_of
)
from sfida.ai.research.profiling import profile
from sfida.ai.research.searches import STEPS, answer
from sfida.engines.registry import make_game

SEARCH = "__pyx_f_5sfida_10cython_ext_6search_"
WORK = f"{SEARCH}11shared_tree_10SharedTree_work_in_order"
NEXT = f"{SEARCH}11shared_tree_10SharedTree_start_next"
PLAYOUT = "__pyx_f_5sfida_10cython_ext_5state_9GameState_playout"
LAY = "__pyx_f_5sfida_10cython_ext_11carcassonne_5board_lay.constprop.0"


def step(name):
    return f"{SEARCH}9iteration_{name}"


def sample(*frames):
    """Return a sample of perf, with the frames from the innermost to the outermost as (address, symbol)."""
    return "".join(f"\t{address:>16} {name}\n" for address, name in frames) + "\n"


PYTHON = [("aa", "_PyEval_EvalFrameDefault"), ("bb", "_start")]
SAMPLES = "".join([
    sample(("1", LAY), ("2", PLAYOUT), ("3", step("play_out")), ("44", WORK), *PYTHON),
    sample(("5", step("select")), ("6", NEXT), ("41", WORK), *PYTHON),
    sample(("5", step("match_edges")), ("6", step("select")), ("7", NEXT), ("41", WORK), *PYTHON),
    sample(("9", LAY), ("8", step("expand")), ("42", WORK), *PYTHON),
    sample(("9", LAY), ("42", WORK), *PYTHON),                          # the frame of `expand` is lost
    sample(("ffffffff81000010", "clear_page"), ("ffffffff81000000", "exc_page_fault"), ("7", step("back_up")),
           ("43", f"{SEARCH}11shared_tree_10SharedTree_back_up_oldest"), ("40", WORK), *PYTHON),
    sample(("4f", WORK), *PYTHON),
    sample(*PYTHON)])

CALLGRIND_FILE = f"""# callgrind format
positions: line
events: Ir
summary: 1000

fn=(1) {PLAYOUT}'{step("play_out")}'{WORK}'main
0 300
cfn=(2) {LAY}'{PLAYOUT}'{step("play_out")}'{WORK}'main
calls=5 0
0 500

fn=(2)
+3 400
* 100

fn=(3) {step("prepare")}'{NEXT}'{WORK}'main
0 150

fn=(4) {WORK}'main
0 50
calls=1 0
0 950

fn=(5) main
0 77
"""


@pytest.fixture(scope="module")
def row():
    (found,) = profile(make_game("carcassonne"), "ismcts:iterations=100", 0.05, (1,))
    return found


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """Return a function that puts a program on an otherwise empty search path."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def put(name, text):
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
    return put


# ---- the names of functions


@pytest.mark.parametrize(("symbol", "name"), [
    (PLAYOUT, "GameState.playout"),
    (LAY, "board.lay"),
    (WORK, "SharedTree.work_in_order"),
    (f"{PLAYOUT}.isra.0", "GameState.playout"),
    (f"{LAY} (inlined)", "board.lay"),
    ("__pyx_fuse_0__pyx_f_5sfida_10cython_ext_6arrays_fill_numbers", "arrays.fill_numbers"),
    ("__memcpy_avx_unaligned_erms", "__memcpy_avx_unaligned_erms"),
    ("exp@plt", "exp"),
    ("[unknown]", "[unknown]"),
])
def test_functions_have_short_names(symbol, name):
    assert readable(symbol) == name


# ---- the sources


def test_samples_of_perf_are_put_below_their_steps():
    assert from_perf(SAMPLES) == {
        ("playout", "GameState.playout", "board.lay"): 1, ("select",): 1, ("expand", "board.lay"): 2,
        ("expand", "iteration.match_edges"): 1,         # on the way down, but a list of moves
        ("backup", "kernel"): 1, (OTHER,): 1}


def test_without_a_sample_in_a_search_perf_is_of_no_use():
    with pytest.raises(Unusable, match="no sample lies in a search"):
        from_perf(sample(*PYTHON))


def test_counts_of_callgrind_are_put_below_their_steps():
    assert from_callgrind(CALLGRIND_FILE) == {
        ("playout", "GameState.playout"): 300, ("playout", "GameState.playout", "board.lay"): 500,
        ("determinize",): 150, (OTHER,): 50}
    assert counted(CALLGRIND_FILE) == 1000
    for read in (from_callgrind, counted):
        with pytest.raises(Unusable, match="it counted nothing"):
            read("# callgrind format\nevents: Ir\nsummary: 0\n")


def test_own_counters_keep_the_measured_steps(row):
    found = Flames(COUNTERS, by_counters(row))
    assert found.shares() == pytest.approx({**row["share"], OTHER: 0.0})
    assert found.stacks[("playout", "apply (estimated)")] > 0
    assert found.total == pytest.approx(1000 * row["playout_us"] / row["share"]["playout"])


def test_perf_is_taken_first(row, programs, tmp_path):
    (tmp_path / "said").write_text(SAMPLES)
    programs("perf", f'[ $1 = record ] || /bin/cat "{tmp_path}/said"')
    programs("valgrind", "exit 1")
    found = flames_of(row, 0.01, pytest.fail)
    assert (found.source, found.passed_over, found.total, found.unit) == (PERF, (), 7, "samples")


def test_callgrind_follows_if_perf_may_not_be_used(row, programs, tmp_path):
    (tmp_path / "counts").write_text(CALLGRIND_FILE)
    programs("perf", "echo 'Error:' >&2; echo 'No permission to enable cycles event.' >&2; exit 255")
    programs("valgrind", f'for word; do case $word in --callgrind-out-file=*) /bin/cp "{tmp_path}/counts" '
                         '"${word#*=}";; esac; done')
    told = []
    found = flames_of(row, 0.01, told.append)
    assert len(told) == 1
    assert (found.source, found.total, found.unit) == (CALLGRIND, 1000, "instructions")
    assert found.passed_over == ("perf: No permission to enable cycles event",)


def test_the_own_counters_are_left(row, programs):
    programs("valgrind", "echo 'Illegal instruction' >&2; exit 132")
    found = flames_of(row, 0.01, print)
    assert (found.source, found.unit) == (COUNTERS, "ns per iteration")
    assert found.passed_over == ("perf: not installed", "callgrind: Illegal instruction")
    assert found.as_json()["passed_over"] == list(found.passed_over)


def test_the_program_that_is_profiled_searches(row, programs):
    programs("perf", 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"')
    said = flames.profiled(["perf", "record", "--"], flames.program("kuhn_poker", "ismcts", 0.02))
    assert '"iterations": [' in said


def test_searches_with_given_iterations_are_the_same_every_time():
    settled = answer("leduc_poker", "ismcts", 0.02)["iterations"]
    first, again = (answer("leduc_poker", "ismcts", 0.02, settled, once=once) for once in (True, False))
    assert first["digest"] == again["digest"]
    assert set(first) == {"iterations", "digest"}
    assert again["cpu"] > 0
    assert set(again["steps"]) == set(STEPS)
    assert answer("leduc_poker", "ismcts", 0.02, [n + 1 for n in settled], once=True)["digest"] != first["digest"]


# ---- the drawing


def test_every_part_has_its_figures_and_lies_below_its_caller(row):
    found = Flames(PERF, from_perf(SAMPLES))
    root = ET.fromstring(drawing(found, row))
    name = "{http://www.w3.org/2000/svg}"
    groups = root.findall(f"{name}g")
    parts = {group.find(f"{name}title").text: group.find(f"{name}rect") for group in groups}
    assert "playout: 14.3 % of the search (1 samples)" in parts
    assert "expand: 42.9 % of the search (3 samples)" in parts
    assert "back up: 14.3 % of the search (1 samples)" in parts
    assert "kernel: 14.3 % of the search (1 samples)" in parts
    assert "between the steps: 14.3 % of the search (1 samples)" in parts
    boxes = sorted((float(rect.get("y")), float(rect.get("x")), float(rect.get("width"))) for rect in parts.values())
    tops = sorted({y for y, _, _ in boxes})
    assert len(tops) == 4
    for (y, x, wide), (below, right, _) in itertools.pairwise(boxes):
        assert below > y or right >= x + wide - 0.02                # no two parts of a level overlap
    for y, x, wide in boxes[1:]:
        above = [(left, left + w) for top, left, w in boxes if top == tops[tops.index(y) - 1]]
        assert any(left <= x + 0.02 and x + wide <= right + 0.02 for left, right in above)
    text = " ".join(one.text for one in root.findall(f"{name}text"))
    assert "from perf, 7 samples" in text
    assert "100 iterations" not in text
    assert tree_of(found.stacks).total == 7


def test_labels_fit_their_parts(row):
    root = ET.fromstring(drawing(Flames(COUNTERS, by_counters(row)), row))
    name = "{http://www.w3.org/2000/svg}"
    for group in root.findall(f"{name}g"):
        rect, label = group.find(f"{name}rect"), group.find(f"{name}text")
        if label is not None:
            assert len(label.text) * 0.6 * float(label.get("font-size")) <= float(rect.get("width"))
    assert "own counters: steps measured, functions estimated" in " ".join(
        one.text for one in root.findall(f"{name}text"))
