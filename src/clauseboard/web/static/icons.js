// Small icons, drawn here on a grid of 24 by 24 with round strokes.

import { svg } from "./dom.js";

const SHAPES = {
  undo: ["M9 7 5 11l4 4", "M5 11h9a5 5 0 0 1 0 10h-3"],
  hint: ["M9 18h6", "M10 21h4", "M8.5 14.5a6 6 0 1 1 7 0c-.7.6-1 1.3-1 2.5h-5c0-1.2-.3-1.9-1-2.5z"],
  flip: ["M8 20V5", "M4.5 8.5 8 5l3.5 3.5", "M16 4v15", "M12.5 15.5 16 19l3.5-3.5"],
  why: [
    "M9 9a3 3 0 1 1 4.3 2.7c-.9.5-1.3 1.1-1.3 2.3",
    "M12 17.5v.01",
    "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z",
  ],
  pass: ["M5 12h12", "M13 7l5 5-5 5"],
  resign: ["M6 21V4", "M6 5h11l-3 3.5L17 12H6"],
  swap: ["M4 8h13", "M14 5l3 3-3 3", "M20 16H7", "M10 13l-3 3 3 3"],
  plus: ["M12 5v14", "M5 12h14"],
  first: ["M6 5v14", "M18 6l-7 6 7 6"],
  back: ["M15 6l-7 6 7 6"],
  forward: ["M9 6l7 6-7 6"],
  last: ["M18 5v14", "M6 6l7 6-7 6"],
  save: ["M12 4v11", "M7.5 11 12 15.5 16.5 11", "M5 20h14"],
  moon: ["M19 14.5A7.5 7.5 0 1 1 9.5 5a6 6 0 0 0 9.5 9.5z"],
  sun: [
    "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8z",
    "M12 2.5v2",
    "M12 19.5v2",
    "M2.5 12h2",
    "M19.5 12h2",
    "M5.3 5.3l1.4 1.4",
    "M17.3 17.3l1.4 1.4",
    "M5.3 18.7l1.4-1.4",
    "M17.3 6.7l1.4-1.4",
  ],
  keys: [
    "M3.5 7h17v10.5h-17z",
    "M7 10.5v.01",
    "M10.5 10.5v.01",
    "M14 10.5v.01",
    "M17.5 10.5v.01",
    "M8 14.2h8",
  ],
  quit: ["M12 3.5v8", "M7 6.8a7.5 7.5 0 1 0 10 0"],
  heat: ["M4 4h6v6H4z", "M14 4h6v6h-6z", "M4 14h6v6H4z", "M14 14h6v6h-6z"],
  setup: ["M4 4h16v16H4z", "M12 4v16", "M4 12h16", "M8 8v.01", "M16 16v.01"],
  cross: ["M6 6l12 12", "M18 6 6 18"],
  clock: ["M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z", "M12 7v5l3.5 2"],
  read: [
    "M12 6c-2.2-1.4-5-1.8-8-1.5v13.5c3-.3 5.8.1 8 1.5 2.2-1.4 5-1.8 8-1.5V4.5c-3-.3-5.8.1-8 1.5z",
    "M12 6v13.5",
  ],
};

/** An icon by its name; it says nothing to screen readers, the button's words do. */
export function icon(name) {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true", focusable: "false" },
    SHAPES[name].map((d) => svg("path", { d })),
  );
}
