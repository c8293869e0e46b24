// Records: a game as text, to save by file or copy, and to load by file or paste.

import { get } from "./api.js";
import { gamesIn, showCollection } from "./collection.js";
import { el } from "./dom.js";
import { tick } from "./fields.js";
import { icon } from "./icons.js";
import { counted } from "./values.js";

/** Characters of a record, and of a file of many. */
const MOST = 200_000;
const MOST_IN_FILE = 100_000_000;

/** A file as text: UTF-8, or else the encoding of older files. */
async function read(file) {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/**
 * Fields to load a record of a game; `load(text)` is called with it, and its error is shown. Of
 * several games in a text the person chooses one.
 */
export function recordFields(game, load) {
  const { name, suffix } = game.record;
  const wrong = el("p", { class: "wrong small", role: "alert" });
  const box = el("textarea", {
    "aria-label": `Paste a record (${name})`,
    placeholder: `Paste a game here (${name})`,
    spellcheck: "false",
    rows: 4,
  });
  const go = async (text) => {
    wrong.textContent = "";
    const games = text.length > MOST_IN_FILE ? [] : gamesIn(text, game);
    if (!text.trim()) wrong.textContent = `Paste a record (${name}), or open a file.`;
    else if (games.length > 1) showCollection(games, load);
    else if (text.length > MOST)
      wrong.textContent = `A record has at most ${counted(MOST, "character")}; this one is longer.`;
    else await load(text).catch((error) => (wrong.textContent = error.message));
  };
  const file = el("input", {
    type: "file",
    class: "out",
    accept: `${suffix},text/plain`,
    "aria-label": `Open a file (${name})`,
    onchange: async (event) => {
      const [chosen] = event.target.files;
      event.target.value = "";
      if (chosen) await go(await read(chosen));
    },
  });
  return el(
    "div",
    { class: "record" },
    box,
    el(
      "div",
      { class: "row" },
      el("button", {
        class: "button",
        type: "button",
        onclick: () => go(box.value),
        text: "Load the pasted text",
      }),
      el("label", { class: "button file-button" }, file, "Open a file"),
    ),
    wrong,
  );
}

/** A record to read, copy, or save as a file from `address`, with or without verdicts. */
export function recordText(text, address) {
  const box = el("textarea", {
    value: text,
    readonly: true,
    rows: 8,
    "aria-label": "The record of this game",
  });
  const copy = async (event) => {
    box.select();
    try {
      await navigator.clipboard.writeText(box.value);
      event.target.textContent = "Copied";
    } catch {
      event.target.textContent = "Selected: press Ctrl+C to copy it";
    }
  };
  const link = el(
    "a",
    { class: "button button--main", href: `/api/${address}`, download: "" },
    icon("save"),
    "Save as a file",
  );
  const withVerdicts = async (verdicts) => {
    link.href = `/api/${address}${verdicts ? "?verdicts=true" : ""}`;
    box.value = await get(address, verdicts ? { verdicts } : {});
  };
  return el(
    "div",
    { class: "record" },
    box,
    tick("With the judge's verdicts as comments", false, withVerdicts),
    el(
      "div",
      { class: "row" },
      link,
      el("button", { class: "button", type: "button", onclick: copy, text: "Copy" }),
    ),
  );
}
