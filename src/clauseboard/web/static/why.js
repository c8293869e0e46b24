// The why panel: asks the judge; why_views.js draws the answer. What the pointer or the keyboard is
// on lights up on the main board.

import { LatestQuestion, get, post } from "./api.js";
import { calm, el, replace, replaceKeeping } from "./dom.js";
import { segments } from "./fields.js";
import { icon } from "./icons.js";
import { large } from "./values.js";
import { VIEWS } from "./why_views.js";

/** More arrows than these cannot be told apart. */
const MOST_ARROWS = 6;

/** Milliseconds that a board is shown before the judge is asked about it in Study. */
const LEAFING = 120;

/** The first moves of a line. */
function brief(line) {
  const shown = line.slice(0, MOST_ARROWS).join(", ");
  return line.length > MOST_ARROWS ? `${shown} …` : `${shown}.`;
}

/** Words with a full stop, unless they end with a sign of their own. */
function sentence(words) {
  return /[.?!…]$/.test(words) ? words : `${words}.`;
}

export class WhyPanel {
  /** `screen` is the game on the page: its state, its board, its previews; `above` goes first. */
  constructor(screen, above) {
    this.screen = screen;
    this.shown = null; // the last answer
    this.questions = new LatestQuestion();
    this.hot = false;
    this.opened = false; // whether the level below the lines is open
    this.tabs = el("div", { class: "why-tabs" });
    this.body = el("div", { class: "why-body" });
    this.spoken = el("p", { class: "out", role: "status" }); // the verdict, for those who listen
    this.element = el(
      "section",
      { class: "card why", "aria-label": "Why" },
      el("div", { class: "card-head" }, el("h2", { text: "Why" }), this.tabs),
      above,
      this.body,
      this.spoken,
    );
    this.#nothing();
  }

  get state() {
    return this.screen.state;
  }

  // ---- asking

  /** Ask about the move that the board shows, or about the last one that may be judged. */
  ask() {
    const { viewing } = this.screen;
    const ply = viewing ? viewing - 1 : viewing === 0 ? null : this.#usual();
    this.wanted = true; // the answer is scrolled to
    return ply === null ? this.#askPosition(viewing ?? this.state.ply) : this.#askMove(ply);
  }

  /** In Study: say something about the person's last move at once. */
  comment() {
    if (this.screen.viewing !== null) return;
    const ply = this.#last((move) => this.#own(move)) ?? this.state.ply - 1;
    if (ply >= 0) this.#askMove(ply);
    else this.#nothing();
  }

  /** The moves have changed: what was said is about an earlier board. */
  moved() {
    this.hot = false;
    this.#unmark();
    const { at, kind } = this.shown ?? {};
    if (["hint", "idea"].includes(kind) || at >= this.state.ply) this.#nothing();
    else this.#drawTabs();
  }

  /** The board shows other moves: in Study the judge speaks of them as well. */
  viewed() {
    const { mode, viewing } = this.screen;
    clearTimeout(this.later);
    if (mode === "study" && viewing !== 0) {
      const ask = () => (viewing ? this.#askMove(viewing - 1) : this.comment());
      // Whoever leafs through a game reads only the last answer.
      this.later = setTimeout(() => this.screen.element.isConnected && ask(), LEAFING);
    } else if (viewing === null && this.shown?.at < this.state.ply - 2) {
      this.close(); // at the present again, what was said of an earlier board is taken away
    }
  }

  /** The board was turned round. */
  redraw() {
    this.#draw();
  }

  #own(move) {
    return this.state.people.includes(move.colour);
  }

  #last(fits) {
    const index = this.state.moves.findLastIndex(fits);
    return index < 0 ? undefined : index;
  }

  /** Without a choice of the person's: the last move, which is mostly the machine's answer. */
  #usual() {
    const last = this.state.ply - 1;
    if (last < 0) return null;
    if (this.#open || this.state.people.length === 2) return last;
    return this.#last((move) => this.#own(move)) ?? last;
  }

  /** Whether a move may be explained before the person has answered it. */
  get #open() {
    return this.screen.mode === "study" || !this.screen.holdsBack || Boolean(this.state.outcome);
  }

  #askMove(ply) {
    const about = this.#own(this.state.moves[ply]) ? "own" : "opponent";
    return this.#request("why", { ply, about });
  }

  #askPosition(ply) {
    return this.#request("why", { ply, about: "position" });
  }

  /** Ask the judge; `kind` is the view that shows the answer. */
  async #request(what, question, kind = what) {
    const { id } = this.state;
    clearTimeout(this.later);
    const isLatest = this.questions.ask();
    const asked = what.startsWith("why") ? { ...question, study: this.#open } : question;
    this.question = question;
    this.#drawTabs();
    const slow = setTimeout(() => isLatest() && this.#waiting(), 250);
    try {
      const [answer, before] = await Promise.all([
        post(`games/${id}/${what}`, asked),
        question.ply === undefined ? null : get(`games/${id}/at/${question.ply}`),
      ]);
      if (!isLatest()) return;
      const at = question.ply ?? this.state.ply;
      this.shown = { at, ...answer, kind, before: before ?? { pieces: this.state.pieces } };
      this.#unmark();
      this.#draw();
      this.#scrollHere();
      this.#mark(this.shown);
    } catch (error) {
      if (isLatest()) this.#refused(error.message);
    } finally {
      clearTimeout(slow);
      this.body.removeAttribute("aria-busy");
    }
  }

  /** What an answer shows on the board at once. */
  #mark({ kind, path, pieces, idea_cells: cells }) {
    if (kind === "hint") this.screen.board.setLine(path.length ? [path] : []);
    if (kind === "idea") this.screen.board.setLit({ cells });
    if (kind === "try") this.screen.preview({ pieces, caption: this.shown.text });
  }

  /** What would the judge play now? While teaching it says what matters first. */
  async hint() {
    if (!this.state.your_turn) return this.screen.wrong("You can ask for a hint when it is your turn.");
    if (this.screen.viewing !== null) await this.screen.view(null);
    this.wanted = true;
    const first = this.screen.mode === "teach" && this.shown?.kind !== "idea";
    return this.#request("hint", { idea: first }, first ? "idea" : "hint");
  }

  /** Compare a move with what the judge would play. */
  whyNot(ply, move) {
    return this.#request("why-not", { ply, move });
  }

  /** What a mistake is about, before the better move is told. */
  missed({ ply, text }) {
    this.wanted = true;
    return this.#request("why-not", { ply, move: text }, "missed");
  }

  /** The same answer in another view. */
  show(kind) {
    this.shown = { ...this.shown, kind };
    this.#unmark();
    this.#draw();
    this.#mark(this.shown);
  }

  /** Let the person make the move that the board shows again, otherwise. */
  async retry(ply = this.screen.shown - 1) {
    if (ply < 0) return this.screen.wrong("There is no move to try again.");
    const { text, colour } = this.state.moves[ply];
    const words = `Try again: what would you play as ${colour} instead of ${text}?`;
    clearTimeout(this.later);
    this.questions.ask(); // what is on its way would tell
    this.shown = null;
    replace(this.body, el("p", { class: "soft why-wait", text: words }));
    return this.#pick(ply, words, (move) => {
      this.wanted = true;
      this.#request("try", { ply, move: move.text });
    });
  }

  // ---- quiet again

  /** Choose a move on the board after `ply` moves to ask about. */
  pick(ply) {
    const words = "Click the move that you want to ask about.";
    return this.#pick(ply, words, ({ text }) => this.whyNot(ply, text));
  }

  async #pick(ply, words, done) {
    this.hot = false;
    this.#unmark();
    await this.screen.attempt(() => this.screen.pick(ply, words, done));
    this.screen.stage.scrollIntoView({ block: "nearest" });
  }

  /** Take all marks off the board. */
  quiet() {
    this.hot = false;
    this.#unmark();
    this.#draw();
  }

  close() {
    this.quiet();
    this.questions.ask(); // an answer that is on its way comes too late
    this.#nothing();
  }

  #unmark() {
    const { board } = this.screen;
    board.setLit();
    board.setLine([]);
    board.setHeat(null);
    this.screen.preview(null);
  }

  // ---- lighting up the board

  /** Listeners that mark the board while the pointer or the keyboard is here. */
  lighting(mark) {
    const end = () => {
      this.#unmark();
      this.#drawHeat();
    };
    return { onpointerenter: mark, onpointerleave: end, onfocus: mark, onblur: end };
  }

  #onEnd(why) {
    if (!why.line?.length) return;
    this.screen.preview({
      pieces: why.board.pieces,
      caption: why.line_said,
    });
  }

  lightReason(why, reason) {
    this.screen.board.setHeat(null);
    this.#onEnd(why);
    const cells = (bits) => bits.map(({ cell }) => cell).filter(Boolean);
    this.screen.board.setLit({
      needed: cells(reason.needed),
      forbidden: cells(reason.forbidden),
      cells: reason.cells,
    });
  }

  /** The position that reasons are about: the end of the expected line. */
  piecesOf(why) {
    return why.line?.length ? why.board.pieces : this.shown.before.pieces;
  }

  /** Mark the cells of a line or clause on the board that it is about. */
  lightConcept(why, cells) {
    this.screen.board.setHeat(null);
    this.#onEnd(why);
    this.screen.board.setLit({ cells });
  }

  lightLine({ move, line, line_paths: paths, path }) {
    this.screen.board.setHeat(null);
    const { before } = this.shown;
    const words = brief(line?.length ? line : [move]);
    this.screen.preview({ pieces: before.pieces, caption: `Expected: ${words}` });
    this.screen.board.setLine((paths?.length ? paths : [path]).slice(0, MOST_ARROWS));
  }

  lightCells(cells) {
    this.screen.board.setLit({ cells });
  }

  /** Show or hide the heat of each cell's share. */
  heat() {
    if (!this.shown?.shares)
      return this.screen.wrong("There is no heat map yet: ask why first (key W).");
    if (!Object.keys(this.shown.shares).length)
      return this.screen.wrong("This judge cannot say what each cell counts for.");
    this.hot = !this.hot;
    if (!this.hot) this.#unmark();
    this.#drawHeat();
    this.body.querySelector(".heat-button")?.setAttribute("aria-pressed", String(this.hot));
    return undefined;
  }

  #drawHeat() {
    if (!this.hot || this.shown?.kind !== "why") return;
    this.#onEnd(this.shown);
    this.screen.board.setHeat(this.shown.shares);
  }

  // ---- drawing

  #nothing() {
    this.element.classList.add("why--empty");
    this.shown = null;
    this.question = null;
    this.#drawTabs();
    replace(
      this.body,
      el(
        "div",
        { class: "why-empty" },
        icon("read"),
        el("p", {
          class: "soft",
          text: "After a move, ask why it was played and how good it was.",
        }),
        el(
          "p",
          { class: "soft small" },
          el("kbd", { text: "W" }),
          " why  ",
          el("kbd", { text: "H" }),
          " hint  ",
          el("kbd", { text: "S" }),
          " study",
        ),
      ),
    );
  }

  #waiting() {
    this.element.classList.remove("why--empty");
    this.body.setAttribute("aria-busy", "true");
    if (!this.shown)
      replace(this.body, el("p", { class: "soft why-wait", text: "The judge is thinking…" }));
  }

  #refused(sentence) {
    this.element.classList.remove("why--empty");
    this.shown = null;
    replace(this.body, el("p", { class: "why-refused", role: "alert", text: sentence }));
  }

  /** The moves one can ask about: yours, the machine's, and the board as it is. */
  #drawTabs() {
    const { moves, ply, people, outcome } = this.state ?? {};
    if (!ply) return replace(this.tabs);
    const own = this.#last((move) => this.#own(move));
    const its =
      this.#last((move, n) => !this.#own(move) && (this.#open || n < ply - 1)) ??
      this.#last((move) => !this.#own(move));
    const who = (n) => (people.length === 2 ? large(moves[n].colour) : n === own ? "You" : "It");
    const tabs = [own, its]
      .filter((n) => n !== undefined)
      .map((n) => ({ value: n, title: `${who(n)}: ${moves[n].text}` }));
    tabs.sort((a, b) => a.value - b.value);
    if (!outcome) tabs.push({ value: "now", title: "Now" });
    const asked = this.question?.about === "position" ? "now" : this.question?.ply;
    const choose = (value) => (value === "now" ? this.#askPosition(ply) : this.#askMove(value));
    return replaceKeeping(
      this.tabs,
      "input:checked",
      segments("Ask about", tabs, asked, choose, { plain: true }),
    );
  }

  #draw() {
    if (!this.shown) return;
    this.element.classList.remove("why--empty");
    this.#drawTabs();
    replaceKeeping(this.body, "button", VIEWS[this.shown.kind](this, this.shown));
    const verdict = this.body.querySelectorAll(".verdict > h3, .verdict > p");
    this.spoken.textContent = [...verdict].map((each) => sentence(each.textContent)).join(" ");
    this.#drawHeat();
  }

  /** Show what matters most; only as far down as needed, for the board is to stay in view. */
  #scrollHere() {
    const behavior = calm() ? "auto" : "smooth";
    const verdict = this.body.querySelector(".headline") ?? this.body.querySelector(".verdict");
    if (this.wanted) verdict?.scrollIntoView({ block: "nearest", behavior });
    this.wanted = false;
  }
}
