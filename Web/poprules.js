// Popups of rules in a web app: the engine decides, a presenter of the app shows.
// What there is to call is declared in poprules.d.ts.

import { Engine } from "./engine.js";
import { fromEngine, toEngine } from "./values.js";

export { Engine };

/** Keeps what is known of users, such as how often they saw a popup, in the browser. */
export class LocalHistory {
  #prefix;

  constructor(prefix = "poprules.history.") {
    this.#prefix = prefix;
  }

  load(user) {
    try {
      return JSON.parse(localStorage.getItem(this.#prefix + user)) ?? undefined;
    } catch {
      return undefined; // Written by something else, or storage is forbidden: as for a new user.
    }
  }

  save(user, history) {
    try {
      localStorage.setItem(this.#prefix + user, JSON.stringify(history));
    } catch {
      // Storage is full or forbidden: caps count until the page is left.
    }
  }

  /** Calls `changed` when another tab has saved the history of a user. */
  follow(changed) {
    const listener = ({ key, newValue }) => {
      if (key?.startsWith(this.#prefix) && newValue !== null) changed(key.slice(this.#prefix.length));
    };
    addEventListener("storage", listener);
    return () => removeEventListener("storage", listener);
  }
}

/** The time of the browser. */
const browserClock = {
  start: performance.now(),
  now() {
    const seconds = Math.max(0, performance.now() - this.start) / 1000;
    return { instant: `${seconds.toFixed(6)}s`, date: new Date().toISOString() };
  },
};

// The longest time that setTimeout waits.
const longestTimeout = 2 ** 31 - 1;

/** The popups of an app: takes what happens to the engine, and what that decides to a presenter. */
export class Popups {
  #session;
  #presenter;
  #store;
  #clock;
  #onEvent;
  #user;
  #inbox = [];
  #isTaking = false;
  #timer;
  #ends = [];

  constructor(engine, options) {
    const { bundle, presenter, user = "", store = new LocalHistory(), clock = browserClock } = options;
    const { seed = randomSeed(), zone = localZone(), context = {}, onEvent = () => {} } = options;
    this.#presenter = presenter;
    this.#store = store;
    this.#clock = clock;
    this.#onEvent = onEvent;
    this.#user = user;
    this.#session = engine.open({
      bundle, start: clock.now(), seed, user, history: this.#history(user),
    });
    this.#followPage();
    this.#take({ input: "zoneChanged", zone }, { input: "update", set: values(context) });
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

  /** A person closed the popup that shows. */
  userClosed(popup) {
    this.#take({ input: "userClosed", popup });
  }

  /** A person used an action of the popup that shows; it ends by that unless it stays. */
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
    this.#user = user;
    this.#take({
      input: "switchUser", user, history: this.#history(user) ?? {}, context: values(context),
    });
  }

  /** Why popups show or do not. */
  explain(...popups) {
    return this.#session.explain(popups, this.#clock.now());
  }

  /** Ends: what shows is left to the presenter. */
  stop() {
    clearTimeout(this.#timer);
    for (const end of this.#ends) end();
    this.#ends = [];
    this.#session.close();
    this.#session = undefined;
  }

  #history(user) {
    return this.#store.load(user);
  }

  /** One input after the other, those that effects lead to behind those that came before. */
  #take(...inputs) {
    if (this.#session === undefined) return;
    this.#inbox.push(...inputs);
    if (this.#isTaking) return;
    this.#isTaking = true;
    try {
      let answer;
      let hasRecorded = false;
      for (let input; (input = this.#inbox.shift()); ) {
        answer = this.#session.handle([{ at: this.#clock.now(), ...input }]);
        for (const effect of answer.steps[0].effects) {
          hasRecorded ||= effect.effect === "record";
          this.#perform(effect);
        }
        // Before another user's input is taken.
        if (hasRecorded) this.#save();
        hasRecorded = false;
      }
      this.#wakeAt(answer?.nextWake);
    } finally {
      this.#inbox = [];
      this.#isTaking = false;
    }
  }

  #save() {
    this.#store.save(this.#user, this.#session.history());
  }

  #perform(effect) {
    switch (effect.effect) {
      case "askWillShow": {
        const { presentation } = effect;
        const answer = this.#presenter.willShow?.(presentation.popup, effect.variant) ?? "show";
        this.#take({ input: "answered", presentation, answer });
        break;
      }
      case "present":
        this.#present(effect);
        break;
      case "dismiss":
        this.#follow(
          () => this.#presenter.dismiss(effect.presentation.popup),
          { input: "didDismiss", presentation: effect.presentation });
        break;
      case "emit":
        this.#onEvent(effect.told);
        break;
      case "record":
        break;
    }
  }

  #present({ presentation, template, variant, content, resolvedContent = content }) {
    const { popup, scheduler } = presentation;
    const shown = { popup, scheduler, template, variant, content: fromEngine(resolvedContent) };
    this.#follow(
      () => this.#presenter.present(shown, this), { input: "didPresent", presentation },
      (error) => ({ input: "presentFailed", presentation, message: String(error?.message ?? error) }));
  }

  /** Tells the engine once the presenter is done, at once or later. */
  #follow(action, done, failed = () => done) {
    let result;
    try {
      result = action();
    } catch (error) {
      this.#take(failed(error));
      return;
    }
    if (typeof result?.then === "function") {
      result.then(() => this.#take(done), (error) => this.#take(failed(error)));
    } else {
      this.#take(done);
    }
  }

  #wakeAt(time) {
    clearTimeout(this.#timer);
    if (time === undefined) return;
    const wait = (parseFloat(time) - parseFloat(this.#clock.now().instant)) * 1000;
    this.#timer = setTimeout(
      () => this.#take({ input: "timePassed" }), Math.min(Math.max(0, Math.ceil(wait)), longestTimeout));
  }

  /** A page that is not seen is an app in the background; another tab may count for caps. */
  #followPage() {
    if (typeof document === "undefined") return;
    const changed = () =>
      this.#take({ input: document.visibilityState === "hidden" ? "background" : "foreground" });
    document.addEventListener("visibilitychange", changed);
    this.#ends.push(() => document.removeEventListener("visibilitychange", changed));
    const end = this.#store.follow?.((user) => {
      if (user === this.#user) {
        this.#take({ input: "historyChanged", history: this.#history(user) ?? {} });
      }
    });
    if (end !== undefined) this.#ends.push(end);
  }
}

function values(object) {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, toEngine(value)]));
}

function localZone() {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Whole numbers of JSON are exact up to 53 bits. */
function randomSeed() {
  return Math.floor(Math.random() * 2 ** 53);
}
