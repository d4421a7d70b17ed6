// Answers requests, one line of JSON per request, with an export of a WebAssembly module: answers.mjs
// MODULE [EXPORT]

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Engine } from "../engine.js";

const [path, name = "pop_replay"] = process.argv.slice(2);
const engine = await Engine.load(readFileSync(path));
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(engine.text(name, line));
}
