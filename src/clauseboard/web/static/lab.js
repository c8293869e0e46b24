// The lab: what a machine has learned, trainings, tournaments and reports.

import { el, replace } from "./dom.js";

const PARTS = [
  ["", "Clauses", () => import("./lab_clauses.js")],
  ["training", "Training", () => import("./lab_training.js")],
  ["shelf", "Tournaments and reports", () => import("./lab_reports.js")],
];

/** Show the lab in `root`; returns a function to call when the person leaves. */
export async function show(root, { about, argument = "" }) {
  const part = PARTS.find(([name]) => name === argument) ?? PARTS[0];
  const body = el("div", { class: "lab-body" });
  const { Screen } = await part[2]();
  document.title = `${part[1]} · Clauseboard`;
  replace(
    root,
    el(
      "div",
      { class: "lab" },
      el(
        "div",
        { class: "lab-head" },
        el("h1", { text: "Lab" }),
        el(
          "nav",
          { class: "lab-tabs", "aria-label": "Parts of the lab" },
          PARTS.map(([name, title]) =>
            el("a", {
              href: name ? `#/lab/${name}` : "#/lab",
              "aria-current": name === part[0] ? "page" : null,
              text: title,
            }),
          ),
        ),
      ),
      body,
    ),
  );
  const screen = new Screen(about);
  replace(body, screen.element);
  await screen.begin(); // what it shows may have to be worked out first; its place is there at once
  return () => screen.leave();
}
