"""Build of the compiled modules; all metadata is in pyproject.toml.

Environment: SFIDA_DEBUG=1 compiles bounds checks and invariant recomputation in; SFIDA_NATIVE=1 uses
the machine's own instruction set (the default of `make`), 0 builds portable code.
"""

import os
import shutil
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

ROOT = Path(__file__).resolve().parent
PACKAGES = {"sfida": "api", "sfida/ai": "ai", "sfida/cli": "cli", "sfida/cython_ext": "cython_ext",
            "sfida/engines": "engines"}
DEBUG = os.environ.get("SFIDA_DEBUG", "0") == "1"
NATIVE = os.environ.get("SFIDA_NATIVE", "0") == "1"


def stage_package() -> Path:
    """Link the folders into build/package/sfida, where Cython and mypy find them by import name."""
    view = ROOT / "build" / "package"
    shutil.rmtree(view, ignore_errors=True)
    (view / "sfida").mkdir(parents=True)
    for package, folder in PACKAGES.items():
        target = view / package
        if package == "sfida":
            for item in (ROOT / folder).iterdir():
                (target / item.name).symlink_to(item)
        else:
            target.symlink_to(ROOT / folder, target_is_directory=True)
    return view


def extensions() -> list[Extension]:
    flags = ["-O3", "-fno-semantic-interposition", "-Wno-unused-function"]
    if NATIVE:
        flags.append("-march=native")
    macros = [("SFIDA_DEBUG", "1")] if DEBUG else []
    sources = sorted((ROOT / "cython_ext").rglob("*.pyx"))
    return [Extension("sfida." + ".".join(path.relative_to(ROOT).with_suffix("").parts),
                      [str(path.relative_to(ROOT))], extra_compile_args=flags, define_macros=macros)
            for path in sources]


view = stage_package()
setup(
    ext_modules=cythonize(
        extensions(),
        include_path=[str(view)],
        build_dir="build/cython-debug" if DEBUG else "build/cython",
        nthreads=0,
        compiler_directives={
            "language_level": 3, "boundscheck": DEBUG, "wraparound": False, "cdivision": True,
            "initializedcheck": DEBUG, "embedsignature": True, "freethreading_compatible": False,
        },
    ),
)
