"""Values that no careful program writes, and functions that spoil valid data."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Sequence
from typing import Any

TEXTS = (
    "", " ", "0", "-1", "1", "2", "99", "-0", "+5", "007", "0x10", "1_000", "1e999", "-1e999", "1e-400", "NaN", "inf",
    "nan", "1.5", ".", "9" * 19, "1" + "0" * 400, "9" * 4301, "9" * 5000, " " * 20_000, "\t" * 300, "+" * 5000,
    "a" * 5000, "ab " * 2000, "(" * 3000, "[" * 3000, "{" * 3000, "/" * 3000, ";" * 3000, ",=" * 2000, "'" * 999,
    '"' * 999, "\\" * 999, "\0", "a\0b", "\x1b]0;owned\x07", "\x1b[2J", "\x9b31m", "\u202egnp.exe", "\u2066", "\u200b",
    "\u2028", "\r", "\n", "a\nb", "\b\b\b", "\x7f", "\ud800", "a\udcffb", "\u0663", "\u00b2", "\u00df", "\u0130",
    "\ufeff", "\U0001f3b2",
    "e\u0301" * 300, "true", "false", "none", "null", "human", "random", "=", ",", ":", ":::", "=,=", "@", "#", "%s%n",
    "{0}", "{}", "$HOME", "`id`", "; ls", "--help", "-h", "--", "-", "~", "~nobody/x", "..", "../..", "/", "/dev/null",
    "/dev/zero", "/dev/full", "/dev/stdin", "/proc/self/mem", "/proc/version", "missing/there.toml", "con:", "*", "?",
)
VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 7, 99, 2**31, 2**63, 2**64, -2**63, 2**128, 10**400, 0.5, -0.0, 1.5, 1e308,
    float("inf"),
    float("-inf"), float("nan"), [], {}, [[]], [{}], {"": None}, [None], [0] * 2000, ["x"] * 2000,
    {"a": {"b": {"c": []}}},
)
DEEP, LONG, HUGE = "@deep@", "@long@", "@huge@"         # placeholders in JSON for text that `json` does not write


def value(rng: random.Random) -> Any:
    """Return a copy of an unexpected JSON value."""
    return copy.deepcopy(rng.choice(VALUES))


def word(rng: random.Random) -> str:
    """Return a hostile text."""
    if rng.random() < 0.3:
        return "".join(chr(rng.choice((rng.randrange(32, 127), rng.randrange(0x250), rng.randrange(0x3000))))
                       for _ in range(rng.randrange(1, 12)))
    return rng.choice(TEXTS)


def text(rng: random.Random, valid: str, others: Sequence[str] = ()) -> str:
    """Return a valid text with a few errors."""
    signs = valid
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        first = rng.randrange(len(signs) + 1)
        last = min(len(signs), first + rng.choice((0, 1, 1, 2, 5)))
        match rng.randrange(8):
            case 0:
                signs = signs[:first] + word(rng) + signs[last:]
            case 1:
                signs = signs[:first] + signs[last:]
            case 2:
                signs = signs[:last] + signs[first:]
            case 3:
                signs = signs[:first] + chr(rng.randrange(33, 127)) + signs[last:]
            case 4:
                signs = rng.choice((str.upper, str.lower, str.swapcase, str.title))(signs)
            case 5:
                other = rng.choice(others) if others else word(rng)
                signs = signs[:first] + other[rng.randrange(len(other) + 1):]
            case 6:
                signs = signs[:first] + rng.choice((" ", "  ", "\t", ",", ";", "/", "+", "-", "|")) + signs[first:]
            case _:
                signs = signs + rng.choice((" ", "+", ";", "/", ", ", "")) + (rng.choice(others) if others else signs)
        signs = signs[:30_000]
    return signs


def data(rng: random.Random, valid: bytes) -> bytes:
    """Return valid bytes with a few errors."""
    found = bytearray(valid)
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        first = rng.randrange(len(found) + 1)
        last = min(len(found), first + rng.choice((1, 1, 2, 8, 100)))
        match rng.randrange(7):
            case 0:
                del found[first:last]
            case 1:
                found[first:last] = rng.randbytes(last - first)
            case 2:
                found[first:first] = rng.randbytes(rng.choice((1, 2, 8, 64)))
            case 3:
                del found[first:]
            case 4:
                found[first:last] = bytes([rng.choice((0, 1, 0x7F, 0x80, 0xFF))]) * (last - first)
            case 5:
                found[first:first] = found[first:last]
            case _:
                if first < len(found):
                    found[first] ^= 1 << rng.randrange(8)
    return bytes(found)


def spoil(rng: random.Random, tree: Any) -> Any:
    """Return JSON data with one to three values, keys or lists changed."""
    tree = copy.deepcopy(tree)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        places = list(_places(tree))
        if not places:
            return value(rng)
        holder, key = rng.choice(places)
        match rng.randrange(9):
            case 0:
                del holder[key]
            case 1:
                holder[key] = rng.choice((DEEP, LONG, HUGE))
            case 2:
                holder[key] = [holder[key]] if rng.random() < 0.5 else {"x": holder[key]}
            case 3:
                other, its = rng.choice(places)
                holder[key] = copy.deepcopy(other[its]) if _has(other, its) else None
            case 4:
                holder[key] = _near(rng, holder[key])
            case 5 if isinstance(holder, list):
                holder.insert(key, copy.deepcopy(holder[key]))
            case 5 | 6 if isinstance(holder, dict):
                holder[word(rng)] = holder[key]
            case 7:
                holder[key] = word(rng)
            case _:
                holder[key] = value(rng)
    return tree


def _has(holder: Any, key: Any) -> bool:
    return key in holder if isinstance(holder, dict) else key < len(holder)


def _near(rng: random.Random, old: Any) -> Any:
    """Return a value of the same type."""
    if isinstance(old, bool) or old is None:
        return not old
    if isinstance(old, int):
        return old + rng.choice((-1, 1, -old - 1, 255, 1 << 40))
    if isinstance(old, float):
        return rng.choice((-old, old + 1, old * 1e300, 1.5))
    return text(rng, old) if isinstance(old, str) else old


def _places(tree: Any) -> Any:
    """Yield (container, key) of every value; for long lists only the first and last few."""
    todo = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, dict):
            keys: Sequence[Any] = list(node)
        elif isinstance(node, list):
            keys = range(len(node)) if len(node) < 12 else (0, 1, 2, len(node) // 2, len(node) - 1)
        else:
            continue
        for key in keys:
            yield node, key
            todo.append(node[key])


def line(rng: random.Random, tree: Any) -> str:
    """Return JSON data as a line, with the placeholders replaced by text that `json` does not write."""
    written = json.dumps(tree, ensure_ascii=rng.random() < 0.7)
    for sign, stands_for in ((DEEP, "[" * 3000 + "]" * 3000), (LONG, "9" * 5000), (HUGE, "1e999")):
        written = written.replace(f'"{sign}"', stands_for)
    if rng.random() < 0.05 and written.startswith("{"):
        written = '{"schema":1,' + written[1:]
    return written


def toml(rng: random.Random, valid: str) -> bytes:
    """Return a TOML file with a few lines changed, or a few bytes."""
    if rng.random() < 0.2:
        return data(rng, valid.encode())
    lines = valid.split("\n")
    values: tuple[Callable[[], str], ...] = (
        lambda: repr(word(rng)).replace("'", '"'), lambda: "9" * 5000, lambda: "[" * 3000 + "]" * 3000, lambda: "nan",
        lambda: "inf", lambda: "-1", lambda: "1e999", lambda: str(10**400), lambda: "{}", lambda: "[]", lambda: "true",
        lambda: "1979-05-27T07:32:00Z", lambda: '"""\n' + "x\n" * 50 + '"""', lambda: "{a={" * 1200,
        lambda: '"\\u0000"',
        lambda: '"\\u001b[2J"', lambda: str(rng.randrange(-3, 70)))
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.randrange(len(lines))
        key, equals, value = lines[at].partition("=")
        match rng.randrange(7):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, rng.choice(lines))
            case 2 | 3 if equals:
                lines[at] = f"{key}= {rng.choice(values)()}"
            case 4:
                lines[at] = text(rng, lines[at], lines[:50])
            case 5 if equals:
                lines[at] = f"{text(rng, key)}={value}"
            case _:
                lines.insert(at, word(rng))
    return "\n".join(lines).encode("utf-8", "surrogatepass")
