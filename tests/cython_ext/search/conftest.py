"""What tests of agents share."""

import pytest

from support.search_toys import WatchedPosition


@pytest.fixture
def watch(monkeypatch):
    """Have a function called at every move of the game `watched`."""
    def set_hook(hook):
        monkeypatch.setattr(WatchedPosition, "on_apply", staticmethod(hook))
    return set_hook
