// Values as the engine and bundles write and read them, with `$double`, `$map` and the like for
// types that JSON cannot distinguish; as JavaScript has them; and as users read and type them.

/**
 * Returns a value for the engine. A Date is a timestamp, a Uint8Array bytes, a Map or an object a
 * map. An object with one key that begins with `$`, as the engine writes it, such as `{ $duration:
 * "1h" }`, stays unchanged.
 */
export function toEngine(value) {
  if (value === null || value === undefined) return { $null: true };
  if (typeof value === "number" && !Number.isSafeInteger(value)) return double(value);
  if (typeof value !== "object") return value;
  if (value instanceof Date) return { $timestamp: value.toISOString() };
  if (value instanceof Uint8Array) return { $bytes: btoa(Array.from(value, (byte) => String.fromCharCode(byte)).join("")) };
  if (Array.isArray(value)) return value.map(toEngine);
  if (value instanceof Map) return { $map: [...value].flat(1).map(toEngine) };
  const keys = Object.keys(value);
  if (keys.length === 1 && keys[0].startsWith("$")) return value;
  return { $map: Object.entries(value).flat(1).map(toEngine) };
}

/**
 * Returns JavaScript's value for a value of the engine: a map whose keys are strings is an object,
 * another one a Map.
 */
export function fromEngine(value) {
  if (Array.isArray(value)) return value.map(fromEngine);
  if (typeof value !== "object") return value;
  const [[kind, content]] = Object.entries(value);
  switch (kind) {
    case "$null": return null;
    case "$double": return number(content);
    case "$bytes": return Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
    case "$timestamp": return new Date(content);
    case "$map": return objectOrMap(pairs(value).map((pair) => pair.map(fromEngine)));
    default: return content; // `$uint`, `$duration`, `$version`: a number or text.
  }
}

/** A `double`. */
export function double(value) {
  const text = String(value).replace("Infinity", "inf").replace("NaN", "nan");
  return { $double: /^-?\d+$/.test(text) ? `${text}.0` : text };
}

function number(written) {
  return Number(String(written).replace("inf", "Infinity"));
}

/** The keys of a `$map`, each with its value. */
function pairs({ $map }) {
  return $map.flatMap((key, place) => (place % 2 ? [] : [[key, $map[place + 1]]]));
}

function objectOrMap(entries) {
  return entries.every(([key]) => typeof key === "string")
    ? Object.fromEntries(entries) : new Map(entries);
}

/** Returns a value for display: a map is a Map, a number a number, and times are strings. */
export function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return value;
  if ("$map" in value) return new Map(pairs(value).map((pair) => pair.map(plain)));
  if ("$null" in value) return null;
  if ("$double" in value) return number(value.$double);
  if ("$uint" in value) return Number(value.$uint);
  const inner = Object.values(value);
  return inner.length === 1 ? plain(inner[0]) : value;
}

/** Returns a value for users, on one line. */
export function text(value) {
  if (value === undefined) return "missing";
  if (typeof value === "string") return value;
  return written(value, text);
}

/** As a test file writes it. */
export function yaml(value) {
  return typeof value === "string" ? JSON.stringify(value) : written(value, yaml);
}

function written(value, inner) {
  if (Array.isArray(value)) return `[${value.map(inner).join(", ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if ("$null" in value) return "null";
  if (!("$map" in value)) return "$double" in value ? String(value.$double) : inner(Object.values(value)[0]);
  const parts = pairs(value).map((pair) => pair.map(inner).join(": "));
  return parts.length ? `{ ${parts.join(", ")} }` : "{}";
}

/** Returns typed text as a value of a declared type; throws a message if it is not such a value. */
export function read(typed, type) {
  const optional = typed.trim();
  if (type === "string") return typed;
  if (type === "bool") return optional === "true";
  if (type === "int" || type === "uint") {
    if (!/^-?\d+$/.test(optional) || (type === "uint" && optional[0] === "-")) throw new Error(`enter an integer (${type})`);
    const number = Number(optional);
    if (!Number.isSafeInteger(number)) throw new Error("the number is too large for this page");
    return type === "uint" ? { $uint: number } : number;
  }
  if (type === "double") {
    if (optional === "" || !Number.isFinite(Number(optional))) throw new Error("enter a number such as 4.5");
    return double(Number(optional));
  }
  if (type === "version") return { $version: optional };
  if (type === "timestamp") {
    if (Number.isNaN(Date.parse(optional))) throw new Error("enter a time such as 2026-11-20T09:00:00Z");
    return { $timestamp: new Date(optional).toISOString().replace(".000Z", "Z") };
  }
  if (type === "duration") return { $duration: optional };
  const list = /^list<(.+)>$/.exec(type);
  if (list) return optional === "" ? [] : optional.split(",").map((item) => read(list[1] === "string" ? item.trim() : item, list[1]));
  const map = /^map<([^,]+),(.+)>$/.exec(type);
  if (map) {
    const entries = optional.replace(/^\{|\}$/g, "").split(",").filter((entry) => entry.trim());
    return { $map: entries.flatMap((entry) => {
      const at = entry.indexOf(":");
      if (at < 0) throw new Error("enter entries such as shoes: 20, hats: 5");
      return [read(entry.slice(0, at).trim(), map[1]), read(entry.slice(at + 1).trim(), map[2].trim())];
    }) };
  }
  return JSON.parse(optional);
}

/** For a field that `read` reads again. */
export function typed(value) {
  if (value === undefined) return "";
  if (Array.isArray(value)) return value.map(typed).join(", ");
  const shown = text(value);
  return shown.replace(/^\{ ?| ?\}$/g, "");
}

/** Returns true if two values are written alike. */
export function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}
