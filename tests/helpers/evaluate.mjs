// Imports the modules named on the command line, then applies functions: one JSON line in, one JSON line out.

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

/** @type {Map<string, unknown>} */
const scope = new Map();
for (const path of process.argv.slice(2)) {
  for (const [name, value] of Object.entries(await import(pathToFileURL(path).href))) {
    if (name !== "default" && scope.has(name)) throw new Error(`two modules export ${name}`);
    scope.set(name, value);
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { function: text, values } = JSON.parse(line);
  const answer = {};
  try {
    const build = new Function(...scope.keys(), `return (${text});`);
    answer.value = build(...scope.values())(...values);
  } catch (error) {
    answer.error = String(error?.stack ?? error);
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
