// Playing: a phone with the app's screens, its context, its clock; who waits and why.
import { h, fill, marked, copyButton } from "./dom.js";
import { text, typed, read, same, plain, double } from "../values.js";
import { duration, durationWords, fromSeconds, seconds, span, date, dateWords, localWords, readSpan } from "./time.js";
import { Host, playStep } from "./host.js";
import { loadEngine } from "./engine-bytes.js";
import { preview, kindOf } from "./preview.js";
import { timeline } from "./timeline.js";
import { couldShow, smallestChanges, changeWords, triggerActs, namesIn, timeLeft } from "./whynot.js";
import { recordedView } from "./recorded.js";
import { testFile } from "./record.js";
import { armOf, armWords, isHeldOut, rolloutOf } from "./assignment.js";
import { unique } from "./model.js";

const begin = "2026-11-20T09:00:00Z";
const millisecond = 10n ** 15n;
// The most popups that are explained without a request, lines of the log, and points in time that
// are drawn.
const [mostExplained, mostLines, mostMoments] = [24, 200, 40];

export class PlayView {
  constructor(page) {
    this.page = page;
    this.host = null;
    this.script = { start: begin, set: {}, steps: [] };
    this.title = null;
    this.next = null;
    this.opened = new Set();
    this.items = new Map();
    this.changes = new Map();
    this.root = h("div", {});
  }

  get model() { return this.page.model; }

  // Loads a test: its steps are played one after the other, on request.
  load(script, title) {
    this.title = title;
    this.next = script.steps.map((step) => step);
    this.script = { ...script, steps: [] };
    this.restartAll();
    if (this.next.length && !this.next[0].after && !this.next[0].does.length) this.next.shift();
    this.saveAddress();
  }

  rulesChanged() {
    if (this.host) this.restartAll();
  }

  // Plays everything from the beginning.
  restartAll() {
    this.host?.close();
    this.host = null;
    this.seen = [];
    this.changes.clear();
    this.items.clear();
    if (!this.engine) return;
    try {
      this.host = new Host(this.engine, this.model.bundle, this.script);
      this.look();
      for (const step of this.script.steps) {
        playStep(this.host, step);
        this.look();
      }
      this.problem = null;
    } catch (error) {
      this.problem = error.message;
    }
  }

  // Records the popups on the screens now, for the test that is recorded.
  look() {
    this.seen.push(Object.fromEntries(this.model.lanes.map((lane) => [lane, this.host.screens.get(lane)?.popup ?? null])));
  }

  step(step) {
    this.changes.clear();
    try {
      this.script.steps.push(step);
      playStep(this.host, step);
      this.look();
    } catch (error) {
      this.script.steps.pop();
      this.restartAll();
      this.problem = error.message;
    }
    this.saveAddress();
    this.drawParts();
  }

  act(...acts) { this.step({ does: acts }); }

  setKey(name, value) {
    if (value === undefined) this.act({ text: `unset ${name}`, event: { input: "update", unset: [name] } });
    else this.act({ text: `set ${name} = ${text(value)}`, event: { input: "update", set: { [name]: value } } });
  }

  // Lets time pass, whole milliseconds, since tests count in these.
  wait(least) {
    const time = ((least + millisecond - 1n) / millisecond) * millisecond;
    if (time > 0n) this.step({ after: durationWords(time), does: [] });
  }

  undo() {
    const step = this.script.steps.pop();
    if (this.next && step) this.next.unshift(step);
    this.restartAll();
    this.saveAddress();
    this.drawParts();
  }

  startOver(changes = {}) {
    this.script = { ...this.script, ...changes, steps: [] };
    this.next = null;
    this.title = null;
    this.restartAll();
    this.saveAddress();
    this.drawParts();
  }

  saveAddress() {
    const { query } = this.page.address;
    const all = { ...query, s: JSON.stringify(this.script) };
    if (this.script.steps.length === 0 && Object.keys(this.script.set ?? {}).length === 0) delete all.s;
    this.saved = all.s ?? null;
    if (this.page.address.view === "play") history.replaceState(null, "", `#play?${new URLSearchParams(all)}`);
  }

  draw(address) {
    if (!this.page.hasEngine) return recordedView(this.page, address);
    if (address.query.s && address.query.s !== this.saved) this.takeAddress(address.query.s);
    if (address.query.see) this.opened.add(address.query.see);
    if (!this.engine) {
      loadEngine().then((engine) => {
        this.engine = engine;
        this.restartAll();
        this.drawParts();
      }, (error) => fill(this.root, h("p", { class: "bad", role: "alert" }, `The engine cannot start here: ${error.message}`)));
      return fill(this.root, h("p", { class: "empty" }, "starting the engine …"));
    }
    if (!this.host) this.restartAll();
    this.build();
    return this.root;
  }

  takeAddress(words) {
    try {
      const script = JSON.parse(words);
      if (typeof script.start !== "string" || !Array.isArray(script.steps)) return;
      this.script = script;
      this.saved = words;
      this.next = null;
      if (this.engine) this.restartAll();
    } catch {
      // An address that was cut off starts from the beginning.
    }
  }

  build() {
    this.parts = { phone: h("div", {}), now: h("div", {}), begin: h("div", {}), acts: h("div", { class: "panel" }), context: h("div", { class: "panel context" }), divisions: h("div", { class: "panel" }), lanes: h("div", { class: "panel" }), why: h("div", { class: "panel" }), story: h("div", { class: "panel" }) };
    const { phone, now, begin, acts, context, divisions, lanes, why, story } = this.parts;
    this.status = h("p", { class: "away", role: "status" });
    fill(this.root, this.status, this.alert = h("div", { role: "alert" }),
      h("div", { class: "play" },
        h("div", {}, phone, h("div", { class: "panel" }, now, begin)),
        h("div", {}, context, acts, divisions),
        h("div", {}, lanes, why, story)));
    this.controls = null;
    this.begun = null;
    this.drawParts();
  }

  drawParts() {
    if (!this.parts) {
      if (this.page.address.view === "play") this.build();
      return;
    }
    fill(this.alert, this.problem && h("p", { class: "bad" }, this.problem));
    if (!this.host) return;
    const focus = document.activeElement?.dataset?.stay;
    this.drawPhone();
    this.drawClock();
    this.drawContext();
    this.drawDivisions();
    this.drawActs();
    this.drawLanes();
    this.drawWhy();
    this.drawStory();
    if (focus && document.activeElement?.dataset?.stay !== focus) this.root.querySelector(`[data-stay="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
    const shown = [...this.host.screens].map(([lane, { popup }]) => `${popup} on ${lane}`);
    this.status.textContent = shown.length ? `on the screen: ${shown.join(", ")}` : "nothing is on the screen";
  }

  get present() { return { ...this.model.defaults(), ...this.host.context }; }

  // MARK: the phone

  get screenKey() {
    const keys = this.model.rules.keys.filter((key) => key.type === "string" && key.allowedValues?.length > 1);
    return keys.find((key) => /(^|[._])(screen|page|view|route)$/.test(key.name)) ?? keys.find((key) => key.isMomentary);
  }

  drawPhone() {
    const key = this.screenKey;
    const value = key && this.present[key.name];
    const now = this.host.start + this.host.now / 1_000_000_000n;
    const time = new Date(Number(now / 1_000_000n));
    const local = localWords(now, this.host.zone);
    const lanes = this.model.lanes.filter((lane) => this.host.screens.has(lane));
    fill(this.parts.phone, h("div", { class: "phone", role: "group", "aria-label": "phone" },
      h("div", { class: "clock" }, local ? h("span", {}, local) : [h("span", {}, `${time.toISOString().slice(11, 19)} UTC`), h("span", {}, time.toISOString().slice(0, 10))]),
      h("div", { class: "app" }, h("div", {}, key ? text(value ?? "") : "the app"), !lanes.length && h("small", {}, "no popup")),
      this.stage(lanes)),
    key && h("div", { class: "tabs", role: "group", "aria-label": key.name }, key.allowedValues.map((one) => h("button", {
      type: "button", "data-stay": `screen ${text(one)}`, "aria-pressed": same(one, value) ? "true" : "false", onclick: () => this.setKey(key.name, one),
    }, text(one)))));
  }

  // Draws the screens, from the top: banners, tips, toasts, and popups that fill the rest.
  stage(lanes) {
    const order = ["banner", "tip", "toast", "sheet", "full"];
    const shown = lanes.map((lane) => {
      const one = this.host.screens.get(lane);
      const content = plain(one.content ?? { $map: [] });
      return { ...one, lane, content, kind: kindOf(one.template, content) };
    }).sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
    const before = this.onStage ?? new Set();
    this.onStage = new Set(shown.map((one) => `${one.lane} ${one.popup}`));
    return h("div", { class: "stage" }, shown.map((one) => h("div", {
      class: `layer ${one.kind}${before.has(`${one.lane} ${one.popup}`) ? "" : " new"}`,
    }, preview(this.model, one, { content: one.content, act: (role) => this.use(one, role) }))));
  }

  // A button of a popup is its first action, a second button its second; without actions it closes.
  use(shown, role) {
    const action = this.actions(shown)[role === "second" ? 1 : 0];
    if (action) this.actOn(shown.popup, action.name);
    else this.close(shown.popup);
  }

  actions(shown) {
    return this.model.templates.get(shown.template)?.actions ?? [];
  }

  close(popup) { this.act({ text: `close ${popup}`, event: { input: "userClosed", popup } }); }

  actOn(popup, action) { this.act({ text: `act ${action} in ${popup}`, event: { input: "acted", popup, action } }); }

  // MARK: the clock

  drawClock() {
    const { host } = this;
    const wake = host.nextWake === null ? null : duration(host.nextWake) - host.now;
    const field = h("input", { type: "text", size: 6, value: "5s", "aria-label": "time to let pass", "data-stay": "time" });
    const fault = h("small", { role: "status" });
    const go = () => {
      const time = readSpan(field.value);
      if (time !== undefined) return this.wait(fromSeconds(time));
      field.setAttribute("aria-invalid", "true");
      fault.textContent = "enter a duration such as 5s, 90m or 1h 30m";
    };
    fill(this.parts.now, h("h3", {}, "Time"),
      h("p", {}, `${span(host.elapsed, 4)} since the start, ${this.dateWords(host.start + host.now / 1_000_000_000n)}`),
      h("div", { class: "row" },
        h("button", { type: "button", class: "main", "data-stay": "next", disabled: wake === null, onclick: () => this.wait(wake > 0n ? wake : 1n) }, wake === null ? "no further change is planned" : `to the next change, in ${span(seconds(wake))}`)),
      h("div", { class: "row" }, [["1s", 1], ["10s", 10], ["1m", 60], ["1h", 3600], ["1d", 86400]].map(([words, number]) => h("button", { type: "button", "data-stay": `+${words}`, onclick: () => this.wait(fromSeconds(number)) }, `+${words}`)),
        field, h("button", { type: "button", "data-stay": "go", onclick: go }, "go"), fault));
    const begun = JSON.stringify([host.zone, this.script.start]);
    if (begun === this.begun) return;
    this.begun = begun;
    fill(this.parts.begin, this.zones(), this.beginning());
  }

  // In UTC, and as the device has it.
  dateWords(time) {
    return [dateWords(time), localWords(time, this.host.zone)].filter(Boolean).join(", ");
  }

  // The zone of the device, which `local` in the rules means.
  zones() {
    const own = this.host.zone ?? "UTC";
    const named = new Set([...this.model.zones, own]);
    return h("label", { class: "row" }, "time zone of the device ", h("select", {
      "data-stay": "zone", onchange: (event) => this.act({ text: `set_zone ${event.target.value}`, event: { input: "zoneChanged", zone: event.target.value } }),
    }, [...named].map((zone) => h("option", { selected: zone === own }, zone))));
  }

  beginning() {
    const field = h("input", { type: "text", value: this.script.start, "aria-label": "start date", "data-stay": "start" });
    return h("details", {}, h("summary", {}, "change the start"),
      h("div", { class: "row" }, field, h("button", { type: "button", onclick: () => {
        if (Number.isNaN(Date.parse(field.value))) return field.setAttribute("aria-invalid", "true");
        this.startOver({ start: new Date(field.value).toISOString().replace(".000Z", "Z") });
      } }, "start at this date")),
      h("div", { class: "row" },
        h("button", { type: "button", onclick: () => this.startOver({ set: { ...this.host.context } }) }, "start with this context"),
        h("button", { type: "button", onclick: () => this.startOver({ set: {}, start: begin, history: undefined, patch: undefined, arms: undefined, faults: undefined, zone: undefined, user: undefined, seed: undefined }) }, "start from scratch")),
      h("label", { class: "row" }, "start as ", h("select", { onchange: (event) => { const one = this.page.personas()[Number(event.target.value)]; if (one) this.startOver({ set: { ...one.set } }); } },
        h("option", { value: "" }, "choose …"), this.page.personas().map((one, index) => h("option", { value: index }, one.name)))));
  }

  // MARK: the context

  drawContext() {
    if (!this.controls) {
      this.controls = new Map();
      fill(this.parts.context, h("h3", {}, "Context"), this.model.rules.keys.map((key) => {
        const control = new Control(this, key);
        this.controls.set(key.name, control);
        return control.element;
      }));
    }
    for (const control of this.controls.values()) control.show(this.present[control.key.name], this.host.context[control.key.name] !== undefined);
  }

  // MARK: assignments

  // The keys that identify users, each with the parts that it divides.
  get divisions() {
    const { keys, popups, holdout } = this.model.rules;
    const found = new Map();
    const add = (key, what) => found.set(keys[key], [...(found.get(keys[key]) ?? []), what]);
    if (holdout) add(holdout.key, { holdout });
    for (const { id, rollout, experiment } of popups) {
      if (rollout) add(rollout.key, { id, rollout });
      if (experiment) add(experiment.assignment.key, { id, experiment });
    }
    return found;
  }

  // Returns the assignments of a user with this value of a key: [of which part, assignment,
  // reason].
  gets(key, value) {
    const now = this.host.start + this.host.now / 1_000_000_000n;
    return this.divisions.get(key).map(({ id, holdout, rollout, experiment }) => {
      if (holdout) return ["holdout", isHeldOut(holdout, value) ? "essential popups only" : "not in the holdout", `${holdout.percent}% of users are in the holdout`];
      if (rollout) {
        const { isIn, why } = rolloutOf(rollout, value, now);
        return [id, isIn ? "in the rollout" : "not in the rollout", why];
      }
      const { arm, why } = armOf(experiment.assignment, value);
      return [id, `variant: ${armWords(arm)}`, why];
    });
  }

  // The user of the page types an id, and sees the assignments of that id.
  drawDivisions() {
    const isForced = this.script.arms || this.script.patch;
    this.parts.divisions.hidden = this.divisions.size === 0;
    fill(this.parts.divisions, this.unfolded("divisions", "assigned variants", () => [
      isForced && h("p", {}, h("small", {}, "The played test sets its own assignments; these are the assignments of real users.")),
      [...this.divisions.keys()].map((key) => this.division(key)),
    ]));
  }

  division(key) {
    const rows = h("tbody", {});
    const note = h("span", { class: "note", role: "status" });
    const field = h("input", { type: "text", "aria-label": `${key.name} of a user`, value: this.typedIds?.get(key) ?? typed(this.present[key.name]), "data-stay": `division ${key.name}` });
    const value = () => read(field.value, key.type);
    const show = () => {
      try {
        fill(rows, this.gets(key, value()).map(([of, what, why]) => h("tr", {}, h("th", { scope: "row" }, of), h("td", {}, h("b", {}, what), " – ", marked(why)))));
        note.textContent = "";
      } catch (error) { note.textContent = error.message; }
    };
    field.addEventListener("input", () => { (this.typedIds ??= new Map()).set(key, field.value); show(); });
    show();
    return h("div", { class: "control" }, h("div", { class: "row" }, h("code", {}, key.name), field,
      h("button", { type: "button", onclick: () => { try { this.setKey(key.name, value()); } catch (error) { note.textContent = error.message; } } }, "use this value"), note),
      h("table", { class: "keys" }, h("caption", { class: "away" }, `assignments by ${key.name}`), rows));
  }

  // MARK: events

  drawActs() {
    const { events, popups } = this.model.rules;
    if (!this.eventForms) this.eventForms = new Map();
    const manual = popups.filter((popup) => (popup.triggers ?? []).some((trigger) => trigger.kind === "manual"));
    const on = [...this.host.screens.values()];
    const button = (words, act) => h("button", { type: "button", "data-stay": words, onclick: () => this.act({ text: words, ...act }) }, words);
    fill(this.parts.acts, h("h3", {}, "Actions"),
      on.length > 0 && h("div", {}, on.map((shown) => h("div", { class: "row" }, `${shown.popup}: `,
        h("button", { type: "button", "data-stay": `close ${shown.popup}`, onclick: () => this.close(shown.popup) }, "close"),
        this.actions(shown).map((action) => h("button", { type: "button", "data-stay": `act ${action.name}`, onclick: () => this.actOn(shown.popup, action.name) }, action.name)),
        button(`dismiss ${shown.popup}`, { event: { input: "dismiss", popup: shown.popup } })))),
      events.length > 0 && h("details", { open: this.eventsOpen ?? false, ontoggle: (event) => { this.eventsOpen = event.target.open; } }, h("summary", {}, "send an event"), events.map((event) => this.eventForm(event))),
      manual.length > 0 && h("details", { open: this.manualOpen ?? false, ontoggle: (event) => { this.manualOpen = event.target.open; } }, h("summary", {}, "enqueue a popup"), h("div", { class: "row" }, manual.map((popup) => button(`enqueue ${popup.id}`, { event: { input: "enqueue", popup: popup.id } })))),
      h("div", { class: "row" },
        button("restart", { restart: true }), button("begin_session", { event: { input: "beginSession" } }),
        button("background", { event: { input: "background" } }), button("foreground", { event: { input: "foreground" } })));
  }

  eventForm(event) {
    if (!this.eventForms.has(event.name)) {
      const fields = event.fields.map((field) => [field, h("input", { type: field.type === "bool" ? "checkbox" : "text", "aria-label": `${event.name} ${field.name}`, placeholder: field.type, size: 8 })]);
      const note = h("span", { class: "bad" });
      const send = () => {
        const payload = {};
        try {
          for (const [field, input] of fields) {
            if (field.type === "bool") payload[field.name] = input.checked;
            else if (input.value !== "") payload[field.name] = read(input.value, field.type);
          }
        } catch (error) { note.textContent = error.message; return; }
        note.textContent = "";
        this.act({ text: `send ${event.name}`, event: { input: "send", event: event.name, ...(Object.keys(payload).length ? { payload } : {}) } });
      };
      this.eventForms.set(event.name, h("div", { class: "row" }, h("button", { type: "button", "data-stay": `send ${event.name}`, onclick: send }, event.name),
        fields.map(([field, input]) => h("label", {}, `${field.name} `, input)), note));
    }
    return this.eventForms.get(event.name);
  }

  // MARK: the lanes in time

  drawLanes() {
    const { host } = this;
    const moments = unique(host.log.map((entry) => entry.time));
    const start = moments.length > mostMoments ? seconds(moments.at(-mostMoments)) : 0;
    const spans = this.spans().filter((one) => one.to >= start).map((one) => ({ ...one, from: Math.max(one.from, start) }));
    const marks = host.log.filter((entry) => entry.input).map((entry) => ({ time: seconds(entry.time), words: entry.input, kind: "input" })).filter((mark) => mark.time >= start);
    fill(this.parts.lanes, h("h3", {}, "Timeline"),
      spans.length ? timeline({ spans, marks, start, end: Math.max(host.elapsed, start + 1), label: "the popups on the screens" }) : h("p", { class: "empty" }, "No popup has shown or waited yet."),
      this.unfolded("log", "all events", () => h("ol", { class: "steps" }, host.log.slice(-mostLines).map((entry) => {
        const words = entry.input ? entry.input : this.words(entry.told);
        return words && h("li", { class: entry.input ? "input" : "" }, h("span", { class: "at" }, span(seconds(entry.time), 4)), h("span", {}, entry.input ? ">" : ""), h("span", {}, marked(words)));
      }))));
  }

  spans() {
    const { endings } = this.model.data.words;
    const spans = [];
    const open = new Map();
    const change = (told, time, kind) => {
      const last = open.get(told.task);
      if (last) {
        last.to = time;
        const gaveWay = told.event === "requeued" && last.kind === "shows";
        last.words ??= gaveWay ? "gives way" : told.reason && this.model.reason(told.reason);
        last.ending = endings[gaveWay ? "PREEMPTED" : told.reason] ?? last.ending;
      }
      open.delete(told.task);
      if (!kind) return;
      const one = { popup: told.popup, from: time, kind, ending: { class: "none", sign: "" } };
      open.set(told.task, one);
      spans.push(one);
    };
    for (const { time, told } of this.host.log) {
      if (!told) continue;
      const at = seconds(time);
      switch (told.event) {
        case "queued": case "requeued": change(told, at, "waits"); break;
        case "shown": change(told, at, "shows"); break;
        case "dismissed": case "discarded": case "cancelled": case "failed": change(told, at, null); break;
        default: break;
      }
    }
    for (const one of open.values()) one.to = Math.max(this.host.elapsed, one.from);
    return spans.filter((one) => one.kind === "shows" || one.to > one.from);
  }

  reasonWords(code) { return `${this.model.reason(code)} (${code})`; }

  words(told) {
    const template = this.model.data.words.events[told.event];
    if (template === undefined) return told.message ? `${told.popup ?? ""} ${told.message}` : null;
    const values = { popup: told.popup, reason: told.reason && this.reasonWords(told.reason), variant: told.variant, goal: told.goal, message: told.message };
    return template.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? "");
  }

  // MARK: why not

  drawWhy() {
    const order = { showing: 0, presenting: 1, chosen: 2, dismissing: 3, waiting: 4, absent: 5 };
    const sorted = (list) => [...list].sort((one, other) => order[one.state] - order[other.state] || (one.position ?? 0) - (other.position ?? 0));
    const live = this.live();
    const isLive = new Set(live);
    const absent = this.model.rules.popups.map((popup) => popup.id).filter((id) => !isLive.has(id));
    const isUnmet = (one) => one.state === "waiting" && this.model.data.words.aboutConditions.includes(one.reason);
    const explained = this.host.explain(live.slice(0, mostExplained));
    const unmet = explained.filter(isUnmet);
    const first = explained.filter((one) => !isUnmet(one));
    const rest = live.slice(mostExplained);
    const list = (found) => h("ul", { class: "why" }, sorted(found).map((one) => this.whyItemAgain(one)));
    const later = (key, words, names, make) => names.length > 0 && this.unfolded(key, words, make, names.some((name) => this.opened.has(name)));
    fill(this.parts.why, h("h3", {}, "Popups that show or wait, and why"),
      first.length > 0 && list(first),
      !live.length && h("p", { class: "empty" }, "No popup shows or waits."),
      later("unmet", `${unmet.length} waiting whose condition is not met`, unmet.map((one) => one.popup), () => list(unmet)),
      later("rest", `${rest.length} more waiting`, rest, () => list(this.host.explain(rest))),
      later("absent", `${absent.length} not in the queue`, absent, () => list(this.host.explain(absent))));
  }

  // The popups that show or wait, about in the order of their precedence.
  live() {
    const screens = new Set([...this.host.screens.values()].map((one) => one.popup));
    const rank = ({ popup }) => (screens.has(popup) ? Infinity : this.model.rule.get(popup)?.priority ?? 100);
    const tasks = [...this.host.tasks.values()].sort((one, other) => rank(other) - rank(one) || one.task - other.task);
    return unique(tasks.map((one) => one.popup).filter((popup) => this.model.rule.has(popup)));
  }

  // Content that is made only once it is unfolded, and stays unfolded.
  unfolded(key, words, make, isOpen = false) {
    this.folds ??= new Map();
    const body = h("div", {});
    const details = h("details", { open: this.folds.get(key) ?? isOpen }, h("summary", { "data-stay": `fold ${key}` }, words), body);
    const show = () => { if (details.open && !body.firstChild) fill(body, make()); };
    details.addEventListener("toggle", () => { this.folds.set(key, details.open); show(); });
    show();
    return details;
  }

  whyItem(one) {
    const { data } = this.model;
    const state = data.words.states[one.state] ?? (one.reason ? this.reasonWords(one.reason) : one.state);
    const shown = one.state === "dismissing" ? `leaving: ${state}` : state;
    const isShown = one.state === "showing" || one.state === "presenting";
    const body = h("div", {});
    const details = h("details", { open: this.opened.has(one.popup) }, h("summary", { "data-stay": `why ${one.popup}`, title: isShown ? "more" : "why not?" },
      h("b", {}, one.popup), " ", h("small", {}, one.position ? `${one.position}. on ${one.scheduler}` : one.scheduler), " – ", h("span", {}, marked(shown))), body);
    const open = () => { if (!body.firstChild) fill(body, this.whyMore(one)); };
    if (this.opened.has(one.popup)) open();
    details.addEventListener("toggle", () => {
      if (details.open) { this.opened.add(one.popup); open(); } else { this.opened.delete(one.popup); this.items.delete(one.popup); }
    });
    const item = h("li", {}, details);
    this.items.set(one.popup, { item, details, as: JSON.stringify(one) });
    return item;
  }

  // An item that is closed and has the same content as before stays unchanged.
  whyItemAgain(one) {
    const last = this.items.get(one.popup);
    return last && !last.details.open && !this.opened.has(one.popup) && last.as === JSON.stringify(one) ? last.item : this.whyItem(one);
  }

  whyMore(one) {
    const rule = this.model.rule.get(one.popup);
    return [
      one.leaving && h("p", {}, "it is dismissed when its `min_show` is over: ", marked(this.reasonWords(one.leaving))),
      one.lastEnding && h("p", {}, "it ended last time because ", marked(this.reasonWords(one.lastEnding))),
      one.obstacle && h("p", {}, "it was blocked because ", marked(this.reasonWords(one.obstacle))),
      one.awaited?.length > 0 && h("p", {}, `it waits for ${one.awaited.join(", ")}`),
      one.occupant && one.occupant !== one.popup && h("p", {}, `${one.occupant} is on the screen`),
      one.condition && h("div", {}, h("p", {}, one.role ? `its \`${one.role}\`:`.replaceAll("`", "") : "the condition:"), h("ul", { class: "tree" }, part(one.condition)), this.facts(one.condition)),
      one.until && h("p", {}, `this is true until ${this.dateWords(date(one.until))}`),
      h("div", { class: "row" }, this.changeButtons(one, rule)),
      h("p", {}, h("a", { href: this.page.link("popups", one.popup) }, `all about ${one.popup}`)),
    ];
  }

  // Returns the meanings of the named conditions in it, and the values of the keys that it reads.
  facts(condition) {
    const names = namesIn(this.model, [condition.text]);
    const meanings = (this.model.rules.conditions ?? []).filter((one) => names.has(one.name))
      .map((one) => h("div", {}, h("code", {}, one.name), " means ", h("code", {}, one.cel)));
    const values = this.model.rules.keys.filter((key) => names.has(key.name))
      .map((key) => h("div", {}, h("code", {}, key.name), " is ", h("b", {}, text(this.present[key.name]))));
    return [meanings, values];
  }

  changeButtons(one, rule) {
    const buttons = [];
    if (one.state === "showing") return null;
    if (one.occupant && one.occupant !== one.popup) buttons.push(this.button(`close ${one.occupant}`, () => this.close(one.occupant)));
    const left = timeLeft(this.host, this.model, one.popup, one);
    if (left) {
      const then = left.reason ? `then ${this.model.reason(left.reason)}` : "then it can show";
      buttons.push(this.button(`wait ${span(seconds(left.wait), 4)}: ${then}`, () => this.wait(left.wait)));
    }
    if (!couldShow(one, this.model.data.words)) {
      if (!this.changes.has(one.popup)) this.changes.set(one.popup, smallestChanges(this.host, this.model, one.popup, one));
      for (const change of this.changes.get(one.popup)) {
        buttons.push(this.button(changeWords(change), () => this.act({
          text: `set ${changeWords(change)}`, event: { input: "update", set: Object.fromEntries(change.map(({ key, value }) => [key, value])) },
        })));
      }
    }
    if (one.state === "absent") for (const act of triggerActs(this.model, rule)) buttons.push(this.button(act.text, () => this.act(act)));
    return buttons.length ? buttons : h("small", {}, "changing only the context does not let it show");
  }

  button(words, act) { return h("button", { type: "button", "data-stay": words, onclick: act }, words); }

  // MARK: the story

  drawStory() {
    const story = () => testFile(this.script, this.seen, this.title ?? "recorded steps");
    fill(this.parts.story, h("h3", {}, this.title ?? "Recorded steps"),
      this.next && h("div", { class: "row" },
        h("button", { type: "button", class: "main", "data-stay": "step", disabled: !this.next.length, onclick: () => this.step(this.next.shift()) }, this.next.length ? `next step: ${stepWords(this.next[0])}` : "the test is over"),
        this.next.length > 1 && h("button", { type: "button", "data-stay": "rest", onclick: () => { while (this.next.length > 1) { const step = this.next.shift(); this.script.steps.push(step); playStep(this.host, step); this.look(); } this.step(this.next.shift()); } }, "all remaining steps")),
      h("div", { class: "row" },
        h("button", { type: "button", "data-stay": "undo", disabled: !this.script.steps.length, onclick: () => this.undo() }, "undo the last step"),
        copyButton("copy as a test", story)),
      this.unfolded("test", "as a test", () => h("pre", { tabindex: "0", class: "test" }, story())));
  }
}

function stepWords(step) {
  return [step.after && `after ${span(seconds(duration(step.after)))}`, ...step.does.map((act) => act.text)].filter(Boolean).join(", ") || "look";
}

// A condition with the results of its parts.
function part(one) {
  const value = one.error ? `fails: ${one.error}` : one.value === undefined ? "not needed" : text(one.value);
  return h("li", { class: one.needed === false ? "unneeded" : "" }, h("code", {}, one.text), " is ", h("b", {}, value),
    one.parts && h("ul", { class: "tree" }, one.parts.map(part)));
}

// A control for a context key, made from its declaration.
class Control {
  constructor(view, key) {
    this.view = view;
    this.key = key;
    const info = view.model.info.get(key.name);
    this.asked = info?.asked ?? [];
    this.id = `key-${key.name}`;
    this.note = h("div", { class: "note", role: "alert" });
    this.unset = h("button", { type: "button", class: "quiet", "data-stay": `unset ${key.name}`, onclick: () => view.setKey(key.name, undefined) }, "unset");
    this.input = this.field();
    this.element = h("div", { class: "control" },
      h("label", { for: this.id, title: info?.description }, h("b", {}, key.name), info?.description && h("small", {}, ` ${info.description}`)),
      h("div", { class: "row" }, this.input, this.slider, this.unset), this.ticks(), this.note);
  }

  field() {
    const { key } = this;
    const stay = `key ${key.name}`;
    if (key.type === "bool") {
      return h("input", { type: "checkbox", id: this.id, "data-stay": stay, onchange: (event) => this.view.setKey(key.name, event.target.checked) });
    }
    if (key.allowedValues) {
      return h("select", { id: this.id, "data-stay": stay, onchange: (event) => this.view.setKey(key.name, key.allowedValues[Number(event.target.value)]) },
        key.defaultValue === undefined && h("option", { value: "" }, "missing"),
        key.allowedValues.map((value, index) => h("option", { value: index }, text(value))));
    }
    if (["int", "uint", "double"].includes(key.type)) this.slider = this.range(stay);
    return h("input", {
      type: "text", id: this.id, "data-stay": stay, size: this.slider ? 7 : 20, placeholder: key.type,
      onchange: (event) => this.take(event.target.value),
    });
  }

  // From the smallest to the largest of the bounds, with room beyond.
  range(stay) {
    const { key } = this;
    const numbers = [...this.asked, key.defaultValue, key.minimum, key.maximum].filter((value) => value !== undefined).map(plain).filter(Number.isFinite);
    const least = key.minimum !== undefined ? plain(key.minimum) : Math.min(0, ...numbers);
    const most = key.maximum !== undefined ? plain(key.maximum) : Math.max(10, ...numbers.map((number) => Math.ceil(number * 1.5)));
    const list = h("datalist", { id: `${this.id}-ticks` }, unique(numbers).map((number) => h("option", { value: number })));
    const input = h("input", {
      type: "range", min: least, max: most, step: key.type === "double" ? "any" : 1, list: `${this.id}-ticks`,
      "aria-label": `${key.name} slider`, "data-stay": `${stay} slider`,
      onchange: (event) => this.take(key.type === "double" ? String(Math.round(Number(event.target.value) * 100) / 100) : event.target.value),
      oninput: (event) => { this.input.value = event.target.value; },
    });
    this.list = list;
    return input;
  }

  // The values at which the results of conditions change, to be set by one press.
  ticks() {
    const { key } = this;
    if (!this.asked.length || key.type === "bool" || key.allowedValues) return this.list ?? null;
    const values = this.asked.flatMap((value) => {
      const number = plain(value);
      if (key.type === "int") return [number - 1, number, number + 1];
      if (key.type === "uint") return [number - 1, number, number + 1].filter((one) => one >= 0).map((one) => ({ $uint: one }));
      if (key.type === "double") return [number - 0.01, number, number + 0.01].map((one) => double(Math.round(one * 100) / 100));
      return [value];
    }).filter((value) => key.minimum === undefined || plain(value) >= plain(key.minimum)).filter((value) => key.maximum === undefined || plain(value) <= plain(key.maximum));
    const shown = values.filter((value, index) => values.findIndex((other) => same(other, value)) === index);
    if (["int", "uint", "double"].includes(key.type)) shown.sort((one, other) => plain(one) - plain(other));
    return h("div", { class: "ticks" }, this.list, h("small", {}, "thresholds"), shown.map((value) => h("button", {
      type: "button", "data-stay": `tick ${key.name} ${text(value)}`, onclick: () => this.view.setKey(key.name, value),
    }, text(value) === "" ? "empty" : text(value))));
  }

  take(words) {
    try {
      this.note.textContent = "";
      this.view.setKey(this.key.name, words === "" && this.key.type !== "string" ? undefined : read(words, this.key.type));
    } catch (error) {
      this.note.textContent = error.message;
    }
  }

  show(value, isSet) {
    const { key, input } = this;
    this.note.textContent = "";
    if (key.type === "bool") input.checked = value === true;
    else if (key.allowedValues) input.value = value === undefined ? "" : String(key.allowedValues.findIndex((one) => same(one, value)));
    else if (document.activeElement !== input || input.value === "") input.value = typed(value);
    if (this.slider && value !== undefined) this.slider.value = plain(value);
    this.unset.hidden = !isSet;
  }
}
