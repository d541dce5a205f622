// Runs Sfida in a web worker: Pyodide, the package, and the application, which answers messages as a server would.

import { loadPyodide } from "./pyodide/pyodide.mjs";

const HOME = "/home/pyodide";
const STATE = `${HOME}/.local/state`; // kept in the browser's storage
const REST = 300; // milliseconds of calm after which changes are stored

let python, local, saving;

const tell = (message) => postMessage(message);
const progress = (share) => tell({ progress: share });
const stored = (from) => new Promise((done, failed) =>
  python.FS.syncfs(from, (problem) => (problem ? failed(problem) : done())));

async function start() {
  const archive = fetch(new URL("sfida.tar.gz", import.meta.url)).then((answer) => answer.arrayBuffer());
  progress(0.1);
  python = await loadPyodide({ indexURL: new URL("pyodide/", import.meta.url).href, env: { HOME } });
  progress(0.5);
  const packages = `${HOME}/site`;
  python.unpackArchive(await archive, "gztar", { extractDir: packages });
  python.FS.mkdirTree(STATE);
  python.FS.mount(python.FS.filesystems.IDBFS, {}, STATE);
  await stored(true);
  progress(0.7);
  local = await python.runPythonAsync(
    `import sys; sys.path.insert(0, "${packages}"); from sfida.web.local import Local; Local()`);
  progress(1);
  tell({ ready: true, suspends: local.suspends });
}

/** Store what was written, after a moment without further changes. */
function save() {
  clearTimeout(saving);
  saving = setTimeout(() => stored(false).catch((problem) => tell({ unsaved: String(problem) })), REST);
}

const started = start();
started.catch((problem) => tell({ fault: String(problem?.message ?? problem) }));

onmessage = async ({ data }) => {
  const { id, method, path, headers, body, data: archive, close } = data;
  await started;
  if (close) {
    local.leave(id);
    return;
  }
  try {
    if (method === "EXPORT") {
      const bytes = local.exported(body);
      tell({ id, status: 200, bytes: bytes.toJs() });
      bytes.destroy();
    } else if (method === "IMPORT") {
      const settings = local.imported(python.toPy(new Uint8Array(archive)));
      await stored(false);
      tell({ id, status: 200, media: "application/json", body: settings });
    } else {
      const parts = (part) => {
        tell({ id, part });
        save();
      };
      tell({ id, ...JSON.parse(await local.answer(id, method, path, JSON.stringify(headers), body ?? "", parts)) });
    }
  } catch (problem) {
    const words = String(problem?.message ?? problem).trim().split("\n").at(-1);
    tell({ id, status: 500, media: "application/json", body: JSON.stringify({ error: words }) });
  }
  if (method !== "GET") save();
};
