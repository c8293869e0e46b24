// The views of the reasons panel, and the parts that they are made of.

import { turnPicture } from "./board.js";
import { cropped } from "./crop.js";
import { el, picture } from "./dom.js";
import { icon } from "./icons.js";
import { counted, large, percent, side, sign, signed, signedVotes, withMinus } from "./values.js";

/** A difference of chances that whole percents still show. */
const LEAST = 0.005;

/** A headline of so many letters fits beside three reasons on a laptop. */
const LONG_HEADLINE = 160;

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
export function lineList(panel, why, light) {
  const { lines, verdict, alone, line_said: about, stands, exact } = why;
  const pieces = panel.piecesOf(why);
  // The verdict above may be that of a search or a proof; only then these lines have one of their own.
  const said = !exact && verdict.text.startsWith(stands);
  const title = said ? `Reasons (${signed(verdict.total)})` : verdict.text.replace("(-", "(−");
  return el(
    "section",
    { class: "reason-group" },
    el("h3", { class: "why-title", text: title }),
    why.line?.length > 1 &&
      el("div", { class: "small soft about-line", text: about, title: about }),
    conceptList(panel, lines, light, pieces),
    alone && el("p", { class: "small soft alone", text: withMinus(alone.text) }),
    alone && conceptList(panel, alone.lines, light, pieces),
  );
}

function conceptList(panel, lines, light, pieces) {
  const most = Math.max(...lines.map(({ points }) => Math.abs(points)), 0.01);
  return el(
    "ul",
    { class: "concepts" },
    lines.map((line) => conceptItem(panel, line, most, light, pieces)),
  );
}

function conceptItem(panel, line, most, light, pieces) {
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
    cropped(panel.screen.board, pieces, { cells: line.cells }),
    conceptWords(concept, points, most, el("span", { class: "line-text", title: text, text })),
  );
  return el("li", {}, button, below);
}

/** A concept with its points, what is said of it, and a bar. */
function conceptWords(concept, points, most, ...said) {
  return el(
    "span",
    { class: "concept-words" },
    el(
      "span",
      { class: "concept-head" },
      el("span", { class: "label", text: concept }),
      el("b", { class: "number", text: signed(points) }),
    ),
    said,
    amountBar(points, most),
  );
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
  const board = picture(drawn, "The board of this reason");
  return panel.screen.turned ? turnPicture(board) : board;
}

function reasonItem(panel, why, reason) {
  const { svg: drawn, cells } = reason;
  const named = (bits) => bits.map(({ cell }) => cell);
  // A reason for a move that names no cell is about where the move is made.
  const spoken = cells.length || !why.votes_for ? cells : why.about.path;
  const marks = { cells: spoken, needed: named(reason.needed), forbidden: named(reason.forbidden) };
  // On the position itself, or, where a clause speaks of the whole board, on a small board.
  const shown =
    cropped(panel.screen.board, panel.piecesOf(why), marks) ?? (drawn && smallPicture(panel, drawn));
  return lit(panel, reason, shown, () => panel.lightReason(why, reason));
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
            el(
              "span",
              {
                class: "number",
                title: each.at_most
                  ? "At most this much; it was not searched further."
                  : undefined,
              },
              each.visits > 0 &&
                el("span", { class: "soft small", text: `${counted(each.visits, "visit")} ` }),
              worth(each),
            ),
          ),
        ),
      ),
    ),
  );
}

/** The chance of a move that was looked at. */
function worth({ chance, at_most: bound }) {
  return chance === null ? "" : `${bound ? "≤ " : ""}${percent(chance)}`;
}

/** The best three other moves, in a row; a click compares one. */
function alternatives(panel, { candidates, about }) {
  const others = candidates.filter(({ move }) => move !== about.move).slice(0, 3);
  if (!others.length || !about.move) return null;
  return el(
    "div",
    { class: "row alternatives" },
    el("span", { class: "small soft", text: "Instead:" }),
    others.map((each) =>
      el(
        "button",
        {
          class: "button button--small",
          type: "button",
          title: each.visits ? counted(each.visits, "visit") : undefined,
          ...panel.lighting(() => panel.lightLine(each)),
          // The judge's own move is compared with the one that was played.
          onclick: () => panel.whyNot(about.ply, each === candidates[0] ? about.move : each.move),
        },
        el("b", { text: each.move }),
        el("span", { class: "number", text: ` ${worth(each)}` }),
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
      headlineOf(shown.headline),
      el("p", { text: verdict(shown) }),
      chanceBar(shown.chance_before, shown.chance_after, move !== null),
      panel.screen.mode === "study" && alternatives(panel, shown),
    ),
    lineList(panel, shown, (cells) => panel.lightConcept(shown, cells)),
    line(panel, shown),
    el(
      "div",
      { class: "row" },
      shown.better &&
        move &&
        small(`Why not ${yours ? "my move" : move}?`, () => panel.whyNot(ply, move)),
      pickButton(panel, ply),
      heatButton(panel, shown),
    ),
    below(panel, shown.details.length ? "Details" : "Votes and clauses", [
      ...shown.details.map((text) => el("p", { text })),
      shown.votes.length > 0 && voteBars(shown.votes, shown.votes_for),
      reasonList(panel, shown, "for", `For ${shown.votes_for ?? colour}`),
      reasonList(panel, shown, "against", `Against ${shown.votes_for ?? colour}`),
      reasonList(panel, shown, "draw", "For a draw"),
      shown.terms.length > 0 && termList(panel, shown),
    ]),
    candidateList(panel, shown.candidates, ply, move),
    judgeLine(shown.judge),
  ];
}

/** What is a level below the lines; a click opens it, for other answers, too. */
function below(panel, title, parts) {
  const there = parts.filter(Boolean);
  if (!there.length) return null;
  const toggled = ({ target }) => {
    panel.opened = target.open;
  };
  return el(
    "details",
    { class: "below", open: panel.opened, ontoggle: toggled },
    el("summary", { text: title }),
    there,
  );
}

/** The headline; where it is long, a small screen shows its beginning until one points at it or tabs to it. */
function headlineOf(text) {
  const long = text.length > LONG_HEADLINE && { tabindex: "0" };
  return el("p", { class: long ? "headline headline--long" : "headline", text, ...long });
}

/** How the side that moved stands, unless the headline says it, and what would have been better. */
function verdict({ chance_before: before, chance_after: after, ...shown }) {
  const { stands, exact, better, about, headline } = shown;
  if (after === null || after === undefined) return exact ?? "The judge gives it no value.";
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
      el("h3", { text: resigns ? "The judge would resign" : `Hint: ${move}` }),
      el("p", { text: shown.text }),
      chanceBar(null, shown.chance, false),
      el(
        "div",
        { class: "row" },
        !resigns && small(`Play ${move}`, play, " button--main"),
        pickButton(panel, state.ply),
      ),
    ),
    moves.length > 1 && line(panel, { line: moves, line_paths: paths, about: { path } }),
    candidateList(panel, shown.candidates, state.ply, null),
    judgeLine(shown.judge),
  ];
}

/** What matters, before the move is told. */
function idea(panel, shown) {
  if (!shown.idea) return hint(panel, shown);
  return [
    el(
      "div",
      { class: "verdict" },
      el("h3", { text: "A hint" }),
      el("p", { class: "headline", text: shown.idea }),
      el("div", { class: "row" }, small("Show the move", () => panel.show("hint"))),
    ),
    judgeLine(shown.judge),
  ];
}

/** What a mistake is about: what it does, and in which concept the better move leads. */
function missed(panel, shown) {
  const { yours, lines } = shown;
  const best = lines.find(({ points }) => points > 0);
  return [
    el(
      "div",
      { class: "verdict" },
      el("h3", { text: `What ${yours.move} misses` }),
      el("p", { class: "headline", text: yours.headline }),
      best &&
        el("p", {
          text: `Think of ${best.concept}${best.better ? `. With the better move, ${best.better}` : ""}.`,
          ...panel.lighting(() => panel.lightCells(best.cells)),
        }),
      el("div", { class: "row" }, small("Show the better move", () => panel.show("why-not"))),
    ),
    judgeLine(panel.state.judge),
  ];
}

/** A move that was tried again, beside the one that was played. */
function tried(panel, shown) {
  const { ply, tried: yours, played, best, better, text } = shown;
  const words = { 1: "Better!", 0: "As good", "-1": "Not better" }[better];
  const again = yours.move !== played.move;
  const side_ = (title, { move, chance }) =>
    el(
      "div",
      { class: "side-by-side" },
      el("span", { class: "label", text: title }),
      el("b", { text: move }),
      el("span", { class: "number", text: chance === null ? "" : percent(chance) }),
    );
  return [
    el(
      "div",
      { class: "verdict" },
      el("h3", { text: yours.move === best.move ? "That is it!" : again ? words : "The same move" }),
      el("p", { text }),
      chanceBar(played.chance, yours.chance, false),
    ),
    el("div", { class: "versus" }, side_("You", yours), side_("In the game", played)),
    el(
      "div",
      { class: "row" },
      small("Try another", () => panel.retry(ply), " button--main"),
      yours.move !== best.move && small("Show the better move", () => panel.whyNot(ply, yours.move)),
      small("Back to the game", () => panel.screen.view(ply + 1)),
    ),
    judgeLine(panel.state.judge),
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
    below(panel, "Votes and clauses", [
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
  const { board } = panel.screen;
  const { pieces } = panel.shown.before;
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
            cropped(board, pieces, { cells: line.cells }),
            conceptWords(
              line.concept,
              line.points,
              most,
              after(better, line.better),
              after(yours, line.yours),
            ),
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

/** A person can ask about any move of the position that is explained. */
function pickButton(panel, ply) {
  return small("Why not another?", () => panel.pick(ply));
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
export const VIEWS = { why, hint, idea, missed, "why-not": whyNot, try: tried };
