// An app for the engine: it answers every effect immediately, and its clock moves only on request.
// `poprules simulate` does the same, so that a test has the same result here.
import { duration, date, moment, seconds } from "./time.js";

const key = (presentation) => `${presentation.task} ${presentation.turn}`;

export class Host {
  // `script` contains the beginning; see `Play` for its other parts.
  constructor(engine, bundle, script) {
    this.engine = engine;
    this.bundle = patched(bundle, script.patch);
    this.script = script;
    this.start = date(script.start);
    this.now = 0n;
    this.context = { ...(script.set ?? {}) };
    this.user = script.user ?? "";
    this.zone = script.zone ?? null;
    this.faults = new Map();
    this.stuck = new Set();
    this.histories = new Map();
    this.presented = new Map();
    // The popup on each screen, and the tasks that wait or show, each with its popup and scheduler.
    this.screens = new Map();
    this.tasks = new Map();
    this.log = [];
    for (const fault of script.faults ?? []) this.inject(fault.fault, fault.popup);
    this.open(script.history);
    this.begin();
  }

  open(history) {
    this.session?.close();
    const request = { bundle: this.bundle, start: moment(this.start, this.now), seed: this.script.seed ?? 0, user: this.user };
    if (history) request.history = history;
    this.session = this.engine.open(request);
    this.nextWake = null;
    this.presented.clear();
    this.screens.clear();
    this.tasks.clear();
  }

  close() { this.session?.close(); }

  begin() {
    if (this.zone !== null) this.handle({ input: "zoneChanged", zone: this.zone });
    for (const [popup, arm] of Object.entries(this.script.arms ?? {})) this.handle({ input: "forceArm", popup, arm });
    this.handle(Object.keys(this.context).length ? { input: "update", set: this.context } : { input: "update" });
    this.handle({ input: "started" });
  }

  get at() { return moment(this.start, this.now); }

  handle(input) {
    const inbox = [input];
    while (inbox.length) {
      const answer = this.session.handle([{ at: this.at, ...inbox.shift() }]);
      this.nextWake = answer.nextWake ?? null;
      for (const { effects } of answer.steps) {
        for (const effect of effects) {
          const reply = this.perform(effect);
          if (reply) inbox.push(reply);
        }
      }
    }
    this.remember(input);
  }

  advance(by) {
    const end = this.now + by;
    for (let count = 0; count < 100_000 && this.nextWake !== null; count += 1) {
      const wake = duration(this.nextWake);
      if (wake > end) break;
      if (wake > this.now) this.now = wake;
      this.handle({ input: "timePassed" });
    }
    this.now = end;
    this.handle({ input: "timePassed" });
  }

  // One thing that a step does.
  act(act) {
    this.log.push({ time: this.now, input: act.text });
    if (act.event) this.handle(act.event);
    else if (act.restart) this.restart();
    else if (act.fault) this.inject(act.fault, act.popup);
    else this.switchUser(act);
  }

  restart() {
    this.open(this.session.history());
    this.begin();
  }

  switchUser({ user, set, history }) {
    this.histories.set(this.user, this.session.history());
    this.user = user;
    if (set) this.context = { ...set };
    const past = this.histories.get(user) ?? history;
    this.handle({ input: "switchUser", user, ...(past ? { history: past } : {}), ...(set ? { context: set } : {}) });
  }

  inject(fault, popup) {
    if (fault === "hangDismissal") this.stuck.add(popup);
    else this.faults.set(popup, fault);
  }

  perform(effect) {
    const { presentation } = effect;
    const popup = presentation?.popup;
    switch (effect.effect) {
      case "askWillShow": {
        const fault = this.faults.get(popup);
        if (fault === "veto" || fault?.postpone) {
          this.faults.delete(popup);
          return { input: "answered", presentation, answer: fault === "veto" ? "cancel" : fault };
        }
        return { input: "answered", presentation, answer: "show" };
      }
      case "present": {
        this.presented.set(key(presentation), popup);
        const fault = this.faults.get(popup);
        this.faults.delete(popup);
        if (fault === "fail") return { input: "presentFailed", presentation, message: "the test made it fail" };
        if (fault === "hang") return null;
        this.screens.set(presentation.scheduler, {
          popup, variant: effect.variant, template: effect.template, content: effect.resolvedContent ?? effect.content,
        });
        return { input: "didPresent", presentation };
      }
      case "dismiss": {
        this.presented.delete(key(presentation));
        this.screens.delete(presentation.scheduler);
        return this.stuck.delete(popup) ? null : { input: "didDismiss", presentation };
      }
      case "emit":
        this.log.push({ time: this.now, told: effect.told });
        this.follow(effect.told);
        return null;
      default:
        return null;
    }
  }

  follow({ event, task, popup, scheduler }) {
    if (event === "queued") this.tasks.set(task, { task, popup, scheduler });
    else if (["dismissed", "discarded", "cancelled", "failed"].includes(event)) this.tasks.delete(task);
  }

  remember(input) {
    if (input.input === "update") {
      Object.assign(this.context, input.set ?? {});
      for (const name of input.unset ?? []) delete this.context[name];
    } else if (input.input === "reload") this.bundle = input.bundle;
    else if (input.input === "zoneChanged") this.zone = input.zone;
    else if (input.input === "forget") this.histories.delete(input.user);
  }

  explain(names) { return names.length ? this.session.explain(names, this.at) : []; }

  // Returns the explanations of popups as if these inputs came now; none of the inputs has an
  // effect.
  suppose(inputs, names) {
    return this.session.suppose(inputs.map((input) => ({ at: this.at, ...input })), names);
  }

  get elapsed() { return seconds(this.now); }
}

// Returns the text of a bundle with other values at some paths; numbers stay as written, because a
// checksum is made of them.
export function patched(bundle, patch) {
  if (!patch) return bundle;
  const exact = (text) => JSON.parse(text, (key, value, { source }) => (typeof value === "number" ? JSON.rawJSON(source) : value));
  const rules = exact(bundle);
  for (const { at, is } of patch) {
    let place = rules;
    for (const step of at.slice(0, -1)) place = place[step];
    place[at.at(-1)] = exact(is);
  }
  return JSON.stringify(rules);
}

// Plays a script to its end; its log is the output of `simulate --format jsonl`.
export function playedScript(engine, bundle, script) {
  const host = new Host(engine, bundle, script);
  for (const step of script.steps) playStep(host, step);
  return host;
}

export function playStep(host, step) {
  if (step.after) host.advance(duration(step.after));
  for (const act of step.does) host.act(act);
}
