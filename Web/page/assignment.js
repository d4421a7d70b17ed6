// Assignments of a user, from the value that identifies users: the page Assignment defines them to
// the byte.
import { text } from "../values.js";
import { date } from "./time.js";

const [all, bits] = [1_000_000, 64];

// Returns a number from 0 to 999,999; null for a value that does not identify a user.
export function place(value, salt, purpose) {
  const bytes = bytesOf(value);
  if (!bytes.length) return null;
  const utf8 = new TextEncoder();
  const cut = (number) => BigInt.asUintN(bits, number);
  let hash = 0xcbf29ce484222325n;
  for (const part of [...(purpose ? [utf8.encode(purpose), [0]] : []), utf8.encode(salt), [0], bytes]) {
    for (const byte of part) hash = cut((hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  hash = cut((hash ^ (hash >> 30n)) * 0xbf58476d1ce4e5b9n);
  hash = cut((hash ^ (hash >> 27n)) * 0x94d049bb133111ebn);
  return Number((hash ^ (hash >> 31n)) % BigInt(all));
}

function bytesOf(value) {
  if (value?.$bytes !== undefined) return Uint8Array.from(atob(value.$bytes), (character) => character.charCodeAt(0));
  const isTold = ["string", "boolean"].includes(typeof value) || Number.isInteger(value) || value?.$uint !== undefined;
  return isTold ? new TextEncoder().encode(text(value)) : [];
}

const isIn = (at, from, to) => from * 10_000 <= at && at < to * 10_000;

const percent = (at) => `${at / 10_000}%`;

// Returns the arm of an experiment, null for a user who takes no part, and the reason.
export function armOf({ salt, layer, share = 100, control = 0, arms }, value) {
  const at = place(value, salt, "arm");
  if (at === null) return { arm: null, why: "the value cannot identify users" };
  if (layer) {
    const stands = place(value, layer.salt, "layer");
    if (!isIn(stands, ...layer.range)) return { arm: null, why: `position ${percent(stands)} in layer \`${layer.layer}\`; the experiment takes ${layer.range[0]}% to ${layer.range[1]}%` };
  }
  const stands = place(value, salt, "share");
  if (!isIn(stands, 0, share)) return { arm: null, why: `the user's position is ${percent(stands)}; the experiment takes the first ${share}%` };
  const begin = Math.floor(control * 10_000 + 0.000_1);
  if (at < begin) return { arm: "control", why: `the user's position is ${percent(at)}; the first ${control}% see nothing` };
  const total = arms.reduce((sum, one) => sum + (one.weight ?? 1), 0);
  let weight = 0;
  for (const { name, weight: own = 1 } of arms.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    weight += own;
    if (at < begin + Math.floor(((all - begin) * weight) / total)) return { arm: name, why: `assigned by the user's place, ${percent(at)}` };
  }
  return { arm: null, why: "no variant has a weight" };
}

// Finds out if a user is in a rollout at a time, in 1e-9 s since 1970, and why.
export function rolloutOf({ salt, percent: first, range, steps }, value, now) {
  const [from, to] = range ?? [0, steps ? steps.findLast((step) => date(step.begins) <= now)?.percent ?? 0 : first];
  if (from === 0 && to === 100) return { isIn: true, why: "all users are in" };
  const at = place(value, salt);
  if (at === null) return { isIn: false, why: "the value cannot identify users" };
  return { isIn: isIn(at, from, to), why: `position ${percent(at)}; ${from}% to ${to}% are in` };
}

export function isHeldOut(holdout, value) {
  const at = place(value, holdout.salt, "holdout");
  return at !== null && isIn(at, 0, holdout.percent);
}

// Returns the words for an arm, also for users who take no part and those in the control group.
export function armWords(arm) {
  return arm === null ? "not in the experiment" : arm === "control" ? "nothing (control)" : arm;
}
