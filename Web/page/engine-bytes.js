// The engine that the page brings along, gzipped and in base64.
import { Engine } from "../engine.js";

export function hasEngine() {
  return document.getElementById("engine") !== null;
}

let loading = null;

// One for the whole page.
export function loadEngine() {
  loading ??= inflate(document.getElementById("engine").textContent).then((bytes) => Engine.load(bytes));
  return loading;
}

async function inflate(base64) {
  const packed = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
