"""The language of words for people: chosen for a block, apart in every thread, complete in the catalogues."""

from __future__ import annotations

import threading

import pytest

from sfida.cython_ext.errors import InvalidOption
from sfida.engines.language import LANGUAGES, _, counted, in_every_language, language, listed, ngettext, speaking
from support.catalogues import HOW, problems, translations

pytestmark = pytest.mark.release_only("nothing in it is compiled")


def test_english_is_spoken_unless_another_language_is_chosen():
    assert language() == "en"
    assert counted(2, "tile", "tiles") == "2 tiles"
    with speaking("it"):
        assert language() == "it"
        assert (counted(1, "tile", "tiles"), counted(2, "tile", "tiles")) == ("1 tessera", "2 tessere")
        with speaking("en"):
            assert ngettext("tile", "tiles", 1) == "tile"
        assert ngettext("tile", "tiles", 1) == "tessera"
    assert language() == "en"


def test_an_unknown_language_is_refused():
    with pytest.raises(InvalidOption, match=r"no language 'fr'; the languages are en and it"), speaking("fr"):
        pass


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_text_stays_no_text(code):
    with speaking(code):
        assert _("") == ""


@pytest.mark.parametrize(("number", "said"), [(0, "0 armies"), (1, "1 army"), (2, "2 armies")])
def test_numbers_stand_with_their_noun(number: int, said: str) -> None:
    assert counted(number, "army", "armies") == said


@pytest.mark.parametrize(("names", "said"), [
    ([], ""), (["Blue"], "Blue"), (["Blue", "Red"], "Blue and Red"), (["Blue", "Red", "Black"], "Blue, Red and Black")])
def test_names_are_listed(names: list[str], said: str) -> None:
    assert listed(names) == said


def test_names_are_listed_in_every_language():
    names = ["A", "B", "C"]
    assert [listed(names[:n]) for n in range(4)] == ["", "A", "A and B", "A, B and C"]
    with speaking("it"):
        assert [listed(names[:n]) for n in range(4)] == ["", "A", "A e B", "A, B e C"]


def test_what_may_be_typed_is_known_in_every_language():
    assert in_every_language("{names} and {last}") == ("{names} and {last}", "{names} e {last}")


def test_threads_with_two_languages_do_not_mix():
    said: dict[str, set[str]] = {code: set() for code in LANGUAGES}
    together = threading.Barrier(len(LANGUAGES))

    def talk(code: str) -> None:
        with speaking(code):
            for number in range(200):
                if number % 50 == 0:
                    together.wait(10)
                said[code].add(counted(2, "tile", "tiles"))

    with speaking("it"):
        threads = [threading.Thread(target=talk, args=(code,)) for code in LANGUAGES]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert said == {"en": {"2 tiles"}, "it": {"2 tessere"}}


@pytest.mark.parametrize("code", translations())
def test_catalogue_is_up_to_date(code):
    found = problems(code)
    assert not found, "\n".join([f"{HOW}:", *found])
