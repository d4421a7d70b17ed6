// The parts of the rules that the tests have covered, and those that they have not.
import { h, marked } from "./dom.js";

const kinds = [["popups", "popups", "popup"], ["conditions", "condition outcomes", "condition"], ["behaviours", "behaviors", "behaviour"], ["reasonCodes", "reason codes", "reasonCode"]];

export function coverageView(page, address) {
  const { coverage } = page.model.data;
  const { q } = address.query;
  const unseen = coverage.items.filter((item) => item.count === 0 && (!q || JSON.stringify(item).toLowerCase().includes(q.toLowerCase())));
  const unshown = unseen.filter((item) => item.kind === "popup").map((item) => item.popup);
  const files = [...new Set(unseen.map((item) => item.file))];
  return h("div", {},
    h("table", { class: "shares" }, h("caption", { class: "away" }, "coverage by kind"),
      h("thead", {}, h("tr", {}, ["kind", "covered", "share"].map((words) => h("th", { scope: "col" }, words)))),
      h("tbody", {}, [...kinds, ["total", "total"]].map(([key, words]) => {
        const { seen, total } = coverage.summary[key];
        const share = total ? Math.floor((seen * 1000) / total) / 10 : 100;
        return h("tr", {}, h("th", { scope: "row" }, words), h("td", {}, `${seen} of ${total}`),
          h("td", {}, h("meter", { min: 0, max: 100, value: share, "aria-label": `${words}: ${share} %` }), ` ${share} %`));
      }))),
    (coverage.untried ?? []).length > 0 && h("section", {}, h("h2", {}, "Audiences and limits that no test tries"), h("ul", {}, coverage.untried.map((one) => h("li", {}, untriedWords(page, one))))),
    unshown.length > 0 && h("section", {}, h("h2", {}, "Popups that no test shows"), h("ul", {}, unshown.map((name) => h("li", {}, h("a", { href: page.link("popups", name) }, name))))),
    h("section", {}, h("h2", {}, unseen.length ? "Not covered" : "Everything is covered"),
      files.map((file) => h("details", { open: true }, h("summary", {}, file ?? "anywhere"),
        h("ul", { class: "unseen" }, unseen.filter((item) => item.file === file).map((item) => h("li", {},
          item.line && h("small", {}, `line ${item.line} `), marked(codeOf(item)), item.outcome !== undefined && ` is ${item.outcome}`)))))));
}

function codeOf(item) {
  return item.kind === "condition" && !item.text.includes("`") ? `\`${item.text}\`` : item.text;
}

function untriedWords(page, { popup, audiences, bounds }) {
  const missing = [...audiences.map((words) => `for users where ${words}`), ...grouped(bounds).map((words) => `with ${words}`)];
  return [h("a", { href: page.link("popups", popup) }, popup), " was never tried",
    missing.length === 1 ? [" ", marked(missing[0])] : h("ul", {}, missing.map((words) => h("li", {}, marked(words))))];
}

// `a 3` and `a 4` are `a 3 or 4`.
function grouped(bounds) {
  const byName = new Map();
  for (const words of bounds) {
    const at = words.lastIndexOf(" ");
    byName.set(words.slice(0, at), [...(byName.get(words.slice(0, at)) ?? []), words.slice(at + 1)]);
  }
  return [...byName].map(([name, values]) => `${name} ${values.join(" or ")}`);
}
