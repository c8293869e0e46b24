// What can be done in a game besides moving: the buttons under the board, and the keys.

import { get, post } from "./api.js";
import { confirmed, showDialog } from "./dialogs.js";
import { el, replace } from "./dom.js";
import { icon } from "./icons.js";
import { recordFields, recordText } from "./records.js";
import { setUpBoard } from "./setup.js";

/** Draw the buttons of a game; those that would do nothing now are dimmed. */
export function drawActions(screen) {
  const { state, actions } = screen;
  const of = (kind) => state.legal.find((move) => move.kind === kind);
  const playing = !state.outcome;
  const focused = actions.contains(document.activeElement)
    ? document.activeElement.textContent
    : null;
  replace(
    actions,
    action("undo", "Undo", "U", state.can_undo, () => screen.send("undo")),
    action("hint", "Hint", "H", playing && state.your_turn, () => screen.why.hint()),
    action("why", "Why?", "W", state.ply > 0, () => screen.why.ask()),
    screen.about.counted && action("pass", "Pass", "P", of("pass"), () => screen.play(of("pass"))),
    of("swap") && action("swap", "Swap", null, true, () => screen.play(of("swap"))),
    action("resign", "Resign", null, playing, () => resign(screen)),
    action("flip", "Flip", "F", true, () => screen.flip()),
    action("save", "Record", null, true, () => showRecord(screen)),
    action("setup", "Set up", null, true, () => setUp(screen)),
    action("plus", "New", "N", true, begin),
  );
  if (focused) [...actions.children].find((each) => each.textContent === focused)?.focus();
}

function action(name, words, key, enabled, act) {
  return el(
    "button",
    {
      class: "action",
      type: "button",
      title: key ? `${words} (key ${key})` : words,
      disabled: !enabled,
      onclick: act,
    },
    icon(name),
    el("span", { text: words }),
  );
}

/** Do what a key stands for. */
export function pressKey(screen, event) {
  const typing = event.target.closest?.("input:not([type=radio], [type=checkbox]), textarea, select, dialog");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const act = KEYS[event.key.toLowerCase()];
  const held = event.repeat && !STEPS.includes(event.key);
  if (!act || held || event.defaultPrevented) return;
  if (event.key.startsWith("Arrow") && event.target.closest?.("input")) return; // other choices
  event.preventDefault();
  act(screen, event);
}

const STEPS = [",", ".", "ArrowLeft", "ArrowRight"];

const KEYS = {
  u: (screen) =>
    screen.state.can_undo
      ? screen.send("undo")
      : screen.wrong("There is no move of yours to take back."),
  h: (screen) => screen.why.hint(),
  w: (screen) => screen.why.ask(),
  a: (screen) => screen.why.heat(),
  s: (screen) => screen.setMode(screen.mode === "study" ? "play" : "study"),
  t: (screen) => screen.setMode(screen.mode === "teach" ? "play" : "teach"),
  m: (screen, { shiftKey }) => screen.study.nextMistake(shiftKey ? -1 : 1),
  r: (screen) => screen.why.retry(),
  f: (screen) => screen.flip(),
  n: () => begin(),
  b: (screen) => screen.board.focus(),
  p: (screen) => {
    const pass = screen.state.legal.find(({ kind }) => kind === "pass");
    if (pass) screen.play(pass);
    else screen.wrong("You cannot pass here.");
  },
  ",": (screen) => screen.moves.step(-1),
  ".": (screen) => screen.moves.step(1),
  arrowleft: (screen) => screen.moves.step(-1),
  arrowright: (screen) => screen.moves.step(1),
  home: (screen) => screen.moves.go(0),
  end: (screen) => screen.moves.go(Infinity),
  escape: (screen) => screen.escape(),
};

/** To the start screen. */
export function begin() {
  location.hash = "#/";
}

async function resign(screen) {
  const sure = await confirmed("Resign?", "The game ends, and your opponent wins.", "Resign");
  if (sure) await screen.send("resign");
}

async function showRecord(screen) {
  const address = `games/${screen.state.id}/record`;
  await screen.attempt(async () => {
    const text = await get(address);
    const load = async (record) => {
      screen.take(await post(address, { text: record }));
      dialog.close();
    };
    const dialog = showDialog("Record of the game", [
      el("h3", { text: "This game" }),
      recordText(text, address),
      el("h3", { class: "second", text: "Continue another record" }),
      recordFields(screen.about, load),
    ]);
  });
}

function setUp(screen) {
  const { state } = screen;
  setUpBoard({
    board: screen.geometry,
    colours: state.colours,
    title: "Set up a position",
    pieces: state.pieces,
    toMove: state.to_move ?? state.colours[0],
    text: state.position,
    yes: "Play from here",
    accept: async (position) => screen.take(await post(`games/${state.id}/position`, position)),
  });
}
