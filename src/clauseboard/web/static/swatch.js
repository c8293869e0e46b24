// A piece by itself, small, beside words.

import { shapes, svg } from "./dom.js";

/** The first piece of a colour. */
export function swatch(board, colour) {
  const piece = Object.values(board.pieces).find((each) => each.colour === colour);
  return piece ? drawn(board, piece) : null;
}

/** A piece by its name. */
export function pieceSwatch(board, name) {
  return drawn(board, board.pieces[name]);
}

function drawn(board, piece) {
  const { r, points, x } = board.cells[0];
  const reach = (pair) => Math.abs(parseFloat(pair) - x);
  const half = points ? Math.max(...points.trim().split(/\s+/).map(reach)) : r;
  const box = [-half, -half, 2 * half, 2 * half].join(" ");
  const drawing = svg("svg", { viewBox: box, class: "swatch", "aria-hidden": "true" });
  drawing.append(...shapes(piece.svg).childNodes);
  return drawing;
}
