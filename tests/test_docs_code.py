"""Every block of Python on a page of docs runs, and the site can be built from the pages.

Blocks of a page run one after another in one folder, after BEFORE and with the replacements of
SMALLER. Pages in ELSEWHERE have a test of their own, which also looks at what is printed.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS))
import site_hooks  # noqa: E402

ELSEWHERE = {
    "accuracy.md": "selfplay/test_accuracy_page.py",
    "arena.md": "arena/test_docs.py",
    "datasets.md": "datasets/test_docs.py",
    "engines.md": "engines/test_docs.py",
    "extending.md": "games/test_extending.py",
    "games/go.md": "games/go/test_docs.py",
    "players.md": "players/test_docs.py",
}
CANNOT_RUN = {"cluster.md": "have not been tried"}
"""Pages whose code needs what is not here; they say so."""

BEFORE = {
    "experiments.md": (
        "from clauseboard.papers import PaperTable\n"
        "from clauseboard.papers.go_thesis import *\n"
        "from clauseboard.papers.go_thesis import MachineParameters, MachineRow, MachineTable\n"
    ),
    "reasons.md": (
        "import clauseboard as cb, numpy as np\n"
        "from clauseboard.players import SearchPlayer, read_player\n"
        "game = cb.load_game('checkers')\n"
        "position, names = game.start(), [bit.name for bit in game.bits()]\n"
        "X = np.random.default_rng(1).integers(2, size=(40, len(names)))\n"
        "machine = cb.TsetlinMachineClassifier(10, epochs=1, random_state=1)\n"
        "machine.fit(X, np.where(X[:, 0], 'black', 'white'), bit_names=names).save('m.tm')\n"
        "player = read_player('tsetlin:machine=m.tm,search=full_width,depth=1', game)\n"
        "evaluator, search = player.evaluators['black'], player.search\n"
    ),
    "tsetlin.md": "import numpy as np\nfolds = np.arange(1000) % 10\n",
}
SMALLER = [
    (r"19_000, 40_000, ", "10, 100, epochs=1, "),
    (r"seconds=[12]\b", "seconds=0.05"),
    (r"range\(10\)\n", "range(2)\n"),
    (r"open_tables\(4\)", "open_tables(3)"),
    (r"ClauseClassifier\(max_clauses=30", "ClauseClassifier(inner_folds=0, max_clauses=3"),
]
FILES = {
    "games.pdn": '[Event "A match"]\n1. 11-15 23-19 1-0\n',
    "weights.json": None,
}


def pages():
    return [path.relative_to(DOCS).as_posix() for path in sorted(DOCS.rglob("*.md"))]


def blocks(page):
    return re.findall(r"^```python\n(.*?)^```", (DOCS / page).read_text("utf-8"), re.M | re.S)


WITH_CODE = [page for page in pages() if blocks(page)]


@pytest.mark.parametrize("page", [p for p in WITH_CODE if p not in {**ELSEWHERE, **CANNOT_RUN}])
def test_the_code_of_a_page_runs(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code = BEFORE.get(page, "") + "\n".join(blocks(page))
    for pattern, replacement in SMALLER:
        code = re.sub(pattern, replacement, code)
    for name, content in FILES.items():
        if f'"{name}"' in code:
            if content is None:
                need_weights(tmp_path / name)
            else:
                (tmp_path / name).write_text(content)
    exec(compile(code, page, "exec"), {"__name__": "__main__"})


def need_weights(path):
    from typer.testing import CliRunner

    from clauseboard.cli.main import app

    pytest.importorskip("matplotlib")
    words = f"train temporal checkers --set games=1 --set depth=1 --out {path}"
    assert CliRunner().invoke(app, words.split()).exit_code == 0


@pytest.mark.parametrize("page", ELSEWHERE)
def test_the_code_of_other_pages_runs_elsewhere(page):
    test = (ROOT / "tests" / ELSEWHERE[page]).read_text("utf-8")
    assert Path(page).name in test
    assert "exec(" in test or "write_text(" in test


@pytest.mark.parametrize("page", CANNOT_RUN)
def test_pages_that_cannot_be_tried_say_so(page):
    assert CANNOT_RUN[page] in (DOCS / page).read_text("utf-8")
    for block in blocks(page):
        compile(block, page, "exec")


# ---- the site


SITE = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))


def listed(part):
    """The pages of a part of the navigation."""
    if isinstance(part, str):
        return [part]
    values = part if isinstance(part, list) else part.values()
    return [page for value in values for page in listed(value)]


def test_the_navigation_lists_pages_that_there_are_once():
    notebooks = [f"notebooks/{path.stem}.md" for path in (DOCS / "notebooks").glob("*.ipynb")]
    named = listed(SITE["nav"])
    assert len(named) == len(set(named))
    assert set(named) <= {*pages(), *notebooks}
    assert {*notebooks, "index.md", *(p for p in pages() if p.startswith(("api", "tut")))} <= set(
        named
    )


@pytest.mark.parametrize("page", pages())
def test_links_between_pages_lead_somewhere(page):
    mended = site_hooks.mended((DOCS / page).read_text("utf-8"), page)
    for link in re.findall(r"(?<!!)\[[^\]]*\]\(([^)\s#]+)(?:#[^)]*)?\)", mended):
        if not re.match(r"[a-z]+:", link):
            target = (DOCS / page).parent / link
            notebook = target.with_suffix(".ipynb")
            assert target.exists() or notebook.exists(), link


def test_links_out_of_the_site_become_text():
    assert site_hooks.mended("[a](../src/a.py) [b](b.md) [c](http://c)", "x.md") == (
        "a [b](b.md) [c](http://c)"
    )
    assert site_hooks.mended("![p](../../benchmarks/p.png)", "games/x.md") == (
        "![p](../repository/benchmarks/p.png)"
    )
    assert site_hooks.mended("![p](../pictures/p.png)", "games/x.md") == "![p](../pictures/p.png)"


def test_examples_in_docstrings_become_blocks():
    text = "Adds.\n\n>>> 1 + 1\n2\n\nThat is all.\n\n    >>> 2\n    2"
    assert site_hooks.fenced(text) == (
        "Adds.\n\n```pycon\n>>> 1 + 1\n2\n```\n\nThat is all.\n\n    >>> 2\n    2"
    )


def test_a_notebook_becomes_a_page():
    import json

    path = next((DOCS / "notebooks").glob("game*.ipynb"))
    page = site_hooks.as_markdown(json.loads(path.read_text("utf-8")))
    assert page.startswith("# ")
    assert page.count("```python") >= 5
    assert '<div class="clauseboard">' in page
    assert not re.search(r"<div class=\"clauseboard\">(?:(?!</div>\n\n).)*\n\n<", page, re.DOTALL)


@pytest.mark.parametrize("page", [page for page in pages() if page.startswith("api/")])
def test_the_reference_names_modules_that_there_are(page):
    import importlib

    for name in re.findall(r"^::: ([\w.]+)", (DOCS / page).read_text("utf-8"), re.MULTILINE):
        assert importlib.import_module(name).__doc__


@pytest.mark.long
def test_the_site_can_be_built(tmp_path):
    mkdocs = shutil.which("mkdocs", path=str(Path(sys.executable).parent)) or shutil.which("mkdocs")
    if mkdocs is None:
        pytest.skip("MkDocs is not installed: pip install 'clauseboard[docs]'")
    command = [mkdocs, "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (
        "A game, judged and explained" in (tmp_path / "notebooks/game-explained.html").read_text()
    )
    assert "TsetlinMachineClassifier" in (tmp_path / "api/tsetlin.html").read_text()
