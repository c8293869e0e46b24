"""Run the notebooks in docs/notebooks and store what they show.

    python docs/run_notebooks.py [NAME ...]

The cells of a notebook run one after another in a folder of their own, as a kernel would run them,
and the last expression of a cell is shown as Jupyter shows it: as HTML or SVG if the object can
draw itself, or else as text. A test runs them and compares what kinds of output there are.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "notebooks"
DRAWN = {"text/html": "_repr_html_", "image/svg+xml": "_repr_svg_"}


def run_notebook(path: Path) -> dict[str, Any]:
    """The notebook with the outputs that its cells have now."""
    notebook: dict[str, Any] = json.loads(path.read_text("utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    count = 0
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                count += 1
                cell["execution_count"] = count
                cell["outputs"] = _run("".join(cell["source"]), names, count)
    return notebook


def _run(source: str, names: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """Run a cell; what it prints, and its last expression."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed, outputs = io.StringIO(), []
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), f"cell {count}", "exec"), names)
        value = None
        if last is not None:
            value = eval(compile(ast.Expression(last.value), f"cell {count}", "eval"), names)
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(printed)})
    if value is not None:
        outputs.append({
            "data": _shown(value), "execution_count": count, "metadata": {},
            "output_type": "execute_result",
        })  # fmt: skip
    return outputs


def _shown(value: Any) -> dict[str, list[str]]:
    """An object as a picture or a part of a page, with its class as text; or else as text."""
    shown = {}
    for kind, method in DRAWN.items():
        drawn = getattr(value, method, None)
        text = None if drawn is None else drawn()
        if text is not None:
            shown[kind] = text
    shown["text/plain"] = f"<{type(value).__name__}>" if shown else repr(value)
    return {kind: _lines(io.StringIO(text)) for kind, text in shown.items()}


def _lines(text: io.StringIO) -> list[str]:
    return text.getvalue().splitlines(keepends=True)


def kinds_of(notebook: dict[str, Any]) -> list[list[str]]:
    """The kinds of output of each cell of code."""
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return [
        [kind for output in cell["outputs"] for kind in output.get("data", ("printed",))]
        for cell in cells
    ]


def main() -> None:
    """Run the notebooks that are named, or all of them."""
    os.environ.setdefault("CLAUSEBOARD_ENDGAME_PIECES", "4")
    for path in sorted(FOLDER.glob("*.ipynb")):
        if not sys.argv[1:] or path.stem in sys.argv[1:]:
            notebook = run_notebook(path)
            path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")
            print(path.name)


if __name__ == "__main__":
    main()
