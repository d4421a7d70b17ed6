// Popups of rules in a web app: the engine decides, a presenter of the app shows. The public
// functions are declared in poprules.d.ts.

import { Engine } from "./engine.js";
import { LocalHistory } from "./local-history.js";
import { fromEngine, toEngine } from "./values.js";

export { Engine, LocalHistory };

/** The time of the browser. */
const browserClock = {
  start: performance.now(),
  now() {
    const seconds = Math.max(0, performance.now() - this.start) / 1000;
    return { instant: `${seconds.toFixed(6)}s`, date: new Date().toISOString() };
  },
};

const instantForm = /^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h|d))+$/;
const dateForm = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
// The seconds by which a clock may go back without a mistake of its app: two sources of time differ a little.
const smallStep = 10;
// A century, in seconds.
const longestInstant = 100 * 366 * 86400;
const secondsOfUnit = { ns: 1e-9, us: 1e-6, "µs": 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600, d: 86400 };

// The milliseconds until a failed timer tries again.
const retryDelay = 1000;

// The longest time that setTimeout waits.
const longestTimeout = 2 ** 31 - 1;

// Events are stored once in this time; records that limits depend on, immediately.
const saveDelay = 1000;

// Returns true if a callback returned a promise, or anything that has `then`. Reading `then` may throw:
// `Promise.resolve` turns that into a rejection.
function isPromise(value) {
  try {
    return typeof value?.then === "function";
  } catch {
    return true;
  }
}

// The number of different mistakes that are reported: texts with a counter fill no log.
const mostReports = 200;

// The longest text of a mistake that is reported, in UTF-16 code units.
const longestText = 2000;

// Returns text for anything that an app threw or returned: its own conversion to text may throw as well.
// Halves of surrogate pairs, which the engine refuses, become U+FFFD.
function textOf(value) {
  const text = () => value instanceof Error ? String(value.message) : JSON.stringify(value) ?? String(value);
  const ways = [text, () => Object.prototype.toString.call(value), () => "something that has no text"];
  for (const way of ways) {
    try {
      return new TextDecoder().decode(new TextEncoder().encode(way().slice(0, longestText)));
    } catch {
      continue;
    }
  }
}

// The most reads of records in the search for those that can be read, beyond two reads of each record.
const mostReads = 150_000;
// The records that are read at a time in that search: a damaged record costs about two reads of so many.
const recordsAtATime = 256;

// The time that a store and `willShow` have for an answer: popups wait for it, and then continue without it.
const answerTime = 10_000;

// The time that a page has to be visible before it folds histories: until then, it may not yet see
// the writes of other tabs while it was frozen.
const foldDelay = 5000;
// Records of events and sessions, of which the last second may be lost with a tab that crashes.
const patientRecords = new Set(["event", "session", "sessionLeft", "occurrence"]);

/**
 * The popups of an app: passes events to the engine, and its decisions to a presenter.
 *
 * A mistake of the app, such as a callback that throws, is reported once (`reportError`), and popups
 * continue.
 */
export class Popups {
  #engine;
  #session;
  #bundle;
  #presenter;
  #store;
  #clock;
  /** When something was taken in last. */
  #time;
  /** The seconds by which the app's clock went back. */
  #lag = 0;
  #onEvent;
  #user;
  /** Inputs that were not taken yet; one with `wait` is a promise of an input. */
  #inbox = [];
  #isTaking = false;
  #timer;
  #ends = [];
  #reported = new Set();
  /** Records that are not kept yet, by user. */
  #unkept = new Map();
  #saveTimer;
  #foldTimer;
  /** Users whose histories cannot be read: nothing is written over them. */
  #unreadable = new Set();
  /** Writes that the store has not ended, by user; a write that takes too long has `isLate`. */
  #writes = new Map();
  /** Histories as a whole that the store does not have, by user. */
  #unsaved = new Map();
  /** Users whose `load` takes too long: it is not called again before it has ended. */
  #hanging = new Set();
  /** What this page knows of users who were here, if the store does not give it any more. */
  #left = new Map();

  constructor(engine, options) {
    const { bundle, presenter, user = "", store = new LocalHistory(), clock = browserClock } = options;
    const { seed = randomSeed(), zone = localZone(), context = {}, onEvent = () => {} } = options;
    const isStore = typeof store?.load === "function" && typeof (store.append ?? store.save) === "function";
    if (!isStore) throw new TypeError("`store` needs the functions `load` and either `append` or `save`");
    this.#engine = engine;
    this.#bundle = bundle;
    this.#presenter = presenter;
    this.#store = store;
    this.#clock = clock;
    this.#onEvent = onEvent;
    this.#user = user;
    this.#time = timeOf(clock);
    const opening = { bundle, start: this.#time, seed, user };
    const kept = this.#load(user);
    const isLate = isPromise(kept);
    this.#session = this.#open(opening, isLate ? {} : kept);
    if (isLate) {
      const change = (kept) => ({ input: "historyChanged", ...kept });
      this.#inbox.push({ wait: Promise.resolve(kept).then(change) });
    }
    try {
      this.#followPage();
      this.#take({ input: "zoneChanged", zone }, { input: "update", set: values(context) });
    } catch (error) {
      this.stop();
      throw error;
    }
  }

  /** Lets popups show: the triggers `start` fire. */
  start() {
    this.#take({ input: "started" });
  }

  /** Sets context keys; one whose value is undefined has none any more. */
  update(context) {
    const unset = Object.keys(context).filter((key) => context[key] === undefined);
    const set = Object.entries(context).filter(([, value]) => value !== undefined);
    this.#take({ input: "update", set: values(Object.fromEntries(set)), unset });
  }

  /** Tells that an event happened. */
  send(event, payload = {}) {
    this.#take({ input: "send", event, payload: values(payload) });
  }

  /** Asks for a popup, whose conditions and caps hold all the same. */
  enqueue(popup) {
    this.#take({ input: "enqueue", popup });
  }

  /** Takes a popup away, or drops it while it waits. */
  dismiss(popup) {
    this.#take({ input: "dismiss", popup });
  }

  /** Reports that a user closed the popup that shows. */
  userClosed(popup) {
    this.#take({ input: "userClosed", popup });
  }

  /**
   * Reports that a user used an action of the popup that shows; this ends the popup unless it
   * stays.
   */
  acted(popup, action, { stays = false } = {}) {
    this.#take({ input: "acted", popup, action, stays });
  }

  /** Shows nothing new until `resume`, for one who asks for it by a name of their own. */
  suspend(by) {
    this.#take({ input: "suspend", by });
  }

  resume(by) {
    this.#take({ input: "resume", by });
  }

  /** Another user is there, with a history and a context of their own. */
  switchUser(user, context = {}) {
    // Events from before, which wait, belong to the other user: the history is loaded only after
    // them.
    const set = values(context);
    this.#take({ loads: user, input: (kept) => ({ input: "switchUser", user, ...kept, context: set }) });
  }

  /** Returns the reasons that popups show or do not. */
  explain(...popups) {
    if (this.#session === undefined) throw new Error("`explain` was called after `stop`");
    return this.#session.explain(popups, this.#now());
  }

  /** Stops: popups on the screen are left to the presenter. Can be called again. */
  stop() {
    this.#keep({ isLast: true });
    // The store may call `stop`, too.
    if (this.#session === undefined) return;
    clearTimeout(this.#timer);
    clearTimeout(this.#saveTimer);
    clearTimeout(this.#foldTimer);
    for (const end of this.#ends) this.#guarded("end of follow", end);
    this.#ends = [];
    this.#inbox = [];
    this.#session.close();
    this.#session = undefined;
  }

  // -- histories

  /** The `history` of a user and the `records` after it, or a promise of both. */
  #load(user) {
    const keeps = typeof this.#store.append === "function";
    const failed = (error) => {
      this.#report("load of the store", error);
      this.#unreadable.add(user);
      const history = this.#unsaved.get(user) ?? (user === this.#user ? undefined : this.#left.get(user));
      return history === undefined ? { isMissing: true } : { history, isWhole: true };
    };
    const found = (loaded) => {
      const kept = keeps ? keptOf(loaded) : { history: loaded ?? undefined };
      this.#unreadable.delete(user);
      return kept;
    };
    const writes = this.#writes.get(user)?.filter(({ isLate }) => !isLate) ?? [];
    if (writes.length > 0) return this.#written(writes).then(() => this.#load(user));
    // Newer than the history in the store.
    if (this.#unsaved.has(user) && !this.#unreadable.has(user)) {
      return { history: this.#unsaved.get(user), isWhole: true };
    }
    if (this.#hanging.has(user)) return failed(new Error("an earlier call has still not finished"));
    try {
      const loaded = this.#store.load(user);
      if (!isPromise(loaded)) return found(loaded);
      const isOver = () => this.#hanging.delete(user);
      const isLate = () => this.#hanging.add(user);
      Promise.resolve(loaded).then(isOver, isOver);
      return inTime(loaded, isLate).then(found).catch(failed);
    } catch (error) {
      return failed(error);
    }
  }

  /** Waits until writes have ended, or take too long. */
  #written(writes) {
    return inTime(Promise.all(writes.map(({ end }) => end))).catch((error) => {
      this.#report("write of the store", error);
      for (const write of writes) write.isLate = true;
    });
  }

  /** Opens a session; without the stored data if that cannot be read. */
  #open(opening, kept) {
    if (kept.history === undefined && !kept.records?.length) return this.#engine.open(opening);
    try {
      return this.#engine.open({ ...opening, ...kept });
    } catch (error) {
      this.#engine.open(opening).close(); // Throws what is wrong with the bundle.
      this.#cannotRead(opening.user, error);
      return this.#engine.open({ ...opening, ...this.#readable(kept, opening) });
    }
  }

  #cannotRead(user, error) {
    this.#report("history of the user", error);
    this.#unreadable.add(user);
  }

  /** The history if it can be read, and the records that can be read after it. */
  #readable({ history, records = [] }, opening) {
    const { start: at } = opening;
    const session = this.#engine.open(opening);
    let readsLeft = mostReads + 2 * records.length;
    const canRead = (part) => {
      readsLeft -= part.records?.length ?? 1;
      if (readsLeft < 0) return false;
      try {
        session.handle([{ at, input: "historyChanged", ...part }]);
        return true;
      } catch {
        return false;
      }
    };
    const parts = (records) => {
      if (records.length === 0 || canRead({ records })) return records;
      if (records.length === 1) return [];
      const size = records.length > recordsAtATime ? recordsAtATime : Math.ceil(records.length / 2);
      const found = [];
      for (let start = 0; start < records.length; start += size) {
        found.push(...parts(records.slice(start, start + size)));
      }
      return found;
    };
    try {
      const readable = {
        history: history !== undefined && canRead({ history }) ? history : undefined, records: parts(records),
      };
      if (readsLeft < 0) this.#report("history of the user", "too many records are damaged, so readable records were lost too");
      return readable;
    } finally {
      session.close();
    }
  }

  #record(effect) {
    const { user, record } = effect;
    const records = this.#unkept.get(user) ?? [];
    records.push(record);
    this.#unkept.set(user, records);
    return !patientRecords.has(record.record);
  }

  /** Passes unsaved records to the store; later while the store loads, unless the page may end. */
  #keep({ isLast = false } = {}) {
    clearTimeout(this.#saveTimer);
    this.#saveTimer = undefined;
    if (this.#session === undefined || this.#unkept.size === 0) return;
    if (!isLast && this.#inbox[0]?.isAwaited) return this.#keepSoon();
    const unkept = this.#unkept;
    this.#unkept = new Map();
    for (const [user, records] of unkept) {
      if (typeof this.#store.append === "function") {
        // With the next ones, if it fails.
        const failed = () => {
          this.#unkept.set(user, [...records, ...(this.#unkept.get(user) ?? [])]);
        };
        this.#write("append of the store", { user, records }, () => this.#store.append(user, records), failed);
      } else if (this.#unreadable.has(user)) {
        // Once the history can be loaded, they count in addition to it.
        this.#unkept.set(user, records);
      } else if (user === this.#user) {
        const history = this.#session.history();
        this.#unsaved.set(user, history);
        this.#save(user, history);
      }
    }
  }

  #save(user, history) {
    const done = () => {
      // Unless a newer one failed.
      if (this.#unsaved.get(user) === history) this.#unsaved.delete(user);
    };
    this.#write("save of the store", { user, records: [] }, () => this.#store.save(user, history), () => {}, done);
  }

  /** Lets the store write something of a user; nothing of that user is loaded before it has. */
  #write(name, { user, records }, action, failed, done = () => {}) {
    const write = { records, isLate: false };
    const ended = (next) => () => {
      const others = this.#writes.get(user)?.filter((other) => other !== write) ?? [];
      if (others.length > 0) this.#writes.set(user, others);
      else this.#writes.delete(user);
      next();
    };
    write.end = this.#attempted(name, action, ended(failed), ended(done));
    if (write.end !== undefined) this.#writes.set(user, [...(this.#writes.get(user) ?? []), write]);
  }

  #keepSoon() {
    this.#saveTimer ??= setTimeout(() => this.#keep(), saveDelay);
  }

  /** Returns a promise, which is never rejected, if the action did. */
  #attempted(name, action, failed = () => {}, done = () => {}) {
    const end = (error) => {
      this.#report(name, error);
      failed();
    };
    try {
      const result = action();
      if (isPromise(result)) return Promise.resolve(result).then(done, end);
    } catch (error) {
      end(error);
      return undefined;
    }
    done();
    return undefined;
  }

  /**
   * Takes the records that another tab has stored for the current user, or for the user after the
   * waiting inputs.
   */
  #reload(user) {
    const isAwaited = this.#inbox.some(({ loads, waitsFor }) => loads === user || waitsFor === user);
    if (user !== this.#user && !isAwaited) return;
    this.#take({
      loads: null,
      input: (kept, current) => {
        const isRight = current === user && !kept.isMissing && !this.#unsaved.has(user);
        return isRight ? { input: "historyChanged", ...kept } : { input: "timePassed" };
      },
    });
  }

  /** Lets the store shorten its data, once the page has been visible for a while. */
  #foldSoon() {
    clearTimeout(this.#foldTimer);
    if (typeof this.#store.fold !== "function") return;
    this.#foldTimer = setTimeout(() => {
      this.#keep();
      const user = this.#user;
      if (this.#session === undefined) return;
      if (this.#unreadable.has(user)) return this.#foldSoon();
      this.#attempted("fold of the store", () => this.#store.fold(user, (kept) => {
        // Without inputs: it contains only the stored data.
        const session = this.#engine.open({ bundle: this.#bundle, start: this.#now(), user, ...kept });
        try {
          return session.history();
        } finally {
          session.close();
        }
      }));
      this.#foldSoon();
    }, foldDelay);
  }

  // -- inputs and effects

  /**
   * Takes one input after the other; those that effects lead to come after those that were there
   * before. An input that cannot be read changes nothing: the first one given here is thrown to the
   * caller, any other is reported.
   */
  #take(...inputs) {
    if (this.#session === undefined) return;
    this.#inbox.push(...inputs);
    if (this.#isTaking) return;
    this.#isTaking = true;
    let failure;
    let last;
    try {
      while (this.#session !== undefined && this.#inbox.length > 0) {
        let input = this.#inbox[0];
        const isFirst = input === inputs[0];
        if (input.loads !== undefined) input = this.#inbox[0] = this.#loaded(input);
        if (this.#session === undefined) break;
        if (input.wait !== undefined) {
          this.#await(input);
          break;
        }
        this.#inbox.shift();
        try {
          last = this.#handle(input);
        } catch (error) {
          if (input.otherwise !== undefined) this.#inbox.unshift(input.otherwise);
          if (isFirst && input.otherwise === undefined) failure ??= error;
          else this.#report(`input \`${input.input}\``, error);
          continue;
        }
        if (input.input === "switchUser") this.#user = input.user;
        this.#performAll(last.steps[0].effects);
      }
    } finally {
      this.#isTaking = false;
    }
    if (this.#session !== undefined && last !== undefined) this.#wakeAt(last.nextWake);
    if (failure !== undefined) throw failure;
  }

  /** An input with the history of a user, or of the one who is there by then; or one that waits for it. */
  #loaded({ loads, input }) {
    this.#keep();
    const user = loads ?? this.#user;
    if (user !== this.#user && this.#session !== undefined) this.#left.set(this.#user, this.#session.history());
    const kept = this.#load(user);
    // With the records that could not be stored, or whose writes take too long.
    const whole = ({ isWhole, ...kept }) => {
      if (isWhole) return input(kept, user);
      const late = (this.#writes.get(user) ?? []).flatMap(({ records, isLate }) => (isLate ? records : []));
      const unkept = [...late, ...(this.#unkept.get(user) ?? [])];
      return input(unkept.length === 0 ? kept : { ...kept, records: [...(kept.records ?? []), ...unkept] }, user);
    };
    return isPromise(kept) ? { wait: Promise.resolve(kept).then(whole), waitsFor: user } : whole(kept);
  }

  /** The time; as it was when the app's clock throws or returns no time, which is reported. */
  #now() {
    const time = this.#guarded("clock", () => timeOf(this.#clock));
    if (time !== undefined) this.#time = this.#ascending(time);
    return this.#time;
  }

  /**
   * Returns the time, which never goes back: popups would wait until the clock catches up. After a small step
   * back the time stops for as long, after a large one it continues from where it was.
   */
  #ascending(time) {
    const last = seconds(this.#time.instant);
    let next = seconds(time.instant) + this.#lag;
    if (last - next > smallStep) {
      this.#report("clock", new RangeError("the time went back by more than ten seconds; popups continue from the earlier time"));
      this.#lag += last - next;
      next = last;
    }
    if (next >= longestInstant) return this.#time;
    if (this.#lag === 0 && next >= last) return time;
    return { ...time, instant: secondsText(Math.max(next, last)) };
  }

  /**
   * Returns the engine's answer; for a user whose history cannot be read, with the readable part of
   * it.
   */
  #handle({ history, records, isMissing, otherwise, ...input }) {
    const at = this.#now();
    const user = input.user ?? this.#user;
    // A clock may call `stop`.
    if (this.#session === undefined) return { steps: [{ effects: [] }] };
    if (history === undefined && records === undefined) return this.#session.handle([{ at, ...input }]);
    try {
      return this.#session.handle([{ at, ...input, history, records }]);
    } catch (error) {
      const readable = this.#readable({ history, records }, { bundle: this.#bundle, start: at, user });
      const answer = this.#session.handle([{ at, ...input, ...readable }]); // Throws what is wrong with the input.
      this.#cannotRead(user, error);
      return answer;
    }
  }

  /** Goes on once a promise of an input is kept. */
  #await(waiting) {
    if (waiting.isAwaited) return;
    waiting.isAwaited = true;
    const goOn = (...inputs) => {
      if (this.#inbox[0] !== waiting) return;
      this.#inbox.splice(0, 1, ...inputs);
      this.#take();
    };
    waiting.wait.then(goOn, (error) => {
      this.#report("store", error);
      goOn();
    });
  }

  /** Records are kept before anything shows: a crash exceeds no cap. */
  #performAll(effects) {
    let isUrgent = false;
    let hasRecorded = false;
    for (const effect of effects) {
      if (effect.effect !== "record") continue;
      hasRecorded = true;
      isUrgent = this.#record(effect) || isUrgent;
    }
    if (isUrgent) this.#keep();
    else if (hasRecorded) this.#keepSoon();
    for (const effect of effects) {
      // A callback may have called `stop`.
      if (this.#session !== undefined) this.#perform(effect);
    }
  }

  #perform(effect) {
    switch (effect.effect) {
      case "askWillShow":
        this.#askWillShow(effect);
        break;
      case "present":
        this.#present(effect);
        break;
      case "dismiss":
        this.#follow(
          "dismiss of the presenter", () => this.#presenter.dismiss(effect.presentation.popup),
          { input: "didDismiss", presentation: effect.presentation });
        break;
      case "emit":
        if (effect.told.event === "rejected") this.#warn(effect.told);
        this.#attempted("onEvent", () => this.#onEvent(effect.told));
        break;
      case "record":
        break;
    }
  }

  /** Calls `willShow`; if it fails or takes too long, the popup shows, as without a `willShow`. */
  #askWillShow({ presentation, variant }) {
    const name = "willShow of the presenter";
    const answered = { input: "answered", presentation };
    // Only the engine notices a time that cannot be read.
    const reply = (answer) => this.#take({
      ...answered, answer: this.#readAnswer(answer, name), otherwise: { ...answered, answer: "show" },
    });
    const answer = this.#guarded(name, () => this.#presenter.willShow?.(presentation.popup, variant));
    if (!isPromise(answer)) {
      reply(answer);
      return;
    }
    inTime(answer).then(reply, (error) => {
      this.#report(name, error);
      reply("show");
    });
  }

  #readAnswer(answer, name) {
    if (answer === undefined || answer === "show" || answer === "cancel") return answer ?? "show";
    const { postpone } = this.#guarded(name, () => ({ ...answer })) ?? {};
    if (typeof postpone === "string" && textOf(answer) === JSON.stringify({ postpone })) return { postpone };
    this.#report(name, new TypeError(
      `it returned ${textOf(answer)}; return "show", "cancel" or { postpone: "30s" }`));
    return answer === false ? "cancel" : "show";
  }

  #present({ presentation, template, variant, content, resolvedContent = content }) {
    const { popup, scheduler } = presentation;
    const shown = { popup, scheduler, template, variant, content: fromEngine(resolvedContent) };
    this.#follow(
      "present of the presenter", () => this.#presenter.present(shown, this),
      { input: "didPresent", presentation },
      (error) => ({ input: "presentFailed", presentation, message: textOf(error) }));
  }

  /** Reports to the engine that the presenter is done, immediately or later. */
  #follow(name, action, done, failed = () => done) {
    const end = (error) => {
      this.#report(name, error);
      this.#take(failed(error));
    };
    let result;
    try {
      result = action();
    } catch (error) {
      end(error);
      return;
    }
    if (isPromise(result)) Promise.resolve(result).then(() => this.#take(done), end);
    else this.#take(done);
  }

  // -- mistakes of the app

  /** Returns the result of a callback of the app; undefined if it throws, which is reported. */
  #guarded(name, action) {
    try {
      return action();
    } catch (error) {
      this.#report(name, error);
      return undefined;
    }
  }

  /** Once for each callback and message: a mistake in a loop fills no log. */
  #report(name, error) {
    const message = `poprules: ${name}: ${typeof error === "string" ? error : textOf(error)}`;
    if (this.#reported.has(message) || this.#reported.size >= mostReports) return;
    this.#reported.add(message);
    const reported = new Error(message, { cause: error });
    if (typeof reportError === "function") reportError(reported);
    else console.error(reported);
  }

  /** Names that the rules do not have, and values that do not fit. */
  #warn(told) {
    const message = `poprules: rejected: ${JSON.stringify({ ...told, event: undefined })}`;
    if (this.#reported.has(message) || this.#reported.size >= mostReports) return;
    this.#reported.add(message);
    console.warn(message);
  }

  // -- time and the page

  #wakeAt(time) {
    clearTimeout(this.#timer);
    if (time === undefined) return;
    const wait = (seconds(time) - seconds(this.#now().instant)) * 1000;
    this.#timer = setTimeout(() => this.#passTime(), Math.min(Math.max(0, Math.ceil(wait)), longestTimeout));
  }

  /** Takes in that time has passed; tries again later if that fails. */
  #passTime() {
    try {
      this.#take({ input: "timePassed" });
    } catch (error) {
      this.#report("timer", error);
      if (this.#session !== undefined) this.#timer = setTimeout(() => this.#passTime(), retryDelay);
    }
  }

  /** A page that is not seen is an app in the background; another tab may count for caps. */
  #followPage() {
    if (typeof document === "undefined") return;
    const isHidden = () => document.visibilityState === "hidden";
    const changed = () => {
      this.#take({ input: isHidden() ? "background" : "foreground" });
      if (isHidden()) {
        this.#keep({ isLast: true });
        clearTimeout(this.#foldTimer);
      } else {
        this.#foldSoon();
      }
    };
    const left = () => this.#keep({ isLast: true });
    document.addEventListener("visibilitychange", changed);
    addEventListener("pagehide", left);
    this.#ends.push(() => {
      document.removeEventListener("visibilitychange", changed);
      removeEventListener("pagehide", left);
    });
    // The page was loaded in a background tab, or before a user goes to it.
    if (isHidden()) this.#take({ input: "background" });
    else this.#foldSoon();
    const end = this.#guarded("follow of the store", () =>
      this.#store.follow?.((user) => {
        this.#reload(user);
      }));
    if (typeof end === "function") this.#ends.push(end);
  }
}

function values(object) {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, toEngine(value)]));
}

/** Returns the time of an app's clock; throws if it isn't a time. */
function timeOf(clock) {
  const { instant, date } = clock.now();
  const isTime = typeof instant === "string" && instantForm.test(instant) && seconds(instant) < longestInstant;
  // The engine reads neither days nor lower-case letters.
  if (isTime && isDate(date)) return { instant: instant.includes("d") ? secondsText(seconds(instant)) : instant, date: date.toUpperCase() };
  throw new TypeError("the clock returned a value that isn't a time; return, for example, `{ instant: \"1.5s\", date: \"2026-01-31T09:00:00Z\" }`");
}

/** Returns true for a date of RFC 3339 in the years 1 to 9999 of UTC; `Date.parse` also accepts 30 February and 24:00. */
function isDate(date) {
  const [, ...parts] = dateForm.exec(date) ?? [];
  if (typeof date !== "string" || parts.length === 0) return false;
  const [year, month, day, hour, minute, second, , offsetHour, offsetMinute] = parts.map((part) => Number(part ?? 0));
  const last = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  const isDay = year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= last;
  const isTime = hour < 24 && minute < 60 && second < 60 && offsetHour < 24 && offsetMinute < 60;
  if (!isDay || !isTime) return false;
  const utc = new Date(0);
  utc.setUTCFullYear(year, month - 1, day);
  utc.setUTCHours(hour, minute - (parts[6] === "-" ? -1 : 1) * (offsetHour * 60 + offsetMinute), second);
  return utc.getUTCFullYear() >= 1 && utc.getUTCFullYear() <= 9999;
}

/** Returns what a store that keeps records has loaded; throws if it has another form. */
function keptOf(loaded) {
  if (loaded === undefined || loaded === null) return {};
  const { history, records } = loaded;
  const isKept = typeof loaded === "object" && (history !== undefined || records !== undefined || Object.keys(loaded).length === 0);
  if (!isKept || Array.isArray(loaded) || loaded instanceof Map) {
    throw new TypeError(`it returned ${textOf(loaded)}; return { history, records }`);
  }
  if (!Array.isArray(records ?? [])) throw new TypeError(`it returned records that are not an array: ${textOf(records)}`);
  return { history: history ?? undefined, records: records ?? undefined };
}

/** A promise that is rejected if another one takes too long. */
function inTime(promise, isLate = () => {}) {
  return new Promise((resolve, reject) => {
    const late = () => {
      isLate();
      reject(new Error(`it did not finish within ${answerTime / 1000} s`));
    };
    const timer = setTimeout(late, answerTime);
    Promise.resolve(promise).then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Returns the seconds of a duration such as `1m0.2s`; the engine itself refuses invalid ones. */
function seconds(duration) {
  let sum = 0;
  for (const [, number, unit] of String(duration).matchAll(/([\d.]+)([a-zµ]+)/g)) {
    sum += Number(number) * (secondsOfUnit[unit] ?? 0);
  }
  return sum;
}

function secondsText(number) {
  return `${number.toFixed(6)}s`;
}

function localZone() {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Whole numbers of JSON are exact up to 53 bits. */
function randomSeed() {
  return Math.floor(Math.random() * 2 ** 53);
}
