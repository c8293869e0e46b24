// Rules of checkers, judgement and search. It needs no page: concepts.js counts, data.js has the clauses.
"use strict";

const BLACK = 0, WHITE = 1, SIDES = ["black", "white"];
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

// ---- judgement: the same clauses over the same counts as in Python

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
  count_concepts(black, white, kings, position.side, counts);
  const both = [counts.slice(0, PLAYER.concepts), counts.slice(PLAYER.concepts)];
  return position.side === BLACK ? both : both.reverse(); // ours, theirs
}

function fires(clause, ours, theirs) {
  return clause.when.every(([index, kind, level, wanted]) => {
    const lead = ours[index] - theirs[index];
    const reached = kind === PLAYER.we ? ours[index] >= level
      : kind === PLAYER.they ? theirs[index] >= level
      : level > 0 ? lead >= level : lead <= level;
    return reached === wanted;
  });
}

// The votes for the side to move, in hundredths of the logarithm of the odds.
function votesOf(position) {
  const [ours, theirs] = countsOf(position);
  let votes = 0;
  for (const clause of PLAYER.clauses) {
    votes += clause.votes * (fires(clause, ours, theirs) - fires(clause, theirs, ours));
  }
  return votes;
}

const chanceOf = (votes) => 1 / (1 + Math.exp(-votes / PLAYER.unit));

// The lines of an account for a side: each concept with its points and its clauses.
function linesOf(position, side) {
  const [ours, theirs] = countsOf(position), mover = position.side, lines = new Map();
  for (const clause of PLAYER.clauses) {
    const forUs = fires(clause, ours, theirs), forThem = fires(clause, theirs, ours);
    if (forUs === forThem) continue;
    const whose = forUs ? mover : 1 - mover, votes = whose === side ? clause.votes : -clause.votes;
    const line = lines.get(clause.concept) || { concept: clause.concept, votes: 0, clauses: [] };
    line.votes += votes;
    line.clauses.push({ votes, text: clause.text[SIDES[whose]], subject: clause.subject[SIDES[whose]] });
    lines.set(clause.concept, line);
  }
  const told = [...lines.values()].filter((line) => line.votes !== 0);
  for (const line of told) {
    line.clauses.sort((a, b) => Math.abs(b.votes) - Math.abs(a.votes));
    const speaking = line.clauses.find((clause) => clause.votes > 0 === line.votes > 0);
    line.text = (speaking || line.clauses[0]).subject;
  }
  return told.sort((a, b) => Math.abs(b.votes) - Math.abs(a.votes));
}

// ---- search: alpha-beta, on until nothing can be jumped

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
  return best;
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
