// What an app in TypeScript writes; that the declarations allow it is checked where there is `tsc`.

import { Engine, LocalHistory, Popups, type Presenter } from "../poprules.js";

const presenter: Presenter = {
  present({ popup, content }, popups) {
    document.title = content.title;
    popups.acted(popup, "accept", { stays: true });
  },
  async dismiss(popup) {
    console.log(popup);
  },
};

export async function start(bytes: Uint8Array, bundle: string): Promise<string | undefined> {
  const engine = await Engine.load(bytes);
  const popups = new Popups(engine, {
    bundle, presenter, store: new LocalHistory(), context: { launches: 1, dates: [new Date()] },
  });
  popups.start();
  popups.update({ launches: undefined });
  popups.send("order.placed", { total: 1.5 });
  const session = engine.open({ bundle, start: { instant: "0s", date: "2027-01-01T00:00:00Z" } });
  session.suppose([{ input: "poke" }], ["welcome"]);
  return popups.explain("welcome")[0].reason ?? session.handle([]).nextWake;
}
