// Puts similar functions of a WebAssembly module next to each other, so that gzip, which looks back 32 KB, sees the
// similarity: reorder.mjs TEXT, where TEXT is a module as `wasm-opt -S` prints it, changed in place.
//
// The order of functions has no meaning. After each function comes the most similar one of those left.

import { readFileSync, writeFileSync } from "node:fs";

const path = process.argv[2];
const hashes = 48;
const gram = 4;

/** The lines of each function, and those before and after all of them. */
function parts(lines) {
  const functions = [];
  const rest = [];
  let current;
  for (const line of lines) {
    if (line.startsWith(" (func ")) current = [];
    if (current === undefined) {
      rest.push(line);
      continue;
    }
    current.push(line);
    if (line === " )" || (current.length === 1 && line.endsWith(")") && isClosed(line))) {
      functions.push(current);
      current = undefined;
    }
  }
  return { functions, rest };
}

function isClosed(line) {
  return line.split("(").length === line.split(")").length;
}

/** The smallest of each hash of the runs of lines: how many are equal tells how alike two functions are. */
function signature(lines) {
  const words = lines.map((line) => hashOf(line.trim()));
  const smallest = new Uint32Array(hashes).fill(0xffffffff);
  for (let place = 0; place + gram <= words.length; place++) {
    let hash = 0x811c9dc5;
    for (let next = place; next < place + gram; next++) hash = mixed(hash ^ words[next]);
    for (let number = 0; number < hashes; number++) {
      hash = mixed(hash + number);
      if (hash < smallest[number]) smallest[number] = hash;
    }
  }
  return smallest;
}

function hashOf(text) {
  let hash = 0x811c9dc5;
  for (let place = 0; place < text.length; place++) hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
  return hash >>> 0;
}

function mixed(hash) {
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function likeness(left, right) {
  let equal = 0;
  for (let number = 0; number < hashes; number++) if (left[number] === right[number]) equal++;
  return equal;
}

function ordered(functions) {
  const left = functions.map((lines) => ({ lines, signature: signature(lines) }));
  left.sort((one, other) => one.lines.length - other.lines.length);
  const order = [];
  for (let current = left.pop(); current !== undefined; ) {
    order.push(current.lines);
    let best = left.length - 1;
    let most = -1;
    for (let place = left.length - 1; place >= 0; place--) {
      const like = likeness(current.signature, left[place].signature);
      if (like > most) [best, most] = [place, like];
    }
    current = best < 0 ? undefined : left.splice(best, 1)[0];
  }
  return order;
}

const { functions, rest } = parts(readFileSync(path, "utf8").split("\n"));
// Before the parenthesis that closes the module.
const end = rest.lastIndexOf(")");
writeFileSync(path, [...rest.slice(0, end), ...ordered(functions).flat(), ...rest.slice(end)].join("\n"));
