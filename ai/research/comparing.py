"""The speed of a search in the working tree against an older revision: the same searches in both, in turn."""

from __future__ import annotations

import json
import statistics
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sfida.ai.research import flames
from sfida.ai.research.revisions import Built, Checkout, RevisionFailure, Tell
from sfida.ai.research.searches import STEPS, searcher_of
from sfida.cython_ext.errors import SfidaError
from sfida.engines.game import Game

PAIRS = 7
_PASSES = 4                             # how often a process runs the searches, half of them with clocks
_COUNTED = 0.1                          # processor seconds of the searches that callgrind counts, if it did not
_PROGRAM = Path("ai", "research", "searches.py")


class ComparisonFailure(SfidaError):
    """Two revisions cannot be compared; the message says why."""


def compare(game: Game, agent: str, ref: str, seconds: float, tell: Tell, pairs: int = PAIRS) -> dict[str, Any]:
    """Search the same positions with the working tree and with an older revision.

    Both are built in the cache, in the mode of the modules beside the sources. Each pair starts a process of one and
    one of the other, on one thread, and processor time counts.

    Parameters
    ----------
    game : Game
    agent : str
        Spec of an agent that searches a tree.
    ref : str
        Revision of git, such as "HEAD~1".
    seconds : float
        Approximate time of each process.
    tell : callable
        Prints lines about progress.
    pairs : int

    Returns
    -------
    dict
        The object of ``sfida profile --compare REVISION --json`` (docs/measure/profiling.md).

    Raises
    ------
    InvalidOption
        If the agent does not search a tree.
    ComparisonFailure
        If there is no checkout, no such revision, or one of the two does not build or does not know game or agent.
    """
    searcher = searcher_of(agent)
    searcher.check_game(game)
    try:
        checkout = Checkout.here()
        mode = checkout.mode()
        before, after = _built(checkout, ref, tell)
    except RevisionFailure as error:
        raise ComparisonFailure(str(error)) from None
    about = {"game": game.spec(), "agent": searcher.spec, "seconds": seconds}
    source = after.folder / _PROGRAM
    settled = _answer(after, source, {**about, "seconds": seconds / _PASSES, "once": True})["iterations"]
    measured: tuple[list[dict[str, Any]], list[dict[str, Any]]] = [], []
    for pair in range(pairs):
        for side in ((0, 1), (1, 0))[pair % 2]:
            measured[side].append(_answer((before, after)[side], source, {**about, "iterations": settled}))
        tell(f"pair {pair + 1} of {pairs}")
    olds, news = measured
    iterations = sum(settled)
    return {
        "schema": 1, "type": "comparison", "game": game.spec(), "players": game.players, "agent": searcher.spec,
        "before": before.label, "after": after.label, "build": mode, "pairs": pairs, "searches": len(settled),
        "iterations": iterations, "same": len({one["digest"] for one in (*olds, *news)}) == 1,
        "iterations_per_s": _ratio([iterations / one["cpu"] for one in olds], [iterations / one["cpu"] for one in news],
                                   rising=True),
        "step_us": {step: _ratio([one["steps"][step] for one in olds], [one["steps"][step] for one in news])
                    for step in STEPS},
        **_instructions(mode, (before, after), source, about, settled, news[0]["cpu"], tell),
    }


def _built(checkout: Checkout, ref: str, tell: Tell) -> tuple[Built, Built]:
    """Return the older revision and the working tree, built."""
    older = checkout.committed(checkout.named(ref))
    working, cache = checkout.working_tree(), checkout.cache_folder()
    ours = checkout.built(cache, working, checkout.build_working_tree(working), tell)
    return checkout.built(cache, older, checkout.build_committed(older, ours), tell), ours


def _answer(side: Built, source: Path, request: dict[str, Any]) -> dict[str, Any]:
    """Run the searches with a revision and return the answer."""
    done = subprocess.run(flames.program(**request, source=source, package=str(side.package)), capture_output=True,
                          text=True, errors="replace", check=False, env=flames.environment(side.package))
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise ComparisonFailure(f"{side.label} cannot run these searches: {said[-1].removeprefix('error: ')}")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _ratio(olds: Sequence[float], news: Sequence[float], *, rising: bool = False) -> dict[str, Any]:
    """Return the medians of both, and how many times as fast the newer one is: median, least and most of the pairs.

    Parameters
    ----------
    olds, news : sequence of float
        One figure of each pair.
    rising : bool
        Whether larger figures are faster.
    """
    ratios = [new / old if rising else old / max(1e-9, new) for old, new in zip(olds, news, strict=True)]
    return {"before": statistics.median(olds), "after": statistics.median(news), "ratio": statistics.median(ratios),
            "range": [min(ratios), max(ratios)]}


def _instructions(mode: str, sides: tuple[Built, Built], source: Path, about: dict[str, Any], settled: Sequence[int],
                  cpu: float, tell: Tell) -> dict[str, Any]:
    """Return the instructions per iteration, or the reason why they were not counted."""
    if mode != "portable":
        return {"instructions": None, "instructions_missing": "callgrind needs the portable build, SFIDA_NATIVE=0"}
    counts = [max(1, round(count * min(1.0, _COUNTED / max(1e-9, cpu)))) for count in settled]
    found = []
    for side in sides:
        tell(f"callgrind counts the instructions of {side.label}")
        with tempfile.TemporaryDirectory(prefix="sfida-") as folder:
            held = Path(folder) / "callgrind.out"
            try:
                flames.profiled(flames.callgrind(held), flames.program(**about, source=source, iterations=counts,
                                                                       once=True), side.package)
                found.append(flames.counted(held.read_text(errors="replace")) / sum(counts))
            except flames.Unusable as error:
                return {"instructions": None, "instructions_missing": f"callgrind: {error}"}
    before, after = found
    return {"instructions": {"before": before, "after": after, "ratio": before / after}, "instructions_missing": None}
