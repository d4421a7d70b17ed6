// The steps that were played, as a test that can be copied.
import { yaml } from "../values.js";
import { duration } from "./time.js";

const byName = { userClosed: "close", didDisappear: "disappear", dismiss: "dismiss", remove: "remove", enqueue: "enqueue", force: "force" };
const flags = { background: "background", foreground: "foreground", beginSession: "begin_session", poke: "poke", removeAll: "remove_all" };

// Returns the keys of a step for one act; null for an act that a test cannot express.
function stepKeys(act) {
  if (act.restart) return [["restart", "true"]];
  if (act.fault) {
    if (act.fault.postpone) return [["postpone", `{ ${act.popup}: ${length(act.fault.postpone)} }`]];
    return [[act.fault === "hangDismissal" ? "hang_dismissal" : act.fault, act.popup]];
  }
  const event = act.event;
  if (!event) return act.history || !act.set ? [["switch_user", yaml(act.user)]] : [["switch_user", `{ user: ${yaml(act.user)}, context: ${map(act.set)} }`]];
  if (byName[event.input]) return [[byName[event.input], event.popup]];
  if (flags[event.input]) return [[flags[event.input], "true"]];
  switch (event.input) {
    case "update": {
      const keys = [];
      if (event.set && Object.keys(event.set).length) keys.push(["set", map(event.set)]);
      if (event.unset?.length) keys.push(["unset", `[${event.unset.join(", ")}]`]);
      return keys;
    }
    case "send": return [["send", event.payload && Object.keys(event.payload).length ? `{ ${event.event}: ${map(event.payload)} }` : event.event]];
    case "acted": return [["act", event.stays ? `{ ${event.popup}: { action: ${event.action}, stay: true } }` : `{ ${event.popup}: ${event.action} }`]];
    case "zoneChanged": return [["set_zone", event.zone]];
    case "forceArm": return [["arm", `{ ${event.popup}: ${event.arm} }`]];
    case "forget": return [["forget", yaml(event.user)]];
    case "suspend": case "resume": {
      const parts = [event.by && `owner: ${event.by}`, event.scheduler && `scheduler: ${event.scheduler}`].filter(Boolean);
      return [[event.input, parts.length ? `{ ${parts.join(", ")} }` : "true"]];
    }
    default: return null;
  }
}

// A duration as test files write it, such as 2s500ms.
function length(words) {
  let rest = duration(words) / 10n ** 15n;
  let text = "";
  for (const [unit, size] of [["d", 86_400_000n], ["h", 3_600_000n], ["m", 60_000n], ["s", 1000n], ["ms", 1n]]) {
    if (rest >= size) text += `${rest / size}${unit}`;
    rest %= size;
  }
  return text || "0s";
}

function map(values) {
  const entries = Object.entries(values).map(([key, value]) => `${key}: ${yaml(value)}`);
  return entries.length ? `{ ${entries.join(", ")} }` : "{}";
}

// Returns the test file of a script; `seen` contains the popups on the screens after each step, by
// lane.
export function testFile(script, seen, title) {
  const lines = ["poprules_test: 1", `start: ${script.start}`];
  if (script.seed) lines.push(`seed: ${script.seed}`);
  if (script.zone) lines.push(`zone: ${script.zone}`);
  if (script.user) lines.push(`user: ${yaml(script.user)}`);
  lines.push("", "tests:", `  ${yaml(title)}:`);
  if (Object.keys(script.set ?? {}).length) lines.push(`    context: ${map(script.set)}`);
  if (script.arms) lines.push(`    persona: { variant: ${map(script.arms)} }`);
  if (script.history) lines.push("    # Add the history of the user by hand, as `history`.");
  if (script.patch) lines.push("    # Add the rollouts and the holdout of the user by hand, as `persona`.");
  lines.push("    steps:");
  const add = (keys, screens) => {
    keys.push(["expect", `{ showing: { ${Object.entries(screens).map(([lane, popup]) => `${lane}: ${popup ?? "none"}`).join(", ")} } }`]);
    keys.forEach(([key, value], index) => lines.push(`${index ? "        " : "      - "}${key}: ${value}`));
  };
  if (seen.length) add([], seen[0]);
  script.steps.forEach((step, index) => {
    const keys = step.after ? [["after", length(step.after)]] : [];
    const acts = step.does.map(stepKeys);
    if (acts.includes(null)) lines.push("      # A step is missing here: tests cannot contain it.");
    for (const act of acts) keys.push(...(act ?? []));
    add(unrepeated(keys, lines), seen[index + 1]);
  });
  return `${lines.join("\n")}\n`;
}

// A step has each key once; a repeated key begins another step.
function unrepeated(keys, lines) {
  const own = [];
  for (const [key, value] of keys) {
    if (own.some((one) => one[0] === key)) {
      own.forEach(([name, words], index) => lines.push(`${index ? "        " : "      - "}${name}: ${words}`));
      own.length = 0;
    }
    own.push([key, value]);
  }
  return own;
}
