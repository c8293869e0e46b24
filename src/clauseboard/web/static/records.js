// Records: a game as text, to save by file or copy, and to load by file or paste.

import { get } from "./api.js";
import { el } from "./dom.js";
import { tick } from "./fields.js";
import { icon } from "./icons.js";
import { counted } from "./values.js";

const MOST = 200_000;

/** Fields to load a record; `load(text)` is called with it, and its error is shown. */
export function recordFields({ name, suffix }, load) {
  const wrong = el("p", { class: "wrong small", role: "alert" });
  const box = el("textarea", {
    "aria-label": `Paste a record (${name})`,
    placeholder: `Paste a game here (${name})`,
    spellcheck: "false",
    rows: 4,
  });
  const go = async (text) => {
    wrong.textContent = "";
    if (!text.trim()) wrong.textContent = `Paste a record (${name}), or open a file.`;
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
      if (chosen) await go(await chosen.text());
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
      event.target.textContent = "Selected: copy it with your keys";
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
