"""A server with a separate state folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.served import Served, serving


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def served() -> Iterator[Served]:
    """Yield a server, and the client of its host."""
    with serving() as found:
        yield found
