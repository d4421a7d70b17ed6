// A page that is watched looks at its own file in a frame, and takes over what is written there
// anew. Nothing is fetched: a page that was opened from a disk may not read files.

const pause = 1000;

// In the frame: hands its data over, and shows nothing.
export function isProbe() {
  if (window.parent === window) return false;
  if (!location.search.startsWith("?probe")) return false;
  window.parent.postMessage({ poprules: ownData() }, "*");
  return true;
}

// The data of this file: what views read, and the bundle.
export function ownData() {
  return ["page", "bundle"].map((id) => document.getElementById(id).textContent);
}

export function follow(page) {
  const frame = document.createElement("iframe");
  frame.hidden = true;
  frame.title = "the page as its file has it now";
  frame.setAttribute("sandbox", "allow-scripts");
  let number = 0;
  const look = () => {
    if (document.hidden) return void setTimeout(look, pause);
    number += 1;
    frame.src = `${location.pathname}?probe${number}`;
    setTimeout(look, pause);
  };
  addEventListener("message", (event) => {
    if (event.source !== frame.contentWindow) return;
    const text = event.data?.poprules;
    if (Array.isArray(text) && text.join() !== page.text.join()) page.update(text);
  });
  document.body.append(frame);
  setTimeout(look, pause);
}
