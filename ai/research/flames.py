"""Flame graphs of a search, by step and function of the core: from perf, from callgrind, or from the own counters."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

from sfida.ai.research import searches
from sfida.ai.research.searches import STEPS
from sfida.engines.drawing.colors import INK, PAPER, TABLE, ink_on, mixed
from sfida.engines.drawing.svg import FAINT, add, new_sheet, say, title, write

PERF, CALLGRIND, COUNTERS = "perf", "callgrind", "own counters"
OTHER = "other"                         # work of the search between its steps
UNITS = {PERF: "samples", CALLGRIND: "instructions", COUNTERS: "ns per iteration"}
WORK = "SharedTree_work_in_order"       # the function below which a search on one thread does all its work
_HERTZ = 499
_STACK = 32768                          # bytes of the stack that perf keeps with a sample
_CALLERS = 16                           # callers by which callgrind separates the counts of a function
_STEP_OF = {"iteration.prepare": "determinize", "iteration.copy_ahead": "determinize", "iteration.select": "select",
            "iteration.expand": "expand", "iteration.play_out": "playout", "iteration.back_up": "backup"}
KERNEL, _KERNEL = "kernel", "ffffffff"          # its functions as one, and the start of their addresses
_BETWEEN = ("SharedTree.start_next", "SharedTree.back_up_oldest")       # callers of steps
# These functions list the moves of a node in another world. The descent calls them, but the time counts as expanding.
_LISTING = re.compile(r"(policy|moves)\.|iteration\.match_edges$|arena\.add_edge$"
                      r"|\w+State\.(candidates|legal|priors|hand_priors|find_win)$")
Stack = tuple[str, ...]                 # a step, then functions from the outermost to the innermost


class Unusable(Exception):
    """A profiler cannot be used here; the message says why."""


@dataclass(frozen=True)
class Flames:
    """Where a search spends its time.

    Attributes
    ----------
    source : str
        `PERF`, `CALLGRIND` or `COUNTERS`.
    passed_over : tuple of str
        Why better sources were not used.
    stacks : dict of Stack to float
        What was spent in the last function of each stack itself, in the unit of the source.
    """

    source: str
    stacks: dict[Stack, float]
    passed_over: tuple[str, ...] = ()

    @property
    def unit(self) -> str:
        """The unit of the figures."""
        return UNITS[self.source]

    @property
    def total(self) -> float:
        """The whole, in the unit of the source."""
        return sum(self.stacks.values())

    def shares(self) -> dict[str, float]:
        """Return the share of each step, and of what lies between them."""
        found = dict.fromkeys((*STEPS, OTHER), 0.0)
        for stack, value in self.stacks.items():
            found[stack[0]] += value / self.total
        return found

    def as_json(self) -> dict[str, Any]:
        """Return the object of ``sfida profile --svg FILE --json``."""
        return {"source": self.source, "passed_over": list(self.passed_over), "unit": self.unit, "total": self.total,
                "share": self.shares(),
                "stacks": [{"stack": list(stack), "value": value}
                           for stack, value in sorted(self.stacks.items(), key=lambda pair: -pair[1])]}


def flames_of(row: Mapping[str, Any], seconds: float, tell: Callable[[str], object]) -> Flames:
    """Search again what a profile measured, under the first profiler that can be used here.

    Parameters
    ----------
    row : mapping
        The profile on one thread, an object of ``sfida profile --json``.
    seconds : float
        Time of the searches.
    tell : callable
        Prints lines about slow steps.
    """
    passed_over: list[str] = []
    for source, measure in ((PERF, _by_perf), (CALLGRIND, _by_callgrind)):
        if source == CALLGRIND and shutil.which("valgrind"):
            tell("callgrind counts the instructions of the searches, which takes a minute")
        with tempfile.TemporaryDirectory(prefix="sfida-") as folder:
            try:
                return Flames(source, measure(program(row["game"], row["agent"], seconds), Path(folder)),
                              tuple(passed_over))
            except Unusable as error:
                passed_over.append(f"{source}: {error}")
    return Flames(COUNTERS, by_counters(row), tuple(passed_over))


# ---- The searches as a program, in this version or another


def program(game: str, agent: str, seconds: float, source: Path | None = None, **more: Any) -> list[str]:
    """Return the command that searches on one thread; `source` is the file with the program, `more` its requests."""
    return [sys.executable, "-P", str(source or searches.__file__),
            json.dumps({"game": game, "agent": agent, "seconds": seconds, **more})]


def environment(package: Path | None = None) -> dict[str, str]:
    """Return the environment of a program that imports Sfida from a folder, or from where this process does."""
    path = [str(package)] if package is not None else [folder for folder in sys.path if folder]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path), "PYTHONHASHSEED": "0"}


def profiled(words: Sequence[str], command: Sequence[str], package: Path | None = None) -> str:
    """Run a program under a profiler and return what the two print; raises Unusable if that fails."""
    if shutil.which(words[0]) is None:
        raise Unusable("not installed")
    done = subprocess.run([*words, *command], capture_output=True, text=True, errors="replace", check=False,
                          env=environment(package))
    if done.returncode:
        raise Unusable(_reason(done.stderr) or f"it ends with code {done.returncode}")
    return done.stdout + done.stderr


def _reason(said: str) -> str:
    """Return the line of a profiler's output that tells best why it failed."""
    lines = [re.sub(r"^==\d+==\s*", "", line).strip() for line in said.splitlines()]
    lines = [line for line in lines if line and line != "Error:"]
    telling = [line for line in lines if re.search(r"(?i)error|permi|denied|allow|unrecognised|illegal|not ", line)]
    return (telling or lines or [""])[0].rstrip(".:")


# ---- perf: samples of whole stacks


def _by_perf(command: Sequence[str], folder: Path) -> dict[Stack, float]:
    held = folder / "perf.data"
    profiled(["perf", "record", "-q", "-F", str(_HERTZ), "--call-graph", f"dwarf,{_STACK}", "-o", str(held), "--"],
             command)
    return from_perf(profiled(["perf", "script", "-i", str(held), "-F", "ip,sym"], ()))


def from_perf(text: str) -> dict[Stack, float]:
    """Return the samples of a search by stack, from what `perf script -F ip,sym` prints.

    A function that ends in a call of another one leaves no frame. If it was a step, the address to which it returns
    says which one, as in other samples.

    Raises
    ------
    Unusable
        If no sample lies in a search.
    """
    samples: list[tuple[str, list[str]]] = []           # address of the call of a step, and the functions inside
    for block in text.split("\n\n"):
        lines = [line.split(None, 1) for line in block.splitlines() if line.strip()]
        frames = [(words[0], KERNEL if words[0].startswith(_KERNEL) else readable(words[1]))
                  for words in reversed(lines) if len(words) == 2]
        names = [name for _, name in frames]
        frames = frames[:names.index(KERNEL) + 1 if KERNEL in names else len(names)]
        start = next((number for number, (_, name) in enumerate(frames) if name == readable(WORK)), None)
        if start is not None:
            while start + 1 < len(frames) and frames[start + 1][1] in _BETWEEN:
                start += 1
            samples.append((frames[start][0], [name for _, name in frames[start + 1:]]))
    if not samples:
        raise Unusable("no sample lies in a search")
    steps: dict[str, Counter[str]] = {}
    for address, names in samples:
        if names and names[0] in _STEP_OF:
            steps.setdefault(address, Counter())[_STEP_OF[names[0]]] += 1
    found: Counter[Stack] = Counter()
    for address, names in samples:
        lost = names and names[0] not in _STEP_OF and address in steps
        found[(steps[address].most_common(1)[0][0], *names) if lost else by_step(names)] += 1
    return {stack: float(count) for stack, count in found.items()}


# ---- callgrind: instructions of every function, by its callers


def _by_callgrind(command: Sequence[str], folder: Path) -> dict[Stack, float]:
    held = folder / "callgrind.out"
    profiled([*callgrind(held), f"--separate-callers={_CALLERS}"], command)
    return from_callgrind(held.read_text(errors="replace"))


def callgrind(held: Path) -> list[str]:
    """Return the command that counts the instructions of a search on one thread into a file."""
    return ["valgrind", "--tool=callgrind", f"--callgrind-out-file={held}", f"--toggle-collect=*{WORK}*"]


def from_callgrind(text: str) -> dict[Stack, float]:
    """Return the instructions of a search by stack, from a file in which callgrind separates callers.

    Raises
    ------
    Unusable
        If nothing was counted in a search.
    """
    names: dict[str, str] = {}
    found: Counter[Stack] = Counter()
    function, called = "", False
    for line in text.splitlines():
        named = re.match(r"c?fn=(\(\d+\))(?: (.*))?", line)
        if named:
            if named[2] is not None:
                names[named[1]] = named[2]
            if line[0] == "f":
                function = names[named[1]]
        elif line.startswith("calls="):
            called = True                               # the next line counts what the called function spends
        elif spent := re.match(r"[+*\-\d]\S*(?: \S+)?? (\d+)$", line):
            if not called and (stack := _separated(function)) is not None:
                found[stack] += int(spent[1])
            called = False
    if not found:
        raise Unusable("it counted nothing in a search")
    return {stack: float(count) for stack, count in found.items()}


def counted(text: str) -> int:
    """Return the instructions that a file of callgrind holds in all; raises Unusable if there are none."""
    found = re.search(r"^(?:summary|totals): (\d+)", text, re.MULTILINE)
    if found is None or not int(found[1]):
        raise Unusable("it counted nothing in a search")
    return int(found[1])


def _separated(function: str) -> Stack | None:
    """Return the stack of a function with its callers, innermost first; None outside a search."""
    frames = [readable(name) for name in reversed(function.split("'"))]
    if readable(WORK) not in frames:
        return None
    return by_step([name for name in frames[frames.index(readable(WORK)) + 1:] if name not in _BETWEEN])


# ---- the names of functions


def readable(symbol: str) -> str:
    """Return a function of the compiled modules as "Class.method" or "module.function"; others stay as they are."""
    text = re.sub(r"(\.(isra|constprop|part|cold|lto_priv)\b.*|@plt|\+0x[0-9a-f]+|\s\(inlined\))$", "", symbol.strip())
    rest = re.sub(r"^__pyx_(fuse_\d+__pyx_)?(f|pf|pw|fuse)_", "", text)
    parts = []
    while rest != text and (size := re.match(r"\d+", rest)):
        end = size.end() + int(size[0])
        parts.append(rest[size.end():end])
        rest = rest[end:].removeprefix("_")
    return f"{parts[-1]}.{rest}" if parts and rest else rest.replace("_", ".", 1) if rest == WORK else text


def by_step(names: Sequence[str]) -> Stack:
    """Return a stack with its step in front, instead of the function that does the step."""
    if not names or names[0] not in _STEP_OF:
        return (OTHER, *names)
    step = _STEP_OF[names[0]]
    return ("expand" if step == "select" and _LISTING.match("".join(names[1:2])) else step, *names[1:])


# ---- The own counters: measured steps, and functions by their mean time per call


def by_counters(row: Mapping[str, Any]) -> dict[Stack, float]:
    """Return nanoseconds per iteration by step, as measured, and by call of the rules, as estimated.

    An estimate is the number of calls in an iteration times the mean time of a call at random decisions. The rest of
    the step is its own. Estimates that exceed a step are scaled down to it.

    Parameters
    ----------
    row : mapping
        An object of ``sfida profile --json``.
    """
    ns, depth, moves = row["calls_ns"], row["depth_mean"], row["playout_moves"]
    calls = {
        "determinize": {"clone": 1.0, "determinize": 1.0},
        "select": {"candidates": depth, "apply": depth, "label": depth},
        "expand": {"candidates": 1.0, "priors": 1.0},
        "playout": {"legal": moves, "apply": moves, "evaluate": 1.0},
    }
    found: dict[Stack, float] = {}
    for step, share in row["share"].items():
        whole = 1000.0 * row["playout_us"] * share / row["share"]["playout"]
        parts = {name: count * ns[name] for name, count in calls.get(step, {}).items() if ns.get(name)}
        scale = min(1.0, whole / sum(parts.values())) if parts else 1.0
        found |= {(step, f"{name} (estimated)"): scale * value for name, value in parts.items()}
        found[(step,)] = whole - scale * sum(parts.values())
    return {stack: value for stack, value in found.items() if value > 0.0}


# ---- The drawing

_WIDE, _MARGIN, _ROW = 1200.0, 18.0, 21.0
_HEAD = 112.0                           # height above the graph
_LETTER = 0.6                           # mean width of a letter, as a share of its size
_NARROWEST = 0.5                        # narrower parts are left out
_LEGEND = 13.0
_COLOURS = {"determinize": "#7b3fa0", "select": "#2b62b8", "expand": "#e07b1a", "playout": "#c8312b",
            "backup": "#2f8a3c", OTHER: "#84755a"}
_NAMES = {"backup": "back up", OTHER: "between the steps"}


class FlamePlace(NamedTuple):
    """Where a part of a flame graph is drawn: left edge, width, and level, from 0 for the whole."""

    x: float
    wide: float
    level: int


@dataclass
class FlamePart:
    """A part of a flame graph with the parts that it calls.

    Attributes
    ----------
    name : str
    own, total : float
        What it spends itself, and with all that it calls.
    """

    name: str
    own: float = 0.0
    total: float = 0.0
    inner: dict[str, FlamePart] = field(default_factory=dict)

    def depth(self) -> int:
        """Return the number of levels from here down."""
        return 1 + max((part.depth() for part in self.inner.values()), default=0)

    def placed(self, place: FlamePlace, step: str = "") -> Iterator[tuple[FlamePart, FlamePlace, str]]:
        """Yield this part and those inside that can be seen, each with its place and its step."""
        yield self, place, step
        x = place.x
        order = {name: number for number, name in enumerate((*STEPS, OTHER))} if not place.level else {}
        for part in sorted(self.inner.values(), key=lambda part: (order.get(part.name, 0), -part.total, part.name)):
            wide = place.wide * part.total / self.total
            if wide >= _NARROWEST:
                yield from part.placed(FlamePlace(x, wide, place.level + 1), step or part.name)
            x += wide


def tree_of(stacks: Mapping[Stack, float]) -> FlamePart:
    """Return stacks as a tree below the whole search."""
    root = FlamePart("the whole search")
    for stack, value in stacks.items():
        root.total += value
        part = root
        for name in stack:
            part = part.inner.setdefault(name, FlamePart(name))
            part.total += value
        part.own += value
    return root


def drawing(flames: Flames, row: Mapping[str, Any]) -> str:
    """Return a flame graph as an SVG document: the whole search above, what a part calls below it.

    Parameters
    ----------
    flames : Flames
    row : mapping
        The profile on one thread; the head quotes it.
    """
    root = tree_of(flames.stacks)
    sheet = new_sheet(f"Where a search of {row['game']} spends its time", _WIDE, round(_WIDE), TABLE)
    say(sheet.root, _MARGIN, 34, f"Where a search of {row['game']} spends its time", 22, fill=INK, bold=True,
        serif=True)
    say(sheet.root, _MARGIN, 57, f"{row['agent']}, one thread, {row['iterations_per_s']:,.0f} iterations per second; "
        f"{_source(flames)}", 13, fill=FAINT)
    say(sheet.root, _MARGIN, 75, "A part lies below its caller and is as wide as its share. Rest the pointer on it for "
        "its figures.", 13, fill=FAINT)
    _draw_legend(sheet.root, flames.shares())
    deepest = 0
    for part, place, step in root.placed(FlamePlace(_MARGIN, _WIDE - 2 * _MARGIN, 0)):
        _draw_part(sheet.root, part, place, step, root.total, flames.unit)
        deepest = max(deepest, place.level)
    return write(sheet, _HEAD + (deepest + 1) * _ROW + _MARGIN, {"symbols": ""})


def _source(flames: Flames) -> str:
    amount = f"{flames.total:,.0f} {flames.unit}"
    if flames.source == COUNTERS:
        return f"own counters: steps measured, functions estimated, {amount}"
    return f"from {flames.source}, {amount}"


def _draw_legend(parent: ET.Element, shares: Mapping[str, float]) -> None:
    x = _MARGIN
    for step, share in shares.items():
        if share:
            add(parent, "rect", x=x, y=87.0, width=11.0, height=11.0, rx=2.0, fill=_fill(step, 1), stroke=INK,
                stroke_width=0.6)
            text = f"{_NAMES.get(step, step)} {100 * share:.1f} %"
            say(parent, x + 16, 97, text, _LEGEND, fill=INK)
            x += 16 + _LEGEND * _LETTER * len(text) + 26


def _draw_part(parent: ET.Element, part: FlamePart, place: FlamePlace, step: str, total: float, unit: str) -> None:
    group = add(parent, "g")
    name = _NAMES.get(part.name, part.name)
    own = f", of which {100 * part.own / total:.1f} % itself" if part.inner and part.own else ""
    title(group, f"{name}: {100 * part.total / total:.1f} % of the search{own} ({part.total:,.0f} {unit})")
    fill, top = _fill(step, place.level), _HEAD + place.level * _ROW
    add(group, "rect", x=place.x, y=top, width=place.wide, height=_ROW - 1, rx=min(2.0, place.wide / 4), fill=fill,
        stroke=PAPER, stroke_width=min(0.8, place.wide / 6))
    shown = _fitting([f"{name}  {100 * part.total / total:.1f} %", name, name.rpartition(".")[2]],
                     int((place.wide - 8) / (12 * _LETTER)))
    if shown:
        say(group, place.x + 4, top + 14.5, shown, 12, fill=ink_on(fill, INK))


def _fill(step: str, level: int) -> str:
    """Return the colour of a part: that of its step, paler further down, with neighbouring levels apart."""
    return PAPER if not step else mixed(_COLOURS[step], PAPER, min(0.75, 0.2 + 0.1 * (level - 1)) + 0.05 * (level % 2))


def _fitting(texts: Sequence[str], most: int) -> str:
    """Return the first text of at most that many letters; else the last one shortened, or ""."""
    return next((text for text in texts if len(text) <= most), f"{texts[-1][:most - 1]}…" if most >= 4 else "")
