"""Other people's packages, put on a path as an installer would, and programs that see them."""

import os
import subprocess
import sys
from pathlib import Path


def install(site: Path, distribution: str, points: str, **modules: str) -> None:
    """Put a distribution with entry points on a path, as an installer would."""
    info = site / f"{distribution}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(points)
    for name, text in modules.items():
        (site / f"{name}.py").write_text(text)


def python(site: Path, code: str) -> str:
    """Run Python code that sees the packages of `site`; return what it prints."""
    path = os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": path},
                          capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout
