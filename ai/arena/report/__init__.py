"""The report of a tournament: one HTML file for people, CSV files for programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sfida.ai.arena.outcome import GameOutcome
from sfida.ai.arena.report.figures import why_none
from sfida.ai.arena.report.material import Material
from sfida.ai.arena.report.page import page
from sfida.ai.arena.report.tables import csv_files
from sfida.ai.arena.schedule import Setup
from sfida.ai.arena.standings import Standings
from sfida.engines.files import write_whole

__all__ = ["why_none", "write_report"]


def write_report(directory: Path, setup: Setup, standings: Standings, outcomes: Sequence[GameOutcome], *,
                 store: Path | None = None, title: str | None = None) -> Path:
    """Write the report of a tournament and return the path of its page.

    The folder gets ``report.html``, which is self-contained, and ``agents.csv``, ``pairs.csv``, ``seats.csv`` and
    ``games.csv`` (RFC 4180, with a header line). Files with those names are replaced, each whole or not at all. Equal
    arguments give equal files; `why_none` tells where the page has no figures.

    Parameters
    ----------
    directory : Path
        Created if missing.
    setup : Setup
    standings : Standings
    outcomes : sequence of GameOutcome
        In any order; they are numbered from 1 by block and rotation. Games of unfinished blocks are listed but not
        counted.
    store : Path, optional
        File that holds the games, for the commands that replay one.
    title : str, optional
        Heading; by default made from the game.

    Returns
    -------
    Path
        ``directory / "report.html"``.

    Raises
    ------
    OSError
        If the folder or a file in it cannot be written.
    """
    material = Material.of(setup, standings, outcomes, store)
    directory.mkdir(parents=True, exist_ok=True)
    html = page(material, title)
    for name, text in csv_files(material).items():
        write_whole(directory / name, text)
    return write_whole(directory / "report.html", html)
