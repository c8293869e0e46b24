// Checkers: rules, counts, search and board.
"use strict";

const GAME = "Checkers", BLACK = 0, WHITE = 1, SIDES = ["black", "white"], GOALS = ["", ""];
const LEVELS = [["2", "2 moves"], ["4", "4 moves"], ["6", "6 moves"]], USUAL_LEVEL = "4";
const ABOUT_LEVEL = "Looks ahead";
const MAN = 1, KING = 2; // black; white pieces are negative
const LOST = -1000000, DRAWN = 0;
const MOST_QUIET = 80, MOST_TIMES = 3; // forty moves of each side, and the same board three times

const rowOf = (square) => (square - 1) >> 2;
const columnOf = (square) => 2 * ((square - 1) % 4) + (1 - (rowOf(square) % 2));
const squareAt = (row, column) => {
  if (row < 0 || row > 7 || column < 0 || column > 7 || (row + column) % 2 === 0) return 0;
  return 4 * row + (column >> 1) + 1;
};
const WAYS = [[-1, -1], [-1, 1], [1, -1], [1, 1]];
const NEXT = []; // NEXT[square][way]: the next square that way, 0 if there is none
for (let square = 0; square <= 32; square++) {
  NEXT.push(WAYS.map(([down, right]) =>
    square === 0 ? 0 : squareAt(rowOf(square) + down, columnOf(square) + right)));
}

function start() {
  const squares = new Int8Array(33);
  for (let square = 1; square <= 12; square++) squares[square] = MAN;
  for (let square = 21; square <= 32; square++) squares[square] = -MAN;
  return { squares, side: BLACK, quiet: 0 };
}

// A position as PDN writes it: B:W18,K30:B9,10.
function read(text) {
  const squares = new Int8Array(33);
  const [side, ...parts] = text.split(":");
  for (const part of parts) {
    const sign = part[0] === "B" ? 1 : -1;
    for (const word of part.slice(1).split(",").filter((piece) => piece)) {
      const king = word[0] === "K";
      squares[Number(king ? word.slice(1) : word)] = sign * (king ? KING : MAN);
    }
  }
  return { squares, side: side === "B" ? BLACK : WHITE, quiet: 0 };
}

const signOf = (side) => (side === BLACK ? 1 : -1);
const waysOf = (piece) => (Math.abs(piece) === KING ? [0, 1, 2, 3] : piece > 0 ? [2, 3] : [0, 1]);
const isCrowned = (piece, square) =>
  Math.abs(piece) === MAN && rowOf(square) === (piece > 0 ? 7 : 0);

// The legal moves: {path, captured}; who can jump must, and jumps to the end.
function movesOf(position) {
  const { squares, side } = position, sign = signOf(side);
  const jumps = [], steps = [], seen = new Set();
  for (let square = 1; square <= 32; square++) {
    const piece = squares[square];
    if (piece * sign <= 0) continue;
    squares[square] = 0; // it may come back to where it began
    jumpOn(squares, piece, [square], [], jumps, seen);
    squares[square] = piece;
    for (const way of waysOf(piece)) {
      const to = NEXT[square][way];
      if (to && squares[to] === 0) steps.push({ path: [square, to], captured: [] });
    }
  }
  return jumps.length ? jumps : steps;
}

function jumpOn(squares, piece, path, captured, found, seen) {
  const here = path[path.length - 1];
  let on = false;
  if (!(path.length > 1 && isCrowned(piece, here))) { // a new king stops
    for (const way of waysOf(piece)) {
      const over = NEXT[here][way], to = over && NEXT[over][way];
      if (!to || squares[to] !== 0 || squares[over] * piece >= 0 || captured.includes(over)) continue;
      on = true;
      jumpOn(squares, piece, [...path, to], [...captured, over], found, seen);
    }
  }
  if (on || path.length === 1) return;
  const taken = [...captured].sort((a, b) => a - b);
  const key = `${path[0]} ${here} ${taken}`; // the same jump by another way round
  if (!seen.has(key)) {
    seen.add(key);
    found.push({ path, captured: taken });
  }
}

function play(position, move) {
  const squares = position.squares.slice();
  const from = move.path[0], to = move.path[move.path.length - 1], piece = squares[from];
  squares[from] = 0;
  for (const taken of move.captured) squares[taken] = 0;
  squares[to] = isCrowned(piece, to) ? 2 * piece : piece;
  const still = Math.abs(piece) === KING && move.captured.length === 0;
  return { squares, side: 1 - position.side, quiet: still ? position.quiet + 1 : 0 };
}

const written = (move) => move.path.join(move.captured.length ? "x" : "-");
const keyOf = (position) => `${position.side}${position.squares.join("")}`;

function endOf(positions) {
  const position = positions[positions.length - 1], key = keyOf(position);
  if (!movesOf(position).length) return `${nameOf(1 - position.side)} wins: ${nameOf(position.side)} cannot move.`;
  if (position.quiet >= MOST_QUIET) return "A draw: forty moves of each side without progress.";
  if (positions.filter((one) => keyOf(one) === key).length >= MOST_TIMES) {
    return "A draw: the same board for the third time.";
  }
  return "";
}

const certain = () => null; // nothing is, without a search

// ---- counts: kernels.js counts as Python does

const WORD = []; // the bit of each square
for (let square = 0; square <= 32; square++) {
  WORD.push(square ? 1n << BigInt(square - 1 + ((square - 1) >> 3)) : 0n);
}

function countsOf(position) {
  let black = 0n, white = 0n, kings = 0n;
  for (let square = 1; square <= 32; square++) {
    const piece = position.squares[square];
    if (piece > 0) black |= WORD[square];
    if (piece < 0) white |= WORD[square];
    if (Math.abs(piece) === KING) kings |= WORD[square];
  }
  const counts = new Array(2 * PLAYER.concepts).fill(0);
  KERNELS.count_concepts(black, white, kings, position.side, counts);
  const both = [counts.slice(0, PLAYER.concepts), counts.slice(PLAYER.concepts)];
  return position.side === BLACK ? both : both.reverse(); // ours, theirs
}

// ---- search: alpha-beta, on until nothing can be jumped

// The move that is played, its expected line, and who wins if that is certain.
function search(position, depth) {
  const best = { value: -Infinity, line: [] };
  const moves = movesOf(position);
  for (const move of moves) {
    const reply = value(play(position, move), depth - 1, -Infinity, -best.value, 1);
    if (-reply.value > best.value) {
      best.value = -reply.value;
      best.line = [move, ...reply.line];
    }
  }
  if (Math.abs(best.value) < -LOST / 2) return { line: best.line };
  return { line: best.line, winner: best.value > 0 ? position.side : 1 - position.side };
}

function value(position, depth, alpha, beta, ply) {
  const moves = movesOf(position);
  if (!moves.length) return { value: LOST + ply, line: [] };
  if (position.quiet >= MOST_QUIET) return { value: DRAWN, line: [] };
  if (depth <= 0 && !moves[0].captured.length) return { value: votesOf(position), line: [] };
  let best = { value: -Infinity, line: [] };
  for (const move of moves) {
    const reply = value(play(position, move), depth - 1, -beta, -alpha, ply + 1);
    if (-reply.value > best.value) best = { value: -reply.value, line: [move, ...reply.line] };
    alpha = Math.max(alpha, best.value);
    if (alpha >= beta) break;
  }
  return best;
}

// How many sequences of moves there are: what rules are compared by.
function perft(position, depth) {
  const moves = movesOf(position);
  if (depth === 1) return moves.length;
  return moves.reduce((total, move) => total + perft(play(position, move), depth - 1), 0);
}

// ---- the board

let picked = 0; // the square of the piece that is about to move

function drawBoard(board, position, turn, last, clicked, person) {
  const legal = turn ? movesOf(position) : [];
  if (!legal.some((move) => move.path[0] === picked)) picked = 0;
  const focused = document.activeElement && document.activeElement.dataset.square;
  board.replaceChildren();
  for (let place = 0; place < 64; place++) {
    // Who plays white sees the board from white's side.
    const seen = person === WHITE ? place : 63 - place;
    const row = seen >> 3, column = seen % 8, square = squareAt(row, column);
    if (!square) {
      board.append(element("span", "light"));
      continue;
    }
    const cell = element("button", "dark");
    cell.type = "button";
    cell.dataset.square = square;
    const piece = position.squares[square];
    const what = piece ? `${piece > 0 ? "black" : "white"} ${Math.abs(piece) === KING ? "king" : "man"}` : "empty";
    cell.setAttribute("aria-label", `${square}, ${what}`);
    cell.append(element("span", "number", String(square)));
    if (piece) cell.append(element("span", `piece ${piece > 0 ? "black" : "white"}`, Math.abs(piece) === KING ? "♛" : ""));
    if (last && last.path.includes(square)) cell.classList.add("last");
    if (legal.some((move) => move.path[0] === square)) cell.classList.add("can");
    if (square === picked) cell.classList.add("chosen");
    if (picked && targets(legal).has(square)) cell.classList.add("target");
    cell.addEventListener("click", () => clicked(square));
    board.append(cell);
    if (String(square) === focused) cell.focus();
  }
}

// Where the picked piece can go: the ends of its moves.
function targets(legal) {
  return new Map(legal.filter((move) => move.path[0] === picked)
    .map((move) => [move.path[move.path.length - 1], move]));
}

// A click on a square: a move, a piece that is picked, or why neither.
function moveAt(position, square) {
  const legal = movesOf(position), move = picked && targets(legal).get(square);
  if (move) return { move };
  if (legal.some((one) => one.path[0] === square)) {
    picked = square;
    return {};
  }
  const forced = legal[0].captured.length ? " You must jump." : "";
  return { told: `${square} cannot move now.${forced}` };
}
