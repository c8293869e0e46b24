// The start screen: a game, a level, a colour; more choices below; or a record, or an old game.

import { LatestQuestion, get, post, remove } from "./api.js";
import { el, enableFields, keysReleased, picture, replace, replaceFields, shapes, svg } from "./dom.js";
import { confirmed } from "./dialogs.js";
import { list, number, segments, setting, settingsOf, tick } from "./fields.js";
import { icon } from "./icons.js";
import { recall, remember } from "./preferences.js";
import { recordFields } from "./records.js";
import { setUpBoard } from "./setup.js";
import { swatch } from "./board.js";
import { counted, day, large } from "./values.js";

/** Show the start screen in `root`. */
export async function show(root, { about }) {
  const screen = new Start(about);
  await screen.begin();
  replace(root, screen.element);
}

class Start {
  constructor(about) {
    this.about = about;
    const last = recall("start") ?? {};
    const named = (wanted) => about.games.find(({ name }) => name === wanted);
    const asked = new URLSearchParams(location.search).get("game"); // clauseboard play GAME
    this.game = named(asked) ?? named(last.game) ?? about.games[0];
    if (asked) history.replaceState(null, "", location.pathname + location.hash); // asked once
    this.seconds = about.seconds.includes(last.seconds) ? last.seconds : about.usual_seconds;
    this.colour = ["first", "second", "random"].includes(last.colour) ? last.colour : "first";
    this.wished = last.opponents ?? {}; // by game: the last opponent
    this.chosen = last.settings ?? {}; // by game: its settings
    this.questions = new LatestQuestion();
    this.judge = null;
    this.marks = true;
    this.clock = null;
    this.minutes = { minutes: 10, increment: 5 };
  }

  async begin() {
    this.wrong = el("p", { class: "wrong", role: "alert" });
    this.gamesField = el("div", { class: "games" });
    this.settingsField = el("div", { class: "settings" });
    const opponents = (name, label) =>
      el("div", { class: `opponents ${name}`, role: "radiogroup", "aria-label": label });
    this.levelsField = opponents("levels", "Level");
    this.levelsTitle = el("span", { text: "Level" });
    this.strengthField = el("details", { class: "strength" });
    this.othersField = opponents("others", "Other opponents");
    this.othersBlock = el(
      "div",
      { class: "field" },
      el("span", { text: "Or another opponent" }),
      this.othersField,
    );
    this.colourField = el("div", {});
    this.moreField = el("div", { class: "more-fields" });
    this.loadField = el("div", {});
    this.before = el("section", { class: "card before", "aria-label": "Earlier games" });
    const form = el(
      "form",
      { class: "card new", onsubmit: (event) => this.#submit(event) },
      el(
        "fieldset",
        { class: "field" },
        el("legend", { class: "out", text: "Game" }),
        this.gamesField,
      ),
      el("div", { class: "field" }, this.levelsTitle, this.levelsField, this.strengthField),
      this.colourField,
      this.wrong,
      el("button", { class: "button button--main start-button", type: "submit", text: "Start" }),
      (this.moreDetails = el(
        "details",
        { class: "more" },
        el("summary", { text: "More: board, rules, other opponents, clocks" }),
        el(
          "div",
          { class: "more-body" },
          this.settingsField,
          this.othersBlock,
          segments(
            "Thinking time",
            this.about.seconds.map((value) => ({ value, title: `${value} s` })),
            this.seconds,
            (value) => (this.seconds = value),
          ),
          this.moreField,
        ),
      )),
    );
    this.element = el(
      "div",
      { class: "start" },
      el(
        "div",
        { class: "hero" },
        el("h1", { text: "Play a machine that tells you why" }),
        el("p", {
          class: "soft",
          text: "It judges by short rules, and you can see each of them on the board.",
        }),
      ),
      form,
      el(
        "div",
        { class: "other" },
        this.before,
        el(
          "section",
          { class: "card", "aria-label": "Other ways to begin" },
          el("h2", { text: "From a record or a position" }),
          this.loadField,
          el(
            "button",
            { class: "button", type: "button", onclick: () => this.#setUp() },
            icon("setup"),
            "Set up a position",
          ),
        ),
      ),
    );
    const boards = this.about.games.map(({ name }) => get("board", { game: name }));
    this.#drawGames(await Promise.all(boards));
    await Promise.all([this.#gameChanged(), this.#drawBefore()]);
  }

  // ---- choices

  get settings() {
    return settingsOf(this.game, this.chosen[this.game.name]);
  }

  get wish() {
    return {
      game: this.game.name,
      settings: this.settings,
      opponent: this.opponent?.id,
      colour: this.colour,
      seconds: this.seconds,
      judge: this.judge,
      marks: this.marks,
      clock: this.clock,
    };
  }

  async #begin(more = {}) {
    await this.asking; // the list of opponents may still be on its way
    this.wrong.textContent = "";
    remember("start", {
      game: this.game.name,
      settings: { ...this.chosen, [this.game.name]: this.settings },
      opponents: { ...this.wished, [this.game.name]: this.opponent?.id },
      colour: this.colour,
      seconds: this.seconds,
    });
    const { id } = await post("games", { ...this.wish, ...more });
    location.hash = `#/game/${id}`;
  }

  async #submit(event) {
    event.preventDefault();
    const button = event.submitter;
    if (button) button.disabled = true;
    try {
      await this.#begin();
    } catch (error) {
      this.wrong.textContent = error.message;
    } finally {
      if (button) button.disabled = false;
    }
  }

  async #setUp() {
    const board = await get("board", { game: this.game.name, ...this.settings });
    setUpBoard({
      board,
      colours: this.game.colours,
      title: `Set up a position: ${this.game.title}`,
      accept: (position) => this.#begin({ position }),
      yes: "Start from here",
    });
  }

  // ---- drawing

  #drawGames(boards) {
    replace(
      this.gamesField,
      this.about.games.map((game, n) =>
        el(
          "label",
          { class: "game-choice" },
          el("input", {
            type: "radio",
            name: "game",
            value: game.name,
            checked: game === this.game,
            onchange: () => {
              this.game = game;
              this.judge = null;
              this.#gameChanged();
            },
          }),
          el("span", { class: "game-face" }, thumbnail(boards[n]), el("b", { text: game.title })),
        ),
      ),
    );
  }

  async #gameChanged() {
    this.wrong.textContent = "";
    this.#drawSettings();
    this.#drawLoad();
    await this.#settingsChanged();
  }

  #drawSettings() {
    const now = this.settings;
    replace(
      this.settingsField,
      this.game.settings.map((each) =>
        setting(each, now[each.name], (value) => {
          this.chosen[this.game.name] = { ...this.settings, [each.name]: value };
          this.#settingsChanged();
        }),
      ),
    );
  }

  #settingsChanged() {
    this.asking = this.#ask();
    return this.asking;
  }

  /** The opponents and the board for these settings. */
  async #ask() {
    const asked = { game: this.game.name, ...this.settings };
    const isLatest = this.questions.ask();
    enableFields(this.moreField, false); // entries would be lost when the answer comes
    try {
      const [opponents, board] = await Promise.all([get("opponents", asked), get("board", asked)]);
      await keysReleased();
      if (!isLatest()) return;
      this.opponents = opponents;
      this.opponent = pick(opponents, this.wished[this.game.name]);
      this.#drawOpponents();
      this.#drawColours(board);
      this.#drawMore();
      this.wrong.textContent = "";
    } catch (error) {
      if (!isLatest()) return;
      enableFields(this.moreField, true);
      this.wrong.textContent = error.message;
    }
  }

  /** The levels of the trained player, and the others under "More"; all in front without levels. */
  #drawOpponents() {
    const levels = this.opponents.filter(({ level }) => level).sort(byLevel);
    const others = this.opponents.filter(({ level }) => !level);
    const front = levels.length ? levels : others;
    this.levelsTitle.textContent = levels.length ? "Level" : "Opponent";
    this.levelsField.setAttribute("aria-label", this.levelsTitle.textContent);
    this.othersBlock.hidden = !levels.length;
    const { name, value } = document.activeElement; // the field may go from one list to the other
    replaceFields(
      this.levelsField,
      front.map((each) => this.#opponent(each, chip(each))),
    );
    replaceFields(
      this.othersField,
      levels.length ? others.map((each) => this.#opponent(each, face(each))) : [],
    );
    if (name === "opponent") {
      const fields = [...this.element.querySelectorAll("input[name=opponent]")];
      fields.find((field) => field.value === value)?.focus();
    }
    if (!front.includes(this.opponent)) this.moreDetails.open = true; // so that it is seen
    this.#drawStrength(front);
  }

  #opponent(opponent, ...drawn) {
    return el(
      "label",
      { class: "opponent" },
      el("input", {
        type: "radio",
        name: "opponent",
        value: opponent.id,
        checked: opponent === this.opponent,
        onchange: () => {
          this.opponent = opponent;
          this.wished[this.game.name] = opponent.id;
        },
      }),
      ...drawn,
    );
  }

  /** What was measured of each, one click away. */
  #drawStrength(opponents) {
    const measured = opponents.filter(({ person }) => !person);
    replace(
      this.strengthField,
      el("summary", { text: "How strong are they?" }),
      el(
        "dl",
        { class: "small" },
        measured.map(({ title, level, strength }) => [
          el("dt", { text: large(level ? LEVELS[level] ?? level : title) }),
          el("dd", { class: "soft", text: `${large(strength)}.` }),
        ]),
      ),
    );
  }

  #drawColours(board) {
    const choices = ["first", "second"].map((value, n) => ({
      value,
      title: large(this.game.colours[n]),
      picture: swatch(board, this.game.colours[n]),
    }));
    const random = { value: "random", title: "Random" };
    replaceFields(
      this.colourField,
      segments("Your colour", [...choices, random], this.colour, (value) => (this.colour = value)),
    );
  }

  #drawMore() {
    const judges = this.opponents.filter(({ judges: can, hints }) => can || hints);
    const named = ({ id, title, judges: can }) => ({
      value: id,
      title: `${large(title)}${can ? "" : " (hints only)"}`,
    });
    const none = { value: null, title: "Chosen automatically" };
    if (!judges.some(({ id }) => id === this.judge)) this.judge = null;
    const clock = el("div", { class: "pair", hidden: this.clock === null });
    const set = (name) => (value) => {
      this.minutes[name] = value;
      this.clock = { ...this.minutes };
    };
    clock.append(
      number("Minutes each", this.minutes.minutes, set("minutes"), {
        least: 0.5,
        most: 180,
        step: 0.5,
      }),
      number("Seconds added per move", this.minutes.increment, set("increment"), {
        least: 0,
        most: 60,
      }),
    );
    replaceFields(
      this.moreField,
      list(
        "Judge of your moves",
        [none, ...judges.map(named)],
        this.judge,
        (value) => (this.judge = value),
      ),
      tick("Mark mistakes in the list of moves", this.marks, (value) => (this.marks = value)),
      tick("Play with clocks", this.clock !== null, (value) => {
        this.clock = value ? { ...this.minutes } : null;
        clock.hidden = !value;
      }),
      clock,
    );
  }

  #drawLoad() {
    const how = { playsOn: false }; // or else the game is studied: nobody moves by itself
    const load = (record) => this.#begin(how.playsOn ? { record } : { record, opponent: "person" });
    replace(
      this.loadField,
      recordFields(this.game, load),
      tick("Play on from its end against the chosen level", false, (is) => (how.playsOn = is)),
    );
  }

  async #drawBefore() {
    const games = await get("games");
    const items = games.slice(0, 12).map((game) => this.#old(game));
    const nothing = el("p", {
      class: "soft small",
      text: "Your games are saved here, and you can continue them.",
    });
    replace(
      this.before,
      el("h2", { text: "Earlier games" }),
      items.length ? el("ul", {}, items) : nothing,
    );
  }

  #old(game) {
    const when = new Date(game.changed * 1000);
    const forget = async () => {
      const sure = await confirmed(
        "Delete this game?",
        `${game.title} against ${game.opponent}, ${counted(game.ply, "move")}.`,
        "Delete",
      );
      if (!sure) return;
      await remove(`games/${game.id}`);
      await this.#drawBefore();
    };
    return el(
      "li",
      {},
      el(
        "a",
        { href: `#/game/${game.id}` },
        el("b", { text: `${game.title} · ${game.opponent}` }),
        el("span", {
          class: "small soft",
          text: `${large(game.outcome ?? counted(game.ply, "move"))} · ${ago(when)}`,
        }),
      ),
      el(
        "button",
        {
          class: "tool",
          type: "button",
          "aria-label": `Delete ${game.title} against ${game.opponent}`,
          onclick: forget,
        },
        icon("cross"),
      ),
    );
  }
}

/** The opponent that was wished for; the level for a first game; or the usual one. */
function pick(opponents, wished) {
  const named = (id) => opponents.find((each) => each.id === id);
  return (
    named(wished) ?? named("level-beginner") ?? opponents.find(({ usual }) => usual) ?? opponents[0]
  );
}

const LEVELS = { adaptive: "adapts to me" };

/** The weakest level first, the one that adapts last. */
function byLevel(one, other) {
  return (one.stars || Infinity) - (other.stars || Infinity);
}

/** An opponent in a word or two, with its stars. */
function chip({ title, level, stars }) {
  return el(
    "span",
    { class: "chip" },
    el("b", { text: large(level ? LEVELS[level] ?? level : title) }),
    level &&
      el("span", {
        class: "stars",
        "aria-hidden": "true",
        text: stars ? "★".repeat(stars) : "keeps it even",
      }),
  );
}

/** An opponent in three lines. */
function face({ title, readable, about, person, strength }) {
  return el(
    "span",
    { class: "opponent-face" },
    el(
      "span",
      { class: "opponent-name" },
      el("b", { text: large(title) }),
      readable && el("span", { class: "tag" }, icon("read"), "gives reasons"),
    ),
    el("span", { class: "small", text: about }),
    !person && el("span", { class: "small soft", text: `Strength: ${strength}` }),
  );
}

/** A board, small, with a few pieces of both colours somewhere in its middle. */
function thumbnail(board) {
  const drawn = picture(board.background, "");
  drawn.setAttribute("aria-hidden", "true");
  drawn.removeAttribute("role");
  const names = Object.keys(board.pieces);
  const colours = [...new Set(names.map((name) => board.pieces[name].colour))];
  const both = colours.map((colour) => names.find((name) => board.pieces[name].colour === colour));
  SOMEWHERE.forEach((part, n) => {
    const { x, y } = board.cells[Math.floor(part * board.cells.length)];
    const piece = shapes(board.pieces[both[n % both.length]].svg);
    drawn.append(svg("g", { transform: `translate(${x} ${y})` }, [...piece.childNodes]));
  });
  return drawn;
}

const SOMEWHERE = [0.16, 0.25, 0.31, 0.4, 0.45, 0.51, 0.54, 0.6, 0.67, 0.79, 0.84, 0.3];

function ago(when) {
  const minutes = Math.round((Date.now() - when) / 60000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.round(minutes / 60)} h ago`;
  return day(when);
}
