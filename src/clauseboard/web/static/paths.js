// Moves as paths of cells: what may be clicked next, and when a move is whole. No page in here.

const begins = (path, prefix) => prefix.every((cell, n) => path[n] === cell);

/** The moves that go on from the cells clicked so far. */
export function goingOn(legal, prefix) {
  return legal.filter((move) => move.kind === "move" && begins(move.path, prefix));
}

/** The cells that may be clicked next. */
export function nextCells(legal, prefix) {
  const moves = goingOn(legal, prefix).filter((move) => move.path.length > prefix.length);
  return new Set(moves.map((move) => move.path[prefix.length]));
}

/**
 * What a click means: {play: move}, {select: prefix} or {wrong: path}.
 *
 * A click on the end of a long move plays it at once where only one move ends there; otherwise each
 * step is clicked. A click on a selected cell lets go of it.
 */
export function click(legal, prefix, cell) {
  if (prefix.length && prefix.at(-1) === cell) {
    const whole = goingOn(legal, prefix).find((move) => move.path.length === prefix.length);
    return whole ? { play: whole } : { select: [] };
  }
  const longer = [...prefix, cell];
  const moves = goingOn(legal, longer);
  if (moves.length === 1 && moves[0].path.length === longer.length) return { play: moves[0] };
  if (moves.length) return { select: longer };
  const ending = prefix.length
    ? goingOn(legal, prefix).filter((move) => move.path.at(-1) === cell)
    : [];
  if (ending.length === 1) return { play: ending[0] };
  if (goingOn(legal, [cell]).length) return click(legal, [], cell);
  return { wrong: longer };
}

/** The cells from which a piece is taken up: the starts of moves of more than one step. */
export function starts(legal) {
  return new Set(legal.filter((move) => move.path.length > 1).map((move) => move.path[0]));
}
