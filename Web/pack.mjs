// Packs the engine for pages: pack.mjs MODULE. The separated parts, which Web/page/streams.js puts together again, are
// packed by xz into MODULE.lzma, which Web/page/lzma.js unpacks. It checks immediately that the result is the same
// module.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { unpacked } from "./page/lzma.js";
import { Tape, copyBody, joined, kinds } from "./page/streams.js";

const codeSection = 10;

/** Returns the parts of a module, as `joined` takes them. */
function apart(module) {
  const tapes = Object.fromEntries(kinds.map((kind) => [kind, new Tape()]));
  const tape = new Tape(module, 8);
  let hasCode = false;
  tapes.head.putAll(module.subarray(0, 8));
  while (tape.place < module.length) {
    const start = tape.place;
    const section = tape.take();
    const end = tape.number() + tape.place;
    if (section === codeSection) {
      hasCode = true;
      const count = tape.number();
      tapes.locals.putNumber(count);
      for (let left = count; left > 0; left -= 1) {
        tape.number();
        copyBody(() => tape, (kind) => tapes[kind]);
      }
    } else (hasCode ? tapes.tail : tapes.head).putAll(module.subarray(start, end));
    tape.place = end;
  }
  const all = new Tape();
  for (const kind of kinds) all.putNumber(tapes[kind].place);
  for (const kind of kinds) all.putAll(tapes[kind].written);
  return all.written;
}

const path = process.argv[2];
const module = readFileSync(path);
const packed = execFileSync("xz", ["--format=lzma", "--lzma1=preset=9e,lc=3,lp=0,pb=0", "-c"],
  { input: apart(module), maxBuffer: 1 << 28 });
if (Buffer.compare(joined(unpacked(packed)), module) !== 0) throw new Error("what was packed is not what comes of it");
writeFileSync(`${path}.lzma`, packed);
