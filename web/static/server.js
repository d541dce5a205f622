// The transport to a server: HTTP, server-sent events, and addresses as the server knows them.

/** Whether Sfida runs in this browser alone. */
export const alone = false;

/** Get ready; `progress` would be called with the share that is done. */
export async function start() {}

/** Send a request, and return its answer: status, media type and text. */
export async function ask(method, path, headers, body) {
  const answer = await fetch(path, { method, headers, body });
  return { status: answer.status, media: answer.headers.get("Content-Type") ?? "", body: await answer.text() };
}

/**
 * Listen to a stream, and continue listening when the connection was lost.
 *
 * `told` gets the name of an event and its data; "open" and "lost" tell of the connection.
 */
export function listen(path, told) {
  let source = null;
  const connect = () => {
    source = new EventSource(path);
    source.onopen = () => told("open", {});
    source.onerror = () => {
      told("lost", {});
      if (source.readyState === EventSource.CLOSED) setTimeout(connect, 2000);
    };
    for (const name of ["changed", "thinking"]) {
      source.addEventListener(name, (event) => told(name, JSON.parse(event.data)));
    }
  };
  connect();
  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", (event) => event.persisted && connect()); // back from another page, as it was left
}

/** Return the path of this page. */
export const here = () => location.pathname;

/** Return the address of the picture of a game. */
export const picture = (name) => `/pictures/${name}.svg`;

/** Return the address of a page. */
export const address = (path) => path;

/** Go to a page. */
export function go(path) {
  location.href = path;
}

/** Return the attributes of a link to a file, which is saved under a name. */
export const documentLink = (path, name) => ({ href: path, download: name });
