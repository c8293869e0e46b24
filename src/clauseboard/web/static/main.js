// The page: its parts by address (#/ start, #/game/ID, #/lab), the tools at the top, quitting.

import { LatestQuestion, get, post } from "./api.js";
import { el, replace } from "./dom.js";
import { confirmed, showDialog, showKeys } from "./dialogs.js";
import { icon } from "./icons.js";
import { applyTheme, themeButton } from "./preferences.js";

const SCREENS = {
  "": () => import("./start.js"),
  game: () => import("./game.js"),
  lab: () => import("./lab.js"),
};

const main = document.getElementById("main");
let leave = () => {};
let about = null;
/** Milliseconds after which the page says that the next screen is on its way. */
const SLOW = 150;
let shown = null; // the address of the screen that is there
const screens = new LatestQuestion();

/** Show the part of the page that the address names. */
async function show() {
  const [, name = "", argument] = location.hash.split("/");
  const screen = name === "room" ? "lab" : name in SCREENS ? name : ""; // "room": old bookmarks
  const isLatest = screens.ask();
  const address = location.hash;
  leave();
  leave = () => {};
  delete main.dataset.shown;
  const slow = setTimeout(() => main.classList.add("loading"), SLOW);
  mark(screen);
  try {
    about ??= await get("about");
    const { show: draw } = await SCREENS[screen]();
    if (!isLatest()) return; // the person has moved on
    document.title = "Clauseboard";
    const left = await draw(main, { about, argument });
    if (!isLatest()) return left?.();
    if (address !== shown) {
      window.scrollTo(0, 0); // the other screen may have been scrolled down
      if (shown !== null) main.focus({ preventScroll: true }); // what had the keyboard is gone
    }
    shown = address;
    leave = left ?? (() => {});
    main.dataset.shown = location.hash;
  } catch (error) {
    if (!isLatest()) return;
    replace(
      main,
      el(
        "section",
        { class: "notice" },
        el("h1", { text: "That did not work" }),
        el("p", { role: "alert", text: error.message }),
        el("p", {}, el("a", { class: "button", href: "#/", onclick: again, text: "Back to the start" })),
      ),
    );
  } finally {
    clearTimeout(slow);
    if (isLatest()) main.classList.remove("loading");
  }
}

function again() {
  if (["", "#/"].includes(location.hash)) show();
}

function mark(screen) {
  const tab = screen === "lab" ? "lab" : "";
  for (const link of document.querySelectorAll(".tabs a")) {
    if (link.dataset.screen === tab) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function tool(name, label, act) {
  return el(
    "button",
    { class: "tool", type: "button", title: label, "aria-label": label, onclick: act },
    icon(name),
  );
}

async function quit() {
  if (!(await confirmed("Quit?", "This ends the program. Your games are saved.", "Quit")))
    return;
  try {
    await post("quit");
  } catch (error) {
    showDialog("That did not work", el("p", { text: error.message }));
    return;
  }
  leave();
  leave = () => {};
  window.removeEventListener("hashchange", show);
  document.querySelector(".top").remove();
  replace(
    main,
    el(
      "section",
      { class: "notice" },
      el("h1", { text: "Goodbye" }),
      el("p", { text: "The program has ended, and your games are saved. You can close this page." }),
    ),
  );
}

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address says which part is shown
  (document.querySelector(".frame .cell[tabindex='0']") ?? main).focus();
});

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select, dialog");
  if (event.key === "?" && !typing) showKeys();
});

applyTheme();
const tools = document.getElementById("tools");
tools.append(tool("keys", "Keys", showKeys), themeButton());
window.addEventListener("hashchange", show);
await show();
if (about?.quit) tools.append(tool("quit", "Quit", quit));
