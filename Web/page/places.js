// Places in texts that a value fills: {{ name }} and {{ name | what stands there without one }}.

const blank = /\s/;
const letter = /[\w.]/;

// Replaces each place by what `value(name, otherwise)` gives; `otherwise` is undefined where there
// is none. What is no place stays as it is. Looks at each character a few times at most, whatever
// the text is: no expression goes back in it.
export function filledPlaces(text, value) {
  let [filled, copied, at] = ["", 0, 0];
  // The next closing brace behind `from`. It is kept, so that no part is searched twice.
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
