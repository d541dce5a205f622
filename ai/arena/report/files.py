"""Writes the files of a report, each whole or not at all."""

from __future__ import annotations

from sfida.engines.files import write_whole

__all__ = ["write_whole"]
