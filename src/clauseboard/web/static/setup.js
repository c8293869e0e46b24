// Setting up a position: choose a piece, click cells; or write the position as the game writes it.

import { Board, pieceSwatch } from "./board.js";
import { el } from "./dom.js";
import { showDialog } from "./dialogs.js";
import { segments } from "./fields.js";
import { large } from "./values.js";

/**
 * Open the window. `accept(setUp)` is given what the server takes, `{pieces, to_move}` or `{text}`;
 * what it throws is shown, and the window stays open.
 */
export function setUpBoard({
  board,
  colours,
  title,
  accept,
  yes,
  pieces = [],
  text = "",
  toMove = colours[0],
}) {
  const placed = new Map(pieces.map((each) => [each.cell, each]));
  const wrong = el("p", { class: "wrong", role: "alert" });
  const names = Object.keys(board.pieces);
  let [brush] = names;
  let mover = toMove;

  const paint = (id) => {
    // The same piece again takes it away, so that the keyboard needs no eraser.
    if (brush === null || placed.get(id)?.piece === brush) placed.delete(id);
    else placed.set(id, { cell: id, piece: brush, label: `${id}, ${board.pieces[brush].title}` });
    draw();
  };
  const drawing = new Board(board, {
    label: "Board to set up",
    onCell: paint,
    onDrag: (from, to) => {
      const moved = placed.get(from);
      if (moved) {
        placed.delete(from);
        placed.set(to, { ...moved, cell: to, label: `${to}, ${board.pieces[moved.piece].title}` });
      }
      draw();
    },
    canDrag: (id) => placed.has(id),
  });
  const draw = () => drawing.setPieces([...placed.values()]);
  draw();

  const palette = segments(
    "Piece to place",
    [
      ...names.map((value) => ({
        value,
        title: large(board.pieces[value].title),
        picture: pieceSwatch(board, value),
      })),
      { value: null, title: "Remove" },
    ],
    brush,
    (value) => (brush = value),
  );
  const side = segments(
    "To move",
    colours.map((value) => ({ value, title: large(value) })),
    mover,
    (value) => (mover = value),
  );
  const written = el("input", {
    type: "text",
    value: text,
    spellcheck: "false",
    "aria-label": "Position as text",
  });
  const send = async (position) => {
    wrong.textContent = "";
    try {
      await accept(position);
      dialog.close();
    } catch (error) {
      wrong.textContent = error.message;
    }
  };
  const fromBoard = () =>
    send({
      pieces: [...placed.values()].map(({ cell, piece }) => ({ cell, piece })),
      to_move: mover,
    });
  const clear = () => {
    placed.clear();
    draw();
  };
  const frame = el("div", { class: "setup-board" }, drawing.element);
  frame.style.setProperty("--ratio", board.width / board.height);
  const dialog = showDialog(
    title,
    el(
      "div",
      { class: "setup" },
      frame,
      el(
        "div",
        { class: "setup-side" },
        palette,
        side,
        wrong,
        el(
          "div",
          { class: "row" },
          el("button", {
            class: "button button--main",
            type: "button",
            onclick: fromBoard,
            text: yes,
          }),
          el("button", {
            class: "button",
            type: "button",
            onclick: clear,
            text: "Clear the board",
          }),
        ),
        el(
          "details",
          {},
          el("summary", { text: "Or enter it as text" }),
          written,
          el("button", {
            class: "button",
            type: "button",
            onclick: () => send({ text: written.value }),
            text: "Use this text",
          }),
        ),
      ),
    ),
    { wide: true },
  );
  return dialog;
}
