"""The `exec` agent: a program that is started."""

from __future__ import annotations

from dataclasses import dataclass, field

from sfida.ai.external.agent import LineAgent
from sfida.ai.external.command import command_line, program_files
from sfida.ai.external.program import Program
from sfida.cython_ext.errors import InvalidOption
from sfida.engines.spec import quoted


@dataclass(frozen=True)
class ExecOptions:
    """The only option of `exec`."""

    command: str = field(metadata={"doc": "the program and its arguments: everything after the first colon",
                                   "files": program_files})

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

    def _connect(self) -> Program:
        return Program(self.options.words(), self.called)
