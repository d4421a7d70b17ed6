// Changes after which a popup would show: candidates are found here, and the engine decides if they
// suffice.
import { same, text, double, plain } from "../values.js";
import { date, moment } from "./time.js";

const mostTries = 400;
// The ends of reasons that are looked through, one after the other.
const mostWaits = 20;

export function couldShow(explanation, words) {
  if (!explanation) return false;
  if (explanation.state === "waiting") return words.ready.includes(explanation.reason);
  return explanation.state !== "absent";
}

// The context keys and the named conditions that conditions name, also through each other.
export function namesIn(model, conditions) {
  const pending = [...conditions];
  const named = new Map((model.rules.conditions ?? []).map((condition) => [condition.name, condition.cel]));
  const found = new Set();
  while (pending.length) {
    for (const name of pending.pop().match(/[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*/g) ?? []) {
      if (named.has(name)) {
        pending.push(named.get(name));
        named.delete(name);
        found.add(name);
      }
      for (const key of model.rules.keys) if (name === key.name || name.startsWith(`${key.name}.`)) found.add(key.name);
    }
  }
  return found;
}

// The context keys that the conditions of a popup read.
export function keysRead(model, rule) {
  const group = rule.group === undefined ? null : model.rules.groups[rule.group];
  const windows = [rule.schedule ?? []].flat().map((entry) => entry.when);
  const found = namesIn(model, [rule.when, rule.dismissWhen, group?.when, ...windows].filter(Boolean));
  return model.rules.keys.filter((key) => found.has(key.name));
}

// Returns values of a key that may make a difference, without the present one; `undefined` means no
// value.
export function candidates(model, key, present, witness) {
  const list = [];
  const add = (value) => { if (!same(value, present) && !list.some((one) => same(one, value)) && fits(key, value)) list.push(value); };
  if (key.type === "bool") { add(true); add(false); }
  for (const value of key.allowedValues ?? []) add(value);
  if (witness !== undefined) add(witness);
  for (const value of model.info.get(key.name)?.asked ?? []) {
    add(value);
    const number = plain(value);
    if (key.type === "int") { add(number + 1); add(number - 1); }
    else if (key.type === "uint") { add({ $uint: number + 1 }); if (number > 0) add({ $uint: number - 1 }); }
    else if (key.type === "double") { add(double(number + 1)); add(double(number - 1)); }
  }
  if (key.defaultValue !== undefined) add(key.defaultValue);
  return list;
}

function fits(key, value) {
  const number = plain(value);
  if (key.minimum !== undefined && number < plain(key.minimum)) return false;
  return !(key.maximum !== undefined && number > plain(key.maximum));
}

// The smallest changes of the context after which a popup could show, at most three of one size:
// each a list of { key, value }.
export function smallestChanges(host, model, id, explanation) {
  const rule = model.rule.get(id);
  const witness = model.audience.get(id)?.set ?? {};
  const present = { ...model.defaults(), ...host.context };
  let tries = 0;
  const again = explanation.state === "absent" ? retrigger(model, rule) : [];
  if (again === null) return [];
  const works = (change) => {
    tries += 1;
    if (tries > mostTries) return false;
    const set = Object.fromEntries(change.map(({ key, value }) => [key, value]));
    const inputs = [{ input: "update", set }, ...again];
    const [answer] = host.suppose(inputs, [id]);
    if (couldShow(answer, model.data.words)) return true;
    if (answer?.state !== "waiting" || answer.reason !== "DELAYED" || !answer.until) return false;
    const later = moment(host.start, (date(answer.until) - host.start) * 10n ** 9n);
    return couldShow(host.suppose([...inputs, { input: "timePassed", at: later }], [id])[0], model.data.words);
  };
  const options = keysRead(model, rule)
    .map((key) => ({ key: key.name, values: candidates(model, key, present[key.name], witness[key.name]) }))
    .filter((option) => option.values.length);
  const rollout = rule.rollout && model.rules.keys[rule.rollout.key];
  if (explanation.reason === "NOT_IN_ROLLOUT" && rollout?.type === "string") {
    options.unshift({ key: rollout.name, values: Array.from({ length: 60 }, (_, index) => `user-${index + 1}`) });
  }
  for (const size of [1, 2, 3]) {
    const found = [];
    for (const change of combinations(options, size)) {
      if (tries >= mostTries || found.length === 3) break;
      if (found.some((one) => one.every(({ key }, index) => key === change[index].key))) continue;
      if (works(change)) found.push(change);
    }
    if (found.length) return found;
  }
  return fromWitness(witness, present, works, () => { tries = 0; });
}

// Returns the change towards a user that the popup shows to, without unneeded parts.
function fromWitness(witness, present, works, again) {
  again();
  let change = Object.entries(witness).filter(([key, value]) => !same(present[key], value)).map(([key, value]) => ({ key, value }));
  if (!change.length || !works(change)) return [];
  for (const one of [...change]) {
    const less = change.filter((other) => other !== one);
    if (less.length && works(less)) change = less;
  }
  return [change];
}

function* combinations(options, size, from = 0) {
  if (size === 0) { yield []; return; }
  for (let index = from; index < options.length; index += 1) {
    for (const value of options[index].values) {
      for (const rest of combinations(options, size - 1, index + 1)) yield [{ key: options[index].key, value }, ...rest];
    }
  }
}

// Returns the inputs that fire a trigger of it again; null if only a start of the app does.
function retrigger(model, rule) {
  const acts = triggerActs(model, rule).filter((act) => act.event);
  return acts.length ? [acts[0].event] : null;
}

// Returns the acts of an app or a user that fire its triggers.
export function triggerActs(model, rule) {
  return (rule.triggers ?? []).flatMap((trigger) => {
    switch (trigger.kind) {
      case "start": return [{ text: "restart the app", restart: true }];
      case "manual": return [{ text: `enqueue ${rule.id}`, event: { input: "enqueue", popup: rule.id } }];
      case "session": return [{ text: "start a session", event: { input: "beginSession" } }];
      case "event": {
        const event = model.rules.events[trigger.event];
        return event.fields.length ? [] : [{ text: `send ${event.name}`, event: { input: "send", event: event.name } }];
      }
      default: return [];
    }
  });
}

// Returns the time that has to pass until a popup could show, through the end of one reason after
// the other; `reason` is the remaining reason if time does not suffice. Null if no reason ends by
// time.
export function timeLeft(host, model, id, explanation) {
  const inputs = [];
  let [one, wait] = [explanation, 0n];
  while (one?.until && inputs.length < mostWaits && !couldShow(one, model.data.words)) {
    const end = (date(one.until) - host.start) * 10n ** 9n;
    if (end - host.now <= wait) break;
    wait = end - host.now;
    inputs.push({ input: "timePassed", at: moment(host.start, end) });
    [one] = host.suppose(inputs, [id]);
  }
  if (wait === 0n) return null;
  return { wait, reason: couldShow(one, model.data.words) ? null : one?.reason ?? null };
}

export function changeWords(change) {
  return change.map(({ key, value }) => `${key} = ${text(value)}`).join(" and ");
}
