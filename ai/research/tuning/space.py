"""The space of a tuning: parameters of an agent and the values that they may take.

::

    over  := part {"," part}            c_prior=0.3..3,cutoff=-1|2|4|8,reuse
    part  := name "=" low ".." high     a range, on a log scale if it is positive and high > 10 * low
           | name "=" value {"|" value}
           | name                       all values that the agent declares for it
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sfida.ai.agent import NamedAgent
from sfida.ai.arena.bootstrap import Floats
from sfida.cython_ext.errors import InvalidOption
from sfida.engines.spec import describe, option_text, quoted, read_option

Values = Mapping[str, Any]

_WIDE = 10              # ratio of the ends of a range beyond which its scale is logarithmic
_FIGURES = 3            # significant digits of a number drawn from a range
_APART = 0.5            # distance of two listed values; a range has length 1
_SHOWN = 5              # values of a range whose effects are shown


@dataclass(frozen=True)
class Parameter:
    """A parameter and its values.

    Attributes
    ----------
    name : str
    kind : str
        "int", "float", "bool" or "word".
    values : tuple
        The listed values, or the two ends of a range.
    ranges : bool
    """

    name: str
    kind: str
    values: tuple[Any, ...]
    ranges: bool

    @property
    def log(self) -> bool:
        """Whether the scale of a range is logarithmic."""
        return self.ranges and self.values[0] > 0 and self.values[1] > _WIDE * self.values[0]

    def rounded(self, value: Any) -> Any:
        """Return a value of a range as a spec shows it: with few digits, within the range."""
        if not self.ranges or self.kind != "float":
            return value
        low, high = self.values
        return min(max(float(f"{value:.{_FIGURES}g}"), low), high)

    def shown(self) -> tuple[Any, ...]:
        """Return the values whose effects are shown: all listed values, or evenly spaced ones of a range."""
        if not self.ranges:
            return self.values
        low, high = (math.log(end) if self.log else float(end) for end in self.values)
        found = [low + (high - low) * step / (_SHOWN - 1) for step in range(_SHOWN)]
        found = [math.exp(value) if self.log else value for value in found]
        return tuple(dict.fromkeys(round(value) if self.kind == "int" else self.rounded(value) for value in found))

    def place(self, value: Any) -> list[float]:
        """Return the coordinates of a value: one from 0 to 1 for a range, otherwise one for each listed value."""
        if not self.ranges:
            return [_APART / math.sqrt(2) * (value == each) for each in self.values]
        low, high, here = (math.log(each) if self.log else float(each) for each in (*self.values, value))
        return [(here - low) / (high - low)]

    def draw(self, rng: np.random.Generator) -> Any:
        """Return a value drawn evenly on the scale."""
        if not self.ranges:
            return self.values[int(rng.integers(len(self.values)))]
        low, high = (math.log(end) if self.log else float(end) for end in self.values)
        value = float(rng.uniform(low, high))
        value = math.exp(value) if self.log else value
        return round(value) if self.kind == "int" else self.rounded(value)


@dataclass(frozen=True)
class Space:
    """The agent to tune, and its parameters.

    Attributes
    ----------
    agent : NamedAgent
        The agent as given.
    parameters : tuple of Parameter
    """

    agent: NamedAgent
    parameters: tuple[Parameter, ...]

    @classmethod
    def parse(cls, agent: NamedAgent, over: str) -> Space:
        """Parse the text of ``--over``.

        Raises
        ------
        InvalidOption
            If the text has none of the forms, or the agent has no such parameter or does not accept a value.
        """
        if agent.free_text or not describe(agent.options_class):
            raise InvalidOption(f"agent '{agent.name}' has no parameters to tune")
        parameters = [_parameter(agent, part.strip()) for part in over.split(",")]
        names = [parameter.name for parameter in parameters]
        for name in names:
            if names.count(name) > 1:
                raise InvalidOption(f"parameter '{name}' is to be tuned twice")
        return cls(agent, tuple(parameters))

    def candidate(self, values: Values) -> NamedAgent:
        """Return the agent with these values; raises InvalidOption if it does not accept them together."""
        return type(self.agent)(dataclasses.replace(self.agent.options, **values), self.agent.seed)

    def text(self, values: Values) -> str:
        """Return values in the form of a spec."""
        return ",".join(f"{name}={self.value_text(name, value)}" for name, value in values.items())

    def value_text(self, name: str, value: Any) -> str:
        """Return the value of a parameter in the form of a spec."""
        return option_text(self.agent.options_class, name, value)

    def corners(self) -> list[dict[str, Any]]:
        """Return points that together contain every listed value and both ends of every range."""
        most = max(len(parameter.values) for parameter in self.parameters)
        return [{parameter.name: parameter.values[number % len(parameter.values)] for parameter in self.parameters}
                for number in range(most)]

    def draw(self, rng: np.random.Generator) -> dict[str, Any]:
        """Return values drawn evenly."""
        return {parameter.name: parameter.draw(rng) for parameter in self.parameters}

    def places(self, points: Sequence[Values]) -> Floats:
        """Return the coordinates of points, one row each."""
        return np.array([[number for parameter in self.parameters for number in parameter.place(point[parameter.name])]
                         for point in points], float)


def _parameter(agent: NamedAgent, part: str) -> Parameter:
    name, equals, text = (piece.strip() for piece in part.partition("="))
    if not name or (equals and not text):
        raise InvalidOption(f"{quoted(part)} does not say what to tune; right would be NAME=LOW..HIGH or NAME=A|B|C")
    cls, what = agent.options_class, f"agent '{agent.name}'"
    known = {entry["key"]: entry for entry in describe(cls)}
    if name not in known:
        read_option(cls, name, text, what)          # raises the error
    entry = known[name]
    if not equals:
        values = (False, True) if entry["type"] == "bool" else entry.get("values")
        if values is None:
            raise InvalidOption(f"say which values of '{name}' to try: {name}=LOW..HIGH or {name}=A|B|C")
        return Parameter(name, entry["type"], tuple(values), False)
    if ".." in text:
        return _range(cls, name, entry["type"], text, what)
    values = tuple(read_option(cls, name, value.strip(), what) for value in text.split("|"))
    if len(values) < 2:
        raise InvalidOption(f"{quoted(part)} leaves nothing to choose; right would be {name}=LOW..HIGH or {name}=A|B|C")
    if len(set(values)) < len(values):
        raise InvalidOption(f"{quoted(part)} names a value twice")
    return Parameter(name, entry["type"], values, False)


def _range(cls: type[Any], name: str, kind: str, text: str, what: str) -> Parameter:
    if kind not in ("int", "float"):
        raise InvalidOption(f"'{name}' of {what} is no number, so it has no range; right would be {name}=A|B|C")
    low, high = (read_option(cls, name, end.strip(), what) for end in text.split("..", 1))
    if low is None or high is None or not low < high:
        raise InvalidOption(f"the range {quoted(text)} of '{name}' must go from a smaller to a larger number")
    return Parameter(name, kind, (low, high), True)
