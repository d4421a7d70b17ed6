// A WebAssembly module whose instructions are split by kind, so that similar parts are together and
// are packed better: opcodes, numbers of locals, offsets. Web/pack.mjs splits it.

// The kinds, in this order: bytes before and after the code, and the numbers in the code.
export const kinds = ["head", "tail", "locals", "opcode", "shape", "label", "table", "call", "indirect", "local", "global",
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
export class Tape {
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
export function copyBody(from, to) {
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
export function joined(bytes) {
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
