"""Writes the site on which Sfida runs in a browser without a server: ``python -m sfida.web.site FOLDER``.

The C of the compiled modules is compiled for WebAssembly by Zig (a package of PyPI) with the Limited API, so that the
headers of the running Python serve for Pyodide's. The runtime comes from Pyodide's package of npm.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib.metadata
import io
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sfida.cython_ext.errors import SfidaError
from sfida.web.scenes import PICTURES, games, pictured

RUNTIME = "0.29.5"              # of Pyodide, whose Python is 3.13
MOST_BYTES = 15_600_000         # largest total size of the files
_RUNTIME_FILES = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm")
_STANDARD = "python_stdlib.zip"
# Modules of the standard library that nobody needs in a browser: tools of developers, protocols of networks, processes,
# and rare encodings.
_UNUSED = re.compile(
    r"(_pyrepl|ensurepip|idlelib|lib2to3|multiprocessing|pydoc_data|turtledemo|unittest|venv|wsgiref|xmlrpc)/"
    r"|xml/(dom|sax)/|(_pyio|_pydatetime|_pydecimal|bdb|code|cmd|doctest|ftplib|imaplib|mailbox|modulefinder|optparse|pdb"
    r"|plistlib|poplib|profile|pstats|pyclbr|pydoc|smtplib|symtable|tabnanny|trace|turtle|wave)\.py$"
    r"|encodings/(?!__init__|aliases|ascii|cp437|idna|latin_1|punycode|raw_unicode_escape|unicode_escape|utf_)")
_LIBRARIES = ("platformdirs", "cloudpickle")        # that Sfida imports where it plays
_LEFT_OUT = tuple(f"sfida/{name}" for name in (         # what a browser cannot have, or has beside the archive
    "testing.py", "catanatron.py", "cli", "ai/external", "ai/research", "ai/report/figures.py",
    "cython_ext/generate.py", "engines/openspiel", "engines/zarahemla/catanatron", "web/edition", "web/static",
    "web/serving.py", "web/guard.py", "web/site.py"))
_SUFFIXES = (".py", ".toml", ".json", ".mo", ".md")
_STAMP = (2026, 1, 1, 0, 0, 0)  # of files in an archive: the same archive from the same files
_LIMITED = "0x030b0000"         # Python 3.11: the least version of the Limited API with buffers
_POLICY = ("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; "
           "style-src 'self' 'unsafe-inline'; img-src 'self' data:; manifest-src 'self'; frame-src blob:; "
           "base-uri 'none'; form-action 'none'")


class SiteWriter:
    """A site that is being written.

    Parameters
    ----------
    root : Path
        The project's folder, whose modules are translated to C.
    cache : Path
        Folder of the runtime and of compiled modules; they are made again only if something has changed.
    """

    def __init__(self, root: Path, cache: Path) -> None:
        self.root = root
        self.cache = cache

    def write(self, target: Path) -> int:
        """Write the site into a folder, which is replaced, and return its size in bytes; raises SfidaError."""
        runtime, modules = self.runtime(), self.modules()
        self._gather(runtime, modules)
        fresh = target.with_name(target.name + ".new")
        shutil.rmtree(fresh, ignore_errors=True)
        shutil.copytree(self.root / "web" / "static", fresh / "static", ignore=shutil.ignore_patterns("index.html"))
        (fresh / "pyodide").mkdir()
        for name in _RUNTIME_FILES:
            shutil.copy(runtime / name, fresh / "pyodide" / name)
        lock = json.loads((runtime / "pyodide-lock.json").read_text("utf-8"))       # no packages come from elsewhere
        (fresh / "pyodide" / "pyodide-lock.json").write_text(json.dumps({**lock, "packages": {}}))
        self._pack(fresh / "sfida.tar.gz")
        self._zip_library(fresh / "pyodide" / _STANDARD)
        edition = self.root / "web" / "edition"
        for name in ("worker.js", "manifest.webmanifest"):
            shutil.copy(edition / name, fresh / name)
        (fresh / "index.html").write_text(page(self.root.joinpath("web", "static", "index.html").read_text("utf-8")))
        (fresh / "licences.txt").write_text(self.licences(), "utf-8")
        files = sorted(path.relative_to(fresh).as_posix() for path in fresh.rglob("*") if path.is_file())
        version = hashlib.blake2b(digest_size=8)
        for name in files:
            version.update(name.encode() + (fresh / name).read_bytes())
        service = (edition / "service.js").read_text("utf-8").replace("@VERSION@", f"sfida-{version.hexdigest()}")
        listed = json.dumps(["./", *(name for name in files if name != "index.html")])
        (fresh / "service.js").write_text(service.replace('["@FILES@"]', listed))
        shutil.rmtree(target, ignore_errors=True)
        fresh.rename(target)
        return sum(path.stat().st_size for path in target.rglob("*") if path.is_file())

    # ---- the runtime --------------------------------------------------------------------------

    def runtime(self) -> Path:
        """Return the folder of Pyodide's files, fetched by npm if they are not there."""
        folder = self.cache / f"pyodide-{RUNTIME}"
        if shutil.which("node") is None or shutil.which("npm") is None:
            raise SfidaError("a site needs node and npm, which fetch Pyodide and try it: install Node.js")
        if not folder.is_dir():
            self.cache.mkdir(parents=True, exist_ok=True)
            _run(["npm", "pack", "--silent", f"pyodide@{RUNTIME}"], self.cache, "npm cannot fetch Pyodide")
            packed = self.cache / f"pyodide-{RUNTIME}.tgz"
            with tarfile.open(packed) as archive:
                archive.extractall(folder.with_suffix(".new"), filter="data")
            folder.with_suffix(".new").joinpath("package").rename(folder)
            shutil.rmtree(folder.with_suffix(".new"))
            packed.unlink()
        return folder

    # ---- the compiled modules -----------------------------------------------------------------

    def modules(self) -> dict[str, Path]:
        """Return the compiled modules by their names in the archive."""
        zig, headers = self._zig(), self._headers()
        sources = {path.relative_to(self.root / "build" / "cython").with_suffix(""): path
                   for path in sorted((self.root / "build" / "cython" / "cython_ext").rglob("*.c"))
                   if self.root.joinpath("cython_ext", path.relative_to(self.root / "build" / "cython" / "cython_ext")
                                         ).with_suffix(".pyx").exists()}
        if not sources:
            raise SfidaError("the modules are not translated yet: run make site, which does that first")
        with ThreadPoolExecutor(int(os.environ.get("SFIDA_JOBS", "1"))) as pool:
            compiled = pool.map(lambda source: self._compile(zig, headers, source), sources.values())
            return {f"sfida/{name.as_posix()}.abi3.so": path for name, path in zip(sources, compiled, strict=True)}

    def _zig(self) -> Path:
        try:
            import ziglang  # type: ignore[import-untyped,import-not-found,unused-ignore]
        except ImportError:
            raise SfidaError("Zig compiles the modules for browsers: pip install 'sfida[site]'") from None
        return Path(str(ziglang.__file__)).with_name("zig")

    def _headers(self) -> list[str]:
        """Return the options that name the headers: those of musl, with the types of Emscripten, and Python's."""
        library = self._zig().parent / "lib"
        musl = library / "libc" / "include"
        own = self.cache / "include"
        (own / "bits").mkdir(parents=True, exist_ok=True)
        types = (musl / "x86-linux-musl" / "bits" / "alltypes.h").read_text()
        for name, value in (("_Addr", "long"), ("_Reg", "long"), ("_REDIR_TIME64", "")):
            types = re.sub(rf"^#define {name} .*$", f"#define {name} {value}" if value else "", types, flags=re.M)
        (own / "bits" / "alltypes.h").write_text(types)
        shutil.copy(self.root / "web" / "edition" / "emscripten.h", own / "sfida_emscripten.h")
        return ["-nostdinc", f"-I{own}", "-isystem", str(musl / "x86-linux-musl"), "-isystem", str(library / "include"),
                "-isystem", str(musl / "generic-musl"), f"-I{sysconfig.get_paths()['include']}", "-include",
                "sfida_emscripten.h"]

    def _compile(self, zig: Path, headers: Sequence[str], source: Path) -> Path:
        """Return the module of a C file, compiled unless the cache has it."""
        flags = ["--target=wasm32-unknown-emscripten", "-D__EMSCRIPTEN__=1", f"-DPy_LIMITED_API={_LIMITED}",
                 "-DCYTHON_LIMITED_API=1", "-fPIC", "-O3", "-msimd128", "-ffp-contract=off", "-fno-strict-aliasing",
                 "-w"]
        key = hashlib.blake2b(digest_size=16)
        for part in (source.read_bytes(), (self.cache / "include" / "sfida_emscripten.h").read_bytes(),
                     " ".join([*flags, sys.version, importlib.metadata.version("ziglang")]).encode()):
            key.update(part)
        found = self.cache / "modules" / f"{source.stem}-{key.hexdigest()}.so"
        if not found.exists():
            found.parent.mkdir(parents=True, exist_ok=True)
            made = found.with_suffix(".o")
            what = f"{source.stem}.c cannot be compiled for browsers"
            _run([str(zig), "clang", *flags, *headers, "-c", str(source), "-o", str(made)], self.root, what)
            linked = found.with_suffix(".new")
            _run([str(zig), "wasm-ld", "-shared", "--experimental-pic", "--import-memory",
                  "--unresolved-symbols=import-dynamic", "--strip-all", f"--export-if-defined=PyInit_{source.stem}",
                  "-o", str(linked), str(made)], self.root, what)
            made.unlink()
            linked.rename(found)
        return found

    # ---- the archive of Python ----------------------------------------------------------------

    def _gather(self, runtime: Path, modules: dict[str, Path]) -> None:
        """Copy the package and all that it needs of Python into the cache, and compile both there."""
        folder, library = self.cache / "package", self.cache / "library"
        for old in (folder, library):
            shutil.rmtree(old, ignore_errors=True)
        with zipfile.ZipFile(runtime / _STANDARD) as archive:
            archive.extractall(library, [name for name in archive.namelist() if not _UNUSED.match(name)])
        for name, path in (*self._package(), *modules.items(), *self._libraries()):
            folder.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, folder / name)
        folder.joinpath("sfida", PICTURES).mkdir(parents=True)
        for game in games():
            if game["pictured"]:
                folder.joinpath("sfida", PICTURES, f"{game['name']}.svg").write_text(pictured(game["name"]), "utf-8")
        for listed in folder.glob("sfida-*/entry_points.txt"):
            listed.write_text("".join(line for line in listed.read_text().splitlines(keepends=True)
                                      if not line.partition("= ")[2].replace(".", "/").startswith(_LEFT_OUT)))
        _run(["node", str(self.root / "web" / "edition" / "compile.mjs"), str(runtime.resolve()),
              str(folder.resolve()), str(library.resolve())], self.root, "the package does not start in Pyodide")

    def _pack(self, target: Path) -> None:
        """Write the archive of the package, of its libraries, and of the entry points that name the games."""
        folder, packed = self.cache / "package", io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w") as archive:
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    entry = tarfile.TarInfo(path.relative_to(folder).as_posix())
                    entry.size = path.stat().st_size
                    with path.open("rb") as content:
                        archive.addfile(entry, content)
        target.write_bytes(gzip.compress(packed.getvalue(), mtime=0))

    def _zip_library(self, target: Path) -> None:
        """Write the archive of Python's own modules."""
        folder = self.cache / "library"
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), _STAMP)
                    entry.compress_type = zipfile.ZIP_DEFLATED
                    archive.writestr(entry, path.read_bytes(), compresslevel=9)

    def _package(self) -> Iterator[tuple[str, Path]]:
        folders = {"sfida": "api", **{f"sfida/{name}": name for name in ("ai", "cython_ext", "engines", "web")}}
        for package, folder in folders.items():
            for path in sorted(self.root.joinpath(folder).rglob("*")):
                name = f"{package}/{path.relative_to(self.root / folder).as_posix()}"
                if path.suffix in _SUFFIXES and path.is_file() and not name.startswith(_LEFT_OUT):
                    yield name, path
        yield from _metadata("sfida")

    def _libraries(self) -> Iterator[tuple[str, Path]]:
        for library in _LIBRARIES:
            for file in importlib.metadata.files(library) or ():
                if file.suffix == ".py":
                    yield file.as_posix(), Path(str(file.locate()))
            yield from _metadata(library)

    # ---- the licences -------------------------------------------------------------------------

    def licences(self) -> str:
        """Return the licences of everything on the site."""
        found = [("Sfida", self.root.joinpath("LICENSE").read_text("utf-8"))]
        for library in _LIBRARIES:
            texts = [Path(str(file.locate())).read_text("utf-8") for file in importlib.metadata.files(library) or ()
                     if re.match(r"(LICEN[CS]E|COPYING)", file.name)]
            found.append((f"{library} {importlib.metadata.version(library)}", "\n".join(texts)))
        line = "=" * 100
        own = "".join(f"{line}\n{name}\n{line}\n\n{text.strip()}\n\n" for name, text in found)
        return own + self.root.joinpath("web", "edition", "runtime-licences.txt").read_text("utf-8")


def page(server: str) -> str:
    """Return the page of a site from that of the server: addresses within its folder, and the policy as a tag."""
    found = server.replace('"/static/', '"static/').replace('data-transport="server"', 'data-transport="local"')
    found = found.replace("static/server.js", "static/local.js")
    tags = (f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
            '<link rel="manifest" href="manifest.webmanifest">\n'
            '<link rel="apple-touch-icon" href="static/icon-192.png">\n<link rel="license" href="licences.txt">\n')
    return found.replace("<title>", tags + "<title>", 1)


def _metadata(distribution: str) -> Iterable[tuple[str, Path]]:
    """Return the files of a distribution by which its name, version and entry points are found."""
    for file in importlib.metadata.files(distribution) or ():
        if file.name in ("METADATA", "entry_points.txt") and file.parent.suffix == ".dist-info":
            yield file.as_posix(), Path(str(file.locate()))


def _run(command: Sequence[str], folder: Path, what: str) -> None:
    """Run a command; raises SfidaError with its last line if it fails."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines() or [f"exit status {done.returncode}"]
        errors = [line for line in said if "error" in line] or said
        raise SfidaError(f"{what}: {errors[0]}")


def main(arguments: Sequence[str]) -> int:
    """Write the site into the folder that is given, ``build/site`` by default; return the exit status."""
    root = Path(__file__).resolve().parents[1]
    target = Path(arguments[0] if arguments else root / "build" / "site")
    try:
        size = SiteWriter(root, root / "build" / "wasm").write(target)
    except (SfidaError, OSError) as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    print(f"{target}: {size / 1e6:.1f} MB; try it with python3 -m http.server -d {target}")
    if size > MOST_BYTES:
        print(f"Error: the site is larger than {MOST_BYTES / 1e6:g} MB", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
