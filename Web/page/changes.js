// The effects of the step from earlier rules: in words, and before and after side by side.
import { h, marked } from "./dom.js";
import { preview, kindOf } from "./preview.js";
import { plain, same, text } from "../values.js";
import { contextOf, ruleFacts } from "./popups.js";
import { Model } from "./model.js";

export function changesView(page, address) {
  const { changes } = page.model.data;
  if (!changes) return h("p", { class: "empty" }, "To see changes here, run `poprules page` with `--against`.");
  const { q } = address.query;
  const shown = changes.changes.filter((entry) => !q || JSON.stringify(entry).toLowerCase().includes(q.toLowerCase()));
  const earlier = new Map(changes.bundle.rules.popups.map((popup) => [popup.id, popup]));
  const earlierModel = new Model(page.model.data, JSON.stringify(changes.bundle));
  return h("div", {},
    h("div", { class: "bar" }, h("span", { role: "status" }, changes.same
      ? `No behavior changes since ${changes.against}.`
      : `${shown.length} of ${changes.changes.length} changed entries shown, compared with ${changes.against}`),
      !changes.decided && h("span", { class: "chip" }, "the effect of some changes could not be determined")),
    shown.map((entry) => h("article", { class: `entry ${entry.kind}` },
      h("h3", {}, entry.name, " ", h("span", { class: `badge ${entry.kind}` }, entry.kind)),
      entry.lines.length > 0 && h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": `changes of ${entry.name}` }, h("table", { class: "keys" }, h("tbody", {}, entry.lines.map((line) => h("tr", {},
        h("th", { scope: "row" }, line.key),
        h("td", {}, marked(line.text), line.details.length > 0 && h("ul", {}, line.details.map((detail) => h("li", {}, marked(detail)))))))))),
      goneFacts(earlierModel, changes.gone, entry),
      sideBySide(page, earlierModel, earlier, entry, address))));
}

// Returns the facts about a popup that was removed.
function goneFacts(earlierModel, gone, entry) {
  const audience = gone.find((one) => entry.name === `popup ${one.popup}`);
  if (!audience) return null;
  const rule = earlierModel.rule.get(audience.popup);
  return h("dl", { class: "facts" }, ruleFacts(rule, audience, String(rule.priority ?? 100)));
}

function sideBySide(page, earlierModel, earlier, entry, address) {
  const id = /^popup (.+)$/.exec(entry.name)?.[1];
  if (!id) return null;
  const [before, after] = [earlier.get(id), page.model.rule.get(id)];
  const isSame = before && after && same(before.content, after.content) && before.template === after.template && same(before.experiment, after.experiment);
  if (isSame) return null;
  const context = contextOf(page, address.query);
  const language = address.query.lang ?? text(context[page.model.rules.keys[page.model.rules.locales?.key]?.name] ?? "");
  const side = (model, rule, words) => h("figure", {}, h("figcaption", {}, words),
    rule ? model.variants(rule).map((variant) => h("div", { class: `glass ${kindOf(variant.template, plain(variant.content ?? null))}` },
      variant.name && h("small", {}, variant.name), preview(model, variant, { language, context })))
      : h("p", { class: "empty" }, "does not exist"));
  return h("div", { class: "sides" }, side(earlierModel, before, "before"), side(page.model, after, "after"));
}
