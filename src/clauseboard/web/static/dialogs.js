// Windows over the page: the keys, a text to paste, a question. All are <dialog>, which the browser
// keeps the keyboard in and closes with Esc.

import { el, freshName } from "./dom.js";
import { icon } from "./icons.js";

/** Show a window; it is gone when closed. Returns the dialog. */
export function showDialog(title, content, { wide = false } = {}) {
  const name = freshName("title");
  const close = () => dialog.close();
  const dialog = el(
    "dialog",
    { class: wide ? "dialog dialog--wide" : "dialog", "aria-labelledby": name },
    el(
      "div",
      { class: "dialog-head" },
      el("h2", { id: name, text: title }),
      el(
        "button",
        { class: "tool", type: "button", "aria-label": "Close", onclick: close },
        icon("cross"),
      ),
    ),
    content,
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Ask yes or no; true if the person says yes. */
export function confirmed(title, sentence, yes) {
  return new Promise((answer) => {
    let said = false;
    const say = (value) => () => {
      said = value;
      dialog.close();
    };
    const dialog = showDialog(title, [
      el("p", { text: sentence }),
      el(
        "div",
        { class: "row row--end" },
        el("button", { class: "button", type: "button", onclick: say(false), text: "Cancel" }),
        el("button", {
          class: "button button--main",
          type: "button",
          onclick: say(true),
          text: yes,
        }),
      ),
    ]);
    dialog.addEventListener("close", () => answer(said));
  });
}

const KEYS = [
  ["← and →", "earlier and later moves; so does the mouse wheel"],
  ["Arrows", "on the board: go from cell to cell"],
  ["Enter", "choose a piece, a cell, a move"],
  ["Esc", "let go of a piece; back to the present"],
  ["U", "take back a move"],
  ["H", "hint"],
  ["W", "why that move?"],
  ["S, T", "Study, Teach, or back to Play"],
  ["M, Shift M", "next and previous mistake"],
  ["R", "try this move again"],
  ["A", "heat map: how much each cell counts"],
  [", and .", "earlier and later moves, also from the board"],
  ["P", "pass, where it is allowed"],
  ["F", "flip the board"],
  ["B", "move to the board"],
  ["N", "new game"],
  ["?", "these keys"],
];

/** The keys of the page. */
export function showKeys() {
  if (document.querySelector("dialog[open]")) return;
  showDialog(
    "Keys",
    el(
      "dl",
      { class: "keys" },
      KEYS.map(([key, does]) => [el("dt", {}, el("kbd", { text: key })), el("dd", { text: does })]),
    ),
  );
}
