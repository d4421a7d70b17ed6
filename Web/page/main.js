// The page: its views by the address, search and filters.
import { h, fill } from "./dom.js";
import { Model } from "./model.js";
import { popupsView, select } from "./popups.js";
import { storiesView } from "./stories.js";
import { collisionsView } from "./collisions.js";
import { changesView } from "./changes.js";
import { coverageView } from "./coverage.js";
import { PlayView } from "./play.js";
import { loadEngine, hasEngine } from "./engine-bytes.js";
import { playedScript } from "./host.js";
import { follow, isProbe, ownData, watchKey } from "./watch.js";

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
