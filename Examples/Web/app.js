import { Engine, Popups } from "./poprules.js";
import { Presenter } from "./presenter.js";

const [bytes, bundle] = await Promise.all([
  fetch("engine.wasm").then((answer) => answer.arrayBuffer()),
  fetch("rules.popbundle").then((answer) => answer.text()),
]);
const engine = await Engine.load(bytes);

const answered = "shop.consent";
const popups = new Popups(engine, {
  bundle,
  presenter: new Presenter(),
  context: { "consent.answered": localStorage.getItem(answered) !== null },
  onEvent(event) {
    console.info("poprules", event);
    if (event.event === "acted" && event.popup === "consent") {
      localStorage.setItem(answered, event.message);
      popups.update({ "consent.answered": true });
    }
  },
});
popups.start();

let count = 0;
for (const button of document.querySelectorAll("#shelf button")) {
  button.addEventListener("click", () => {
    setCount(count + 1);
    popups.send("item.added", { name: button.dataset.name });
  });
}
document.querySelector("#order").addEventListener("click", () => {
  setCount(0);
  popups.send("order.placed");
});

function setCount(number) {
  count = number;
  document.querySelector("#count").textContent = count;
  popups.update({ "cart.items": count });
}

// For tests, and for a look from the console.
globalThis.popups = popups;
