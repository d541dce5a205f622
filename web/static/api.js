// What is asked of the server.

import { inLanguage, say } from "./words.js";

/** An answer that says that something was wrong. */
export class Problem extends Error {
  constructor(status, words) {
    super(words || say("lost"));
    this.status = status;
  }
}

async function ask(method, path, body) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: { ...inLanguage(), ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Problem(0, "");
  }
  const text = await answer.text();
  const json = (answer.headers.get("Content-Type") ?? "").includes("json");
  const content = json && text ? JSON.parse(text) : text;
  if (!answer.ok) throw new Problem(answer.status, content.error ?? answer.statusText);
  return content;
}

export const get = (path) => ask("GET", path);
export const post = (path, body) => ask("POST", path, body);

/** What is asked about the table of a link. */
export class TableLink {
  constructor(token) {
    this.base = `/api/table/${token}`;
  }

  get(name) {
    return get(`${this.base}/${name}`);
  }

  post(name, body = {}) {
    return post(`${this.base}/${name}`, body);
  }

  /**
   * Listen to what happens at the table, and continue listening when the connection was lost.
   *
   * `told` gets the name of an event and its data; "open" and "lost" tell of the connection.
   */
  listen(told) {
    let source = null;
    const connect = () => {
      source = new EventSource(`${this.base}/stream`);
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
}
