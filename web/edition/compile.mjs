// node compile.mjs RUNTIME FOLDER: compiles the modules in FOLDER that the start page loads, which takes half a second
// of a browser otherwise; without texts for developers, they are not much larger than their sources.

const [runtime, folder] = process.argv.slice(2);
const { loadPyodide } = await import(`${runtime}/pyodide.mjs`);
const python = await loadPyodide();
python.FS.mkdir("/site");
python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, "/site");
python.runPython(`
import importlib.metadata, pathlib, py_compile, sys
sys.path.insert(0, "/site")
sys.dont_write_bytecode = True
for game in importlib.metadata.entry_points(group="sfida.games"):
    game.load()
import sfida.web.local
from sfida.web.app import games, words_of
games(), words_of("en")
for module in list(sys.modules.values()):
    source = pathlib.Path(getattr(module, "__file__", None) or "")
    if source.suffix == ".py" and source.is_relative_to("/site"):
        py_compile.compile(source, source.with_suffix(".pyc"), source.relative_to("/site"), True, 2,
                           py_compile.PycInvalidationMode.UNCHECKED_HASH)
        source.unlink()
`);
process.exit(0);
