// A game on the page: the board, the moves, the actions. The server knows the rules.

import { begin, drawActions, pressKey } from "./acting.js";
import { get, listen, post } from "./api.js";
import { EvaluationBar } from "./chances.js";
import { Board, click, nextCells, starts } from "./board.js";
import { el, replace, replaceKeeping } from "./dom.js";
import { segments, tick } from "./fields.js";
import { recall, remember } from "./preferences.js";
import { MoveList } from "./movelist.js";
import { Seats } from "./seats.js";
import { hasSounds, play as playSound, setSounds } from "./sounds.js";
import { StudyBar } from "./study.js";
import { Lesson } from "./teaching.js";
import { large } from "./values.js";
import { WhyPanel } from "./why.js";

/** Pixels that the wheel turns for a move. */
const WHEEL = 50;
/** A board that is so much wider than high lies on its side on a phone, which is higher than wide. */
const LONG = 1.25;
const MODES = [
  { value: "play", title: "Play" },
  { value: "teach", title: "Teach", key: "T" },
  { value: "study", title: "Study", key: "S" },
];
const ABOUT_MODES = {
  teach: "After a mistake you may take it back.",
  study: "The judge comments on each move at once.",
};

/** Show the game with the id `argument` in `root`; returns what ends it. */
export async function show(root, { about, argument }) {
  const state = await get(`games/${argument}`);
  const geometry = await get("board", { game: state.game, ...state.settings });
  const first = await get(`games/${argument}/at/0`);
  const screen = new GameScreen(about, state, geometry, first);
  replace(root, screen.element);
  document.title = `${state.title} · Clauseboard`;
  screen.begin();
  return () => screen.leave();
}

class GameScreen {
  constructor(about, state, geometry, first) {
    this.about = about.games.find(({ name }) => name === state.game);
    this.state = state;
    this.geometry = geometry;
    this.prefix = []; // the cells clicked so far
    this.planned = []; // the cells of a move to play as soon as it is the person's turn
    this.places = starts(first.legal).size === 0; // pieces are put down, not moved
    this.viewing = null; // how many moves the board shows; null: all of them
    this.past = null; // the board of then
    this.picker = null; // {ply, legal, mover, done}: a click chooses a move to ask about
    this.previewed = null; // a board that the panel shows for a while
    this.sending = 0; // requests that the server has not answered yet
    this.changing = null; // the version of the state that a change is on its way for
    this.mode = MODES.find(({ value }) => value === recall("mode"))?.value ?? "play";
    if (state.analysis && state.people.length === 2) this.mode = "study"; // it was loaded
    this.holdsBack = recall("hold") === true; // no reasons for moves that are not answered yet
    this.showsChances = recall("chances") !== false;
    this.rolled = 0; // how far the mouse wheel was turned
    this.#build(first);
  }

  // ---- the parts

  #build(first) {
    this.board = new Board(this.geometry, {
      label: `${this.state.title} board`,
      onCell: (id) => this.#clicked(id),
      onDrag: (from, to) => this.#dragged(from, to),
      canDrag: (id) => this.#canDrag(id),
    });
    this.seats = new Seats(this.geometry, () => this.#refresh());
    this.study = new StudyBar(this);
    this.moves = new MoveList((ply) => this.view(ply), this.study.element);
    this.lesson = new Lesson(this);
    this.why = new WhyPanel(this, this.lesson.element);
    this.said = el("p", { class: "said", role: "status", "aria-live": "polite" });
    this.wrongly = el("p", { class: "wrong", role: "alert" });
    this.after = el("div", { class: "row after" });
    this.tables = el("p", { class: "small soft tables" }); // made in the background
    this.actions = el("div", { class: "actions", role: "group", "aria-label": "What you can do" });
    this.modes = el("div", { class: "modes" });
    this.options = this.#makeOptions();
    this.evaluation = new EvaluationBar();
    this.frame = el("div", { class: "frame" }, this.evaluation.element, this.board.element);
    this.frame.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    const stage = el(
      "section",
      { class: "stage", "aria-label": "Board" },
      this.seats.top,
      this.frame,
      this.seats.bottom,
      el(
        "div",
        { class: "status" },
        this.said,
        this.wrongly,
        this.after,
      ),
    );
    this.stage = stage;
    this.element = el(
      "div",
      { class: "game" },
      el("h1", { class: "out", text: this.state.title }),
      stage,
      this.actions,
      this.modes,
      this.moves.element,
      this.why.element,
    );
    const upside = this.#upsideDown(first.pieces);
    this.seats.home = upside;
    this.turned = upside;
    this.narrow = window.matchMedia("(max-width: 859px) and (orientation: portrait)");
    this.#lay();
  }

  /** Turn the board as the person sits, and a long one on its side where the page is narrow. */
  #lay() {
    const { width, height } = this.geometry;
    const onSide = this.narrow.matches && width > LONG * height;
    this.board.turn((this.turned ? 180 : 0) + (onSide ? 90 : 0));
    this.stage.style.setProperty("--ratio", onSide ? height / width : width / height);
  }

  #makeOptions() {
    return el(
      "details",
      { class: "options" },
      el("summary", { text: "Options" }),
      tick("Show the chances", this.showsChances, (value) => {
        this.showsChances = value;
        remember("chances", value);
        this.draw();
      }),
      tick("Explain a move only after I answer it", this.holdsBack, (value) => {
        this.holdsBack = value;
        remember("hold", value);
      }),
      tick("Sounds", hasSounds(), setSounds),
    );
  }

  /** Whether the person's pieces begin at the far side: then the board is turned round. */
  #upsideDown(pieces) {
    if (this.state.people.length !== 1) return false;
    const heights = (own) =>
      pieces
        .filter(({ piece }) => (this.#colourOf(piece) === this.state.people[0]) === own)
        .map(({ cell }) => this.board.cells.get(cell).y);
    const mean = (numbers) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
    const [own, others] = [heights(true), heights(false)];
    return (
      own.length > 0 && others.length > 0 && mean(own) < mean(others) - 0.2 * this.geometry.height
    );
  }

  #colourOf(piece) {
    return this.geometry.pieces[piece]?.colour;
  }

  begin() {
    this.onKey = (event) => pressKey(this, event);
    document.addEventListener("keydown", this.onKey);
    this.onNarrow = () => (this.#lay(), this.draw());
    this.narrow.addEventListener("change", this.onNarrow);
    this.stop = listen(`games/${this.state.id}`, {
      state: (state) => this.take(state),
      // What the opponent thinks would tell what it makes of the person's move.
      thinking: (thought) => this.seats.thinking(thought, this.mode === "study"),
      tables: ({ text }) => (this.tables.textContent = text),
      connected: (is) => this.#connected(is),
      gone: () => this.wrong("This game was deleted, or the program has ended."),
    });
    this.draw();
    if (this.mode === "study") this.why.comment();
  }

  #connected(is) {
    const lost = this.element.classList.contains("lost");
    this.element.classList.toggle("lost", !is);
    if (!is && !lost) this.wrong("The program does not answer; still trying.");
    if (is && lost) this.wrong("");
  }

  leave() {
    document.removeEventListener("keydown", this.onKey);
    this.narrow.removeEventListener("change", this.onNarrow);
    this.stop();
    this.seats.leave();
  }

  // ---- the state

  /** Take a state from the server, unless a newer one is here already. */
  take(state) {
    if (state.version < this.state.version) return;
    const before = this.state;
    if (JSON.stringify(state.settings) !== JSON.stringify(before.settings)) {
      // A record may be of a game with another board: everything is drawn anew.
      window.dispatchEvent(new Event("hashchange"));
      return;
    }
    this.state = state;
    const moved = state.ply !== before.ply || state.start !== before.start;
    if (moved || state.outcome || !state.your_turn) this.prefix = [];
    if (state.outcome || state.ply < before.ply || state.start !== before.start) this.planned = [];
    if (moved) {
      this.wrongly.textContent = "";
      this.viewing = null;
      this.moves.viewing = null;
      this.previewed = null;
      this.picker = null;
      this.board.setLine([]);
      this.board.clearDrawn();
      this.why.moved();
    }
    this.#sound(before, state);
    const path = state.ply === before.ply + 1 ? state.moves.at(-1).path : [];
    this.draw(this.dropped ? [] : path);
    this.dropped = false;
    if (moved && this.mode === "study") this.why.comment();
    if (state.your_turn && this.planned.length) this.#playPlanned();
  }

  #sound(before, state) {
    const taken = ({ captured }) => Object.values(captured).reduce((sum, each) => sum + each, 0);
    if (state.outcome && !before.outcome) playSound("end");
    else if (state.ply > before.ply) playSound(taken(state) > taken(before) ? "take" : "move");
  }

  async #refresh() {
    await this.attempt(async () => this.take(await get(`games/${this.state.id}`)));
  }

  /** Send a change and take the state that it leads to. */
  async send(what, body = {}) {
    const { id, version } = this.state;
    this.changing = version;
    const accepted = await this.attempt(async () => {
      this.wrongly.textContent = "";
      this.take(await post(`games/${id}/${what}`, body));
    });
    if (this.changing === version) this.changing = null;
    return accepted;
  }

  /** Do something that the server may refuse, and say so if it does. */
  async attempt(act) {
    this.sending += 1;
    this.#drawBusy();
    try {
      await act();
      return true;
    } catch (error) {
      this.prefix = [];
      this.wrong(error.message);
      if (error.status === 409)
        get(`games/${this.state.id}`).then(
          (state) => this.take(state),
          () => {},
        );
      this.drawBoard();
      return false;
    } finally {
      this.sending -= 1;
      this.#drawBusy();
    }
  }

  /** Say that something is not so. */
  wrong(sentence) {
    this.wrongly.textContent = "";
    // Emptied first, so that the same sentence is read out again.
    requestAnimationFrame(() => (this.wrongly.textContent = sentence));
  }

  // ---- drawing

  draw(slide = []) {
    this.#drawBusy();
    this.seats.show(this.state, this.turned);
    const below = this.#colourBelow();
    this.moves.draw(this.state, this.viewing, this.showsChances, below, this.mode !== "teach");
    this.study.draw();
    this.lesson.draw();
    this.evaluation.show(this.state, this.viewing ?? this.state.ply, below);
    this.evaluation.element.hidden = !this.showsChances;
    this.#drawStatus();
    drawActions(this);
    this.#drawModes();
    this.drawBoard(slide);
  }

  /** The colour whose seat is below the board. */
  #colourBelow() {
    const { colours, people } = this.state;
    const home = people.length === 1 ? people[0] : colours[0];
    const turned = this.turned !== this.seats.home;
    return turned ? colours.find((colour) => colour !== home) : home;
  }

  #drawBusy() {
    this.element.dataset.ply = this.state.ply;
    this.element.dataset.busy = this.state.thinking || this.sending > 0;
  }

  /** The board of now, of then, or the one that the panel shows. */
  drawBoard(slide = []) {
    const { state, board, previewed } = this;
    if (previewed) {
      board.setPieces(previewed.pieces);
      board.setLast([]);
      board.setChoices({});
      board.setOwners({}, []);
    } else if (this.viewing !== null) {
      board.setPieces(this.past.pieces);
      board.setLast(this.past.last, this.past.winning);
      this.#drawChoices();
      board.setOwners({}, []);
    } else {
      board.setPieces(this.#piecesNow(), slide);
      board.setLast(this.prefix.length > 1 ? [] : state.last, state.winning);
      this.#drawChoices();
      this.#drawScore();
    }
    this.frame.classList.toggle("frame--elsewhere", previewed !== null || this.viewing !== null);
  }

  /** The pieces, with the one that is being moved where its steps have led it. */
  #piecesNow() {
    const { pieces } = this.state;
    if (this.prefix.length < 2) return pieces;
    const [from, to] = [this.prefix[0], this.prefix.at(-1)];
    const moved = (each) => ({ ...each, cell: to, label: to + each.label.slice(from.length) });
    return pieces
      .filter(({ cell }) => cell !== to || from === to)
      .map((each) => (each.cell === from ? moved(each) : each));
  }

  /** The moves that a click may choose now, and the side that makes them; null: none. */
  get #choosing() {
    if (this.picker) return this.picker;
    const { legal, your_turn: mine, to_move: mover } = this.state;
    return mine && this.viewing === null && !this.previewed ? { legal, mover } : null;
  }

  #drawChoices() {
    const { legal, mover } = this.#choosing ?? {};
    if (!legal) return this.board.setChoices({ planned: this.viewing === null ? this.planned : [] });
    const movable = starts(legal);
    const placing = movable.size === 0;
    const [ghost = null] = Object.keys(this.geometry.pieces).filter(
      (piece) => this.#colourOf(piece) === mover,
    );
    return this.board.setChoices({
      movable: this.prefix.length ? [] : movable,
      chosen: this.prefix,
      next: placing || this.prefix.length ? nextCells(legal, this.prefix) : [],
      ghost: placing ? ghost : null,
    });
  }

  #drawScore() {
    const { score } = this.state;
    const piece = (colour) =>
      Object.keys(this.geometry.pieces).find((each) => this.#colourOf(each) === colour);
    const owners = Object.entries(score?.territory ?? {}).map(([cell, colour]) => [
      cell,
      piece(colour),
    ]);
    this.board.setOwners(Object.fromEntries(owners), score?.dead ?? []);
  }

  #drawStatus() {
    const { state, viewing, previewed } = this;
    const over = state.outcome;
    const words =
      previewed?.caption ??
      this.picker?.words ??
      (viewing !== null ? this.#saidOfThen() : null) ??
      this.#saidOfPlan() ??
      (over ? large(over.text) : [state.text, state.exact].filter(Boolean).join(" "));
    this.said.textContent = words;
    this.said.classList.toggle("said--over", Boolean(over) && !previewed && viewing === null);
    if (state.error) this.wrongly.textContent = state.error;
    const button = (words_, act, main = false) =>
      el("button", {
        class: `button button--small${main ? " button--main" : ""}`,
        type: "button",
        onclick: act,
        text: words_,
      });
    replace(
      this.after,
      state.can_retry && button("Try again", () => this.send("retry"), true),
      state.score && el("span", { class: "small soft", text: "Click stones that are dead." }),
      over && viewing === null && button("New game", () => begin(), true),
      over && viewing === null && button("Why?", () => this.why.ask()),
    );
  }

  #saidOfThen() {
    const { mark } = this.state.moves[this.viewing - 1] ?? {};
    const judged = mark && this.mode !== "teach" && `${large(mark.kind)}: ${mark.text}`;
    const where = `The board after move ${this.viewing} of ${this.state.ply}.`;
    return [where, this.past.exact, judged].filter(Boolean).join(" ");
  }

  #saidOfPlan() {
    const { planned } = this;
    if (!planned.length || (planned.length === 1 && !this.places)) return null;
    const move = planned.join("-");
    return `You will play ${move}, if you can. Click ${planned.at(-1)} again to cancel.`;
  }

  #drawModes() {
    if (this.modes.dataset.mode === this.mode) return;
    this.modes.dataset.mode = this.mode;
    replaceKeeping(
      this.modes,
      "input:checked",
      segments("Mode", MODES, this.mode, (mode) => this.setMode(mode), { plain: true }),
      this.mode in ABOUT_MODES && el("p", { class: "small soft", text: ABOUT_MODES[this.mode] }),
      this.options,
      this.tables,
    );
  }

  // ---- what the person does

  setMode(mode) {
    this.mode = mode;
    remember("mode", mode);
    this.draw();
    if (mode === "study") this.why.comment();
  }

  flip() {
    this.turned = !this.turned;
    this.#lay();
    this.draw();
    this.why.redraw();
  }

  /** How many moves the board shows, or will as soon as that board is here. */
  get shown() {
    return this.moves.viewing ?? this.state.ply;
  }

  /** Let a click on the board after `ply` moves choose a move: `done(move)` is called with it. */
  async pick(ply, words, done) {
    await this.view(ply, true);
    const at = this.viewing === null ? await get(`games/${this.state.id}/at/${ply}`) : this.past;
    this.picker = { ply, legal: at.legal, mover: at.to_move, words, done };
    this.draw();
  }

  /** Show the board after so many moves; null: the present. `quietly`: the judge says nothing. */
  async view(ply, quietly = false) {
    this.prefix = [];
    this.previewed = null;
    this.picker = null;
    const live = ply === null || ply >= this.state.ply;
    const wanted = live ? null : ply;
    this.moves.viewing = wanted;
    if (!live) {
      const past = await get(`games/${this.state.id}/at/${ply}`);
      if (this.moves.viewing !== wanted) return;
      this.past = past;
    }
    this.viewing = wanted;
    this.board.setLine([]);
    this.draw();
    if (!quietly) this.why.viewed();
  }

  /** The mouse wheel walks through the moves; a touchpad sends many small turns. */
  #wheel(event) {
    if (event.ctrlKey || !this.state.ply) return; // with Ctrl the browser zooms
    event.preventDefault();
    this.rolled += event.deltaY;
    if (Math.abs(this.rolled) < WHEEL) return;
    this.moves.step(Math.sign(this.rolled));
    this.rolled = 0;
  }

  /** Show another board for a while, with a caption; null: no longer. */
  preview(shown) {
    if (!shown && !this.previewed) return;
    this.previewed = shown;
    this.drawBoard();
    this.#drawStatus();
  }

  #clicked(id) {
    if (this.previewed) return this.why.quiet();
    if (this.picker) return this.#choose(click(this.picker.legal, this.prefix, id));
    if (this.viewing !== null) return this.view(null);
    const { state } = this;
    if (state.score && this.board.pieces.has(id)) return this.#dead(id);
    if (state.outcome) return this.wrong(`The game is over. ${large(state.outcome.text)}`);
    if (!state.your_turn) return this.#plan(id);
    return this.#choose(click(state.legal, this.prefix, id));
  }

  /** A click while the opponent thinks: a piece and where it is to go, or where one is to be put. */
  #plan(id) {
    const own = this.#isOwn(id);
    const [from] = this.planned;
    if (this.planned.at(-1) === id) this.planned = [];
    else if (this.places ? !this.board.pieces.has(id) : own) this.planned = [id];
    else if (from && !this.places) this.planned = [from, id];
    else return this.wrong("It is not your turn yet.");
    return this.#drawPlan();
  }

  #drawPlan() {
    this.wrongly.textContent = "";
    this.#drawStatus();
    this.drawBoard();
  }

  /** Play what was planned; a piece that was only taken up stays so. */
  #playPlanned() {
    const { planned } = this;
    const { legal } = this.state;
    this.planned = [];
    let meant = { select: [] };
    for (const cell of planned) meant = click(legal, meant.select ?? [], cell);
    const path = meant.play?.path ?? meant.select ?? [];
    const fits = planned.every((cell) => path.includes(cell));
    if (fits) this.#choose(meant);
    else if (planned.length > 1 || this.places)
      this.wrong(`${planned.join("-")} cannot be played now.`);
    this.#drawStatus();
  }

  #isOwn(id) {
    const { people } = this.state;
    return people.includes(this.#colourOf(this.board.pieces.get(id)?.piece));
  }

  async #choose({ play, select, wrong }) {
    if (play && this.picker) return this.#picked(play);
    if (play) return this.play(play);
    if (wrong) return this.#wrongPath(wrong);
    this.prefix = select;
    this.wrongly.textContent = "";
    this.drawBoard();
    return undefined;
  }

  /** Play a legal move. */
  async play(move) {
    // A key or a button that is hit twice plays once. The new state may arrive as an event before
    // the answer to the move that led to it: the next move may then be played at once.
    if (!move || !this.state.your_turn || this.changing === this.state.version) return;
    this.prefix = move.path;
    this.drawBoard();
    await this.send("moves", { move: move.text, version: this.state.version });
  }

  /** Let the server say what is wrong with a path; take up a piece that cannot move, to ask. */
  async #wrongPath(path) {
    const { legal, mover } = this.#choosing ?? this.state;
    const own = this.#colourOf(this.board.pieces.get(path.at(-1))?.piece) === mover;
    if (this.picker && !own) {
      this.prefix = [];
      this.wrong("This is not a legal move here.");
      this.drawBoard();
      return;
    }
    if (own && starts(legal).size) {
      this.prefix = [path.at(-1)];
      this.wrong(`There is no legal move from ${path.at(-1)}.`);
      this.drawBoard();
      return;
    }
    await this.send("moves", { move: path.join("-"), version: this.state.version });
  }

  #canDrag(id) {
    const { legal, mover } = this.#choosing ?? {};
    if (!legal) return this.#canPlan && !this.places && this.#isOwn(id);
    const own = this.#colourOf(this.board.pieces.get(id)?.piece) === mover;
    return own && starts(legal).size > 0;
  }

  get #canPlan() {
    const { outcome, your_turn: mine } = this.state;
    return !outcome && !mine && this.viewing === null && !this.previewed;
  }

  #dragged(from, to) {
    if (!this.#choosing && this.#canPlan) {
      this.planned = [from, to];
      return this.#drawPlan();
    }
    const { legal } = this.#choosing ?? this.state;
    const prefix = this.prefix.at(-1) === from ? this.prefix : [from];
    this.dropped = true;
    const meant = click(legal, prefix, to);
    if (meant.wrong || (meant.select && meant.select.at(-1) !== to))
      return this.#wrongPath([...prefix, to]);
    return this.#choose(meant);
  }

  /** A click has chosen a move to ask about. */
  #picked(move) {
    const { done } = this.picker;
    this.picker = null;
    this.prefix = [];
    this.draw();
    done(move);
  }

  #dead(id) {
    const { dead } = this.state.score;
    const cells = dead.includes(id)
      ? dead.filter((cell) => !this.#together(id).has(cell))
      : [...dead, id];
    return this.send("dead", { cells });
  }

  /** The cells that hang together with one and hold the same piece. */
  #together(id) {
    const { pieces, cells } = this.board;
    const kind = pieces.get(id)?.piece;
    const found = new Set([id]);
    for (const cell of found) {
      const { up, down, left, right } = cells.get(cell);
      for (const next of [up, down, left, right]) {
        if (next && pieces.get(next)?.piece === kind) found.add(next);
      }
    }
    return found;
  }

  /** Let go of what is held, step by step. */
  escape() {
    this.wrongly.textContent = "";
    if (this.prefix.length) {
      this.prefix = [];
      this.drawBoard();
    } else if (this.planned.length) {
      this.planned = [];
      this.#drawPlan();
    } else if (this.previewed) this.why.quiet();
    else if (this.picker || this.viewing !== null) this.view(null);
    else this.why.close();
  }
}
