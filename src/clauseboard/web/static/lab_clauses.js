// The clauses of a machine as a gallery: sorted, filtered by result, direction and square, paged.

import { LatestQuestion, get, remove } from "./api.js";
import { el, replace, replaceKeeping, shapes, svg } from "./dom.js";
import { confirmed } from "./dialogs.js";
import { list, segments } from "./fields.js";
import { icon } from "./icons.js";
import { recall, remember } from "./preferences.js";
import { GameChoice, clauseCard } from "./lab_parts.js";
import { counted, large, thousands } from "./values.js";

const SORTS = [
  ["weight", "Weight"],
  ["votes", "Total votes"],
  ["right", "Most often right"],
  ["wrong", "Most often wrong"],
  ["support", "Fires most often"],
  ["short", "Shortest"],
].map(([value, title]) => ({ value, title }));

/** See `lab.js`. */
export class Screen {
  constructor(about) {
    this.machine = null;
    this.wish = { sort: "weight", about: null, favours: null, cell: null, page: 1 };
    this.questions = new LatestQuestion();
    this.choice = new GameChoice(about, () => this.gameChanged());
    this.machines = el("div", { class: "lab-machines" });
    this.filters = el("div", { class: "lab-filters" });
    this.square = el("div", { class: "lab-square" });
    this.found = el("p", { class: "soft", role: "status" });
    this.notes = el("p", { class: "small soft" });
    this.cards = el("ul", { class: "clauses" });
    this.pages = el("nav", { class: "pages row", "aria-label": "Pages" });
    this.element = el(
      "div",
      { class: "gallery" },
      el(
        "section",
        { class: "card lab-side", "aria-label": "What to show" },
        this.choice.element,
        this.machines,
        this.filters,
        this.square,
      ),
      el(
        "section",
        { class: "lab-main", "aria-label": "Clauses" },
        this.found,
        this.notes,
        this.cards,
        this.pages,
      ),
    );
  }

  begin() {
    return this.gameChanged();
  }

  leave() {}

  async gameChanged() {
    const query = this.choice.query;
    const isLatest = this.questions.ask();
    this.#say("Counting what its clauses do…");
    try {
      const [machines, board] = await Promise.all([get("machines", query), get("board", query)]);
      if (!isLatest()) return;
      this.board = board;
      this.known = machines;
      const last = recall("machine");
      this.machine = machines.find(({ id }) => id === last) ?? machines[0] ?? null;
      this.wish = { ...this.wish, about: null, cell: null, page: 1 };
      this.#drawMachines();
      await this.#load();
    } catch (error) {
      if (isLatest()) this.#say(error.message);
    }
  }

  #change(more) {
    this.wish = { ...this.wish, page: 1, ...more };
    return this.#load();
  }

  async #load() {
    if (!this.machine) {
      replace(this.filters);
      replace(this.square);
      this.#say("There is no readable machine for this game with these settings yet.");
      this.notes.append(" ", el("a", { href: "#/lab/training", text: "Train one." }));
      return;
    }
    const isLatest = this.questions.ask();
    this.cards.setAttribute("aria-busy", "true");
    try {
      const path = `machines/${encodeURIComponent(this.machine.id)}/clauses`;
      const page = await get(path, { ...this.choice.query, ...this.wish });
      if (isLatest()) this.#draw(page);
    } catch (error) {
      if (isLatest()) this.#say(error.message);
    }
  }

  #say(sentence) {
    this.found.textContent = sentence;
    this.notes.textContent = "";
    this.cards.removeAttribute("aria-busy");
    replace(this.cards);
    replace(this.pages);
  }

  #drawMachines() {
    replace(this.machines);
    if (!this.machine) return;
    const choices = this.known.map((one) => ({ value: one, title: large(one.title) }));
    const about = el("p", { class: "small soft" });
    const forget = el(
      "button",
      { class: "button button--small", type: "button", onclick: () => this.#forget() },
      icon("cross"),
      "Delete this machine",
    );
    const tell = () => {
      about.textContent = `${this.machine.about} Strength: ${this.machine.strength}.`;
      forget.hidden = !this.machine.kept;
    };
    tell();
    this.machines.append(
      list("Machine", choices, this.machine, (machine) => {
        this.machine = machine;
        remember("machine", machine.id);
        tell();
        this.#change({ about: null });
      }),
      about,
      forget,
    );
  }

  async #forget() {
    const { id, title } = this.machine;
    const sentence = `Games against ${title} cannot be continued.`;
    if (!(await confirmed("Delete this machine?", sentence, "Delete"))) return;
    await remove(`machines/${encodeURIComponent(id)}`);
    await this.gameChanged();
  }

  #draw(page) {
    this.cards.removeAttribute("aria-busy");
    this.found.textContent =
      page.found === page.total
        ? `${counted(page.total, "clause")} that can fire.`
        : `${thousands(page.found)} of ${counted(page.total, "clause")}.`;
    const marks = "A ring marks a piece that must be there, a cross one that must not.";
    this.notes.textContent = `${page.about_boards} ${page.seen_by} ${marks}`;
    replace(this.cards, page.clauses.map((clause) => clauseCard(clause)));
    this.#drawFilters(page.abouts);
    this.#drawSquare();
    this.#drawPages(page);
  }

  #drawFilters(abouts) {
    const all = { value: null, title: "All" };
    const results = abouts.map((value) => ({
      value,
      title: value === "draw" ? "Draw" : `${large(value)} wins`,
    }));
    const ways = [
      all,
      { value: "for", title: "+ for" },
      { value: "against", title: "− against" },
    ];
    const held = document.activeElement?.closest?.(".lab-filters .field");
    const place = held ? [...this.filters.children].indexOf(held) : -1;
    replace(
      this.filters,
      list("Sort by", SORTS, this.wish.sort, (sort) => this.#change({ sort })),
      results.length > 0 &&
        segments("Result", [all, ...results], this.wish.about, (about) => this.#change({ about })),
      segments("Votes", ways, this.wish.favours, (favours) => this.#change({ favours })),
    );
    if (place >= 0) {
      this.filters.children[place].querySelector("select, input:checked")?.focus();
    }
  }

  /** The empty board, whose cells can be chosen: then only clauses about that cell are shown. */
  #drawSquare() {
    const drawn = shapes(this.board.background);
    drawn.querySelector("title")?.remove();
    drawn.setAttribute("aria-hidden", "true");
    for (const cell of this.board.cells) {
      const shape = cell.points
        ? svg("polygon", { points: cell.points })
        : svg("circle", { cx: cell.x, cy: cell.y, r: cell.r });
      shape.setAttribute("class", `pick${cell.id === this.wish.cell ? " picked" : ""}`);
      shape.dataset.cell = cell.id;
      const next = cell.id === this.wish.cell ? null : cell.id;
      shape.addEventListener("click", () => this.#change({ cell: next }));
      drawn.append(shape);
    }
    // The same choice for the keyboard and for screen readers.
    const choices = [
      { value: null, title: "Any" },
      ...this.board.cells.map(({ id, label }) => ({ value: id, title: label })),
    ];
    replaceKeeping(
      this.square,
      "select",
      list("About the square", choices, this.wish.cell, (cell) => this.#change({ cell })),
      drawn,
    );
  }

  #drawPages({ page, pages }) {
    const turn = (name, label, to) =>
      el(
        "button",
        {
          class: "button button--small",
          type: "button",
          "aria-label": label,
          disabled: to < 1 || to > pages || to === page,
          onclick: async () => {
            await this.#change({ page: to });
            this.found.scrollIntoView({ block: "nearest" });
          },
        },
        icon(name),
      );
    replaceKeeping(
      this.pages,
      "button:not(:disabled)",
      turn("first", "First page", 1),
      turn("back", "Previous page", page - 1),
      el("span", { class: "number", text: `Page ${page} of ${pages}` }),
      turn("forward", "Next page", page + 1),
      turn("last", "Last page", pages),
    );
  }
}
