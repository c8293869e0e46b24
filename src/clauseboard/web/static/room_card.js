// A clause as a card: its small board, its sentence, how it votes, and how often it was right.

import { el, picture } from "./dom.js";
import { thousands } from "./values.js";

const percent = (share) => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;

/** The card of a clause; `more` are further lines. */
export function clauseCard(clause, ...more) {
  const way = clause.favours ? "for" : "against";
  return el(
    "li",
    { class: `clause ${way}` },
    clause.svg && el("div", { class: "clause-board" }, picture(clause.svg, clause.sentence)),
    el(
      "div",
      { class: "clause-words" },
      el(
        "b",
        { class: "clause-votes number" },
        el("span", { class: "sign", "aria-hidden": "true", text: clause.favours ? "+" : "−" }),
        clause.votes_text,
      ),
      el("p", { class: "clause-sentence", text: clause.sentence }),
      shares(clause),
      more,
    ),
  );
}

/** How often it fired, and which share of that was right: a bar, and the same in words. */
function shares({ about, fired, support, precision }) {
  const what = about === "move" ? "moves" : "boards";
  if (precision === null) {
    return el("p", { class: "small soft", text: `Fired on none of the ${what}` });
  }
  const right = el("span", { class: "share-right" });
  right.style.setProperty("--share", percent(precision).replace(" ", ""));
  const boards = `${thousands(fired)} ${what} (${percent(support)})`;
  return el(
    "div",
    { class: "clause-share" },
    el("span", { class: "share-track", "aria-hidden": "true" }, right),
    el("p", {
      class: "small soft number",
      text: `${percent(precision)} right, ${percent(1 - precision)} wrong · fired on ${boards}`,
    }),
  );
}
