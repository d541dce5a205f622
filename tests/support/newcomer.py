"""A newcomer at a terminal, who types only what the screen explains, from the first prompt to the end of the game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from sfida.cython_ext.rng import Random
from support.terminal import Terminal

COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
PROMPT = r"(?:^|\n)\w+> $|Enter[^\n]*: $|press Enter[^\n]* $"
MOVE = re.compile(r"(?:^| {2,})\s*(\d+)  \S|[ )](\d+)↻\d")
THE_END = "── the end ──"
ON_BOARD = re.compile(r"()[ )](\d+)↻\d")
GROUP = re.compile(r"  (\S.*?) {2,}\S")
BRIEF = re.compile(r"  ([\w-]+) \[\d+\]")
ASKED = re.compile(r"(?!error|Type|.*> $)[A-Za-z]")
TOLD = re.compile(r" *\d+  [\w ]+: | {8}")
HEADING = re.compile(r"^── .* to move", re.MULTILINE)
MOST_REFUSED = 8        # refusals in a row after which a person would give up


@dataclass
class Screen:
    """The output between a typed line and the next prompt.

    Attributes
    ----------
    text : str
        Text on the terminal, without colours; of lines drawn over each other the last one.
    typed : str
        The newcomer's answer.
    """

    text: str
    typed: str = ""

    @property
    def decision(self) -> list[str]:
        """The lines from the last heading on, with the prompt; none if a turn continues below the last screen."""
        starts = [match.start() for match in HEADING.finditer(self.text)]
        return self.text[starts[-1]:].split("\n") if starts else []

    @property
    def question(self) -> str:
        """The kind of decision: the sentence that states it, without names and numbers."""
        lines = [line for line in self.text.split("\n")
                 if re.match(r"[A-Z]?[a-z]+ .*[.]$|[A-Z][a-z]+ (lays|may) ", line)]
        return re.sub(r"\d+", "n", " ".join(lines[-1].split()[1:5])) if lines else ""


@dataclass
class Newcomer:
    """Plays one seat by random choices among those that the screen offers.

    Parameters
    ----------
    terminal : Terminal
    seed : int
    """

    terminal: Terminal
    seed: int
    screens: list[Screen] = field(default_factory=list)

    def play(self, most: int = 3000) -> Iterator[Screen]:
        """Play to the end and yield every screen; raises AssertionError if a screen offers no way to continue."""
        rng, refused, offered = Random(self.seed), 0, []
        for _ in range(most):
            before = len(self.terminal.text)
            text = drawn(self.terminal.wait_for(rf"{PROMPT}|{THE_END}", 60))
            if THE_END in text:
                assert self.terminal.end() == 0
                yield Screen(drawn(self.terminal.text[before:]))
                return
            screen = Screen(text)
            refused = refused + 1 if "error: " in text else 0
            assert refused < MOST_REFUSED, text
            offered = self._offers(text, rng) or offered
            assert offered or text.rstrip().endswith(":"), f"the screen offers nothing:\n{text}"
            screen.typed = "" if text.rstrip(" ").endswith(":") else offered[rng.below(len(offered))]
            yield screen
            self.terminal.type(screen.typed)
        raise AssertionError(f"no end after {most} lines")

    def _offers(self, text: str, rng: Random) -> list[str]:
        """Return the answers that the last decision on a screen offers: numbers of moves, or names of groups."""
        start = max((match.start() for match in HEADING.finditer(text)), default=None)
        lines = text[start or 0:].split("\n")
        if start is None:                                   # the turn continues below the last events
            lines = [line for line in lines if not TOLD.match(line)]
        asked = max((i for i, line in enumerate(lines) if ASKED.match(line)), default=-1)
        listed = lines[asked + 1:]
        numbers = _numbers(MOVE, listed) or _beside(lines[1:asked]) or _numbers(ON_BOARD, lines)
        names = [found[1] for found in map(GROUP.match, listed) if found and " [" not in found[1]]
        names += [name for line in listed for name in BRIEF.findall(line)]
        return names if names and (not numbers or rng.below(4)) else numbers


def _numbers(pattern: re.Pattern[str], lines: list[str]) -> list[str]:
    return [one or other for line in lines for one, other in pattern.findall(line)]


def _beside(lines: list[str]) -> list[str]:
    """Return the numbers of a list that is printed on the right of a board, from its first line on."""
    first = [match.end(1) for match in re.finditer(r" (\d+)  (?=\S)", lines[0])] if lines else []
    if not first:
        return []
    numbers = []
    for left, right in ((line[:first[-1]], line[first[-1]:]) for line in lines):
        if not re.search(r"   ?\d+$", left) or not re.match(r"  \S", right):
            break                                       # the list ends
        numbers.append(left.split()[-1])
    return numbers


def drawn(text: str) -> str:
    """Return the text as a terminal shows it: of lines drawn over each other the last one."""
    text = text.replace("\r\n", "\n")
    return "\n".join(line.rsplit("\r", 1)[-1] for line in COLOURS.sub("", text).split("\n"))
