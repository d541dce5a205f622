// The transport to Sfida in this browser: a worker answers what a server would, and keeps games in the browser's storage.

import { button, fill, h } from "./dom.js";
import { say } from "./words.js";

/** Whether Sfida runs in this browser alone. */
export const alone = true;

/** Whether requests are answered while a search runs. */
export let suspends = true;

let worker = null;
let count = 0;
const waiting = new Map(); // what to do with the answer to a request, by its number

/** Start Sfida; `progress` is called with the share that is done. Another tab that runs it makes this one wait. */
export async function start(progress) {
  await alone_here(progress);
  worker = new Worker(new URL("../worker.js", import.meta.url), { type: "module" });
  await new Promise((ready, failed) => {
    worker.onerror = (event) => failed(new Error(event.message || "this browser cannot run Sfida"));
    worker.onmessage = ({ data }) => {
      if (data.progress !== undefined) progress(data.progress);
      else if (data.fault !== undefined) failed(new Error(data.fault));
      else if (data.ready) {
        suspends = data.suspends;
        ready();
      } else waiting.get(data.id)?.(data);
    };
  });
  addEventListener("beforeunload", () => worker.terminate());
  serve();
}

/** Wait until no other tab runs Sfida: two would overwrite each other's games. */
function alone_here(progress) {
  return new Promise((done) => {
    if (!navigator.locks) {
      done();
      return;
    }
    navigator.locks.request("sfida", { ifAvailable: true }, (lock) => {
      if (lock === null) {
        progress(null);
        navigator.locks.request("sfida", () => {
          done();
          return new Promise(() => {});
        });
        return undefined;
      }
      done();
      return new Promise(() => {}); // held as long as the page lives
    });
  });
}

/** Have a service worker keep the files, and offer a new version when there is one. */
async function serve() {
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  const registration = await navigator.serviceWorker.register(new URL("../service.js", import.meta.url)).catch(() => null);
  if (!registration) return;
  const offer = () => {
    if (!registration.waiting || !navigator.serviceWorker.controller) return;
    const note = h("p", { class: "update", role: "status" }, say("local.update"), " ", button(say("local.renew"), () => {
      navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
      registration.waiting.postMessage("take over");
    }, { class: "small" }));
    document.querySelector(".update")?.remove();
    document.body.prepend(note);
  };
  offer();
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", offer));
}

function send(message, transfer = []) {
  const id = ++count;
  worker.postMessage({ id, ...message }, transfer);
  return id;
}

const sent = (message, transfer) => new Promise((done) => {
  const id = send(message, transfer);
  waiting.set(id, (answer) => {
    waiting.delete(id);
    done(answer);
  });
});

const headersOf = (headers) => ({ "accept-language": navigator.language,
  ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])) });

/** Send a request, and return its answer: status, media type and text. */
export const ask = (method, path, headers, body) => sent({ method, path, headers: headersOf(headers), body });

/** Listen to a stream, until another page is shown; `told` gets the name of an event and its data. */
export function listen(path, told) {
  const id = send({ method: "GET", path, headers: headersOf({}) });
  let rest = "";
  waiting.set(id, ({ part }) => {
    if (part === undefined) return;
    rest += part;
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
      const lines = rest.slice(0, end).split("\n");
      rest = rest.slice(end + 2);
      const [name, data] = ["event: ", "data: "].map((start) => lines.find((line) => line.startsWith(start))?.slice(start.length));
      if (name) told(name, JSON.parse(data));
    }
  });
  queueMicrotask(() => told("open", {}));
  addEventListener("hashchange", () => {
    waiting.delete(id);
    worker.postMessage({ id, close: true });
  }, { once: true });
}

/** Return the path of this page. */
export const here = () => location.hash.slice(1) || "/";

/** Return the address of a page. */
export const address = (path) => `#${path}`;

/** Return the address of the picture of a game: a file beside the page. */
export const picture = (name) => `pictures/${name}.svg`;

/** Go to a page. */
export function go(path) {
  location.hash = path;
}

/** Return the attributes of a link to a file, which is saved under a name. */
export const documentLink = (path, name) => ({ href: location.hash || "#/", onclick: (event) => {
  event.preventDefault();
  ask("GET", path, {}).then((answer) => save(new Blob([answer.body], { type: answer.media }), name));
} });

/** Offer a file to be saved. */
function save(blob, name) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Return the part of the start page that is about the data in this browser: how they are kept, moved and restored. */
export function dataCard() {
  const told = h("p", { role: "status" });
  const file = h("input", { type: "file", accept: ".zip", onchange: async () => {
    if (!file.files[0]) return;
    const data = await file.files[0].arrayBuffer();
    const answer = await sent({ method: "IMPORT", path: "", data }, [data]);
    const content = JSON.parse(answer.body);
    if (answer.status !== 200) {
      told.textContent = content.error;
      return;
    }
    for (const [name, value] of Object.entries(content)) localStorage.setItem(name, value);
    location.reload();
  } });
  const card = h("section", { class: "card" }, h("h2", {}, say("local.title")), h("p", {}, say("local.where")),
    button(say("local.export"), async () => {
      const answer = await sent({ method: "EXPORT", path: "", body: JSON.stringify({ ...localStorage }) });
      save(new Blob([answer.bytes], { type: "application/zip" }), "sfida-data.zip");
    }),
    h("label", { class: "field" }, h("span", {}, say("local.import")), file, h("small", {}, say("local.replaces"))), told,
    h("p", {}, h("a", { href: "licences.txt", target: "_blank", rel: "noopener" }, say("local.licences"))));
  const keep = async () => {
    if ((await navigator.storage?.persisted?.()) || (await navigator.storage?.persist?.())) return;
    fill(told, say("local.evicts"));
  };
  keep();
  if (!suspends) card.append(h("p", {}, say("local.blocks")));
  return card;
}
