// Popups of an app with the real engine, and with callbacks and stores that make mistakes.

import assert from "node:assert";
import { readFileSync } from "node:fs";
import test from "node:test";
import { Engine, LocalHistory, Popups } from "../poprules.js";

const engine = await Engine.load(readFileSync(new URL("../../.build/wasm/engine.wasm", import.meta.url)));
const bundle = readFileSync(new URL("../../.build/wasm/web.popbundle", import.meta.url), "utf8");

/** Returns the reports while `action` runs. */
async function reports(action) {
  const reported = [];
  globalThis.reportError = (error) => reported.push(error.message);
  try {
    await action(reported);
  } finally {
    delete globalThis.reportError;
  }
  return reported;
}

/** Keeps histories as a whole, in memory. */
function wholeStore() {
  const kept = new Map();
  return { kept, load: (user) => kept.get(user), save: (user, history) => kept.set(user, history) };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

function make(options, log = []) {
  const presenter = {
    present: ({ popup }) => { log.push(popup); },
    dismiss: () => {},
    ...options.presenter,
  };
  return new Popups(engine, { bundle, store: wholeStore(), seed: 1, ...options, presenter });
}

test("a callback that throws is reported once, and popups continue (E40)", async () => {
  const log = [];
  const reported = await reports(() => {
    const popups = make({ onEvent() { throw new ReferenceError("gtag is not defined"); } }, log);
    popups.start();
    assert.deepEqual(log, ["welcome"]);
    popups.userClosed("welcome");
    popups.send("order.placed");
  });
  assert.deepEqual(log, ["welcome", "thanks"]);
  assert.deepEqual(reported, ["poprules: onEvent: gtag is not defined"]);
});

for (const [name, willShow, expected, reason] of [
  ["throws", () => { throw new Error("no"); }, ["welcome"], /willShow.*no$/],
  ["returns true", () => true, ["welcome"], /it returned true; return "show"/],
  ["returns a word that is none", () => "maybe", ["welcome"], /it returned "maybe"/],
  ["returns false", () => false, [], /it returned false/],
  ["returns what throws when it is looked at", () => ({ get then() { throw new Error("then"); } }), ["welcome"], /then$/],
  ["returns what has no text", () => { const own = { big: 1n }; own.own = own; return own; }, ["welcome"], /it returned \[object/],
  ["throws what cannot be looked at", () => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy; }, ["welcome"], /no text$/],
  ["throws what has no text", () => { throw Object.create(null, { toJSON: { get() { throw 1; } } }); }, ["welcome"], /willShow/],
  ["returns a promise that fails", () => Promise.reject(new Error("late")), ["welcome"], /late$/],
]) {
  test(`a willShow that ${name} blocks nothing (E40, E53)`, async () => {
    const log = [];
    const reported = await reports(async () => {
      make({ presenter: { willShow } }, log).start();
      await settled();
    });
    assert.deepEqual(log, expected);
    assert.equal(reported.length, 1);
    assert.match(reported[0], reason);
  });
}

test("a willShow may return a promise (E53)", async () => {
  const log = [];
  const popups = make({ presenter: { willShow: async (popup) => (popup === "welcome" ? "cancel" : "show") } }, log);
  popups.start();
  await settled();
  popups.send("order.placed");
  await settled();
  assert.deepEqual(log, ["thanks"]);
});

test("a popup shows even if its present callback sends an invalid event (E40)", async () => {
  const log = [];
  const reported = await reports(() => {
    const popups = make({
      presenter: {
        present({ popup }, popups) {
          log.push(popup);
          popups.update({ plan: { $foo: 1 } });
        },
      },
    }, log);
    popups.start();
    assert.equal(popups.explain("welcome")[0].state, "showing");
    assert.throws(() => popups.update({ plan: { $foo: 1 } }), /cannot be read/);
    popups.userClosed("welcome");
    popups.send("order.placed");
  });
  assert.deepEqual(log, ["welcome", "thanks"]);
  assert.match(reported[0], /input `update`/);
});

test("a store that throws blocks nothing and loses none of its records (E40)", async () => {
  const log = [];
  const reported = await reports(() => {
    make({ store: { load() { throw new Error("locked"); }, save() { log.push("saved"); } } }, log).start();
    make({ store: { load() {}, save() { throw new Error("full"); } } }, log).start();
  });
  assert.deepEqual(log, ["welcome", "welcome"]);
  assert.deepEqual(reported, ["poprules: load of the store: locked", "poprules: save of the store: full"]);
});

test("a store may return promises, and nothing shows before they resolve (E53)", async () => {
  const first = wholeStore();
  const popups = make({ store: first });
  popups.start();
  popups.stop();
  const log = [];
  const store = {
    load: async (user) => JSON.parse(JSON.stringify(first.kept.get(user))),
    save: async () => { throw new Error("offline"); },
  };
  const reported = await reports(async () => {
    const popups = make({ store }, log);
    popups.start();
    popups.send("order.placed");
    assert.deepEqual(log, []);
    await settled();
    assert.deepEqual(log, ["thanks"]);
    popups.stop();
    await settled();
  });
  assert.deepEqual(reported, ["poprules: save of the store: offline"]);
});

test("a history of a later version counts and keeps its unknown members (E44)", async () => {
  const store = wholeStore();
  store.kept.set("", { popups: { welcome: { shown: 1, impressions: ["2026-01-01T00:00:00Z"], newer: 1 } }, later: 2 });
  const log = [];
  const popups = make({ store }, log);
  popups.start();
  popups.send("order.placed");
  popups.stop();
  assert.deepEqual(log, ["thanks"]);
  assert.equal(store.kept.get("").later, 2);
  assert.equal(store.kept.get("").popups.welcome.newer, 1);
});

test("an unreadable history is reported and not overwritten (E44)", async () => {
  const store = wholeStore();
  store.kept.set("", { version: 9 });
  store.kept.set("ben", "no history");
  const log = [];
  const reported = await reports(() => {
    const popups = make({ store }, log);
    popups.start();
    popups.switchUser("ben");
    popups.stop();
  });
  assert.deepEqual(log, ["welcome", "welcome"]);
  assert.deepEqual([...store.kept.values()], [{ version: 9 }, "no history"]);
  assert.match(reported[0], /history of the user: .*version 9/);
});

/** The state and events of a browser's page, as far as popups follow it. */
function page(visibilityState) {
  const listeners = {};
  const names = ["document", "addEventListener", "removeEventListener"];
  globalThis.document = {
    visibilityState,
    addEventListener: (name, listener) => { listeners[name] = listener; },
    removeEventListener() {},
  };
  globalThis.addEventListener = () => {};
  globalThis.removeEventListener = () => {};
  return {
    become(state) {
      document.visibilityState = state;
      listeners.visibilitychange();
    },
    close() { for (const name of names) delete globalThis[name]; },
  };
}

test("a page that loads hidden shows nothing before it is visible (E43)", () => {
  const tab = page("hidden");
  try {
    const log = [];
    const popups = make({}, log);
    popups.start();
    assert.deepEqual(log, []);
    tab.become("visible");
    assert.deepEqual(log, ["welcome"]);
    tab.become("hidden");
    popups.userClosed("welcome");
    popups.send("order.placed");
    assert.deepEqual(log, ["welcome"]);
    tab.become("visible");
    assert.deepEqual(log, ["welcome", "thanks"]);
    popups.stop();
  } finally {
    tab.close();
  }
});

test("stop may be called twice, and explain reports it afterwards (E52)", () => {
  const popups = make({});
  popups.start();
  popups.stop();
  popups.stop();
  popups.send("order.placed");
  assert.throws(() => popups.explain("welcome"), /`explain` was called after `stop`/);
});

for (const isLate of [false, true]) {
  test(`a time to postpone that cannot be read lets the popup show${isLate ? ", also later" : ""} (E40)`, async () => {
    for (const postpone of ["30 seconds", "-5s", "", "\ud800"]) {
      const log = [];
      const willShow = () => (isLate ? Promise.resolve({ postpone }) : { postpone });
      const reported = await reports(async () => {
        make({ presenter: { willShow } }, log).start();
        await settled();
      });
      assert.deepEqual(log, ["welcome"], postpone);
      assert.equal(reported.length, 1, reported);
    }
  });

  test(`a present that fails with half of a character is counted as failed${isLate ? ", also later" : ""} (E40)`, async () => {
    for (const message of ["cut \ud83d", "x".repeat(20_000_000)]) {
      const told = [];
      await reports(async () => {
        const present = () => {
          if (isLate) return Promise.reject(new Error(message));
          throw new Error(message);
        };
        make({ presenter: { present }, onEvent: ({ event }) => told.push(event) }).start();
        await settled();
      });
      assert.ok(told.includes("failed"), told);
    }
  });
}

test("stop in a callback prevents all later callbacks", () => {
  const told = [];
  const popups = make({
    onEvent({ event }) {
      told.push(event);
      popups.stop();
    },
  });
  popups.start();
  assert.equal(told.length, 1, told);
});

test("a clock that throws once is reported, and time continues", async () => {
  const { now } = { now: () => ({ instant: `${performance.now() / 1000}s`, date: new Date().toISOString() }) };
  let throws = false;
  const waits = [];
  const setTimeoutOfNode = globalThis.setTimeout;
  const reported = await reports(async () => {
    globalThis.setTimeout = (action, wait) => {
      waits.push({ action, wait });
      return setTimeoutOfNode(() => {}, 0);
    };
    try {
      const popups = make({
        clock: { now() { if (throws) { throws = false; throw new Error("clock broke"); } return now(); } },
        presenter: { willShow: () => ({ postpone: "30s" }) },
      });
      popups.start();
      throws = true;
      const { length } = waits;
      waits.at(-1).action();
      assert.ok(waits.length > length);
      popups.stop();
    } finally {
      globalThis.setTimeout = setTimeoutOfNode;
    }
  });
  assert.deepEqual(reported, ["poprules: clock: clock broke"]);
});

test("records from before a switch of users are saved for the former user", async () => {
  for (const isLate of [false, true]) {
    const store = wholeStore();
    const load = (user) => (isLate ? settled().then(() => store.kept.get(user)) : store.kept.get(user));
    let popups;
    let isFirst = true;
    const onEvent = () => {
      if (!isFirst || popups === undefined) return;
      isFirst = false;
      popups.send("order.placed");
      popups.switchUser("ben");
      popups.switchUser("ann");
    };
    popups = make({ user: "ann", store: { ...store, load }, onEvent });
    popups.start();
    for (let time = 0; time < 5; time += 1) await settled();
    popups.stop();
    assert.equal(store.kept.get("ann").events["order.placed"].count, 1, JSON.stringify(store.kept.get("ann")));
  }
});

test("an invalid history from a store is reported, and popups continue", async () => {
  for (const records of [5, {}, true, "text"]) {
    const log = [];
    let isBad = false;
    let changed;
    const store = {
      load: () => (isBad ? { records } : { records: [], user: "zed", updated: 1 }), append() {},
      follow(listener) { changed = listener; },
    };
    globalThis.document = { visibilityState: "visible", addEventListener() {}, removeEventListener() {} };
    globalThis.addEventListener = () => {};
    globalThis.removeEventListener = () => {};
    try {
      const reported = await reports(() => {
        const popups = make({ user: "ann", store }, log);
        popups.start();
        popups.switchUser("ben");
        popups.switchUser("ann");
        isBad = true;
        changed("ann");
        popups.send("order.placed");
        popups.userClosed("welcome");
        popups.stop();
      });
      assert.equal(reported.length, 1, reported);
      assert.match(reported[0], /load of the store: it returned records that are not an array/);
      assert.ok(log.includes("thanks"), log);
    } finally {
      delete globalThis.document;
      delete globalThis.addEventListener;
      delete globalThis.removeEventListener;
    }
  }
});

test("an invalid context at a switch of users throws, and the history is not blamed", async () => {
  const store = wholeStore();
  const reported = await reports(() => {
    const popups = make({ user: "ann", store });
    popups.start();
    popups.userClosed("welcome");
    store.kept.set("ben", { popups: { welcome: { shown: 1 } } });
    assert.throws(() => popups.switchUser("ben", { plan: { $double: "abc" } }));
    popups.switchUser("ben");
    popups.send("order.placed");
    popups.stop();
  });
  assert.deepEqual(reported, []);
  assert.equal(store.kept.get("ben").popups.thanks.shown, 1);
});

test("an onEvent whose promise fails is reported once", async () => {
  const reported = await reports(async () => {
    make({ onEvent: () => Promise.reject(new Error("late")) }).start();
    await settled();
  });
  assert.deepEqual(reported, ["poprules: onEvent: late"]);
});

test("stop in a store ends popups, even if a follower cannot be ended", async () => {
  let popups;
  const reported = await reports(() => {
    popups = make({ store: { load() {}, append() { popups?.stop(); } } });
    popups.start();
    popups.stop();
  });
  assert.deepEqual(reported, []);
  assert.throws(() => popups.explain("welcome"), /after `stop`/);
});

// -- tabs

/**
 * One `localStorage` for several tabs, each of which has a copy that may be late. As in browsers, the last write
 * counts.
 */
class Area {
  entries = new Map();
  tabs = [];
  writes = 0;
}

class Tab {
  constructor(area) {
    this.area = area;
    this.copy = new Map(area.entries);
    this.late = [];
    this.seen = new Map();
    area.tabs.push(this);
  }
  get length() { return this.copy.size; }
  key(place) { return [...this.copy.keys()][place] ?? null; }
  getItem(key) { return this.copy.get(key) ?? null; }
  setItem(key, value) { this.#write(key, String(value)); }
  removeItem(key) { this.#write(key, undefined); }
  #write(key, value) {
    for (const place of [this.area.entries, this.copy]) {
      if (value === undefined) place.delete(key);
      else place.set(key, value);
    }
    this.area.writes += 1;
    this.seen.set(key, this.area.writes);
    for (const tab of this.area.tabs) if (tab !== this) tab.late.push([key, value, this.area.writes]);
  }
  /** Sees the next writes of others. */
  see(count = this.late.length) {
    for (const [key, value, write] of this.late.splice(0, count)) {
      if (write < (this.seen.get(key) ?? 0)) continue;
      this.seen.set(key, write);
      if (value === undefined) this.copy.delete(key);
      else this.copy.set(key, value);
    }
  }
}

function within(tab, action) {
  globalThis.localStorage = tab;
  try {
    return action();
  } finally {
    delete globalThis.localStorage;
  }
}

/** Small numbers from a seed. */
function dice(seed) {
  let state = seed + 1;
  return (sides) => {
    state = (state * 48271) % 2147483647;
    return state % sides;
  };
}

const impression = (popup, second) => ({
  record: "impression", popup, date: new Date(1_793_000_000_000 + second * 1000).toISOString(),
});

/** Returns the number of impressions of each popup. */
function counts({ history, records }) {
  const session = engine.open({
    bundle, start: { instant: "0s", date: "2027-01-01T00:00:00Z" }, history, records,
  });
  const { popups = {} } = session.history();
  session.close();
  return Object.fromEntries(Object.entries(popups).map(([popup, { shown }]) => [popup, shown]));
}

test("tabs that save records at the same time lose none and count none twice (E41)", () => {
  for (let seed = 0; seed < 200; seed += 1) {
    const roll = dice(seed);
    const area = new Area();
    const tabs = Array.from({ length: 3 }, () => new Tab(area));
    const stores = tabs.map((tab) => within(tab, () => new LocalHistory()));
    let now = 1_793_000_000_000;
    const kept = { welcome: 0, thanks: 0 };
    for (let step = 0; step < 60; step += 1) {
      const place = roll(3);
      const popup = roll(2) ? "welcome" : "thanks";
      // Within a step any tab may lag; ten minutes later every one has seen everything.
      if (roll(4) === 0) tabs[place].see(roll(4));
      if (roll(20) === 0) {
        now += 20 * 60 * 1000;
        for (const tab of tabs) tab.see();
      }
      const records = Array.from({ length: 1 + roll(150) }, (_, second) => impression(popup, step * 200 + second));
      within(tabs[place], () => stores[place].append("ann", records, now));
      kept[popup] += records.length;
      if (roll(3) === 0) {
        within(tabs[place], () =>
          stores[place].fold("ann", (whole) => {
            const session = engine.open({
              bundle, start: { instant: "0s", date: "2027-01-01T00:00:00Z" }, user: "ann", ...whole,
            });
            const history = session.history();
            session.close();
            return history;
          }, now));
      }
    }
    for (const tab of tabs) tab.see();
    const loaded = within(new Tab(area), () => new LocalHistory().load("ann"));
    const expected = Object.fromEntries(Object.entries(kept).filter(([, count]) => count > 0));
    assert.deepEqual(counts(loaded), expected, `seed ${seed}`);
  }
});

test("records of version 0.1 count, separately for each user", () => {
  const area = new Area();
  area.entries.set("poprules.history.ann", JSON.stringify({ popups: { welcome: { shown: 2 } } }));
  const tab = new Tab(area);
  within(tab, () => {
    const store = new LocalHistory();
    store.append("ann", [impression("welcome", 1)]);
    store.append("a.n.n", [impression("thanks", 1)]);
    assert.deepEqual(counts(store.load("ann")), { welcome: 3 });
    assert.deepEqual(counts(store.load("a.n.n")), { thanks: 1 });
    store.forget("ann");
    assert.deepEqual(counts(store.load("ann")), {});
    assert.deepEqual(counts(store.load("a.n.n")), { thanks: 1 });
  });
});

test("forgotten records do not return with the next records of a running page", () => {
  const tab = new Tab(new Area());
  within(tab, () => {
    const page = new LocalHistory();
    page.append("ann", [impression("welcome", 1)]);
    new LocalHistory().forget("ann");
    page.append("ann", [impression("thanks", 2)]);
    assert.deepEqual(counts(new LocalHistory().load("ann")), { thanks: 1 });
  });
});

test("damaged items are reported once and left unchanged, and the others count", async () => {
  const area = new Area();
  const tab = new Tab(area);
  const reported = await reports(() => within(tab, () => {
    new LocalHistory().append("ann", [impression("welcome", 1)]);
    const [chunk] = tab.copy.keys();
    new LocalHistory().append("ann", [impression("thanks", 1)]);
    for (const key of [chunk, "poprules.base.ann"]) tab.setItem(key, '{"history":');
    const store = new LocalHistory();
    assert.deepEqual(counts(store.load("ann")), { thanks: 1 });
    assert.deepEqual(counts(store.load("ann")), { thanks: 1 });
    for (let event = 0; event < 600; event += 1) {
      store.append("ann", [{ record: "event", event: "order.placed", date: "2026-10-26T09:00:00Z" }]);
    }
    assert.equal(store.fold("ann", () => assert.fail("folded")), false);
    for (const key of [chunk, "poprules.base.ann"]) assert.equal(tab.getItem(key), '{"history":');
    store.forget("ann");
    assert.equal(tab.length, 0);
  }));
  assert.equal(reported.length, 2, reported);
});

test("records that cannot be saved are saved with the next records, and count in the meantime", async () => {
  const tab = new Tab(new Area());
  const setItem = tab.setItem.bind(tab);
  let isFull = true;
  tab.setItem = (key, value) => {
    if (isFull) throw new Error("full");
    setItem(key, value);
  };
  let changed;
  const log = [];
  await reports(() => within(tab, () => {
    const local = new LocalHistory();
    const store = {
      load: (user) => local.load(user), append: (user, records) => local.append(user, records),
      follow: (listener) => { changed = listener; return () => {}; },
    };
    globalThis.document = { visibilityState: "visible", addEventListener() {}, removeEventListener() {} };
    globalThis.addEventListener = () => {};
    globalThis.removeEventListener = () => {};
    try {
      const popups = make({ user: "ann", store }, log);
      popups.start();
      popups.userClosed("welcome");
      changed("ann");
      popups.enqueue("welcome");
      assert.deepEqual(log, ["welcome"]);
      isFull = false;
      popups.send("order.placed");
      popups.stop();
    } finally {
      delete globalThis.document;
      delete globalThis.addEventListener;
      delete globalThis.removeEventListener;
    }
    assert.deepEqual(counts(new LocalHistory().load("ann")), { welcome: 1, thanks: 1 });
  }));
});

test("an unreadable part of a history does not affect the rest", async () => {
  for (const [key, damage] of [
    ["poprules.records.zzz.0.ann", "[null]"], ["poprules.records.zzz.0.ann", "[7]"],
    ["poprules.records.zzz.0.ann", '[{"record":"session","date":"202x-05-04T09:00:00Z"}]'],
    ["poprules.records.zzz.0.ann", '[{"record":"impression"}]'],
    ["poprules.records.zzz.0.ann", '[{"record":"impression","popup":"thanks","date":"2026-11-01"}]'],
    ["poprules.base.ann", '{"history":{},"folded":{"x.0":{"count":-1}}}'],
    ["poprules.base.ann", '{"history":5,"folded":{}}'], ["poprules.base.ann", '{"history":null,"folded":{}}'],
    ["poprules.base.ann", '{"history":{"popups":{"thanks":{"shown":-1}}},"folded":{}}'],
    ["poprules.base.ann", '{"history":{},"folded":{"x.0":null}}'],
  ]) {
    const tab = new Tab(new Area());
    const log = [];
    const reported = await reports(() => within(tab, () => {
      new LocalHistory().append("ann", [impression("welcome", 1)]);
      tab.setItem(key, damage);
      const popups = make({ user: "ann", store: new LocalHistory() }, log);
      popups.start();
      popups.stop();
      assert.equal(tab.getItem(key), damage);
    }));
    assert.deepEqual(log, [], damage);
    assert.equal(reported.length, 1, reported);
  }
});

test("records of a user that cannot be saved count when the user returns", async () => {
  const log = [];
  await reports(() => {
    const popups = make({ user: "ann", store: { load() {}, append() { throw new Error("full"); } } }, log);
    popups.start();
    popups.userClosed("welcome");
    popups.switchUser("ben");
    popups.switchUser("ann");
    popups.enqueue("welcome");
    popups.stop();
  });
  // To ann and to ben.
  assert.deepEqual(log, ["welcome", "welcome"]);
});

/** A store whose calls take a while: writing longer than loading. */
function slowStore(store) {
  const slow = (name, call) => async (...given) => {
    for (let time = 0; time < (name === "load" ? 1 : 10); time += 1) await settled();
    return call(...given);
  };
  return Object.fromEntries(Object.entries(store).map(([name, call]) => [name, slow(name, call)]));
}

/** Keeps records in memory. */
function recordStore() {
  const kept = new Map();
  return {
    load: (user) => ({ records: [...(kept.get(user) ?? [])] }),
    append: (user, records) => { kept.set(user, [...(kept.get(user) ?? []), ...records]); },
  };
}

for (const [name, makeStore] of [
  ["keeps records", recordStore],
  ["keeps histories", () => { const { load, save } = wholeStore(); return { load, save }; }],
]) {
  test(`a user who comes back while a slow store that ${name} still writes is the same user`, async () => {
    const log = [];
    const popups = make({ user: "ann", store: slowStore(makeStore()) }, log);
    popups.start();
    while (log.length === 0) await settled();
    popups.userClosed("welcome");
    popups.switchUser("ben");
    popups.switchUser("ann");
    popups.enqueue("welcome");
    for (let time = 0; time < 48; time += 1) await settled();
    popups.stop();
    // To ann, once; ben was no longer the user before it could show.
    assert.deepEqual(log, ["welcome"]);
  });
}

for (const isLate of [false, true]) {
  test(`what ${isLate ? "a promise" : "a store"} cannot save of a user counts when the user comes back`, async () => {
    const log = [];
    const save = () => { throw new Error("full"); };
    await reports(async () => {
      const popups = make({ user: "ann", store: { load() {}, save: isLate ? async () => save() : save } }, log);
      popups.start();
      popups.userClosed("welcome");
      popups.switchUser("ben");
      await settled();
      popups.switchUser("ann");
      await settled();
      popups.enqueue("welcome");
      popups.stop();
    });
    assert.deepEqual(log, ["welcome", "welcome"]);
  });
}

/** Lets timers go a hundred times as fast. */
async function quickly(action) {
  const setTimeoutOfNode = globalThis.setTimeout;
  globalThis.setTimeout = (callback, wait) => setTimeoutOfNode(callback, wait / 100);
  try {
    await action(() => new Promise((resolve) => setTimeoutOfNode(resolve, 250)));
  } finally {
    globalThis.setTimeout = setTimeoutOfNode;
  }
}

const never = () => new Promise(() => {});

for (const name of ["append", "save"]) {
  test(`a store whose \`${name}\` never answers blocks popups for ten seconds at most, and loses nothing`, async () => {
    const log = [];
    const reported = await reports(() => quickly(async (long) => {
      const popups = make({ user: "ann", store: { load() {}, [name]: never } }, log);
      popups.start();
      popups.userClosed("welcome");
      popups.switchUser("ben");
      popups.switchUser("ann");
      popups.enqueue("welcome");
      popups.send("order.placed");
      await long();
      popups.stop();
    }));
    // Ann has seen `welcome`, which is not kept; ben saw it too.
    assert.deepEqual(log, ["welcome", "welcome", "thanks"]);
    assert.match(reported[0], /write of the store: it did not finish within 10 s/);
  });
}

test("a `willShow` that never answers blocks popups for ten seconds at most, and is reported once", async () => {
  const log = [];
  const reported = await reports(() => quickly(async (long) => {
    const popups = make({ presenter: { willShow: never } }, log);
    popups.start();
    assert.deepEqual(log, []);
    await long();
    popups.userClosed("welcome");
    popups.send("order.placed");
    await long();
    popups.stop();
  }));
  assert.deepEqual(log, ["welcome", "thanks"]);
  assert.match(reported[0], /willShow of the presenter: it did not finish within 10 s/);
  assert.equal(reported.length, 1, reported);
});

test("a user whose history never loads is replaced at the next switch of users", async () => {
  const log = [];
  const reported = await reports(() => quickly(async (long) => {
    const store = { load: (user) => (user === "ben" ? never() : undefined), append() {} };
    const popups = make({ user: "ann", store }, log);
    popups.switchUser("ben");
    popups.switchUser("cleo");
    popups.start();
    assert.deepEqual(log, []);
    await long();
    popups.stop();
  }));
  assert.deepEqual(log, ["welcome"]);
  assert.match(reported[0], /load of the store: it did not finish within 10 s/);
});

test("the valid records of a history with many damaged records count", async () => {
  for (const [count, damaged] of [[200, 20], [3000, 60], [3000, 1500], [50_000, 1], [50_000, 100]]) {
    const records = Array.from({ length: count }, (_, number) =>
      number % Math.floor(count / damaged) === 0 ? { record: "impression" }
        : { record: "event", event: "order.placed", date: "2026-10-26T09:00:00Z" });
    const log = [];
    await reports(() => {
      const store = { load: () => ({ records: [...records, impression("welcome", 1)] }), append() {} };
      const popups = make({ user: "ann", store }, log);
      popups.start();
      popups.stop();
    });
    assert.deepEqual(log, [], `${damaged} of ${count}`);
  }
});

test("a clock that returns an invalid time once is reported, and popups continue", async () => {
  const date = "2026-11-01T12:00:00Z";
  for (const wrong of [{}, { instant: "-5s", date }, { instant: 3, date }, { instant: "3s", date: "today" }, null]) {
    let isWrong = false;
    const log = [];
    const tab = page("hidden");
    const reported = await reports(() => {
      try {
        const popups = make({ clock: { now: () => (isWrong ? wrong : { instant: "3s", date }) } }, log);
        popups.start();
        isWrong = true;
        tab.become("visible");
        popups.stop();
      } finally {
        tab.close();
      }
    });
    assert.deepEqual(log, ["welcome"], JSON.stringify(wrong));
    assert.match(reported[0], /clock: /);
  }
});

test("a clock may write durations as rules do", async () => {
  const waits = [];
  const setTimeoutOfNode = globalThis.setTimeout;
  globalThis.setTimeout = (action, wait) => { waits.push(wait); };
  try {
    for (const instant of ["0s", "500ms", "1m0.5s", "1d2h"]) {
      const popups = make({
        clock: { now: () => ({ instant, date: "2026-11-01T12:00:00Z" }) },
        presenter: { willShow: () => ({ postpone: "30s" }) },
      });
      popups.start();
      popups.stop();
    }
  } finally {
    globalThis.setTimeout = setTimeoutOfNode;
  }
  assert.deepEqual(waits.filter((wait) => wait !== 1000), [30_000, 30_000, 30_000, 30_000]);
});

test("a clock that is ahead once is reported, and blocks nothing", () => {
  const waits = [];
  const setTimeoutOfNode = globalThis.setTimeout;
  globalThis.setTimeout = (action, wait) => { waits.push(wait); };
  let instant = "5s";
  const reported = [];
  globalThis.reportError = (error) => reported.push(error.message);
  try {
    const popups = make({
      clock: { now: () => ({ instant, date: "2026-11-01T12:00:00Z" }) },
      presenter: { willShow: () => ({ postpone: "30s" }) },
    });
    instant = "10800s";
    popups.start();
    instant = "6s";
    popups.send("order.placed");
    popups.stop();
  } finally {
    globalThis.setTimeout = setTimeoutOfNode;
    delete globalThis.reportError;
  }
  assert.ok(waits.every((wait) => wait <= 30_000), waits);
  assert.equal(reported.length, 1, reported);
  assert.match(reported[0], /clock: the time went back/);
});

test("a clock that returns an invalid time is reported when popups are created", () => {
  assert.throws(() => make({ clock: { now: () => ({ instant: "-5s", date: "2026-11-01T12:00:00Z" }) } }), /isn't a time/);
});

test("impressions on this page count even if the store fails when the user returns", async () => {
  const { load, append } = recordStore();
  let isBroken = false;
  const log = [];
  await reports(() => {
    const store = { load(user) { if (isBroken) throw new Error("denied"); return load(user); }, append };
    const popups = make({ user: "ann", store }, log);
    popups.start();
    popups.userClosed("welcome");
    popups.switchUser("ben");
    isBroken = true;
    popups.switchUser("ann");
    popups.enqueue("welcome");
    popups.stop();
  });
  // To ann and to ben.
  assert.deepEqual(log, ["welcome", "welcome"]);
});

test("impressions while the history cannot be loaded are added to it later", async () => {
  const kept = {};
  let isOffline = true;
  const log = [];
  const store = {
    load(user) { if (user === "ben" && isOffline) throw new Error("offline"); return kept[user]; },
    save(user, history) { kept[user] = structuredClone(history); },
  };
  await reports(() => {
    const popups = make({ user: "ann", store }, log);
    popups.start();
    popups.switchUser("ben");
    popups.userClosed("welcome");
    popups.switchUser("ann");
    isOffline = false;
    kept.ben = { popups: { thanks: { shown: 1 } } };
    popups.switchUser("ben");
    popups.enqueue("welcome");
    popups.send("order.placed");
    popups.stop();
  });
  // To ann and to ben.
  assert.deepEqual(log, ["welcome", "welcome"]);
  assert.deepEqual([kept.ben.popups.welcome.shown, kept.ben.popups.thanks.shown], [1, 1]);
});

test("a history that hangs delays a user once, however often the user changes", async () => {
  const log = [];
  await reports(() => quickly(async (long) => {
    const store = { load: (user) => (user === "ben" ? never() : undefined), append() {} };
    const popups = make({ user: "ann", store }, log);
    for (let time = 0; time < 20; time += 1) {
      popups.switchUser("ben");
      popups.switchUser("ann");
    }
    popups.start();
    await long();
    popups.stop();
  }));
  assert.deepEqual(log, ["welcome"]);
});

for (const loaded of [[{ record: "impression" }], "text", 5, true, new Map(), { record: [] }]) {
  test(`a store that loads ${JSON.stringify(loaded)} is reported`, async () => {
    const reported = await reports(() => make({ store: { load: () => loaded, append() {} } }).stop());
    assert.match(reported[0], /load of the store: it returned/);
  });
}

test("a store without `load`, `append` or `save` is reported when popups are created", () => {
  for (const store of [null, {}, { load() {} }, { append() {} }]) assert.throws(() => make({ store }), /`store` needs/);
});

test("a clock that goes back a little repeatedly does not run fast", () => {
  let step = 0;
  const reported = [];
  const waits = [];
  const setTimeoutOfNode = globalThis.setTimeout;
  globalThis.reportError = (error) => reported.push(error.message);
  globalThis.setTimeout = (action, wait) => { waits.push(wait); };
  try {
    const clock = { now: () => ({ instant: `${10 + step / 10 - (step++ % 2)}s`, date: "2026-11-01T12:00:00Z" }) };
    const popups = make({ clock, presenter: { willShow: () => ({ postpone: "30s" }) } });
    popups.start();
    for (let time = 0; time < 40; time += 1) popups.update({ plan: "pro" });
    popups.stop();
  } finally {
    globalThis.setTimeout = setTimeoutOfNode;
    delete globalThis.reportError;
  }
  assert.deepEqual(reported, []);
  // 40 steps of a tenth of a second, read several times each, are less than 30 s.
  assert.ok(waits.at(-1) > 0, waits);
});

test("a clock with two sources blocks nothing, and is reported once", () => {
  let step = 0;
  let isMixed = true;
  const log = [];
  const reported = [];
  globalThis.reportError = (error) => reported.push(error.message);
  try {
    const clock = { now: () => ({ instant: isMixed && step++ % 2 ? "1780000000s" : "1s", date: "2026-11-01T12:00:00Z" }) };
    const popups = make({ clock }, log);
    for (let time = 0; time < 40; time += 1) popups.update({ plan: "pro" });
    isMixed = false;
    popups.start();
    popups.userClosed("welcome");
    popups.send("order.placed");
    popups.stop();
  } finally {
    delete globalThis.reportError;
  }
  assert.deepEqual(log, ["welcome", "thanks"]);
  assert.equal(reported.length, 1, reported);
});

for (const date of ["2026-05-04T24:00:00Z", "2026-02-30T00:00:00Z", "0000-01-01T00:00:00Z", "2026-05-04T10:60:00Z", "0001-01-01T00:00:00+01:00", "9999-12-31T23:30:00-00:31"]) {
  test(`the date ${date} is no time of a clock`, () => {
    assert.throws(() => make({ clock: { now: () => ({ instant: "1s", date }) } }), /isn't a time/);
  });
}

for (const date of ["2026-05-04t10:00:00z", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00-01:00", "9999-12-31T23:59:59.999999999Z"]) {
  test(`the engine reads the date ${date} of a clock`, () => {
    const log = [];
    const popups = make({ clock: { now: () => ({ instant: "1s", date }) } }, log);
    popups.start();
    popups.stop();
    assert.deepEqual(log, ["welcome"]);
  });
}

test("29 February is a valid date in leap years", () => {
  make({ clock: { now: () => ({ instant: "1s", date: "2028-02-29T00:00:00+05:30" }) } }).stop();
  assert.throws(() => make({ clock: { now: () => ({ instant: "1s", date: "2027-02-29T00:00:00Z" }) } }), /isn't a time/);
});

test("popups that cannot be created leave no resources", () => {
  const tab = page("visible");
  let followers = 0;
  const store = { ...wholeStore(), follow() { followers += 1; return () => { followers -= 1; }; } };
  try {
    assert.throws(() => make({ store, context: { get plan() { throw new Error("no plan"); } } }), /no plan/);
    assert.equal(followers, 0);
  } finally {
    tab.close();
  }
});

test("records of a later version are kept for tabs that know them (E44)", () => {
  within(new Tab(new Area()), () => {
    const store = new LocalHistory();
    const records = Array.from({ length: 600 }, (_, number) => impression("welcome", number % 50));
    store.append("ann", [...records, { record: "liked", popup: "welcome", date: "2026-10-26T09:00:00Z" }]);
    assert.equal(store.fold("ann", () => ({})), false);
    assert.equal(store.load("ann").records.length, 601);
    store.append("ben", records);
    assert.equal(store.fold("ben", () => ({})), true);
  });
});

test("events are saved in chunks, so that each further event costs the same (E42)", () => {
  const tab = new Tab(new Area());
  let written = 0;
  const setItem = tab.setItem.bind(tab);
  tab.setItem = (key, value) => {
    written += value.length;
    setItem(key, value);
  };
  within(tab, () => {
    const store = new LocalHistory();
    const cost = () => {
      written = 0;
      for (let event = 0; event < 400; event += 1) {
        store.append("ann", [{ record: "event", event: "order.placed", date: "2026-10-26T09:00:00Z" }]);
      }
      return written;
    };
    const first = cost();
    for (let round = 0; round < 10; round += 1) cost();
    assert.equal(cost(), first);
  });
});
