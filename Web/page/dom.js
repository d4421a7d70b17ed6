// Elements made of text nodes and attributes: nothing that rules say is ever read as markup.

const svgNames = new Set(["svg", "g", "rect", "line", "text", "title", "path", "circle", "desc"]);

// h("button", { class: "x", onclick: f }, "text", [more]): functions are listeners, `style` is a
// map of properties, `true` is an attribute without a value, and nothing is made of null and false.
export function h(name, properties = {}, ...children) {
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
export function built([name, properties, ...inside]) {
  return h(name, properties, inside.map((one) => (Array.isArray(one) ? built(one) : one)));
}

function put(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) put(element, child);
    else if (child === null || child === undefined || child === false) continue;
    else element.append(child instanceof Node ? child : String(child));
  }
}

export function fill(element, ...children) {
  element.replaceChildren();
  put(element, children);
  return element;
}

// Marks text in backticks as code.
export function marked(text) {
  const parts = String(text).split("`");
  if (parts.length % 2 === 0) return [String(text)];
  return parts.map((part, index) => (index % 2 ? h("code", {}, part) : part));
}

// Copies text to the clipboard; the button reports that.
export function copyButton(label, text) {
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
