// Conflicts between popups: a matrix, and the events between two popups.
import { h, marked, copyButton } from "./dom.js";

const signs = { postponed: ["…", "the second waits"], lost: ["×", "the second is lost"], kept_away: ["⊘", "the second is suppressed"], starved: ["!", "the second is no longer allowed"], lapsed: ["◔", "the second is too late"], shared: ["=", "both show to the same users"] };

export function collisionsView(page, address) {
  const { collisions } = page.model.data;
  const { popup, pair } = address.query;
  const found = collisions.found.filter(({ is }) => !popup || is.first === popup || is.second === popup);
  const names = [...new Set(page.model.popups.map((one) => one.popup))].filter((name) => found.some(({ is }) => is.first === name || is.second === name));
  const shown = pair ? found.filter(({ is }) => `${is.first} ${is.second}` === pair) : found;
  return h("div", {},
    h("div", { class: "bar" },
      h("span", { role: "status" }, `${found.length} ${found.length === 1 ? "collision" : "collisions"}; ${collisions.pairs} pairs checked${collisions.untried ? `, ${collisions.untried} not checked` : ""}`),
      popup && h("span", { class: "chip" }, `with ${popup} `, h("a", { href: page.link("collisions") }, "all"))),
    found.length > 0 && matrix(page, found, names, pair),
    found.length > 0 && h("p", { class: "legend" }, Object.values(signs).map(([sign, words]) => h("span", {}, h("b", {}, sign), ` ${words}  `))),
    pair && h("p", {}, h("button", { type: "button", class: "quiet", onclick: () => page.set({ pair: null }) }, "show all pairs")),
    shown.map((one) => entry(page, one)),
    !found.length && h("p", { class: "empty" }, "No collisions were found among the checked pairs."));
}

function matrix(page, found, names, pair) {
  const cells = new Map();
  for (const one of found) {
    const key = `${one.is.first} ${one.is.second}`;
    cells.set(key, [...(cells.get(key) ?? []), one]);
  }
  return h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "matrix of collisions" },
    h("table", { class: "matrix" },
      h("caption", { class: "away" }, "the popup of the row shows first, the popup of the column second"),
      h("thead", {}, h("tr", {}, h("td", {}), names.map((name) => h("th", { scope: "col" }, h("span", {}, name))))),
      h("tbody", {}, names.map((first) => h("tr", {}, h("th", { scope: "row" }, first),
        names.map((second) => {
          const these = cells.get(`${first} ${second}`);
          if (!these) return h("td", { class: first === second ? "self" : "" });
          const key = `${first} ${second}`;
          return h("td", { class: "met" }, h("button", {
            type: "button", "aria-pressed": key === pair ? "true" : "false",
            "aria-label": `${first} before ${second}: ${these.map(({ is }) => signs[is.outcome][1]).join(", ")}`,
            onclick: () => page.set({ pair: key === pair ? null : key }),
          }, [...new Set(these.map(({ is }) => signs[is.outcome][0]))].join("")));
        }))))));
}

function entry(page, { words, where, is, script }) {
  return h("article", { class: "entry" },
    h("h3", {}, marked(words)),
    h("p", {}, marked(where), is.user && [", for example for a user with ", h("code", {}, is.user)]),
    script && page.hasEngine && h("p", {}, h("button", { type: "button", onclick: () => page.playScript(script, `${is.first} before ${is.second}`) }, "play it step by step")),
    is.story && h("details", {}, h("summary", {}, "what happens, as a test"), h("pre", { tabindex: "0" }, is.story), copyButton("copy the test", is.story)));
}
