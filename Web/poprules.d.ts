// What a web app calls: `Popups`, and under it the engine itself.

/** The text of a bundle, as `poprules compile` writes it. */
export type Bundle = string;

/** A moment: the time since the start such as `"1.5s"`, and the date in RFC 3339. */
export interface Moment {
  instant: string;
  date: string;
}

/** What happens to a scheduler, such as `{ at, input: "send", event: "order.placed" }`. */
export interface Input {
  at: Moment;
  input: string;
  [member: string]: unknown;
}

/** What is to be done, such as `{ effect: "present", … }`. */
export interface Effect {
  effect: "askWillShow" | "present" | "dismiss" | "record" | "emit";
  [member: string]: unknown;
}

export interface Answer {
  /** The effects of each input. */
  steps: { effects: Effect[] }[];
  /** When time alone changes something, since the start; absent when it does not. */
  nextWake?: string;
}

/** Why a popup shows or does not. */
export interface Explanation {
  popup: string;
  state: "absent" | "waiting" | "chosen" | "presenting" | "showing" | "dismissing";
  /** A reason code; absent for what is on its way to the screen or there. */
  reason?: string;
  [member: string]: unknown;
}

export interface Opening {
  bundle: Bundle;
  start: Moment;
  /** Of every draw; the same seed comes to the same effects. */
  seed?: number;
  user?: string;
  history?: object;
  /** Records that were kept since the history was written. */
  records?: HistoryRecord[];
  /** What happened already. */
  inputs?: Input[];
}

/** The engine: WebAssembly, loaded once. */
export class Engine {
  /** Compiles the bytes of `engine.wasm`. */
  static load(bytes: BufferSource): Promise<Engine>;
  /** Opens a session; throws what is wrong with the request. */
  open(opening: Opening): Session;
  /** Runs a scheduler through all inputs at once. */
  replay(request: Opening & { explain?: string[] }): Answer & { explanations?: Explanation[] };
}

/** A scheduler, from its start until it is closed. After a trap of the engine it goes on in a new one. */
export interface Session {
  /** The answer to the inputs that it was opened with. */
  readonly opening: Answer;
  handle(inputs: Input[]): Answer;
  explain(popups: string[], at?: Moment): Explanation[];
  /** Why popups would show or not after inputs that the session does not take in; `at` is the time of those without. */
  suppose(inputs: (Input | Omit<Input, "at">)[], popups: string[], at?: Moment): Explanation[];
  /** The history of the user, as `Opening` takes it. */
  history(): object;
  close(): void;
}

/** A popup on its way to the screen. */
export interface Presentation {
  popup: string;
  scheduler: string;
  template?: string;
  variant?: string;
  /** The content of the rules, with its placeholders filled. */
  content: any;
}

export type WillShowAnswer = "show" | "cancel" | { postpone: string };

/** What shows popups. A promise says when it is done; one that is rejected, that it failed. */
export interface Presenter {
  /** Returns whether a popup may show now, or a promise of that; without it every popup may. */
  willShow?(popup: string, variant?: string): WillShowAnswer | void | Promise<WillShowAnswer | void>;
  /** What a person does is told to `popups`: `userClosed`, `acted`. */
  present(presentation: Presentation, popups: Popups): void | Promise<void>;
  dismiss(popup: string): void | Promise<void>;
}

/** A change of a user's history, such as an impression, as JSON. */
export interface HistoryRecord {
  record: string;
  date?: string;
  [member: string]: unknown;
}

/** A history as it was written last, and the records that were kept since then, oldest first. */
export interface KeptHistory {
  history?: object;
  records?: HistoryRecord[];
}

/** Keeps the history of each user as a whole. Every call may return a promise. */
export interface HistoryStore {
  load(user: string): object | undefined | Promise<object | undefined>;
  save(user: string, history: object): void | Promise<void>;
  /** Calls back when something else has saved the history of a user; returns a function that ends that. */
  follow?(changed: (user: string) => void): () => void;
}

/** Keeps records: nothing is lost if several pages write at the same time. Every call may return a promise. */
export interface RecordStore {
  load(user: string): KeptHistory | undefined | Promise<KeptHistory | undefined>;
  /** Keeps all of the records; if it throws, or its promise is rejected, none of them: they come again with the next ones. */
  append(user: string, records: HistoryRecord[]): void | Promise<void>;
  /** Is called from time to time; may replace history and records by the history that `whole` returns for them. */
  fold?(user: string, whole: (kept: KeptHistory) => object): void;
  follow?(changed: (user: string) => void): () => void;
}

/**
 * Keeps records in `localStorage`, also those of the other tabs of the app. An item that is damaged is reported
 * (`reportError`), left as it is, and not counted.
 */
export class LocalHistory implements RecordStore {
  constructor(prefix?: string);
  load(user: string): KeptHistory;
  append(user: string, records: HistoryRecord[]): void;
  fold(user: string, whole: (kept: KeptHistory) => object): boolean;
  /** Forgets a user; a page that is open keeps only what happens from then on. */
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
  /** Whose history counts; `""` for everybody at this browser. */
  user?: string;
  /** `LocalHistory` unless it is given. */
  store?: HistoryStore | RecordStore;
  context?: { [key: string]: Value };
  /** The IANA name of the zone; that of the browser unless it is given. */
  zone?: string;
  /** A random number unless it is given. */
  seed?: number;
  /** The browser's unless it is given. */
  clock?: { now(): Moment };
  /** Is told of everything that happens to popups, such as `{ event: "shown", popup: "welcome" }`. */
  onEvent?(event: { event: string; popup?: string; reason?: string; [member: string]: unknown }): void;
}

/** The popups of an app. */
export class Popups {
  /** Throws what is wrong with the bundle. */
  constructor(engine: Engine, options: Options);
  /** Lets popups show: the triggers `start` fire. */
  start(): void;
  /** Sets context keys; one whose value is undefined has none any more. */
  update(context: { [key: string]: Value | undefined }): void;
  /** Tells that an event happened. */
  send(event: string, payload?: { [field: string]: Value }): void;
  /** Asks for a popup, whose conditions and caps hold all the same. */
  enqueue(popup: string): void;
  /** Takes a popup away, or drops it while it waits. */
  dismiss(popup: string): void;
  /** A person closed the popup that shows. */
  userClosed(popup: string): void;
  /** A person used an action of the popup that shows; it ends by that unless it stays. */
  acted(popup: string, action: string, options?: { stays?: boolean }): void;
  /** Shows nothing new until `resume`, for one who asks for it by a name of their own. */
  suspend(by?: string): void;
  resume(by?: string): void;
  /** Another user is there, with a history and a context of their own. */
  switchUser(user: string, context?: { [key: string]: Value }): void;
  /** Why popups show or do not. */
  explain(...popups: string[]): Explanation[];
  /** Ends: what shows is left to the presenter. */
  stop(): void;
}
