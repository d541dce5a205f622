"""Build the compiled modules and the catalogues of messages; all metadata is in pyproject.toml.

Environment
-----------
SFIDA_NATIVE : 1 uses the full instruction set of this machine (the default of `make`), 0 builds portable code.
SFIDA_DEBUG : 1 compiles in bounds checks and the recomputation after every move.
SFIDA_JOBS : number of modules to compile at the same time (1).
SFIDA_CFLAGS : further compiler flags, appended last.
"""

import datetime
import filecmp
import io
import os
import runpy
import shlex
import shutil
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from setuptools import Command, Extension, setup
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
PACKAGES = {"": "api", "ai": "ai", "cli": "cli", "cython_ext": "cython_ext", "engines": "engines", "envs": "envs",
            "web": "web"}
DEBUG = os.environ.get("SFIDA_DEBUG", "0") == "1"
NATIVE = os.environ.get("SFIDA_NATIVE", "0") == "1"
MODE = "debug" if DEBUG else "native" if NATIVE else "portable"
# Debug build: an index outside a C array, a shift beyond the word or a division by zero stops the program.
TRAPS = ["-fsanitize=bounds,shift,integer-divide-by-zero", "-fsanitize-undefined-trap-on-error"]
WINDOWS = sys.platform == "win32"
# What a portable build holds a second time, in folders `avx2`: the modules that newer instructions make faster
# (docs/play/install.md has the measurements). cython_ext/processor.pyx chooses when they are imported.
FASTER = ["acres/core", "attila/core", "carcassonne/core", "risiko/core"]
# Modules without a hot loop: they call the cores, or run once for each game. -O1 halves the time to compile them.
COLD = ["batch", "choosing", "flat_state", "keyed", "lookahead", "measure", "observing", "players", "processor",
        "python_state", "searching", "seated", "state", "twins"]
# What every processor for x86-64 since 2009 has; cython_ext/processor.pyx, itself built without, refuses older ones.
X86_64 = sysconfig.get_platform().endswith(("x86_64", "amd64"))
BASELINE = ["-msse4.2", "-mpopcnt"] if MODE == "portable" and X86_64 else []
AVX2 = ["-mpopcnt", "-mbmi", "-mbmi2", "-mavx2"]         # cython_ext/processor.pyx looks for these four


def stage_package() -> Path:
    """Link the folders into build/package/sfida, where Cython and mypy find them by import name."""
    view = ROOT / "build" / "package"
    wanted = {item.name: item for item in (ROOT / PACKAGES[""]).iterdir() if item.name != "__pycache__"}
    wanted |= {name: ROOT / folder for name, folder in PACKAGES.items() if name}
    (view / "sfida").mkdir(parents=True, exist_ok=True)
    for link in (view / "sfida").iterdir():
        if link.is_symlink() and wanted.get(link.name) == link.readlink():
            del wanted[link.name]
        elif link.is_dir() and not link.is_symlink():
            shutil.rmtree(link)
        else:
            link.unlink()
    for name, target in wanted.items():
        (view / "sfida" / name).symlink_to(target, target_is_directory=target.is_dir())
    return view


def extensions() -> list[Extension]:
    """Return one extension module per .pyx file."""
    sources = sorted((ROOT / "cython_ext").rglob("*.pyx"))
    return [extension("sfida." + ".".join(path.relative_to(ROOT).with_suffix("").parts), path.relative_to(ROOT))
            for path in sources]


def extension(name: str, source: Path, instructions: Sequence[str] = ()) -> Extension:
    """Return the extension module of a source, for an instruction set besides that of the mode."""
    baseline = [] if source.stem == "processor" else BASELINE
    macros = (("SFIDA_DEBUG", DEBUG), ("SFIDA_BASELINE", BASELINE))
    level = ["-O1", *TRAPS] if DEBUG else ["-O1", "-ftree-vectorize"] if source.stem in COLD else ["-O3"]
    flags = [*level, "-w", "-fno-semantic-interposition",
             "-g0",                      # no debug information: a third of the compiling; the code is the same
             "-ffp-contract=off",        # the same floating-point results with any instruction set
             *(["-march=native"] if MODE == "native" else []), *baseline, *instructions,
             *shlex.split(os.environ.get("SFIDA_CFLAGS", ""))]
    return Extension(name, [str(source)], extra_compile_args=flags,
                     libraries=[] if WINDOWS else ["m"],
                     extra_link_args=["-static"] if WINDOWS else [],            # no library of the compiler beside it
                     define_macros=[(name, "1") for name, wanted in macros if wanted])


def faster_extensions() -> list[Extension]:
    """Return the modules of `FASTER` for newer processors, from C files that `copy_translation` makes."""
    # compilers for Windows do not align the stack for such registers
    if MODE != "portable" or WINDOWS or not sysconfig.get_platform().endswith("x86_64"):
        return []
    names = [name.split("/") for name in FASTER]
    return [extension(f"sfida.cython_ext.{package}.avx2.{module}", Path("build/cython/avx2", package, f"{module}.c"),
                      AVX2) for package, module in names]


def copy_translation(target: Path) -> None:
    """Copy the C of a module of `FASTER`: two modules of one file would share its object."""
    source = Path("build/cython/cython_ext", *target.parts[-2:])
    if not target.exists() or not filecmp.cmp(source, target, shallow=False):
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


class BuildExt(build_ext):
    """Generate sources from tables, translate the .pyx files with the staged package on the path, then compile."""

    def finalize_options(self) -> None:
        if WINDOWS:
            self.compiler = self.compiler or "mingw32"          # the C code is GNU C
        self.distribution.ext_modules += faster_extensions()
        super().finalize_options()
        if self.inplace or self.editable_mode:      # one place for both: pip would compile what `make` compiles again
            self.build_lib, self.build_temp = f"build/obj/{MODE}/lib", f"build/obj/{MODE}/temp"
        self.parallel = self.parallel or int(os.environ.get("SFIDA_JOBS", "1"))

    def run(self) -> None:
        from Cython.Build import cythonize

        self.run_command("catalogues")
        runpy.run_path(str(ROOT / "cython_ext" / "generate.py"), run_name="__main__")
        written = [extension for extension in self.extensions if extension.sources[0].endswith(".pyx")]
        if self.inplace or self.editable_mode:      # beside the sources they would outlast a later native build
            self.extensions = written
        translated = cythonize(
            written,
            include_path=[str(stage_package())],
            build_dir="build/cython-debug" if DEBUG else "build/cython",
            quiet=not self.verbose,
            compiler_directives={
                "language_level": 3, "boundscheck": DEBUG, "wraparound": False, "cdivision": True,
                "initializedcheck": DEBUG, "embedsignature": True,
                "freethreading_compatible": True,       # docs/maintain/development.md
            },
        )
        by_name = {extension.name: extension for extension in translated}
        for extension in written:
            extension.sources = by_name[extension.name].sources
            extension.depends = by_name[extension.name].depends
        for extension in self.extensions:
            if extension not in written:
                copy_translation(Path(extension.sources[0]))
        super().run()

    def copy_file(self, infile, outfile, *args, **kwargs):  # type: ignore[no-untyped-def]
        """Copy a module next to its source whenever it differs: the one of another mode may be newer."""
        target = Path(outfile)
        if target.exists() and not filecmp.cmp(infile, outfile, shallow=False):
            target.unlink()
        return super().copy_file(infile, outfile, *args, **kwargs)


class Build(build):
    """Compile the catalogues first: they are copied with the Python files."""

    sub_commands = [("catalogues", None), *build.sub_commands]  # noqa: RUF012


class Simple(Command):
    """A command without options."""

    user_options: list[tuple[str, str, str]] = []  # noqa: RUF012

    def initialize_options(self) -> None: ...
    def finalize_options(self) -> None: ...


class Stage(Simple):
    """Only create the links in build/package (for mypy)."""

    def run(self) -> None:
        stage_package()


class Catalogues(Simple):
    """Compile the messages of each language that are newer than what was compiled."""

    def run(self) -> None:
        from babel.messages.mofile import write_mo
        from babel.messages.pofile import read_po

        for source in ROOT.glob("engines/locale/*/LC_MESSAGES/*.po"):
            target, compiled = source.with_suffix(".mo"), io.BytesIO()
            if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
                with source.open("rb") as file:
                    messages = read_po(file)
                # the same file from the same messages
                messages.creation_date = messages.revision_date = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
                write_mo(compiled, messages)
                target.write_bytes(compiled.getvalue())


setup(
    ext_modules=extensions(),
    cmdclass={"build": Build, "build_ext": BuildExt, "catalogues": Catalogues, "stage": Stage},
    options={"build": {"build_base": f"build/obj/{MODE}"}},     # objects of the modes never mix
)
