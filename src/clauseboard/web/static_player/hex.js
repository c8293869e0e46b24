// Hex: what the kernels of kernels.js need, the search over them, and the board.
"use strict";

const GAME = "Hex", SIDES = ["red", "blue"], EDGES = [["top", "bottom"], ["left", "right"]];
const GOALS = EDGES.map((edges) => `, from ${edges.join(" to ")}`);
const FIRST_LETTER = "a".charCodeAt(0);
const LEVELS = [["100", "100 simulations"], ["300", "300 simulations"], ["1000", "1,000 simulations"]];
const USUAL_LEVEL = String(MACHINE.simulations);
const ABOUT_LEVEL = "Thinks for";
const SLICE = 10; // simulations after which the page may draw itself
const OPEN = 2, MOST = 1e15, MOST_DEPTH = 1000;
const EXPECTED = 5, EXPECTED_SHARE = 0.05; // what is tried less is no part of an expected line
const LOOKED_AT = 16; // first moves of which the fairest is played, if there is a swap

const { size, swap } = PLAYER.game;
const SWAP = size * size;
const SETTINGS = [size, swap ? 1 : 0], WITHOUT_SWAP = [size, 0];
const SCRATCH = made(MACHINE.scratch), ROOM = made(MACHINE.room);

function made(like) {
  return "shape" in like ? KERNELS.zeros(like.shape, like.kind) : like.map(made);
}

function start() {
  return { state: made(MACHINE.state), side: 0 };
}

// A position as Clauseboard writes it: rows of . R B, then the side to move.
function read(text) {
  const [rows, side] = text.split(" "), position = start();
  rows.split("/").join("").split("").forEach((sign, cell) => {
    if (sign !== ".") KERNELS.add_stone(position.state, sign === "R" ? 0 : 1, cell);
  });
  position.side = SIDES.indexOf(side);
  position.state[2][0] = BigInt(position.side);
  return position;
}

const stoneOn = (position, cell) => [0, 1].find((side) => KERNELS.has_stone(position.state, side, cell));

const stonesOf = (position) =>
  [...Array(size * size).keys()].filter((cell) => stoneOn(position, cell) !== undefined).length;

// Moves are numbers: cells row by row, and then the swap.
function movesOf(position, settings = SETTINGS) {
  const codes = new Array(size * size + 1);
  const count = KERNELS.list_moves(position.state, settings, SCRATCH, codes);
  return codes.slice(0, count);
}

function play(position, code) {
  const state = position.state.map((row) => row.slice());
  KERNELS.play(state, SETTINGS, SCRATCH, code);
  return { state, side: 1 - position.side };
}

const written = (code) =>
  code === SWAP ? "swap" : String.fromCharCode(FIRST_LETTER + (code % size)) + (Math.floor(code / size) + 1);

function endOf(positions) {
  const position = positions[positions.length - 1], winner = 1 - position.side;
  if (movesOf(position).length) return "";
  return `${nameOf(winner)} wins: ${SIDES[winner]} is connected from ${EDGES[winner].join(" to ")}.`;
}

function countsOf(position) {
  const counts = new Array(2 * PLAYER.concepts).fill(0);
  KERNELS.count_state(position.state, SETTINGS, ROOM, counts);
  const both = [counts.slice(0, PLAYER.concepts), counts.slice(PLAYER.concepts)];
  return position.side === 0 ? both : both.reverse(); // ours, theirs
}

// What is certain by connections, without a search: the winner and why; null if nothing is.
function certain(position) {
  const counts = new Array(2 * PLAYER.concepts).fill(0), mover = position.side;
  if (swap && stonesOf(position) < 2) return null; // who has which side is still open
  KERNELS.count_state(position.state, SETTINGS, ROOM, counts);
  const known = KERNELS.settled(position.state, SETTINGS, counts);
  if (known === OPEN) return null;
  const winner = known > 0 ? mover : 1 - mover, side = SIDES[winner];
  const done = counts[winner * PLAYER.concepts + PLAYER.needs] === 0;
  return { winner, why: done ? `${side} is connected from ${EDGES[winner].join(" to ")}` : `${side} connects by a move` };
}

// ---- search: the Monte-Carlo tree search of Python, by the same kernel. It never swaps: who may
// swap does so where the other side is better off.

class Tree {
  constructor(position, settles) {
    const moves = movesOf(position, WITHOUT_SWAP), used = 1 + moves.length;
    this.position = position;
    this.settles = settles;
    this.nodes = MACHINE.tree.map((kind) => KERNELS.zeros(kind ? MACHINE.nodes : 1, kind || "float64"));
    this.tally = new Array(5).fill(0);
    [this.visits, this.totals, this.codes, this.first, this.counts, , this.proofs] = this.nodes;
    this.proofs.fill(OPEN, 0, used);
    moves.forEach((code, n) => { this.codes[n + 1] = code; });
    this.first[0] = 1;
    this.counts[0] = moves.length;
    this.tally[0] = used;
    this.tally[1] = 1; // the root's moves have no priors yet
  }

  simulate(simulations) {
    KERNELS.simulate(this.position.state, WITHOUT_SWAP, SCRATCH, [], MACHINE.judge, MACHINE.judge, MACHINE.priors,
      MACHINE.priors, MACHINE.judge, this.nodes, this.tally, [], size * size + 1, MACHINE.bytes, simulations,
      MOST, MACHINE.exploration, MACHINE.prior_weight, 0, 0, 0, 2, 0, 0, 0, [], MOST_DEPTH, ROOM, this.settles, [], 0n);
  }

  get isProven() {
    return this.proofs[0] !== OPEN;
  }

  below(node) {
    const first = this.first[node];
    return first ? Array.from({ length: this.counts[node] }, (_, n) => first + n) : [];
  }

  value(node) {
    if (this.proofs[node] !== OPEN) return this.proofs[node];
    return this.visits[node] ? this.totals[node] / this.visits[node] : 0;
  }

  // Nodes, the best first: a proven win, most visits, the highest value.
  ranked(nodes) {
    const rank = (n) => [this.proofs[n] === 1, this.proofs[n] !== -1, this.visits[n], this.value(n)].map(Number);
    return [...nodes].sort((a, b) => {
      const one = rank(a), two = rank(b), n = one.findIndex((part, k) => part !== two[k]);
      return n < 0 ? 0 : two[n] - one[n];
    });
  }

  // The expected moves: those that were tried often enough, and what is proven.
  line(node) {
    const enough = Math.max(EXPECTED, EXPECTED_SHARE * this.visits[node]), line = [this.codes[node]];
    let position = play(this.position, this.codes[node]);
    for (;;) {
      const open = this.proofs[node] === OPEN, least = open ? enough : 1;
      // Where something is still open, nobody is expected to play what is known to lose.
      const likely = (n) => this.visits[n] >= least && !(open && this.proofs[n] === -1);
      const tried = this.below(node).filter((n) => likely(n) || this.proofs[n] === 1);
      if (!tried.length || !movesOf(position).length) return line;
      [node] = this.ranked(tried);
      line.push(this.codes[node]);
      position = play(position, this.codes[node]);
    }
  }
}

const pause = () => new Promise((resume) => { setTimeout(resume); });

async function grown(position, simulations, settles = true) {
  const tree = new Tree(position, settles);
  for (let done = 0; done < simulations && !tree.isProven; done += SLICE) {
    tree.simulate(Math.min(SLICE, simulations - done));
    await pause();
  }
  return tree;
}

// The best move: {line, value}, for the side to move; 1 and -1 are certain.
async function best(position, simulations) {
  let tree = await grown(position, simulations);
  let [node] = tree.ranked(tree.below(0));
  const value = tree.value(node), line = tree.line(node);
  if (tree.proofs[node] !== -1) return { line, value };
  // Every move loses: what makes most of them, for an opponent who may not know it.
  tree = await grown(position, simulations, false);
  [node] = tree.ranked(tree.below(0));
  return { line: [tree.codes[node]], value: -1 };
}

// A swap is worth what the position is worth to the other side.
function withSwap(position, found) {
  if (!movesOf(position).includes(SWAP) || found.value >= 0) return found;
  return { line: [SWAP], value: -found.value };
}

// The move that is played, its expected line, and who wins if that is certain.
async function search(position, level) {
  const look = swap && stonesOf(position) === 0 ? fairest : best;
  const { line, value } = withSwap(position, await look(position, Number(level)));
  if (Math.abs(value) < 1 || line[0] === SWAP) return { line };
  return { line, winner: value > 0 ? position.side : 1 - position.side };
}

// A first move that is neither good nor bad, since the other side would take over a good one.
async function fairest(position, simulations) {
  let rest = movesOf(position).map((code) => [Math.random(), code]).sort(([a], [b]) => a - b)
    .slice(0, LOOKED_AT).map(([, code]) => ({ code }));
  const stages = Math.ceil(Math.log2(rest.length + 1));
  for (;;) {
    const share = Math.max(1, Math.floor(simulations / (stages * rest.length)));
    for (const one of rest) {
      const after = play(position, one.code);
      const reply = withSwap(after, await best(after, share));
      Object.assign(one, { value: -reply.value, line: [one.code, ...reply.line] });
    }
    rest.sort((a, b) => b.value - a.value);
    if (rest.length === 1) return rest[0];
    rest = rest.slice(0, Math.floor(rest.length / 2));
  }
}

// How many sequences of moves there are: what rules are compared by.
function perft(position, depth) {
  const moves = movesOf(position);
  if (depth === 1) return moves.length;
  return moves.reduce((total, code) => total + perft(play(position, code), depth - 1), 0);
}

// ---- the board: a rhombus of hexagons, a1 at the left on top

const SVG = "http" + "://www.w3.org/2000/svg"; // a name, not an address
const SIDE = 20, WIDTH = Math.sqrt(3) * SIDE, MARGIN = 26;
const CORNERS = [0, 1, 2, 3, 4, 5].map((n) => [SIDE * Math.sin((Math.PI * n) / 3), -SIDE * Math.cos((Math.PI * n) / 3)]);
const centre = (row, column) => [MARGIN + WIDTH * (column + row / 2 + 0.5), MARGIN + SIDE * (1.5 * row + 1)];

function svg(tag, attributes, ...children) {
  const element_ = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element_.setAttribute(name, value);
  element_.append(...children);
  return element_;
}

function drawBoard(board, position, turn, last, chosen) {
  const focused = document.activeElement && document.activeElement.dataset.cell;
  const legal = turn ? movesOf(position) : [];
  const [right, below] = centre(size - 1, size - 1);
  const picture = svg("svg", { viewBox: `0 0 ${right + MARGIN + WIDTH / 2} ${below + MARGIN + SIDE}`, role: "group", "aria-label": "Hex board" });
  const corner = (row, column, n) => centre(row, column).map((part, k) => part + CORNERS[n][k]).join();
  const along = [...Array(size).keys()];
  const edges = [
    along.flatMap((k) => [corner(0, k, 5), corner(0, k, 0), corner(0, k, 1)]),
    along.flatMap((k) => [corner(size - 1, k, 4), corner(size - 1, k, 3), corner(size - 1, k, 2)]),
    along.flatMap((k) => [corner(k, 0, 5), corner(k, 0, 4), corner(k, 0, 3)]),
    along.flatMap((k) => [corner(k, size - 1, 0), corner(k, size - 1, 1), corner(k, size - 1, 2)]),
  ];
  edges.forEach((points, n) => picture.append(svg("polyline", { points: points.join(" "), class: `edge ${SIDES[n >> 1]}` })));
  for (const k of along) {
    const [x, y] = centre(0, k), [u, v] = centre(k, 0);
    picture.append(svg("text", { x: x - WIDTH / 4, y: y - 1.35 * SIDE, class: "label" }, written(k)[0]));
    picture.append(svg("text", { x: u - 0.75 * WIDTH, y: v + 5, class: "label" }, String(k + 1)));
  }
  let focus = null;
  for (let cell = 0; cell < size * size; cell++) {
    const [x, y] = centre(Math.floor(cell / size), cell % size), stone = stoneOn(position, cell);
    const free = legal.includes(cell), what = stone === undefined ? "empty" : SIDES[stone];
    const place = svg("g", { transform: `translate(${x} ${y})`, role: "button", tabindex: free ? 0 : -1,
      "aria-label": `${written(cell)}, ${what}`, "data-cell": written(cell), class: free ? "cell can" : "cell" });
    place.append(svg("polygon", { points: CORNERS.map((one) => one.join()).join(" ") }));
    if (stone !== undefined) place.append(svg("circle", { r: 0.6 * SIDE, class: SIDES[stone] }));
    if (stone !== undefined && (cell === last || (last === SWAP && stone === 1))) place.append(svg("circle", { r: 4, class: "last" }));
    place.addEventListener("click", () => chosen(cell));
    place.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); chosen(cell); }
    });
    picture.append(place);
    if (written(cell) === focused) focus = place;
  }
  board.replaceChildren(picture);
  if (focus) focus.focus();
  const take = document.getElementById("swap");
  take.hidden = !legal.includes(SWAP);
  take.onclick = () => chosen(SWAP);
}

// A click on a cell: the move, or why there is none.
function moveAt(position, cell) {
  if (movesOf(position).includes(cell)) return { move: cell };
  return { told: `There is a stone on ${written(cell)} already.` };
}
