// A popup as a user of a phone sees it. Looks are in shadow roots, so that no style leaks in or
// out.
import { h, fill } from "./dom.js";
import { showLook, fieldText } from "./looks.js";
import { filledPlaces } from "./places.js";
import { plain, text } from "../values.js";

const kinds = [
  ["toast", /toast|snack|message/], ["banner", /banner|bar|notice|strip/], ["tip", /tip|hint|coach|tour|guide|tooltip/],
  ["full", /full|block|screen|overlay|interstitial|page|gate/], ["sheet", /sheet|modal|dialog|alert|card|paywall/],
];

// Returns the form of a popup on the screen: by the name of its template, or by its content if that
// fails.
export function kindOf(template, content) {
  for (const [kind, pattern] of kinds) if (pattern.test((template ?? "").toLowerCase())) return kind;
  const fields = content instanceof Map ? content : new Map();
  if (fields.has("steps")) return "tip";
  if (fields.has("text") && !fields.has("title")) return "toast";
  return "sheet";
}

// The content in one language, its placeholders filled; `context` and `event` are values by name.
export function resolved(content, model, { language, context = {}, event = {} }) {
  const filled = (value) => {
    if (typeof value === "string") {
      return filledPlaces(value, (name, otherwise) => {
        const [from, field] = name.startsWith("event.") ? [event, name.slice(6)] : [context, name];
        const found = Object.hasOwn(from, field) ? from[field] : undefined;
        if (found !== undefined) return shortNumber(found);
        return otherwise ?? (name.startsWith("event.") ? `‹${name.slice(6)}›` : "");
      });
    }
    if (Array.isArray(value)) return value.map(filled);
    if (value instanceof Map) return new Map([...value].map(([key, inner]) => [key, filled(inner)]));
    return value;
  };
  const content_ = plain(content ?? { $map: [] });
  if (!(content_ instanceof Map)) return new Map();
  const fallback = model.rules.locales?.fallback;
  const chosen = [...content_].map(([key, value]) => {
    if (value instanceof Map && model.isLocalized(key)) {
      return [key, value.get(language) ?? value.get((language ?? "").split("-")[0]) ?? value.get(fallback) ?? ""];
    }
    return [key, value];
  });
  return filled(new Map(chosen));
}

function shortNumber(value) {
  const found = plain(value);
  return typeof found === "object" ? text(value) : String(found);
}

const style = new CSSStyleSheet();
style.replaceSync(`
:host{display:block;font:14px/1.4 system-ui,sans-serif;color:#1b1d21;overflow-wrap:anywhere}
.pop{background:#fff;box-shadow:0 2px 12px #0004;display:flex;flex-direction:column;gap:.5em}
.sheet{border-radius:16px 16px 0 0;padding:18px 16px 16px}
.full{border-radius:0;padding:28px 18px;min-height:var(--full,170px);justify-content:center;text-align:center;box-shadow:none}
.banner{padding:10px 14px;border-radius:0 0 10px 10px}
.toast{margin:10px;padding:10px 14px;border-radius:10px;background:#2b2e35;color:#fff;flex-flow:row wrap;align-items:center}
.tip{margin:14px;padding:12px 14px;border-radius:10px;background:#123a63;color:#fff}
.title{font-weight:650;font-size:1.12em}
.toast .text{flex:1 1 8em}
.buttons{display:flex;flex-wrap:wrap;gap:8px;margin-top:4px}
.full .buttons{justify-content:center}
button{font:inherit;border:0;border-radius:9px;padding:7px 14px;background:#1f5fbf;color:#fff;cursor:pointer;max-width:100%}
button.second{background:#e8ebf0;color:#1b1d21}
.toast button{background:none;color:#a9cdff;padding:2px 4px;font-weight:600}
button:focus-visible{outline:3px solid #e08a00;outline-offset:2px}
button[disabled]{cursor:default}
.image{background:#dfe6ee;color:#3a4654;border-radius:8px;padding:14px;text-align:center;font-size:.85em}
img{max-width:100%;border-radius:8px}
.link{color:#1f5fbf;text-decoration:underline;font-size:.9em}
.more{margin:0;font-size:.85em;color:#4b525c;display:grid;grid-template-columns:auto 1fr;gap:.1em .7em}
.tip .more,.toast .more{color:#dbe4ee}.more dd{margin:0}.more dt{font-weight:600}
progress{width:100%;accent-color:#5ea0ff}
`);

const known = {
  title: ["title", "headline", "heading"], body: ["body", "message", "text", "subtitle", "description"],
  button: ["button", "cta", "primary_button", "accept"], second: ["second_button", "secondary_button", "cancel", "dismiss"],
  link: ["link", "url"], image: ["image", "icon", "picture"], progress: ["progress"],
};

export class PopPreview extends HTMLElement {
  // Shows a resolved content. `act` is called with "button" or "second" if there is one to use.
  show({ template, content, look, act }) {
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    if (look) {
      showLook(root, look, content, act);
      return this;
    }
    root.adoptedStyleSheets = [style];
    fill(root, drawn(template, content, act));
    return this;
  }
}
customElements.define("pop-preview", PopPreview);

function drawn(template, content, act) {
  const kind = kindOf(template, content);
  const rest = new Map(content);
  const take = (role) => {
    const name = known[role].find((name) => rest.has(name) && typeof rest.get(name) !== "object");
    const value = name === undefined ? undefined : rest.get(name);
    rest.delete(name);
    return value;
  };
  const [title, body] = [take("title"), take("body")];
  const [button, second, link, progress, image] = [take("button"), take("second"), take("link"), take("progress"), take("image")];
  const buttons = [];
  const add = (label, role, isSecond) => {
    if (label === undefined) return;
    buttons.push(h("button", { type: "button", class: isSecond && "second", disabled: !act, onclick: () => act?.(role) }, label));
  };
  add(button, "button", false);
  add(second, "second", true);
  if (Array.isArray(rest.get("buttons"))) {
    rest.get("buttons").forEach((item, index) => add(fieldText(item instanceof Map ? item.get("text") ?? item.get("title") ?? item : item), index ? "second" : "button", index > 0));
    rest.delete("buttons");
  }
  return h("div", { class: `pop ${kind}`, part: "popup" },
    picture(image),
    title !== undefined && h("div", { class: "title" }, title),
    body !== undefined && h("div", { class: "text" }, body),
    typeof progress === "number" && h("progress", { max: 1, value: Math.min(Math.max(progress, 0), 1), "aria-label": "progress" }),
    buttons.length > 0 && h("div", { class: "buttons" }, buttons),
    link !== undefined && h("span", { class: "link" }, link),
    rest.size > 0 && h("dl", { class: "more" }, [...rest].flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, fieldText(value))])),
    title === undefined && body === undefined && rest.size === 0 && button === undefined && h("div", { class: "text" }, "(no content)"));
}

function picture(address) {
  if (address === undefined) return null;
  return String(address).startsWith("data:image/")
    ? h("img", { src: address, alt: "" })
    : h("div", { class: "image" }, `image ${address}`);
}

// The preview of a look of a popup.
export function preview(model, look, options = {}) {
  const content = options.content ?? resolved(look.content, model, options);
  return h("pop-preview", {}).show({
    template: look.template, content, act: options.act, look: model.looks.get(look.template),
  });
}
