// Which transport carries requests: to a server, or to Sfida in this browser. The page says which.

const alone = document.documentElement.dataset.transport === "local";

export const transport = await import(alone ? "./local.js" : "./server.js");
