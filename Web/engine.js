// The engine of poprules in a web page: schedulers opened from a bundle, run by WebAssembly. Every
// call returns its result immediately; the declarations are in poprules.d.ts.

// The engine takes requests of 16 MiB. Characters have three bytes at most, which leaves room for
// the rest of a request.
const requestCharacters = 5_000_000;

/** The code of the engine, and the instance of it that runs at present. */
export class Engine {
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
