"""The figures that README and pages quote: measured by commands, kept as data, written into marked blocks.

A measurement is a command of Sfida that prints JSON. `docs/results/NAME.json` has its result and the provenance:
command, commit, date, machine, and the signature of the game's rules, search and knowledge. A table takes its rows
from measurements; a page shows it between the comments ``<!-- results: TABLE -->`` and ``<!-- end of results -->``.
"""

from __future__ import annotations

import datetime
import functools
import inspect
import json
import platform
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench import COMPARED, EVERY, FIVE, ROOT, BenchFailure, command, refused
from sfida.ai.levels.scale import scale_of
from sfida.ai.research.profiling import FILE, signature
from sfida.ai.research.searches import STEPS
from sfida.engines.language import _
from sfida.engines.records import sfida_version
from sfida.engines.registry import make_game

FOLDER = ROOT / "docs" / "results"
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
_BLOCK = re.compile(r"(<!-- results: ([\w-]+) -->\n).*?(<!-- end of results -->)", re.DOTALL)

# ---- Measurements


@dataclass(frozen=True)
class Measurement:
    """A command, with the game and the file of its result.

    Attributes
    ----------
    name : str
        Name of the file of the result, without its extension.
    command : str
        The command, ``sfida ...`` or ``python -m bench ...``; its last lines are JSON objects.
    game : str
        Spec of the game; its signature shows whether the result belongs to the current tree.
    minutes : float
        Estimate of the time on two cores, used until a result has a measured time.
    needs : str
        Folder that the command reads besides the project, or "".
    """

    name: str
    command: str
    game: str
    minutes: float
    needs: str = ""

    def expected(self) -> float:
        """Return the expected minutes: the time of the stored result, if its command is the same, or the estimate."""
        stored = Stored.of(self)
        return self.minutes if stored is None or stored.command != self.command else stored.seconds / 60


def _matches(game: str) -> Measurement:
    return Measurement(f"greedy-{make_game(game).name}",
                       f"sfida tournament {game} ismcts:iterations=500 greedy -n 200 --seed 1 -j 2 --quiet --json",
                       game, 4)


def _study(game: str) -> Measurement:
    return Measurement(f"study-{make_game(game).name}", f"sfida study {game} -n 240 --seed 7 -j 2 --quiet --json",
                       game, 4)


def _doubling(game: str, games: int) -> Measurement:
    return Measurement(f"doubling-{make_game(game).name}", f"python -m bench doubling {game} --from 250 --to 1000 "
                       f"--factors 2 --games {games} --seed 20263 -j 2 --json", game, 5)


def _calibration(game: str, games: int) -> Measurement:
    return Measurement(f"calibration-{make_game(game).name}", f"python -m bench calibration {game} "
                       f"--agent ismcts:iterations=300 --games {games} --seed 1 -j 2 --json", game, 4)


def _speed(game: str, name: str = "") -> Measurement:
    return Measurement(f"speed-{name or make_game(game).name}", f"sfida bench {game} --seconds 5 --json", game, 0.3)


def _threads(game: str) -> Measurement:
    return Measurement(f"threads-{make_game(game).name}",
                       f"sfida profile {game} --threads 1,2 --seconds 5 --json", game, 0.3)


BEFORE = "0bb51c46"             # the revision that speeds are compared with


def _faster(game: str) -> Measurement:
    made = make_game(game)
    return Measurement(f"faster-{made.name}-{made.players}", f"sfida profile {game} --compare {BEFORE} --json", game,
                       1.5)


CATANATRON = Measurement("catanatron", "python -m bench catanatron-match --catanatron-repo ../catanatron --agents "
                         "ismcts:iterations=1000 --blocks 25 --seed 1 -j 2 --json", "zarahemla:preset=catan", 8,
                         "../catanatron")
AGENTS = Measurement(
    "agents-carcassonne", "sfida tournament carcassonne random greedy flat:iterations=1000 ismcts:iterations=250 "
    "ismcts:iterations=1000 ismcts:iterations=4000 -n 450 --seed 1 -j 2 --quiet --json", "carcassonne", 20)


@dataclass(frozen=True)
class Stored:
    """A result with its provenance.

    Attributes
    ----------
    signature : str
        Signature of the game, by ``sfida bench --signature``, at the time of the measurement.
    results : list of dict
        The JSON objects that the command printed.
    """

    command: str
    commit: str
    date: str
    sfida: str
    signature: str
    machine: str
    seconds: float
    results: list[dict[str, Any]]

    @property
    def result(self) -> dict[str, Any]:
        """The only object that the command printed."""
        (only,) = self.results
        return only

    @classmethod
    def of(cls, measurement: Measurement, folder: Path = FOLDER) -> Stored | None:
        """Return the stored result of a measurement, or None."""
        path = folder / f"{measurement.name}.json"
        return cls(**json.loads(path.read_text("utf-8"))) if path.exists() else None

    def write(self, name: str, folder: Path = FOLDER) -> None:
        """Store the result."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.json").write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")


@functools.cache
def current(game: str) -> str:
    """Return the signature of a game in this tree."""
    return signature(make_game(game))


def why_stale(measurement: Measurement, stored: Stored | None) -> str:
    """Return the reason why a measurement must be repeated; "" if its result is valid for this tree."""
    if stored is None:
        return "not measured yet"
    if stored.command != measurement.command:
        return f"measured by another command: {stored.command}"
    if stored.signature != current(measurement.game):
        return f"measured with {stored.commit} of {stored.date}, whose search or rules differ"
    return ""


def measured(measurement: Measurement) -> Stored:
    """Run a measurement; raises BenchFailure if its command fails."""
    started = time.perf_counter()
    program, *words = shlex.split(measurement.command)
    argv = [sys.executable, *(["-m", "sfida", *words] if program == "sfida" else words)]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BenchFailure(f"{measurement.command} ends with code {done.returncode}: {done.stderr.strip()[-300:]}")
    return Stored(measurement.command, _git("rev-parse", "--short", "HEAD") + _changed(),
                  f"{datetime.date.today()}", sfida_version(), current(measurement.game), _machine(),
                  round(time.perf_counter() - started, 1),
                  [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")])


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def _changed() -> str:
    return "+" if _git("status", "--porcelain", "--untracked-files=no", "--", "ai", "engines", "cython_ext") else ""


def _machine() -> str:
    """Return the processor and the system."""
    info = Path("/proc/cpuinfo")
    model = re.search(r"model name\s*: (.*)", info.read_text()) if info.exists() else None
    return f"{model[1] if model else platform.processor() or platform.machine()}, {platform.system()}"


# ---- Tables of the results

Cells = Callable[[Stored], Iterator[Sequence[str]]]


@dataclass(frozen=True)
class ResultTable:
    """A table of a page.

    Attributes
    ----------
    head : tuple of str
    measurements : tuple of Measurement
    rows : callable
        Yields the cells of the rows of a result.
    """

    head: tuple[str, ...]
    measurements: tuple[Measurement, ...]
    rows: Cells

    def text(self) -> str:
        """Return the table in Markdown; rows of another version are marked, and the commands are listed below."""
        lines = [f"| {' | '.join(self.head)} |", "|---" * len(self.head) + "|"]
        said = []
        for measurement in self.measurements:
            stored = Stored.of(measurement)
            if stored is None:
                continue
            note = " *" if why_stale(measurement, stored) else ""
            for first, *rest in self.rows(stored):
                lines.append(f"| {' | '.join([f'{first}{note}', *rest])} |")
            if note:
                said.append(f"\\* measured with version {stored.sfida}, commit {stored.commit} of {stored.date}.")
        held = [stored for one in self.measurements if (stored := Stored.of(one)) is not None]
        if not held:
            return "Not measured yet.\n"
        commands = list(dict.fromkeys(f"`{stored.command}`" for stored in held))
        commits = ", ".join(dict.fromkeys(stored.commit for stored in held))
        return "\n".join([*lines, "", *dict.fromkeys(said), f"Measured with {commits}:", "",
                          *(f"- {text}" for text in commands), ""])


def _title(stored: Stored) -> str:
    return _name(stored.result["game"])


def _name(spec: str) -> str:
    game = make_game(spec)
    return f"{_(game.title)}, {game.players} players"


def _percent(found: dict[str, Any], key: str = "value") -> str:
    low, high = found["ci95"]
    return f"{100 * found[key]:z.0f} [{100 * low:z.0f}, {100 * high:z.0f}]"


def _elo(found: dict[str, Any], key: str = "value", interval: str = "ci95") -> str:
    low, high = found[interval]
    return f"{found[key]:+z.0f} [{low:+z.0f}, {high:+z.0f}]"


def _agents(stored: Stored) -> Iterator[Sequence[str]]:
    adjusted = (stored.result["adjusted"] or {}).get("agents") or [None] * len(stored.result["agents"])
    both = sorted(zip(stored.result["agents"], adjusted, strict=True), key=lambda pair: -pair[0]["elo"])
    for agent, fair in both:
        yield (f"`{agent['agent']}`", str(agent["games"]), _percent(agent, "win_share"), _elo(agent, "elo", "elo_ci95"),
               "" if fair is None else _elo(fair, "elo", "elo_ci95"))


def _against_greedy(stored: Stored) -> Iterator[Sequence[str]]:
    first, fair = stored.result["agents"][0], stored.result["adjusted"]["agents"][0]
    yield _title(stored), str(stored.result["games"]), _percent(first, "win_share"), _percent(fair, "win_share")


def _parts(stored: Stored) -> Iterator[Sequence[str]]:
    parts = stored.result["parts"]["all"]
    yield (_title(stored), str(stored.result["games"]),
           *(_percent(parts[part]) for part in ("luck", "seat", "skill", "rest")))


def _course(stored: Stored) -> Iterator[Sequence[str]]:
    course, led = stored.result["course"], stored.result["decided_after"]["led"]
    changes = course["changes"]
    yield (_title(stored), f"{course['turns']['value']:.0f}",
           f"{changes['value']:.1f} [{changes['ci95'][0]:.1f}, {changes['ci95'][1]:.1f}]", _percent(course["led"]),
           _percent(course["sure"]), f"{100 * led[len(led) // 2]:.0f} %", _elo(stored.result["first_elo"]))


def _doublings(stored: Stored) -> Iterator[Sequence[str]]:
    for row in stored.results:
        match, fair = row["match"], row["fair"] or row["raw"]
        yield (_name(match["game"]), f"{match['factor'] * match['iterations']:,} : {match['iterations']:,}",
               str(row["games"]), _percent(fair, "share"), _elo(fair, "elo", "elo_ci95"))


def _reliability(stored: Stored) -> Iterator[Sequence[str]]:
    found = stored.result
    tenths = {round(10 * tenth["low"]): tenth for tenth in found["tenths"]}
    low, high = found["power_ci95"]
    yield (_name(found["game"]), str(found["games"]),
           *(f"{100 * tenths[number]['happened']:.0f}" if number in tenths else "" for number in range(10)),
           str(sum(abs(tenth["said"] - tenth["happened"]) <= 0.03 for tenth in found["tenths"])),
           str(sum(not tenth["ci95"][0] <= tenth["said"] <= tenth["ci95"][1] for tenth in found["tenths"])),
           f"{found['power']:.2f} [{low:.2f}, {high:.2f}]")


def _rates(stored: Stored) -> Iterator[Sequence[str]]:
    found = stored.result
    yield (f"`{stored.command.split()[2]}`", f"{found['playouts_per_s']:,.0f}", f"{found['ns_per_move']:.0f}",
           f"{found['clone_ns']:.0f}", f"{found['apply_ns']:.0f}")


def _catanatron(stored: Stored) -> Iterator[Sequence[str]]:
    for row in stored.results:
        yield f"`{row['agent']}`", f"`{row['bot']}`", str(row["games"]), _percent(row, "win_share")


def _threads_rates(stored: Stored) -> Iterator[Sequence[str]]:
    one, two = stored.results
    yield (_name(one["game"]), f"{one['iterations_per_s']:,.0f}", f"{two['speedup']:.2f} times",
           f"{two['side_by_side_speedup']:.2f} times")


def _steps(stored: Stored) -> Iterator[Sequence[str]]:
    found = stored.results[0]
    yield (_name(found["game"]), f"{found['iterations_per_s']:,.0f}",
           *(f"{100 * found['share'][step]:.0f}" for step in STEPS), f"{found['playout_us']:.1f}",
           f"{found['playout_moves']:.0f}")


def _faster_rates(stored: Stored) -> Iterator[Sequence[str]]:
    found = stored.result
    rate, counted = found["iterations_per_s"], found["instructions"]
    slow, fast = rate["range"]
    yield (_name(found["game"]), f"{rate['before']:,.0f}", f"{rate['after']:,.0f}",
           f"{rate['ratio']:.2f} [{slow:.2f}, {fast:.2f}]",
           "not counted" if counted is None else
           f"{counted['before']:,.0f} : {counted['after']:,.0f} = {counted['ratio']:.2f}")


def _faster_steps(stored: Stored) -> Iterator[Sequence[str]]:
    found = stored.result
    yield (_name(found["game"]), *(f"{row['before']:.2f} → {row['after']:.2f}" for row in
                                   (found["step_us"][step] for step in STEPS)), "yes" if found["same"] else "no")


STUDIED = tuple(map(_study, ("carcassonne", "zarahemla:players=2", "acres", "attila", "risiko")))
DOUBLED = tuple(map(_doubling, FIVE, (120, 120, 45, 120, 60)))
CALIBRATED = tuple(map(_calibration, FIVE, (1000, 1000, 200, 200, 200)))
TABLES = {
    "agents": ResultTable(("agent", "games", "win share, %", "Elo", "luck-adjusted Elo"), (AGENTS,), _agents),
    "against-greedy": ResultTable(("game", "games", "win share, %", "luck-adjusted, %"), tuple(map(_matches, FIVE)),
                                  _against_greedy),
    "doubling": ResultTable(("game", "iterations", "games", "luck-adjusted win share, %", "Elo"), DOUBLED, _doublings),
    "calibration": ResultTable(("game", "games", *(f"{low}–{low + 10} %" for low in range(0, 100, 10)),
                                "within 3 points", "tenths outside", "power"), CALIBRATED, _reliability),
    "catanatron": ResultTable(("agent", "bot of catanatron", "games", "win share, %"), (CATANATRON,), _catanatron),
    "luck-parts": ResultTable(("game", "games", "luck", "seat", "skill", "rest"), STUDIED, _parts),
    "luck-course": ResultTable(("game", "turns", "lead changes", "the winner leads after", "90 % sure after",
                                "decided at half time", "moving first, Elo"), STUDIED, _course),
    "speed": ResultTable(("game", "random games per second", "ns per move", "`clone`, ns", "`apply`, ns"),
                         (*map(_speed, FIVE), _speed("zarahemla:preset=catan,trade_mode=none", "catan")), _rates),
    "threads": ResultTable(("game", "iterations per second", "with two threads", "two searches side by side"),
                           tuple(map(_threads, FIVE)), _threads_rates),
    "profile": ResultTable(("game", "iterations per second", "determinize, %", "select, %", "expand, %", "playout, %",
                            "back up, %", "µs per playout", "moves per playout"), tuple(map(_threads, FIVE)), _steps),
    "faster": ResultTable(("game", "iterations per second before", "now", "times as fast",
                           "instructions per iteration"), tuple(map(_faster, COMPARED)), _faster_rates),
    "faster-steps": ResultTable(("game", "determinize, µs", "select, µs", "expand, µs", "playout, µs", "back up, µs",
                                 "same results"), tuple(map(_faster, COMPARED)), _faster_steps),
}


def measurements() -> dict[str, Measurement]:
    """Return every measurement that a table needs, by name."""
    return {one.name: one for table in TABLES.values() for one in table.measurements}


def quoted_in(text: str) -> list[str]:
    """Return the names of the tables that a page shows; raises BenchFailure if one does not exist."""
    names = [found[1] for found in _BLOCK.findall(text)]
    for name in names:
        if name not in TABLES:
            raise BenchFailure(f"there is no table of results '{name}'; the tables: {', '.join(TABLES)}")
    return names


def filled(text: str) -> str:
    """Return a page with its blocks filled from the stored results."""
    quoted_in(text)
    return _BLOCK.sub(lambda found: f"{found[1]}{TABLES[found[2]].text()}{found[3]}", text)


def fill_pages() -> list[Path]:
    """Fill the blocks of all pages, write the files of doublings, and return the changed files."""
    wanted = {path: filled(path.read_text("utf-8")) for path in PAGES} | doubling_files()
    changed = [path for path, text in wanted.items() if not path.exists() or path.read_text("utf-8") != text]
    for path in changed:
        path.write_text(wanted[path], encoding="utf-8")
    return changed


# ---- The file of doublings in the package of each game, which `sfida profile` reads

NEAREST = 1e-3                  # minimum distance of a share from 0 and 1


def doubling_toml(stored: Stored) -> str:
    """Return the doubling.toml of a game."""
    game = make_game(stored.results[0]["match"]["game"])
    lines = ["# What twice the iterations are worth: one seat with twice `iterations` against others of the same",
             "# agent with once. `share` is the mean win share of that seat, luck-adjusted where the game allows it;",
             "# `low` and `high` are its 95 % interval. Written by `make results`, measured with "
             f"{stored.commit} of {stored.date}:",
             f"# {stored.command}", "",
             "[[table]]", f'game = "{game.name}"', f"players = {game.players}",
             f'agent = "{stored.results[0]["match"]["agent"]}"', f'signature = "{stored.signature}"',
             f'commit = "{stored.commit}"', f'date = "{stored.date}"', "matches = ["]
    for row in stored.results:
        best = row["fair"] or row["raw"]
        share, low, high = (min(max(x, NEAREST), 1 - NEAREST) for x in (best["share"], *best["ci95"]))
        lines.append(f"    {{ iterations = {row['match']['iterations']}, games = {row['games']}, share = {share:.3f}, "
                     f"low = {low:.3f}, high = {high:.3f} }},")
    return "\n".join([*lines, "]", ""])


def doubling_files() -> dict[Path, str]:
    """Return the path and the text of the doubling.toml of each measured game."""
    held = {one: stored for one in DOUBLED if (stored := Stored.of(one)) is not None}
    return {Path(inspect.getfile(type(make_game(one.game)))).with_name(FILE): doubling_toml(stored)
            for one, stored in held.items()}


def old_levels() -> Iterator[str]:
    """Yield the games whose levels were fitted with another version of the rules or the search.

    Such levels still work, but their distances may have changed. Pages do not quote the distances.
    """
    for spec in EVERY:
        fit = scale_of(make_game(spec)).fit
        if fit is None or fit.signature != current(spec):
            yield spec


# ---- python -m bench results


@command
def results(*names: str, stale: bool = False, every: bool = False) -> None:
    """Measure the win shares, Elo and speeds that the pages quote, and write them into the pages.

    All tables take about an hour on two idle cores. Each result is kept with its command and the version of the search.

    results                     measure what is missing or out of date, then fill the pages
    results luck-parts agents   only these tables
    results --stale             list what is to be measured, why, and how long that takes
    results --every             measure all of it again

    Each result is stored as soon as it is there: after Ctrl-C the same command continues. Figures of speed belong to
    the machine that measured them.
    """
    unknown = [name for name in names if name not in TABLES]
    if unknown:
        raise refused(f"there is no table '{unknown[0]}'; the tables: {', '.join(TABLES)}")
    chosen = {one.name: one for name in names or TABLES for one in TABLES[name].measurements}
    reasons = {name: "asked for" if every else why_stale(one, Stored.of(one)) for name, one in chosen.items()}
    wanted = [one for name, one in chosen.items() if reasons[name]]
    if stale:
        for one in wanted:
            print(f"{one.expected():5.1f} min  {one.name}: {reasons[one.name]}")
        print(f"{sum(one.expected() for one in wanted):5.1f} min in all, on two cores")
        for spec in () if names else old_levels():
            print(f"    hours  levels of {spec}: python -m bench levels {spec} --store DIR")
        return
    for number, one in enumerate(wanted, start=1):
        print(f"{number} of {len(wanted)}: {one.name}, about {one.expected():.0f} min", flush=True)
        if one.needs and not (ROOT / one.needs).is_dir():
            print(f"left out, because there is no folder {one.needs}", flush=True)
            continue
        measured(one).write(one.name)
    for path in fill_pages():
        print(f"filled {path.relative_to(ROOT)}")
