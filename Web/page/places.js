// Placeholders in strings: {{ name }} and {{ name | fallback for a missing value }}.

const blank = /\s/;
const letter = /[\w.]/;

// Replaces each placeholder by the result of `value(name, otherwise)`; `otherwise` is undefined if
// there is no fallback. Text that is not a placeholder stays unchanged. Reads each character a few
// times at most, for any text: no regex backtracks in it.
export function filledPlaces(text, value) {
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
