// Values as the engine and bundles write them: JSON, with `$double`, `$map` and the like for what
// JSON cannot tell apart.

// As JavaScript reads them for looking at: maps become Map, numbers numbers.
export function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return value;
  if ("$map" in value) {
    const map = new Map();
    for (let i = 0; i + 1 < value.$map.length; i += 2) map.set(plain(value.$map[i]), plain(value.$map[i + 1]));
    return map;
  }
  if ("$double" in value) return Number(value.$double);
  if ("$uint" in value) return Number(value.$uint);
  const inner = Object.values(value);
  return inner.length === 1 ? plain(inner[0]) : value;
}

// As a person reads it, on one line.
export function text(value) {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return `[${value.map(text).join(", ")}]`;
  if (value === null || typeof value !== "object") {
    return typeof value === "string" ? value : JSON.stringify(value);
  }
  if ("$map" in value) {
    const parts = [];
    for (let i = 0; i + 1 < value.$map.length; i += 2) parts.push(`${text(value.$map[i])}: ${text(value.$map[i + 1])}`);
    return parts.length ? `{ ${parts.join(", ")} }` : "{}";
  }
  return text(Object.values(value)[0]);
}

// As a test file writes it.
export function yaml(value) {
  if (Array.isArray(value)) return `[${value.map(yaml).join(", ")}]`;
  if (typeof value === "string") return JSON.stringify(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if ("$map" in value) {
    const parts = [];
    for (let i = 0; i + 1 < value.$map.length; i += 2) parts.push(`${yaml(value.$map[i])}: ${yaml(value.$map[i + 1])}`);
    return parts.length ? `{ ${parts.join(", ")} }` : "{}";
  }
  if ("$double" in value) return String(value.$double);
  return yaml(Object.values(value)[0]);
}

// What somebody typed, as a value of a declared type; throws words where it is none.
export function read(typed, type) {
  const optional = typed.trim();
  if (type === "string") return typed;
  if (type === "bool") return optional === "true";
  if (type === "int" || type === "uint") {
    if (!/^-?\d+$/.test(optional) || (type === "uint" && optional[0] === "-")) throw new Error(`${type} is a whole number`);
    const number = Number(optional);
    if (!Number.isSafeInteger(number)) throw new Error("the number is too large for this page");
    return type === "uint" ? { $uint: number } : number;
  }
  if (type === "double") {
    if (optional === "" || !Number.isFinite(Number(optional))) throw new Error("double is a number such as 4.5");
    return double(Number(optional));
  }
  if (type === "version") return { $version: optional };
  if (type === "timestamp") {
    if (Number.isNaN(Date.parse(optional))) throw new Error("a time such as 2026-11-20T09:00:00Z");
    return { $timestamp: new Date(optional).toISOString().replace(".000Z", "Z") };
  }
  if (type === "duration") return { $duration: optional };
  const list = /^list<(.+)>$/.exec(type);
  if (list) return optional === "" ? [] : optional.split(",").map((item) => read(list[1] === "string" ? item.trim() : item, list[1]));
  const map = /^map<([^,]+), *(.+)>$/.exec(type);
  if (map) {
    const entries = optional.replace(/^\{|\}$/g, "").split(",").filter((entry) => entry.trim());
    return { $map: entries.flatMap((entry) => {
      const at = entry.indexOf(":");
      if (at < 0) throw new Error("entries such as shoes: 20, hats: 5");
      return [read(entry.slice(0, at).trim(), map[1]), read(entry.slice(at + 1).trim(), map[2])];
    }) };
  }
  return JSON.parse(optional);
}

export function double(number) {
  return { $double: Number.isInteger(number) ? `${number}.0` : String(number) };
}

// For a field that `read` reads again.
export function typed(value) {
  if (value === undefined) return "";
  if (Array.isArray(value)) return value.map(typed).join(", ");
  const shown = text(value);
  return shown.replace(/^\{ ?| ?\}$/g, "");
}

export function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}
