// The API for web apps: `Popups`, and the engine below it.

/** The content of a bundle, as written by `poprules compile`. */
export type Bundle = string;

/** A point in time: the duration since the start, such as `"1.5s"`, and the date in RFC 3339. */
export interface Moment {
  instant: string;
  date: string;
}

/** An input of a scheduler, such as `{ at, input: "send", event: "order.placed" }`. */
export interface Input {
  at: Moment;
  input: string;
  [member: string]: unknown;
}

/** An action that the host must perform, such as `{ effect: "present", … }`. */
export interface Effect {
  effect: "askWillShow" | "present" | "dismiss" | "record" | "emit";
  [member: string]: unknown;
}

export interface Answer {
  /** The effects of each input. */
  steps: { effects: Effect[] }[];
  /** The time since the start at which something changes without an input; absent if there is none. */
  nextWake?: string;
}

/** The reason why a popup does or does not show. */
export interface Explanation {
  popup: string;
  state: "absent" | "waiting" | "chosen" | "presenting" | "showing" | "dismissing";
  /** A reason code; absent if the popup is on the screen or about to appear. */
  reason?: string;
  [member: string]: unknown;
}

export interface Opening {
  bundle: Bundle;
  start: Moment;
  /** The random seed; the same seed gives the same effects. */
  seed?: number;
  user?: string;
  history?: object;
  /** Records that were stored after the history was written. */
  records?: HistoryRecord[];
  /** Inputs to process immediately. */
  inputs?: Input[];
}

/** The engine: WebAssembly, loaded once. */
export class Engine {
  /** Compiles the bytes of `engine.wasm`. */
  static load(bytes: BufferSource): Promise<Engine>;
  /** Opens a session; throws an error if the request is invalid. */
  open(opening: Opening): Session;
  /** Runs a scheduler for all inputs in one call. */
  replay(request: Opening & { explain?: string[] }): Answer & { explanations?: Explanation[] };
}

/** A scheduler, from its start until it is closed. After a trap of the engine, it continues in a new engine. */
export interface Session {
  /** The answer to the inputs in the `Opening`. */
  readonly opening: Answer;
  handle(inputs: Input[]): Answer;
  explain(popups: string[], at?: Moment): Explanation[];
  /** Explains popups as they would be after inputs; the session stays unchanged. `at` is for inputs without a time. */
  suppose(inputs: (Input | Omit<Input, "at">)[], popups: string[], at?: Moment): Explanation[];
  /** Returns the history of the user, which you can pass in an `Opening`. */
  history(): object;
  close(): void;
}

/** A popup to show. */
export interface Presentation {
  popup: string;
  scheduler: string;
  template?: string;
  variant?: string;
  /** The content of the rules, with its placeholders filled. */
  content: any;
}

export type WillShowAnswer = "show" | "cancel" | { postpone: string };

/** Shows popups. A returned promise is resolved when the presenter is done, and rejected if it failed. */
export interface Presenter {
  /** Returns whether a popup may show now, or a promise of it; without this function, every popup may. */
  willShow?(popup: string, variant?: string): WillShowAnswer | void | Promise<WillShowAnswer | void>;
  /** Shows a popup. Report what the user does to `popups`: `userClosed`, `acted`. */
  present(presentation: Presentation, popups: Popups): void | Promise<void>;
  dismiss(popup: string): void | Promise<void>;
}

/** A change of a user's history, such as an impression, as JSON. */
export interface HistoryRecord {
  record: string;
  date?: string;
  [member: string]: unknown;
}

/** The last stored history, and the records that were stored after it, oldest first. */
export interface KeptHistory {
  history?: object;
  records?: HistoryRecord[];
}

/** Stores the history of each user as a whole. Every call may return a promise. */
export interface HistoryStore {
  load(user: string): object | undefined | Promise<object | undefined>;
  save(user: string, history: object): void | Promise<void>;
  /** Calls `changed` when something else has saved the history of a user; returns a function that stops this. */
  follow?(changed: (user: string) => void): () => void;
}

/** Stores records: nothing is lost if several pages write at the same time. Every call may return a promise. */
export interface RecordStore {
  load(user: string): KeptHistory | undefined | Promise<KeptHistory | undefined>;
  /** Stores all records or none: if it throws or its promise is rejected, the records are passed again later. */
  append(user: string, records: HistoryRecord[]): void | Promise<void>;
  /** Called from time to time; may replace the history and the records by the history that `whole` returns for them. */
  fold?(user: string, whole: (kept: KeptHistory) => object): void;
  follow?(changed: (user: string) => void): () => void;
}

/**
 * Stores records in `localStorage`, shared with the other tabs of the app. A damaged item is reported
 * (`reportError`), ignored, and stays unchanged.
 */
export class LocalHistory implements RecordStore {
  constructor(prefix?: string);
  load(user: string): KeptHistory;
  append(user: string, records: HistoryRecord[]): void;
  fold(user: string, whole: (kept: KeptHistory) => object): boolean;
  /** Deletes the data of a user; an open page stores only later records. */
  forget(user: string): void;
  follow(changed: (user: string) => void): () => void;
}

/** A value of a context key or of a field of an event. */
export type Value =
  | null | boolean | number | string | Date | Uint8Array | Value[] | Map<Value, Value>
  | { [key: string]: Value };

export interface Options {
  bundle: Bundle;
  presenter: Presenter;
  /** The user, who has a separate history; `""` for all users of this browser. */
  user?: string;
  /** The default is `LocalHistory`. */
  store?: HistoryStore | RecordStore;
  context?: { [key: string]: Value };
  /** The IANA name of the time zone; the default is the browser's. */
  zone?: string;
  /** The default is a random number. */
  seed?: number;
  /** The default is the browser's clock. */
  clock?: { now(): Moment };
  /** Called for every event of a popup, such as `{ event: "shown", popup: "welcome" }`. */
  onEvent?(event: { event: string; popup?: string; reason?: string; [member: string]: unknown }): void;
}

/** The popups of an app. */
export class Popups {
  /** Throws an error if the bundle is invalid. */
  constructor(engine: Engine, options: Options);
  /** Starts showing popups: fires the triggers `start`. */
  start(): void;
  /** Sets context keys; `undefined` removes the value of a key. */
  update(context: { [key: string]: Value | undefined }): void;
  /** Sends an event. */
  send(event: string, payload?: { [field: string]: Value }): void;
  /** Puts a popup in the queue; its conditions and caps still apply. */
  enqueue(popup: string): void;
  /** Dismisses a popup, or removes it from the queue. */
  dismiss(popup: string): void;
  /** Reports that the user closed the popup on the screen. */
  userClosed(popup: string): void;
  /** Reports that the user used an action of the popup on the screen; the popup ends unless `stays` is true. */
  acted(popup: string, action: string, options?: { stays?: boolean }): void;
  /** Shows no new popups until `resume` with the same name `by`. */
  suspend(by?: string): void;
  resume(by?: string): void;
  /** Switches to another user, with a separate history and context. */
  switchUser(user: string, context?: { [key: string]: Value }): void;
  /** Explains why popups do or do not show. */
  explain(...popups: string[]): Explanation[];
  /** Stops; popups on the screen are left to the presenter. */
  stop(): void;
}
