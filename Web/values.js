// Values as the engine writes and reads them, and as JavaScript does.

/**
 * A value for the engine. A Date is a timestamp, a Uint8Array bytes, a Map or an object a map; what
 * the engine writes in an object with one key that begins with `$`, such as `{ $duration: "1h" }`,
 * stays as it is.
 */
export function toEngine(value) {
  if (value === null || value === undefined) return { $null: true };
  if (typeof value === "number" && !Number.isSafeInteger(value)) return { $double: double(value) };
  if (typeof value !== "object") return value;
  if (value instanceof Date) return { $timestamp: value.toISOString() };
  if (value instanceof Uint8Array) return { $bytes: btoa(String.fromCharCode(...value)) };
  if (Array.isArray(value)) return value.map(toEngine);
  if (value instanceof Map) return { $map: [...value].flat(1).map(toEngine) };
  const keys = Object.keys(value);
  if (keys.length === 1 && keys[0].startsWith("$")) return value;
  return { $map: Object.entries(value).flat(1).map(toEngine) };
}

/** A value of the engine: a map with texts for keys is an object, another one a Map. */
export function fromEngine(value) {
  if (Array.isArray(value)) return value.map(fromEngine);
  if (typeof value !== "object") return value;
  const [[kind, content]] = Object.entries(value);
  switch (kind) {
    case "$null": return null;
    case "$double": return Number(content.replace("inf", "Infinity"));
    case "$bytes": return Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
    case "$timestamp": return new Date(content);
    case "$map": return map(content.map(fromEngine));
    default: return content; // `$uint`, `$duration`, `$version`: a number or text.
  }
}

function double(value) {
  return String(value).replace("Infinity", "inf").replace("NaN", "nan");
}

function map(items) {
  const entries = [];
  for (let place = 0; place < items.length; place += 2) {
    entries.push([items[place], items[place + 1]]);
  }
  return entries.every(([key]) => typeof key === "string")
    ? Object.fromEntries(entries) : new Map(entries);
}
