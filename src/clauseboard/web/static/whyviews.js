// What the why panel shows: why a move, a hint, or why not another move. It says who judges.

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { large, signed, standing } from "./values.js";
import {
  LEAST,
  candidateList,
  difference,
  reasonList,
  termList,
  valueBar,
  voteBars,
} from "./whyparts.js";

function why(panel, shown) {
  const { colour, move, ply } = shown.about;
  const { people, colours } = panel.state;
  const yours = people.length === 1 && people.includes(colour);
  const said = move
    ? `${yours ? "You" : large(colour)} played ${move}`
    : `${large(colour)} to move`;
  const other = colours.find((each) => each !== colour);
  return [
    el(
      "div",
      { class: "verdict" },
      el("h3", { text: said }),
      el("p", { text: verdict(shown, colour, other) }),
      valueBar(shown.value_before, shown.value_after, move !== null),
      el(
        "div",
        { class: "row" },
        shown.better &&
          move &&
          small(`Why not ${yours ? "my move" : move}?`, () => panel.whyNot(ply, move)),
        pickButton(panel),
        heatButton(panel, shown),
      ),
    ),
    line(panel, shown),
    shown.votes.length > 0 && voteBars(shown.votes, shown.votes_for),
    reasonList(panel, shown, "for", `For ${shown.votes_for ?? colour}`),
    reasonList(panel, shown, "against", `Against ${shown.votes_for ?? colour}`),
    reasonList(panel, shown, "draw", "On a draw"),
    shown.terms.length > 0 && termList(panel, shown),
    candidateList(panel, shown.candidates, ply, move),
    judgeLine(shown.judge),
  ];
}

function verdict({ value_before: before, value_after: after, better, about }, colour, other) {
  if (after === null || after === undefined) return "The judge has no value for it.";
  const stands = large(`${standing(after, colour, other)} (${signed(after)} for ${colour}).`);
  if (!better) return about.move ? `${stands} The judge would have played it too.` : stands;
  return before - after < LEAST
    ? `${stands} ${better} was as good.`
    : `${stands} ${better} was better: ${signed(before)}.`;
}

function hint(panel, shown) {
  const { state, screen } = panel;
  const { move, path, line: moves, line_paths: paths, resigns } = shown;
  const play = () => screen.send("moves", { move, version: state.version });
  return [
    el(
      "div",
      { class: "verdict" },
      el("h3", { text: resigns ? "It would resign" : `Hint: ${move}` }),
      el("p", { text: shown.text }),
      valueBar(null, shown.value, false),
      el(
        "div",
        { class: "row" },
        !resigns && small(`Play ${move}`, play, " button--main"),
        pickButton(panel),
      ),
    ),
    moves.length > 1 && line(panel, { line: moves, line_paths: paths, about: { path } }),
    candidateList(panel, shown.candidates, state.ply, null),
    judgeLine(shown.judge),
  ];
}

function whyNot(panel, { better, yours, colour, text, differences, terms }) {
  return [
    el(
      "div",
      { class: "verdict" },
      el("h3", { text: `Why not ${yours.move}?` }),
      el("p", { text }),
    ),
    el(
      "div",
      { class: "versus" },
      oneOf(panel, "The judge's move", better, colour),
      oneOf(panel, "The other move", yours, colour),
    ),
    differences.length > 0 && el("h3", { class: "why-title", text: "What makes the difference" }),
    el(
      "ul",
      { class: "reasons" },
      differences.map((each) => difference(panel, each)),
    ),
    terms.length > 0 && el("ul", { class: "terms" }, terms.map(termOfBoth)),
    el(
      "div",
      { class: "row" },
      small("Back to why", () => panel.ask()),
    ),
    judgeLine(panel.state.judge),
  ];
}

/** One of two moves that are compared. */
function oneOf(panel, title, each, colour) {
  return el(
    "button",
    { class: "side-by-side", type: "button", ...panel.lighting(() => panel.lightLine(each)) },
    el("span", { class: "label", text: title }),
    el("b", { text: each.move }),
    each.value !== null &&
      el("span", { class: "number", text: `${signed(each.value)} for ${colour}` }),
    el("span", { class: "small soft", text: each.line_said }),
  );
}

function termOfBoth({ text, there, here }) {
  const amounts = `${signed(there)} / ${signed(here)}`;
  const parts = [el("span", { text }), el("span", { class: "number", text: amounts })];
  return el("li", {}, el("span", { class: "term" }, parts));
}

/** The line that the judge expects; on the board while the pointer is here. */
function line(panel, { line: moves, line_paths: paths, about, votes = [], terms = [] }) {
  if (!moves.length) return null;
  const drawn = { line: moves, line_paths: paths, path: about.path };
  const note = "The reasons below are about the board at its end.";
  return el(
    "button",
    { class: "line", type: "button", ...panel.lighting(() => panel.lightLine(drawn)) },
    el("span", { class: "label", text: "Expected line" }),
    el("span", { class: "number line-moves", text: moves.join("  ") }),
    votes.length + terms.length > 0 && el("span", { class: "small soft", text: note }),
  );
}

/** At the present board a person can ask about any move of theirs. */
function pickButton(panel) {
  if (!panel.state.your_turn || panel.screen.viewing !== null) return null;
  const button = small(panel.picking ? "Now click the move" : "Why not another?", () =>
    panel.pick(),
  );
  button.setAttribute("aria-pressed", String(panel.picking));
  return button;
}

function heatButton(panel, { shares }) {
  if (!Object.keys(shares).length) return null;
  const button = small("Heat", () => panel.heat(), " heat-button");
  button.prepend(icon("heat"));
  button.title = "Key A";
  button.setAttribute("aria-pressed", String(panel.hot));
  return button;
}

function small(text, act, kind = "") {
  return el("button", { class: `button button--small${kind}`, type: "button", onclick: act, text });
}

function judgeLine({ title }) {
  const name = el("b", { text: large(title) });
  return el("p", { class: "judge small soft" }, "Judge: ", name);
}

/** What is shown for each kind of answer: `VIEWS[kind](panel, answer)`. */
export const VIEWS = { why, hint, "why-not": whyNot };
