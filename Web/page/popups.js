// A card for each popup: its content, its audience, its time, its frequency.
import { h, marked } from "./dom.js";
import { text, yaml, plain } from "../values.js";
import { preview, kindOf } from "./preview.js";
import { armOf, armWords } from "./assignment.js";
import { week, month, stairs, bounds, weekWords } from "./calendar.js";

const kindWords = { sheet: "sheet", banner: "banner", toast: "toast", full: "full screen", tip: "tip" };

// Cards that are made in one go.
const atOnce = 12;

export function popupsView(page, address) {
  const { model } = page;
  const shown = address.arg
    ? model.popups.filter((popup) => popup.popup === address.arg)
    : model.popups.filter((popup) => model.wants(popup, address.query));
  if (address.arg && !shown.length) return h("p", { class: "empty" }, `There is no popup ${address.arg}.`);
  const lanes = model.lanes.map((lane) => [lane, shown.filter((popup) => popup.scheduler === lane)]).filter(([, list]) => list.length);
  return h("div", {},
    address.arg ? h("p", {}, h("a", { href: page.link("popups") }, "all popups")) : bar(page, address, shown.length),
    !address.arg && sharedRules(model),
    !address.arg && calendar(page, shown, address),
    !shown.length && h("p", { class: "empty" }, "No popup matches."),
    lanes.map(([lane, list]) => h("section", { "aria-label": `popups on ${lane}` },
      !address.arg && h("h2", {}, `${lane} `, h("small", {}, laneWords(model, lane))),
      cards(page, list, address))));
}

// The first ones are made immediately, the next ones as soon as these are seen.
function cards(page, list, address) {
  const element = h("div", { class: address.arg ? "cards alone" : "cards" }, list.slice(0, atOnce).map((popup) => card(page, popup, address)));
  const add = (from) => {
    if (from >= list.length || (from > atOnce && !element.isConnected)) return;
    element.append(...list.slice(from, from + atOnce).map((popup) => card(page, popup, address)));
    setTimeout(add, 0, from + atOnce);
  };
  if (list.length > atOnce) setTimeout(add, 30, atOnce);
  return element;
}

const orders = {
  priority: "the highest priority shows first, among equals the ",
  fifo: "the oldest in the queue shows first", lifo: "the newest in the queue shows first",
};

function laneWords(model, lane) {
  const said = new Map(shared(model, `scheduler ${lane}`).map(({ key, text: words }) => [key, words]));
  const strategy = said.get("strategy");
  const parts = [orders[strategy] + (strategy === "priority" ? (said.get("tie_break") === "lifo" ? "newest" : "oldest") : "")];
  if (said.has("gap")) parts.push(`a gap of ${said.get("gap")} between two`);
  if (said.has("max_waiting")) parts.push(`at most ${said.get("max_waiting")} waiting`);
  if (said.has("cap")) parts.push(`cap ${said.get("cap")}`);
  return parts.join("; ");
}

function shared(model, part) {
  return model.data.shared.find((one) => one.part === part)?.keys ?? [];
}

// Rules that apply to several popups: limits, quiet hours, the caps of groups.
function sharedRules(model) {
  const groups = model.data.shared.filter((one) => one.part.startsWith("group ")).map((one) => [one.part, one.keys]);
  const rows = [...shared(model, "rules").map((one) => [one.key, [one]]), ...groups].filter(([, keys]) => keys.length);
  if (!rows.length) return null;
  return h("details", { class: "shared" }, h("summary", {}, "shared by popups: ", rows.map(([name]) => name).join(", ")),
    h("dl", { class: "facts" }, rows.map(([name, keys]) => fact(name, keys.map(({ key, text: words }) => h("div", {}, key === name ? words : `${key} ${words}`))))));
}

function bar(page, address, count) {
  const { model } = page;
  const languages = model.languages;
  return h("div", { class: "bar" },
    h("span", { role: "status" }, `${count} of ${model.popups.length} popups`),
    languages.length > 1 && select("language", languages, address.query.lang ?? languages[0], (value) => page.set({ lang: value === languages[0] ? null : value })),
    persona(page, address));
}

export function select(label, values, chosen, change) {
  return h("label", {}, `${label} `, h("select", { onchange: (event) => change(event.target.value) },
    values.map((value) => {
      const [key, words] = Array.isArray(value) ? value : [value, value];
      return h("option", { value: key, selected: key === chosen }, words);
    })));
}

function persona(page, address) {
  const choices = page.personas();
  if (choices.length < 2) return null;
  return select("as seen by", choices.map((one, index) => [String(index), one.name]), address.query.as ?? "0",
    (value) => page.set({ as: value === "0" ? null : value }));
}

// The context by which placeholders are filled.
export function contextOf(page, query) {
  const chosen = page.personas()[Number(query.as ?? 0)];
  return { ...page.model.defaults(), ...(chosen?.set ?? {}) };
}

function card(page, popup, address) {
  const { model } = page;
  const rule = model.rule.get(popup.popup);
  const audience = model.audience.get(popup.popup);
  const context = contextOf(page, address.query);
  const language = address.query.lang ?? text(context[keyOfLanguage(model)] ?? model.rules.locales?.fallback ?? "");
  const isAlone = Boolean(address.arg);
  return h("article", { class: `card${popup.enabled ? "" : " off"}`, id: `popup-${popup.popup}` },
    h("header", {},
      h("h3", {}, h("a", { href: page.link("popups", popup.popup) }, popup.popup)),
      !popup.enabled && h("span", { class: "badge" }, "off"),
      h("span", { class: "badge" }, kindWords[kindOf(rule.template, plain(rule.content ?? null))]),
      rule.isEssential || rule.essential ? h("span", { class: "badge" }, "essential") : null),
    popup.description && h("p", { class: "what" }, popup.description),
    looks(page, rule, { language, context }),
    h("dl", { class: "facts" },
      fact("owner", popup.owner && h("a", { href: page.link("popups", "", { owner: popup.owner }) }, popup.owner)),
      fact("tags", popup.tags?.length ? popup.tags.map((tag, index) => [index ? ", " : "", h("a", { href: page.link("popups", "", { tag }) }, tag)]) : null),
      ruleFacts(rule, audience, String(popup.keys.find((key) => key.key === "priority")?.value ?? popup.priority))),
    arms(model, rule),
    schedule(rule, model),
    rule.rollout?.steps && h("div", { class: "schedule" }, h("h4", {}, "rollout"),
      stairs(rule.rollout.steps, rule.rollout.steps.map((step) => `${step.percent}% from ${step.begins}`).join(", "))),
    h("details", { open: isAlone },
      h("summary", {}, "all keys of the rule"),
      h("p", {}, h("small", {}, `${popup.file}:${popup.line}`)),
      audience.inside && h("p", {}, "example of a user who may see it: ", h("code", {}, audience.inside.context), (audience.inside.others ?? []).map((one) => `, ${one}`)),
      audience.outside && h("p", {}, "example of a similar user who may not see it: ", h("code", {}, audience.outside.context), (audience.outside.others ?? []).map((one) => `, ${one}`)),
      h("table", { class: "keys" }, h("caption", { class: "away" }, `the keys of ${popup.popup}`), h("tbody", {},
        popup.keys.filter((key) => key.from !== "default").map((key) => h("tr", {}, h("th", { scope: "row" }, key.key), h("td", {}, yamlWords(key.value)), h("td", {}, h("small", {}, key.from))))))),
    h("footer", {}, related(page, popup)));
}

// Returns the audience of a popup, its triggers and conditions, and its frequency.
export function ruleFacts(rule, audience, priority) {
  return [
    fact("trigger", audience.triggers.map((cause) => h("div", {}, cause.trigger, cause.where && [" with ", groupWords(cause.where)]))),
    fact("for", h("div", {}, groupWords(audience.users))),
    audience.others.filter((other) => other.key !== "schedule").map((other) => fact(other.key, marked(other.text))),
    fact("priority", priority),
    rule.when && fact("condition", h("code", {}, rule.when)),
    rule.dismissWhen && fact("dismissed when", h("code", {}, rule.dismissWhen)),
  ];
}

// Which variant the personas of the tests see, and why.
function arms(model, { id, experiment }) {
  const { personas } = model.data;
  if (!experiment || !personas.length) return null;
  const key = model.rules.keys[experiment.assignment.key];
  const rows = personas.map(({ name, set }) => {
    const value = set[key.name] ?? key.defaultValue;
    const { arm, why } = armOf(experiment.assignment, value);
    return h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, h("b", {}, armWords(arm)), " – ", h("code", {}, `${key.name} ${value === undefined ? "is missing" : yaml(value)}`), ": ", marked(why)));
  });
  return h("details", {}, h("summary", {}, "who sees which variant"),
    h("table", { class: "keys" }, h("caption", { class: "away" }, `variants of ${id}, by persona`), h("tbody", {}, rows)));
}

function yamlWords(value) {
  if (value === null) return "–";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) {
    return value.some((one) => one !== null && typeof one === "object") ? h("ul", {}, value.map((one) => h("li", {}, yamlWords(one)))) : value.map(yamlWords).join(", ");
  }
  if (typeof value === "object") return h("ul", {}, Object.entries(value).map(([key, inner]) => h("li", {}, h("b", {}, key), " ", yamlWords(inner))));
  return String(value);
}

export function groupWords(group) {
  const start = group.except ? "everyone, except if " : "";
  return group.lines.map((line, index) => h("div", {}, index ? h("b", {}, "or ") : start, marked(line)));
}

function fact(name, value) {
  if (value === null || value === undefined || value === false || value === "") return null;
  return [h("dt", {}, name), h("dd", {}, value)];
}

function keyOfLanguage(model) {
  const locales = model.rules.locales;
  return locales ? model.rules.keys[locales.key]?.name : undefined;
}

// Draws the looks of a popup, in each variant and in the chosen language.
function looks(page, rule, { language, context }) {
  const variants = page.model.variants(rule);
  return h("div", { class: "looks" }, variants.map((variant) => h("figure", {},
    h("div", { class: `glass ${kindOf(variant.template, plain(variant.content ?? null))}` },
      preview(page.model, variant, { language, context })),
    h("figcaption", {}, variant.name ? `variant ${variant.name}` : variants.length > 1 ? "without a variant" : "", languageNote(page, rule, variant, language, context)))));
}

function languageNote(page, rule, variant, language, context) {
  const others = page.model.languages.filter((one) => one !== language);
  const own = plain(variant.content ?? null);
  const isLocalized = own instanceof Map && [...own].some(([key, value]) => value instanceof Map && page.model.isLocalized(key));
  if (!others.length || !isLocalized) return null;
  return others.map((one) => h("details", {}, h("summary", {}, `in ${one}`), h("div", { class: "glass" }, preview(page.model, variant, { language: one, context }))));
}

// The entries of a schedule, each with its zone; a number is the place of the key that has it.
function scheduleOf(rule, model) {
  return [rule.schedule ?? []].flat().map((entry) => ({
    entry, zone: typeof entry.zone === "number" ? model.rules.keys[entry.zone].name : entry.zone ?? "UTC",
  }));
}

// The quiet hours that apply to a popup, if they are read in the time zone of its schedule.
function quietHours(popup, rule, zones, model) {
  const { quiet } = model.rules;
  const isEssential = rule.isEssential || rule.essential;
  if (!quiet || isEssential || (quiet.zone !== undefined && quiet.zone !== "local" && zones.some((zone) => zone !== quiet.zone))) return null;
  if (quiet.schedulers?.length && !quiet.schedulers.includes(model.lanes.indexOf(popup.scheduler))) return null;
  if (quiet.tags?.length && !quiet.tags.some((tag) => (popup.tags ?? []).includes(tag))) return null;
  return quiet.hours;
}

// A month of the popups that have a schedule, under each other.
function calendar(page, shown, address) {
  const { model } = page;
  const rows = shown.map((popup) => {
    const rule = model.rule.get(popup.popup);
    const entries = scheduleOf(rule, model);
    return { name: popup.popup, entries, quiet: quietHours(popup, rule, entries.map((one) => one.zone), model) };
  }).filter((row) => row.entries.length);
  if (!rows.length) return null;
  const [year, index] = (/^\d{4}-\d\d$/.test(address.query.month ?? "") ? address.query.month : new Date().toISOString()).split("-").map(Number);
  const go = (words, by) => {
    const to = new Date(Date.UTC(year, index - 1 + by, 1)).toISOString().slice(0, 7);
    return h("button", { type: "button", onclick: () => page.set({ month: to }) }, words);
  };
  const name = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" }).format(new Date(Date.UTC(year, index - 1, 1)));
  return h("details", { class: "shared", open: Boolean(address.query.month) }, h("summary", {}, `calendar of ${rows.length} ${rows.length === 1 ? "schedule" : "schedules"}`),
    h("div", { class: "row" }, go("month before", -1), h("b", {}, name), go("month after", 1)),
    month(year, index - 1, rows, `when popups may show in ${name}`),
    h("p", {}, h("small", {}, "Each day runs from top to bottom, in the time zone of its schedule. Filled: the popup may show. ",
      rows.some((row) => row.quiet) && "Dashed: quiet hours, if the device is in the same time zone. ", "Popups without a schedule may show at any time.")));
}

function schedule(rule, model) {
  const dated = scheduleOf(rule, model);
  if (!dated.length) return null;
  const entries = dated.map((one) => one.entry);
  const zone = (entry) => dated.find((one) => one.entry === entry).zone;
  const words = entries.map((entry) => [bounds(entry, zone(entry)), weekWords(entry), zone(entry), entry.when && `when ${entry.when}`].filter(Boolean).join(", "));
  const isWeekly = entries.some((entry) => entry.days || entry.hours);
  return h("div", { class: "schedule" }, h("h4", {}, "schedule"), words.map((one) => h("p", {}, one)),
    isWeekly && week(entries, `may show ${words.join(" or ")}`));
}

function related(page, popup) {
  const { data } = page.model;
  const met = data.collisions.found.filter(({ is }) => is.first === popup.popup || is.second === popup.popup).length;
  const told = page.model.told.get(popup.popup) ?? 0;
  return [
    h("a", { href: page.link("play", "", { see: popup.popup }) }, "play"),
    h("a", { href: page.link("stories", "", { popup: popup.popup }) }, `${told} ${told === 1 ? "test" : "tests"}`),
    met > 0 && h("a", { href: page.link("collisions", "", { popup: popup.popup }) }, `${met} ${met === 1 ? "collision" : "collisions"}`),
  ];
}
