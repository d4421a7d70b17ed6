// When popups may show: the days and hours of one as a week, those of several as a month, drawn to
// scale.
import { h } from "./dom.js";

const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const [left, top, cell, height] = [34, 16, 34, 96];

// From when until when, as clocks in its zone read it.
export function bounds(entry, zone) {
  const from = entry.from !== undefined && `from ${bound(entry.from, zone)}`;
  const until = entry.until !== undefined && `until ${bound(entry.until, zone)}`;
  return [from, until].filter(Boolean).join(" ");
}

function bound(words, zone) {
  if (typeof words !== "string") {
    const seconds = words.day !== undefined ? words.day * 86400 : words.reading;
    return written(new Date(seconds * 1000), "UTC");
  }
  return written(new Date(words), zone);
}

function written(date, zone) {
  const options = { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  let text;
  try {
    text = new Intl.DateTimeFormat("en-GB", { ...options, timeZone: zone }).format(date);
  } catch {
    text = `${new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" }).format(date)} UTC`;
  }
  return text.replace(/,? 00:00/, "");
}

function clock(minutes) {
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}

export function weekWords(entry) {
  const named = entry.days ? entry.days.map((day) => weekdays[day]).join(", ") : "every day";
  const hours = entry.hours ? `${clock(entry.hours[0])}–${clock(entry.hours[1])}` : "all day";
  return `${named}, ${hours}`;
}

// A week with the open hours of some entries.
export function week(entries, label) {
  const y = (minutes) => top + (minutes / 1440) * height;
  const bars = [];
  for (const entry of entries) {
    const [from, until] = entry.hours ?? [0, 1440];
    for (let day = 0; day < 7; day += 1) {
      if (entry.days && !entry.days.includes(day)) continue;
      const parts = from < until ? [[day, from, until]] : [[day, from, 1440], [(day + 1) % 7, 0, until]];
      for (const [column, start, end] of parts) {
        bars.push(h("rect", { x: left + column * cell + 1, y: y(start), width: cell - 2, height: Math.max(y(end) - y(start), 1), class: "open" }));
      }
    }
  }
  return h("svg", { viewBox: `0 0 ${left + 7 * cell + 4} ${top + height + 6}`, class: "week", role: "img", "aria-label": label },
    weekdays.map((name, index) => h("text", { x: left + index * cell + cell / 2, y: 11, "text-anchor": "middle" }, name)),
    weekdays.map((name, index) => h("rect", { x: left + index * cell, y: top, width: cell, height, class: "day" })),
    [0, 6, 12, 18, 24].map((hour) => h("text", { x: left - 5, y: y(hour * 60) + 4, "text-anchor": "end" }, hour)),
    bars);
}

// MARK: months

const [nameWidth, dayWidth, rowHeight, headHeight] = [190, 26, 34, 30];
const dayLength = 86400;

// The seconds since 1970 that a clock in a zone shows at a date, as if it were one in UTC.
function reading(date, zone) {
  const parts = (timeZone) => Object.fromEntries(new Intl.DateTimeFormat("en-GB", {
    timeZone, year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric", hourCycle: "h23",
  }).formatToParts(date).map(({ type, value }) => [type, Number(value)]));
  let found;
  try { found = parts(zone); } catch { found = parts("UTC"); }
  return Date.UTC(found.year, found.month - 1, found.day, found.hour, found.minute, found.second) / 1000;
}

function edge(bound, zone, otherwise) {
  if (bound === undefined) return otherwise;
  if (typeof bound === "string") return reading(new Date(bound), zone);
  return bound.day !== undefined ? bound.day * dayLength : bound.reading;
}

// The parts of a day, in seconds from its beginning, at which an entry is open; `day` counts from
// 1970 on.
function openParts(entry, zone, day) {
  const [from, until] = entry.hours ?? [0, 1440];
  const isNamed = (one) => !entry.days || entry.days.includes((((one + 3) % 7) + 7) % 7);
  const parts = [];
  if (isNamed(day)) parts.push([from * 60, (from < until ? until : 1440) * 60]);
  if (from >= until && isNamed(day - 1)) parts.push([0, until * 60]);
  const [first, last] = [edge(entry.from, zone, -Infinity) - day * dayLength, edge(entry.until, zone, Infinity) - day * dayLength];
  return parts.map(([start, end]) => [Math.max(start, first), Math.min(end, last)]).filter(([start, end]) => start < end);
}

// A month: a row for each of `rows`, which are { name, entries: [{ entry, zone }], quiet }, a
// column for each day; in a cell the day runs from the top down.
export function month(year, index, rows, label) {
  const count = new Date(Date.UTC(year, index + 1, 0)).getUTCDate();
  const firstDay = Date.UTC(year, index, 1) / 1000 / dayLength;
  const [width, whole] = [nameWidth + count * dayWidth, headHeight + rows.length * rowHeight];
  const x = (column) => nameWidth + column * dayWidth;
  const y = (row, second) => headHeight + row * rowHeight + 3 + (second / dayLength) * (rowHeight - 6);
  const bar = (column, row, [start, end], kind) => h("rect", { x: x(column) + 1, y: y(row, start), width: dayWidth - 2, height: Math.max(y(row, end) - y(row, start), 1), class: kind });
  const days = Array.from({ length: count }, (_, column) => column);
  return h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": label },
    h("svg", { viewBox: `0 0 ${width} ${whole}`, width, height: whole, class: "month", role: "img", "aria-label": label },
      h("title", {}, label),
      days.map((column) => [
        (firstDay + column + 3) % 7 > 4 && h("rect", { x: x(column), y: 0, width: dayWidth, height: whole, class: "weekend" }),
        h("text", { x: x(column) + dayWidth / 2, y: 11, "text-anchor": "middle" }, weekdays[(firstDay + column + 3) % 7].slice(0, 2)),
        h("text", { x: x(column) + dayWidth / 2, y: 24, "text-anchor": "middle" }, column + 1),
      ]),
      rows.map(({ name, entries, quiet }, row) => h("g", {}, h("title", {}, name),
        h("text", { x: 0, y: y(row, dayLength / 2) + 4 }, name.length > 26 ? `${name.slice(0, 25)}…` : name),
        h("line", { x1: 0, x2: width, y1: headHeight + row * rowHeight, y2: headHeight + row * rowHeight, class: "tick" }),
        days.map((column) => [
          entries.flatMap(({ entry, zone }) => openParts(entry, zone, firstDay + column)).map((part) => bar(column, row, part, "open")),
          quiet && openParts({ hours: quiet }, "UTC", firstDay + column).map((part) => bar(column, row, part, "quiet")),
        ])))));
}

// The steps of a rollout: how many users are in from each date on.
export function stairs(steps, label) {
  const [width, tall] = [92, 40];
  return h("svg", { viewBox: `0 0 ${steps.length * width} ${tall + 30}`, class: "stairs", role: "img", "aria-label": label },
    h("title", {}, label),
    steps.map(({ begins, percent }, index) => [
      h("rect", { x: index * width, y: tall - (percent / 100) * tall + 14, width: width - 1, height: Math.max((percent / 100) * tall, 1), class: "open" }),
      h("text", { x: index * width + 2, y: tall - (percent / 100) * tall + 11 }, `${percent}%`),
      h("text", { x: index * width + 2, y: tall + 26 }, `from ${written(new Date(begins), "UTC")}`),
    ]));
}
