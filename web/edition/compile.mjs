// node compile.mjs RUNTIME PACKAGE LIBRARY: compiles the modules of PACKAGE that the start page loads, and all of
// Python's own in LIBRARY; a browser would need seconds for that. Texts for developers are left out.

const [runtime, packages, library] = process.argv.slice(2);
const { loadPyodide } = await import(`${runtime}/pyodide.mjs`);
const python = await loadPyodide();
for (const [name, root] of [["/site", packages], ["/library", library]]) {
  python.FS.mkdir(name);
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, name);
}
python.runPython(`
import importlib.metadata, pathlib, py_compile, sys

def compiled(source, root):
    if source.with_suffix(".pyc").exists():
        return
    py_compile.compile(source, source.with_suffix(".pyc"), source.relative_to(root), True, 2,
                       py_compile.PycInvalidationMode.UNCHECKED_HASH)
    source.unlink()

sys.path.insert(0, "/site")
sys.dont_write_bytecode = True
for game in importlib.metadata.entry_points(group="sfida.games"):
    game.load()
import sfida.web.local
from sfida.web.app import words_of
from sfida.web.scenes import games
games(), words_of("en")
for module in list(sys.modules.values()):
    source = pathlib.Path(getattr(module, "__file__", None) or "")
    if source.suffix == ".py" and source.is_relative_to("/site"):
        compiled(source, "/site")
for source in sorted(pathlib.Path("/library").rglob("*.py")):
    compiled(source, "/library")
`);
process.exit(0);
