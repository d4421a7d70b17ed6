// swift-format-ignore-file
// The modules and the style in Web/page as the program carries them.
// `make pages` writes this file.

/// The script and the style of pages, with the hashes by which a page's policy admits them.
enum PageSources {
    static let scriptHash = "sha256-hwdo6bJZ05CKX/McReNKEtgYX+tTnxYpBLOjW3GsgQE="
    static let styleHash = "sha256-+TdmzSzDU9N3LkmAjDx2C2EAJlNlhJT1Apv+u9Jlg08="
    static let style: StaticString = ###"""
:root{--ink:#1b1d21;--soft:#555d68;--paper:#fff;--line:#d5dae1;--hatch:#6b7480;--good:#17692b;--bad:#b02020;--none:#e3f0e4;--none-edge:#2e7d32;--person:#d6e6fb;--person-edge:#1f5fa8;--time:#fdf0cf;--time-edge:#8a5f00;--gaveWay:#efe0f7;--gaveWay-edge:#7b3aa0;--app:#e6e8eb;--app-edge:#4a5560;--failure:#fbdcdc;--failure-edge:#b02020;--wash:#f3f5f8;--link:#1557b0;--glass:#e3e8ef;--open:#2a7047;color-scheme:light}
@media(prefers-color-scheme:dark){:root:not([data-theme=light]){--ink:#e8eaed;--soft:#aab2bd;--paper:#16181c;--line:#3a414b;--hatch:#98a2ae;--good:#7fd694;--bad:#ff9a91;--none:#1c3823;--none-edge:#7fd694;--person:#1b3350;--person-edge:#8ab4f8;--time:#40330f;--time-edge:#e8c063;--gaveWay:#3a2548;--gaveWay-edge:#d0a0ea;--app:#2b3138;--app-edge:#a9b3be;--failure:#4a1f1f;--failure-edge:#ff9a91;--wash:#1f2329;--link:#8ab4f8;--glass:#2a3038;color-scheme:dark}}
:root[data-theme=dark]{--ink:#e8eaed;--soft:#aab2bd;--paper:#16181c;--line:#3a414b;--hatch:#98a2ae;--good:#7fd694;--bad:#ff9a91;--none:#1c3823;--none-edge:#7fd694;--person:#1b3350;--person-edge:#8ab4f8;--time:#40330f;--time-edge:#e8c063;--gaveWay:#3a2548;--gaveWay-edge:#d0a0ea;--app:#2b3138;--app-edge:#a9b3be;--failure:#4a1f1f;--failure-edge:#ff9a91;--wash:#1f2329;--link:#8ab4f8;--glass:#2a3038;color-scheme:dark}
*{box-sizing:border-box}
body{font:15px/1.5 system-ui,sans-serif;margin:0;color:var(--ink);background:var(--paper);overflow-wrap:anywhere}
a{color:var(--link)}
h1{font-size:1.15rem;margin:0}h2{font-size:1.15rem;margin:1.6em 0 .5em}h3{font-size:1.02rem;margin:0}h4{font-size:.9rem;margin:.6em 0 .2em}
small{color:var(--soft);font-weight:400}
code,pre{font:13px/1.45 ui-monospace,Menlo,Consolas,monospace}
pre{background:var(--wash);padding:.8em;overflow-x:auto;white-space:pre}
p{margin:.4em 0}
button,select,input,textarea{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--hatch);border-radius:6px;padding:.25em .6em;max-width:100%}
input[type=checkbox],input[type=range]{padding:0;accent-color:var(--link)}
button{cursor:pointer;background:var(--wash)}
button.main{background:var(--link);color:var(--paper);border-color:var(--link)}
button[aria-pressed=true]{outline:2px solid var(--link)}
button[disabled]{opacity:.6;cursor:default}
:focus-visible{outline:3px solid #d97a00;outline-offset:1px}
main:focus{outline:none}
.away{position:absolute!important;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:-999em}.skip:focus{left:.5em;top:.5em;background:var(--paper);padding:.5em;z-index:9}
[hidden]{display:none!important}
.top{padding:.7em 1.2em 0;border-bottom:1px solid var(--line);background:var(--wash)}
.brand{display:flex;justify-content:space-between;gap:1em;align-items:center}
nav{display:flex;flex-wrap:wrap;gap:.2em;margin-top:.5em}
nav a{padding:.35em .8em;text-decoration:none;border-radius:8px 8px 0 0;color:var(--ink)}
nav a[aria-current]{background:var(--paper);border:1px solid var(--line);border-bottom-color:var(--paper);margin-bottom:-1px;font-weight:600}
.filters{display:flex;flex-wrap:wrap;gap:.8em;padding:.6em 0;align-items:center}
.filters input{min-width:14em}
main{padding:.6em 1.2em 3em;max-width:1500px;margin:auto}
.bar{display:flex;flex-wrap:wrap;gap:1em;align-items:center;margin:.4em 0 .8em;color:var(--soft)}
.bar>*,.filters>*,.row>*{min-width:0;max-width:100%}
.chip,.badge{background:var(--wash);border:1px solid var(--line);border-radius:1em;padding:.05em .7em;font-size:.85em;color:var(--ink)}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,22rem),1fr));gap:1rem;align-items:start}
.card,.entry{border:1px solid var(--line);border-radius:12px;padding:.9em 1em;background:var(--paper)}
.cards.alone{grid-template-columns:minmax(0,60rem)}
.card header{display:flex;flex-wrap:wrap;gap:.5em;align-items:center}
.card{content-visibility:auto;contain-intrinsic-size:auto 36rem}.cards.alone .card{content-visibility:visible}
.card.off{border-style:dashed}
.what{color:var(--soft)}
.entry{margin:.8em 0}.entry .badge.added{border-color:var(--good)}.entry .badge.removed{border-color:var(--bad)}
.looks{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,15rem),1fr));gap:.6em}
figure{margin:.3em 0}figcaption{font-size:.85em;color:var(--soft)}
.glass{background:var(--glass);border-radius:10px;overflow:hidden;display:flex;flex-direction:column;justify-content:flex-end;min-height:4.5em;margin:.2em 0}
.glass.sheet,.glass.toast{padding-top:18px}.glass.full{padding:10px}
.glass{border:1px solid var(--line)}.glass>small{padding:0 .8em}
.glass.banner{justify-content:flex-start}.glass.tip{justify-content:center}
.facts,.tells{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.15em .8em;margin:.6em 0;font-size:.93em}
dt{color:var(--soft)}dd{margin:0}
.stairs{font-size:10px;max-width:100%;height:70px;display:block}.stairs text{fill:var(--ink)}.stairs .open{fill:var(--open);opacity:.75}
.month{font-size:10.5px;display:block}.month text{fill:var(--ink)}.month .tick{stroke:var(--line)}.month .weekend{fill:var(--wash)}.month .open{fill:var(--open);opacity:.75}.month .quiet{fill:none;stroke:var(--soft);stroke-width:1.5;stroke-dasharray:2 3}
.week{width:100%;max-width:19rem;font-size:10px}.week text{fill:var(--ink)}.week .day{fill:none;stroke:var(--line)}.week .open{fill:var(--open);opacity:.75}
details{margin:.3em 0}summary{cursor:pointer;color:var(--link)}
table{border-collapse:collapse}th{overflow-wrap:normal}th,td{text-align:left;vertical-align:top;padding:.25em .8em .25em 0;border-top:1px solid var(--line)}
.keys{width:100%;font-size:.93em}.keys small{white-space:nowrap}.keys ul{margin:0;padding-left:1.1em}
.card footer{display:flex;flex-wrap:wrap;gap:1em;margin-top:.5em}
.scroll{overflow-x:auto}
.matrix td,.matrix th{border:1px solid var(--line);padding:.1em .4em}.matrix thead th{vertical-align:bottom;height:9em;padding:0}
.matrix thead th span{white-space:nowrap;overflow:hidden;text-overflow:ellipsis;writing-mode:vertical-rl;transform:rotate(180deg);display:inline-block;max-height:16em;font-weight:400;font-size:.85em}
.matrix tbody th{font-weight:400;font-size:.85em;white-space:nowrap}.matrix td{min-width:2em;text-align:center}.matrix .self{background:var(--wash)}
.matrix button{border:0;padding:.1em .5em;min-width:1.8em;font-weight:700;background:var(--glass)}
.legend{display:flex;flex-wrap:wrap;gap:.3em 1.4em;color:var(--soft);font-size:.9em}
.good{color:var(--good)}.bad,.failed{color:var(--bad)}
.failure{border-left:4px solid var(--bad);padding-left:.8em}
.stories{list-style:none;padding:0}.stories li{padding:.15em 0}
.steps{list-style:none;padding:0}.steps li{display:grid;grid-template-columns:5.5em 1.4em minmax(0,1fr);padding:.06em 0}
.steps .at{color:var(--soft);font-variant-numeric:tabular-nums}.steps .held{color:var(--good)}.steps .input{font-weight:600}.steps .later,.steps .waits{color:var(--soft)}
.lane{border:1px solid var(--line);border-radius:4px;padding:0 .4em;margin-right:.4em}
.drawing{display:block}
.drawing{font:12px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace}
.drawing text{white-space:pre}
.drawing .heading{font-size:16px;font-weight:700}
.drawing .strong{font-weight:700}
.drawing .small{font-size:11px}
.drawing .middle{text-anchor:middle}
.drawing .broken{stroke-dasharray:4 3}
.drawing text{fill:var(--ink)}
.drawing .soft{fill:var(--soft)}
.drawing .good{fill:var(--good)}
.drawing .bad{fill:var(--bad)}
.drawing .paper{fill:var(--paper)}
.drawing .line{stroke:var(--line)}
.drawing .axis{stroke:var(--soft);fill:none}
.drawing .wrong{stroke:var(--bad)}
.drawing .waits{fill:var(--paper);stroke:var(--hatch);stroke-dasharray:3 3}
.drawing .arrow{stroke:var(--soft);fill:none}
.drawing .node{fill:var(--app);stroke:var(--app-edge)}
.drawing .mark{fill:var(--soft)}
.drawing .none{fill:var(--none);stroke:var(--none-edge)}
.drawing text.none{fill:var(--none-edge);stroke:none}
.drawing .person{fill:var(--person);stroke:var(--person-edge)}
.drawing text.person{fill:var(--person-edge);stroke:none}
.drawing .time{fill:var(--time);stroke:var(--time-edge)}
.drawing text.time{fill:var(--time-edge);stroke:none}
.drawing .gaveWay{fill:var(--gaveWay);stroke:var(--gaveWay-edge)}
.drawing text.gaveWay{fill:var(--gaveWay-edge);stroke:none}
.drawing .app{fill:var(--app);stroke:var(--app-edge)}
.drawing text.app{fill:var(--app-edge);stroke:none}
.drawing .failure{fill:var(--failure);stroke:var(--failure-edge)}
.drawing text.failure{fill:var(--failure-edge);stroke:none}
meter{width:min(10em,26vw)}
.sides{display:grid;grid-template-columns:1fr 1fr;gap:1em}
.play{display:grid;grid-template-columns:minmax(0,19rem) minmax(0,24rem) minmax(0,1fr);gap:1.2rem;align-items:start}
.phone{width:100%;max-width:23rem;margin:0 auto .6em;border:8px solid #33373d;border-radius:30px;height:34rem;display:flex;flex-direction:column;overflow:hidden;background:var(--glass);position:relative}
.phone .clock{display:flex;justify-content:space-between;padding:.3em 1em;font-size:.8em;font-variant-numeric:tabular-nums}
.phone .app{flex:1;display:flex;flex-direction:column;align-items:center;justify-content:center;color:var(--soft);text-align:center;padding:1em}
.phone .stage{position:absolute;inset:2em 0 0;pointer-events:none;display:flex;flex-direction:column}
.phone .layer{pointer-events:auto;overflow:auto;flex:0 0 auto;max-height:100%}
.phone .layer.tip,.phone .layer.toast,.phone .layer.sheet{margin-top:auto}.phone .layer.tip{margin-bottom:auto}.phone .layer.toast~.layer{margin-top:0}
.phone .layer.full{flex:1;background:#fff}
.tabs{display:flex;flex-wrap:wrap;gap:.3em;padding:.5em 0;justify-content:center}
.tabs button{font-size:.85em;padding:.1em .5em}
.panel{border:1px solid var(--line);border-radius:12px;padding:.7em .9em;margin-bottom:.9em}
.panel h3{margin-bottom:.4em}
.row label{white-space:nowrap}
.row{display:flex;flex-wrap:wrap;gap:.5em;align-items:center;margin:.3em 0}
.control{margin:.45em 0}.control label{display:block;font-size:.9em}.control .row{margin:0}.control input[type=text]{flex:1;min-width:4em}.control input[type=text]:not(:only-of-type){flex:0 1 6em}
.control input[type=range]{flex:1;min-width:8em}.control .note{color:var(--bad);font-size:.85em}
.ticks{display:flex;gap:.3em;flex-wrap:wrap;font-size:.82em}.ticks button{padding:0 .45em}
.why{list-style:none;margin:0;padding:0}.why>li{border-top:1px solid var(--line);padding:.3em 0;content-visibility:auto;contain-intrinsic-size:auto 1.9em}.why summary{color:var(--ink)}.why details>div{padding:.2em 0 .4em 1em;border-left:3px solid var(--line)}
.tree{list-style:none;padding-left:1em;margin:.2em 0;font-size:.9em}.tree .unneeded{color:var(--soft)}
.empty{color:var(--soft);padding:1em 0}
.left-out{border:1px solid var(--line);border-radius:12px;margin:.9em;padding:.7em .9em}
@media(max-width:1150px){.play{grid-template-columns:minmax(0,19rem) minmax(0,1fr)}.play>:last-child{grid-column:1/-1}}
@media(max-width:720px){.row label{white-space:normal}.play,.sides{grid-template-columns:minmax(0,1fr)}.top,main{padding-left:.7em;padding-right:.7em}.steps li{grid-template-columns:4em 1.2em minmax(0,1fr)}.filters input{min-width:0;width:100%}}
@media(prefers-reduced-motion:no-preference){.layer.new{animation:come .18s ease-out}@keyframes come{from{opacity:0;transform:translateY(12px)}}}
@media print{:root,:root[data-theme=dark],:root:not([data-theme=light]){--ink:#1b1d21;--soft:#555d68;--paper:#fff;--line:#d5dae1;--hatch:#6b7480;--good:#17692b;--bad:#b02020;--none:#e3f0e4;--none-edge:#2e7d32;--person:#d6e6fb;--person-edge:#1f5fa8;--time:#fdf0cf;--time-edge:#8a5f00;--gaveWay:#efe0f7;--gaveWay-edge:#7b3aa0;--app:#e6e8eb;--app-edge:#4a5560;--failure:#fbdcdc;--failure-edge:#b02020;--wash:#f3f5f8;--link:#1557b0;--glass:#e3e8ef;color-scheme:light}.card{content-visibility:visible}.top nav,.filters,.theme,.card footer,.play,.bar label,button:not(.matrix *){display:none!important}body{font-size:11pt}.card,.entry{break-inside:avoid}.cards{grid-template-columns:1fr 1fr}details:not([open])>summary{display:none}a{color:inherit;text-decoration:none}.scroll{overflow:visible}.drawing{max-width:100%;height:auto}}

"""###
    static let script: StaticString = ###"""
const module1 = (() => {
// Elements made of text nodes and attributes: nothing that rules say is ever read as markup.

const svgNames = new Set(["svg", "g", "rect", "line", "text", "title", "path", "circle", "desc"]);

// h("button", { class: "x", onclick: f }, "text", [more]): functions are listeners, `style` is a
// map of properties, `true` is an attribute without a value, and nothing is made of null and false.
function h(name, properties = {}, ...children) {
  const element = svgNames.has(name)
    ? document.createElementNS("http://www.w3.org/2000/svg", name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else if (key === "style") {
      for (const [property, text] of Object.entries(value)) element.style.setProperty(property, text);
    } else element.setAttribute(key, value === true ? "" : String(value));
  }
  put(element, children);
  return element;
}

// Builds an element that is written as [name, properties, ...content].
function built([name, properties, ...inside]) {
  return h(name, properties, inside.map((one) => (Array.isArray(one) ? built(one) : one)));
}

function put(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) put(element, child);
    else if (child === null || child === undefined || child === false) continue;
    else element.append(child instanceof Node ? child : String(child));
  }
}

function fill(element, ...children) {
  element.replaceChildren();
  put(element, children);
  return element;
}

// Marks text in backticks as code.
function marked(text) {
  const parts = String(text).split("`");
  if (parts.length % 2 === 0) return [String(text)];
  return parts.map((part, index) => (index % 2 ? h("code", {}, part) : part));
}

// Copies text to the clipboard; the button reports that.
function copyButton(label, text) {
  const button = h("button", { type: "button", class: "quiet" }, label);
  button.addEventListener("click", async () => {
    const words = typeof text === "function" ? text() : text;
    let done = true;
    try {
      await navigator.clipboard.writeText(words);
    } catch {
      const area = h("textarea", { class: "away", "aria-hidden": "true" });
      area.value = words;
      document.body.append(area);
      area.select();
      done = document.execCommand("copy");
      area.remove();
      button.focus();
    }
    button.textContent = done ? "copied" : "select the text and copy it";
    setTimeout(() => { button.textContent = label; }, 1500);
  });
  return button;
}
return { h, built, fill, marked, copyButton };
})();
const module3 = (() => {
// Values as the engine and bundles write and read them, with `$double`, `$map` and the like for
// types that JSON cannot distinguish; as JavaScript has them; and as users read and type them.

/**
 * Returns a value for the engine. A Date is a timestamp, a Uint8Array bytes, a Map or an object a
 * map. An object with one key that begins with `$`, as the engine writes it, such as `{ $duration:
 * "1h" }`, stays unchanged.
 */
function toEngine(value) {
  if (value === null || value === undefined) return { $null: true };
  if (typeof value === "number" && !Number.isSafeInteger(value)) return double(value);
  if (typeof value !== "object") return value;
  if (value instanceof Date) return { $timestamp: value.toISOString() };
  if (value instanceof Uint8Array) return { $bytes: btoa(Array.from(value, (byte) => String.fromCharCode(byte)).join("")) };
  if (Array.isArray(value)) return value.map(toEngine);
  if (value instanceof Map) return { $map: [...value].flat(1).map(toEngine) };
  const keys = Object.keys(value);
  if (keys.length === 1 && keys[0].startsWith("$")) return value;
  return { $map: Object.entries(value).flat(1).map(toEngine) };
}

/**
 * Returns JavaScript's value for a value of the engine: a map whose keys are strings is an object,
 * another one a Map.
 */
function fromEngine(value) {
  if (Array.isArray(value)) return value.map(fromEngine);
  if (typeof value !== "object") return value;
  const [[kind, content]] = Object.entries(value);
  switch (kind) {
    case "$null": return null;
    case "$double": return number(content);
    case "$bytes": return Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
    case "$timestamp": return new Date(content);
    case "$map": return objectOrMap(pairs(value).map((pair) => pair.map(fromEngine)));
    default: return content; // `$uint`, `$duration`, `$version`: a number or text.
  }
}

/** A `double`. */
function double(value) {
  const text = String(value).replace("Infinity", "inf").replace("NaN", "nan");
  return { $double: /^-?\d+$/.test(text) ? `${text}.0` : text };
}

function number(written) {
  return Number(String(written).replace("inf", "Infinity"));
}

/** The keys of a `$map`, each with its value. */
function pairs({ $map }) {
  return $map.flatMap((key, place) => (place % 2 ? [] : [[key, $map[place + 1]]]));
}

function objectOrMap(entries) {
  return entries.every(([key]) => typeof key === "string")
    ? Object.fromEntries(entries) : new Map(entries);
}

/** Returns a value for display: a map is a Map, a number a number, and times are strings. */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return value;
  if ("$map" in value) return new Map(pairs(value).map((pair) => pair.map(plain)));
  if ("$null" in value) return null;
  if ("$double" in value) return number(value.$double);
  if ("$uint" in value) return Number(value.$uint);
  const inner = Object.values(value);
  return inner.length === 1 ? plain(inner[0]) : value;
}

/** Returns a value for users, on one line. */
function text(value) {
  if (value === undefined) return "missing";
  if (typeof value === "string") return value;
  return written(value, text);
}

/** As a test file writes it. */
function yaml(value) {
  return typeof value === "string" ? JSON.stringify(value) : written(value, yaml);
}

function written(value, inner) {
  if (Array.isArray(value)) return `[${value.map(inner).join(", ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if ("$null" in value) return "null";
  if (!("$map" in value)) return "$double" in value ? String(value.$double) : inner(Object.values(value)[0]);
  const parts = pairs(value).map((pair) => pair.map(inner).join(": "));
  return parts.length ? `{ ${parts.join(", ")} }` : "{}";
}

/** Returns typed text as a value of a declared type; throws a message if it is not such a value. */
function read(typed, type) {
  const optional = typed.trim();
  if (type === "string") return typed;
  if (type === "bool") return optional === "true";
  if (type === "int" || type === "uint") {
    if (!/^-?\d+$/.test(optional) || (type === "uint" && optional[0] === "-")) throw new Error(`enter an integer (${type})`);
    const number = Number(optional);
    if (!Number.isSafeInteger(number)) throw new Error("the number is too large for this page");
    return type === "uint" ? { $uint: number } : number;
  }
  if (type === "double") {
    if (optional === "" || !Number.isFinite(Number(optional))) throw new Error("enter a number such as 4.5");
    return double(Number(optional));
  }
  if (type === "version") return { $version: optional };
  if (type === "timestamp") {
    if (Number.isNaN(Date.parse(optional))) throw new Error("enter a time such as 2026-11-20T09:00:00Z");
    return { $timestamp: new Date(optional).toISOString().replace(".000Z", "Z") };
  }
  if (type === "duration") return { $duration: optional };
  const list = /^list<(.+)>$/.exec(type);
  if (list) return optional === "" ? [] : optional.split(",").map((item) => read(list[1] === "string" ? item.trim() : item, list[1]));
  const map = /^map<([^,]+),(.+)>$/.exec(type);
  if (map) {
    const entries = optional.replace(/^\{|\}$/g, "").split(",").filter((entry) => entry.trim());
    return { $map: entries.flatMap((entry) => {
      const at = entry.indexOf(":");
      if (at < 0) throw new Error("enter entries such as shoes: 20, hats: 5");
      return [read(entry.slice(0, at).trim(), map[1]), read(entry.slice(at + 1).trim(), map[2].trim())];
    }) };
  }
  return JSON.parse(optional);
}

/** For a field that `read` reads again. */
function typed(value) {
  if (value === undefined) return "";
  if (Array.isArray(value)) return value.map(typed).join(", ");
  const shown = text(value);
  return shown.replace(/^\{ ?| ?\}$/g, "");
}

/** Returns true if two values are written alike. */
function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}
return { toEngine, fromEngine, double, plain, text, yaml, read, typed, same };
})();
const module2 = (() => {
// The data of the page, and the look-ups of views.
const { plain } = module3;

class Model {
  // `bundle` is the text that the engine gets.
  constructor(data, bundle) {
    this.data = data;
    this.bundle = bundle;
    const { rules } = JSON.parse(bundle);
    this.rules = rules;
    this.popups = data.popups;
    this.rule = new Map(rules.popups.map((popup) => [popup.id, popup]));
    this.audience = new Map(data.audiences.map((audience) => [audience.popup, audience]));
    this.info = new Map(data.keys.map((key) => [key.name, key]));
    this.templates = new Map((rules.templates ?? []).map((template) => [template.name, template]));
    this.looks = new Map((data.looks ?? []).map((look) => [look.template, look]));
    this.lanes = rules.schedulers.map((lane) => lane.name);
    this.owners = unique(this.popups.map((popup) => popup.owner).filter(Boolean)).sort();
    this.tags = unique(this.popups.flatMap((popup) => popup.tags ?? [])).sort();
  }

  // Returns true if a popup passes the filters.
  wants(popup, { q, owner, tag, lane }) {
    if (owner && popup.owner !== owner) return false;
    if (tag && !(popup.tags ?? []).includes(tag)) return false;
    if (lane && popup.scheduler !== lane) return false;
    if (!q) return true;
    return this.searchText(popup).includes(q.toLowerCase());
  }

  searchText(popup) {
    this.found ??= new Map();
    if (!this.found.has(popup.popup)) {
      const rule = this.rule.get(popup.popup);
      const parts = [popup.popup, popup.owner, popup.description, ...(popup.tags ?? []), ...popup.triggers,
        rule.when, rule.template, JSON.stringify(rule.content ?? ""), JSON.stringify(rule.experiment ?? "")];
      this.found.set(popup.popup, parts.filter(Boolean).join("\n").toLowerCase());
    }
    return this.found.get(popup.popup);
  }

  // The looks of a popup: without a variant, and each variant of its experiment.
  variants(rule) {
    const own = { name: null, template: rule.template, content: rule.content };
    const others = (rule.experiment?.variants ?? []).map((variant) => ({
      name: variant.name,
      template: variant.template ?? rule.template,
      content: variant.content ?? rule.content,
    }));
    return [own, ...others];
  }

  // The zones that the rules name, and some that are asked for everywhere.
  get zones() {
    if (!this.foundZones) {
      this.foundZones = new Set(["UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo"]);
      JSON.stringify(this.rules, (key, value) => {
        if (key === "zone" && typeof value === "string" && value !== "local") this.foundZones.add(value);
        return value;
      });
    }
    return this.foundZones;
  }

  // The languages of the popups' copy.
  get languages() {
    if (!this.rules.locales) return [];
    const found = new Set();
    const look = (value, isField) => {
      if (value instanceof Map) {
        for (const [key, inner] of value) {
          if (isField) found.add(key);
          else if (inner instanceof Map) look(inner, this.isLocalized(key));
        }
      }
    };
    for (const rule of this.rules.popups) {
      for (const variant of this.variants(rule)) look(plain(variant.content ?? null), false);
    }
    return [this.rules.locales.fallback, ...[...found].filter((name) => name !== this.rules.locales.fallback).sort()];
  }

  isLocalized(field) {
    return (this.rules.templates ?? []).some((template) => (template.localizedFields ?? []).includes(field));
  }

  // In how many stories each popup has a part.
  get told() {
    if (!this.toldIn) {
      this.toldIn = new Map();
      for (const story of this.data.stories) {
        for (const popup of partsIn(story)) this.toldIn.set(popup, (this.toldIn.get(popup) ?? 0) + 1);
      }
    }
    return this.toldIn;
  }

  // The values of the keys while the app has not set them.
  defaults() {
    const values = {};
    for (const key of this.rules.keys) if (key.defaultValue !== undefined) values[key.name] = key.defaultValue;
    return values;
  }

  reason(code) {
    return this.data.words.reasons[code] ?? code;
  }
}

// The popups that a story shows or that its test names.
function partsIn(story) {
  const shown = story.plays.flatMap((play) => play.happenings.filter((one) => one.kind === "shows").flatMap((one) => one.popups));
  return new Set([...shown, ...story.about]);
}

function unique(list) {
  return [...new Set(list)];
}
return { Model, partsIn, unique };
})();
const module6 = (() => {
// A look that an app brings for its popups: markup and style that somebody else wrote. It can do
// as it likes inside of its box, and nothing outside of it:
//
// - Its markup is made again of elements and attributes that are known here. So nothing runs, asks
//   for an address, goes to another page, or rises above the page as popovers and dialogs do.
// - Its style is in a shadow root inside of another one. `:host` is an element in the box; the box
//   itself belongs to the outer root, which no selector of the look reaches.
// - The box clips, is the page to what is `fixed`, and keeps the size that it had first.
const { h, fill } = module1;

const words = (text) => new Set(text.split(" "));

// Left out with their content. For other unknown elements only their content stays.
const dropped = words("script style template iframe frame frameset object embed applet link meta base title noscript noembed noframes audio video source track canvas portal fencedframe datalist area");
const known = words("a abbr address article aside b bdi bdo blockquote br button caption cite code col colgroup data dd del details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img input ins kbd label legend li main mark menu meter nav ol optgroup option output p pre progress q rp rt ruby s samp search section select small span strong sub summary sup table tbody td textarea tfoot th thead time tr u ul var wbr");
const attributes = words("alt checked class cols colspan datetime dir disabled for height hidden id lang max maxlength min multiple name open placeholder readonly role rows rowspan scope selected size start step title type value width");
const drawn = words("svg g path rect circle ellipse line polyline polygon text tspan textPath defs use symbol linearGradient radialGradient stop clipPath mask pattern title desc image marker filter feBlend feColorMatrix feComponentTransfer feComposite feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset feTurbulence");
const undrawn = words("style autofocus tabindex nonce focusable");

// Names of other elements and attributes of a look.
const custom = /^[a-z][a-z0-9]*(-[a-z0-9]+)+$/;
const plainName = /^[a-z][a-z0-9-]*$/i;

const svg = "http://www.w3.org/2000/svg";
const html = "http://www.w3.org/1999/xhtml";

const leastHeight = 48;

// The size limits of a look. A browser that lays out far more elements, or far deeper ones, does
// not respond in the meantime; the same holds for one that draws a `use` of others again and again.
const mostElements = 2000;
const deepest = 64;

// A look is at most as high as the phone.
const boxStyle = new CSSStyleSheet();
boxStyle.replaceSync(`
:host{display:block;height:100%}
.width{height:0}
.box{contain:layout paint style inline-size;isolation:isolate;overflow:auto;max-height:34rem}
`);

// The first layer, in which no look can write, since it has no name: its important rules are
// stronger than all of a look, the others weaker. Choices that a look draws would be above
// the page.
const guard = new CSSStyleSheet();
guard.replaceSync(`
@layer{
a{color:LinkText;text-decoration:underline}
select{appearance:auto!important}
@media(prefers-reduced-motion:reduce){*,::before,::after{animation:none!important;transition:none!important}}
}
`);

// Fills the root of a preview with a look; `act` is called with the name in `data-act`.
function showLook(root, look, content, act) {
  const host = h("div", {});
  const inside = host.attachShadow({ mode: "open" });
  const own = new CSSStyleSheet();
  own.replaceSync(look.style);
  withoutPointers(own);
  inside.adoptedStyleSheets = [guard, own];
  const parsed = new DOMParser().parseFromString(look.markup, "text/html");
  const filled = (text) => text.replace(/\{\{\s*([\w.]+)\s*\}\}/g, (whole, name) => fieldText(content.get(name)));
  const reason = tooLarge(parsed.body);
  fill(inside, reason ?? copies(parsed.body, content, filled));
  for (const button of inside.querySelectorAll("[data-act]")) {
    button.addEventListener("click", () => act?.(button.getAttribute("data-act")));
  }
  root.adoptedStyleSheets = [boxStyle];
  const [width, box] = [h("div", { class: "width" }), h("div", { class: "box" }, host)];
  fill(root, width, box);
  fits.observe(width);
  // A picture has a size only once it was read, which it is once.
  inside.addEventListener("load", () => fit(box), true);
}

// Returns the reason that a look is not drawn; null if it is drawn.
function tooLarge(body) {
  const elements = body.querySelectorAll("*");
  if (elements.length > mostElements) return `The template has more than ${mostElements} elements and is not drawn.`;
  for (const element of elements) {
    let depth = 0;
    for (let outer = element; outer !== body; outer = outer.parentNode) depth += 1;
    if (depth > deepest) return `The template is nested more than ${deepest} levels deep and is not drawn.`;
    if (element.localName === "use" && usesUse(body, element)) return "The template has a `use` of an element that contains `use` and is not drawn.";
  }
  return null;
}

// Returns true if a `use` draws another `use`: each level can double the elements that are drawn.
function usesUse(body, use) {
  const name = use.getAttribute("href") ?? use.getAttribute("xlink:href") ?? "";
  const target = body.querySelector(`[id="${CSS.escape(name.slice(1))}"]`);
  return target !== null && (target.localName === "use" || target.querySelector("use") !== null);
}

// Copies the known parts of an element's content.
function copies(parent, content, filled) {
  return [...parent.childNodes].map((node) => {
    if (node.nodeType === Node.TEXT_NODE) return filled(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE) return null;
    const isDrawn = node.namespaceURI === svg;
    const isKnown = isDrawn ? drawn.has(node.localName)
      : node.namespaceURI === html && (known.has(node.localName) || (custom.test(node.localName) && node.localName !== "pop-preview"));
    if (!isKnown && dropped.has(node.localName)) return null;
    const field = node.getAttribute("data-if");
    const isMissing = field && !content.get(field);
    const inside = copies(node, content, filled);
    if (!isKnown) return isMissing ? null : inside;
    const element = document.createElementNS(node.namespaceURI, node.localName);
    for (const { name, value } of node.attributes) takeAttribute(element, name, filled(value), isDrawn);
    if (isMissing) element.setAttribute("hidden", "");
    fill(element, inside);
    return element;
  });
}

function takeAttribute(element, name, value, isDrawn) {
  if (name === "href" || name === "src" || name === "xlink:href") {
    const isPicture = element.localName === "img" || element.localName === "image";
    if (isPicture ? /^data:image\//i.test(value) : element.localName !== "a" && value.startsWith("#")) element.setAttribute(name, value);
    // A link leads nowhere, since browsers look up where it would; its address can be read.
    else if (element.localName === "a") element.setAttribute("title", value);
    return;
  }
  const isKnown = isDrawn ? plainName.test(name) && !/^on/i.test(name) && !undrawn.has(name) : attributes.has(name);
  if (isKnown || (/^(data|aria)-/.test(name) && plainName.test(name))) element.setAttribute(name, value);
}

// Leaves out pictures for the pointer, which would be drawn beyond the box.
function withoutPointers(sheet) {
  const pending = [sheet];
  while (pending.length) {
    for (const rule of pending.pop().cssRules ?? []) {
      if (rule.style?.getPropertyValue("cursor").includes("(")) rule.style.removeProperty("cursor");
      pending.push(rule);
    }
  }
}

// A look keeps the height that it has when it is first seen, and gets another one only with another
// width: an animated height would move the content below.
const fits = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    // A smaller difference may be a scroll bar of the page, which comes and goes with the height.
    if (Math.abs(contentRect.width - (target.measured ?? 0)) < 24) continue;
    target.measured = contentRect.width;
    fit(target.nextSibling);
  }
});

function fit(box) {
  box.style.removeProperty("height");
  // One that begins with nothing gets room for a line.
  box.style.setProperty("height", `${Math.max(box.getBoundingClientRect().height, leastHeight)}px`);
}

function fieldText(value) {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(fieldText).join(", ");
  if (value instanceof Map) return [...value].map(([key, inner]) => `${key}: ${fieldText(inner)}`).join(", ");
  return String(value);
}
return { showLook, fieldText };
})();
const module7 = (() => {
// Placeholders in strings: {{ name }} and {{ name | fallback for a missing value }}.

const blank = /\s/;
const letter = /[\w.]/;

// Replaces each placeholder by the result of `value(name, otherwise)`; `otherwise` is undefined if
// there is no fallback. Text that is not a placeholder stays unchanged. Reads each character a few
// times at most, for any text: no regex backtracks in it.
function filledPlaces(text, value) {
  let [filled, copied, at] = ["", 0, 0];
  // The next closing brace after `from`. It is stored, so that no part is searched twice.
  let closing = -1;
  const closingBehind = (from) => {
    if (closing < from) {
      const found = text.indexOf("}", from);
      closing = found < 0 ? Infinity : found;
    }
    return closing;
  };
  const isClosed = (place) => text.charAt(place) === "}" && text.charAt(place + 1) === "}";
  const past = (place, kind) => {
    let end = place;
    while (end < text.length && kind.test(text.charAt(end))) end += 1;
    return end;
  };
  while ((at = text.indexOf("{{", at)) >= 0) {
    const start = past(at + 2, blank);
    const behindName = past(start, letter);
    let end = past(behindName, blank);
    let otherwise;
    if (behindName > start && text.charAt(end) === "|") {
      const from = end + 1;
      end = closingBehind(from);
      if (isClosed(end)) otherwise = text.slice(from, end).trim();
    }
    if (behindName === start || !isClosed(end)) {
      at += 1;
      continue;
    }
    filled += text.slice(copied, at) + value(text.slice(start, behindName), otherwise);
    at = copied = end + 2;
  }
  return filled + text.slice(copied);
}
return { filledPlaces };
})();
const module5 = (() => {
// A popup as a user of a phone sees it. Looks are in shadow roots, so that no style leaks in or
// out.
const { h, fill } = module1;
const { showLook, fieldText } = module6;
const { filledPlaces } = module7;
const { plain, text } = module3;

const kinds = [
  ["toast", /toast|snack|message/], ["banner", /banner|bar|notice|strip/], ["tip", /tip|hint|coach|tour|guide|tooltip/],
  ["full", /full|block|screen|overlay|interstitial|page|gate/], ["sheet", /sheet|modal|dialog|alert|card|paywall/],
];

// Returns the form of a popup on the screen: by the name of its template, or by its content if that
// fails.
function kindOf(template, content) {
  for (const [kind, pattern] of kinds) if (pattern.test((template ?? "").toLowerCase())) return kind;
  const fields = content instanceof Map ? content : new Map();
  if (fields.has("steps")) return "tip";
  if (fields.has("text") && !fields.has("title")) return "toast";
  return "sheet";
}

// The content in one language, its placeholders filled; `context` and `event` are values by name.
function resolved(content, model, { language, context = {}, event = {} }) {
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

class PopPreview extends HTMLElement {
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
function preview(model, look, options = {}) {
  const content = options.content ?? resolved(look.content, model, options);
  return h("pop-preview", {}).show({
    template: look.template, content, act: options.act, look: model.looks.get(look.template),
  });
}
return { kindOf, resolved, PopPreview, preview };
})();
const module9 = (() => {
// Times without rounding: durations count in 1e-18 s, as the engine does, dates in 1e-9 s.

const second = 10n ** 18n;

// "0.5s" → 1e-18 s.
function duration(words) {
  const match = /^(-?)(\d+)(?:\.(\d+))?s$/.exec(words);
  if (!match) throw new Error(`not a duration: ${words}`);
  const whole = BigInt(match[2]) * second + BigInt((match[3] ?? "").padEnd(18, "0").slice(0, 18));
  return match[1] ? -whole : whole;
}

function durationWords(time) {
  const fraction = (time % second).toString().padStart(18, "0").replace(/0+$/, "");
  return `${time / second}${fraction ? `.${fraction}` : ""}s`;
}

function seconds(time) {
  return Number(time / 10n ** 9n) / 1e9;
}

function fromSeconds(number) {
  return BigInt(Math.round(number * 1e9)) * 10n ** 9n;
}

// "2026-11-20T09:00:00.5Z" → 1e-9 s since 1970.
function date(words) {
  const fraction = /\.(\d+)/.exec(words)?.[1] ?? "";
  const whole = Date.parse(words.replace(/\.\d+/, ""));
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(9, "0").slice(0, 9));
}

function dateWords(time) {
  let whole = time / 1_000_000_000n;
  let rest = time % 1_000_000_000n;
  if (rest < 0n) { rest += 1_000_000_000n; whole -= 1n; }
  const fraction = rest.toString().padStart(9, "0").replace(/0+$/, "");
  return new Date(Number(whole) * 1000).toISOString().slice(0, 19) + (fraction ? `.${fraction}` : "") + "Z";
}

// A date as clocks in a zone read it, with its name; null where that is UTC.
function localWords(time, zone) {
  if (!zone || zone === "UTC") return null;
  const options = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" };
  try {
    return `${new Intl.DateTimeFormat("en-GB", { ...options, timeZone: zone }).format(new Date(Number(time / 1_000_000n)))} ${zone}`;
  } catch {
    return null;
  }
}

// Returns the point in time so long after a start.
function moment(start, instant) {
  return { instant: durationWords(instant), date: dateWords(start + instant / 1_000_000_000n) };
}

const units = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86400 };

// The seconds of `1h 30m`, `14h58m`, `1.5h` or `90`; undefined for anything else.
function readSpan(words) {
  const parts = [...words.matchAll(/\s*(\d+(?:\.\d+)?)\s*(ms|s|m|h|d|$)/gy)];
  if (!parts.length || parts.map((part) => part[0]).join("") !== words.trimEnd()) return undefined;
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * units[unit || "s"], 0);
}

// Returns a duration in words: 1m 30s, 2d 4h; with at most `most` parts.
function span(number, most = 2) {
  let rest = Math.abs(number);
  if (rest < 60) return `${Number(rest.toFixed(3))}s`;
  const parts = [];
  for (const [name, size] of [["d", 86400], ["h", 3600], ["m", 60]]) {
    const count = Math.floor(rest / size);
    if (count) parts.push(`${count}${name}`);
    rest -= count * size;
  }
  if (Number(rest.toFixed(3))) parts.push(`${Number(rest.toFixed(3))}s`);
  return parts.slice(0, most).join(" ");
}
return { duration, durationWords, seconds, fromSeconds, date, dateWords, localWords, moment, readSpan, span };
})();
const module8 = (() => {
// Assignments of a user, from the value that identifies users: the page Assignment defines them to
// the byte.
const { text } = module3;
const { date } = module9;

const [all, bits] = [1_000_000, 64];

// Returns a number from 0 to 999,999; null for a value that does not identify a user.
function place(value, salt, purpose) {
  const bytes = bytesOf(value);
  if (!bytes.length) return null;
  const utf8 = new TextEncoder();
  const cut = (number) => BigInt.asUintN(bits, number);
  let hash = 0xcbf29ce484222325n;
  for (const part of [...(purpose ? [utf8.encode(purpose), [0]] : []), utf8.encode(salt), [0], bytes]) {
    for (const byte of part) hash = cut((hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  hash = cut((hash ^ (hash >> 30n)) * 0xbf58476d1ce4e5b9n);
  hash = cut((hash ^ (hash >> 27n)) * 0x94d049bb133111ebn);
  return Number((hash ^ (hash >> 31n)) % BigInt(all));
}

function bytesOf(value) {
  if (value?.$bytes !== undefined) return Uint8Array.from(atob(value.$bytes), (character) => character.charCodeAt(0));
  const isTold = ["string", "boolean"].includes(typeof value) || Number.isInteger(value) || value?.$uint !== undefined;
  return isTold ? new TextEncoder().encode(text(value)) : [];
}

const isIn = (at, from, to) => from * 10_000 <= at && at < to * 10_000;

const percent = (at) => `${at / 10_000}%`;

// Returns the arm of an experiment, null for a user who takes no part, and the reason.
function armOf({ salt, layer, share = 100, control = 0, arms }, value) {
  const at = place(value, salt, "arm");
  if (at === null) return { arm: null, why: "the value cannot identify users" };
  if (layer) {
    const stands = place(value, layer.salt, "layer");
    if (!isIn(stands, ...layer.range)) return { arm: null, why: `position ${percent(stands)} in layer \`${layer.layer}\`; the experiment takes ${layer.range[0]}% to ${layer.range[1]}%` };
  }
  const stands = place(value, salt, "share");
  if (!isIn(stands, 0, share)) return { arm: null, why: `position ${percent(stands)}; the experiment takes the first ${share}%` };
  const begin = Math.floor(control * 10_000 + 0.000_1);
  if (at < begin) return { arm: "control", why: `position ${percent(at)}; the first ${control}% see nothing` };
  const total = arms.reduce((sum, one) => sum + (one.weight ?? 1), 0);
  let weight = 0;
  for (const { name, weight: own = 1 } of arms.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    weight += own;
    if (at < begin + Math.floor(((all - begin) * weight) / total)) return { arm: name, why: `assigned at position ${percent(at)}` };
  }
  return { arm: null, why: "no variant has a weight" };
}

// Finds out if a user is in a rollout at a time, in 1e-9 s since 1970, and why.
function rolloutOf({ salt, percent: first, range, steps }, value, now) {
  const [from, to] = range ?? [0, steps ? steps.findLast((step) => date(step.begins) <= now)?.percent ?? 0 : first];
  if (from === 0 && to === 100) return { isIn: true, why: "all users are in" };
  const at = place(value, salt);
  if (at === null) return { isIn: false, why: "the value cannot identify users" };
  return { isIn: isIn(at, from, to), why: `position ${percent(at)}; ${from}% to ${to}% are in` };
}

function isHeldOut(holdout, value) {
  const at = place(value, holdout.salt, "holdout");
  return at !== null && isIn(at, 0, holdout.percent);
}

// Returns the words for an arm, also for users who take no part and those in the control group.
function armWords(arm) {
  return arm === null ? "not in the experiment" : arm === "control" ? "nothing (control)" : arm;
}
return { place, armOf, rolloutOf, isHeldOut, armWords };
})();
const module10 = (() => {
// When popups may show: the days and hours of one as a week, those of several as a month, drawn to
// scale.
const { h } = module1;

const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const [left, top, cell, height] = [34, 16, 34, 96];

// From when until when, as clocks in its zone read it.
function bounds(entry, zone) {
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

function weekWords(entry) {
  const named = entry.days ? entry.days.map((day) => weekdays[day]).join(", ") : "every day";
  const hours = entry.hours ? `${clock(entry.hours[0])}–${clock(entry.hours[1])}` : "all day";
  return `${named}, ${hours}`;
}

// A week with the open hours of some entries.
function week(entries, label) {
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
function month(year, index, rows, label) {
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
function stairs(steps, label) {
  const [width, tall] = [92, 40];
  return h("svg", { viewBox: `0 0 ${steps.length * width} ${tall + 30}`, class: "stairs", role: "img", "aria-label": label },
    h("title", {}, label),
    steps.map(({ begins, percent }, index) => [
      h("rect", { x: index * width, y: tall - (percent / 100) * tall + 14, width: width - 1, height: Math.max((percent / 100) * tall, 1), class: "open" }),
      h("text", { x: index * width + 2, y: tall - (percent / 100) * tall + 11 }, `${percent}%`),
      h("text", { x: index * width + 2, y: tall + 26 }, `from ${written(new Date(begins), "UTC")}`),
    ]));
}
return { bounds, weekWords, week, month, stairs };
})();
const module4 = (() => {
// A card for each popup: its content, its audience, its time, its frequency.
const { h, marked } = module1;
const { text, yaml, plain } = module3;
const { preview, kindOf } = module5;
const { armOf, armWords } = module8;
const { week, month, stairs, bounds, weekWords } = module10;

const kindWords = { sheet: "sheet", banner: "banner", toast: "toast", full: "full screen", tip: "tip" };

// Cards that are made in one go.
const atOnce = 12;

function popupsView(page, address) {
  const { model } = page;
  const shown = address.arg
    ? model.popups.filter((popup) => popup.popup === address.arg)
    : model.popups.filter((popup) => model.wants(popup, address.query));
  if (address.arg && !shown.length) return h("p", { class: "empty" }, `There is no popup ${address.arg}.`);
  const lanes = model.lanes.map((lane) => [lane, shown.filter((popup) => popup.scheduler === lane)]).filter(([, list]) => list.length);
  return h("div", {},
    address.arg ? h("p", {}, h("a", { href: page.link("popups") }, "all popups")) : bar(page, address, shown.length),
    !address.arg && sharedRules(model),
    !address.arg && calendar(page, shown, address),
    !shown.length && h("p", { class: "empty" }, "No popup matches."),
    lanes.map(([lane, list]) => h("section", { "aria-label": `popups on ${lane}` },
      !address.arg && h("h2", {}, `${lane} `, h("small", {}, laneWords(model, lane))),
      cards(page, list, address))));
}

// The first ones are made immediately, the next ones as soon as these are seen.
function cards(page, list, address) {
  const element = h("div", { class: address.arg ? "cards alone" : "cards" }, list.slice(0, atOnce).map((popup) => card(page, popup, address)));
  const add = (from) => {
    if (from >= list.length || (from > atOnce && !element.isConnected)) return;
    element.append(...list.slice(from, from + atOnce).map((popup) => card(page, popup, address)));
    setTimeout(add, 0, from + atOnce);
  };
  if (list.length > atOnce) setTimeout(add, 30, atOnce);
  return element;
}

const orders = {
  priority: "the highest priority shows first, among equals the ",
  fifo: "the oldest in the queue shows first", lifo: "the newest in the queue shows first",
};

function laneWords(model, lane) {
  const said = new Map(shared(model, `scheduler ${lane}`).map(({ key, text: words }) => [key, words]));
  const strategy = said.get("strategy");
  const parts = [orders[strategy] + (strategy === "priority" ? (said.get("tie_break") === "lifo" ? "newest" : "oldest") : "")];
  if (said.has("gap")) parts.push(`a gap of ${said.get("gap")} between two`);
  if (said.has("max_waiting")) parts.push(`at most ${said.get("max_waiting")} waiting`);
  if (said.has("cap")) parts.push(`cap ${said.get("cap")}`);
  return parts.join("; ");
}

function shared(model, part) {
  return model.data.shared.find((one) => one.part === part)?.keys ?? [];
}

// Rules that apply to several popups: limits, quiet hours, the caps of groups.
function sharedRules(model) {
  const groups = model.data.shared.filter((one) => one.part.startsWith("group ")).map((one) => [one.part, one.keys]);
  const rows = [...shared(model, "rules").map((one) => [one.key, [one]]), ...groups].filter(([, keys]) => keys.length);
  if (!rows.length) return null;
  return h("details", { class: "shared" }, h("summary", {}, "shared by popups: ", rows.map(([name]) => name).join(", ")),
    h("dl", { class: "facts" }, rows.map(([name, keys]) => fact(name, keys.map(({ key, text: words }) => h("div", {}, key === name ? words : `${key} ${words}`))))));
}

function bar(page, address, count) {
  const { model } = page;
  const languages = model.languages;
  return h("div", { class: "bar" },
    h("span", { role: "status" }, `${count} of ${model.popups.length} popups`),
    languages.length > 1 && select("language", languages, address.query.lang ?? languages[0], (value) => page.set({ lang: value === languages[0] ? null : value })),
    persona(page, address));
}

function select(label, values, chosen, change) {
  return h("label", {}, `${label} `, h("select", { onchange: (event) => change(event.target.value) },
    values.map((value) => {
      const [key, words] = Array.isArray(value) ? value : [value, value];
      return h("option", { value: key, selected: key === chosen }, words);
    })));
}

function persona(page, address) {
  const choices = page.personas();
  if (choices.length < 2) return null;
  return select("as seen by", choices.map((one, index) => [String(index), one.name]), address.query.as ?? "0",
    (value) => page.set({ as: value === "0" ? null : value }));
}

// The context by which placeholders are filled.
function contextOf(page, query) {
  const chosen = page.personas()[Number(query.as ?? 0)];
  return { ...page.model.defaults(), ...(chosen?.set ?? {}) };
}

function card(page, popup, address) {
  const { model } = page;
  const rule = model.rule.get(popup.popup);
  const audience = model.audience.get(popup.popup);
  const context = contextOf(page, address.query);
  const language = address.query.lang ?? text(context[keyOfLanguage(model)] ?? model.rules.locales?.fallback ?? "");
  const isAlone = Boolean(address.arg);
  return h("article", { class: `card${popup.enabled ? "" : " off"}`, id: `popup-${popup.popup}` },
    h("header", {},
      h("h3", {}, h("a", { href: page.link("popups", popup.popup) }, popup.popup)),
      !popup.enabled && h("span", { class: "badge" }, "off"),
      h("span", { class: "badge" }, kindWords[kindOf(rule.template, plain(rule.content ?? null))]),
      rule.isEssential || rule.essential ? h("span", { class: "badge" }, "essential") : null),
    popup.description && h("p", { class: "what" }, popup.description),
    looks(page, rule, { language, context }),
    h("dl", { class: "facts" },
      fact("owner", popup.owner && h("a", { href: page.link("popups", "", { owner: popup.owner }) }, popup.owner)),
      fact("tags", popup.tags?.length ? popup.tags.map((tag, index) => [index ? ", " : "", h("a", { href: page.link("popups", "", { tag }) }, tag)]) : null),
      ruleFacts(rule, audience, String(popup.keys.find((key) => key.key === "priority")?.value ?? popup.priority))),
    arms(model, rule),
    schedule(rule, model),
    rule.rollout?.steps && h("div", { class: "schedule" }, h("h4", {}, "rollout"),
      stairs(rule.rollout.steps, rule.rollout.steps.map((step) => `${step.percent}% from ${step.begins}`).join(", "))),
    h("details", { open: isAlone },
      h("summary", {}, "all keys of the rule"),
      h("p", {}, h("small", {}, `${popup.file}:${popup.line}`)),
      audience.inside && h("p", {}, "example of a user who may see it: ", h("code", {}, audience.inside.context), (audience.inside.others ?? []).map((one) => `, ${one}`)),
      audience.outside && h("p", {}, "near miss, who may not see it: ", h("code", {}, audience.outside.context), (audience.outside.others ?? []).map((one) => `, ${one}`)),
      h("table", { class: "keys" }, h("caption", { class: "away" }, `the keys of ${popup.popup}`), h("tbody", {},
        popup.keys.filter((key) => key.from !== "default").map((key) => h("tr", {}, h("th", { scope: "row" }, key.key), h("td", {}, yamlWords(key.value)), h("td", {}, h("small", {}, key.from))))))),
    h("footer", {}, related(page, popup)));
}

// Returns the audience of a popup, its triggers and conditions, and its frequency.
function ruleFacts(rule, audience, priority) {
  return [
    fact("trigger", audience.triggers.map((cause) => h("div", {}, cause.trigger, cause.where && [" with ", groupWords(cause.where)]))),
    fact("for", h("div", {}, groupWords(audience.users))),
    audience.others.filter((other) => other.key !== "schedule").map((other) => fact(other.key, marked(other.text))),
    fact("priority", priority),
    rule.when && fact("condition", h("code", {}, rule.when)),
    rule.dismissWhen && fact("dismissed when", h("code", {}, rule.dismissWhen)),
  ];
}

// Which variant the personas of the tests see, and why.
function arms(model, { id, experiment }) {
  const { personas } = model.data;
  if (!experiment || !personas.length) return null;
  const key = model.rules.keys[experiment.assignment.key];
  const rows = personas.map(({ name, set }) => {
    const value = set[key.name] ?? key.defaultValue;
    const { arm, why } = armOf(experiment.assignment, value);
    return h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, h("b", {}, armWords(arm)), " – ", h("code", {}, `${key.name} ${value === undefined ? "is missing" : yaml(value)}`), ": ", marked(why)));
  });
  return h("details", {}, h("summary", {}, "who sees which variant"),
    h("table", { class: "keys" }, h("caption", { class: "away" }, `variants of ${id}, by persona`), h("tbody", {}, rows)));
}

function yamlWords(value) {
  if (value === null) return "–";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) {
    return value.some((one) => one !== null && typeof one === "object") ? h("ul", {}, value.map((one) => h("li", {}, yamlWords(one)))) : value.map(yamlWords).join(", ");
  }
  if (typeof value === "object") return h("ul", {}, Object.entries(value).map(([key, inner]) => h("li", {}, h("b", {}, key), " ", yamlWords(inner))));
  return String(value);
}

function groupWords(group) {
  const start = group.except ? "all users except where " : "";
  return group.lines.map((line, index) => h("div", {}, index ? h("b", {}, "or ") : start, marked(line)));
}

function fact(name, value) {
  if (value === null || value === undefined || value === false || value === "") return null;
  return [h("dt", {}, name), h("dd", {}, value)];
}

function keyOfLanguage(model) {
  const locales = model.rules.locales;
  return locales ? model.rules.keys[locales.key]?.name : undefined;
}

// Draws the looks of a popup, in each variant and in the chosen language.
function looks(page, rule, { language, context }) {
  const variants = page.model.variants(rule);
  return h("div", { class: "looks" }, variants.map((variant) => h("figure", {},
    h("div", { class: `glass ${kindOf(variant.template, plain(variant.content ?? null))}` },
      preview(page.model, variant, { language, context })),
    h("figcaption", {}, variant.name ? `variant ${variant.name}` : variants.length > 1 ? "without a variant" : "", languageNote(page, rule, variant, language, context)))));
}

function languageNote(page, rule, variant, language, context) {
  const others = page.model.languages.filter((one) => one !== language);
  const own = plain(variant.content ?? null);
  const isLocalized = own instanceof Map && [...own].some(([key, value]) => value instanceof Map && page.model.isLocalized(key));
  if (!others.length || !isLocalized) return null;
  return others.map((one) => h("details", {}, h("summary", {}, `in ${one}`), h("div", { class: "glass" }, preview(page.model, variant, { language: one, context }))));
}

// The entries of a schedule, each with its zone; a number is the place of the key that has it.
function scheduleOf(rule, model) {
  return [rule.schedule ?? []].flat().map((entry) => ({
    entry, zone: typeof entry.zone === "number" ? model.rules.keys[entry.zone].name : entry.zone ?? "UTC",
  }));
}

// The quiet hours that apply to a popup, if they are read in the time zone of its schedule.
function quietHours(popup, rule, zones, model) {
  const { quiet } = model.rules;
  const isEssential = rule.isEssential || rule.essential;
  if (!quiet || isEssential || (quiet.zone !== undefined && quiet.zone !== "local" && zones.some((zone) => zone !== quiet.zone))) return null;
  if (quiet.schedulers?.length && !quiet.schedulers.includes(model.lanes.indexOf(popup.scheduler))) return null;
  if (quiet.tags?.length && !quiet.tags.some((tag) => (popup.tags ?? []).includes(tag))) return null;
  return quiet.hours;
}

// A month of the popups that have a schedule, under each other.
function calendar(page, shown, address) {
  const { model } = page;
  const rows = shown.map((popup) => {
    const rule = model.rule.get(popup.popup);
    const entries = scheduleOf(rule, model);
    return { name: popup.popup, entries, quiet: quietHours(popup, rule, entries.map((one) => one.zone), model) };
  }).filter((row) => row.entries.length);
  if (!rows.length) return null;
  const [year, index] = (/^\d{4}-\d\d$/.test(address.query.month ?? "") ? address.query.month : new Date().toISOString()).split("-").map(Number);
  const go = (words, by) => {
    const to = new Date(Date.UTC(year, index - 1 + by, 1)).toISOString().slice(0, 7);
    return h("button", { type: "button", onclick: () => page.set({ month: to }) }, words);
  };
  const name = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" }).format(new Date(Date.UTC(year, index - 1, 1)));
  return h("details", { class: "shared", open: Boolean(address.query.month) }, h("summary", {}, `calendar of ${rows.length} ${rows.length === 1 ? "schedule" : "schedules"}`),
    h("div", { class: "row" }, go("month before", -1), h("b", {}, name), go("month after", 1)),
    month(year, index - 1, rows, `when popups may show in ${name}`),
    h("p", {}, h("small", {}, "Each day runs from top to bottom, in the time zone of its schedule. Filled: the popup may show. ",
      rows.some((row) => row.quiet) && "Dashed: quiet hours, if the device is in the same time zone. ", "Popups without a schedule may show at any time.")));
}

function schedule(rule, model) {
  const dated = scheduleOf(rule, model);
  if (!dated.length) return null;
  const entries = dated.map((one) => one.entry);
  const zone = (entry) => dated.find((one) => one.entry === entry).zone;
  const words = entries.map((entry) => `${[bounds(entry, zone(entry)), weekWords(entry)].filter(Boolean).join(", ")}, ${zone(entry)}`);
  const isWeekly = entries.some((entry) => entry.days || entry.hours);
  return h("div", { class: "schedule" }, h("h4", {}, "schedule"), words.map((one) => h("p", {}, one)),
    isWeekly && week(entries, `may show ${words.join(" or ")}`));
}

function related(page, popup) {
  const { data } = page.model;
  const met = data.collisions.found.filter(({ is }) => is.first === popup.popup || is.second === popup.popup).length;
  const told = page.model.told.get(popup.popup) ?? 0;
  return [
    h("a", { href: page.link("play", "", { see: popup.popup }) }, "play"),
    h("a", { href: page.link("stories", "", { popup: popup.popup }) }, `${told} ${told === 1 ? "test" : "tests"}`),
    met > 0 && h("a", { href: page.link("collisions", "", { popup: popup.popup }) }, `${met} ${met === 1 ? "collision" : "collisions"}`),
  ];
}
return { popupsView, select, contextOf, ruleFacts, groupWords };
})();
const module11 = (() => {
// Each test as it was played: a drawing to scale, then step by step.
const { h, built, marked } = module1;
const { span } = module9;
const { partsIn } = module2;

function storyPath(story) {
  return `${story.file}/${story.name}`;
}

function storiesView(page, address) {
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

function drawingOf(play, label) {
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
return { storyPath, storiesView, drawingOf };
})();
const module12 = (() => {
// Conflicts between popups: a matrix, and the events between two popups.
const { h, marked, copyButton } = module1;

const signs = { postponed: ["…", "the second waits"], lost: ["×", "the second is lost"], kept_away: ["⊘", "the second is suppressed"], starved: ["!", "the second is no longer allowed"], lapsed: ["◔", "the second is too late"], shared: ["=", "both show to the same users"] };

function collisionsView(page, address) {
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
    !found.length && h("p", { class: "empty" }, "No conflicts were found among the checked pairs."));
}

function matrix(page, found, names, pair) {
  const cells = new Map();
  for (const one of found) {
    const key = `${one.is.first} ${one.is.second}`;
    cells.set(key, [...(cells.get(key) ?? []), one]);
  }
  return h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "matrix of collisions" },
    h("table", { class: "matrix" },
      h("caption", { class: "away" }, "rows show first, columns second"),
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
return { collisionsView };
})();
const module13 = (() => {
// The effects of the step from earlier rules: in words, and before and after side by side.
const { h, marked } = module1;
const { preview, kindOf } = module5;
const { plain, same, text } = module3;
const { contextOf, ruleFacts } = module4;
const { Model } = module2;

function changesView(page, address) {
  const { changes } = page.model.data;
  if (!changes) return h("p", { class: "empty" }, "To see changes, write this page with --against.");
  const { q } = address.query;
  const shown = changes.changes.filter((entry) => !q || JSON.stringify(entry).toLowerCase().includes(q.toLowerCase()));
  const earlier = new Map(changes.bundle.rules.popups.map((popup) => [popup.id, popup]));
  const earlierModel = new Model(page.model.data, JSON.stringify(changes.bundle));
  return h("div", {},
    h("div", { class: "bar" }, h("span", { role: "status" }, changes.same
      ? `No behavior changes since ${changes.against}.`
      : `${shown.length} of ${changes.changes.length} entries changed since ${changes.against}`),
      !changes.decided && h("span", { class: "chip" }, "some changes could not be decided")),
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
return { changesView };
})();
const module14 = (() => {
// The parts of the rules that the tests have covered, and those that they have not.
const { h, marked } = module1;

const kinds = [["popups", "popups", "popup"], ["conditions", "condition outcomes", "condition"], ["behaviours", "behaviours", "behaviour"], ["reasonCodes", "reason codes", "reasonCode"]];

function coverageView(page, address) {
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
  const missing = [...audiences.map((words) => `for a user with ${words}`), ...grouped(bounds).map((words) => `with ${words}`)];
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
return { coverageView };
})();
const module16 = (() => {
// An app for the engine: it answers every effect immediately, and its clock moves only on request.
// `poprules simulate` does the same, so that a test has the same result here.
const { duration, date, moment, seconds } = module9;

const key = (presentation) => `${presentation.task} ${presentation.turn}`;

class Host {
  // `script` contains the beginning; see `Play` for its other parts.
  constructor(engine, bundle, script) {
    this.engine = engine;
    this.bundle = patched(bundle, script.patch);
    this.script = script;
    this.start = date(script.start);
    this.now = 0n;
    this.context = { ...(script.set ?? {}) };
    this.user = script.user ?? "";
    this.zone = script.zone ?? null;
    this.faults = new Map();
    this.stuck = new Set();
    this.histories = new Map();
    this.presented = new Map();
    // The popup on each screen, and the tasks that wait or show, each with its popup and scheduler.
    this.screens = new Map();
    this.tasks = new Map();
    this.log = [];
    for (const fault of script.faults ?? []) this.inject(fault.fault, fault.popup);
    this.open(script.history);
    this.begin();
  }

  open(history) {
    this.session?.close();
    const request = { bundle: this.bundle, start: moment(this.start, this.now), seed: this.script.seed ?? 0, user: this.user };
    if (history) request.history = history;
    this.session = this.engine.open(request);
    this.nextWake = null;
    this.presented.clear();
    this.screens.clear();
    this.tasks.clear();
  }

  close() { this.session?.close(); }

  begin() {
    if (this.zone !== null) this.handle({ input: "zoneChanged", zone: this.zone });
    for (const [popup, arm] of Object.entries(this.script.arms ?? {})) this.handle({ input: "forceArm", popup, arm });
    this.handle(Object.keys(this.context).length ? { input: "update", set: this.context } : { input: "update" });
    this.handle({ input: "started" });
  }

  get at() { return moment(this.start, this.now); }

  handle(input) {
    const inbox = [input];
    while (inbox.length) {
      const answer = this.session.handle([{ at: this.at, ...inbox.shift() }]);
      this.nextWake = answer.nextWake ?? null;
      for (const { effects } of answer.steps) {
        for (const effect of effects) {
          const reply = this.perform(effect);
          if (reply) inbox.push(reply);
        }
      }
    }
    this.remember(input);
  }

  advance(by) {
    const end = this.now + by;
    for (let count = 0; count < 100_000 && this.nextWake !== null; count += 1) {
      const wake = duration(this.nextWake);
      if (wake > end) break;
      if (wake > this.now) this.now = wake;
      this.handle({ input: "timePassed" });
    }
    this.now = end;
    this.handle({ input: "timePassed" });
  }

  // One thing that a step does.
  act(act) {
    this.log.push({ time: this.now, input: act.text });
    if (act.event) this.handle(act.event);
    else if (act.restart) this.restart();
    else if (act.fault) this.inject(act.fault, act.popup);
    else this.switchUser(act);
  }

  restart() {
    this.open(this.session.history());
    this.begin();
  }

  switchUser({ user, set, history }) {
    this.histories.set(this.user, this.session.history());
    this.user = user;
    if (set) this.context = { ...set };
    const past = this.histories.get(user) ?? history;
    this.handle({ input: "switchUser", user, ...(past ? { history: past } : {}), ...(set ? { context: set } : {}) });
  }

  inject(fault, popup) {
    if (fault === "hangDismissal") this.stuck.add(popup);
    else this.faults.set(popup, fault);
  }

  perform(effect) {
    const { presentation } = effect;
    const popup = presentation?.popup;
    switch (effect.effect) {
      case "askWillShow": {
        const fault = this.faults.get(popup);
        if (fault === "veto" || fault?.postpone) {
          this.faults.delete(popup);
          return { input: "answered", presentation, answer: fault === "veto" ? "cancel" : fault };
        }
        return { input: "answered", presentation, answer: "show" };
      }
      case "present": {
        this.presented.set(key(presentation), popup);
        const fault = this.faults.get(popup);
        this.faults.delete(popup);
        if (fault === "fail") return { input: "presentFailed", presentation, message: "the test made it fail" };
        if (fault === "hang") return null;
        this.screens.set(presentation.scheduler, {
          popup, variant: effect.variant, template: effect.template, content: effect.resolvedContent ?? effect.content,
        });
        return { input: "didPresent", presentation };
      }
      case "dismiss": {
        this.presented.delete(key(presentation));
        this.screens.delete(presentation.scheduler);
        return this.stuck.delete(popup) ? null : { input: "didDismiss", presentation };
      }
      case "emit":
        this.log.push({ time: this.now, told: effect.told });
        this.follow(effect.told);
        return null;
      default:
        return null;
    }
  }

  follow({ event, task, popup, scheduler }) {
    if (event === "queued") this.tasks.set(task, { task, popup, scheduler });
    else if (["dismissed", "discarded", "cancelled", "failed"].includes(event)) this.tasks.delete(task);
  }

  remember(input) {
    if (input.input === "update") {
      Object.assign(this.context, input.set ?? {});
      for (const name of input.unset ?? []) delete this.context[name];
    } else if (input.input === "reload") this.bundle = input.bundle;
    else if (input.input === "zoneChanged") this.zone = input.zone;
    else if (input.input === "forget") this.histories.delete(input.user);
  }

  explain(names) { return names.length ? this.session.explain(names, this.at) : []; }

  // Returns the explanations of popups as if these inputs came now; none of the inputs has an
  // effect.
  suppose(inputs, names) {
    return this.session.suppose(inputs.map((input) => ({ at: this.at, ...input })), names);
  }

  get elapsed() { return seconds(this.now); }
}

// Returns the text of a bundle with other values at some paths; numbers stay as written, because a
// checksum is made of them.
function patched(bundle, patch) {
  if (!patch) return bundle;
  const exact = (text) => JSON.parse(text, (key, value, { source }) => (typeof value === "number" ? JSON.rawJSON(source) : value));
  const rules = exact(bundle);
  for (const { at, is } of patch) {
    let place = rules;
    for (const step of at.slice(0, -1)) place = place[step];
    place[at.at(-1)] = exact(is);
  }
  return JSON.stringify(rules);
}

// Plays a script to its end; its log is the output of `simulate --format jsonl`.
function playedScript(engine, bundle, script) {
  const host = new Host(engine, bundle, script);
  for (const step of script.steps) playStep(host, step);
  return host;
}

function playStep(host, step) {
  if (step.after) host.advance(duration(step.after));
  for (const act of step.does) host.act(act);
}
return { Host, patched, playedScript, playStep };
})();
const module18 = (() => {
// The engine of poprules in a web page: schedulers opened from a bundle, run by WebAssembly. Every
// call returns its result immediately; the declarations are in poprules.d.ts.

// The engine takes requests of 16 MiB. Characters have three bytes at most, which leaves room for
// the rest of a request.
const requestCharacters = 5_000_000;

/** The code of the engine, and the instance of it that runs at present. */
class Engine {
  #module;
  #exports;
  #life = 0;

  /** Compiles the bytes of the WebAssembly module. */
  static async load(bytes) {
    return new Engine(await WebAssembly.compile(bytes));
  }

  constructor(module) {
    this.#module = module;
    this.#begin();
  }

  /** Opens a session; throws an error that describes a wrong request. */
  open(request) {
    return new Session(this, request);
  }

  /** Runs a scheduler through the inputs of a request, as `replay` of the C interface does. */
  replay(request) {
    return this.#retried(() => this.call("pop_replay", JSON.stringify(request)));
  }

  /** Which instance runs: a session that was opened in an earlier one has to be opened again. */
  get life() {
    return this.#life;
  }

  /** Returns the answer of an export; throws an error that describes a wrong request. */
  call(name, text, ...rest) {
    const value = JSON.parse(this.text(name, text, ...rest));
    if (value.error !== undefined) throw new Error(value.error);
    return value;
  }

  /** Like `call`, but returns text; throws `Trap` if the instance has ended. */
  text(name, text, ...rest) {
    const { memory, pop_allocate, pop_free, [name]: called } = this.#exports;
    try {
      const bytes = new TextEncoder().encode(text);
      const request = pop_allocate(bytes.length);
      new Uint8Array(memory.buffer, request, bytes.length).set(bytes);
      const place = called(request, bytes.length, ...rest);
      const length = new DataView(memory.buffer).getUint32(place, true);
      const answer = new TextDecoder().decode(new Uint8Array(memory.buffer, place + 4, length));
      pop_free(place);
      return answer;
    } catch (cause) {
      this.#begin();
      throw new Trap(cause);
    }
  }

  /** Forgets a session of the present instance. */
  close(number) {
    this.#exports.pop_close(number);
  }

  #begin() {
    this.#exports = new WebAssembly.Instance(this.#module, {}).exports;
    this.#life += 1;
  }

  #retried(action) {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof Trap)) throw error;
      return action();
    }
  }
}

/** A scheduler, from its start until it is closed. */
class Session {
  #engine;
  #request;
  /** All inputs so far, each as JSON: later changes of the caller's objects have no effect. */
  #inputs;
  #number = 0;
  #life = 0;
  #opening;

  constructor(engine, request) {
    const { inputs = [], ...rest } = request;
    this.#engine = engine;
    this.#request = JSON.stringify(rest);
    this.#inputs = inputs.map(json);
    this.#retried(() => this.#opened());
  }

  /** The effects of the inputs that the session was opened with, and when time changes something. */
  get opening() {
    return this.#opening;
  }

  /** Handles inputs, each with its time; returns their effects. */
  handle(inputs) {
    const texts = inputs.map(json);
    const answer = this.#retried(() => this.#engine.call("pop_handle", withInputs("{}", texts), this.#opened()));
    for (const text of texts) this.#inputs.push(text);
    return answer;
  }

  /**
   * Returns the reasons that popups would show or not after inputs that the session does not take in; `at` is the time
   * of inputs without one.
   */
  suppose(inputs, popups, at) {
    const text = JSON.stringify({ inputs: inputs.map((input) => ({ at, ...input })), popups });
    return this.#retried(() => this.#engine.call("pop_suppose", text, this.#opened())).explanations;
  }

  /** The history of the user, as `history` of a request. */
  history() {
    return this.#retried(() => this.#engine.call("pop_history", "{}", this.#opened())).history;
  }

  /** Returns the reasons that popups show or do not, now or at another time. */
  explain(popups, at) {
    const text = JSON.stringify({ popups, at });
    return this.#retried(() => this.#engine.call("pop_explain", text, this.#opened())).explanations;
  }

  /** Ends the session; nothing more can be asked of it. */
  close() {
    if (this.#life === this.#engine.life) this.#engine.close(this.#number);
    this.#request = undefined;
    this.#inputs = [];
    this.#life = 0;
  }

  /** The number of the session, in an instance that has taken in all inputs so far. */
  #opened() {
    if (this.#request === undefined) throw new Error("the session is closed");
    if (this.#life === this.#engine.life) return this.#number;
    // Inputs that came one by one can together be too much for one request.
    const room = requestCharacters - this.#request.length;
    const isFirst = this.#opening === undefined;
    const [first, ...others] = isFirst ? [this.#inputs] : pieces(this.#inputs, room);
    const { session, ...opening } = this.#engine.call("pop_open", withInputs(this.#request, first));
    for (const inputs of others) this.#engine.call("pop_handle", withInputs("{}", inputs), session);
    this.#opening ??= opening;
    this.#number = session;
    this.#life = this.#engine.life;
    return session;
  }

  /** Once more after a trap, in a new instance. */
  #retried(action) {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof Trap)) throw error;
      return action();
    }
  }
}

/** As `JSON.stringify` writes it in an array. */
function json(input) {
  return JSON.stringify(input) ?? "null";
}

/** A request, with inputs; all of them are JSON. */
function withInputs(request, inputs) {
  const separator = request === "{}" ? "" : ",";
  return `${request.slice(0, -1)}${separator}"inputs":[${inputs.join(",")}]}`;
}

/**
 * Returns inputs in pieces, each of which fits into a request; the first piece gets as many as it
 * has room for.
 */
function pieces(inputs, room) {
  const all = [[]];
  let left = room;
  for (const input of inputs) {
    const { length } = input;
    if (length > left && (all.length === 1 || all.at(-1).length > 0)) {
      all.push([]);
      left = requestCharacters;
    }
    all.at(-1).push(input);
    left -= length + 1;
  }
  return all;
}

/** The instance has ended: a mistake of the engine, or too little memory. */
class Trap extends Error {
  constructor(cause) {
    super(`the engine stopped: ${cause.message}`, { cause });
    this.name = "Trap";
  }
}
return { Engine };
})();
const module19 = (() => {
// Undoes LZMA (`xz --format=lzma`), by which the engine is a third smaller than by gzip; browsers
// do not know it.

const half = 1024;
// The states after two literals and more, after a literal and before.
const afterLiteral = [0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 4, 5];
const firstRest = 7;

const fresh = (count) => new Uint16Array(count).fill(half);

// The bits of the packed data: `chances` contains for each bit the probability that it is 0.
class Bits {
  constructor(bytes, place) {
    this.bytes = bytes;
    // The first byte is 0.
    this.place = place + 1;
    this.range = 0xffffffff;
    this.code = 0;
    for (let count = 0; count < 4; count += 1) this.take();
  }

  take() { this.code = ((this.code << 8) | this.bytes[this.place++]) >>> 0; }

  one(chances, index) {
    const chance = chances[index];
    const bound = (this.range >>> 11) * chance;
    let bit;
    if (this.code < bound) {
      this.range = bound;
      chances[index] = chance + ((2048 - chance) >> 5);
      bit = 0;
    } else {
      this.range -= bound;
      this.code -= bound;
      chances[index] = chance - (chance >> 5);
      bit = 1;
    }
    if (this.range < 0x1000000) {
      this.range = (this.range << 8) >>> 0;
      this.take();
    }
    return bit;
  }

  // So many bits as likely to be 0 as 1.
  even(count) {
    let value = 0;
    for (let left = count; left > 0; left -= 1) {
      this.range >>>= 1;
      const bit = this.code >= this.range ? 1 : 0;
      if (bit) this.code -= this.range;
      value = ((value << 1) | bit) >>> 0;
      if (this.range < 0x1000000) {
        this.range = (this.range << 8) >>> 0;
        this.take();
      }
    }
    return value;
  }

  // A number of so many bits, the highest first.
  tree(chances, count, from = 0) {
    let node = 1;
    for (let left = count; left > 0; left -= 1) node = (node << 1) | this.one(chances, from + node);
    return node - (1 << count);
  }

  // The same, the lowest first.
  reversed(chances, count, from = 0) {
    let [node, value] = [1, 0];
    for (let place = 0; place < count; place += 1) {
      const bit = this.one(chances, from + node);
      node = (node << 1) | bit;
      value |= bit << place;
    }
    return value;
  }
}

// The lengths of copies.
class Lengths {
  constructor() {
    this.choice = fresh(2);
    this.low = fresh(16 << 3);
    this.middle = fresh(16 << 3);
    this.high = fresh(256);
  }

  read(bits, position) {
    if (!bits.one(this.choice, 0)) return 2 + bits.tree(this.low, 3, position << 3);
    if (!bits.one(this.choice, 1)) return 10 + bits.tree(this.middle, 3, position << 3);
    return 18 + bits.tree(this.high, 8);
  }
}

// Distances of copies from their sources; the numbers are those of the format.
class Distances {
  constructor() {
    this.slots = fresh(4 << 6);
    this.middle = fresh(128);
    this.low = fresh(16);
  }

  read(bits, length) {
    const slot = bits.tree(this.slots, 6, Math.min(length - 2, 3) << 6);
    if (slot < 4) return slot;
    const count = (slot >> 1) - 1;
    const start = ((2 | (slot & 1)) << count) >>> 0;
    if (slot < 14) return start + bits.reversed(this.middle, count, start - slot);
    return start + bits.even(count - 4) * 16 + bits.reversed(this.low, 4);
  }
}

// Unpacks data, up to its end mark.
function unpacked(bytes) {
  const [contextBits, rest] = [bytes[0] % 9, Math.floor(bytes[0] / 9)];
  const [literalMask, positionMask] = [(1 << (rest % 5)) - 1, (1 << Math.floor(rest / 5)) - 1];
  const bits = new Bits(bytes, 13);
  const literals = fresh(0x300 << (contextBits + (rest % 5)));
  const isCopy = fresh(12 << 4);
  const [isRepeated, isOlder, isThird, isFourth] = [fresh(12), fresh(12), fresh(12), fresh(12)];
  const isLong = fresh(12 << 4);
  const [lengths, repeatedLengths, distances] = [new Lengths(), new Lengths(), new Distances()];
  let back = [0, 0, 0, 0];
  let [out, end, state] = [new Uint8Array(bytes.length * 4), 0, 0];

  const literal = () => {
    const before = end > 0 ? out[end - 1] : 0;
    const from = 0x300 * (((end & literalMask) << contextBits) + (before >> (8 - contextBits)));
    let node = 1;
    if (state >= firstRest) {
      let copied = out[end - back[0] - 1];
      while (node < 0x100) {
        const expected = (copied >> 7) & 1;
        copied <<= 1;
        const bit = bits.one(literals, from + ((1 + expected) << 8) + node);
        node = (node << 1) | bit;
        if (bit !== expected) break;
      }
    }
    while (node < 0x100) node = (node << 1) | bits.one(literals, from + node);
    return node & 0xff;
  };

  // Returns the length of a copy, from `back[0] + 1` before.
  const copy = (position) => {
    if (!bits.one(isRepeated, state)) {
      const length = lengths.read(bits, position);
      back = [distances.read(bits, length), ...back.slice(0, 3)];
      state = state < firstRest ? 7 : 10;
      return length;
    }
    if (!bits.one(isOlder, state)) {
      if (!bits.one(isLong, (state << 4) + position)) {
        state = state < firstRest ? 9 : 11;
        return 1;
      }
    } else {
      const which = !bits.one(isThird, state) ? 1 : !bits.one(isFourth, state) ? 2 : 3;
      back.unshift(...back.splice(which, 1));
    }
    state = state < firstRest ? 8 : 11;
    return repeatedLengths.read(bits, position);
  };

  for (;;) {
    if (end + 300 > out.length) {
      const larger = new Uint8Array(out.length * 2);
      larger.set(out);
      out = larger;
    }
    const position = end & positionMask;
    if (!bits.one(isCopy, (state << 4) + position)) {
      out[end] = literal();
      end += 1;
      state = afterLiteral[state];
      continue;
    }
    const length = copy(position);
    if (back[0] === 0xffffffff) return out.subarray(0, end);
    if (back[0] >= end) throw new Error("the packed data is damaged");
    for (let count = 0; count < length; count += 1, end += 1) out[end] = out[end - back[0] - 1];
  }
}
return { unpacked };
})();
const module20 = (() => {
// A WebAssembly module whose instructions are split by kind, so that similar parts are together and
// are packed better: opcodes, numbers of locals, offsets. Web/pack.mjs splits it.

// The kinds, in this order: bytes before and after the code, and the numbers in the code.
const kinds = ["head", "tail", "locals", "opcode", "shape", "label", "table", "call", "indirect", "local", "global",
  "align", "offset", "int", "long", "float", "other"];

const [end, table, prefixed] = [0x0b, 0x0e, 0xfc];

// Returns the kinds of the operands after an opcode.
function operands(opcode) {
  if (opcode >= 0x28 && opcode <= 0x3e) return ["align", "offset"];
  switch (opcode) {
    case 0x02: case 0x03: case 0x04: return ["shape"];
    case 0x0c: case 0x0d: return ["label"];
    case 0x10: return ["call"];
    case 0x11: return ["indirect", "indirect"];
    case 0x20: case 0x21: case 0x22: return ["local"];
    case 0x23: case 0x24: return ["global"];
    case 0x3f: case 0x40: return ["other"];
    case 0x41: return ["int"];
    case 0x42: return ["long"];
    default: return [];
  }
}

// Returns the kinds of the operands of an instruction that is written as `fc` and a number.
function prefixedOperands(number) {
  if (number < 8) return [];
  return number === 8 || number === 10 || number === 12 || number === 14 ? ["other", "other"] : ["other"];
}

// Bytes that are read from the first one on, or written one after the other.
class Tape {
  constructor(bytes = new Uint8Array(1 << 16), place = 0) {
    this.bytes = bytes;
    this.place = place;
  }

  get written() { return this.bytes.subarray(0, this.place); }

  take() { return this.bytes[this.place++]; }

  put(byte) {
    if (this.place === this.bytes.length) {
      const larger = new Uint8Array(this.bytes.length * 2);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes[this.place++] = byte;
  }

  putAll(bytes) { for (const byte of bytes) this.put(byte); }

  number() {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = this.take();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
  }

  putNumber(value) {
    for (; value >= 0x80; value = Math.floor(value / 128)) this.put((value % 128) | 0x80);
    this.put(value);
  }
}

// Copies the body of a function from tapes to tapes, each by kind.
function copyBody(from, to) {
  const byte = (kind) => {
    const one = from(kind).take();
    to(kind).put(one);
    return one;
  };
  const number = (kind) => {
    let [value, scale] = [0, 1];
    for (;;) {
      const one = byte(kind);
      value += (one & 0x7f) * scale;
      if (one < 0x80) return value;
      scale *= 128;
    }
  };
  for (let left = number("locals"); left > 0; left -= 1) {
    number("locals");
    byte("locals");
  }
  for (let depth = 1; depth > 0;) {
    const opcode = byte("opcode");
    if (opcode === end) depth -= 1;
    else if (opcode >= 0x02 && opcode <= 0x04) depth += 1;
    if (opcode === table) for (let left = number("table"); left >= 0; left -= 1) number("table");
    else if (opcode === 0x43 || opcode === 0x44) for (let left = opcode === 0x43 ? 4 : 8; left > 0; left -= 1) byte("float");
    else for (const kind of opcode === prefixed ? prefixedOperands(number("opcode")) : operands(opcode)) number(kind);
  }
}

// The module again.
function joined(bytes) {
  const lengths = new Tape(bytes);
  const sizes = kinds.map(() => lengths.number());
  const tapes = {};
  let place = lengths.place;
  kinds.forEach((kind, index) => {
    tapes[kind] = new Tape(bytes.subarray(place, place + sizes[index]));
    place += sizes[index];
  });
  const code = new Tape(new Uint8Array(bytes.length * 2));
  const body = new Tape();
  const count = tapes.locals.number();
  code.putNumber(count);
  for (let left = count; left > 0; left -= 1) {
    body.place = 0;
    copyBody((kind) => tapes[kind], () => body);
    code.putNumber(body.place);
    code.putAll(body.written);
  }
  const module = new Tape(new Uint8Array(bytes.length * 2));
  module.putAll(tapes.head.bytes);
  module.put(10);
  module.putNumber(code.place);
  module.putAll(code.written);
  module.putAll(tapes.tail.bytes);
  return module.written;
}
return { kinds, Tape, copyBody, joined };
})();
const module17 = (() => {
// The engine that the page brings along, packed and in base64.
const { Engine } = module18;
const { unpacked } = module19;
const { joined } = module20;

function hasEngine() {
  return document.getElementById("engine") !== null;
}

let loading = null;

// One for the whole page.
function loadEngine() {
  loading ??= start();
  return loading;
}

async function start() {
  // Lets the message about the start appear first.
  await new Promise((done) => setTimeout(done));
  return Engine.load(joined(unpacked(bytes(document.getElementById("engine").textContent))));
}

function bytes(base64) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
return { hasEngine, loadEngine };
})();
const module21 = (() => {
// The popups on the screens so far, drawn to scale like the tests: one row per popup, with time
// running to the right. If long and short times do not fit together, some have another scale, which
// `≈` shows.
const { h } = module1;
const { span } = module9;

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
function timeline({ spans, marks, start, end, label }) {
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
return { timeline };
})();
const module22 = (() => {
// Changes after which a popup would show: candidates are found here, and the engine decides if they
// suffice.
const { same, text, double, plain } = module3;
const { date, moment } = module9;

const mostTries = 400;
// The ends of reasons that are looked through, one after the other.
const mostWaits = 20;

function couldShow(explanation, words) {
  if (!explanation) return false;
  if (explanation.state === "waiting") return words.ready.includes(explanation.reason);
  return explanation.state !== "absent";
}

// The context keys and the named conditions that conditions name, also through each other.
function namesIn(model, conditions) {
  const pending = [...conditions];
  const named = new Map((model.rules.conditions ?? []).map((condition) => [condition.name, condition.cel]));
  const found = new Set();
  while (pending.length) {
    for (const name of pending.pop().match(/[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*/g) ?? []) {
      if (named.has(name)) {
        pending.push(named.get(name));
        named.delete(name);
        found.add(name);
      }
      for (const key of model.rules.keys) if (name === key.name || name.startsWith(`${key.name}.`)) found.add(key.name);
    }
  }
  return found;
}

// The context keys that the conditions of a popup read.
function keysRead(model, rule) {
  const group = rule.group === undefined ? null : model.rules.groups[rule.group];
  const windows = [rule.schedule ?? []].flat().map((entry) => entry.when);
  const found = namesIn(model, [rule.when, rule.dismissWhen, group?.when, ...windows].filter(Boolean));
  return model.rules.keys.filter((key) => found.has(key.name));
}

// Returns values of a key that may make a difference, without the present one; `undefined` means no
// value.
function candidates(model, key, present, witness) {
  const list = [];
  const add = (value) => { if (!same(value, present) && !list.some((one) => same(one, value)) && fits(key, value)) list.push(value); };
  if (key.type === "bool") { add(true); add(false); }
  for (const value of key.allowedValues ?? []) add(value);
  if (witness !== undefined) add(witness);
  for (const value of model.info.get(key.name)?.asked ?? []) {
    add(value);
    const number = plain(value);
    if (key.type === "int") { add(number + 1); add(number - 1); }
    else if (key.type === "uint") { add({ $uint: number + 1 }); if (number > 0) add({ $uint: number - 1 }); }
    else if (key.type === "double") { add(double(number + 1)); add(double(number - 1)); }
  }
  if (key.defaultValue !== undefined) add(key.defaultValue);
  return list;
}

function fits(key, value) {
  const number = plain(value);
  if (key.minimum !== undefined && number < plain(key.minimum)) return false;
  return !(key.maximum !== undefined && number > plain(key.maximum));
}

// The smallest changes of the context after which a popup could show, at most three of one size:
// each a list of { key, value }.
function smallestChanges(host, model, id, explanation) {
  const rule = model.rule.get(id);
  const witness = model.audience.get(id)?.set ?? {};
  const present = { ...model.defaults(), ...host.context };
  let tries = 0;
  const again = explanation.state === "absent" ? retrigger(model, rule) : [];
  if (again === null) return [];
  const works = (change) => {
    tries += 1;
    if (tries > mostTries) return false;
    const set = Object.fromEntries(change.map(({ key, value }) => [key, value]));
    const inputs = [{ input: "update", set }, ...again];
    const [answer] = host.suppose(inputs, [id]);
    if (couldShow(answer, model.data.words)) return true;
    if (answer?.state !== "waiting" || answer.reason !== "DELAYED" || !answer.until) return false;
    const later = moment(host.start, (date(answer.until) - host.start) * 10n ** 9n);
    return couldShow(host.suppose([...inputs, { input: "timePassed", at: later }], [id])[0], model.data.words);
  };
  const options = keysRead(model, rule)
    .map((key) => ({ key: key.name, values: candidates(model, key, present[key.name], witness[key.name]) }))
    .filter((option) => option.values.length);
  const rollout = rule.rollout && model.rules.keys[rule.rollout.key];
  if (explanation.reason === "NOT_IN_ROLLOUT" && rollout?.type === "string") {
    options.unshift({ key: rollout.name, values: Array.from({ length: 60 }, (_, index) => `user-${index + 1}`) });
  }
  for (const size of [1, 2, 3]) {
    const found = [];
    for (const change of combinations(options, size)) {
      if (tries >= mostTries || found.length === 3) break;
      if (found.some((one) => one.every(({ key }, index) => key === change[index].key))) continue;
      if (works(change)) found.push(change);
    }
    if (found.length) return found;
  }
  return fromWitness(witness, present, works, () => { tries = 0; });
}

// Returns the change towards a user that the popup shows to, without unneeded parts.
function fromWitness(witness, present, works, again) {
  again();
  let change = Object.entries(witness).filter(([key, value]) => !same(present[key], value)).map(([key, value]) => ({ key, value }));
  if (!change.length || !works(change)) return [];
  for (const one of [...change]) {
    const less = change.filter((other) => other !== one);
    if (less.length && works(less)) change = less;
  }
  return [change];
}

function* combinations(options, size, from = 0) {
  if (size === 0) { yield []; return; }
  for (let index = from; index < options.length; index += 1) {
    for (const value of options[index].values) {
      for (const rest of combinations(options, size - 1, index + 1)) yield [{ key: options[index].key, value }, ...rest];
    }
  }
}

// Returns the inputs that fire a trigger of it again; null if only a start of the app does.
function retrigger(model, rule) {
  const acts = triggerActs(model, rule).filter((act) => act.event);
  return acts.length ? [acts[0].event] : null;
}

// Returns the acts of an app or a user that fire its triggers.
function triggerActs(model, rule) {
  return (rule.triggers ?? []).flatMap((trigger) => {
    switch (trigger.kind) {
      case "start": return [{ text: "restart the app", restart: true }];
      case "manual": return [{ text: `enqueue ${rule.id}`, event: { input: "enqueue", popup: rule.id } }];
      case "session": return [{ text: "start a session", event: { input: "beginSession" } }];
      case "event": {
        const event = model.rules.events[trigger.event];
        return event.fields.length ? [] : [{ text: `send ${event.name}`, event: { input: "send", event: event.name } }];
      }
      default: return [];
    }
  });
}

// Returns the time that has to pass until a popup could show, through the end of one reason after
// the other; `reason` is the remaining reason if time does not suffice. Null if no reason ends by
// time.
function timeLeft(host, model, id, explanation) {
  const inputs = [];
  let [one, wait] = [explanation, 0n];
  while (one?.until && inputs.length < mostWaits && !couldShow(one, model.data.words)) {
    const end = (date(one.until) - host.start) * 10n ** 9n;
    if (end - host.now <= wait) break;
    wait = end - host.now;
    inputs.push({ input: "timePassed", at: moment(host.start, end) });
    [one] = host.suppose(inputs, [id]);
  }
  if (wait === 0n) return null;
  return { wait, reason: couldShow(one, model.data.words) ? null : one?.reason ?? null };
}

function changeWords(change) {
  return change.map(({ key, value }) => `${key} = ${text(value)}`).join(" and ");
}
return { couldShow, namesIn, keysRead, candidates, smallestChanges, triggerActs, timeLeft, changeWords };
})();
const module23 = (() => {
// Playing without an engine: the recordings of tests, point by point in time.
const { h, marked } = module1;
const { plain } = module3;
const { span } = module9;
const { preview, kindOf } = module5;
const { contextOf, select } = module4;
const { storyPath, drawingOf } = module11;

function recordedView(page, address) {
  const plays = page.model.data.stories.flatMap((story) => story.plays.filter((play) => play.happenings.length)
    .map((play) => ({ play, name: [storyPath(story), play.title].filter(Boolean).join(": ") })));
  const note = h("p", {}, "This page has no engine, because it was written by a poprules built without one: you can step through recorded tests, but not play the rules.");
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
return { recordedView };
})();
const module24 = (() => {
// The steps that were played, as a test that can be copied.
const { yaml } = module3;
const { duration } = module9;

const byName = { userClosed: "close", didDisappear: "disappear", dismiss: "dismiss", remove: "remove", enqueue: "enqueue", force: "force" };
const flags = { background: "background", foreground: "foreground", beginSession: "begin_session", poke: "poke", removeAll: "remove_all" };

// Returns the keys of a step for one act; null for an act that a test cannot express.
function stepKeys(act) {
  if (act.restart) return [["restart", "true"]];
  if (act.fault) {
    if (act.fault.postpone) return [["postpone", `{ ${act.popup}: ${length(act.fault.postpone)} }`]];
    return [[act.fault === "hangDismissal" ? "hang_dismissal" : act.fault, act.popup]];
  }
  const event = act.event;
  if (!event) return act.history || !act.set ? [["switch_user", yaml(act.user)]] : [["switch_user", `{ user: ${yaml(act.user)}, context: ${map(act.set)} }`]];
  if (byName[event.input]) return [[byName[event.input], event.popup]];
  if (flags[event.input]) return [[flags[event.input], "true"]];
  switch (event.input) {
    case "update": {
      const keys = [];
      if (event.set && Object.keys(event.set).length) keys.push(["set", map(event.set)]);
      if (event.unset?.length) keys.push(["unset", `[${event.unset.join(", ")}]`]);
      return keys;
    }
    case "send": return [["send", event.payload && Object.keys(event.payload).length ? `{ ${event.event}: ${map(event.payload)} }` : event.event]];
    case "acted": return [["act", event.stays ? `{ ${event.popup}: { action: ${event.action}, stay: true } }` : `{ ${event.popup}: ${event.action} }`]];
    case "zoneChanged": return [["set_zone", event.zone]];
    case "forceArm": return [["arm", `{ ${event.popup}: ${event.arm} }`]];
    case "forget": return [["forget", yaml(event.user)]];
    case "suspend": case "resume": {
      const parts = [event.by && `owner: ${event.by}`, event.scheduler && `scheduler: ${event.scheduler}`].filter(Boolean);
      return [[event.input, parts.length ? `{ ${parts.join(", ")} }` : "true"]];
    }
    default: return null;
  }
}

// A duration as test files write it, such as 2s500ms.
function length(words) {
  let rest = duration(words) / 10n ** 15n;
  let text = "";
  for (const [unit, size] of [["d", 86_400_000n], ["h", 3_600_000n], ["m", 60_000n], ["s", 1000n], ["ms", 1n]]) {
    if (rest >= size) text += `${rest / size}${unit}`;
    rest %= size;
  }
  return text || "0s";
}

function map(values) {
  const entries = Object.entries(values).map(([key, value]) => `${key}: ${yaml(value)}`);
  return entries.length ? `{ ${entries.join(", ")} }` : "{}";
}

// Returns the test file of a script; `seen` contains the popups on the screens after each step, by
// lane.
function testFile(script, seen, title) {
  const lines = ["poprules_test: 1", `start: ${script.start}`];
  if (script.seed) lines.push(`seed: ${script.seed}`);
  if (script.zone) lines.push(`zone: ${script.zone}`);
  if (script.user) lines.push(`user: ${yaml(script.user)}`);
  lines.push("", "tests:", `  ${yaml(title)}:`);
  if (Object.keys(script.set ?? {}).length) lines.push(`    context: ${map(script.set)}`);
  if (script.arms) lines.push(`    persona: { variant: ${map(script.arms)} }`);
  if (script.history) lines.push("    # Add the history of the user by hand, as `history`.");
  if (script.patch) lines.push("    # Add the rollouts and the holdout of the user by hand, as `persona`.");
  lines.push("    steps:");
  const add = (keys, screens) => {
    keys.push(["expect", `{ showing: { ${Object.entries(screens).map(([lane, popup]) => `${lane}: ${popup ?? "none"}`).join(", ")} } }`]);
    keys.forEach(([key, value], index) => lines.push(`${index ? "        " : "      - "}${key}: ${value}`));
  };
  if (seen.length) add([], seen[0]);
  script.steps.forEach((step, index) => {
    const keys = step.after ? [["after", length(step.after)]] : [];
    const acts = step.does.map(stepKeys);
    if (acts.includes(null)) lines.push("      # A step here cannot be written in a test.");
    for (const act of acts) keys.push(...(act ?? []));
    add(unrepeated(keys, lines), seen[index + 1]);
  });
  return `${lines.join("\n")}\n`;
}

// A step has each key once; a repeated key begins another step.
function unrepeated(keys, lines) {
  const own = [];
  for (const [key, value] of keys) {
    if (own.some((one) => one[0] === key)) {
      own.forEach(([name, words], index) => lines.push(`${index ? "        " : "      - "}${name}: ${words}`));
      own.length = 0;
    }
    own.push([key, value]);
  }
  return own;
}
return { testFile };
})();
const module15 = (() => {
// Playing: a phone with the app's screens, its context, its clock; who waits and why.
const { h, fill, marked, copyButton } = module1;
const { text, typed, read, same, plain, double } = module3;
const { duration, durationWords, fromSeconds, seconds, span, date, dateWords, localWords, readSpan } = module9;
const { Host, playStep } = module16;
const { loadEngine } = module17;
const { preview, kindOf } = module5;
const { timeline } = module21;
const { couldShow, smallestChanges, changeWords, triggerActs, namesIn, timeLeft } = module22;
const { recordedView } = module23;
const { testFile } = module24;
const { armOf, armWords, isHeldOut, rolloutOf } = module8;
const { unique } = module2;

const begin = "2026-11-20T09:00:00Z";
const millisecond = 10n ** 15n;
// The most popups that are explained without a request, lines of the log, and points in time that
// are drawn.
const [mostExplained, mostLines, mostMoments] = [24, 200, 40];

class PlayView {
  constructor(page) {
    this.page = page;
    this.host = null;
    this.script = { start: begin, set: {}, steps: [] };
    this.title = null;
    this.next = null;
    this.opened = new Set();
    this.items = new Map();
    this.changes = new Map();
    this.root = h("div", {});
  }

  get model() { return this.page.model; }

  // Loads a test: its steps are played one after the other, on request.
  load(script, title) {
    this.title = title;
    this.next = script.steps.map((step) => step);
    this.script = { ...script, steps: [] };
    this.restartAll();
    if (this.next.length && !this.next[0].after && !this.next[0].does.length) this.next.shift();
    this.saveAddress();
  }

  rulesChanged() {
    if (this.host) this.restartAll();
  }

  // Plays everything from the beginning.
  restartAll() {
    this.host?.close();
    this.host = null;
    this.seen = [];
    this.changes.clear();
    this.items.clear();
    if (!this.engine) return;
    try {
      this.host = new Host(this.engine, this.model.bundle, this.script);
      this.look();
      for (const step of this.script.steps) {
        playStep(this.host, step);
        this.look();
      }
      this.problem = null;
    } catch (error) {
      this.problem = error.message;
    }
  }

  // Records the popups on the screens now, for the test that is recorded.
  look() {
    this.seen.push(Object.fromEntries(this.model.lanes.map((lane) => [lane, this.host.screens.get(lane)?.popup ?? null])));
  }

  step(step) {
    this.changes.clear();
    try {
      this.script.steps.push(step);
      playStep(this.host, step);
      this.look();
    } catch (error) {
      this.script.steps.pop();
      this.restartAll();
      this.problem = error.message;
    }
    this.saveAddress();
    this.drawParts();
  }

  act(...acts) { this.step({ does: acts }); }

  setKey(name, value) {
    if (value === undefined) this.act({ text: `unset ${name}`, event: { input: "update", unset: [name] } });
    else this.act({ text: `set ${name} = ${text(value)}`, event: { input: "update", set: { [name]: value } } });
  }

  // Lets time pass, whole milliseconds, since tests count in these.
  wait(least) {
    const time = ((least + millisecond - 1n) / millisecond) * millisecond;
    if (time > 0n) this.step({ after: durationWords(time), does: [] });
  }

  undo() {
    const step = this.script.steps.pop();
    if (this.next && step) this.next.unshift(step);
    this.restartAll();
    this.saveAddress();
    this.drawParts();
  }

  startOver(changes = {}) {
    this.script = { ...this.script, ...changes, steps: [] };
    this.next = null;
    this.title = null;
    this.restartAll();
    this.saveAddress();
    this.drawParts();
  }

  saveAddress() {
    const { query } = this.page.address;
    const all = { ...query, s: JSON.stringify(this.script) };
    if (this.script.steps.length === 0 && Object.keys(this.script.set ?? {}).length === 0) delete all.s;
    this.saved = all.s ?? null;
    if (this.page.address.view === "play") history.replaceState(null, "", `#play?${new URLSearchParams(all)}`);
  }

  draw(address) {
    if (!this.page.hasEngine) return recordedView(this.page, address);
    if (address.query.s && address.query.s !== this.saved) this.takeAddress(address.query.s);
    if (address.query.see) this.opened.add(address.query.see);
    if (!this.engine) {
      loadEngine().then((engine) => {
        this.engine = engine;
        this.restartAll();
        this.drawParts();
      }, (error) => fill(this.root, h("p", { class: "bad", role: "alert" }, `The engine cannot start here: ${error.message}`)));
      return fill(this.root, h("p", { class: "empty" }, "starting the engine …"));
    }
    if (!this.host) this.restartAll();
    this.build();
    return this.root;
  }

  takeAddress(words) {
    try {
      const script = JSON.parse(words);
      if (typeof script.start !== "string" || !Array.isArray(script.steps)) return;
      this.script = script;
      this.saved = words;
      this.next = null;
      if (this.engine) this.restartAll();
    } catch {
      // An address that was cut off starts from the beginning.
    }
  }

  build() {
    this.parts = { phone: h("div", {}), now: h("div", {}), begin: h("div", {}), acts: h("div", { class: "panel" }), context: h("div", { class: "panel context" }), divisions: h("div", { class: "panel" }), lanes: h("div", { class: "panel" }), why: h("div", { class: "panel" }), story: h("div", { class: "panel" }) };
    const { phone, now, begin, acts, context, divisions, lanes, why, story } = this.parts;
    this.status = h("p", { class: "away", role: "status" });
    fill(this.root, this.status, this.alert = h("div", { role: "alert" }),
      h("div", { class: "play" },
        h("div", {}, phone, h("div", { class: "panel" }, now, begin)),
        h("div", {}, context, acts, divisions),
        h("div", {}, lanes, why, story)));
    this.controls = null;
    this.begun = null;
    this.drawParts();
  }

  drawParts() {
    if (!this.parts) {
      if (this.page.address.view === "play") this.build();
      return;
    }
    fill(this.alert, this.problem && h("p", { class: "bad" }, this.problem));
    if (!this.host) return;
    const focus = document.activeElement?.dataset?.stay;
    this.drawPhone();
    this.drawClock();
    this.drawContext();
    this.drawDivisions();
    this.drawActs();
    this.drawLanes();
    this.drawWhy();
    this.drawStory();
    if (focus && document.activeElement?.dataset?.stay !== focus) this.root.querySelector(`[data-stay="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
    const shown = [...this.host.screens].map(([lane, { popup }]) => `${popup} on ${lane}`);
    this.status.textContent = shown.length ? `on the screen: ${shown.join(", ")}` : "nothing is on the screen";
  }

  get present() { return { ...this.model.defaults(), ...this.host.context }; }

  // MARK: the phone

  get screenKey() {
    const keys = this.model.rules.keys.filter((key) => key.type === "string" && key.allowedValues?.length > 1);
    return keys.find((key) => /(^|[._])(screen|page|view|route)$/.test(key.name)) ?? keys.find((key) => key.isMomentary);
  }

  drawPhone() {
    const key = this.screenKey;
    const value = key && this.present[key.name];
    const now = this.host.start + this.host.now / 1_000_000_000n;
    const time = new Date(Number(now / 1_000_000n));
    const local = localWords(now, this.host.zone);
    const lanes = this.model.lanes.filter((lane) => this.host.screens.has(lane));
    fill(this.parts.phone, h("div", { class: "phone", role: "group", "aria-label": "phone" },
      h("div", { class: "clock" }, local ? h("span", {}, local) : [h("span", {}, `${time.toISOString().slice(11, 19)} UTC`), h("span", {}, time.toISOString().slice(0, 10))]),
      h("div", { class: "app" }, h("div", {}, key ? text(value ?? "") : "the app"), !lanes.length && h("small", {}, "no popup")),
      this.stage(lanes)),
    key && h("div", { class: "tabs", role: "group", "aria-label": key.name }, key.allowedValues.map((one) => h("button", {
      type: "button", "data-stay": `screen ${text(one)}`, "aria-pressed": same(one, value) ? "true" : "false", onclick: () => this.setKey(key.name, one),
    }, text(one)))));
  }

  // Draws the screens, from the top: banners, tips, toasts, and popups that fill the rest.
  stage(lanes) {
    const order = ["banner", "tip", "toast", "sheet", "full"];
    const shown = lanes.map((lane) => {
      const one = this.host.screens.get(lane);
      const content = plain(one.content ?? { $map: [] });
      return { ...one, lane, content, kind: kindOf(one.template, content) };
    }).sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
    const before = this.onStage ?? new Set();
    this.onStage = new Set(shown.map((one) => `${one.lane} ${one.popup}`));
    return h("div", { class: "stage" }, shown.map((one) => h("div", {
      class: `layer ${one.kind}${before.has(`${one.lane} ${one.popup}`) ? "" : " new"}`,
    }, preview(this.model, one, { content: one.content, act: (role) => this.use(one, role) }))));
  }

  // A button of a popup is its first action, a second button its second; without actions it closes.
  use(shown, role) {
    const action = this.actions(shown)[role === "second" ? 1 : 0];
    if (action) this.actOn(shown.popup, action.name);
    else this.close(shown.popup);
  }

  actions(shown) {
    return this.model.templates.get(shown.template)?.actions ?? [];
  }

  close(popup) { this.act({ text: `close ${popup}`, event: { input: "userClosed", popup } }); }

  actOn(popup, action) { this.act({ text: `act ${action} in ${popup}`, event: { input: "acted", popup, action } }); }

  // MARK: the clock

  drawClock() {
    const { host } = this;
    const wake = host.nextWake === null ? null : duration(host.nextWake) - host.now;
    const field = h("input", { type: "text", size: 6, value: "5s", "aria-label": "time to let pass", "data-stay": "time" });
    const fault = h("small", { role: "status" });
    const go = () => {
      const time = readSpan(field.value);
      if (time !== undefined) return this.wait(fromSeconds(time));
      field.setAttribute("aria-invalid", "true");
      fault.textContent = "enter a duration such as 5s, 90m or 1h 30m";
    };
    fill(this.parts.now, h("h3", {}, "Time"),
      h("p", {}, `${span(host.elapsed, 4)} since the start, ${this.dateWords(host.start + host.now / 1_000_000_000n)}`),
      h("div", { class: "row" },
        h("button", { type: "button", class: "main", "data-stay": "next", disabled: wake === null, onclick: () => this.wait(wake > 0n ? wake : 1n) }, wake === null ? "nothing is due" : `to the next change, in ${span(seconds(wake))}`)),
      h("div", { class: "row" }, [["1s", 1], ["10s", 10], ["1m", 60], ["1h", 3600], ["1d", 86400]].map(([words, number]) => h("button", { type: "button", "data-stay": `+${words}`, onclick: () => this.wait(fromSeconds(number)) }, `+${words}`)),
        field, h("button", { type: "button", "data-stay": "go", onclick: go }, "go"), fault));
    const begun = JSON.stringify([host.zone, this.script.start]);
    if (begun === this.begun) return;
    this.begun = begun;
    fill(this.parts.begin, this.zones(), this.beginning());
  }

  // In UTC, and as the device has it.
  dateWords(time) {
    return [dateWords(time), localWords(time, this.host.zone)].filter(Boolean).join(", ");
  }

  // The zone of the device, which `local` in the rules means.
  zones() {
    const own = this.host.zone ?? "UTC";
    const named = new Set([...this.model.zones, own]);
    return h("label", { class: "row" }, "time zone of the device ", h("select", {
      "data-stay": "zone", onchange: (event) => this.act({ text: `set_zone ${event.target.value}`, event: { input: "zoneChanged", zone: event.target.value } }),
    }, [...named].map((zone) => h("option", { selected: zone === own }, zone))));
  }

  beginning() {
    const field = h("input", { type: "text", value: this.script.start, "aria-label": "start date", "data-stay": "start" });
    return h("details", {}, h("summary", {}, "start differently"),
      h("div", { class: "row" }, field, h("button", { type: "button", onclick: () => {
        if (Number.isNaN(Date.parse(field.value))) return field.setAttribute("aria-invalid", "true");
        this.startOver({ start: new Date(field.value).toISOString().replace(".000Z", "Z") });
      } }, "start at this date")),
      h("div", { class: "row" },
        h("button", { type: "button", onclick: () => this.startOver({ set: { ...this.host.context } }) }, "start with this context"),
        h("button", { type: "button", onclick: () => this.startOver({ set: {}, start: begin, history: undefined, patch: undefined, arms: undefined, faults: undefined, zone: undefined, user: undefined, seed: undefined }) }, "start from scratch")),
      h("label", { class: "row" }, "start as ", h("select", { onchange: (event) => { const one = this.page.personas()[Number(event.target.value)]; if (one) this.startOver({ set: { ...one.set } }); } },
        h("option", { value: "" }, "choose …"), this.page.personas().map((one, index) => h("option", { value: index }, one.name)))));
  }

  // MARK: the context

  drawContext() {
    if (!this.controls) {
      this.controls = new Map();
      fill(this.parts.context, h("h3", {}, "Context"), this.model.rules.keys.map((key) => {
        const control = new Control(this, key);
        this.controls.set(key.name, control);
        return control.element;
      }));
    }
    for (const control of this.controls.values()) control.show(this.present[control.key.name], this.host.context[control.key.name] !== undefined);
  }

  // MARK: assignments

  // The keys that identify users, each with the parts that it divides.
  get divisions() {
    const { keys, popups, holdout } = this.model.rules;
    const found = new Map();
    const add = (key, what) => found.set(keys[key], [...(found.get(keys[key]) ?? []), what]);
    if (holdout) add(holdout.key, { holdout });
    for (const { id, rollout, experiment } of popups) {
      if (rollout) add(rollout.key, { id, rollout });
      if (experiment) add(experiment.assignment.key, { id, experiment });
    }
    return found;
  }

  // Returns the assignments of a user with this value of a key: [of which part, assignment,
  // reason].
  gets(key, value) {
    const now = this.host.start + this.host.now / 1_000_000_000n;
    return this.divisions.get(key).map(({ id, holdout, rollout, experiment }) => {
      if (holdout) return ["holdout", isHeldOut(holdout, value) ? "essential popups only" : "not held out", `${holdout.percent}% are`];
      if (rollout) {
        const { isIn, why } = rolloutOf(rollout, value, now);
        return [id, isIn ? "in the rollout" : "not in the rollout", why];
      }
      const { arm, why } = armOf(experiment.assignment, value);
      return [id, `variant: ${armWords(arm)}`, why];
    });
  }

  // The user of the page types an id, and sees the assignments of that id.
  drawDivisions() {
    const isForced = this.script.arms || this.script.patch;
    this.parts.divisions.hidden = this.divisions.size === 0;
    fill(this.parts.divisions, this.unfolded("divisions", "assigned variants", () => [
      isForced && h("p", {}, h("small", {}, "The played test sets its own assignments; these are the assignments of real users.")),
      [...this.divisions.keys()].map((key) => this.division(key)),
    ]));
  }

  division(key) {
    const rows = h("tbody", {});
    const note = h("span", { class: "note", role: "status" });
    const field = h("input", { type: "text", "aria-label": `${key.name} of a user`, value: this.typedIds?.get(key) ?? typed(this.present[key.name]), "data-stay": `division ${key.name}` });
    const value = () => read(field.value, key.type);
    const show = () => {
      try {
        fill(rows, this.gets(key, value()).map(([of, what, why]) => h("tr", {}, h("th", { scope: "row" }, of), h("td", {}, h("b", {}, what), " – ", marked(why)))));
        note.textContent = "";
      } catch (error) { note.textContent = error.message; }
    };
    field.addEventListener("input", () => { (this.typedIds ??= new Map()).set(key, field.value); show(); });
    show();
    return h("div", { class: "control" }, h("div", { class: "row" }, h("code", {}, key.name), field,
      h("button", { type: "button", onclick: () => { try { this.setKey(key.name, value()); } catch (error) { note.textContent = error.message; } } }, "use this value"), note),
      h("table", { class: "keys" }, h("caption", { class: "away" }, `assignments by ${key.name}`), rows));
  }

  // MARK: events

  drawActs() {
    const { events, popups } = this.model.rules;
    if (!this.eventForms) this.eventForms = new Map();
    const manual = popups.filter((popup) => (popup.triggers ?? []).some((trigger) => trigger.kind === "manual"));
    const on = [...this.host.screens.values()];
    const button = (words, act) => h("button", { type: "button", "data-stay": words, onclick: () => this.act({ text: words, ...act }) }, words);
    fill(this.parts.acts, h("h3", {}, "Actions"),
      on.length > 0 && h("div", {}, on.map((shown) => h("div", { class: "row" }, `${shown.popup}: `,
        h("button", { type: "button", "data-stay": `close ${shown.popup}`, onclick: () => this.close(shown.popup) }, "close"),
        this.actions(shown).map((action) => h("button", { type: "button", "data-stay": `act ${action.name}`, onclick: () => this.actOn(shown.popup, action.name) }, action.name)),
        button(`dismiss ${shown.popup}`, { event: { input: "dismiss", popup: shown.popup } })))),
      events.length > 0 && h("details", { open: this.eventsOpen ?? false, ontoggle: (event) => { this.eventsOpen = event.target.open; } }, h("summary", {}, "send an event"), events.map((event) => this.eventForm(event))),
      manual.length > 0 && h("details", { open: this.manualOpen ?? false, ontoggle: (event) => { this.manualOpen = event.target.open; } }, h("summary", {}, "enqueue a popup"), h("div", { class: "row" }, manual.map((popup) => button(`enqueue ${popup.id}`, { event: { input: "enqueue", popup: popup.id } })))),
      h("div", { class: "row" },
        button("restart", { restart: true }), button("begin_session", { event: { input: "beginSession" } }),
        button("background", { event: { input: "background" } }), button("foreground", { event: { input: "foreground" } })));
  }

  eventForm(event) {
    if (!this.eventForms.has(event.name)) {
      const fields = event.fields.map((field) => [field, h("input", { type: field.type === "bool" ? "checkbox" : "text", "aria-label": `${event.name} ${field.name}`, placeholder: field.type, size: 8 })]);
      const note = h("span", { class: "bad" });
      const send = () => {
        const payload = {};
        try {
          for (const [field, input] of fields) {
            if (field.type === "bool") payload[field.name] = input.checked;
            else if (input.value !== "") payload[field.name] = read(input.value, field.type);
          }
        } catch (error) { note.textContent = error.message; return; }
        note.textContent = "";
        this.act({ text: `send ${event.name}`, event: { input: "send", event: event.name, ...(Object.keys(payload).length ? { payload } : {}) } });
      };
      this.eventForms.set(event.name, h("div", { class: "row" }, h("button", { type: "button", "data-stay": `send ${event.name}`, onclick: send }, event.name),
        fields.map(([field, input]) => h("label", {}, `${field.name} `, input)), note));
    }
    return this.eventForms.get(event.name);
  }

  // MARK: the lanes in time

  drawLanes() {
    const { host } = this;
    const moments = unique(host.log.map((entry) => entry.time));
    const start = moments.length > mostMoments ? seconds(moments.at(-mostMoments)) : 0;
    const spans = this.spans().filter((one) => one.to >= start).map((one) => ({ ...one, from: Math.max(one.from, start) }));
    const marks = host.log.filter((entry) => entry.input).map((entry) => ({ time: seconds(entry.time), words: entry.input, kind: "input" })).filter((mark) => mark.time >= start);
    fill(this.parts.lanes, h("h3", {}, "Timeline"),
      spans.length ? timeline({ spans, marks, start, end: Math.max(host.elapsed, start + 1), label: "the popups on the screens" }) : h("p", { class: "empty" }, "No popup has shown or waited yet."),
      this.unfolded("log", "all events", () => h("ol", { class: "steps" }, host.log.slice(-mostLines).map((entry) => {
        const words = entry.input ? entry.input : this.words(entry.told);
        return words && h("li", { class: entry.input ? "input" : "" }, h("span", { class: "at" }, span(seconds(entry.time), 4)), h("span", {}, entry.input ? ">" : ""), h("span", {}, marked(words)));
      }))));
  }

  spans() {
    const { endings } = this.model.data.words;
    const spans = [];
    const open = new Map();
    const change = (told, time, kind) => {
      const last = open.get(told.task);
      if (last) {
        last.to = time;
        const gaveWay = told.event === "requeued" && last.kind === "shows";
        last.words ??= gaveWay ? "gives way" : told.reason && this.model.reason(told.reason);
        last.ending = endings[gaveWay ? "PREEMPTED" : told.reason] ?? last.ending;
      }
      open.delete(told.task);
      if (!kind) return;
      const one = { popup: told.popup, from: time, kind, ending: { class: "none", sign: "" } };
      open.set(told.task, one);
      spans.push(one);
    };
    for (const { time, told } of this.host.log) {
      if (!told) continue;
      const at = seconds(time);
      switch (told.event) {
        case "queued": case "requeued": change(told, at, "waits"); break;
        case "shown": change(told, at, "shows"); break;
        case "dismissed": case "discarded": case "cancelled": case "failed": change(told, at, null); break;
        default: break;
      }
    }
    for (const one of open.values()) one.to = Math.max(this.host.elapsed, one.from);
    return spans.filter((one) => one.kind === "shows" || one.to > one.from);
  }

  reasonWords(code) { return `${this.model.reason(code)} (${code})`; }

  words(told) {
    const template = this.model.data.words.events[told.event];
    if (template === undefined) return told.message ? `${told.popup ?? ""} ${told.message}` : null;
    const values = { popup: told.popup, reason: told.reason && this.reasonWords(told.reason), variant: told.variant, goal: told.goal, message: told.message };
    return template.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? "");
  }

  // MARK: why not

  drawWhy() {
    const order = { showing: 0, presenting: 1, chosen: 2, dismissing: 3, waiting: 4, absent: 5 };
    const sorted = (list) => [...list].sort((one, other) => order[one.state] - order[other.state] || (one.position ?? 0) - (other.position ?? 0));
    const live = this.live();
    const isLive = new Set(live);
    const absent = this.model.rules.popups.map((popup) => popup.id).filter((id) => !isLive.has(id));
    const isUnmet = (one) => one.state === "waiting" && this.model.data.words.aboutConditions.includes(one.reason);
    const explained = this.host.explain(live.slice(0, mostExplained));
    const unmet = explained.filter(isUnmet);
    const first = explained.filter((one) => !isUnmet(one));
    const rest = live.slice(mostExplained);
    const list = (found) => h("ul", { class: "why" }, sorted(found).map((one) => this.whyItemAgain(one)));
    const later = (key, words, names, make) => names.length > 0 && this.unfolded(key, words, make, names.some((name) => this.opened.has(name)));
    fill(this.parts.why, h("h3", {}, "Popups that show or wait, and why"),
      first.length > 0 && list(first),
      !live.length && h("p", { class: "empty" }, "No popup shows or waits."),
      later("unmet", `${unmet.length} waiting whose condition is not met`, unmet.map((one) => one.popup), () => list(unmet)),
      later("rest", `${rest.length} more waiting`, rest, () => list(this.host.explain(rest))),
      later("absent", `${absent.length} not in the queue`, absent, () => list(this.host.explain(absent))));
  }

  // The popups that show or wait, about in the order of their precedence.
  live() {
    const screens = new Set([...this.host.screens.values()].map((one) => one.popup));
    const rank = ({ popup }) => (screens.has(popup) ? Infinity : this.model.rule.get(popup)?.priority ?? 100);
    const tasks = [...this.host.tasks.values()].sort((one, other) => rank(other) - rank(one) || one.task - other.task);
    return unique(tasks.map((one) => one.popup).filter((popup) => this.model.rule.has(popup)));
  }

  // Content that is made only once it is unfolded, and stays unfolded.
  unfolded(key, words, make, isOpen = false) {
    this.folds ??= new Map();
    const body = h("div", {});
    const details = h("details", { open: this.folds.get(key) ?? isOpen }, h("summary", { "data-stay": `fold ${key}` }, words), body);
    const show = () => { if (details.open && !body.firstChild) fill(body, make()); };
    details.addEventListener("toggle", () => { this.folds.set(key, details.open); show(); });
    show();
    return details;
  }

  whyItem(one) {
    const { data } = this.model;
    const state = data.words.states[one.state] ?? (one.reason ? this.reasonWords(one.reason) : one.state);
    const shown = one.state === "dismissing" ? `leaving: ${state}` : state;
    const isShown = one.state === "showing" || one.state === "presenting";
    const body = h("div", {});
    const details = h("details", { open: this.opened.has(one.popup) }, h("summary", { "data-stay": `why ${one.popup}`, title: isShown ? "more" : "why not?" },
      h("b", {}, one.popup), " ", h("small", {}, one.position ? `${one.position}. on ${one.scheduler}` : one.scheduler), " – ", h("span", {}, marked(shown))), body);
    const open = () => { if (!body.firstChild) fill(body, this.whyMore(one)); };
    if (this.opened.has(one.popup)) open();
    details.addEventListener("toggle", () => {
      if (details.open) { this.opened.add(one.popup); open(); } else { this.opened.delete(one.popup); this.items.delete(one.popup); }
    });
    const item = h("li", {}, details);
    this.items.set(one.popup, { item, details, as: JSON.stringify(one) });
    return item;
  }

  // An item that is closed and has the same content as before stays unchanged.
  whyItemAgain(one) {
    const last = this.items.get(one.popup);
    return last && !last.details.open && !this.opened.has(one.popup) && last.as === JSON.stringify(one) ? last.item : this.whyItem(one);
  }

  whyMore(one) {
    const rule = this.model.rule.get(one.popup);
    return [
      one.leaving && h("p", {}, "it is dismissed after its `min_show`: ", marked(this.reasonWords(one.leaving))),
      one.lastEnding && h("p", {}, "it ended last time because ", marked(this.reasonWords(one.lastEnding))),
      one.obstacle && h("p", {}, "the obstacle was: ", marked(this.reasonWords(one.obstacle))),
      one.awaited?.length > 0 && h("p", {}, `it waits for ${one.awaited.join(", ")}`),
      one.occupant && one.occupant !== one.popup && h("p", {}, `${one.occupant} is on the screen`),
      one.condition && h("div", {}, h("p", {}, one.role ? `its \`${one.role}\`:`.replaceAll("`", "") : "the condition:"), h("ul", { class: "tree" }, part(one.condition)), this.facts(one.condition)),
      one.until && h("p", {}, `until ${this.dateWords(date(one.until))}`),
      h("div", { class: "row" }, this.changeButtons(one, rule)),
      h("p", {}, h("a", { href: this.page.link("popups", one.popup) }, `all about ${one.popup}`)),
    ];
  }

  // Returns the meanings of the named conditions in it, and the values of the keys that it reads.
  facts(condition) {
    const names = namesIn(this.model, [condition.text]);
    const meanings = (this.model.rules.conditions ?? []).filter((one) => names.has(one.name))
      .map((one) => h("div", {}, h("code", {}, one.name), " means ", h("code", {}, one.cel)));
    const values = this.model.rules.keys.filter((key) => names.has(key.name))
      .map((key) => h("div", {}, h("code", {}, key.name), " is ", h("b", {}, text(this.present[key.name]))));
    return [meanings, values];
  }

  changeButtons(one, rule) {
    const buttons = [];
    if (one.state === "showing") return null;
    if (one.occupant && one.occupant !== one.popup) buttons.push(this.button(`close ${one.occupant}`, () => this.close(one.occupant)));
    const left = timeLeft(this.host, this.model, one.popup, one);
    if (left) {
      const then = left.reason ? `then ${this.model.reason(left.reason)}` : "then it can show";
      buttons.push(this.button(`wait ${span(seconds(left.wait), 4)}: ${then}`, () => this.wait(left.wait)));
    }
    if (!couldShow(one, this.model.data.words)) {
      if (!this.changes.has(one.popup)) this.changes.set(one.popup, smallestChanges(this.host, this.model, one.popup, one));
      for (const change of this.changes.get(one.popup)) {
        buttons.push(this.button(changeWords(change), () => this.act({
          text: `set ${changeWords(change)}`, event: { input: "update", set: Object.fromEntries(change.map(({ key, value }) => [key, value])) },
        })));
      }
    }
    if (one.state === "absent") for (const act of triggerActs(this.model, rule)) buttons.push(this.button(act.text, () => this.act(act)));
    return buttons.length ? buttons : h("small", {}, "no change of only the context lets it show now");
  }

  button(words, act) { return h("button", { type: "button", "data-stay": words, onclick: act }, words); }

  // MARK: the story

  drawStory() {
    const story = () => testFile(this.script, this.seen, this.title ?? "recorded steps");
    fill(this.parts.story, h("h3", {}, this.title ?? "Recorded steps"),
      this.next && h("div", { class: "row" },
        h("button", { type: "button", class: "main", "data-stay": "step", disabled: !this.next.length, onclick: () => this.step(this.next.shift()) }, this.next.length ? `next step: ${stepWords(this.next[0])}` : "the test is over"),
        this.next.length > 1 && h("button", { type: "button", "data-stay": "rest", onclick: () => { while (this.next.length > 1) { const step = this.next.shift(); this.script.steps.push(step); playStep(this.host, step); this.look(); } this.step(this.next.shift()); } }, "all remaining steps")),
      h("div", { class: "row" },
        h("button", { type: "button", "data-stay": "undo", disabled: !this.script.steps.length, onclick: () => this.undo() }, "undo the last step"),
        copyButton("copy as a test", story)),
      this.unfolded("test", "as a test", () => h("pre", { tabindex: "0", class: "test" }, story())));
  }
}

function stepWords(step) {
  return [step.after && `after ${span(seconds(duration(step.after)))}`, ...step.does.map((act) => act.text)].filter(Boolean).join(", ") || "look";
}

// A condition with the results of its parts.
function part(one) {
  const value = one.error ? `fails: ${one.error}` : one.value === undefined ? "not needed" : text(one.value);
  return h("li", { class: one.needed === false ? "unneeded" : "" }, h("code", {}, one.text), " is ", h("b", {}, value),
    one.parts && h("ul", { class: "tree" }, one.parts.map(part)));
}

// A control for a context key, made from its declaration.
class Control {
  constructor(view, key) {
    this.view = view;
    this.key = key;
    const info = view.model.info.get(key.name);
    this.asked = info?.asked ?? [];
    this.id = `key-${key.name}`;
    this.note = h("div", { class: "note", role: "alert" });
    this.unset = h("button", { type: "button", class: "quiet", "data-stay": `unset ${key.name}`, onclick: () => view.setKey(key.name, undefined) }, "unset");
    this.input = this.field();
    this.element = h("div", { class: "control" },
      h("label", { for: this.id, title: info?.description }, h("b", {}, key.name), info?.description && h("small", {}, ` ${info.description}`)),
      h("div", { class: "row" }, this.input, this.slider, this.unset), this.ticks(), this.note);
  }

  field() {
    const { key } = this;
    const stay = `key ${key.name}`;
    if (key.type === "bool") {
      return h("input", { type: "checkbox", id: this.id, "data-stay": stay, onchange: (event) => this.view.setKey(key.name, event.target.checked) });
    }
    if (key.allowedValues) {
      return h("select", { id: this.id, "data-stay": stay, onchange: (event) => this.view.setKey(key.name, key.allowedValues[Number(event.target.value)]) },
        key.defaultValue === undefined && h("option", { value: "" }, "missing"),
        key.allowedValues.map((value, index) => h("option", { value: index }, text(value))));
    }
    if (["int", "uint", "double"].includes(key.type)) this.slider = this.range(stay);
    return h("input", {
      type: "text", id: this.id, "data-stay": stay, size: this.slider ? 7 : 20, placeholder: key.type,
      onchange: (event) => this.take(event.target.value),
    });
  }

  // From the smallest to the largest of the bounds, with room beyond.
  range(stay) {
    const { key } = this;
    const numbers = [...this.asked, key.defaultValue, key.minimum, key.maximum].filter((value) => value !== undefined).map(plain).filter(Number.isFinite);
    const least = key.minimum !== undefined ? plain(key.minimum) : Math.min(0, ...numbers);
    const most = key.maximum !== undefined ? plain(key.maximum) : Math.max(10, ...numbers.map((number) => Math.ceil(number * 1.5)));
    const list = h("datalist", { id: `${this.id}-ticks` }, unique(numbers).map((number) => h("option", { value: number })));
    const input = h("input", {
      type: "range", min: least, max: most, step: key.type === "double" ? "any" : 1, list: `${this.id}-ticks`,
      "aria-label": `${key.name} slider`, "data-stay": `${stay} slider`,
      onchange: (event) => this.take(key.type === "double" ? String(Math.round(Number(event.target.value) * 100) / 100) : event.target.value),
      oninput: (event) => { this.input.value = event.target.value; },
    });
    this.list = list;
    return input;
  }

  // The values at which the results of conditions change, to be set by one press.
  ticks() {
    const { key } = this;
    if (!this.asked.length || key.type === "bool" || key.allowedValues) return this.list ?? null;
    const values = this.asked.flatMap((value) => {
      const number = plain(value);
      if (key.type === "int") return [number - 1, number, number + 1];
      if (key.type === "uint") return [number - 1, number, number + 1].filter((one) => one >= 0).map((one) => ({ $uint: one }));
      if (key.type === "double") return [number - 0.01, number, number + 0.01].map((one) => double(Math.round(one * 100) / 100));
      return [value];
    }).filter((value) => key.minimum === undefined || plain(value) >= plain(key.minimum)).filter((value) => key.maximum === undefined || plain(value) <= plain(key.maximum));
    const shown = values.filter((value, index) => values.findIndex((other) => same(other, value)) === index);
    if (["int", "uint", "double"].includes(key.type)) shown.sort((one, other) => plain(one) - plain(other));
    return h("div", { class: "ticks" }, this.list, h("small", {}, "thresholds"), shown.map((value) => h("button", {
      type: "button", "data-stay": `tick ${key.name} ${text(value)}`, onclick: () => this.view.setKey(key.name, value),
    }, text(value) === "" ? "empty" : text(value))));
  }

  take(words) {
    try {
      this.note.textContent = "";
      this.view.setKey(this.key.name, words === "" && this.key.type !== "string" ? undefined : read(words, this.key.type));
    } catch (error) {
      this.note.textContent = error.message;
    }
  }

  show(value, isSet) {
    const { key, input } = this;
    this.note.textContent = "";
    if (key.type === "bool") input.checked = value === true;
    else if (key.allowedValues) input.value = value === undefined ? "" : String(key.allowedValues.findIndex((one) => same(one, value)));
    else if (document.activeElement !== input || input.value === "") input.value = typed(value);
    if (this.slider && value !== undefined) this.slider.value = plain(value);
    this.unset.hidden = !isSet;
  }
}
return { PlayView };
})();
const module25 = (() => {
// A watched page reads its own file in a frame, and takes later content from there. Nothing is
// fetched: a page that was opened from a disk may not read files.
//
// Any site may put a page into a frame, so a page gives its data only to a page of the same file:
// the one that knows the key of this run of `poprules page --watch`. The key is in the address of
// the frame, after `#`, where no server sees it. With it comes a token of the page that requests
// the data. A message with another token was written by somebody else and is ignored.

const pause = 1000;

// Returns true if this is the frame of such a page. It shows nothing, and answers if it may.
function isProbe(key) {
  if (window.parent === window || !location.search.startsWith("?probe")) return false;
  const [asked, token] = location.hash.slice(1).split(".");
  if (key && asked === key && token) {
    // Files have no origin that a message could be sent to.
    const target = location.protocol === "file:" ? "*" : location.origin;
    window.parent.postMessage({ poprules: ownData(), token }, target);
  }
  return true;
}

// The key of a watched page; null for one that was written without `--watch`.
function watchKey() {
  return document.getElementById("page").getAttribute("data-watch");
}

// Returns the data of this file: the data for views, and the bundle.
function ownData() {
  return ["page", "bundle"].map((id) => document.getElementById(id).textContent);
}

function follow(page, key) {
  const token = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const frame = document.createElement("iframe");
  frame.hidden = true;
  frame.title = "the current content of the page's file";
  frame.setAttribute("sandbox", "allow-scripts");
  let number = 0;
  const look = () => {
    if (document.hidden) return void setTimeout(look, pause);
    number += 1;
    frame.src = `${location.pathname}?probe${number}#${key}.${token}`;
    setTimeout(look, pause);
  };
  addEventListener("message", ({ source, origin, data }) => {
    // A page in a sandbox has no origin.
    if (source !== frame.contentWindow || origin !== "null" || data?.token !== token) return;
    const text = data.poprules;
    if (!Array.isArray(text) || text.length !== 2 || text.some((one) => typeof one !== "string")) return;
    if (text.join() !== page.text.join()) page.update(text);
  });
  document.body.append(frame);
  setTimeout(look, pause);
}
return { isProbe, watchKey, ownData, follow };
})();
const module0 = (() => {
// The page: its views by the address, search and filters.
const { h, fill } = module1;
const { Model } = module2;
const { popupsView, select } = module4;
const { storiesView } = module11;
const { collisionsView } = module12;
const { changesView } = module13;
const { coverageView } = module14;
const { PlayView } = module15;
const { loadEngine, hasEngine } = module17;
const { playedScript } = module16;
const { follow, isProbe, ownData, watchKey } = module25;

const views = {
  popups: ["Popups", popupsView], play: ["Play", null], stories: ["Tests", storiesView],
  collisions: ["Collisions", collisionsView], changes: ["Changes", changesView], coverage: ["Coverage", coverageView],
};

class Page {
  constructor(text) {
    this.hasEngine = hasEngine();
    this.take(text);
    this.head = h("header", { class: "top" });
    this.note = h("aside", { class: "left-out", "aria-label": "omitted parts" });
    this.main = h("main", { id: "main", tabindex: "-1" });
    document.body.append(h("a", { class: "skip", href: "#main", onclick: (event) => { event.preventDefault(); this.main.focus(); } }, "skip to content"), this.head, this.note, this.main);
    this.play = new PlayView(this);
    addEventListener("hashchange", () => this.show(true));
    this.drawHead();
    this.show(false);
  }

  // Takes data, at first and when the file was written again.
  take(text) {
    this.text = text;
    const [data, bundle] = text;
    this.model = new Model(JSON.parse(data), bundle);
    document.title = this.model.data.title;
  }

  update(text) {
    this.take(text);
    const [scroll, focus] = [scrollY, focusedPath()];
    this.drawHead();
    this.play.rulesChanged();
    this.show(false);
    scrollTo(0, scroll);
    focusAgain(focus);
  }

  get address() {
    const [path, query = ""] = location.hash.slice(1).split("?");
    const [view, ...rest] = path.split("/");
    return {
      view: Object.hasOwn(views, view) ? view : "popups",
      arg: rest.map(decode).join("/"),
      query: Object.fromEntries(new URLSearchParams(query)),
    };
  }

  // An address of a view; filters that are set stay.
  link(view, arg = "", query = {}) {
    const { q, owner, tag, lane, lang, as } = this.address.query;
    const kept = view === "play" || arg ? { lang, as } : { q, owner, tag, lane, lang, as };
    const all = Object.entries({ ...kept, ...query }).filter(([, value]) => value);
    const path = arg ? `${view}/${arg.split("/").map(encodeURIComponent).join("/")}` : view;
    return `#${path}${all.length ? `?${new URLSearchParams(all)}` : ""}`;
  }

  // Changes the query of this address, and shows that.
  set(changes) {
    const { view, arg, query } = this.address;
    const all = Object.entries({ ...query, ...changes }).filter(([, value]) => value);
    const path = arg ? `${view}/${arg.split("/").map(encodeURIComponent).join("/")}` : view;
    history.replaceState(null, "", `#${path}${all.length ? `?${new URLSearchParams(all)}` : ""}`);
    const focus = focusedPath();
    this.show(false);
    focusAgain(focus);
  }

  // The users whose view can be chosen: nobody in particular, the personas of audiences.
  personas() {
    const people = this.model.data.audiences.filter((audience) => audience.set && Object.keys(audience.set).length)
      .map((audience) => ({ name: `a user who may see ${audience.popup}`, set: audience.set }));
    const named = [...new Map(this.model.data.personas.map((one) => [JSON.stringify(one), one])).values()];
    return [{ name: "a user without context", set: {} }, ...named, ...people];
  }

  playScript(script, title) {
    this.play.load(script, title);
    location.hash = "#play";
  }

  drawHead() {
    const { model } = this;
    const theme = localStorageOf("poprules.theme") ?? "auto";
    setTheme(theme);
    const search = h("input", {
      type: "search", id: "search", placeholder: "search", "aria-label": "search",
      value: this.address.query.q ?? "", oninput: (event) => this.set({ q: event.target.value }),
    });
    this.nav = h("nav", { "aria-label": "views" });
    this.filters = h("div", { class: "filters" },
      search, this.filter("owner", model.owners), this.filter("tag", model.tags),
      this.filter("lane", model.lanes.length > 1 ? model.lanes : [], "scheduler"));
    fill(this.head,
      h("div", { class: "brand" }, h("h1", {}, model.data.title),
        h("label", { class: "theme" }, h("span", { class: "away" }, "colors"),
          h("select", { onchange: (event) => { localStorageOf("poprules.theme", event.target.value); setTheme(event.target.value); } },
            ["auto", "light", "dark"].map((name) => h("option", { selected: name === theme }, name))))),
      this.nav, this.filters);
  }

  filter(key, values, label = key) {
    if (!values.length) return null;
    const element = select(label, [["", "all"], ...values.map((value) => [value, value])], this.address.query[key] ?? "", (value) => this.set({ [key]: value || null }));
    element.dataset.filter = key;
    return element;
  }

  show(isNew) {
    const { address } = this;
    const entries = Object.entries(views).filter(([name]) => name !== "changes" || this.model.data.changes);
    fill(this.nav, entries.map(([name, [words]]) => h("a", { href: this.link(name), "aria-current": name === address.view ? "page" : null }, words)));
    this.filters.hidden = address.view === "play" || address.view === "collisions" || Boolean(address.arg);
    const uses = { popups: true, stories: false, collisions: false, changes: false, coverage: false }[address.view];
    for (const label of this.filters.querySelectorAll("[data-filter]")) {
      label.hidden = !uses;
      label.querySelector("select").value = address.query[label.dataset.filter] ?? "";
    }
    const search = this.filters.querySelector("#search");
    if (search !== document.activeElement) search.value = address.query.q ?? "";
    const { leftOut = [] } = this.model.data;
    this.note.hidden = !leftOut.length;
    fill(this.note, leftOut.length ? [h("strong", {}, "To limit its size, this page leaves out:"), h("ul", {}, leftOut.map((words) => h("li", {}, words)))] : []);
    fill(this.main, address.view === "play" ? this.play.draw(address) : views[address.view][1](this, address));
    document.title = `${views[address.view][0]} – ${this.model.data.title}`;
    if (isNew) { scrollTo(0, 0); this.main.focus({ preventScroll: true }); }
  }
}

function decode(part) {
  try { return decodeURIComponent(part); } catch { return part; }
}

// A page that is opened from a disk may have no storage.
function localStorageOf(key, value) {
  try {
    if (value !== undefined) localStorage.setItem(key, value);
    return localStorage.getItem(key);
  } catch { return null; }
}

function setTheme(name) {
  if (name === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
}

// The path of the focus, by properties that stay when elements are made again.
function focusedPath() {
  const path = [];
  let element = document.activeElement;
  if (!element || element === document.body) return null;
  const selection = element.matches("input[type=search], input[type=text]") ? element.selectionStart : null;
  while (element.parentElement && element !== document.body) {
    path.unshift([...element.parentElement.children].indexOf(element));
    element = element.parentElement;
  }
  return { path, selection };
}

function focusAgain(focus) {
  if (!focus) return;
  let element = document.body;
  for (const index of focus.path) element = element?.children[index];
  if (!element || element === document.activeElement) return;
  element.focus?.({ preventScroll: true });
  if (focus.selection !== null) element.setSelectionRange?.(focus.selection, focus.selection);
}

const key = watchKey();
if (!isProbe(key)) {
  const page = new Page(ownData());
  globalThis.poprules = { page, loadEngine, played: playedScript };
  if (key) follow(page, key);
  document.documentElement.dataset.ready = "";
}
return {  };
})();

"""###
}
