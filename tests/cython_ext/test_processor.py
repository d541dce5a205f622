"""The choice between two builds of a module in a package."""

from pathlib import Path

import pytest

from sfida.cython_ext import processor


@pytest.fixture
def package(tmp_path):
    (tmp_path / "avx2").mkdir()
    return [str(tmp_path)]


@pytest.mark.parametrize("able", [True, False])
def test_the_faster_build_comes_first_where_it_runs(package, able, monkeypatch):
    monkeypatch.delenv("SFIDA_INSTRUCTIONS", raising=False)
    monkeypatch.setattr(processor, "has_avx2", lambda: able)
    faster = [str(Path(package[0], "avx2"))] if able else []
    assert processor.with_faster(package) == faster + package


def test_the_build_for_any_processor_can_be_asked_for(package, monkeypatch):
    monkeypatch.setattr(processor, "has_avx2", lambda: True)
    monkeypatch.setenv("SFIDA_INSTRUCTIONS", "portable")
    assert processor.with_faster(package) == package


def test_a_package_with_one_build_stays_as_it_is(tmp_path):
    assert processor.with_faster([str(tmp_path)]) == [str(tmp_path)]


def test_a_processor_without_the_instructions_of_the_build_is_refused():
    processor.check_baseline()
    processor.check_baseline(able=True)
    with pytest.raises(ImportError, match=r"needs a processor with SSE4\.2 and POPCNT.*SFIDA_NATIVE=1"):
        processor.check_baseline(able=False)
