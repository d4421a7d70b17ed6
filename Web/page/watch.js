// A watched page reads its own file in a frame, and takes later content from there. Nothing is
// fetched: a page that was opened from a disk may not read files.
//
// Any site may put a page into a frame, so a page gives its data only to a page of the same file:
// the one that knows the key of this run of `poprules page --watch`. The key is in the address of
// the frame, after `#`, where no server sees it. With it comes a token of the page that requests
// the data. A message with another token was written by somebody else and is ignored.

const pause = 1000;

// Returns true if this is the frame of such a page. It shows nothing, and answers if it may.
export function isProbe(key) {
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
export function watchKey() {
  return document.getElementById("page").getAttribute("data-watch");
}

// Returns the data of this file: the data for views, and the bundle.
export function ownData() {
  return ["page", "bundle"].map((id) => document.getElementById(id).textContent);
}

export function follow(page, key) {
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
