"""The short form of `python -m bench fuzz`: some cases of every door, in a separate process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.fuzzing.doors import DOORS
from support.fuzzing.worker import Finding, Worker

SEED = 1


@pytest.fixture(scope="session")
def worker() -> Iterator[Worker]:
    with Worker() as found:
        yield found


@pytest.mark.parametrize("name", DOORS)
def test_no_case_breaks_anything(worker: Worker, name: str) -> None:
    tally = worker.run(name, SEED, 0, DOORS[name].short)
    assert tally.cases == DOORS[name].short
    assert not tally.findings, "\n".join(map(told, tally.findings[:3]))


def told(finding: Finding) -> str:
    return f"python -m bench fuzz --seed {SEED} --case {finding.door}:{finding.number}\n{finding.what}"
