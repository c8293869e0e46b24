// The two players beside the board: name, colour, turn, thinking, and the clock.

import { el, replace } from "./dom.js";
import { swatch } from "./board.js";
import { large, percent, thousands } from "./values.js";

/** Seconds as a clock shows them. */
export function clockText(seconds) {
  const left = Math.max(0, seconds);
  if (left < 10) return `0:0${left.toFixed(1)}`;
  const whole = Math.floor(left);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** Moves of the expected line that a seat has room for. */
const MOVES = 2;

/** How far a search is. */
function soFar({ depth, simulations }) {
  return simulations ? `${thousands(simulations)} simulations` : depth ? `depth ${depth}` : "";
}

/** What a search would play, best first where a narrow seat cuts it off. */
function wouldPlay({ line: [move, ...rest], chance }) {
  const worth = chance === null ? "" : `, ${percent(chance)}`;
  const then = rest.length ? `, then ${rest.slice(0, MOVES).join(" ")}` : "";
  return `${move}${worth}${then}`;
}

/** How far compiling is, the first time on a machine; one of them may take ten seconds. */
function preparation(game, seconds, { done, expected }) {
  const part = expected > 1 ? ` ${done + 1} of ${expected}` : "";
  return `Preparing ${game}, once: compiling${part} · ${Math.floor(seconds)} s`;
}

export class Seats {
  /** Two seats, `top` and `bottom`; `onFlag()` is called when a clock has run out. */
  constructor(board, onFlag) {
    this.board = board;
    this.onFlag = onFlag;
    this.top = el("div", { class: "seat" });
    this.bottom = el("div", { class: "seat" });
    this.timer = setInterval(() => this.#tick(), 100);
  }

  /** Show a state; `turned` changes the seats. */
  show(state, turned) {
    this.state = state;
    this.taken = performance.now();
    this.flagged = false;
    const { colours, people } = state;
    // The person sits below; of two people the one who begins does.
    const below = people.length === 1 ? people[0] : colours[0];
    const above = colours.find((colour) => colour !== below);
    const seated = this.#homeTurned(turned) ? [below, above] : [above, below];
    this.clocks = new Map();
    replace(this.top, this.#seat(seated[0]));
    replace(this.bottom, this.#seat(seated[1]));
    [this.top, this.bottom].forEach((seat, n) => {
      seat.classList.toggle("seat--turn", state.to_move === seated[n]);
      seat.classList.toggle("seat--won", state.outcome?.winner === seated[n]);
    });
    this.#tick();
  }

  /** How the board lies when the person sits below; turned from that, the seats change. */
  home = false;

  #homeTurned(turned) {
    return turned !== this.home;
  }

  #seat(colour) {
    const { people, opponent, to_move, outcome, thinking, clocks, names } = this.state;
    const person = people.includes(colour);
    const usual = !person ? large(opponent.title) : people.length === 1 ? "You" : large(colour);
    const name = names[colour] ?? usual;
    const doing = outcome
      ? outcome.winner === colour
        ? "won"
        : ""
      : to_move !== colour
        ? ""
        : thinking && !person
          ? "thinks"
          : "to move";
    const said = el("span", { class: "seat-doing", text: doing });
    if (!person) this.doing = said;
    const clock = clocks && el("span", { class: "clock number" });
    if (clock) this.clocks.set(colour, clock);
    return [
      swatch(this.board, colour),
      el(
        "span",
        { class: "seat-name" },
        el("b", { text: name }),
        name === large(colour) ? "" : el("span", { class: "soft", text: ` ${colour}` }),
      ),
      this.state.captured[colour] > 0 && this.#captured(colour),
      said,
      clock,
    ];
  }

  /** The pieces that a side has taken. */
  #captured(colour) {
    const { captured, colours } = this.state;
    const other = colours.find((each) => each !== colour);
    return el(
      "span",
      { class: "captured number", title: `Taken: ${captured[colour]}` },
      el("span", { class: "out", text: `taken: ${captured[colour]}` }),
      swatch(this.board, other),
      el("span", { "aria-hidden": "true", text: `×${captured[colour]}` }),
    );
  }

  /** Show how long the opponent has been thinking and how far it is; `whole`: and its choice. */
  thinking(thought, whole) {
    const { seconds, limit, preparing, compiling, line = [] } = thought;
    const told = whole && line.length > 0;
    if (!this.doing || !this.state.thinking) return;
    const long = `${seconds.toFixed(1)} s`;
    this.doing.textContent = compiling
      ? preparation(this.state.title, seconds, compiling)
      : preparing
        ? `getting ready · ${Math.floor(seconds)} s`
        : told
          ? [soFar(thought), wouldPlay(thought)].filter(Boolean).join(": ")
          : [`thinks ${long}${limit ? ` of ${limit}` : ""}`, soFar(thought)]
              .filter(Boolean)
              .join(" · ");
    this.doing.title = told ? line.join(" ") : compiling?.kernel ?? "";
  }

  #tick() {
    const { clocks } = this.state ?? {};
    if (!clocks) return;
    const passed = (performance.now() - this.taken) / 1000;
    for (const [colour, element] of this.clocks) {
      const runs = clocks.running === colour;
      const left = clocks.remaining[colour] - (runs ? passed : 0);
      element.textContent = clockText(left);
      element.setAttribute(
        "aria-label",
        `${colour}'s clock: ${Math.ceil(Math.max(0, left))} seconds`,
      );
      element.classList.toggle("clock--low", runs && left < 20);
      if (runs && left <= 0 && !this.flagged) {
        this.flagged = true;
        this.onFlag();
      }
    }
  }

  leave() {
    clearInterval(this.timer);
  }
}
