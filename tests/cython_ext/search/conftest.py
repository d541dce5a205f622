"""Fixtures of the search tests."""

import pytest

from support.search_toys import WatchedPosition


@pytest.fixture
def watch(monkeypatch):
    """Return a function that sets a callback for every move of the game `watched`."""
    def set_hook(hook):
        monkeypatch.setattr(WatchedPosition, "on_apply", staticmethod(hook))
    return set_hook
