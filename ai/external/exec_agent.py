"""The `exec` agent: a program that is started."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from sfida.ai.external.agent import LineAgent
from sfida.ai.external.command import command_line, program_files
from sfida.ai.external.program import Program
from sfida.ai.registry import agent as make_agent
from sfida.ai.seat import Seat
from sfida.cython_ext.errors import InvalidOption, SfidaError
from sfida.engines.spec import digests, quoted

_AGENT = re.compile(r"--agent[= ]['\"]?([^\s'\"]+)")


@dataclass(frozen=True)
class ExecOptions:
    """The only option of `exec`."""

    command: str = field(metadata={"doc": "the program and its arguments: everything after the first colon",
                                   "contents": lambda command: digests(*program_files(command))})

    def __post_init__(self) -> None:
        if not isinstance(self.command, str):
            raise InvalidOption(f"the command of agent 'exec' must be text, not {quoted(self.command)}")
        object.__setattr__(self, "command", self.command.strip())
        self.words()

    def words(self) -> list[str]:
        """Return the program and its arguments; raises InvalidOption if it cannot be run here."""
        return command_line(self.command)


class ExecAgent(LineAgent):
    """Plays what a program answers over its standard streams."""

    name = "exec"
    doc = "your own program, asked line by line (docs/protocol.md)"
    options_class = ExecOptions
    free_text = "command"

    def _served(self) -> float | None:
        """Return how long decisions of the agent may take that `sfida engine`, if the command runs it, serves."""
        words = [part for word in self.options.words() for part in word.split()]        # also of sh -c "..."
        found = _AGENT.search(" ".join(words[words.index("engine"):])) if "engine" in words else None
        try:
            return None if found is None else Seat(make_agent(found[1])).longest
        except SfidaError:                      # the program may have another way with its words
            return None

    def _connect(self) -> Program:
        return Program(self.options.words(), self.called)
