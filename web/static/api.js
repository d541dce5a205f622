// What is asked of the application, by whichever transport.

import { transport } from "./transport.js";
import { inWords, say } from "./words.js";

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
    answer = await transport.ask(method, path,
      { ...inWords(), ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      body === undefined ? undefined : JSON.stringify(body));
  } catch {
    throw new Problem(0, "");
  }
  const content = answer.media.includes("json") && answer.body ? JSON.parse(answer.body) : answer.body;
  if (answer.status >= 400) throw new Problem(answer.status, content.error ?? "");
  return content;
}

export const get = (path) => ask("GET", path);
export const post = (path, body) => ask("POST", path, body);

/** What is asked about the table of a link. */
export class TableLink {
  constructor(token) {
    this.token = token;
    this.base = `/api/table/${token}`;
  }

  get(name) {
    return get(`${this.base}/${name}`);
  }

  post(name, body = {}) {
    return post(`${this.base}/${name}`, body);
  }

  /** Listen to what happens at the table; `told` gets the name of an event and its data. */
  listen(told) {
    transport.listen(`${this.base}/stream`, told);
  }
}
