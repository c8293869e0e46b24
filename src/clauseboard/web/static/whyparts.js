// The parts of the why panel: bars, reasons with their small boards, candidates, terms.

import { turnPicture } from "./board.js";
import { el, picture } from "./dom.js";
import { counted, side, sign, signed, signedVotes } from "./values.js";

/** What two digits still show. */
export const LEAST = 0.005;
const percent = (value) => `${(50 + 50 * Math.max(-1, Math.min(1, value))).toFixed(1)}%`;

/** A scale from −1 to 1 with what the move is worth, and what the best one was. */
export function valueBar(before, after, played) {
  if (after === null || after === undefined) return null;
  const bar = el("div", { class: "value", role: "img", "aria-label": said(before, after, played) });
  const fill = el("span", { class: `value-fill ${side(after)}` });
  fill.style.setProperty("--from", percent(Math.min(after, 0)));
  fill.style.setProperty("--to", percent(Math.max(after, 0)));
  bar.append(fill, el("span", { class: "value-middle" }));
  if (played && before !== null && before - after >= LEAST) {
    const best = el("span", { class: "value-best" });
    best.style.setProperty("--at", percent(before));
    bar.append(best);
  }
  const now = el("span", {
    class: `value-now ${side(after, LEAST)}`,
    text: sign(after, LEAST) || "=",
  });
  now.style.setProperty("--at", percent(after));
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
  const now = `Worth ${signed(after)}, from −1 lost to +1 won`;
  return played && before !== null ? `${now}; the best move was worth ${signed(before)}` : now;
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
function small(panel, drawn) {
  const board = picture(drawn, "Small board of this reason");
  return panel.screen.turned ? turnPicture(board) : board;
}

function reasonItem(panel, why, reason) {
  const { svg: drawn } = reason;
  return lit(panel, reason, drawn && small(panel, drawn), () => panel.lightReason(why, reason));
}

/** A reason that holds after one move and not after the other. */
export function difference(panel, reason) {
  const { svg: drawn, cells } = reason;
  return lit(panel, reason, drawn && small(panel, drawn), () => panel.lightCells(cells));
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
              text: each.value === null ? "" : `${each.at_most ? "≤ " : ""}${signed(each.value)}`,
              title: each.at_most ? "Not worth more than this: looked at no further." : undefined,
            }),
          ),
        ),
      ),
    ),
  );
}
