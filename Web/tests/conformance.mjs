// Runs the conformance cases of CEL in a WebAssembly module: conformance.mjs MODULE FOLDER

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Engine } from "../engine.js";

const [path, folder] = process.argv.slice(2);
const engine = await Engine.load(readFileSync(path));
let passed = 0;
let failed = 0;
for (const name of readdirSync(folder).filter((name) => name.endsWith(".json")).sort()) {
  const answer = engine.call("pop_conformance", readFileSync(join(folder, name), "utf8"));
  passed += answer.passed;
  failed += answer.complaints.length;
  for (const complaint of answer.complaints) console.log(complaint);
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
