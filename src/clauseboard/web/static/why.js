// The why panel: what a move is worth, the reasons for and against it, and what else could be played.
// It says who judges. What the pointer or the keyboard is on lights up on the main board.

import { get, post } from "./api.js";
import { calm, el, replace, replaceKeeping } from "./dom.js";
import { segments } from "./fields.js";
import { icon } from "./icons.js";
import { candidateList, difference, reasonList, termList, valueBar, voteBars } from "./whyparts.js";
import { large, signed, standing } from "./values.js";

/** More arrows than these cannot be told apart. */
const MOST_ARROWS = 6;

export class WhyPanel {
  /** `screen` is the game on the page: its state, its board, its previews. */
  constructor(screen) {
    this.screen = screen;
    this.shown = null; // the last answer
    this.asked = 0;
    this.picking = false; // whether a click on the board chooses a move to ask about
    this.hot = false;
    this.tabs = el("div", { class: "why-tabs" });
    this.body = el("div", { class: "why-body", "aria-live": "polite" });
    this.element = el(
      "section",
      { class: "card why", "aria-label": "Why" },
      el("div", { class: "card-head" }, el("h2", { text: "Why" }), this.tabs),
      this.body,
    );
    this.#nothing();
  }

  get #state() {
    return this.screen.state;
  }

  // ---- asking

  /** Ask about the move that the board shows, or about the last one that may be judged. */
  ask() {
    const { viewing } = this.screen;
    const ply = viewing ? viewing - 1 : viewing === 0 ? null : this.#usual();
    this.#scrollHere();
    return ply === null ? this.#askPosition(viewing ?? this.#state.ply) : this.#askMove(ply);
  }

  /** In Study: say something about the person's last move at once. */
  comment() {
    if (this.screen.viewing !== null) return;
    const ply = this.#last((move) => this.#own(move)) ?? this.#state.ply - 1;
    if (ply >= 0) this.#askMove(ply);
    else this.#nothing();
  }

  /** The moves have changed: what was said is about an earlier board. */
  moved() {
    this.picking = false;
    this.hot = false;
    this.#unmark();
    const { about, kind } = this.shown ?? {};
    const gone = about && about.ply >= this.#state.ply;
    if (kind === "hint" || gone) this.#nothing();
    else this.#drawTabs();
  }

  /** The board shows other moves: in Study the judge speaks of them as well. */
  viewed() {
    if (this.screen.mode === "study" && this.screen.viewing) this.#askMove(this.screen.viewing - 1);
  }

  /** The board was turned round. */
  redraw() {
    this.#draw();
  }

  #own(move) {
    return this.#state.people.includes(move.colour);
  }

  #last(fits) {
    const index = this.#state.moves.findLastIndex(fits);
    return index < 0 ? undefined : index;
  }

  /** Without a choice of the person's: its own last move; at the end of a game, the last one. */
  #usual() {
    const last = this.#state.ply - 1;
    if (last < 0) return null;
    if (this.#state.outcome || this.#state.people.length === 2) return last;
    return this.#last((move) => this.#own(move)) ?? last;
  }

  #askMove(ply) {
    const about = this.#own(this.#state.moves[ply]) ? "own" : "opponent";
    return this.#request("why", { ply, about });
  }

  #askPosition(ply) {
    return this.#request("why", { ply, about: "position" });
  }

  async #request(what, question) {
    const { id } = this.#state;
    const study = this.screen.mode === "study";
    this.asked += 1;
    const mine = this.asked;
    this.question = question;
    this.#drawTabs();
    const slow = setTimeout(() => mine === this.asked && this.#waiting(), 250);
    try {
      const [answer, before] = await Promise.all([
        post(`games/${id}/${what}`, { ...question, study }),
        question.ply === undefined ? null : get(`games/${id}/at/${question.ply}`),
      ]);
      if (mine !== this.asked) return;
      this.shown = { ...answer, kind: what, before: before ?? { pieces: this.#state.pieces } };
      this.#unmark();
      this.#draw();
      if (what === "hint") this.screen.board.setLine(answer.path.length ? [answer.path] : []);
    } catch (error) {
      if (mine === this.asked) this.#refused(error.message);
    } finally {
      clearTimeout(slow);
      this.body.removeAttribute("aria-busy");
    }
  }

  /** What would the judge play now? */
  async hint() {
    if (!this.#state.your_turn) return this.screen.wrong("A hint is for your turn.");
    if (this.screen.viewing !== null) await this.screen.view(null);
    this.#scrollHere();
    return this.#request("hint", {});
  }

  /** Compare a move with what the judge would play. */
  whyNot(ply, move) {
    this.picking = false;
    return this.#request("why-not", { ply, move });
  }

  // ---- quiet again

  /** Take all marks off the board. */
  quiet() {
    this.hot = false;
    this.picking = false;
    this.#unmark();
    this.#draw();
  }

  close() {
    this.quiet();
    this.asked += 1;
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
    this.screen.preview({ pieces: why.board.pieces, caption: `Expected: the board after ${why.line.join(", ")}.` });
  }

  lightReason(why, reason) {
    this.screen.board.setHeat(null);
    this.#onEnd(why);
    const cells = (bits) => bits.map(({ cell }) => cell).filter(Boolean);
    this.screen.board.setLit({ needed: cells(reason.needed), forbidden: cells(reason.forbidden), cells: reason.cells });
  }

  lightLine({ move, line, line_paths: paths, path }) {
    this.screen.board.setHeat(null);
    const { before } = this.shown;
    const words = line?.length ? line.join(", ") : move;
    this.screen.preview({ pieces: before.pieces, caption: `Expected: ${words}.` });
    this.screen.board.setLine((paths?.length ? paths : [path]).slice(0, MOST_ARROWS));
  }

  lightCells(cells) {
    this.screen.board.setLit({ cells });
  }

  /** Show or hide the heat of each cell's share. */
  heat() {
    if (!this.shown?.shares) return this.screen.wrong("There is no heat to show: ask why first (key W).");
    if (!Object.keys(this.shown.shares).length) return this.screen.wrong("This judge cannot say what each cell counts for.");
    this.hot = !this.hot;
    if (!this.hot) this.#unmark();
    this.#drawHeat();
    this.heatButton?.setAttribute("aria-pressed", String(this.hot));
    return undefined;
  }

  #drawHeat() {
    if (!this.hot || this.shown?.kind !== "why") return;
    this.#onEnd(this.shown);
    this.screen.board.setHeat(this.shown.shares);
  }

  // ---- drawing

  #nothing() {
    this.shown = null;
    this.question = null;
    this.#drawTabs();
    replace(
      this.body,
      el(
        "div",
        { class: "why-empty" },
        icon("read"),
        el("p", { class: "soft", text: "Make a move, then ask why it was good or bad. Reasons come as small boards, each with its votes." }),
        el("p", { class: "soft small" }, el("kbd", { text: "W" }), " why  ", el("kbd", { text: "H" }), " hint  ", el("kbd", { text: "S" }), " study"),
      ),
    );
  }

  #waiting() {
    this.body.setAttribute("aria-busy", "true");
    if (!this.shown) replace(this.body, el("p", { class: "soft why-wait", text: "The judge is thinking…" }));
  }

  #refused(sentence) {
    this.shown = null;
    replace(this.body, el("p", { class: "why-refused", role: "alert", text: sentence }));
  }

  /** The moves one can ask about: yours, the machine's, and the board as it is. */
  #drawTabs() {
    const { moves, ply, people, outcome } = this.#state ?? {};
    if (!ply) return replace(this.tabs);
    const study = this.screen.mode === "study" || outcome;
    const own = this.#last((move) => this.#own(move));
    // In Play the machine's move is judged once it was answered.
    const its = this.#last((move, n) => !this.#own(move) && (study || n < ply - 1)) ?? this.#last((move) => !this.#own(move));
    const tabs = [own, its]
      .filter((n) => n !== undefined)
      .map((n) => ({ value: n, title: `${people.length === 2 ? large(moves[n].colour) : n === own ? "You" : "It"}: ${moves[n].text}` }));
    tabs.sort((a, b) => a.value - b.value);
    if (!outcome) tabs.push({ value: "now", title: "Now" });
    const asked = this.question?.about === "position" ? "now" : this.question?.ply;
    const choose = (value) => (value === "now" ? this.#askPosition(ply) : this.#askMove(value));
    return replaceKeeping(this.tabs, "input:checked", segments("Ask about", tabs, asked, choose, { plain: true }));
  }

  #draw() {
    if (!this.shown) return;
    this.#drawTabs();
    const drawn = { why: () => this.#why(), hint: () => this.#hint(), "why-not": () => this.#whyNot() };
    replaceKeeping(this.body, "button", drawn[this.shown.kind]());
    this.#drawHeat();
  }

  #judge(why) {
    return el("p", { class: "judge small soft" }, "Judge: ", el("b", { text: large(why.judge.title) }));
  }

  #why() {
    const why = this.shown;
    const { colour, move } = why.about;
    const other = this.#state.colours.find((each) => each !== colour);
    const yours = this.#state.people.includes(colour) && this.#state.people.length === 1;
    const who = yours ? "You" : large(colour);
    const said = move ? `${who} played ${move}` : `${large(colour)} to move`;
    this.heatButton = el(
      "button",
      { class: "button button--small", type: "button", "aria-pressed": String(this.hot), title: "Key A", onclick: () => this.heat() },
      icon("heat"),
      "Heat",
    );
    return [
      el(
        "div",
        { class: "verdict" },
        el("h3", { text: said }),
        el("p", { text: this.#verdict(why, colour, other) }),
        valueBar(why.value_before, why.value_after, move !== null),
        el(
          "div",
          { class: "row" },
          why.better && move && el("button", { class: "button button--small", type: "button", onclick: () => this.whyNot(why.about.ply, move), text: `Why not ${yours ? "my move" : move}?` }),
          this.#pickButton(),
          Object.keys(why.shares ?? {}).length > 0 && this.heatButton,
        ),
      ),
      this.#line(why),
      why.votes?.length > 0 && voteBars(why.votes),
      reasonList(this, why, "for", `For ${colour}`),
      reasonList(this, why, "against", `Against ${colour}`),
      reasonList(this, why, "draw", "On a draw"),
      why.terms?.length > 0 && termList(this, why),
      why.candidates?.length > 0 && candidateList(this, why.candidates, why.about.ply, why.about.move),
      this.#judge(why),
    ];
  }

  #verdict(why, colour, other) {
    const { value_before: before, value_after: after, better } = why;
    if (after === null || after === undefined) return "The judge has no value for it.";
    const stands = large(`${standing(after, colour, other)} (${signed(after)} for ${colour}).`);
    if (!better) return why.about.move ? `${stands} The judge would have played it too.` : stands;
    const lost = before - after;
    return lost < 0.005 ? `${stands} ${better} was as good.` : `${stands} ${better} was better: ${signed(before)}.`;
  }

  #line(why) {
    if (!why.line?.length) return null;
    const shown = { line: why.line, line_paths: why.line_paths, path: why.about.path };
    return el(
      "button",
      { class: "line", type: "button", ...this.lighting(() => this.lightLine(shown)) },
      el("span", { class: "label", text: "Expected line" }),
      el("span", { class: "number line-moves", text: why.line.join("  ") }),
      (why.votes?.length > 0 || why.terms?.length > 0) && el("span", { class: "small soft", text: "The reasons below are about the board at its end." }),
    );
  }

  /** At the present board a person can ask about any move of theirs. */
  #pickButton() {
    if (!this.#state.your_turn || this.screen.viewing !== null) return null;
    const pick = () => {
      this.picking = !this.picking;
      this.screen.prefix = [];
      this.#unmark();
      this.#draw();
    };
    return el("button", { class: "button button--small", type: "button", "aria-pressed": String(this.picking), onclick: pick, text: this.picking ? "Now click the move" : "Why not another?" });
  }

  #hint() {
    const hint = this.shown;
    const play = () => this.screen.send("moves", { move: hint.move, version: this.#state.version });
    const { move, path, line, line_paths } = hint;
    return [
      el(
        "div",
        { class: "verdict" },
        el("h3", { text: hint.resigns ? "It would resign" : `Hint: ${move}` }),
        el("p", { text: hint.text }),
        hint.value !== null && valueBar(null, hint.value, false),
        el(
          "div",
          { class: "row" },
          !hint.resigns && el("button", { class: "button button--small button--main", type: "button", onclick: play, text: `Play ${move}` }),
          this.#pickButton(),
        ),
      ),
      line?.length > 1 && this.#line({ line, line_paths, about: { path } }),
      hint.candidates?.length > 0 && candidateList(this, hint.candidates, this.#state.ply, null),
      this.#judge(hint),
    ];
  }

  #whyNot() {
    const { better, yours, colour, text, differences, terms } = this.shown;
    const side = (title, each) =>
      el(
        "button",
        { class: "side-by-side", type: "button", ...this.lighting(() => this.lightLine(each)) },
        el("span", { class: "label", text: title }),
        el("b", { text: each.move }),
        each.value !== null && el("span", { class: "number", text: `${signed(each.value)} for ${colour}` }),
        el("span", { class: "small soft", text: each.line_said }),
      );
    return [
      el("div", { class: "verdict" }, el("h3", { text: `Why not ${yours.move}?` }), el("p", { text })),
      el("div", { class: "versus" }, side("The judge's move", better), side("Your move", yours)),
      differences.length > 0 && el("h3", { class: "why-title", text: "What makes the difference" }),
      el("ul", { class: "reasons" }, differences.map((each) => difference(this, each))),
      terms?.length > 0 && el("ul", { class: "terms" }, terms.map(({ text: words, there, here }) => el("li", {}, el("span", { text: words }), el("span", { class: "number", text: `${signed(there)} / ${signed(here)}` })))),
      el("div", { class: "row" }, el("button", { class: "button button--small", type: "button", onclick: () => this.ask(), text: "Back to why" })),
      this.shown.judge && this.#judge(this.shown),
    ];
  }

  #scrollHere() {
    const { top } = this.element.getBoundingClientRect();
    if (top < window.innerHeight - 120) return;
    this.element.scrollIntoView({ block: "start", behavior: calm() ? "auto" : "smooth" });
  }
}
