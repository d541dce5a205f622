// node in_wasm.mjs RUNTIME PACKAGE PROGRAM DATA: runs a Python program in Pyodide, and prints its last value.

import fs from "node:fs";

const [runtime, folder, program, data] = process.argv.slice(2);
const { loadPyodide } = await import(`${runtime}/pyodide.mjs`);
const python = await loadPyodide();
for (const [name, root] of [["/site", folder], ["/data", data]]) {
  python.FS.mkdir(name);
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, name);
}
python.runPython("import sys; sys.path.insert(0, '/site')");
console.log(await python.runPythonAsync(fs.readFileSync(program, "utf8")));
process.exit(0);
