"""Levels: opponents of graded strength that err as people do (docs/levels.md)."""
