// Choices that the browser remembers: theme, mode, the last game; and the button for the theme.

import { el } from "./dom.js";
import { icon } from "./icons.js";

/** What was remembered, or undefined; a browser that keeps nothing is no reason to fail. */
export function recall(key) {
  try {
    const text = localStorage.getItem(`clauseboard.${key}`);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Remember something that JSON can write. */
export function remember(key, value) {
  try {
    localStorage.setItem(`clauseboard.${key}`, JSON.stringify(value));
  } catch {
    // Private windows may refuse; the choice then holds until the page is closed.
  }
}

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
