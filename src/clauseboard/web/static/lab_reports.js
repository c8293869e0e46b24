// Tournaments and reports: begin a tournament, watch it, look at what there is, keep a report. A
// report is shown in a frame of its own, in which no script runs.

import { LatestQuestion, get, post, remove } from "./api.js";
import { confirmed } from "./dialogs.js";
import { el, replace, replaceKeeping } from "./dom.js";
import { number, tick } from "./fields.js";
import { icon } from "./icons.js";
import { GameChoice, startingForm } from "./lab_parts.js";
import { day, withMinus } from "./values.js";

/** Milliseconds between two looks at a tournament that is being played. */
const LOOK = 2000;
const LEAST_PLAYERS = 2;

/** See `lab.js`. */
export class Screen {
  constructor(about) {
    this.games = 20;
    this.seconds = 0.1;
    this.chosen = new Set();
    this.questions = new LatestQuestion();
    this.looks = new LatestQuestion();
    this.choice = new GameChoice(about, () => this.#askPlayers());
    this.players = el("fieldset", { class: "field" });
    this.wrong = el("p", { class: "wrong", role: "alert" });
    this.lists = el("div", { class: "shelf" });
    this.view = el("section", { class: "lab-main shelf-view", "aria-label": "Tournament or report" });
    this.file = el("input", {
      type: "file",
      class: "out",
      accept: ".md,.html,.htm",
      "aria-label": "Report to add",
      onchange: () => this.#addReport(),
    });
    const sizes = el(
      "div",
      { class: "training-sizes" },
      number("Games per pair", this.games, (value) => (this.games = value), {
        least: 1,
        most: 500,
      }),
      number("Seconds per move", this.seconds, (value) => (this.seconds = value), {
        least: 0.01,
        most: 10,
        step: "any",
      }),
    );
    this.element = startingForm(
      {
        title: "New tournament",
        start: (event) => this.#start(event),
        fields: [this.choice.element, this.players, sizes],
        wrong: this.wrong,
        button: "Start tournament",
      },
      this.lists,
      this.view,
    );
  }

  async begin() {
    await Promise.all([this.#askPlayers(), this.#drawLists()]);
    replace(
      this.view,
      el("h2", { text: "Who is stronger?" }),
      el("p", {
        class: "soft",
        text:
          "In a tournament every player meets every other one, equally often with each colour. " +
          "The ratings are updated after every game, and all games are kept. Earlier tournaments " +
          "and reports are in the list.",
      }),
    );
  }

  leave() {
    this.left = true;
    clearTimeout(this.looking);
  }

  // ---- a new tournament

  async #askPlayers() {
    const isLatest = this.questions.ask();
    const opponents = await get("opponents", this.choice.query);
    if (!isLatest()) return;
    const able = opponents.filter(({ id }) => id !== "person");
    const ids = able.map(({ id }) => id);
    this.chosen = new Set([...this.chosen].filter((id) => ids.includes(id)));
    replace(
      this.players,
      el("legend", { class: "label", text: "Players" }),
      able.map(({ id, title }) =>
        tick(title, this.chosen.has(id), (is) => {
          if (is) this.chosen.add(id);
          else this.chosen.delete(id);
        }),
      ),
    );
  }

  async #start(event) {
    event.preventDefault();
    if (this.chosen.size < LEAST_PLAYERS) {
      this.wrong.textContent = "Choose at least two players.";
      return;
    }
    await this.#try(async () => {
      const begun = await post("tournaments", {
        game: this.choice.game.name,
        settings: this.choice.settings,
        players: [...this.chosen],
        games: this.games,
        seconds: this.seconds,
      });
      await this.#drawLists(begun.id);
      await this.#openTournament(begun.id);
      this.view.scrollIntoView({ block: "start" }); // the form is longer than many windows
    });
  }

  async #try(act) {
    this.wrong.textContent = "";
    try {
      await act();
    } catch (error) {
      this.wrong.textContent = error.message;
    }
  }

  // ---- what there is

  async #drawLists(current = null) {
    const [tournaments, reports] = await Promise.all([get("tournaments"), get("reports")]);
    replace(
      this.lists,
      el(
        "section",
        { class: "card lab-form", "aria-label": "Tournaments and reports" },
        this.#shelf("Tournaments", tournaments, current, ({ id }) => this.#openTournament(id)),
        this.#shelf("Reports", reports, current, (one) => this.#openReport(one)),
        el("button", {
          class: "button",
          type: "button",
          text: "Add a report…",
          title: "A Markdown or HTML file, which is kept here",
          onclick: () => this.file.click(),
        }),
        this.file,
      ),
    );
  }

  #shelf(title, entries, current, open) {
    if (!entries.length) return null;
    const choose = (event, one) => {
      this.lists.querySelector("[aria-current]")?.removeAttribute("aria-current");
      event.currentTarget.setAttribute("aria-current", "true");
      open(one);
    };
    return el(
      "div",
      { class: "shelf-part" },
      el("h2", { text: title }),
      el(
        "ul",
        {},
        entries.map((one) =>
          el(
            "li",
            {},
            el(
              "button",
              {
                class: "shelf-entry",
                type: "button",
                "aria-current": one.id === current ? "true" : null,
                onclick: (event) => choose(event, one),
              },
              el("span", { text: one.title }),
              el("span", { class: "small soft", text: day(new Date(one.changed * 1000)) }),
            ),
          ),
        ),
      ),
    );
  }

  // ---- reports

  async #addReport() {
    const [file] = this.file.files;
    if (!file) return;
    await this.#try(async () => {
      const [, stem, suffix] = file.name.match(/^(.*?)(\.[^.]*)?$/);
      const kind = suffix?.toLowerCase() === ".md" ? "md" : "html";
      const title = (stem || "report").slice(0, 60);
      const kept = await post("reports", { title, kind, text: await file.text() });
      await this.#drawLists(kept.id);
      this.#openReport(kept);
    });
    this.file.value = "";
  }

  #openReport({ id, title, own }) {
    this.#shows(id);
    // No word after "sandbox" is a permission: no scripts, no forms, no address of ours.
    const frame = el("iframe", { class: "report", sandbox: "", title, src: `/api/reports/${id}` });
    replace(this.view, own && el("div", { class: "row" }, this.#discard(`reports/${id}`, title)), frame);
  }

  // ---- a tournament

  #openTournament(id) {
    this.#shows(id);
    replace(this.view, el("p", { class: "soft", role: "status", text: "Counting the games…" }));
    return this.#look(id);
  }

  /** What is shown now is another thing: whoever looks at the last one stops. */
  #shows(id) {
    this.shown = id;
    this.drawn = null;
    clearTimeout(this.looking);
  }

  async #look(id) {
    const isLatest = this.looks.ask();
    let found;
    try {
      found = await get(`tournaments/${id}`);
    } catch (error) {
      if (this.shown !== id) return;
      replace(this.view, el("p", { class: "wrong", role: "alert", text: error.message }));
      return;
    }
    if (this.shown !== id || this.left || !isLatest()) return;
    this.#drawTournament(found);
    if (found.running) this.looking = setTimeout(() => this.#look(id), LOOK);
  }

  #drawTournament(found) {
    const { id, text, games, running, parts } = found;
    if (this.drawn?.id !== id || this.drawn.running !== running) this.#drawHead(found);
    this.told.textContent = text;
    this.progress.value = games;
    replace(
      this.tables,
      parts.map((part) => [
        el("h3", { text: part.title }),
        part.tables.map(table),
        el(
          "ul",
          { class: "small soft shelf-notes" },
          part.notes.map((note) => el("li", { text: note })),
        ),
      ]),
    );
  }

  /** What stays while games are played: a button that is drawn anew under the mouse is not clicked. */
  #drawHead({ id, title, own, of, running }) {
    this.drawn = { id, running };
    this.told = el("p", { class: "soft", role: "status" });
    this.progress = el("progress", { max: of, "aria-label": "Games played" });
    this.tables = el("div", { class: "shelf-tables" });
    const stop = { class: "button", type: "button", text: "Stop", onclick: () => this.#stop(id) };
    replaceKeeping(
      this.view,
      "button",
      el("h2", { text: title }),
      this.told,
      running && this.progress,
      el(
        "div",
        { class: "row" },
        running && el("button", stop),
        own && !running && this.#discard(`tournaments/${id}`, title),
      ),
      this.tables,
    );
  }

  async #stop(id) {
    await this.#try(async () => {
      this.looks.ask(); // an answer that is on its way says that it is still being played
      clearTimeout(this.looking);
      this.#drawTournament(await post(`tournaments/${id}/stop`));
    });
    if (this.drawn?.running) this.#look(id); // it could not be stopped
  }

  #discard(path, title) {
    return el(
      "button",
      {
        class: "button button--plain",
        type: "button",
        onclick: () =>
          this.#try(async () => {
            if (!(await confirmed("Delete this?", `${title}.`, "Delete"))) return;
            await remove(path);
            this.#shows(null);
            replace(this.view, el("p", { class: "soft", role: "status", text: "Deleted." }));
            await this.#drawLists();
          }),
      },
      icon("cross"),
      "Delete",
    );
  }
}

function table({ title, heads, rows }) {
  return el(
    "div",
    { class: "table-box", tabindex: 0, role: "group", "aria-label": title },
    el(
      "table",
      {},
      el("caption", { text: title }),
      el(
        "thead",
        {},
        el("tr", {}, heads.map((text) => (text ? el("th", { scope: "col", text }) : el("td", {})))),
      ),
      el(
        "tbody",
        {},
        rows.map(([first, ...rest]) =>
          el(
            "tr",
            {},
            el("th", { scope: "row", text: first }),
            rest.map((text) => el("td", { text: withMinus(text) })),
          ),
        ),
      ),
    ),
  );
}
