"""The list of built wheels matches the page about installing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYTHONS = ("cp311", "cp312", "cp313", "cp314", "cp314t")

pytestmark = pytest.mark.release_only("nothing in it is compiled")


@pytest.mark.parametrize(("platform", "archs", "endings"), [
    ("linux", "x86_64,aarch64", ("manylinux_x86_64", "manylinux_aarch64")),
    ("macos", "x86_64,arm64", ("macosx_x86_64", "macosx_arm64")),
    ("windows", "AMD64", ("win_amd64",)),
])
def test_wheels_are_built_for(platform, archs, endings):
    pytest.importorskip("cibuildwheel")
    settings = {name: value for name, value in os.environ.items() if not name.startswith("CIBW_")}
    done = subprocess.run([sys.executable, "-m", "cibuildwheel", "--print-build-identifiers", "--platform", platform,
                           "--archs", archs], cwd=ROOT, env=settings, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.split()) == sorted(f"{python}-{ending}" for python in PYTHONS for ending in endings)
