// A board in SVG, from the geometry that the server gives. It knows cells and pieces, and no game.

import { calm, shapes, svg } from "./dom.js";

/** The sides of a cell, each a quarter turn from the one before. */
const SIDES = ["up", "right", "down", "left"];
const KEYS = { ArrowUp: 0, ArrowRight: 1, ArrowDown: 2, ArrowLeft: 3 };
const LAYERS = [
  "heat",
  "last",
  "pieces",
  "labels",
  "latest",
  "owners",
  "hints",
  "marks",
  "arrows",
  "drawn",
  "cells",
  "held",
];

export class Board {
  /**
   * `geometry` is what /api/board answers. `onCell(id)` is called for a click or Enter on a cell,
   * `onDrag(from, to)` for a piece that was dragged, `canDrag(id)` says whether one may be.
   * With the right button the person draws arrows and rings, which nobody else sees.
   */
  constructor(geometry, { onCell, onDrag, canDrag, label }) {
    Object.assign(this, { geometry, onCell, onDrag, canDrag });
    this.cells = new Map(geometry.cells.map((cell) => [cell.id, cell]));
    this.angle = 0; // degrees by which the board is turned
    this.pieces = new Map();
    this.drawn = new Map();
    this.background = svg("g", { class: "background", "aria-hidden": "true" });
    this.background.append(...shapes(geometry.background).childNodes);
    this.background.querySelectorAll("title").forEach((title) => title.remove());
    this.layers = Object.fromEntries(LAYERS.map((name) => [name, svg("g", { class: name })]));
    // Names of cells are above all that is drawn on the cells, so that they stay readable.
    this.layers.labels.append(...this.background.querySelectorAll("text"));
    for (const name of LAYERS) {
      if (name !== "cells") this.layers[name].setAttribute("aria-hidden", "true");
    }
    this.turning = svg("g", {}, this.background, Object.values(this.layers));
    this.element = svg(
      "svg",
      {
        viewBox: `0 0 ${geometry.width} ${geometry.height}`,
        class: "board",
        role: "group",
        "aria-label": label,
      },
      this.turning,
    );
    this.targets = new Map(geometry.cells.map((cell) => [cell.id, this.#target(cell)]));
    this.layers.cells.append(...this.targets.values());
    this.#rove(geometry.cells[0].id);
    this.#listen();
  }

  // ---- what is on the board

  /** Show pieces: [{cell, piece, label}]. Where `slide` is a path, a piece moves along it. */
  setPieces(pieces, slide = []) {
    const wanted = new Map(pieces.map((each) => [each.cell, each]));
    const from = slide.length > 1 ? this.pieces.get(slide[0]) : undefined;
    const slides = from && !wanted.has(slide[0]) && wanted.has(slide.at(-1));
    for (const [cell, { piece, element }] of [...this.drawn]) {
      if (wanted.get(cell)?.piece === piece) continue;
      this.drawn.delete(cell);
      this.#leave(element, slides && cell === slide[0]);
    }
    for (const [cell, each] of wanted) {
      if (this.drawn.has(cell)) continue;
      const element = this.piece(each.piece, cell);
      this.layers.pieces.append(element);
      this.drawn.set(cell, { piece: each.piece, element });
      if (slides && cell === slide.at(-1)) this.#slide(element, slide);
    }
    this.pieces = wanted;
    this.#label();
  }

  /** A piece drawn on a cell. */
  piece(name, cell) {
    const { x, y } = this.cells.get(cell);
    const drawing = this.geometry.pieces[name];
    const inner = svg("g", { class: "piece" });
    if (drawing) inner.append(...shapes(drawing.svg).childNodes);
    return svg("g", { transform: this.#upright(x, y) }, inner);
  }

  #upright(x, y) {
    return `translate(${x} ${y})${this.angle ? ` rotate(${-this.angle})` : ""}`;
  }

  #leave(element, at_once) {
    if (at_once || calm()) return element.remove();
    const fading = element.firstChild.animate({ opacity: [1, 0] }, { duration: 160 });
    fading.finished.then(
      () => element.remove(),
      () => element.remove(),
    );
    return undefined;
  }

  #slide(element, path) {
    if (calm()) return;
    const end = this.cells.get(path.at(-1));
    const steps = path.map((id) => {
      const [dx, dy] = this.#seen(this.cells.get(id), end);
      return { transform: `translate(${dx}px, ${dy}px)` };
    });
    element.firstChild.animate(steps, { duration: 130 + 90 * path.length, easing: "ease-in-out" });
  }

  /** How far one cell is from another, as the person sees it. */
  #seen(from, to) {
    const [dx, dy] = [from.x - to.x, from.y - to.y];
    const [cos, sin] = [
      [1, 0],
      [0, 1],
      [-1, 0],
      [0, -1],
    ][this.angle / 90];
    return [dx * cos - dy * sin, dx * sin + dy * cos];
  }

  // ---- marks: each of these replaces what it showed before

  /** The move that was made last, and the cells by which the game was won. */
  setLast(cells, winning = []) {
    const shown = cells.filter((id) => this.cells.has(id));
    // A piece that was put down has the mark on it; one that was moved shows where it went.
    const put = shown.length === 1 && this.pieces.has(shown[0]);
    const under = put ? [] : shown;
    const on = put ? shown : [];
    this.layers.last.replaceChildren(...under.map((id) => this.outline(id, "last-cell")));
    this.layers.latest.replaceChildren(
      ...on.map((id) => this.dot(id, "latest-mark", 0.9)),
      ...winning.map((id) => this.dot(id, "winning-mark", 0.9)),
    );
  }

  /** What a click can do: pieces to take up, the cells chosen so far or planned, cells to go to. */
  setChoices({ movable = [], chosen = [], planned = [], next = [], ghost = null }) {
    this.choices = { movable: new Set(movable), next: new Set(next), ghost };
    // The pointer may still be where a stone was put; a pale one must not stay on it.
    this.#hover(null);
    this.layers.hints.replaceChildren(
      ...[...movable].map((id) => this.outline(id, "movable")),
      ...chosen.map((id) => this.outline(id, "chosen")),
      ...planned.map((id) => this.outline(id, "planned")),
      ...(ghost ? [] : [...next].map((id) => this.dot(id, "next"))),
    );
    this.element.classList.toggle("placing", ghost !== null);
    this.#label();
  }

  /** Heat: {cell: -1 to 1}; blue with + for, orange with − against. */
  setHeat(shares) {
    const strongest = Math.max(...Object.values(shares ?? {}).map(Math.abs), 1e-9);
    const shown = Object.entries(shares ?? {}).filter(([id]) => this.cells.has(id));
    this.layers.heat.replaceChildren();
    this.layers.owners.querySelectorAll(".heat-sign").forEach((sign) => sign.remove());
    for (const [id, share] of shown) {
      const size = Math.abs(share) / strongest;
      if (size < 0.03) continue;
      const cell = this.outline(id, share < 0 ? "heat-against" : "heat-for");
      cell.setAttribute("fill-opacity", (0.15 + 0.7 * size).toFixed(3));
      this.layers.heat.append(cell);
      const sign = this.sign(id, share < 0 ? "−" : "+", "heat-sign");
      sign.setAttribute("opacity", (0.35 + 0.65 * size).toFixed(3));
      this.layers.owners.append(sign);
    }
  }

  /** Whose each cell is at the end of a game, and which pieces are taken off. */
  setOwners(owners, dead) {
    this.layers.owners.replaceChildren();
    for (const [id, piece] of Object.entries(owners ?? {})) {
      if (!this.cells.has(id) || !piece) continue;
      const small = this.piece(piece, id);
      small.setAttribute("transform", `${small.getAttribute("transform")} scale(0.36)`);
      small.classList.add("owner");
      this.layers.owners.append(small);
    }
    const gone = new Set(dead ?? []);
    for (const [id, { element }] of this.drawn) element.classList.toggle("dead", gone.has(id));
  }

  /** Light up what a reason speaks of: needed with +, forbidden with −. */
  setLit({ needed = [], forbidden = [], cells = [] } = {}) {
    // A piece that must be there says already that no other one may be.
    const kinds = new Map(cells.map((id) => [id, ["lit", ""]]));
    for (const id of forbidden) kinds.set(id, ["lit-forbidden", "−"]);
    for (const id of needed) kinds.set(id, ["lit-needed", "+"]);
    const marked = [...kinds].filter(([id]) => this.cells.has(id));
    const each = (draw) =>
      marked.map(([id, [kind, text]]) => svg("g", { class: kind }, draw(id, text)));
    // All badges above all outlines, for they reach into the next cell.
    this.layers.marks.replaceChildren(
      ...each((id) => this.outline(id, "lit-cell")),
      ...each((id, text) => this.#badge(id, text)),
    );
    this.element.classList.toggle("lighting", marked.length > 0);
  }

  /** Draw moves as numbered arrows (or rings, for moves of one cell): [[cells], ...]. */
  setLine(paths) {
    this.layers.arrows.replaceChildren();
    paths.forEach((path, n) => {
      const known = path.filter((id) => this.cells.has(id));
      if (!known.length) return;
      const mark = svg("g", { class: n % 2 ? "reply" : "lead" });
      for (let k = 1; k < known.length; k += 1) mark.append(this.#arrow(known[k - 1], known[k]));
      if (known.length === 1) mark.append(this.dot(known[0], "ring", 1.5));
      mark.append(this.sign(known.at(-1), String(n + 1), "step"));
      this.layers.arrows.prepend(mark);
    });
  }

  // ---- shapes

  /** The outline of a cell. */
  outline(id, kind) {
    const { x, y, points, r } = this.cells.get(id);
    if (points) return svg("polygon", { points: corners(points), class: kind });
    return svg("circle", { cx: x, cy: y, r, class: kind });
  }

  dot(id, kind, size = 1) {
    const { x, y } = this.cells.get(id);
    return svg("circle", { cx: x, cy: y, r: size * 0.3 * this.unit, class: kind });
  }

  sign(id, text, kind) {
    const { x, y } = this.cells.get(id);
    const attributes = {
      transform: this.#upright(x, y),
      class: kind,
      "font-size": 0.8 * this.unit,
    };
    return svg("text", attributes, text);
  }

  #badge(id, text) {
    if (!text) return null;
    const { x, y } = this.cells.get(id);
    const away = 0.62 * this.unit;
    return svg(
      "g",
      { class: "badge", transform: `${this.#upright(x, y)} translate(${away} ${-away})` },
      svg("circle", { r: 0.3 * this.unit }),
      svg("text", { "font-size": 0.52 * this.unit }, text),
    );
  }

  #arrow(from, to) {
    const [a, b] = [this.cells.get(from), this.cells.get(to)];
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const [dx, dy] = [(b.x - a.x) / length, (b.y - a.y) / length];
    const u = this.unit;
    const tip = [b.x - 0.3 * u * dx, b.y - 0.3 * u * dy];
    const neck = [tip[0] - 0.6 * u * dx, tip[1] - 0.6 * u * dy];
    const wing = (s) => [neck[0] - s * 0.34 * u * dy, neck[1] + s * 0.34 * u * dx];
    return svg(
      "g",
      {},
      svg("line", { x1: a.x, y1: a.y, x2: neck[0], y2: neck[1], "stroke-width": 0.24 * u }),
      svg("polygon", { points: corners([tip, wing(1), wing(-1)]) }),
    );
  }

  /** Half the width of a cell: what sizes of marks are measured in. */
  get unit() {
    const { x, points, r } = this.geometry.cells[0];
    return r ?? Math.max(...pairs(points).map(([px]) => Math.abs(px - x)));
  }

  // ---- turning the board round

  /** Turn the board by quarters, 0 to 270 degrees; words stay upright. */
  turn(angle) {
    const { width, height } = this.geometry;
    this.angle = angle;
    const seen = angle % 180 ? [height, width] : [width, height];
    this.element.setAttribute("viewBox", `0 0 ${seen.join(" ")}`);
    turnRound(this.turning, this.layers.labels, this.geometry, angle);
    const pieces = [...this.pieces.values()];
    for (const { element } of this.drawn.values()) element.remove();
    this.drawn.clear();
    this.setPieces(pieces);
  }

  // ---- clicks, drags and keys

  #target(cell) {
    const target = this.outline(cell.id, "cell");
    target.dataset.cell = cell.id;
    target.setAttribute("role", "button");
    target.setAttribute("tabindex", "-1");
    return target;
  }

  #label() {
    for (const [id, target] of this.targets) {
      const cell = this.cells.get(id);
      const here = this.pieces.get(id);
      const can = this.choices?.next.has(id) || this.choices?.movable.has(id);
      const said = `${here ? here.label : `${cell.label}, empty`}${can ? ", can be chosen" : ""}`;
      if (target.getAttribute("aria-label") !== said) target.setAttribute("aria-label", said);
      target.classList.toggle("open", Boolean(can));
      target.classList.toggle("grab", Boolean(here) && this.canDrag(id));
    }
  }

  #rove(id) {
    this.targets.get(this.current)?.setAttribute("tabindex", "-1");
    this.current = id;
    this.targets.get(id).setAttribute("tabindex", "0");
  }

  /** Put the keyboard on a cell, or back where it was. */
  focus(id = this.current) {
    this.#rove(id);
    this.targets.get(id).focus();
  }

  #listen() {
    const cells = this.layers.cells;
    for (const [id, target] of this.targets) {
      // Not on their group: in SVG, what listens to the keyboard's coming is told to take it.
      target.addEventListener("focus", () => {
        this.#rove(id);
        this.#hover(id);
      });
      target.addEventListener("blur", () => this.#hover(null));
    }
    cells.addEventListener("keydown", (event) => this.#key(event));
    // The pointer does not take the keyboard along: arrow keys then walk through the moves, and no
    // cell is left with a glow.
    cells.addEventListener("mousedown", (event) => {
      event.preventDefault();
      if (cells.contains(document.activeElement)) document.activeElement.blur();
    });
    cells.addEventListener("pointerover", (event) => this.#hover(event.target.dataset.cell));
    cells.addEventListener("pointerleave", () => this.#hover(null));
    this.element.addEventListener("pointerdown", (event) => this.#press(event));
    this.element.addEventListener("pointermove", (event) => this.#move(event));
    this.element.addEventListener("pointerup", (event) => this.#release(event));
    this.element.addEventListener("pointercancel", () => this.#drop());
    this.element.addEventListener("contextmenu", (event) => event.preventDefault());
    // Screen readers click without a pointer.
    cells.addEventListener("click", (event) => {
      if (event.detail === 0) this.onCell(event.target.dataset.cell);
    });
  }

  #key(event) {
    const side = KEYS[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (side !== undefined) {
      const cell = this.cells.get(this.current);
      const next = cell[SIDES[(side + 4 - this.angle / 90) % 4]];
      if (next) this.focus(next);
      event.preventDefault();
    } else if (event.key === "Enter" || event.key === " ") {
      this.onCell(this.current);
      event.preventDefault();
    }
  }

  /** A pale piece where one may be put. */
  #hover(id) {
    this.layers.held.querySelector(".ghost")?.remove();
    const { ghost, next } = this.choices ?? {};
    if (!id || !ghost || !next.has(id)) return;
    const piece = this.piece(ghost, id);
    piece.classList.add("ghost");
    this.layers.held.append(piece);
  }

  #press(event) {
    const id = event.target.dataset?.cell;
    if (id && event.button === 2) this.drawingFrom = id;
    if (!id || event.button !== 0) return;
    this.clearDrawn();
    this.#rove(id);
    this.press = { id, x: event.clientX, y: event.clientY, held: null };
    if (this.canDrag(id)) this.element.setPointerCapture(event.pointerId);
  }

  #move(event) {
    if (!this.press || !this.element.hasPointerCapture(event.pointerId)) return;
    const { id, x, y } = this.press;
    if (!this.press.held && Math.hypot(event.clientX - x, event.clientY - y) < 6) return;
    if (!this.press.held) {
      const drawn = this.drawn.get(id);
      if (!drawn) return;
      drawn.element.classList.add("lifted");
      this.press.held = this.piece(drawn.piece, id);
      this.layers.held.append(this.press.held);
      this.element.classList.add("dragging");
    }
    const at = this.#point(event);
    this.press.held.setAttribute("transform", this.#upright(at.x, at.y));
  }

  /** An arrow by the right button, or a ring where it did not leave the cell; again: gone. */
  #drawOwn(from, to) {
    const name = `${from} ${to}`;
    const there = this.layers.drawn.querySelector(`[data-drawn="${name}"]`);
    if (there) return there.remove();
    const mark = from === to ? this.dot(from, "ring", 2.4) : this.#arrow(from, to);
    mark.dataset.drawn = name;
    return this.layers.drawn.append(mark);
  }

  /** Take away what the person has drawn. */
  clearDrawn() {
    this.layers.drawn.replaceChildren();
  }

  #release(event) {
    if (event.button === 2 && this.drawingFrom) {
      const to = this.#nearest(this.#point(event));
      if (to) this.#drawOwn(this.drawingFrom, to);
      this.drawingFrom = null;
      return;
    }
    if (!this.press) return;
    const { id, held } = this.press;
    const over = this.#nearest(this.#point(event));
    this.#drop();
    if (held && over && over !== id) this.onDrag(id, over);
    else if (!held && over === id) this.onCell(id);
  }

  #drop() {
    this.press?.held?.remove();
    this.press = null;
    this.element.classList.remove("dragging");
    for (const { element } of this.drawn.values()) element.classList.remove("lifted");
  }

  #point(event) {
    const point = new DOMPoint(event.clientX, event.clientY);
    return point.matrixTransform(this.turning.getScreenCTM().inverse());
  }

  #nearest({ x, y }) {
    const apart = (cell) => Math.hypot(cell.x - x, cell.y - y);
    const near = this.geometry.cells.reduce((a, b) => (apart(b) < apart(a) ? b : a));
    return apart(near) < 1.5 * this.unit ? near.id : null;
  }
}

/** Turn a group, so that its corner is at 0, 0 again; the words among `written` stay upright. */
function turnRound(group, written, { width, height }, angle) {
  const corner = { 0: [0, 0], 90: [height, 0], 180: [width, height], 270: [0, width] }[angle];
  group.setAttribute("transform", `translate(${corner.join(" ")}) rotate(${angle})`);
  for (const text of written.querySelectorAll("text")) {
    const [x, y] = [text.getAttribute("x") ?? 0, text.getAttribute("y") ?? 0];
    text.setAttribute("transform", angle ? `rotate(${-angle} ${x} ${y})` : "");
  }
}

/** Turn a small picture of a board round, as the main board is. */
export function turnPicture(picture) {
  const { width, height } = picture.viewBox.baseVal;
  const group = svg("g", {}, [...picture.childNodes]);
  picture.replaceChildren(group);
  turnRound(group, group, { width, height }, 180);
  return picture;
}

/** Corners as SVG wants them; the server may send them as text already. */
function corners(points) {
  return typeof points === "string" ? points : points.map((pair) => pair.join(",")).join(" ");
}

function pairs(points) {
  if (typeof points !== "string") return points;
  const numbers = points
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  return numbers.flatMap((x, n) => (n % 2 ? [] : [[x, numbers[n + 1]]]));
}

// ---- a piece by itself, small, beside words

/** The first piece of a colour. */
export function swatch(board, colour) {
  const piece = Object.values(board.pieces).find((each) => each.colour === colour);
  return piece ? drawn(board, piece) : null;
}

/** A piece by its name. */
export function pieceSwatch(board, name) {
  return drawn(board, board.pieces[name]);
}

function drawn(board, piece) {
  const { r, points, x } = board.cells[0];
  const reach = (pair) => Math.abs(parseFloat(pair) - x);
  const half = points ? Math.max(...points.trim().split(/\s+/).map(reach)) : r;
  const box = [-half, -half, 2 * half, 2 * half].join(" ");
  const drawing = svg("svg", { viewBox: box, class: "swatch", "aria-hidden": "true" });
  drawing.append(...shapes(piece.svg).childNodes);
  return drawing;
}

// ---- moves as paths of cells: what may be clicked next, and when a move is complete

const begins = (path, prefix) => prefix.every((cell, n) => path[n] === cell);

/** The moves that go on from the cells clicked so far. */
export function goingOn(legal, prefix) {
  return legal.filter((move) => move.kind === "move" && begins(move.path, prefix));
}

/** The cells that may be clicked next. */
export function nextCells(legal, prefix) {
  const moves = goingOn(legal, prefix).filter((move) => move.path.length > prefix.length);
  return new Set(moves.map((move) => move.path[prefix.length]));
}

/**
 * What a click means: {play: move}, {select: prefix} or {wrong: path}.
 *
 * A click on the end of a long move plays it at once where only one move ends there; otherwise each
 * step is clicked. A click on a selected cell lets go of it.
 */
export function click(legal, prefix, cell) {
  if (prefix.length && prefix.at(-1) === cell) {
    const whole = goingOn(legal, prefix).find((move) => move.path.length === prefix.length);
    return whole ? { play: whole } : { select: [] };
  }
  const longer = [...prefix, cell];
  const moves = goingOn(legal, longer);
  if (moves.length === 1 && moves[0].path.length === longer.length) return { play: moves[0] };
  if (moves.length) return { select: longer };
  const ending = prefix.length
    ? goingOn(legal, prefix).filter((move) => move.path.at(-1) === cell)
    : [];
  if (ending.length === 1) return { play: ending[0] };
  if (goingOn(legal, [cell]).length) return click(legal, [], cell);
  return { wrong: longer };
}

/** The cells from which a piece is taken up: the starts of moves of more than one step. */
export function starts(legal) {
  return new Set(legal.filter((move) => move.path.length > 1).map((move) => move.path[0]));
}
