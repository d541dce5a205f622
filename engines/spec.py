"""The common grammar of game and agent specs, and the typed options that it fills.

::

    spec := name [":" key=value {"," key=value}]        carcassonne:river=false,players=3

A value is an int, a float, `true` or `false`, or a word; `none` leaves an optional value unset.
Options are fields of a frozen dataclass, each declared once: its metadata may hold `values` (a tuple of the allowed
values; `also` holds further values that the rules do not name), `low` and `high` (inclusive bounds), `doc`, `unit`,
`unset` (the meaning of an unset value, in a word or two), `label` (the name for people, by default the key), `words`
(the meaning of each of the `values`, in a few words), `none` (the value for the word `none`, if the word does not
leave the option unset), `needs` and `only_with` (values of other options, a tuple or a range by key, without which
this option means nothing: then it is refused, or has no effect) and `contents` (a function from the value to the
digests of the files that it names, by their paths, such as `digests`).

The meaning of a spec depends on the contents of the files that it names, not on their paths. For comparisons of specs
`contents_of` computes digests of the contents, and `by_contents` puts them in place of the paths.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
import math
import operator
import re
import types
import typing
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from sfida.cython_ext.errors import InvalidOption, SfidaError
from sfida.engines.files import digest_of, expanded
from sfida.engines.language import N_, _

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")
V = TypeVar("V")

QUOTED = 80                     # most characters of a user's input that an error message repeats

_INT = re.compile(r"[+-]?[0-9]+")
_FLOAT = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_KINDS: dict[type, str] = {bool: N_("true or false"), int: N_("a whole number"), float: N_("a number"),
                          str: N_("a word")}


# ---- helpers for error messages ---------------------------------------------------------------------


def whole(value: object) -> int | None:
    """Return a whole number of any type, such as NumPy's, as an int; None for anything else, truth values included."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return None
    try:
        return operator.index(typing.cast("typing.SupportsIndex", value))
    except TypeError:
        return None


def quoted(value: object) -> str:
    """Return a value quoted for an error message: one line, at most about 60 characters."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):            # a number with thousands of digits, deeply nested lists
        return f"a value of type {type(value).__name__} that is too large to show"
    return text if len(text) <= 60 else f"{text[:50]}... ({len(text)} characters)"


def shortened(text: object, most: int = QUOTED) -> str:
    """Return foreign text for an error message, without quotes; the middle of a long text is omitted."""
    words = str(text)
    half = (most - 3) // 2
    return words if len(words) <= most else f"{words[:half]}...{words[-half:]}"


def shown(path: object) -> str:
    """Return a path for an error message; the middle of long names, and then of a long path, is omitted."""
    text = re.sub(r"[^/\\]+", lambda name: shortened(name[0]), str(path))
    return text if len(text) <= 3 * QUOTED else shortened(text)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known name that `word` most likely means, or None."""
    if len(word) > QUOTED:                          # no name is that long, and comparing takes quadratic time
        return None

    import difflib  # only for a mistake

    def plain(text: str) -> str:
        return text.lower().replace("-", "_").replace(" ", "_")

    names = {plain(name): name for name in known}
    wanted = plain(word.strip())
    found = difflib.get_close_matches(wanted, names, n=1)
    if not found and len(wanted) >= 2:
        found = [name for name in names if name.startswith(wanted)]
    return names[found[0]] if found else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return "; did you mean 'x'?", or "" if no other name is near."""
    name = nearest(word, (name for name in known if name != word.strip()))
    return _("; did you mean '{name}'?").format(name=name) if name else ""


# ---- declaring options ------------------------------------------------------------------------------


AS_PRESET = N_("as the preset")


def as_preset(doc: str, **metadata: Any) -> Any:
    """Return the field of an option whose default is the value of the preset; `metadata` as for any option."""
    return dataclasses.field(default=None, metadata={"doc": doc, "unset": AS_PRESET, **metadata})


# ---- text -------------------------------------------------------------------------------------------


def _either(values: Iterable[str]) -> str:
    """Return values as "a, b or c"."""
    *first, last = values
    return _("{values} or {last}").format(values=", ".join(first), last=last) if first else last


def spec_text(spec: object) -> str:
    """Return a caller's spec; raises InvalidOption unless it is text."""
    if not isinstance(spec, str):
        raise InvalidOption(_("a spec is text such as name:key=value, not {value}").format(value=quoted(spec)))
    return spec


def parse_spec(text: str) -> tuple[str, dict[str, str]]:
    """Split a spec into its name and the text values of its keys.

    Parameters
    ----------
    text : str
        For example ``"carcassonne:river=false,players=3"``; blanks around names and values are ignored.

    Returns
    -------
    name : str
    params : dict of str to str
        Values by key, in the order of the text.

    Raises
    ------
    InvalidOption
        If `text` is not a str, the name or a key is empty, a `=` is missing, or a key is given twice.
    """
    name, colon, rest = spec_text(text).partition(":")
    name = name.strip()
    if not name:
        raise InvalidOption(_("{text} names nothing; right would be name or name:key=value,key=value").format(
            text=quoted(text)))
    params: dict[str, str] = {}
    if not colon:
        return name, params
    for part in rest.split(","):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not key or not value:
            raise InvalidOption(_("{part} in {text} is not key=value; right would be name:key=value,key=value").format(
                part=quoted(part.strip()), text=quoted(text)))
        if key in params:
            raise InvalidOption(_("key {key} is given twice in {text}").format(key=quoted(key), text=quoted(text)))
        params[key] = value
    return name, params


def canonical(name: str, options: DataclassInstance) -> str:
    """Return the spec of `name` with `options`: defaults omitted, keys in field order.

    ``parse_spec`` and ``options_from`` turn it into equal options again.
    """
    parts = []
    for field in _fields(type(options)):
        value = getattr(options, field.name)
        if not field.has_default or value != field.default:
            parts.append(f"{field.name}={field.text(value)}")
    return f"{name}:{','.join(parts)}" if parts else name


# ---- files that options name ------------------------------------------------------------------------


def digests(*paths: str) -> dict[str, str]:
    """Return digests of the bytes of files by their paths; raises OSError if one cannot be read."""
    return {path: digest_of(expanded(path)) for path in paths}


def contents_of(*options: object) -> dict[str, str]:
    """Return digests of the files that options name, by the paths as written in the options.

    Unreadable files are omitted: their users report the error. Objects other than dataclasses name no files.
    """
    found: dict[str, str] = {}
    for each in options:
        for field in dataclasses.fields(each) if dataclasses.is_dataclass(each) and not isinstance(each, type) else ():
            value = getattr(each, field.name)
            if value is not None and "contents" in field.metadata:
                with contextlib.suppress(OSError, SfidaError):
                    found |= field.metadata["contents"](value)
    return found


def by_contents(value: V, contents: Mapping[str, str]) -> V:
    """Return a spec, or a list of specs, with the digests of files in place of their paths."""
    if isinstance(value, (list, tuple)):
        return type(value)(by_contents(each, contents) for each in value)
    if not isinstance(value, str):
        return value
    text: str = value
    for path in sorted(contents, key=len, reverse=True):
        text = re.sub(rf"(?<![^\s=:,'\"]){re.escape(path)}(?![^\s,'\"])", contents[path], text)
    return typing.cast("V", text)


def named_by(specs: Iterable[str], contents: Mapping[str, str]) -> dict[str, str]:
    """Return the digests of the files that some specs name."""
    texts = tuple(specs)
    return {path: digest for path, digest in contents.items() if by_contents(texts, {path: digest}) != texts}


def differences(held: Mapping[str, Any], asked: Mapping[str, Any], leaving_out: Iterable[str] = ()) -> list[str]:
    """Compare stored settings with the requested ones, and return every difference in words.

    Parameters
    ----------
    held, asked : mapping
        JSON-able; "contents" holds the digests of the files that the specs among the other values name. Specs that
        name the same content at different paths are equal.
    leaving_out : iterable of str
        Keys that are not compared.
    """
    there, here = held.get("contents") or {}, asked.get("contents") or {}
    keys = [key for key in asked if key not in (*leaving_out, "contents") and held.get(key) != asked[key]]
    found = [f"{key} is {_as_json(held.get(key))} there and {_as_json(asked[key])} here" for key in keys
             if by_contents(held.get(key), there) != by_contents(asked[key], here)]
    return found + changes(there, here)


def changes(there: Mapping[str, str], here: Mapping[str, str]) -> list[str]:
    """Return in words the files whose contents differ between `there` and `here`, both results of `contents_of`."""
    return [f"{shown(path)} has changed: its digest is {there[path]} there and {digest} here"
            for path, digest in here.items() if there.get(path, digest) != digest]


def _as_json(value: object) -> str:
    return shortened(json.dumps(value, ensure_ascii=False))


# ---- typed options ----------------------------------------------------------------------------------


def options_from(cls: type[T], params: Mapping[str, object], what: str) -> T:
    """Build options from the values of a spec, or from Python values.

    Parameters
    ----------
    cls : type
        Frozen dataclass with fields of type int, float, bool or str, or one of them ``| None`` (a str must then
        declare its values or the meaning of none).
    params : mapping
        Values by key: text as in a spec, or native values. Missing keys get their defaults.
    what : str
        Owner of the options, for messages: ``"game 'carcassonne'"``.

    Raises
    ------
    InvalidOption
        If a key is unknown (the nearest one is suggested) or a value is not allowed.
    """
    for key in params:
        _field(cls, key, what)
    for field in _fields(cls):
        if not field.has_default and field.name not in params:
            raise InvalidOption(_("option '{key}' of {what} must be given").format(key=field.name, what=what))
    return cls(**{key: read_option(cls, key, value, what) for key, value in params.items()})


def read_option(cls: type[DataclassInstance], key: str, value: object, what: str) -> Any:
    """Return the value of one option, checked; the parameters and the errors are those of `options_from`."""
    return _field(cls, key, what).read(value, what)


def option_text(cls: type[DataclassInstance], key: str, value: object) -> str:
    """Return the value of an option as a spec writes it."""
    return _field(cls, key, cls.__name__).text(value)


def words_of_value(option: Mapping[str, Any], value: object) -> str:
    """Return the value of an option, described by `describe`, in words for people."""
    if value is None:
        return _(option.get("unset", "none"))
    words = option.get("words", ())
    if value in option.get("values", ())[:len(words)]:
        return _(words[option["values"].index(value)])
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return str(value)


def refuse_idle(options: DataclassInstance, ruled: Mapping[str, Any], otherwise: Mapping[str, Any]) -> None:
    """Refuse an option that was given although other options make it meaningless (`needs`).

    Parameters
    ----------
    options : dataclass
        The options as given.
    ruled : mapping
        The value of every option, settled.
    otherwise : mapping
        Values of options that are not given. An option that is given this value has no effect, and is accepted.

    Raises
    ------
    InvalidOption
    """
    for field in _fields(type(options)):
        value = getattr(options, field.name)
        if value is None or value in (field.default, otherwise[field.name]):
            continue
        for key, values in field.metadata.get("needs", {}).items():
            if ruled[key] not in values:
                ruler = _field(type(options), key, "")
                wanted = (_("{number} or more").format(number=values.start) if isinstance(values, range) else
                          _either(map(ruler.text, values)))
                raise InvalidOption(_("{option} means nothing with {other}: give {wanted} too, or leave {key} out")
                                    .format(
                    option=f"{field.name}={field.text(value)}", other=f"{key}={ruler.text(ruled[key])}",
                    wanted=f"{key}={wanted}", key=field.name))


def merge_params(cls: type[DataclassInstance], params: Mapping[str, object],
                 keywords: Mapping[str, object], what: str) -> dict[str, object]:
    """Return the values of a spec combined with keyword arguments.

    Raises
    ------
    InvalidOption
        If a value is not allowed, or if both give an option different values.
    """
    merged = {**params, **keywords}
    options = options_from(cls, merged, what)
    other = options_from(cls, {**keywords, **params}, what)
    for key in params:
        if getattr(other, key) != getattr(options, key):
            raise InvalidOption(_("option '{key}' of {what} is given twice: {value} in the spec and {other} as a "
                                  "keyword").format(key=key, what=what, value=quoted(params[key]),
                                                    other=quoted(keywords[key])))
    return merged


def describe(cls: type[DataclassInstance]) -> list[dict[str, Any]]:
    """Describe the options of a class as JSON-able data.

    Returns
    -------
    list of dict
        One per field, in order: `key`, `type` ("int", "float", "bool" or "word"), `default`, `doc`; and, if declared,
        `label`, `optional` (true: may be none), `values`, `words`, `low`, `high`, `unit`, `unset`.
    """
    return [field.describe() for field in _fields(cls)]


@dataclasses.dataclass(frozen=True)
class _Field:
    """One option, with methods to read, check and write its values."""

    name: str
    kind: type
    optional: bool
    has_default: bool
    default: Any
    metadata: Mapping[str, Any]

    def allowed(self) -> str:
        """Return the allowed values in words."""
        values = self.values
        if values is not None and self.kind is not bool:
            text = _either(map(self.text, values))
        else:
            text = _(_KINDS[self.kind])
            low, high = self.metadata.get("low"), self.metadata.get("high")
            if low is not None and low == high:
                text = self.text(low)
            elif low is not None and high is not None:
                text = _("{number} from {low} to {high}").format(number=text, low=low, high=high)
            elif low is not None:
                text = _("{number} of at least {low}").format(number=text, low=low)
            elif high is not None:
                text = _("{number} of at most {high}").format(number=text, high=high)
        return _("{values}, or none").format(values=text) if self.optional else text

    def read(self, value: object, what: str) -> Any:
        """Return the checked value of a text or native value; raises InvalidOption."""
        try:
            result = self._convert(value)
        except (TypeError, ValueError):
            raise self._wrong(value, what) from None
        values, (low, high) = self.values, (self.metadata.get(key) for key in ("low", "high"))
        if result is not None and (
            (values is not None and result not in values)
            or (low is not None and result < low)
            or (high is not None and result > high)
        ):
            raise self._wrong(value, what)
        return result

    @property
    def values(self) -> tuple[Any, ...] | None:
        """All allowed values if they are listed: the values of the rules, and further ones (`also`)."""
        listed = self.metadata.get("values")
        return None if listed is None else (*listed, *self.metadata.get("also", ()))

    def _wrong(self, value: object, what: str) -> InvalidOption:
        hint = ""
        if self.kind is str and isinstance(value, str):
            hint = did_you_mean(value, self.values or ())
        return InvalidOption(_("option '{key}' of {what} must be {allowed}, not {value}{hint}").format(
            key=self.name, what=what, allowed=self.allowed(), value=quoted(value), hint=hint))

    def _convert(self, value: object) -> Any:
        if isinstance(value, str):
            return self._from_text(value.strip())
        if value is None and self.optional:
            return None
        if self.kind is bool:
            if not isinstance(value, bool):
                raise TypeError
            return value
        if isinstance(value, bool) or self.kind is str:
            raise TypeError
        if self.kind is int:
            return operator.index(typing.cast("typing.SupportsIndex", value))
        number = float(typing.cast("typing.SupportsFloat", value))
        if not math.isfinite(number):
            raise ValueError
        return number

    def _from_text(self, text: str) -> Any:
        if self.optional and text == "none":
            return self.metadata.get("none")
        if self.kind is bool:
            return {"true": True, "false": False}[text] if text in ("true", "false") else _refuse()
        if self.kind is int:
            return int(text) if _INT.fullmatch(text) else _refuse()
        if self.kind is float:
            number = float(text) if _FLOAT.fullmatch(text) else _refuse()
            return number if math.isfinite(number) else _refuse()
        # A comma would end the value in a spec; control characters would break a one-line format.
        return text if text and "," not in text and text.isprintable() else _refuse()

    def text(self, value: Any) -> str:
        """Return the spec text of a value."""
        if value is None:
            return "none"
        if self.kind is bool:
            return "true" if value else "false"
        return repr(float(value)).removesuffix(".0") if self.kind is float else str(value)

    def describe(self) -> dict[str, Any]:
        entry: dict[str, Any] = {
            "key": self.name,
            "type": "word" if self.kind is str else self.kind.__name__,
            "default": self.default if self.has_default else None,
            "doc": str(self.metadata.get("doc", "")),
        }
        if self.optional:
            entry["optional"] = True
        if self.values is not None:
            entry["values"] = list(self.values)
        if "words" in self.metadata:
            entry["words"] = list(self.metadata["words"])
        entry.update({key: self.metadata[key] for key in ("label", "low", "high", "unit", "unset")
                      if self.metadata.get(key) not in (None, "")})
        return entry


def _refuse() -> typing.NoReturn:
    raise ValueError


def _field(cls: type[DataclassInstance], key: str, what: str) -> _Field:
    """Return the option with a name; raises InvalidOption, which suggests the nearest name."""
    fields = {field.name: field for field in _fields(cls)}
    if key not in fields:
        raise InvalidOption(_("unknown option {key} of {what}{hint} its options: {options}").format(
            key=quoted(key), what=what, hint=did_you_mean(key, fields) or ";", options=", ".join(fields) or "none"))
    return fields[key]


@functools.cache
def _fields(cls: type[DataclassInstance]) -> tuple[_Field, ...]:
    """Return the readable fields of an options class; a TypeError means a mistake in the class itself."""
    hints = typing.get_type_hints(cls)
    result = []
    for field in dataclasses.fields(cls):
        if not field.init:
            continue
        kinds = [hints[field.name]]
        if typing.get_origin(kinds[0]) in (typing.Union, types.UnionType):
            kinds = list(typing.get_args(kinds[0]))
        optional = type(None) in kinds
        kinds = [kind for kind in kinds if kind is not type(None)]
        free = kinds == [str] and not {"values", "unset"} & set(field.metadata)
        if len(kinds) != 1 or kinds[0] not in _KINDS or (optional and free):
            raise TypeError(f"field '{field.name}' of {cls.__name__} must be int, float, bool or str, or one of "
                            "them | None; a str | None must declare its values or 'unset'")
        missing = field.default is dataclasses.MISSING
        result.append(_Field(field.name, kinds[0], optional, not missing,
                             None if missing else field.default, field.metadata))
    return tuple(result)
