// Light or dark: as the system says, or as the person chose; the choice is kept in the browser.

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { recall, remember } from "./memory.js";

const dark = window.matchMedia("(prefers-color-scheme: dark)");

function shown() {
  return recall("theme") ?? (dark.matches ? "dark" : "light");
}

/** Show the chosen theme; call it before anything is drawn. */
export function applyTheme() {
  const chosen = recall("theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
}

/** The button that goes from one to the other. */
export function themeButton() {
  const button = el("button", { class: "tool", type: "button", onclick: change });
  const draw = () => {
    const next = shown() === "dark" ? "light" : "dark";
    button.replaceChildren(icon(next === "dark" ? "moon" : "sun"));
    button.setAttribute("aria-label", `Change to ${next} colours`);
    button.title = `Change to ${next} colours`;
  };
  function change() {
    remember("theme", shown() === "dark" ? "light" : "dark");
    applyTheme();
    draw();
  }
  dark.addEventListener("change", draw);
  draw();
  return button;
}
