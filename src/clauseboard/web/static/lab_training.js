// Trainings: choose a game, a learner and its options; watch it learn; stop, save, play it.

import { LatestQuestion, get, listen, post, remove } from "./api.js";
import { el, enableFields, replace, replaceFields, replaceKeeping } from "./dom.js";
import { list, number } from "./fields.js";
import { icon } from "./icons.js";
import { remember, recall } from "./preferences.js";
import { GameChoice, clauseCard, curve, startingForm } from "./lab_parts.js";
import { counted, large, thousands } from "./values.js";

/** Milliseconds between two looks at the list of trainings. */
const LOOK = 2000;
const OVER = ["done", "stopped", "failed"];
/** What a bar of progress counts. */
const DOING = { boards: "Boards made", training: "Steps done", measuring: "Games played" };

/** See `lab.js`. */
export class Screen {
  constructor(about) {
    this.stop = () => {}; // ends listening to the training that is shown
    this.shown = null;
    this.questions = new LatestQuestion();
    this.lists = new LatestQuestion();
    this.listed = [];
    this.options = {};
    this.choice = new GameChoice(about, () => this.#gameChanged(), true);
    this.fields = el("div", { class: "training-fields" });
    this.wrong = el("p", { class: "wrong", role: "alert" });
    this.earlier = el("div", { class: "trainings" });
    this.view = el("section", { class: "lab-main training", "aria-label": "Training" });
    this.element = startingForm(
      {
        title: "New training",
        start: (event) => this.#start(event),
        fields: [this.choice.element, this.fields],
        wrong: this.wrong,
        button: "Start training",
      },
      this.earlier,
      this.view,
    );
  }

  async begin() {
    await Promise.all([this.#gameChanged(), this.#drawList()]);
    const first = this.listed[0];
    if (first) this.#open(first);
    else this.#drawNothing();
  }

  leave() {
    this.stop();
    this.left = true;
    clearTimeout(this.looking);
  }

  // ---- the form

  #gameChanged() {
    this.asking = this.#ask();
    return this.asking;
  }

  /** The options for this game; until they come, the fields stay as they were. */
  async #ask() {
    const isLatest = this.questions.ask();
    enableFields(this.fields, false);
    try {
      const choices = await get("trainings/choices", this.choice.query);
      if (!isLatest()) return;
      this.choices = choices;
      const { learners, sources } = this.choices;
      this.learner = learners.find(({ name }) => name === this.learner?.name) ?? learners[0];
      this.from = sources.find(({ id }) => id === this.picked) ?? sources[0];
      this.games ??= this.choices.usual_games;
      this.#drawFields();
      this.wrong.textContent = "";
    } catch (error) {
      if (!isLatest()) return;
      enableFields(this.fields, true);
      this.wrong.textContent = error.message;
    }
  }

  #drawFields() {
    const { learners, sources, least_games: least, most_games: most } = this.choices;
    const named = (all) => all.map((one) => ({ value: one, title: one.title }));
    const pick = (key) => (one) => {
      this[key] = one;
      this.picked = this.from.id;
      this.#drawFields();
    };
    const set = (name) => (value) => (this.options[name] = value);
    replaceFields(
      this.fields,
      list("Learner", named(learners), this.learner, pick("learner")),
      el("p", { class: "small soft", text: this.learner.about }),
      this.learner.needs_boards && [
        list("Boards to learn from", named(sources), this.from, pick("from")),
        el("p", { class: "small soft", text: this.from.about }),
        this.from.games &&
          number("Games to play for the boards", this.games, (value) => (this.games = value), {
            least,
            most,
          }),
      ],
      el(
        "div",
        { class: "training-sizes" },
        this.learner.options.map(({ name, title, help, whole, ...bounds }) => {
          const value = this.options[name] ?? bounds.default;
          const step = whole ? 1 : "any";
          const field = number(title, value, set(name), { ...bounds, step });
          field.title = help;
          return field;
        }),
      ),
    );
  }

  async #start(event) {
    event.preventDefault();
    await this.asking;
    this.wrong.textContent = "";
    const known = new Set(this.learner.options.map(({ name }) => name));
    const options = Object.entries(this.options).filter(([name]) => known.has(name));
    try {
      const training = await post("trainings", {
        game: this.choice.game.name,
        settings: this.choice.settings,
        learner: this.learner.name,
        options: Object.fromEntries(options),
        source: this.learner.needs_boards ? this.from.id : null,
        games: this.games,
      });
      await this.#drawList();
      this.#open(training);
    } catch (error) {
      this.wrong.textContent = error.message;
    }
  }

  // ---- those there are

  /** The list of trainings; while one of them goes on, it is looked at again and again. */
  async #drawList() {
    clearTimeout(this.looking);
    const isLatest = this.lists.ask();
    const listed = await get("trainings");
    if (!isLatest() || this.left) return;
    if (listed.some(({ phase }) => !OVER.includes(phase))) {
      this.looking = setTimeout(() => this.#drawList().catch(() => {}), LOOK);
    }
    const ids = (all) => all.map(({ id }) => id).join(" ");
    const others = ids(listed) !== ids(this.listed);
    this.listed = listed;
    // A button that is drawn anew while the mouse is down on it would not be clicked.
    if (others) this.#drawEntries();
    else listed.forEach(({ text }, n) => (this.texts[n].textContent = text));
  }

  #drawEntries() {
    this.texts = this.listed.map(({ text }) => el("span", { class: "small soft", text }));
    replace(
      this.earlier,
      this.listed.length > 1 && [
        el("h2", { text: "Trainings" }),
        el(
          "ul",
          { class: "training-list" },
          this.listed.map((one, n) =>
            el(
              "li",
              {},
              el(
                "button",
                { class: "button", type: "button", onclick: () => this.#open(one) },
                el("b", { text: `${large(one.game)} · ${one.title}` }),
                this.texts[n],
              ),
            ),
          ),
        ),
      ],
    );
  }

  #drawNothing() {
    replace(
      this.view,
      el("h2", { text: "See a machine learn" }),
      el("p", {
        class: "soft",
        text:
          "The boards are made first; then you see, step by step, how often the machine is right " +
          "and what its strongest rules are. When it is done, or when you stop it, you can save it " +
          "and play against it.",
      }),
    );
  }

  #open(training) {
    this.shown = training.id;
    this.stepName = training.step_name;
    this.phase = this.acted = null;
    this.head = el("div", { class: "training-head" });
    this.acts = el("div", { class: "row training-acts" });
    this.plot = el("div", { class: "training-plot" });
    this.strongest = el("section", { class: "training-clauses", "aria-label": "Clauses" });
    replace(this.view, this.head, this.acts, this.plot, this.strongest);
    this.#draw(training);
    this.stop();
    this.stop = listen(`trainings/${training.id}`, {
      training: (state) => this.#draw(state),
      clauses: (found) => this.#drawClauses(found),
    });
  }

  // ---- the one that is shown

  #draw(training) {
    if (training.id !== this.shown) return;
    this.view.dataset.phase = training.phase;
    this.view.dataset.steps = training.steps.length;
    this.#drawHead(training);
    const acts = `${training.phase} ${training.stopping} ${training.can_keep} ${training.kept}`;
    if (acts !== this.acted) this.#drawActs(training);
    this.acted = acts;
    if (training.steps.length) {
      const guess = training.boards?.guess;
      replace(this.plot, curve(training.steps, training.of, training.step_name, guess));
    }
    if (this.phase !== null && this.phase !== training.phase) this.#drawList();
    this.phase = training.phase;
  }

  #drawHead({ game, title, text, phase, share, boards, steps, of, strength }) {
    const done = phase === "training" ? steps.length / Math.max(1, of) : share;
    const notes = steps.flatMap((step) => step.notes);
    replace(
      this.head,
      el("h2", { text: `${large(game)} · ${title}` }),
      el("p", { class: phase === "failed" ? "wrong" : "", role: "status", text: large(text) }),
      phase in DOING && el("progress", { value: done, max: 1, "aria-label": DOING[phase] }),
      OVER.includes(phase) &&
        steps.length > 0 &&
        el("p", { class: "small", text: `Strength: ${strength}.` }),
      boards &&
        el("p", {
          class: "small soft number",
          text: taught(boards),
        }),
      notes.slice(-3).map((note) => el("p", { class: "small", text: note })),
    );
  }

  #drawActs(training) {
    const { id, title, phase, stopping, can_keep: canKeep, kept } = training;
    const over = OVER.includes(phase);
    const name = el("input", {
      type: "text",
      maxlength: 60,
      placeholder: title,
      "aria-label": "Name of the machine",
    });
    replaceKeeping(
      this.acts,
      "button, input",
      !over &&
        el("button", {
          class: "button",
          type: "button",
          disabled: stopping,
          onclick: () => this.#act(`trainings/${id}/stop`),
          text: stopping ? "Stopping…" : "Stop",
        }),
      canKeep && [
        name,
        el("button", {
          class: "button button--main",
          type: "button",
          onclick: () => this.#act(`trainings/${id}/keep`, { title: name.value.trim() }),
          text: "Save this machine",
        }),
      ],
      kept && [
        el("span", { class: "tag", text: "saved" }),
        el("button", {
          class: "button button--main",
          type: "button",
          onclick: () => this.#goTo("#/", training),
          text: "Play against it",
        }),
        el("button", {
          class: "button",
          type: "button",
          onclick: () => this.#goTo("#/lab", training),
          text: "See its clauses",
        }),
      ],
      over &&
        el(
          "button",
          { class: "button button--plain", type: "button", onclick: () => this.#forget(id) },
          icon("cross"),
          kept ? "Close" : "Discard",
        ),
    );
  }

  async #act(path, body = {}) {
    try {
      this.#draw(await post(path, body));
    } catch (error) {
      this.wrong.textContent = error.message;
    }
  }

  async #forget(id) {
    this.shown = null;
    this.stop();
    await remove(`trainings/${id}`);
    await this.#drawList();
    if (this.listed[0]) this.#open(this.listed[0]);
    else this.#drawNothing();
  }

  /** Go to a page on which the saved machine is chosen. */
  #goTo(hash, { game, settings, kept }) {
    const last = recall("start") ?? {};
    const all = { ...last.settings, [game]: settings };
    const opponents = { ...last.opponents, [game]: kept };
    remember("start", { ...last, game, settings: all, opponents });
    remember("room", { game, settings: { ...recall("room")?.settings, [game]: settings } });
    remember("machine", kept);
    location.hash = hash;
  }

  #drawClauses({ step, since, count, clauses }) {
    if (!clauses.length) return;
    replace(
      this.strongest,
      el("h3", {
        text: `The strongest of ${counted(count, "clause")} after ${this.stepName} ${step}`,
      }),
      el("p", {
        class: "small soft",
        text:
          "Ranked by right votes minus wrong ones on the boards held out; the board is shown as " +
          "the side to move sees it.",
      }),
      el(
        "ul",
        { class: "clauses" },
        clauses.map((clause) => clauseCard(clause, since > 0 && change(clause, `${this.stepName} ${since}`))),
      ),
    );
  }
}

/** What a machine learns from, in words. */
function taught({ learned, held_out: heldOut, results }) {
  const shown = Object.entries(results).map(([result, n]) => `${result} ${thousands(n)}`);
  const from = `Learns from ${counted(learned, "board")}; ${thousands(heldOut)} are held out`;
  return `${from} to test it. For the side to move: ${shown.join(", ")}.`;
}

/** What became of a clause since the last look at them. */
function change({ weight, weight_before: before, changed }, since) {
  if (before === null) return el("span", { class: "tag", text: `new since ${since}` });
  const said = [
    changed && `${counted(changed, "condition")} changed`,
    before !== weight && `weight was ${before}`,
  ].filter(Boolean);
  if (!said.length) return null;
  return el("p", { class: "small soft number", text: `Since ${since}: ${said.join(", ")}` });
}
