"""Levels: opponents of graded strength that err as people do (docs/play/levels.md)."""
