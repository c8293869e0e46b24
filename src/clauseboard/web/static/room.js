// The machine room: what a machine has learned, trainings, tournaments and reports.

import { el, replace } from "./dom.js";

const PARTS = [
  ["", "Clauses", () => import("./room_clauses.js")],
  ["training", "Training", () => import("./room_training.js")],
  ["shelf", "Tournaments and reports", () => import("./room_shelf.js")],
];

/** Show the room in `root`; returns what to do when the person leaves it. */
export async function show(root, { about, argument = "" }) {
  const part = PARTS.find(([name]) => name === argument) ?? PARTS[0];
  const body = el("div", { class: "room-body" });
  const { show: draw } = await part[2]();
  document.title = `${part[1]} · Clauseboard`;
  replace(
    root,
    el(
      "div",
      { class: "room" },
      el(
        "div",
        { class: "room-head" },
        el("h1", { text: "Machine room" }),
        el(
          "nav",
          { class: "room-tabs", "aria-label": "Parts of the machine room" },
          PARTS.map(([name, title]) =>
            el("a", {
              href: name ? `#/room/${name}` : "#/room",
              "aria-current": name === part[0] ? "page" : null,
              text: title,
            }),
          ),
        ),
      ),
      body,
    ),
  );
  // What a part shows may have to be worked out first; its place is there at once.
  return draw(body, about);
}
