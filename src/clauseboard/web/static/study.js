// Studying a game: what its record says, its analysis as a whole, its mistakes one after the other.

import { losses, sizeOfLoss } from "./chances.js";
import { el, replaceKeeping } from "./dom.js";
import { remove } from "./api.js";
import { counted } from "./values.js";

/** Headers of a record that say where and when: of PDN and of SGF. */
const PLACES = ["Event", "EV", "Site", "PC", "Date", "DT"];

/** The moves that lost something worth a look, by their numbers. */
export function mistakes(state) {
  const lost = losses(state);
  return state.moves
    .filter(({ mark }, n) => mark || ["middle", "large"].includes(sizeOfLoss(lost[n])))
    .map(({ ply }) => ply);
}

/** Where and when a game was played, and its opening. */
export function aboutGame({ record, opening, names, colours }) {
  const known = (text) => text && !/^[?.\s]*$/.test(text);
  const headers = PLACES.map((name) => record?.headers[name]).filter(known);
  const players = colours.map((colour) => names[colour]).filter(Boolean);
  const parts = [players.length === 2 && players.join(" – "), ...headers, opening];
  return parts.filter(Boolean).join(" · ");
}

export class StudyBar {
  /** `screen` is the game on the page. */
  constructor(screen) {
    this.screen = screen;
    this.element = el("div", { class: "study" });
  }

  draw() {
    const { state, mode, shown } = this.screen;
    const said = this.#said(shown);
    const studying = mode === "study" && state.ply > 0 && state.judge?.judges;
    this.element.hidden = !studying && !said;
    this.element.dataset.analysed = this.#isWhole();
    replaceKeeping(this.element, "button:not(:disabled)", said, studying && this.#tools(shown));
  }

  /** What the record says of the board that is shown. */
  #said(shown) {
    const { record } = this.screen.state;
    const comment = record?.comments[shown];
    const variations = record?.variations[shown] ?? [];
    if (!comment && !variations.length) return null;
    return el(
      "div",
      { class: "comment small", tabindex: "0", role: "group", "aria-label": "Comment" },
      comment && el("p", { text: comment }),
      variations.map((text) => el("p", { class: "soft", text: `Variation: ${text}` })),
    );
  }

  #tools(shown) {
    const { screen } = this;
    const { state } = screen;
    const { analysis } = state;
    const running = analysis && analysis.done < analysis.of;
    const found = mistakes(state).length;
    const button = (text, key, act, disabled = false) =>
      el("button", {
        class: "button button--small",
        type: "button",
        title: key && `Key ${key}`,
        onclick: act,
        disabled,
        text,
      });
    return [
      running &&
        el(
          "div",
          { class: "analysis" },
          el("progress", {
            max: analysis.of,
            value: analysis.done,
            "aria-label": "Analysis of the game",
          }),
          el("span", { class: "small soft", text: `${analysis.done} of ${analysis.of} positions` }),
          button("Stop", null, () => this.#stop()),
        ),
      el(
        "div",
        { class: "row" },
        !running &&
          !this.#isWhole() &&
          button("Analyse the game", null, () => screen.send("analysis")),
        button(
          found ? `Next of ${counted(found, "mistake")}` : "No mistake found",
          "M",
          () => this.nextMistake(1),
          !found,
        ),
        button("Retry this move", "R", () => screen.why.retry(), shown === 0),
      ),
    ];
  }

  #isWhole() {
    return this.screen.state.chances.every((chance) => chance !== null);
  }

  #stop() {
    const { screen } = this;
    return screen.attempt(async () =>
      screen.take(await remove(`games/${screen.state.id}/analysis`)),
    );
  }

  /** Show the board after the next mistake, or the one before; round and round. */
  nextMistake(by) {
    const { screen } = this;
    const plies = mistakes(screen.state).map((ply) => ply + 1); // the board after it
    if (!plies.length) return screen.wrong("No mistake was found so far.");
    const { shown } = screen;
    const next =
      by > 0
        ? (plies.find((ply) => ply > shown) ?? plies[0])
        : (plies.findLast((ply) => ply < shown) ?? plies.at(-1));
    return screen.view(next);
  }
}
