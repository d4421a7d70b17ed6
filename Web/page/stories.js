// Each test as it was played: a drawing to scale, then step by step.
import { h, built, marked } from "./dom.js";
import { span } from "./time.js";
import { partsIn } from "./model.js";

export function storyPath(story) {
  return `${story.file}/${story.name}`;
}

export function storiesView(page, address) {
  const { stories } = page.model.data;
  if (address.arg) {
    const story = stories.find((one) => storyPath(one) === address.arg);
    return story ? alone(page, story) : h("p", { class: "empty" }, "There is no such test.");
  }
  const { q, popup, fail } = address.query;
  const shown = stories.filter((story) => {
    if (fail && story.passed) return false;
    if (popup && !partsIn(story).has(popup)) return false;
    return !q || storyText(story).includes(q.toLowerCase());
  });
  const failed = stories.filter((story) => !story.passed).length;
  const files = [...new Set(shown.map((story) => story.file))];
  return h("div", {},
    h("div", { class: "bar" },
      h("span", { role: "status" }, `${shown.length} of ${stories.length} tests; ${failed ? `${failed} failed` : "all passed"}`),
      popup && h("span", { class: "chip" }, `with ${popup} `, h("a", { href: page.link("stories") }, "all")),
      failed > 0 && h("label", {}, h("input", { type: "checkbox", checked: Boolean(fail), onchange: (event) => page.set({ fail: event.target.checked ? "1" : null }) }), " only failed tests")),
    !stories.length && h("p", { class: "empty" }, "There are no tests next to these rules."),
    files.map((file) => h("section", { "aria-label": file }, h("h2", {}, file),
      h("ul", { class: "stories" }, shown.filter((story) => story.file === file).map((story) => h("li", {},
        verdict(story), " ", h("a", { href: page.link("stories", storyPath(story)) }, story.name),
        h("small", {}, ` ${story.steps} ${story.steps === 1 ? "step" : "steps"}`)))))));
}

function storyText(story) {
  return [story.name, story.file, ...story.plays.flatMap((play) => play.happenings.flatMap((one) => one.words))].join("\n").toLowerCase();
}

function verdict(story) {
  return h("span", { class: story.passed ? "good" : "bad" }, story.passed ? "✓ passed" : "✗ failed");
}

function alone(page, story) {
  return h("div", {},
    h("p", {}, h("a", { href: page.link("stories") }, "all tests")),
    h("h2", {}, story.name),
    h("p", {}, verdict(story), h("small", {}, ` ${story.file}:${story.line}`)),
    story.failures.map((failure) => h("div", { class: "failure" }, h("p", {}, marked(failure.message), failure.label && [" – ", marked(failure.label)]),
      failure.notes.map((note) => h("p", {}, marked(note))))),
    !story.plays.some((play) => play.happenings.length) && h("p", {}, `An eligibility table of ${story.steps} cases: nothing to draw.`),
    story.plays.filter((play) => play.happenings.length).map((play) => playOf(page, story, play)));
}

function playOf(page, story, play) {
  const label = `${story.name}${play.title ? ` (${play.title})` : ""}`;
  return h("section", { class: "play-of" },
    play.title && h("h3", {}, play.title),
    h("p", {}, h("small", {}, `starts ${play.start}, ${play.verdict}`),
      play.script && page.hasEngine && [" ", h("button", { type: "button", class: "quiet", onclick: () => page.playScript(play.script, label) }, "play it step by step")]),
    drawingOf(play, label),
    steps(play));
}

export function drawingOf(play, label) {
  return h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": `timeline of ${label}` }, built(play.drawing));
}

function steps(play) {
  let last = null;
  return h("ol", { class: "steps" }, play.happenings.map((one) => {
    const isNew = one.time !== last;
    last = one.time;
    return h("li", { class: one.kind },
      h("span", { class: "at" }, isNew ? span(one.time) : ""),
      h("span", { class: "sign", "aria-hidden": "true" }, one.mark ?? ""),
      h("span", {}, one.lane !== undefined && play.lanes.length > 1 && h("small", { class: "lane" }, play.lanes[one.lane], " "),
        one.words.map((words, index) => h(index ? "div" : "span", {}, marked(words)))));
  }), play.leftOut && h("li", {}, `… and ${play.leftOut} more`));
}
