// Fields of a form: choices in a row, a list, a tick, a number. Each tells what is chosen.

import { el, freshName } from "./dom.js";

/** One of a few, in a row: choices are {value, title, picture?}. */
export function segments(title, choices, chosen, changed, { plain = false } = {}) {
  const name = freshName("choice");
  return el(
    "fieldset",
    { class: "field" },
    el("legend", { class: plain ? "out" : "label", text: title }),
    el(
      "div",
      { class: "segments" },
      choices.map(({ value, title: words, picture, key }) =>
        el(
          "label",
          { title: key ? `Key ${key}` : undefined },
          el("input", {
            type: "radio",
            name,
            value: String(value),
            checked: value === chosen,
            onchange: () => changed(value),
          }),
          el("span", {}, picture, words),
        ),
      ),
    ),
  );
}

/** One of many, as a list that opens. */
export function list(title, choices, chosen, changed) {
  return el(
    "label",
    { class: "field" },
    el("span", { text: title }),
    el(
      "select",
      { onchange: (event) => changed(choices[event.target.selectedIndex].value) },
      choices.map(({ value, title: words }) =>
        el("option", { selected: value === chosen, text: words }),
      ),
    ),
  );
}

/** Yes or no. */
export function tick(title, chosen, changed) {
  return el(
    "label",
    { class: "check" },
    el("input", {
      type: "checkbox",
      checked: chosen,
      onchange: (event) => changed(event.target.checked),
    }),
    el("span", { text: title }),
  );
}

/** A number between two others. */
export function number(title, chosen, changed, { least, most, step = 1 } = {}) {
  const read = (event) => {
    if (event.target.reportValidity()) changed(Number(event.target.value));
  };
  return el(
    "label",
    { class: "field" },
    el("span", { text: title }),
    el("input", {
      type: "number",
      value: chosen,
      min: least,
      max: most,
      step,
      required: true,
      onchange: read,
    }),
  );
}

/** The field for a setting of a game, as the server describes it. */
export function setting(described, chosen, changed) {
  const { kind, title, choices } = described;
  if (kind === "flag") return tick(title, chosen, changed);
  if (kind === "number") return number(title, chosen, changed, { ...described, step: "any" });
  return (choices.length > 5 ? list : segments)(title, choices, chosen, changed);
}

/** The settings of a game: those that were chosen, and the usual ones for the others. */
export function settingsOf(game, chosen) {
  const usual = Object.fromEntries(game.settings.map((each) => [each.name, each.default]));
  const kept = Object.entries(chosen ?? {}).filter(([name]) => name in usual);
  return { ...usual, ...Object.fromEntries(kept) };
}
