// The data of the page, and the look-ups of views.
import { plain } from "../values.js";

export class Model {
  // `bundle` is the text that the engine gets.
  constructor(data, bundle) {
    this.data = data;
    this.bundle = bundle;
    const { rules } = JSON.parse(bundle);
    this.rules = rules;
    this.popups = data.popups;
    this.rule = new Map(rules.popups.map((popup) => [popup.id, popup]));
    this.audience = new Map(data.audiences.map((audience) => [audience.popup, audience]));
    this.info = new Map(data.keys.map((key) => [key.name, key]));
    this.templates = new Map((rules.templates ?? []).map((template) => [template.name, template]));
    this.looks = new Map((data.looks ?? []).map((look) => [look.template, look]));
    this.lanes = rules.schedulers.map((lane) => lane.name);
    this.owners = unique(this.popups.map((popup) => popup.owner).filter(Boolean)).sort();
    this.tags = unique(this.popups.flatMap((popup) => popup.tags ?? [])).sort();
  }

  // Returns true if a popup passes the filters.
  wants(popup, { q, owner, tag, lane }) {
    if (owner && popup.owner !== owner) return false;
    if (tag && !(popup.tags ?? []).includes(tag)) return false;
    if (lane && popup.scheduler !== lane) return false;
    if (!q) return true;
    return this.searchText(popup).includes(q.toLowerCase());
  }

  searchText(popup) {
    this.found ??= new Map();
    if (!this.found.has(popup.popup)) {
      const rule = this.rule.get(popup.popup);
      const parts = [popup.popup, popup.owner, popup.description, ...(popup.tags ?? []), ...popup.triggers,
        rule.when, rule.template, JSON.stringify(rule.content ?? ""), JSON.stringify(rule.experiment ?? "")];
      this.found.set(popup.popup, parts.filter(Boolean).join("\n").toLowerCase());
    }
    return this.found.get(popup.popup);
  }

  // The looks of a popup: without a variant, and each variant of its experiment.
  variants(rule) {
    const own = { name: null, template: rule.template, content: rule.content };
    const others = (rule.experiment?.variants ?? []).map((variant) => ({
      name: variant.name,
      template: variant.template ?? rule.template,
      content: variant.content ?? rule.content,
    }));
    return [own, ...others];
  }

  // The zones that the rules name, and some that are asked for everywhere.
  get zones() {
    if (!this.foundZones) {
      this.foundZones = new Set(["UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo"]);
      JSON.stringify(this.rules, (key, value) => {
        if (key === "zone" && typeof value === "string" && value !== "local") this.foundZones.add(value);
        return value;
      });
    }
    return this.foundZones;
  }

  // The languages of the popups' copy.
  get languages() {
    if (!this.rules.locales) return [];
    const found = new Set();
    const look = (value, isField) => {
      if (value instanceof Map) {
        for (const [key, inner] of value) {
          if (isField) found.add(key);
          else if (inner instanceof Map) look(inner, this.isLocalized(key));
        }
      }
    };
    for (const rule of this.rules.popups) {
      for (const variant of this.variants(rule)) look(plain(variant.content ?? null), false);
    }
    return [this.rules.locales.fallback, ...[...found].filter((name) => name !== this.rules.locales.fallback).sort()];
  }

  isLocalized(field) {
    return (this.rules.templates ?? []).some((template) => (template.localizedFields ?? []).includes(field));
  }

  // In how many stories each popup has a part.
  get told() {
    if (!this.toldIn) {
      this.toldIn = new Map();
      for (const story of this.data.stories) {
        for (const popup of partsIn(story)) this.toldIn.set(popup, (this.toldIn.get(popup) ?? 0) + 1);
      }
    }
    return this.toldIn;
  }

  // The values of the keys while the app has not set them.
  defaults() {
    const values = {};
    for (const key of this.rules.keys) if (key.defaultValue !== undefined) values[key.name] = key.defaultValue;
    return values;
  }

  reason(code) {
    return this.data.words.reasons[code] ?? code;
  }
}

// The popups that a story shows or that its test names.
export function partsIn(story) {
  const shown = story.plays.flatMap((play) => play.happenings.filter((one) => one.kind === "shows").flatMap((one) => one.popups));
  return new Set([...shown, ...story.about]);
}

export function unique(list) {
  return [...new Set(list)];
}
