// Teaching: after a mistake the person may take it back, and is told what it is about before the
// better move.

import { el, replaceKeeping } from "./dom.js";
import { losses } from "./chances.js";
import { percent } from "./values.js";

export class Lesson {
  /** `screen` is the game on the page. */
  constructor(screen) {
    this.screen = screen;
    this.passed = null; // the mistake that the person has gone on from
    this.element = el("div", { class: "lesson", "aria-live": "polite" });
  }

  /** The person's last move, if it is a mistake that has not been dealt with. */
  get mistake() {
    const { state, mode, viewing } = this.screen;
    if (mode !== "teach" || viewing !== null || state.people.length !== 1) return null;
    const last = state.moves.findLast(({ colour }) => state.people.includes(colour));
    return last?.mark && this.passed !== name(last) ? last : null;
  }

  draw() {
    const { state } = this.screen;
    const { mistake } = this;
    this.element.hidden = !mistake;
    if (!mistake) return void this.element.replaceChildren();
    const lost = losses(state)[mistake.ply];
    const cost = lost ? `: it lowered your chance by ${percent(lost)}` : "";
    const button = (text, act, main = "") =>
      el("button", { class: `button button--small${main}`, type: "button", onclick: act, text });
    replaceKeeping(
      this.element,
      "button",
      el("p", { text: `${mistake.text} was a ${mistake.mark.kind}${cost}.` }),
      el(
        "div",
        { class: "row" },
        state.can_undo &&
          button("Take it back", () => this.screen.send("undo"), " button--main"),
        button("What did I miss?", () => this.screen.why.missed(mistake)),
        button("Go on", () => this.#pass(mistake)),
      ),
    );
  }

  #pass(mistake) {
    this.passed = name(mistake);
    this.draw();
  }
}

function name({ ply, text }) {
  return `${ply} ${text}`;
}
