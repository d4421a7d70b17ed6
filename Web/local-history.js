// Histories of users in `localStorage`, which several tabs of an app share.

// Records of one chunk: so much is written again for each record.
const chunkRecords = 200;
// Records that loading applies one by one; more are folded into the base.
const looseRecords = 500;
// A tab sees the writes of another tab a little later, but surely within the difference of these
// two times. A chunk that got no record for the first time gets no more records, and may be removed
// after the second.
const openAge = 5 * 60 * 1000;
const removalAge = 10 * 60 * 1000;
// The time for which the base remembers the chunks that it contains after they were removed.
const memoryAge = 90 * 24 * 60 * 60 * 1000;

// The records that this version knows. Those of a later version are kept for tabs that know them.
const knownRecords = new Set([
  "event", "session", "sessionLeft", "occurrence", "impression", "impressionTakenBack", "reservation",
  "reservationTakenBack", "exposure", "dismissal", "acted", "endedByAction", "goalMatched", "counted",
]);

/**
 * Stores the histories of users, such as how often they saw a popup, in the browser.
 *
 * No tab ever overwrites the data of another tab: each appends records to chunks of its own, and
 * loading adds all of them to the base. A base contains the beginnings of some chunks, whose
 * lengths it stores; it can be written again at any time from the stored data.
 */
export class LocalHistory {
  #earlier;
  #base;
  #records;
  #tab = Math.random().toString(36).slice(2, 12);
  #chunks = new Map();
  #reported = new Set();

  constructor(prefix = "poprules.history.") {
    // The histories of version 0.1, each as a whole.
    this.#earlier = prefix;
    const root = prefix.endsWith("history.") ? prefix.slice(0, -"history.".length) : `${prefix}+`;
    this.#base = `${root}base.`;
    this.#records = `${root}records.`;
  }

  /**
   * Returns the last written history of a user, and the records that were stored since then. Items
   * that cannot be read are reported (`reportError`), left out, and not overwritten.
   */
  load(user) {
    const { base, chunks, damaged } = this.#read(user);
    for (const key of damaged) this.#report(key);
    const loose = chunks.map(({ id, records }) => records.slice(base.folded[id]?.count ?? 0));
    return { history: base.history, records: ordered(loose) };
  }

  /**
   * Keeps records, after those that were kept before: all of them or, if storage is full or
   * forbidden, none. Then it throws.
   */
  append(user, records, now = Date.now()) {
    let chunk = this.#chunks.get(user);
    const key = ({ number }) => `${this.#records}${this.#tab}.${number}.${user}`;
    // A chunk that no longer exists was forgotten, here or in another tab.
    const isForgotten = chunk?.records.length > 0 && localStorage.getItem(key(chunk)) === null;
    const isClosed = chunk?.records.length >= chunkRecords || now - chunk?.date > openAge;
    if (chunk === undefined || isForgotten || isClosed) {
      chunk = { number: (chunk?.number ?? -1) + 1, records: [] };
    }
    const all = chunk.records.concat(records);
    localStorage.setItem(key(chunk), JSON.stringify(all));
    this.#chunks.set(user, { number: chunk.number, records: all, date: now });
  }

  /**
   * Makes loading faster: `whole` returns the history that a history and records add up to.
   * Returns whether there was reason to.
   */
  fold(user, whole, now = Date.now()) {
    const { base, chunks, damaged, isEarlier } = this.#read(user);
    if (damaged.length > 0) return false;
    const loose = chunks.map(({ id, records }) => records.slice(base.folded[id]?.count ?? 0));
    const isOld = (id) => now - (base.folded[id]?.date ?? now) > removalAge;
    // Chunks that the base contains, and that nobody has added to for a while.
    for (const { id, key, records } of chunks) {
      if (base.folded[id]?.count === records.length && isOld(id)) localStorage.removeItem(key);
    }
    if (loose.reduce((sum, records) => sum + records.length, 0) < looseRecords) return false;
    if (!loose.every((records) => records.every(({ record }) => knownRecords.has(record)))) return false;
    const history = whole({ history: base.history, records: ordered(loose) });
    if (!isObject(history)) return false;
    const folded = Object.fromEntries(
      Object.entries(base.folded).filter(([, { date }]) => now - date < memoryAge));
    chunks.forEach(({ id, records }, place) => {
      if (loose[place].length > 0) folded[id] = { count: records.length, date: now };
    });
    localStorage.setItem(this.#base + user, JSON.stringify({ history, folded }));
    if (isEarlier) localStorage.removeItem(this.#earlier + user);
    return true;
  }

  /** Forgets a user. Records that tabs store for the user from then on start a new history. */
  forget(user) {
    this.#chunks.delete(user);
    for (const key of this.#keys(user)) localStorage.removeItem(key);
    localStorage.removeItem(this.#base + user);
    localStorage.removeItem(this.#earlier + user);
  }

  /** Calls `changed` when another tab has kept something about a user. */
  follow(changed) {
    const listener = ({ key, newValue }) => {
      if (newValue === null) return;
      const user = this.#userOfChunk(key ?? "");
      if (user !== undefined) changed(user);
      else if (key?.startsWith(this.#earlier)) changed(key.slice(this.#earlier.length));
    };
    addEventListener("storage", listener);
    return () => removeEventListener("storage", listener);
  }

  /** Reads everything about a user in one go: nothing of this tab runs in between. */
  #read(user) {
    const damaged = [];
    const read = (key, isRight) => {
      const text = localStorage.getItem(key);
      if (text === null) return undefined;
      const value = parsed(text);
      if (isRight(value)) return value;
      damaged.push(key);
      return undefined;
    };
    const written = read(this.#base + user, isBase);
    const isEarlier = written === undefined;
    const base = isEarlier ? { history: read(this.#earlier + user, isObject), folded: {} } : written;
    const chunks = [];
    for (const key of this.#keys(user)) {
      const records = read(key, (value) => Array.isArray(value) && value.every(isRecord));
      if (records === undefined) continue;
      const [tab, number] = key.slice(this.#records.length).split(".");
      chunks.push({ id: `${tab}.${number}`, key, records });
    }
    chunks.sort((one, other) => (one.id < other.id ? -1 : 1));
    return { base: { ...base, folded: base.folded ?? {} }, chunks, damaged, isEarlier };
  }

  /** The keys of the chunks of a user. */
  #keys(user) {
    const keys = [];
    for (let place = 0; place < localStorage.length; place += 1) {
      const key = localStorage.key(place);
      if (this.#userOfChunk(key) === user) keys.push(key);
    }
    return keys;
  }

  /** Reports once that an item cannot be read. */
  #report(key) {
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    const error = new Error(
      `poprules: the item \`${key}\` of \`localStorage\` cannot be read; it is ignored and stays unchanged`);
    if (typeof reportError === "function") reportError(error);
    else console.error(error);
  }

  /** The user of a chunk by its key, `records.TAB.NUMBER.USER`. */
  #userOfChunk(key) {
    if (!key.startsWith(this.#records)) return undefined;
    return /^[a-z0-9]*\.\d+\.([^]*)$/.exec(key.slice(this.#records.length))?.[1];
  }
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns true if a value has the form of a base; the engine reads the content of the history. */
function isBase(value) {
  const { history, folded = {} } = isObject(value) ? value : { folded: null };
  const isHistory = history === undefined || isObject(history);
  const isFolded = (chunk) => isObject(chunk) && Number.isInteger(chunk.count) && chunk.count >= 0;
  return isHistory && isObject(folded) && Object.values(folded).every(isFolded);
}

/** The same of a record. */
function isRecord(value) {
  if (!isObject(value) || typeof value.record !== "string") return false;
  return value.date === undefined || (typeof value.date === "string" && !Number.isNaN(Date.parse(value.date)));
}

/** The records of several tabs in the order of their dates; those of one tab stay in order. */
function ordered(lists) {
  if (lists.length < 2) return lists[0] ?? [];
  const dated = lists.flatMap((records) => {
    let latest = "";
    return records.map((record) => {
      if (record.date > latest) latest = record.date;
      return { date: latest, record };
    });
  });
  // Dates of RFC 3339 in UTC are ordered as text, up to fractions of a second.
  return dated
    .map((entry) => ({ ...entry, time: Date.parse(entry.date) || 0 }))
    .sort((one, other) => one.time - other.time).map(({ record }) => record);
}

/** Returns undefined for text that other software wrote. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
