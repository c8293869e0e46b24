// The page: a game against the player of data.js, and why it moves as it does.
"use strict";

const byId = (id) => document.getElementById(id);
const state = { positions: [], moves: [], person: 0, over: "", asked: 0 };
const nameOf = (side) => SIDES[side][0].toUpperCase() + SIDES[side].slice(1);

function begin(person) {
  Object.assign(state, { positions: [start()], moves: [], person, over: "" });
  clearWhy();
  next();
}

const here = () => state.positions[state.positions.length - 1];

function make(move) {
  state.positions.push(play(here(), move));
  state.moves.push(move);
  next();
}

function next() {
  state.over = endOf(state.positions);
  draw();
  if (!state.over && here().side !== state.person) {
    byId("status").textContent = `${nameOf(here().side)} is thinking …`;
    setTimeout(think, 30);
  }
}

async function think() {
  const position = here(), asked = ++state.asked;
  if (state.over || position.side === state.person) return;
  const found = await search(position, byId("level").value);
  if (asked !== state.asked || here() !== position) return; // another game, or a move taken back
  explain(position, found);
  make(found.line[0]);
}

function undo() {
  do {
    if (state.positions.length === 1) break;
    state.positions.pop();
    state.moves.pop();
  } while (here().side !== state.person);
  clearWhy();
  next();
}

// ---- why

function clearWhy() {
  byId("headline").textContent = "Why?";
  byId("verdict").textContent = "The player explains every move that it makes.";
  byId("line").textContent = "";
  byId("lines").replaceChildren();
  byId("sum").hidden = true;
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
  const expected = line.map(written).join(" ");
  byId("line").textContent = line.length > 1 ? `After the expected line ${expected}:` : `After ${expected}:`;
  const lines = byId("lines"), sure = certain(end);
  lines.replaceChildren();
  byId("sum").hidden = found.winner !== undefined || sure !== null;
  if (found.winner !== undefined || sure) {
    const over = endOf([end]);
    byId("verdict").textContent = found.winner !== undefined ? `${nameOf(found.winner)} wins by force.` : `${nameOf(sure.winner)} wins.`;
    if (sure || over) byId("line").textContent += ` ${over || `${sure.why}.`}`;
    else byId("line").textContent = `The expected line is ${expected}.`;
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
  const turn = !state.over && here().side === state.person;
  drawBoard(byId("board"), here(), turn, state.moves[state.moves.length - 1], click, state.person);
  const yours = `Your move: you play ${SIDES[state.person]}${GOALS[state.person]}.`;
  byId("status").textContent = state.over || (turn ? yours : "");
  byId("moves").replaceChildren(...state.moves.map((move) => element("li", "", written(move))));
}

function click(place) {
  if (state.over || here().side !== state.person) return;
  const { move, told } = moveAt(here(), place);
  if (move !== undefined) return make(move);
  draw();
  if (told) byId("status").textContent = told;
}

document.title = `${GAME}: a player that explains itself`;
byId("game").textContent = GAME;
byId("board").className = GAME.toLowerCase();
byId("board").setAttribute("aria-label", `${GAME} board`);
byId("about").textContent = PLAYER.about;
byId("level-name").textContent = ABOUT_LEVEL;
for (const [value, text] of LEVELS) byId("level").append(new Option(text, value, false, value === USUAL_LEVEL));
[0, 1].forEach((side) => {
  const button = byId(side ? "new-second" : "new-first");
  button.textContent = `New game as ${nameOf(side)}`;
  button.addEventListener("click", () => begin(side));
});
byId("undo").addEventListener("click", undo);
begin(0);
