// The views of the reasons panel, and the parts that they are made of.

import { turnPicture } from "./board.js";
import { el, picture } from "./dom.js";
import { icon } from "./icons.js";
import { counted, large, percent, side, sign, signed, signedVotes } from "./values.js";

/** A difference of chances that whole percents still show. */
const LEAST = 0.005;
const at = (chance) => `${(100 * chance).toFixed(1)}%`;

/** A scale from 0 to 100 % with the chance of the move, and of the best one. */
export function chanceBar(before, after, played) {
  if (after === null || after === undefined) return null;
  const bar = el("div", { class: "value", role: "img", "aria-label": said(before, after, played) });
  const fill = el("span", { class: `value-fill ${side(after - 0.5)}` });
  fill.style.setProperty("--from", at(Math.min(after, 0.5)));
  fill.style.setProperty("--to", at(Math.max(after, 0.5)));
  bar.append(fill, el("span", { class: "value-middle" }));
  if (played && before !== null && before - after >= LEAST) {
    const best = el("span", { class: "value-best" });
    best.style.setProperty("--at", at(before));
    bar.append(best);
  }
  const now = el("span", {
    class: `value-now ${side(after - 0.5, LEAST)}`,
    text: sign(after - 0.5, LEAST) || "=",
  });
  now.style.setProperty("--at", at(after));
  bar.append(now);
  return el(
    "div",
    { class: "value-box" },
    bar,
    el(
      "div",
      { class: "value-ends small soft", "aria-hidden": "true" },
      el("span", { text: "− lost" }),
      el("span", { text: "even" }),
      el("span", { text: "won +" }),
    ),
  );
}

function said(before, after, played) {
  const now = `A chance of ${percent(after)}`;
  return played && before !== null ? `${now}; the best move had ${percent(before)}` : now;
}

/** The lines that add up to the verdict, biggest first; a click opens the clauses of one. */
export function lineList(panel, { lines, verdict, line_said: about }, light) {
  const most = Math.max(...lines.map(({ points }) => Math.abs(points)), 0.01);
  return el(
    "section",
    { class: "reason-group" },
    el("h3", { class: "why-title", text: verdict.text.replace("(-", "(−") }),
    about && el("div", { class: "small soft", text: about }),
    el(
      "ul",
      { class: "concepts" },
      lines.map((line) => conceptItem(panel, line, most, light)),
    ),
  );
}

function conceptItem(panel, line, most, light) {
  const { concept, text, points, clauses } = line;
  // A line that is one clause says all there is to say.
  const opens = clauses.length > 1 || (clauses.length === 1 && clauses[0].text !== text);
  const below = el(
    "ul",
    { class: "line-clauses small", hidden: true },
    opens &&
      clauses.map((clause) =>
        el(
          "li",
          {},
          el(
            "button",
            { class: "line-clause", type: "button", ...panel.lighting(() => light(clause.cells)) },
            el("span", { text: clause.text }),
            el("span", { class: "number", text: signed(clause.points) }),
          ),
        ),
      ),
  );
  const button = el(
    "button",
    {
      class: `concept ${side(points)}`,
      type: "button",
      "aria-expanded": opens ? "false" : undefined,
      ...panel.lighting(() => light(line.cells)),
      onclick: () => {
        below.hidden = !opens || !below.hidden;
        if (opens) button.setAttribute("aria-expanded", String(!below.hidden));
        light(line.cells); // a tap marks the board as well
      },
    },
    el(
      "span",
      { class: "concept-words" },
      el("span", { class: "label", text: concept }),
      el("span", { text }),
    ),
    amountBar(points, most),
    el("b", { class: "number", text: signed(points) }),
  );
  return el("li", {}, button, below);
}

/** A bar as long as an amount is, of the largest. */
function amountBar(amount, most) {
  const bar = el("span", { class: `vote-bar ${side(amount)}` });
  bar.style.setProperty("--share", `${((100 * Math.abs(amount)) / most).toFixed(1)}%`);
  return el("span", { class: "vote-track" }, bar);
}

/** The votes for each end of the game, or for a move. */
export function voteBars(votes, move) {
  const most = Math.max(...votes.map((each) => Math.abs(each.votes)), 1);
  return el(
    "dl",
    { class: "votes" },
    votes.map(({ winner, votes: count }) => [
      el("dt", { text: move ?? (winner ? `${winner} wins` : "draw") }),
      el(
        "dd",
        {},
        amountBar(count, most),
        el("span", { class: "number", text: signedVotes(count) }),
      ),
    ]),
  );
}

/** The reasons of a kind, strongest first, and the sum of the weaker ones. */
export function reasonList(panel, why, kind, title) {
  const reasons = why[kind] ?? [];
  const weaker = why.weaker?.[kind];
  if (!reasons.length && !weaker?.count) return null;
  return el(
    "section",
    { class: `reason-group ${kind}` },
    el(
      "h3",
      { class: "why-title" },
      el("span", {
        class: "sign",
        "aria-hidden": "true",
        text: { for: "+", against: "−" }[kind] ?? "=",
      }),
      title,
    ),
    el(
      "ul",
      { class: "reasons" },
      reasons.map((reason) => reasonItem(panel, why, reason)),
    ),
    weaker?.count > 0 &&
      el("p", {
        class: "small soft",
        text: `and ${counted(weaker.count, "weaker one")}: ${signedVotes(weaker.votes)} votes`,
      }),
  );
}

/** A small board, seen from where the person sits. */
function smallPicture(panel, drawn) {
  const board = picture(drawn, "Small board of this reason");
  return panel.screen.turned ? turnPicture(board) : board;
}

function reasonItem(panel, why, reason) {
  const { svg: drawn } = reason;
  return lit(panel, reason, drawn && smallPicture(panel, drawn), () => panel.lightReason(why, reason));
}

/** A reason that holds after one move and not after the other. */
export function difference(panel, reason) {
  const { svg: drawn, cells } = reason;
  return lit(panel, reason, drawn && smallPicture(panel, drawn), () => panel.lightCells(cells));
}

/** A reason that marks the main board while the pointer or the keyboard is on it. */
function lit(panel, { sentence, votes, where }, board, mark) {
  return el(
    "li",
    {},
    el(
      "button",
      {
        class: `reason ${side(votes)}${board ? "" : " no-board"}`,
        type: "button",
        ...panel.lighting(mark),
      },
      board && el("span", { class: "reason-board" }, board),
      el(
        "span",
        { class: "reason-words" },
        el("b", { class: "number reason-votes", text: `${signedVotes(votes)} votes` }),
        el("span", { class: "small", text: sentence }),
        where && el("span", { class: "small soft", text: where }),
      ),
    ),
  );
}

/** The parts of a sum that are no clauses. */
export function termList(panel, why) {
  const most = Math.max(...why.terms.map(({ amount }) => Math.abs(amount)), 1e-9);
  return el(
    "section",
    { class: "reason-group" },
    el("h3", { class: "why-title", text: "What it adds up" }),
    why.about_terms && el("p", { class: "small soft", text: why.about_terms }),
    el(
      "ul",
      { class: "terms" },
      why.terms.map(({ text, amount, cell }) => {
        const parts = [
          el("span", { text }),
          amountBar(amount, most),
          el("span", { class: "number", text: signedVotes(Number(amount.toPrecision(3))) }),
        ];
        const lit = () => panel.lighting(() => panel.lightCells([cell]));
        const term = cell
          ? el("button", { class: "term", type: "button", ...lit() }, parts)
          : el("span", { class: "term" }, parts);
        return el("li", {}, term);
      }),
    ),
  );
}

/** Moves that could be played, with their values; the line they lead to is drawn on the board. */
export function candidateList(panel, candidates, ply, played) {
  if (!candidates.length) return null;
  return el(
    "section",
    { class: "reason-group" },
    el("h3", { class: "why-title", text: "Moves it looked at" }),
    el(
      "ol",
      { class: "candidates" },
      candidates.map((each, n) =>
        el(
          "li",
          {},
          el(
            "button",
            {
              class: "candidate",
              type: "button",
              title: n ? `Why not ${each.move}?` : undefined,
              ...panel.lighting(() => panel.lightLine(each)),
              onclick: n ? () => panel.whyNot(ply, each.move) : undefined,
            },
            el("b", { text: each.move }),
            each.move === played && el("span", { class: "tag", text: "played" }),
            el("span", {
              class: "candidate-line soft small",
              text: (each.line ?? []).slice(1).join(" "),
            }),
            el("span", {
              class: "number",
              text: each.chance === null ? "" : `${each.at_most ? "≤ " : ""}${percent(each.chance)}`,
              title: each.at_most
                ? "Not worth more than this: looked at no further."
                : each.visits
                  ? `Looked at ${counted(each.visits, "time")}`
                  : undefined,
            }),
          ),
        ),
      ),
    ),
  );
}

function why(panel, shown) {
  const { colour, move, ply } = shown.about;
  const { people } = panel.state;
  const yours = people.length === 1 && people.includes(colour);
  const title = move
    ? `${yours ? "You" : large(colour)} played ${move}`
    : `${large(colour)} to move`;
  return [
    el(
      "div",
      { class: "verdict" },
      el("h3", { text: title }),
      el("p", { class: "headline", text: shown.headline }),
      el("p", { text: verdict(shown) }),
      chanceBar(shown.chance_before, shown.chance_after, move !== null),
    ),
    lineList(panel, shown, (cells) => panel.lightConcept(shown, cells)),
    line(panel, shown),
    el(
      "div",
      { class: "row" },
      shown.better &&
        move &&
        small(`Why not ${yours ? "my move" : move}?`, () => panel.whyNot(ply, move)),
      pickButton(panel),
      heatButton(panel, shown),
    ),
    below(panel, [
      shown.votes.length > 0 && voteBars(shown.votes, shown.votes_for),
      reasonList(panel, shown, "for", `For ${shown.votes_for ?? colour}`),
      reasonList(panel, shown, "against", `Against ${shown.votes_for ?? colour}`),
      reasonList(panel, shown, "draw", "On a draw"),
      shown.terms.length > 0 && termList(panel, shown),
    ]),
    candidateList(panel, shown.candidates, ply, move),
    judgeLine(shown.judge),
  ];
}

/** What is a level below the lines; a click opens it, for other answers, too. */
function below(panel, parts) {
  const there = parts.filter(Boolean);
  if (!there.length) return null;
  const toggled = ({ target }) => {
    panel.opened = target.open;
  };
  return el(
    "details",
    { class: "below", open: panel.opened, ontoggle: toggled },
    el("summary", { text: "Votes and clauses" }),
    there,
  );
}

/** How the side that moved stands, unless the headline says it, and what would have been better. */
function verdict({ chance_before: before, chance_after: after, ...shown }) {
  const { stands, exact, better, about, headline } = shown;
  if (after === null || after === undefined) return exact ?? "The judge has no value for it.";
  const parts = [exact ? !headline.includes(exact) && exact : `${stands}.`];
  if (better && before - after < LEAST) parts.push(`${better} was as good.`);
  else if (better) parts.push(`${better} was better: ${percent(before)}.`);
  else if (about.move) parts.push("The judge would have played it too.");
  return parts.filter(Boolean).join(" ");
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
      chanceBar(null, shown.chance, false),
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

function whyNot(panel, { better, yours, colour, text, lines, differences, terms }) {
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
    lines.length > 0 && differenceList(panel, lines, better.move, yours.move),
    below(panel, [
      differences.length > 0 &&
        el(
          "ul",
          { class: "reasons" },
          differences.map((each) => difference(panel, each)),
        ),
      terms.length > 0 && el("ul", { class: "terms" }, terms.map(termOfBoth)),
    ]),
    el(
      "div",
      { class: "row" },
      small("Back to why", () => panel.ask()),
    ),
    judgeLine(panel.state.judge),
  ];
}

/** The concepts that count differently after two moves. */
function differenceList(panel, lines, better, yours) {
  const most = Math.max(...lines.map(({ points }) => Math.abs(points)), 0.01);
  const after = (move, text) => text && el("span", { class: "small", text: `${move}: ${text}` });
  return el(
    "section",
    { class: "reason-group" },
    el("h3", { class: "why-title", text: "What makes the difference" }),
    el(
      "ul",
      { class: "concepts" },
      lines.map((line) =>
        el(
          "li",
          {},
          el(
            "button",
            {
              class: `concept ${side(line.points)}`,
              type: "button",
              ...panel.lighting(() => panel.lightCells(line.cells)),
            },
            el(
              "span",
              { class: "concept-words" },
              el("span", { class: "label", text: line.concept }),
              after(better, line.better),
              after(yours, line.yours),
            ),
            amountBar(line.points, most),
            el("b", { class: "number", text: signed(line.points) }),
          ),
        ),
      ),
    ),
  );
}

/** One of two moves that are compared. */
function oneOf(panel, title, each, colour) {
  return el(
    "button",
    { class: "side-by-side", type: "button", ...panel.lighting(() => panel.lightLine(each)) },
    el("span", { class: "label", text: title }),
    el("b", { text: each.move }),
    el("span", { class: "number", text: `${percent(each.chance)} for ${colour}` }),
    el("span", { class: "small", text: each.headline }),
    el("span", { class: "small soft", text: each.line_said }),
  );
}

function termOfBoth({ text, there, here }) {
  const amounts = `${signed(there)} / ${signed(here)}`;
  const parts = [el("span", { text }), el("span", { class: "number", text: amounts })];
  return el("li", {}, el("span", { class: "term" }, parts));
}

/** The line that the judge expects; on the board while the pointer is here. */
function line(panel, { line: moves, line_paths: paths, about }) {
  if (!moves.length) return null;
  const drawn = { line: moves, line_paths: paths, path: about.path };
  return el(
    "button",
    { class: "line", type: "button", ...panel.lighting(() => panel.lightLine(drawn)) },
    el("span", { class: "label", text: "Expected line" }),
    el("span", { class: "number line-moves", text: moves.join("  ") }),
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
