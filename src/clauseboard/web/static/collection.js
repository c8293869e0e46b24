// A file of many games: told apart here, so that a large one need not be sent, and searched by
// player, year, result, event or opening.

import { showDialog } from "./dialogs.js";
import { el, replace } from "./dom.js";
import { counted } from "./values.js";

/** Games that are listed at once. */
const LISTED = 200;

/** The texts of the games in a text of PDN: each begins with its tags. */
function pdnGames(text) {
  const games = [];
  let inTags = false;
  for (const line of text.split(/\r?\n/)) {
    const isTag = /^\s*\[\s*\w+\s+"/.test(line);
    if (!games.length || (isTag && !inTags)) games.push([]);
    if (isTag) inTags = true;
    else if (line.trim()) inTags = false;
    games.at(-1).push(line);
  }
  return games.map((lines) => lines.join("\n")).filter((game) => /\d\s*[-x]\s*\d/.test(game));
}

/** The texts of the games in a text of SGF: from an opening bracket to the one that closes it. */
function sgfGames(text) {
  const games = [];
  let [depth, start] = [0, 0];
  for (const { 0: token, index } of text.matchAll(/\[(?:[^\]\\]|\\[^])*\]|[()]/g)) {
    if (token === "(" && depth++ === 0) start = index;
    if (token === ")" && depth > 0 && --depth === 0) games.push(text.slice(start, index + 1));
  }
  return games;
}

function pdnHeaders(text) {
  const tags = [...text.matchAll(/^\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]/gm)];
  return Object.fromEntries(tags.map(([, name, value]) => [name, value.replace(/\\(.)/g, "$1")]));
}

function sgfHeaders(text) {
  const [root] = text.split(/;\s*[BW]\[/, 1);
  const values = [...root.matchAll(/([A-Z]{1,8})\[((?:[^\]\\]|\\[^])*)\]/g)];
  return Object.fromEntries(values.map(([, name, value]) => [name, value.replace(/\\([^])/g, "$1")]));
}

/** The first moves of a game in PDN, without what is said of them. */
function firstMoves(text) {
  const body = text.slice(0, 4000).replace(/^\s*\[.*\]\s*$|\{[^}]*\}|\([^)]*\)/gm, " ");
  return (body.match(/\b\d{1,2}[-x]\d{1,2}(?:x\d{1,2})*\b(?!\/)/g) ?? []).slice(0, 8);
}

/** The name of the opening: that of the longest line that the game begins with. */
function openingOf(moves, openings) {
  for (let n = moves.length; n > 0; n -= 1) {
    const name = openings[moves.slice(0, n).join(" ")];
    if (name) return name;
  }
  return "";
}

/** Who won, in words to search for. */
function winner(result, [first, second]) {
  if (/^(1-0|2-0|B\+)/i.test(result)) return `${first} wins`;
  if (/^(0-1|0-2|W\+)/i.test(result)) return `${second} wins`;
  return /^(1\/2|1-1|½|0$|draw|jigo)/i.test(result) ? "draw" : "";
}

/** The games of a text, as they can be listed and searched. */
export function gamesIn(text, { record, colours, openings }) {
  const isPdn = record.suffix === ".pdn";
  return (isPdn ? pdnGames : sgfGames)(text).map((game) => {
    const headers = (isPdn ? pdnHeaders : sgfHeaders)(game);
    const of = (...names) => names.map((name) => headers[name]).find((value) => value && value !== "?");
    const players = isPdn ? [of("Black"), of("White")] : [of("PB"), of("PW")];
    const result = of("Result", "RE") ?? "";
    const year = (of("Date", "DT") ?? "").match(/\d{4}/)?.[0] ?? "";
    const opening = isPdn && !headers.FEN ? openingOf(firstMoves(game), openings) : "";
    const shown = [of("Event", "EV"), year, winner(result, colours) || result, opening];
    const title = players.map((name) => name ?? "?").join(" – ");
    const about = shown.filter(Boolean).join(" · ");
    return { text: game, title, about, searched: `${title} ${about} ${result}`.toLowerCase() };
  });
}

/** Let the person choose one of several games: `load(text)` is called with it. */
export function showCollection(games, load) {
  const wrong = el("p", { class: "wrong small", role: "alert" });
  const found = el("p", { class: "small soft", role: "status" });
  const list = el("ul", { class: "collection", "aria-label": "Games in this file" });
  const choose = async (text) => {
    wrong.textContent = "";
    try {
      await load(text);
      dialog.close();
    } catch (error) {
      wrong.textContent = error.message;
    }
  };
  const draw = (asked) => {
    const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
    const fitting = games.filter(({ searched }) => words.every((word) => searched.includes(word)));
    const more = fitting.length > LISTED ? `; the first ${LISTED} are listed` : "";
    found.textContent = `${counted(fitting.length, "game")}${more}.`;
    replace(
      list,
      fitting.slice(0, LISTED).map(({ text, title, about }) =>
        el(
          "li",
          {},
          el(
            "button",
            { class: "collection-game", type: "button", onclick: () => choose(text) },
            el("b", { text: title }),
            el("span", { class: "small soft", text: about }),
          ),
        ),
      ),
    );
  };
  const box = el("input", {
    type: "search",
    placeholder: "Player, year, result, opening",
    "aria-label": "Search by player, year, result, opening",
    oninput: ({ target }) => draw(target.value),
  });
  draw("");
  const dialog = showDialog("Games in this file", [box, found, wrong, list], { wide: true });
  box.focus();
}
