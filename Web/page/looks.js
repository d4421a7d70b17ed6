// A look that an app brings for its popups: markup and style that somebody else wrote. It can do
// as it likes inside of its box, and nothing outside of it:
//
// - Its markup is made again of elements and attributes that are known here. So nothing runs, asks
//   for an address, goes to another page, or rises above the page as popovers and dialogs do.
// - Its style is in a shadow root inside of another one. `:host` is an element in the box; the box
//   itself belongs to the outer root, which no selector of the look reaches.
// - The box clips, is the page to what is `fixed`, and keeps the size that it had first.
import { h, fill } from "./dom.js";

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
export function showLook(root, look, content, act) {
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

export function fieldText(value) {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(fieldText).join(", ");
  if (value instanceof Map) return [...value].map(([key, inner]) => `${key}: ${fieldText(inner)}`).join(", ");
  return String(value);
}
