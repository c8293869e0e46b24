// The moves of a game, to click through; mistakes are marked, and say what was better.

import { ChanceGraph, losses, sizeOfLoss } from "./chances.js";
import { el, replaceKeeping } from "./dom.js";
import { icon } from "./icons.js";
import { aboutGame } from "./study.js";
import { percent } from "./values.js";

const SIGNS = { mistake: "?", blunder: "??" };

export class MoveList {
  /**
   * `show(ply)` is called with the number of moves to show on the board; null: the present.
   * `below` are more elements, under the moves.
   */
  constructor(show, ...below) {
    this.show = show;
    this.viewing = null; // what was last asked for: quick steps add up before it is shown
    this.about = el("p", { class: "small soft about-game" });
    this.list = el("ol", { class: "moves", "aria-label": "Moves" });
    this.graph = new ChanceGraph((ply) => this.show(ply));
    const step = (name, label, act) =>
      el(
        "button",
        { class: "tool", type: "button", "aria-label": label, title: label, onclick: act },
        icon(name),
      );
    this.element = el(
      "section",
      { class: "card moves-card", "aria-label": "Moves of the game" },
      el(
        "div",
        { class: "card-head" },
        el("h2", { text: "Moves" }),
        el(
          "div",
          { class: "steps" },
          step("first", "To the start", () => this.go(0)),
          step("back", "One move back (key ←)", () => this.step(-1)),
          step("forward", "One move on (key →)", () => this.step(1)),
          step("last", "To the present", () => this.show(null)),
        ),
      ),
      this.about,
      this.list,
      this.graph.element,
      below,
    );
  }

  /** Go a move back or on. */
  step(by) {
    this.go((this.viewing ?? this.count) + by);
  }

  /** Go to the board after so many moves. */
  go(ply) {
    const next = Math.min(Math.max(ply, 0), this.count);
    this.show(next === this.count ? null : next);
  }

  /** Draw the moves; `viewing` is how many of them the board shows, null: all. `judged`: with what
   *  each move lost, and with the graph for the colour `below`; `better`: with what was better. */
  draw(state, viewing, judged, below, better = true) {
    this.about.textContent = aboutGame(state);
    const { moves, colours } = state;
    const lost = judged ? losses(state) : moves.map(() => null);
    const shown = viewing ?? moves.length;
    this.count = moves.length;
    const lines = [];
    moves.forEach((move, n) => {
      if (!lines.length || move.colour === colours[0] || lines.at(-1).length === 2) lines.push([]);
      // A game that was set up may begin with the second colour.
      if (!lines.at(-1).length && move.colour === colours[1])
        lines.at(-1).push(el("span", { class: "move move--none", text: "…" }));
      lines.at(-1).push(this.#move(move, n + 1 === shown, lost[n], better));
    });
    const nothing = el("li", { class: "soft small", text: "No move yet." });
    replaceKeeping(
      this.list,
      "[aria-current]",
      lines.length
        ? lines.map((line, n) =>
            el("li", {}, el("span", { class: "soft number move-number", text: `${n + 1}.` }), line),
          )
        : nothing,
    );
    this.#scroll();
    this.graph.draw(state, shown, below);
    if (!judged) this.graph.element.hidden = true;
  }

  #move({ text, colour, ply, mark }, current, loss, better) {
    const size = sizeOfLoss(loss);
    const cost = size && `lowered the chance by ${percent(loss)}`;
    const judged = mark ? [mark.kind, better && mark.text].filter(Boolean).join(": ") : cost;
    const said = judged ? `${colour} ${text}, ${judged}` : `${colour} ${text}`;
    return el(
      "button",
      {
        class: `move${mark ? ` move--${mark.kind}` : ""}`,
        type: "button",
        "aria-label": said,
        "aria-current": current ? "true" : undefined,
        title: (mark && better ? mark.text : cost) ?? undefined,
        onclick: () => this.show(ply + 1 === this.count ? null : ply + 1),
      },
      text,
      mark
        ? el("span", {
            class: `move-mark loss--${size ?? "small"}`,
            "aria-hidden": "true",
            text: SIGNS[mark.kind] ?? "?",
          })
        : size && el("span", { class: `loss loss--${size}`, "aria-hidden": "true" }),
    );
  }

  #scroll() {
    const current = this.list.querySelector("[aria-current]");
    if (!current) return;
    // Only the list scrolls: scrollIntoView would move the page as well.
    const top = current.offsetTop - this.list.offsetTop;
    const { scrollTop, clientHeight } = this.list;
    if (top < scrollTop || top + current.offsetHeight > scrollTop + clientHeight) {
      this.list.scrollTop = top - clientHeight / 2;
    }
  }
}
