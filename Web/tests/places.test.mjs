// Placeholders are found as by the former expression, and in linear time.

import assert from "node:assert";
import test from "node:test";
import { filledPlaces } from "../page/places.js";

// The expression that found placeholders at first: right, but cubic in blanks.
const slow = /\{\{\s*([\w.]+)\s*(?:\|\s*([^}]*?)\s*)?\}\}/g;

const told = (name, otherwise) => `<${name}${otherwise === undefined ? "" : `=${otherwise}`}>`;
const expected = (text) => text.replace(slow, (whole, name, otherwise) => told(name, otherwise));

/** A string that counts the characters that are read. */
class Counted {
  steps = 0;

  constructor(text) {
    this.text = text;
  }

  get length() { return this.text.length; }

  charAt(place) {
    this.steps += 1;
    return this.text.charAt(place);
  }

  indexOf(part, from) {
    const found = this.text.indexOf(part, from);
    this.steps += (found < 0 ? this.text.length : found) - Math.min(from, this.text.length) + 1;
    return found;
  }

  slice(from, to = this.text.length) {
    this.steps += to - from;
    return this.text.slice(from, to);
  }
}

/** A generator of numbers below a bound, the same every time. */
function numbers(seed) {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

test("placeholders match the results of the former regular expression", () => {
  const below = numbers(7);
  const parts = ["{", "{{", "}", "}}", "|", " ", "\n", "\u00a0", "\ufeff", "u", "a.b", ".", "é", "{{u|", "{{u}}", "-", "𝒳"];
  let places = 0;
  for (let count = 0; count < 300_000; count += 1) {
    const text = Array.from({ length: below(12) }, () => parts[below(parts.length)]).join("");
    const wanted = expected(text);
    if (wanted !== text) places += 1;
    assert.equal(filledPlaces(text, told), wanted, JSON.stringify(text));
  }
  assert.ok(places > 30_000, `${places} texts had a place`);
});

const growing = {
  "blanks behind a bar": (count) => `{{u|${" ".repeat(count)}`,
  "blanks in front of a name": (count) => `{{${" ".repeat(count)}`,
  "blanks behind a name": (count) => `{{u${" ".repeat(count)}`,
  "letters of a name": (count) => `{{${"u".repeat(count)}`,
  braces: (count) => "{".repeat(count),
  "places that begin and never end": (count) => "{{u|".repeat(count),
  "places that end with one brace": (count) => `${"{{u|".repeat(count)}}`,
  places: (count) => "{{u | v }}".repeat(count),
};

test("finding placeholders in a text four times as long takes four times as many steps (S-L3)", () => {
  for (const [words, make] of Object.entries(growing)) {
    const steps = (count) => {
      const text = new Counted(make(count));
      filledPlaces(text, told);
      return text.steps;
    };
    const [few, many] = [steps(1000), steps(4000)];
    assert.ok(many <= few * 4.1, `${words}: ${few} and ${many} steps`);
    const { length } = make(4000);
    assert.ok(many <= 8 * length, `${words}: ${many} steps for ${length} characters`);
  }
});
