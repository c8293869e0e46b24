// The machine room: what a machine has learned, trainings, tournaments, reports.

import { el, replace } from "./dom.js";

/** Show the room in `root`; returns what to do when the person leaves it. */
export function show(root) {
  replace(
    root,
    el(
      "section",
      { class: "notice" },
      el("h1", { text: "Machine room" }),
      el("p", { text: "Nothing is here yet." }),
    ),
  );
  return () => {};
}
