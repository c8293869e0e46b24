// Parts of the lab: the choice of a game, the card of a clause, the curve of a training.

import { el, picture, replace, svg } from "./dom.js";
import { list, setting, settingsOf } from "./fields.js";
import { recall, remember } from "./preferences.js";
import { thousands } from "./values.js";

/**
 * The choice of a game; `query` is what the server is asked with, `changed` is called after it.
 * `training`: with settings for a training, which are remembered by themselves.
 */
export class GameChoice {
  constructor(about, changed, training = false) {
    this.about = about;
    this.changed = changed;
    this.memory = training ? "training" : "room";
    this.training = training;
    const last = recall(this.memory) ?? { game: (recall("room") ?? recall("start"))?.game };
    if (!training) last.settings ??= recall("start")?.settings;
    this.game = about.games.find(({ name }) => name === last.game) ?? about.games[0];
    this.chosen = last.settings ?? {};
    this.element = el("div", { class: "settings lab-game" });
    this.#draw();
  }

  get settings() {
    const usual = this.training ? this.game.training : undefined;
    return settingsOf(this.game, this.chosen[this.game.name] ?? usual);
  }

  get query() {
    return { game: this.game.name, ...this.settings };
  }

  #draw() {
    const now = this.settings;
    const games = this.about.games.map((game) => ({ value: game, title: game.title }));
    replace(
      this.element,
      list("Game", games, this.game, (game) => {
        this.game = game;
        this.#draw();
        this.#told();
      }),
      this.game.settings.map((each) =>
        setting(each, now[each.name], (value) => {
          this.chosen[this.game.name] = { ...this.settings, [each.name]: value };
          this.#told();
        }),
      ),
    );
  }

  #told() {
    const settings = { ...this.chosen, [this.game.name]: this.settings };
    remember(this.memory, { game: this.game.name, settings });
    this.changed();
  }
}

/** A form at the side that starts something, with what there is already below it; `view` is beside. */
export function startingForm({ title, start, fields, wrong, button }, below, view) {
  return el(
    "div",
    { class: "gallery" },
    el(
      "div",
      { class: "lab-side" },
      el(
        "form",
        { class: "card lab-form", onsubmit: start },
        el("h2", { text: title }),
        fields,
        wrong,
        el("button", { class: "button button--main", type: "submit", text: button }),
      ),
      below,
    ),
    view,
  );
}

const percent = (share) => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;

/** The card of a clause; `more` are further lines. */
export function clauseCard(clause, ...more) {
  const way = clause.favours ? "for" : "against";
  return el(
    "li",
    { class: `clause ${way}` },
    clause.svg && el("div", { class: "clause-board" }, picture(clause.svg, clause.sentence)),
    el(
      "div",
      { class: "clause-words" },
      el(
        "b",
        { class: "clause-votes number" },
        el("span", { class: "sign", "aria-hidden": "true", text: clause.favours ? "+" : "−" }),
        clause.votes_text,
      ),
      el("p", { class: "clause-sentence", text: clause.sentence }),
      shares(clause),
      more,
    ),
  );
}

/** How often it fired, and which share of that was right: a bar, and the same in words. */
function shares({ about, fired, support, precision }) {
  const what = about === "move" ? "moves" : "boards";
  if (precision === null) {
    return el("p", { class: "small soft", text: `Fired on none of the ${what}` });
  }
  const right = el("span", { class: "share-right" });
  right.style.setProperty("--share", percent(precision).replace(" ", ""));
  const digits = Math.min(precision, 1 - precision) < 0.1 ? 1 : 0;
  const [is, not] = [precision, 1 - precision].map((part) => (100 * part).toFixed(digits));
  const boards = `${thousands(fired)} ${what} (${percent(support)})`;
  return el(
    "div",
    { class: "clause-share" },
    el("span", { class: "share-track", "aria-hidden": "true" }, right),
    el("p", {
      class: "small soft number",
      text: `${is} % right, ${not} % wrong · fired on ${boards}`,
    }),
  );
}

const WIDE = 640;
const HIGH = 260;
const LEFT = 52;
const RIGHT = 16;
const TOP = 14;
const BOTTOM = 34;
const MOST_CURVES = 2;

const isShare = (values) => values.every((value) => value >= 0 && value <= 1);

/** The figures to draw: the first two, if both are shares of 1; else the first alone. */
function curves(steps) {
  const names = Object.keys(steps[0]?.figures ?? {}).slice(0, MOST_CURVES);
  const all = names.map((name) => ({ name, values: steps.map(({ figures }) => figures[name]) }));
  const whole = all.filter(({ values }) => values.every((value) => value !== undefined));
  return whole.every(({ values }) => isShare(values)) ? whole : whole.slice(0, 1);
}

/** The picture of some steps of which there will be `of`; `guess` is what is right by guessing. */
export function curve(steps, of, stepName, guess) {
  const drawn = curves(steps);
  if (!drawn.length) return el("p", { class: "soft", text: "Nothing is measured yet." });
  const shares = drawn.every(({ values }) => isShare(values));
  const [low, high] = bounds(drawn, shares);
  const x = (step) => LEFT + ((step - 1) / Math.max(1, of - 1)) * (WIDE - LEFT - RIGHT);
  const y = (value) => TOP + ((high - value) / (high - low)) * (HIGH - TOP - BOTTOM);
  const figure = (value) => (shares ? `${(100 * value).toFixed(0)} %` : plain(value));
  const last = steps.at(-1).step;
  const said = drawn
    .map(({ name, values }) => `${name} ${figure(values.at(-1))}`)
    .join(", ");
  return el(
    "figure",
    { class: "curve" },
    svg(
      "svg",
      {
        viewBox: `0 0 ${WIDE} ${HIGH}`,
        role: "img",
        "aria-label": `After ${stepName} ${last} of ${of}: ${said}`,
      },
      lines(low, high, shares).map((value) => grid(value, y, figure)),
      ticks(of).map((step) =>
        written(x(step), HIGH - 14, "middle", `${step}`),
      ),
      drawn.map(({ values }, n) => line(steps, values, x, y, n)),
      shares && guess > low && guessed(guess, y),
    ),
    el(
      "figcaption",
      { class: "curve-legend" },
      drawn.map(({ name, values }, n) =>
        el(
          "span",
          {},
          svg(
            "svg",
            { viewBox: "0 0 28 10", class: "curve-key", "aria-hidden": "true" },
            svg("path", { d: "M1 5h26", class: `curve-line curve-line--${n}` }),
          ),
          el("b", { class: "number", text: figure(values.at(-1)) }),
          name,
        ),
      ),
    ),
  );
}

function bounds(drawn, shares) {
  const values = drawn.flatMap((each) => each.values);
  const low = Math.min(...values);
  const high = Math.max(...values);
  if (shares) return [Math.max(0, Math.min(0.4, Math.floor(10 * low) / 10)), 1];
  const room = (high - low || Math.abs(high) || 1) * 0.1;
  return [low - room, high + room];
}

/** Where the lines of the grid are: every tenth of a share, else five in all. */
function lines(low, high, shares) {
  const n = shares ? Math.round(10 * (high - low)) : 4;
  return Array.from({ length: n + 1 }, (_, k) => low + ((high - low) * k) / n);
}

function grid(value, y, figure) {
  return svg(
    "g",
    {},
    svg("path", { class: "curve-grid", d: `M${LEFT} ${y(value)}H${WIDE - RIGHT}` }),
    written(LEFT - 8, y(value) + 4, "end", figure(value)),
  );
}

/** The line of whoever always says what is most frequent. */
function guessed(share, y) {
  const d = `M${LEFT} ${y(share)}H${WIDE - RIGHT}`;
  const text = `always the most frequent result: ${(100 * share).toFixed(0)} %`;
  return svg(
    "g",
    {},
    svg("path", { class: "curve-guess", d }),
    written(LEFT + 6, y(share) + 16, "start", text),
  );
}

function written(x, y, anchor, text) {
  return svg("text", { class: "curve-tick", x, y, "text-anchor": anchor }, text);
}

function line(steps, values, x, y, n) {
  const points = steps.map(({ step }, k) => `${x(step).toFixed(1)},${y(values[k]).toFixed(1)}`);
  const [right, down] = points.at(-1).split(",");
  return svg(
    "g",
    {},
    svg("polyline", { class: `curve-line curve-line--${n}`, points: points.join(" ") }),
    svg("circle", { class: `curve-end curve-end--${n}`, cx: right, cy: down, r: 4.5 }),
  );
}

function ticks(of) {
  const every = Math.max(1, Math.ceil(of / 10));
  const found = [];
  for (let step = every === 1 ? 1 : every; step <= of; step += every) found.push(step);
  return found;
}

function plain(value) {
  return Number(value.toPrecision(3)).toLocaleString("en-GB");
}
