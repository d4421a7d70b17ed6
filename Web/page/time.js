// Times without rounding: durations count in 1e-18 s, as the engine does, dates in 1e-9 s.

const second = 10n ** 18n;

// "0.5s" → 1e-18 s.
export function duration(words) {
  const match = /^(-?)(\d+)(?:\.(\d+))?s$/.exec(words);
  if (!match) throw new Error(`not a duration: ${words}`);
  const whole = BigInt(match[2]) * second + BigInt((match[3] ?? "").padEnd(18, "0").slice(0, 18));
  return match[1] ? -whole : whole;
}

export function durationWords(time) {
  const fraction = (time % second).toString().padStart(18, "0").replace(/0+$/, "");
  return `${time / second}${fraction ? `.${fraction}` : ""}s`;
}

export function seconds(time) {
  return Number(time / 10n ** 9n) / 1e9;
}

export function fromSeconds(number) {
  return BigInt(Math.round(number * 1e9)) * 10n ** 9n;
}

// "2026-11-20T09:00:00.5Z" → 1e-9 s since 1970.
export function date(words) {
  const fraction = /\.(\d+)/.exec(words)?.[1] ?? "";
  const whole = Date.parse(words.replace(/\.\d+/, ""));
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(9, "0").slice(0, 9));
}

export function dateWords(time) {
  let whole = time / 1_000_000_000n;
  let rest = time % 1_000_000_000n;
  if (rest < 0n) { rest += 1_000_000_000n; whole -= 1n; }
  const fraction = rest.toString().padStart(9, "0").replace(/0+$/, "");
  return new Date(Number(whole) * 1000).toISOString().slice(0, 19) + (fraction ? `.${fraction}` : "") + "Z";
}

// A date as clocks in a zone read it, with its name; null where that is UTC.
export function localWords(time, zone) {
  if (!zone || zone === "UTC") return null;
  const options = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" };
  try {
    return `${new Intl.DateTimeFormat("en-GB", { ...options, timeZone: zone }).format(new Date(Number(time / 1_000_000n)))} ${zone}`;
  } catch {
    return null;
  }
}

// Returns the point in time so long after a start.
export function moment(start, instant) {
  return { instant: durationWords(instant), date: dateWords(start + instant / 1_000_000_000n) };
}

const units = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86400 };

// The seconds of `1h 30m`, `14h58m`, `1.5h` or `90`; undefined for anything else.
export function readSpan(words) {
  const parts = [...words.matchAll(/\s*(\d+(?:\.\d+)?)\s*(ms|s|m|h|d|$)/gy)];
  if (!parts.length || parts.map((part) => part[0]).join("") !== words.trimEnd()) return undefined;
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * units[unit || "s"], 0);
}

// Returns a duration in words: 1m 30s, 2d 4h; with at most `most` parts.
export function span(number, most = 2) {
  let rest = Math.abs(number);
  if (rest < 60) return `${Number(rest.toFixed(3))}s`;
  const parts = [];
  for (const [name, size] of [["d", 86400], ["h", 3600], ["m", 60]]) {
    const count = Math.floor(rest / size);
    if (count) parts.push(`${count}${name}`);
    rest -= count * size;
  }
  if (Number(rest.toFixed(3))) parts.push(`${Number(rest.toFixed(3))}s`);
  return parts.slice(0, most).join(" ");
}
