"""Settings of the whole suite."""

import signal

import pytest

from sfida.cython_ext.state import DEBUG
from support import recounts

recounts.install()

# A suite that was started in the background ignores Ctrl-C, and so would every program that it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests of the other build (docs/maintain/development.md), and put the installations first.

    One worker gets all the installations and builds once, while the others run the rest.
    """
    other = "release_only" if DEBUG else "debug_only"
    config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker(other)])
    items[:] = [item for item in items if not item.get_closest_marker(other)]
    items.sort(key=lambda item: "packaging" not in item.path.parts)
