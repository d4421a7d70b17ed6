// What was on the screens, drawn to scale: a row a popup, time running to the right. Where long and
// short times do not go together, some have another scale, which `≈` says.
import { h } from "./dom.js";
import { span } from "./time.js";

const [rowHeight, head] = [26, 30];
const mostRows = 25;
// From one moment to the next at least, and from the first to the last where all is to one scale.
const [leastWidth, usualWidth] = [44, 640];
// The width of a letter, about.
const letter = 5.9;

// Places of moments, in pixels.
class Axis {
  constructor(times, left) {
    const sorted = [...new Set(times)].sort((one, other) => one - other);
    const lengths = sorted.slice(1).map((time, index) => time - sorted[index]);
    const middle = [...lengths].sort((one, other) => one - other)[Math.floor(lengths.length / 2)] || 1;
    // One scale for all where there is room for that.
    const whole = usualWidth / (lengths.reduce((sum, length) => sum + length, 0) || 1);
    const isEven = lengths.every((length) => length * whole >= leastWidth);
    this.columns = [];
    let x = left;
    sorted.forEach((time, index) => {
      this.columns.push({ time, x });
      if (index === lengths.length) return;
      const label = span(time).length * 7 + 16;
      const fitting = isEven ? lengths[index] * whole : (70 * lengths[index]) / middle;
      const width = isEven ? fitting : Math.min(Math.max(fitting, label, leastWidth), 240);
      this.columns.at(-1).bent = Math.abs(width - fitting) > 1;
      this.columns.at(-1).width = width;
      x += width;
    });
    this.end = x + 60;
  }

  x(time) {
    let last = this.columns[0];
    for (const column of this.columns) {
      if (column.time > time) break;
      last = column;
    }
    const next = this.columns[this.columns.indexOf(last) + 1];
    return next ? last.x + ((time - last.time) / (next.time - last.time)) * last.width : last.x;
  }
}

// `spans` are { popup, from, to, kind, words } of the kind "shows" or "waits", `marks` are
// { time, words, kind }.
export function timeline({ spans, marks = [], start = 0, end, label, colour = () => 0 }) {
  const all = [...new Set([...spans.filter((one) => one.kind === "shows"), ...spans].map((one) => one.popup))];
  const popups = all.slice(0, mostRows);
  spans = spans.filter((one) => popups.includes(one.popup));
  const times = [start, end, ...spans.flatMap((one) => [one.from, one.to ?? end]), ...marks.map((mark) => mark.time)];
  const left = Math.max(90, ...popups.map((popup) => Math.min(popup.length, 26) * 7.4 + 20));
  const axis = new Axis(times, left);
  const height = head + Math.max(popups.length, 1) * rowHeight + 8;
  const y = (popup) => head + popups.indexOf(popup) * rowHeight;
  const rest = all.length - popups.length;
  return h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": label },
    rest > 0 && h("p", {}, h("small", {}, `and ${rest} more that only waited`)),
    h("svg", { viewBox: `0 0 ${axis.end} ${height}`, width: axis.end, height, class: "timeline", role: "img", "aria-label": label },
      h("title", {}, label),
      axis.columns.map((column) => [
        h("line", { x1: column.x, x2: column.x, y1: 18, y2: height - 6, class: "tick" }),
        h("text", { x: column.x, y: 12, "text-anchor": column.x === left ? "start" : "middle", class: "time" }, span(column.time)),
        column.bent && h("text", { x: column.x + column.width / 2, y: 24, "text-anchor": "middle", class: "bent" }, "≈"),
      ]),
      popups.map((popup) => h("text", { x: 4, y: y(popup) + 17, class: "name" }, short(popup), h("title", {}, popup))),
      spans.map((one) => bar(one, axis, y(one.popup), end, colour)),
      marks.map((mark) => h("path", { d: `M ${axis.x(mark.time) - 4} 17 l 4 7 l 4 -7 z`, class: `mark ${mark.kind ?? ""}` }, h("title", {}, `${span(mark.time)}: ${mark.words}`)))));
}

// A bar with as much of its words as there is room for; all of them are its title.
function bar(one, axis, y, end, colour) {
  const [from, to] = [axis.x(one.from), axis.x(one.to ?? end)];
  const isWait = one.kind === "waits";
  const length = span((one.to ?? end) - one.from);
  const reason = (one.words ?? "").replace(/^.*? (?:goes|gives way) after [^:]*(?:: )?/, "");
  const whole = isWait ? reason : [length, reason].filter(Boolean).join(", ");
  const shown = [whole, isWait ? "" : length].find((words) => words.length * letter + 8 <= to - from) ?? "";
  return h("g", {}, h("title", {}, `${one.popup} ${one.kind}${one.words ? `: ${one.words}` : ""}, ${span(one.from)} to ${span(one.to ?? end)}`),
    h("rect", {
      x: from, y: y + (isWait ? 5 : 3), width: Math.max(to - from, 3), height: rowHeight - (isWait ? 10 : 6), rx: 3,
      class: isWait ? "waits" : `shows c${colour(one.popup) % 8}`,
    }),
    shown && h("text", { x: from + 4, y: y + 17, class: isWait ? "words" : "words light" }, shown));
}

function short(name) {
  return name.length > 26 ? `${name.slice(0, 16)}…${name.slice(-9)}` : name;
}

// The spans of a story that was told.
export function spansOf(happenings, end) {
  const spans = [];
  const showing = new Map();
  const waiting = new Map();
  const close = (map, popup, time) => {
    const open = map.get(popup);
    if (open) open.to = time;
    map.delete(popup);
  };
  for (const { time, kind, popups = [], words } of happenings) {
    for (const popup of popups) {
      if (kind === "shows") {
        close(waiting, popup, time);
        const one = { popup, from: time, kind: "shows" };
        showing.set(popup, one);
        spans.push(one);
      } else if (kind === "goes" || kind === "givesWay") {
        const open = showing.get(popup);
        if (open) open.words = words[0];
        close(showing, popup, time);
      } else if (kind === "waits") {
        close(waiting, popup, time);
        if (showing.has(popup)) continue;
        const one = { popup, from: time, kind: "waits", words: words[0].replace(/^waiting: .* – /, "") };
        waiting.set(popup, one);
        spans.push(one);
      } else if (kind === "misses" || kind === "absent") close(waiting, popup, time);
    }
  }
  for (const map of [showing, waiting]) for (const popup of [...map.keys()]) close(map, popup, end);
  return spans.filter((one) => one.kind === "shows" || one.to > one.from);
}
