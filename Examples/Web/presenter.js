// Shows the templates of rules/app.yaml: every text goes in as text, never as HTML.

export class Presenter {
  #shown = new Map();

  present({ popup, template, content }, popups) {
    const make = { sheet, banner, toast }[template];
    if (make === undefined) throw new Error(`nothing here shows the template ${template}`);
    const element = make(content, {
      act: (action) => popups.acted(popup, action),
      close: () => popups.userClosed(popup),
    });
    element.dataset.popup = popup;
    this.#shown.set(popup, element);
  }

  dismiss(popup) {
    this.#shown.get(popup)?.remove();
    this.#shown.delete(popup);
  }
}

function sheet({ title, body, button, second_button }, { act, close }) {
  const sheet = made("dialog", "sheet");
  const buttons = made("p");
  buttons.append(pressable(button, () => act("accept")));
  if (second_button !== undefined) buttons.append(pressable(second_button, () => act("refuse")));
  sheet.append(made("h2", "", title), made("p", "", body), buttons);
  sheet.setAttribute("aria-label", title);
  // By the key Escape.
  sheet.addEventListener("cancel", (event) => {
    event.preventDefault();
    close();
  });
  document.body.append(sheet);
  sheet.showModal();
  return sheet;
}

function banner({ text, button }, { act, close }) {
  const banner = made("section", "banner");
  banner.setAttribute("aria-label", text);
  const cross = pressable("×", close);
  cross.setAttribute("aria-label", "Close");
  banner.append(made("span", "", text), pressable(button, () => act("open")), cross);
  document.querySelector("#banners").append(banner);
  return banner;
}

function toast({ text }) {
  const toast = made("p", "toast", text);
  document.querySelector("#toasts").append(toast);
  return toast;
}

function pressable(text, action) {
  const button = made("button", "", text);
  button.addEventListener("click", action);
  return button;
}

function made(name, kind = "", text = "") {
  const element = document.createElement(name);
  if (kind !== "") element.className = kind;
  element.textContent = text;
  return element;
}
