import assert from "node:assert";
import { readFileSync } from "node:fs";
import test from "node:test";
import { Engine } from "../engine.js";
import { fromEngine, toEngine } from "../values.js";

const bytes = readFileSync(new URL("../../.build/wasm/engine.wasm", import.meta.url));
const bundle = readFileSync(new URL("../../.build/wasm/rules.popbundle", import.meta.url), "utf8");

function at(seconds) {
  return { instant: `${seconds}s`, date: new Date(1_793_000_000_000 + seconds * 1000).toISOString() };
}

const opening = { bundle, start: at(0), seed: 7, user: "ann" };
const inputs = [
  { at: at(0), input: "started" },
  { at: at(1), input: "update", set: { "consent.answered": true } },
  { at: at(2), input: "send", event: "search.failed", payload: { query: "tea" } },
  { at: at(3), input: "enqueue", popup: "consent" },
];

test("a session gives the same results as a run, input by input", async () => {
  const engine = await Engine.load(bytes);
  const whole = engine.replay({ ...opening, inputs, explain: ["consent", "survey"] });
  const session = engine.open(opening);
  const steps = inputs.flatMap((input) => session.handle([input]).steps);
  assert.deepEqual(steps, whole.steps);
  assert.deepEqual(session.explain(["consent", "survey"]), whole.explanations);
  assert.deepEqual(session.handle([]), { steps: [], ...(whole.nextWake && { nextWake: whole.nextWake }) });
});

test("an invalid request throws and changes nothing", async () => {
  const engine = await Engine.load(bytes);
  assert.throws(() => engine.open({ ...opening, bundle: "{}" }), /not a bundle/);
  const session = engine.open({ ...opening, inputs });
  const before = session.explain(["consent"]);
  assert.throws(() => session.handle([...inputs, { at: at(4), input: "nope" }]), /`nope` is not an input/);
  assert.deepEqual(session.explain(["consent"]), before);
  session.close();
  assert.throws(() => session.explain(["consent"]), /the session is closed/);
});

test("a supposed input does not change the session", async () => {
  const session = (await Engine.load(bytes)).open({ ...opening, inputs: inputs.slice(0, 1) });
  const before = session.explain(["consent"]);
  const [explanation] = session.suppose([{ input: "removeAll" }], ["consent"], at(1));
  assert.equal(explanation.state, "absent");
  assert.deepEqual(session.explain(["consent"]), before);
});

test("the history of a session can start another session", async () => {
  const engine = await Engine.load(bytes);
  const session = engine.open({ ...opening, inputs });
  const again = engine.open({ ...opening, history: session.history() });
  assert.deepEqual(again.history(), session.history());
});

// Instances whose exports trap when `isBroken` says so.
async function brittleEngine(isBroken) {
  const { Instance } = WebAssembly;
  WebAssembly.Instance = function (module, imports) {
    const { exports } = new Instance(module, imports);
    const trapping = Object.fromEntries(Object.entries(exports).map(([name, value]) => [
      name, typeof value !== "function" ? value : (...values) => {
        if (isBroken(name)) throw new WebAssembly.RuntimeError("unreachable");
        return value(...values);
      },
    ]));
    return { exports: trapping };
  };
  try {
    const engine = await Engine.load(bytes);
    return { engine, end: () => (WebAssembly.Instance = Instance) };
  } catch (error) {
    WebAssembly.Instance = Instance;
    throw error;
  }
}

test("a session continues in a new instance after a trap", async () => {
  let traps = 0;
  const { engine, end } = await brittleEngine((name) => name === "pop_handle" && traps-- > 0);
  try {
    const expected = (await Engine.load(bytes)).replay({ ...opening, inputs });
    const session = engine.open(opening);
    const other = engine.open({ ...opening, inputs });
    const steps = inputs.flatMap((input, place) => {
      traps = place === 2 ? 1 : 0;
      return session.handle([input]).steps;
    });
    assert.deepEqual(steps, expected.steps);
    assert.deepEqual(other.explain(["consent"]), session.explain(["consent"]));
    traps = 2;
    assert.throws(() => session.handle(inputs), /the engine stopped: unreachable/);
    traps = 0;
    assert.deepEqual(other.explain(["consent"]), session.explain(["consent"]));
  } finally {
    end();
  }
});

test("a session with more inputs than fit into a request continues after a trap", async () => {
  const engine = await Engine.load(bytes);
  const session = engine.open(opening);
  session.handle(inputs);
  const long = { at: at(4), input: "send", event: "search.failed", payload: { query: "x".repeat(6_000_000) } };
  for (let time = 0; time < 4; time += 1) session.handle([long]);
  const before = session.explain(["consent", "survey"]);
  assert.throws(() => engine.text("no_such_export", ""), /the engine stopped/);
  assert.deepEqual(session.explain(["consent", "survey"]), before);
});

test("values are written and read", () => {
  const values = [
    true, "text", 3, -1.5, Infinity, null, [1, "a"], { a: { b: 2 } }, new Date(0),
    new Uint8Array([1, 2, 255]), new Map([[1, "one"]]),
  ];
  for (const value of values) assert.deepEqual(fromEngine(toEngine(value)), value);
  assert.ok(Number.isNaN(fromEngine(toEngine(NaN))));
  assert.deepEqual(toEngine({ $duration: "1h" }), { $duration: "1h" });
  assert.deepEqual(toEngine({}), { $map: [] });
});
