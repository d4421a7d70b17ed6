// The popups on the screens so far, drawn to scale like the tests: one row per popup, with time
// running to the right. If long and short times do not fit together, some have another scale, which
// `≈` shows.
import { h } from "./dom.js";
import { span } from "./time.js";

const [rowHeight, axisAt, head] = [28, 30, 50];
const mostRows = 25;
// The narrowest width of most columns, the width of all of them if there is room, and the width of
// a letter.
const [leastWidth, usualWidth, letter] = [70, 380, 7.3];

// Places of moments, in pixels.
class Axis {
  constructor(times, left) {
    const sorted = [...new Set(times)].sort((one, other) => one - other);
    const lengths = sorted.slice(1).map((time, index) => time - sorted[index]);
    const middle = [...lengths].sort((one, other) => one - other)[Math.floor(lengths.length / 2)] || 1;
    const whole = usualWidth / (lengths.reduce((sum, length) => sum + length, 0) || 1);
    const isEven = lengths.every((length) => length * whole >= leastWidth);
    const usual = Math.min(Math.max(usualWidth / lengths.length, leastWidth), 220);
    let x = left;
    this.columns = sorted.map((time, index) => {
      const length = lengths[index];
      const column = { time, x, width: leastWidth };
      if (length === undefined) return column;
      const fitting = isEven ? length * whole : (usual * length) / middle;
      const label = Math.max(width(`≈ ${span(length)}`), width(span(time))) + 14;
      column.width = isEven ? fitting : Math.min(Math.max(fitting, label), Math.max(usual * 2, label));
      column.bent = Math.abs(column.width - fitting) > 1;
      column.length = length;
      x += column.width;
      return column;
    });
    this.end = x;
  }

  x(time) { return this.columns.findLast((column) => column.time <= time).x; }
}

// `spans` are { popup, from, to, kind, words, ending } of the kind "shows" or "waits", `marks` are
// { time, words }.
export function timeline({ spans, marks, start, end, label }) {
  const all = [...new Set([...spans.filter((one) => one.kind === "shows"), ...spans].map((one) => one.popup))];
  const popups = all.slice(0, mostRows);
  const drawn = spans.filter((one) => popups.includes(one.popup));
  const left = 24 + Math.max(...popups.map((popup) => width(short(popup))));
  const axis = new Axis([start, end, ...drawn.flatMap((one) => [one.from, one.to]), ...marks.map((mark) => mark.time)], left);
  const [wide, height] = [Math.max(axis.end, left + width(span(end))) + 60, head + popups.length * rowHeight + 8];
  const y = (popup) => head + popups.indexOf(popup) * rowHeight;
  const rest = all.length - popups.length;
  return h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": label },
    rest > 0 && h("p", {}, h("small", {}, `and ${rest} more popups that only waited`)),
    h("svg", { viewBox: `0 0 ${wide} ${height}`, width: wide, height, class: "drawing", role: "img" },
      h("title", {}, label),
      axis.columns.map((column) => h("path", { d: `M${column.x} ${head}V${height}`, class: "line" })),
      h("path", { d: `M${left} ${axisAt}H${axis.end}`, class: "axis" }),
      axis.columns.map((column) => [
        h("text", { x: column.x, y: 18, class: "soft" }, span(column.time)),
        column.length !== undefined && h("text", { x: column.x + column.width / 2, y: axisAt + 14, class: "soft small middle" }, `${column.bent ? "≈ " : ""}${span(column.length)}`),
      ]),
      popups.map((popup) => h("g", {}, h("title", {}, popup), h("text", { x: 8, y: y(popup) + 19 }, short(popup)))),
      drawn.map((one) => bar(one, axis, y(one.popup))),
      marks.map((mark) => h("g", {}, h("title", {}, `${span(mark.time)}: ${mark.words}`), h("path", { d: `M${axis.x(mark.time) - 4} ${axisAt - 5}h8l-4 5z`, class: "mark" })))));
}

// A bar with as many of its words as it has room for; its title has all of them.
function bar({ popup, kind, from, to, words, ending }, axis, y) {
  const [start, end] = [axis.x(from), Math.max(axis.x(to), axis.x(from) + 8)];
  const isWait = kind === "waits";
  const length = span(to - from);
  const sign = end - start > 18 && !isWait ? ending.sign : "";
  const room = end - start - 10 - (sign ? 14 : 0);
  const whole = isWait ? words ?? "" : [length, words ?? "still on the screen"].join(", ");
  const shown = [whole, isWait ? "" : length].find((one) => width(one) <= room);
  return h("g", {}, h("title", {}, `${popup} ${kind} from ${span(from)} to ${span(to)}${words ? `: ${words}` : ""}`),
    h("rect", { x: start, y: y + 5, width: end - start, height: 20, rx: 3, class: isWait ? "waits" : `shows ${ending.class}` }),
    shown && h("text", { x: start + 5, y: y + 19 }, shown),
    sign && h("text", { x: end - 12, y: y + 19, class: `${ending.class} strong` }, sign));
}

function width(words) {
  return words.length * letter;
}

function short(name) {
  return name.length > 26 ? `${name.slice(0, 16)}…${name.slice(-9)}` : name;
}
