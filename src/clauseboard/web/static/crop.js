// A part of the board, small: the position round the cells that a reason speaks of.

import { svg } from "./dom.js";

/** The share of the board's width and height from which on a part of it is not worth a picture. */
const WHOLE = 0.8;

/** A cell's place on a board that is turned by an angle. */
function seen({ x, y }, { width, height }, angle) {
  return { 0: [x, y], 90: [height - y, x], 180: [width - x, height - y], 270: [y, width - x] }[angle];
}

/**
 * A picture of a position round some cells, which are marked; null where they are all over the
 * board, which shows them better itself. `board` is the `Board` of the game.
 */
export function cropped(board, pieces, { cells = [], needed = [], forbidden = [] }) {
  const kinds = new Map(cells.map((id) => [id, "lit"]));
  for (const id of forbidden) kinds.set(id, "lit-forbidden");
  for (const id of needed) kinds.set(id, "lit-needed");
  const marked = [...kinds].filter(([id]) => board.cells.has(id));
  const { geometry, angle, unit } = board;
  if (!marked.length) return null;
  const places = marked.map(([id]) => seen(board.cells.get(id), geometry, angle));
  const [width, height] = angle % 180
    ? [geometry.height, geometry.width]
    : [geometry.width, geometry.height];
  const ends = [0, 1].map((n) => {
    const values = places.map((place) => place[n]);
    return [Math.min(...values) - 2.6 * unit, Math.max(...values) + 2.6 * unit];
  });
  // A square, as far as the board goes.
  const side = Math.max(...ends.map(([from, to]) => to - from));
  if (side > WHOLE * Math.max(width, height)) return null;
  const [left, top] = [width, height].map((size, n) => {
    const middle = (ends[n][0] + ends[n][1]) / 2;
    return Math.max(Math.min(middle - side / 2, size - side), 0);
  });
  const there = pieces.map(({ cell, piece }) => board.piece(piece, cell));
  const marks = marked.map(([id, kind]) => svg("g", { class: kind }, board.outline(id, "lit-cell")));
  return svg(
    "svg",
    {
      class: "crop",
      viewBox: [left, top, side, side].join(" "),
      "aria-hidden": "true",
    },
    svg(
      "g",
      { transform: board.turning.getAttribute("transform") ?? "" },
      board.background.cloneNode(true),
      svg("g", {}, there),
      board.layers.labels.cloneNode(true),
      svg("g", {}, marks),
    ),
  );
}
