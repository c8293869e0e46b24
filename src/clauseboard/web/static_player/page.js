// The page: a game against the player of data.js, and why it moves as it does.
"use strict";

const byId = (id) => document.getElementById(id);
const state = { positions: [], moves: [], person: BLACK, chosen: 0, over: "" };
const nameOf = (side) => (side === BLACK ? "Black" : "White");

function begin(person) {
  Object.assign(state, { positions: [start()], moves: [], person, chosen: 0, over: "" });
  clearWhy();
  next();
}

const here = () => state.positions[state.positions.length - 1];

function endOf() {
  const position = here(), key = keyOf(position);
  if (!movesOf(position).length) return `${nameOf(1 - position.side)} wins: ${nameOf(position.side)} cannot move.`;
  if (position.quiet >= MOST_QUIET) return "A draw: forty moves of each side without progress.";
  if (state.positions.filter((one) => keyOf(one) === key).length >= MOST_TIMES) {
    return "A draw: the same board for the third time.";
  }
  return "";
}

function make(move) {
  state.positions.push(play(here(), move));
  state.moves.push(move);
  state.chosen = 0;
  next();
}

function next() {
  state.over = endOf();
  draw();
  if (!state.over && here().side !== state.person) {
    byId("status").textContent = `${nameOf(here().side)} is thinking …`;
    setTimeout(think, 30);
  }
}

function think() {
  const position = here();
  if (state.over || position.side === state.person) return;
  const found = search(position, Number(byId("depth").value));
  explain(position, found);
  make(found.line[0]);
}

function undo() {
  do {
    if (state.positions.length === 1) break;
    state.positions.pop();
    state.moves.pop();
  } while (here().side !== state.person);
  state.chosen = 0;
  clearWhy();
  next();
}

// ---- why

function clearWhy() {
  byId("headline").textContent = "Why?";
  byId("verdict").textContent = "The player explains every move that it makes.";
  byId("line").textContent = "";
  byId("lines").replaceChildren();
}

function wordsFor(chance) {
  for (const [above, better, worse] of PLAYER.steps) {
    if (chance > above) return better;
    if (1 - chance > above) return worse;
  }
  return "even";
}

function explain(position, found) {
  const side = position.side, line = found.line;
  let end = position;
  for (const move of line) end = play(end, move);
  byId("headline").textContent = `Why ${written(line[0])}?`;
  byId("line").textContent = `After the expected line ${line.map(written).join(" ")}:`;
  const lines = byId("lines");
  lines.replaceChildren();
  if (Math.abs(found.value) > -LOST / 2) {
    const winner = found.value > 0 ? side : 1 - side;
    byId("verdict").textContent = `${nameOf(winner)} wins by force.`;
    return;
  }
  const votes = end.side === side ? votesOf(end) : -votesOf(end), chance = chanceOf(votes);
  const words = wordsFor(chance), percent = Math.min(Math.max(Math.round(100 * chance), 1), 99);
  const verdict = words === "even" ? `Even: ${percent} % for ${SIDES[side]}` : `${nameOf(side)} is ${words}: ${percent} %`;
  byId("verdict").textContent = `${verdict} (${points(votes)})`;
  const told = linesOf(end, side), biggest = Math.max(1, ...told.map((one) => Math.abs(one.votes)));
  for (const one of told) lines.append(lineElement(one, biggest));
}

const points = (votes) => (votes < 0 ? "−" : "+") + Math.abs(votes / PLAYER.unit).toFixed(2);

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function lineElement(line, biggest) {
  const details = element("details"), summary = element("summary");
  const bar = element("span", `bar ${line.votes > 0 ? "good" : "bad"}`);
  bar.style.width = `${(100 * Math.abs(line.votes)) / biggest}%`;
  summary.append(element("span", "concept", line.concept), element("span", "", line.text),
    element("span", "points", points(line.votes)), bar);
  const list = element("ul");
  for (const clause of line.clauses) list.append(element("li", "", `${points(clause.votes)} ${clause.text}`));
  details.append(summary, list);
  return details;
}

// ---- the board

function draw() {
  const position = here(), board = byId("board"), last = state.moves[state.moves.length - 1];
  const turn = !state.over && position.side === state.person;
  const legal = turn ? movesOf(position) : [];
  const focused = document.activeElement && document.activeElement.dataset.square;
  board.replaceChildren();
  for (let place = 0; place < 64; place++) {
    // Who plays white sees the board from white's side.
    const seen = state.person === WHITE ? place : 63 - place;
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
    if (last && (last.path.includes(square))) cell.classList.add("last");
    if (legal.some((move) => move.path[0] === square)) cell.classList.add("can");
    if (square === state.chosen) cell.classList.add("chosen");
    if (state.chosen && targets(legal).has(square)) cell.classList.add("target");
    cell.addEventListener("click", () => click(square));
    board.append(cell);
    if (String(square) === focused) cell.focus();
  }
  byId("status").textContent = state.over || (turn ? `Your move: you play ${SIDES[state.person]}.` : "");
  byId("moves").replaceChildren(...state.moves.map((move) => element("li", "", written(move))));
}

// Where the chosen piece can go: the ends of its moves.
function targets(legal) {
  return new Map(legal.filter((move) => move.path[0] === state.chosen)
    .map((move) => [move.path[move.path.length - 1], move]));
}

function click(square) {
  if (state.over || here().side !== state.person) return;
  const legal = movesOf(here()), move = state.chosen && targets(legal).get(square);
  if (move) return make(move);
  if (legal.some((one) => one.path[0] === square)) {
    state.chosen = square;
    draw();
  } else {
    const forced = legal[0].captured.length ? " You must jump." : "";
    byId("status").textContent = `${square} cannot move now.${forced}`;
  }
}

byId("about").textContent = PLAYER.about;
byId("new-black").addEventListener("click", () => begin(BLACK));
byId("new-white").addEventListener("click", () => begin(WHITE));
byId("undo").addEventListener("click", undo);
begin(BLACK);
