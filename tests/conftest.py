"""Settings of the whole suite."""

import signal

import pytest

# A suite that was started in the background ignores Ctrl-C, and so would every program it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the installations first: one worker gets them all and builds once, and the others catch up with the rest."""
    items.sort(key=lambda item: "packaging" not in item.path.parts)
