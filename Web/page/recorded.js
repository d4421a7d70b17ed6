// Playing without an engine: the recordings of tests, point by point in time.
import { h, marked } from "./dom.js";
import { plain } from "../values.js";
import { span } from "./time.js";
import { preview, kindOf } from "./preview.js";
import { contextOf, select } from "./popups.js";
import { storyPath, drawingOf } from "./stories.js";

export function recordedView(page, address) {
  const plays = page.model.data.stories.flatMap((story) => story.plays.filter((play) => play.happenings.length)
    .map((play) => ({ play, name: [storyPath(story), play.title].filter(Boolean).join(": ") })));
  const note = h("p", {}, "This page has no engine, because it was written by a version of poprules without an engine: you can step through recorded tests, but not play the rules.");
  if (!plays.length) return h("div", {}, note, h("p", { class: "empty" }, "There are no tests next to these rules."));
  const { name, play } = plays.find((one) => one.name === address.query.story) ?? plays[0];
  const moments = [...new Set(play.happenings.map((one) => one.time))];
  const at = Math.min(Math.max(Number(address.query.at) || 0, 0), moments.length - 1);
  const past = play.happenings.filter((one) => one.time <= moments[at]);
  const go = (words, to) => h("button", { type: "button", disabled: to < 0 || to >= moments.length, onclick: () => page.set({ story: name, at: String(to) }) }, words);
  return h("div", {}, note,
    h("div", { class: "row" }, select("choose a test", plays.map((one) => one.name), name, (value) => page.set({ story: value, at: null }))),
    h("div", { class: "row" }, go("first", 0), go("back", at - 1), go("next", at + 1), h("span", { role: "status" }, `${span(moments[at])}, ${at + 1} of ${moments.length}`)),
    h("div", { class: "play" },
      phone(page, address, play, past),
      h("ol", { class: "steps" }, past.filter((one) => one.time === moments[at]).map((one) => h("li", { class: one.kind },
        h("span", { class: "at" }, span(one.time)), h("span", { "aria-hidden": "true" }, one.mark ?? ""), h("span", {}, one.words.map((words) => h("div", {}, marked(words))))))),
      drawingOf(play, name)));
}

// Draws the popups on the screens, each without a variant.
function phone(page, address, play, past) {
  const screens = new Map();
  for (const { kind, popups = [], lane } of past) {
    if (kind === "shows") screens.set(lane, popups[0]);
    else if ((kind === "goes" || kind === "givesWay") && screens.get(lane) === popups[0]) screens.delete(lane);
  }
  const context = contextOf(page, address.query);
  const language = address.query.lang ?? page.model.languages[0];
  const shown = [...screens.values()].map((popup) => page.model.rule.get(popup)).filter(Boolean);
  return h("div", { class: "phone", role: "group", "aria-label": "phone" },
    h("div", { class: "clock" }, h("span", {}, play.start)),
    h("div", { class: "app" }, h("div", {}, "the app"), !shown.length && h("small", {}, "no popup")),
    h("div", { class: "stage" }, shown.map((rule) => h("div", { class: `layer ${kindOf(rule.template, plain(rule.content ?? null))}` },
      preview(page.model, { name: null, template: rule.template, content: rule.content }, { language, context })))));
}
