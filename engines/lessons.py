"""A walk-through for a person's first game: a word before it, and a lesson for each kind of decision."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Lesson:
    """What a new player is told when a kind of decision comes for the first time.

    Attributes
    ----------
    key : str
        The kind of decision; each is explained once.
    title : str
        Such as "Deploying a follower".
    text : str
        What is decided, what it brings, what to look at, and how it is typed: plain sentences in paragraphs that are
        parted by blank lines; whoever shows it breaks the lines.
    rule : str
        The clause that has it all, such as "CAR-5"; "" for none.
    """

    key: str
    title: str
    text: str
    rule: str = ""
