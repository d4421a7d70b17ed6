// The engine that the page brings along, packed and in base64.
import { Engine } from "../engine.js";
import { unpacked } from "./lzma.js";
import { joined } from "./streams.js";

export function hasEngine() {
  return document.getElementById("engine") !== null;
}

let loading = null;

// One for the whole page.
export function loadEngine() {
  loading ??= start();
  return loading;
}

async function start() {
  // Lets the message about the start appear first.
  await new Promise((done) => setTimeout(done));
  return Engine.load(joined(unpacked(bytes(document.getElementById("engine").textContent))));
}

function bytes(base64) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
