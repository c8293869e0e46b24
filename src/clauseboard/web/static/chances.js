// The chances of both sides: a bar beside the board, and a graph of the whole game.

import { el, replace, svg } from "./dom.js";
import { large, percent } from "./values.js";

/** The chance of a colour where the first colour's is known. */
function chanceFor(chance, colour, colours) {
  return chance === null || chance === undefined || colour === colours[0] ? chance : 1 - chance;
}

/** The last chance that is known up to a number of moves. */
function latest(chances, ply) {
  return chances.slice(0, ply + 1).findLast((chance) => chance !== null) ?? null;
}

/**
 * How much of its chance the side that moved lost by each move; null where it is not known.
 *
 * Nothing is lost by the judge's own move: there the chance was only seen more clearly later.
 */
export function losses({ chances, moves, colours }) {
  return moves.map(({ colour, best }, n) => {
    if (best) return 0;
    const [before, after] = [chances[n], chances[n + 1]].map((chance) =>
      chanceFor(chance, colour, colours),
    );
    return before === null || after === null ? null : Math.max(before - after, 0);
  });
}

const LOSSES = [
  [0.3, "large"],
  [0.15, "middle"],
  [0.08, "small"],
];

/** "small", "middle" or "large"; null for a loss that is nothing to speak of. */
export function sizeOfLoss(loss) {
  return loss === null ? null : (LOSSES.find(([least]) => loss >= least)?.[1] ?? null);
}

/** Who is how likely to win: the side that sits below fills the bar from below. */
export class EvaluationBar {
  constructor() {
    this.below = el("span", { class: "evaluation-below" });
    this.said = el("span", { class: "evaluation-said number", "aria-hidden": "true" });
    this.element = el("div", { class: "evaluation", role: "img" }, this.below, this.said);
  }

  /** Show the chance after `ply` moves; `below` is the colour that sits below. */
  show({ chances, colours }, ply, below) {
    const chance = chanceFor(latest(chances, ply), below, colours);
    const above = colours.find((colour) => colour !== below);
    this.element.dataset.colour = above;
    this.below.dataset.colour = below;
    this.element.style.setProperty("--share", `${(100 * (chance ?? 0.5)).toFixed(1)}%`);
    this.element.classList.toggle("evaluation--unknown", chance === null);
    this.said.textContent = chance === null ? "" : percent(chance);
    const words = chance === null ? "not judged yet" : percent(chance);
    this.element.setAttribute("aria-label", `Chance of ${below}: ${words}`);
    this.element.title = `${large(below)}'s chance of winning: ${words}`;
  }
}

const [WIDE, HIGH] = [300, 60];

/** The chance after each move. A click shows that board; the list of moves does so by keyboard. */
export class ChanceGraph {
  /** `show(ply)` is called with the number of moves to show on the board. */
  constructor(show) {
    this.picture = svg("svg", {
      viewBox: `0 0 ${WIDE} ${HIGH}`,
      preserveAspectRatio: "none",
      role: "img",
    });
    this.element = el("div", { class: "graph" }, this.picture);
    this.element.addEventListener("click", (event) => {
      const { left, width } = this.picture.getBoundingClientRect();
      const ply = Math.round(((event.clientX - left) / width) * this.last);
      if (this.last) show(Math.min(Math.max(ply, 0), this.last));
    });
  }

  draw(state, ply, below) {
    const { chances, colours } = state;
    this.last = chances.length - 1;
    const x = (n) => (this.last ? (WIDE * n) / this.last : 0);
    const y = (chance) => HIGH * (1 - chance);
    const known = chances
      .map((chance, n) => [n, chanceFor(chance, below, colours)])
      .filter(([, chance]) => chance !== null);
    const at = known.map(([n, chance]) => `${x(n).toFixed(1)},${y(chance).toFixed(1)}`);
    const line = (kind, x1, y1, x2, y2) => svg("line", { class: kind, x1, y1, x2, y2 });
    const ends = known.length ? [x(known[0][0]), x(known.at(-1)[0])] : [0, 0];
    replace(
      this.picture,
      line("graph-even", 0, HIGH / 2, WIDE, HIGH / 2),
      known.length > 1 &&
        svg("polygon", {
          class: "graph-area",
          points: [`${ends[0]},${HIGH}`, ...at, `${ends[1]},${HIGH}`].join(" "),
        }),
      known.length > 1 && svg("polyline", { class: "graph-line", points: at.join(" ") }),
      losses(state).map((loss, n) => {
        const size = sizeOfLoss(loss);
        const kind = `graph-loss loss--${size}`;
        return size && size !== "small" && line(kind, x(n + 1), 0, x(n + 1), HIGH);
      }),
      this.last > 0 && line("graph-now", x(ply), 0, x(ply), HIGH),
    );
    const chance = chanceFor(latest(chances, ply), below, colours);
    const words = chance === null ? "not judged yet" : `${percent(chance)} after move ${ply}`;
    this.picture.setAttribute("aria-label", `Graph of ${below}'s chance: ${words}`);
    this.element.hidden = known.length < 2;
  }
}
