"""The catalogues of messages: found in the sources, translated in parts, joined.

    python tests/support/catalogues.py          (make catalogues)

brings the parts up to date with the sources and joins them to `engines/locale/<language>/LC_MESSAGES/sfida.po`, from
which every build compiles `sfida.mo`. A part is a file `<folder>/locale/<language>.po` with the messages of the
folder's Python files, except those of subfolders that have their own part. The part of `web` also has the texts of
`web/words.toml`. Only parts are edited.
"""

from __future__ import annotations

import ast
import gettext
import io
import string
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from sfida.engines.language import DOMAIN, ENGLISH, LANGUAGES

ROOT = Path(__file__).resolve().parents[2]
PAGES = "web/words.toml"                # the texts of the pages, by key
FOLDERS = ("ai", "api", "cli", "engines", "web")
HOW = "run 'make catalogues', then translate what it lists in the .po it names"
# Functions whose arguments are messages, with the positions of context, singular and plural (-1: none).
KEYWORDS = {"_": (-1, 0, -1), "N_": (-1, 0, -1), "ngettext": (-1, 0, 1), "pgettext": (0, 1, -1), "NP_": (0, 1, -1),
            "npgettext": (0, 1, 2), "counted": (-1, 1, 2), "in_every_language": (1, 0, -1), "as_preset": (-1, 0, -1),
            "_flag": (-1, 0, -1)}
_HEAD = """# {title}
msgid ""
msgstr ""
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plural}\\n"

"""
Key = tuple[str, str]                   # context, singular


def translations() -> list[str]:
    """Return the languages that have a catalogue."""
    return [code for code in LANGUAGES if code != ENGLISH]


# ---- the files ----------------------------------------------------------------------------------------


def parts(language: str, root: Path = ROOT) -> list[Path]:
    """Return the files in which a language is edited."""
    return sorted(path for folder in FOLDERS for path in (root / folder).rglob(f"locale/{language}.po"))


def joined(language: str, root: Path = ROOT) -> Path:
    """Return the file of all messages of a language; the compiled file lies beside it."""
    return root / "engines" / "locale" / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def _sources(part: Path, others: list[Path]) -> Iterator[Path]:
    """Yield the Python files whose messages belong to a part."""
    folder = part.parents[1]
    below = [other.parents[1] for other in others if other != part and folder in other.parents[1].parents]
    for path in sorted(folder.rglob("*.py")):
        if not any(deeper in path.parents for deeper in below):
            yield path


def found(language: str, root: Path = ROOT) -> dict[Path, Catalog]:
    """Return the messages of the sources, by part."""
    every = parts(language, root)
    result = {}
    for part in every:
        result[part] = _empty(language, part)
        for path in _sources(part, every):
            for message, context, line in said_in(path):
                result[part].add(message, locations=[(path.relative_to(root).as_posix(), line)], context=context)
    for context, message in texts_of_pages(root / PAGES):
        result[root / "web" / "locale" / f"{language}.po"].add(message, locations=[(PAGES, 1)], context=context)
    return result


def texts_of_pages(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the texts of the pages in the browser: context and text."""
    def inside(texts: dict[str, Any], above: str) -> Iterator[tuple[str, str]]:
        for key, value in texts.items():
            if isinstance(value, dict):
                yield from inside(value, f"{above}{key}.")
            else:
                yield f"page {above}{key}", value

    yield from inside(tomllib.loads(path.read_text(encoding="utf-8")), "")


def said_in(path: Path) -> Iterator[tuple[str | tuple[str, str], str | None, int]]:
    """Yield the messages of a Python file in the order of their lines: text or both forms, context, line.

    Babel's own extraction does not look into f-strings.

    Raises
    ------
    SystemExit
        If a message is not one literal text, which cannot be translated.
    """
    calls = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)
             and isinstance(node.func, ast.Name) and node.func.id in KEYWORDS]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        words = [_literal(call, place, path) for place in KEYWORDS[call.func.id]]       # type: ignore[attr-defined]
        context, one, many = words
        if one:
            yield (one, many) if many else one, context or None, call.lineno


def _literal(call: ast.Call, place: int, path: Path) -> str:
    """Return the text of an argument; "" if it is missing, or a name that holds a message marked elsewhere."""
    argument = call.args[place] if 0 <= place < len(call.args) else None
    if isinstance(argument, (ast.JoinedStr, ast.BinOp)) or (
            isinstance(argument, ast.Call) and getattr(argument.func, "attr", "") == "format"):
        raise SystemExit(f"{path}, line {call.lineno}: a message must be one literal text with {{names}} for values")
    return argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else ""


def read(path: Path) -> Catalog:
    """Return the messages of a .po file; none if there is no such file."""
    if not path.exists():
        return Catalog(fuzzy=False)
    with path.open("rb") as stream:
        return read_po(stream, ignore_obsolete=True)


def _empty(language: str, path: Path) -> Catalog:
    """Return an empty catalogue with the plural forms of a file, because Babel's plural forms vary by version."""
    catalogue = Catalog(locale=language, fuzzy=False)
    if path.exists():
        catalogue.mime_headers = [("Plural-Forms", read(path).plural_forms)]
    return catalogue


def _write(path: Path, catalogue: Catalog, title: str) -> None:
    text = io.BytesIO()
    write_po(text, catalogue, width=120, omit_header=True, include_lineno=False)
    head = _HEAD.format(title=title, language=catalogue.locale, plural=catalogue.plural_forms)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(head + text.getvalue().decode().strip() + "\n", encoding="utf-8")


# ---- messages -----------------------------------------------------------------------------------------


def messages(catalogue: Catalog) -> dict[Key, Message]:
    """Return the messages of a catalogue without its head."""
    return {key_of(message): message for message in catalogue if message.id}


def key_of(message: Message) -> Key:
    """Return the key of a message; Babel leaves the contexts of a .mo file as bytes."""
    context: str | bytes = message.context or ""
    return context.decode() if isinstance(context, bytes) else context, forms(message.id)[0]


def forms(text: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    """Return a text as its forms: one, or singular and plural."""
    return tuple(text) if isinstance(text, (tuple, list)) else (text or "",)


def is_translated(message: Message) -> bool:
    """Return whether every form is translated and the message is not fuzzy."""
    return all(forms(message.string)) and not message.fuzzy


def fields(text: str) -> set[str]:
    """Return the names of the values in a message."""
    try:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
    except ValueError:                  # literal braces
        return set()


def wrong(message: Message) -> str:
    """Return the fault of a translation, "" if there is none."""
    said, meant = forms(message.string), forms(message.id)
    if not is_translated(message):
        return "is marked fuzzy" if message.fuzzy else "is not translated"
    room = set().union(*map(fields, meant))
    for form in said:
        if not fields(form) <= room or (len(meant) == 1 and fields(form) != room):
            return f"has other placeholders: {form!r}"
        if [form[:1].isspace(), form[-1:].isspace()] != [meant[0][:1].isspace(), meant[0][-1:].isspace()]:
            return f"begins or ends with other blanks: {form!r}"
    return ""


# ---- making and checking ------------------------------------------------------------------------------


def renew(language: str, root: Path = ROOT) -> None:
    """Bring the parts of a language up to date with the sources, and join them.

    Raises
    ------
    SystemExit
        If two parts translate one message differently.
    """
    known = {path: messages(read(path)) for path in parts(language, root)}
    whole = _empty(language, joined(language, root))
    for part, catalogue in found(language, root).items():
        for key, message in messages(catalogue).items():
            homes = [known[part], *known.values()]
            old = next((home[key] for home in homes if key in home and is_translated(home[key])), None)
            if old is not None and len(forms(old.string)) == (catalogue.num_plurals if message.pluralizable else 1):
                message.string, message.user_comments = old.string, old.user_comments
            _join(whole, message, part)
        name = part.parents[1].relative_to(root).as_posix()
        _write(part, catalogue, f"Messages of {name}; 'make catalogues' brings this file up to date.")
    _write(joined(language, root), whole, "All messages; 'make catalogues' makes this file of its parts.")


def _join(whole: Catalog, message: Message, part: Path) -> None:
    same = whole.get(forms(message.id)[0], message.context)
    if same is not None and is_translated(same) and is_translated(message) and (
            forms(same.string)[0] != forms(message.string)[0]):
        raise SystemExit(f"{part}: {message.id!r} is {message.string!r} here and {same.string!r} elsewhere; "
                         "give it a context (pgettext) or the same translation")
    whole.add(message.id, message.string if is_translated(message) or same is None else same.string,
              locations=message.locations, context=message.context)


def problems(language: str, root: Path = ROOT) -> list[str]:
    """Return the stale or faulty messages in the catalogue of a language, one line each."""
    path = joined(language, root)
    held = messages(read(path))
    wanted: dict[Key, Message] = {}
    for catalogue in found(language, root).values():
        wanted |= messages(catalogue)
    with path.with_suffix(".mo").open("rb") as stream:
        compiled = gettext.GNUTranslations(stream)
    trouble = [f"{name(key)} is not in {path.name}" for key in wanted if key not in held]
    trouble += [f"{name(key)} of {path.name} is said nowhere any more" for key in held if key not in wanted]
    trouble += [f"{name(key)} {wrong(message)}" for key, message in held.items() if key in wanted and wrong(message)]
    trouble += [f"{name(key)} is another in {path.stem}.mo than in {path.name}" for key, message in held.items()
                if not wrong(message) and _said(compiled, message) != forms(message.string)]
    return trouble


def _said(compiled: gettext.GNUTranslations, message: Message) -> tuple[str, ...]:
    """Return the forms of a message in a compiled catalogue, for 1 and more, looked up as `language` does."""
    one, *more = forms(message.id)
    context = message.context
    if not more:
        return (compiled.pgettext(context, one) if context else compiled.gettext(one),)
    many = more[0]
    return tuple(compiled.npgettext(context, one, many, number) if context else compiled.ngettext(one, many, number)
                 for number in (1, 2))


def name(key: Key) -> str:
    """Return the name of a message in a line of output."""
    context, text = key
    return f"{text!r}" + (f" (context {context!r})" if context else "")


def main() -> int:
    """Renew all catalogues and list the messages to translate."""
    for language in translations():
        renew(language)
        for part in parts(language):
            lines = [f"  {name(key)} {wrong(message)}" for key, message in messages(read(part)).items()
                     if wrong(message)]
            if lines:
                print(f"{part.relative_to(ROOT)}: {len(lines)} to translate", *lines, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
