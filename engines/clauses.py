"""The rules of a game clause by clause, for people at the table: `docs/rules/*.md`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

from sfida.cython_ext.errors import InvalidNotation
from sfida.engines.language import ENGLISH, _, language
from sfida.engines.spec import did_you_mean, quoted

_CLAUSE = re.compile(r"(?:- |\| )([A-Z]{2,5}-\d+\.\d+)\b[ |]*(.*)")
_CHAPTER = re.compile(r"##+ (.*)")
_CODE = re.compile(r"(?:([A-Za-z]{2,5})[- ]?)?(\d+)(?:\.(\d+))?")


LANGUAGE = ENGLISH              # language of the clauses, whatever the current language


def language_note() -> str:
    """Return the note, for readers of another language, that the clauses are in English; "" in English."""
    return "" if language() == LANGUAGE else _("The rules clause by clause are in English.")


@dataclass(frozen=True)
class Clauses:
    """The clauses of one game.

    Attributes
    ----------
    clauses : dict of str to str
        Text by id, such as "CAR-3.2", in the order of the page.
    chapters : dict of str to str
        Titles of the chapters that have clauses, by id, such as "CAR-3".
    """

    clauses: dict[str, str]
    chapters: dict[str, str]

    def contents(self) -> list[str]:
        """Return one line per chapter."""
        wide = max(map(len, self.chapters), default=0)
        return [f"{chapter:<{wide}}  {title}" for chapter, title in self.chapters.items()]

    def find(self, text: str) -> list[str]:
        """Return the clauses for a text, each as one line: a clause such as "CAR-3.2" or "3.2", a chapter, or words.

        Raises
        ------
        InvalidNotation
            If there is no such clause, chapter or word.
        """
        wanted = text.strip()
        prefix = next(iter(self.chapters), "-").split("-")[0]
        found = _CODE.fullmatch(wanted)
        if found and (found[1] or prefix).upper() == prefix:
            chapter = f"{prefix}-{found[2]}"
            name = chapter if found[3] is None else f"{chapter}.{found[3]}"
            hits = [clause for clause in self.clauses if clause == name or clause.startswith(f"{name}.")]
        else:
            words = wanted.lower().split()
            hits = [clause for clause, said in self.clauses.items() if all(word in said.lower() for word in words)]
        if not hits or not wanted:
            raise InvalidNotation(_("no rule is called or says {text}{hint}; 'rules' lists the chapters").format(
                text=quoted(wanted), hint=did_you_mean(wanted.upper(), self.clauses)))
        return [f"{clause} {self.clauses[clause]}" for clause in hits]


@cache
def rules_of(name: str) -> Clauses | None:
    """Return the rules of a game by its registered name; None if it has no page of clauses."""
    page = resources.files("sfida.engines").joinpath("rulebooks", f"{name}.md")
    if not page.is_file():
        return None
    clauses: dict[str, str] = {}
    chapters: dict[str, str] = {}
    title, last = "", ""
    for line in page.read_text(encoding="utf-8").splitlines():
        if heading := _CHAPTER.match(line):
            title, last = heading[1], ""
        elif clause := _CLAUSE.match(line):
            last = clause[1]
            clauses[last] = _plain(clause[2])
            chapter = last.rsplit(".", 1)[0]
            chapters.setdefault(chapter, _title(title, chapter))
        elif last and line.startswith("  ") and line.strip():
            clauses[last] += " " + _plain(line)         # continuation of a clause
        else:
            last = ""
    return Clauses(clauses, chapters)


def _plain(text: str) -> str:
    """Remove the marks of Markdown."""
    return re.sub(r"\s*\|\s*", "; ", text.strip().rstrip("|").strip()).replace("**", "").replace("`", "")


def _title(heading: str, chapter: str) -> str:
    """Return a heading without its number and the chapter's id."""
    bare = re.sub(rf"\s*\(?\b{re.escape(chapter)}\b\)?\s*", " ", heading)
    return re.sub(r"^[\d.]+\s+", "", bare.strip()).strip()
