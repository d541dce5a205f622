"""The folder in which the program keeps what a person does: saves, finished games, reviews, practice."""

from __future__ import annotations

from pathlib import Path

import platformdirs


def state_folder() -> Path:
    """Return the folder; it need not exist."""
    return platformdirs.user_state_path("sfida", appauthor=False)
