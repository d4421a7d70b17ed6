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
export function unpacked(bytes) {
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
