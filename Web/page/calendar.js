// When a popup may show: its days and hours as a week, drawn to scale.
import { h } from "./dom.js";

const days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
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
  const named = entry.days ? entry.days.map((day) => days[day]).join(", ") : "every day";
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
    days.map((name, index) => h("text", { x: left + index * cell + cell / 2, y: 11, "text-anchor": "middle" }, name)),
    days.map((name, index) => h("rect", { x: left + index * cell, y: top, width: cell, height, class: "day" })),
    [0, 6, 12, 18, 24].map((hour) => h("text", { x: left - 5, y: y(hour * 60) + 4, "text-anchor": "end" }, hour)),
    bars);
}
