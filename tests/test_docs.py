"""The README, the citation file and the examples in docstrings say what is so.

The README's examples run, its links exist, and its figures are those of stored results.
"""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest
import yaml

import clauseboard

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
NAMES = ("docs/strength.md", "docs/tsetlin.md", "docs/speed.md", "docs/players.md")
PAGES = {name: (ROOT / name).read_text() for name in NAMES}


def test_examples_of_the_readme_run():
    results = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0


@pytest.mark.parametrize(
    ("page", "path"),
    [(page, path) for page in PAGES for path in re.findall(r"<!-- from (\S+) -->", PAGES[page])],
)
def test_tables_are_the_stored_results(page, path):
    block = re.search(
        rf"<!-- from {re.escape(path)} -->\n(.*?)<!-- end -->", PAGES[page], re.DOTALL
    )
    assert block is not None
    assert block.group(1).strip() == (ROOT / path).read_text().strip()


def test_links_lead_somewhere():
    for link in re.findall(r"\]\(([^)#]+)\)", README):
        assert link.startswith("http") or (ROOT / link).exists(), link


def test_make_targets_it_names_exist():
    makefile = (ROOT / "Makefile").read_text()
    for target in set(re.findall(r"`?make ([a-z-]+)", README)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize(
    ("figure", "stored", "as_stored"),
    [
        ("93 % against a material counter", "strength.md", "93.0 % (89 to 95) of 200"),
        ("84 % (76 to 89) against GNU Go level 10", "strength.md", "84.0 % (76 to 89) of 100"),
        ("94 % against its predecessor, which knew only patterns", "strength.md",
         "94.0 % (88 to 97) of 100"),
        ("21 times as fast as the fastest peer", "summary.md",
         "19,000 clauses a class | 2.27 s | 46.5 s (pyTsetlinMachine-plain) | 21 |"),
        ("by default 19.8 times in the first two epochs", "tsetlin-19000-auto.md",
         "training 19.8 (pyTsetlinMachine-plain)"),
        ("235 million moves a second, 326 times", "summary.md",
         "235,128,387 | 720,687 (py-draughts) | 326 |"),
        ("613,000 simulations a second, 29 times", "summary.md",
         "613,064 | 21,445 (OpenSpiel, C++) | 29 |"),
    ],
)  # fmt: skip
def test_figures_are_those_of_stored_results(figure, stored, as_stored):
    assert figure in README
    assert as_stored in (ROOT / "benchmarks" / "results" / stored).read_text()


def test_the_first_example_needs_one_import_and_ends_with_a_reason():
    first = re.search(r"```python\n(.*?)```", README, re.DOTALL)[1]
    code = [line for line in first.splitlines() if line.startswith((">>> ", "... "))]
    assert len(code) <= 10
    assert sum("import" in line for line in code) == 1
    assert re.search(r"^ +[+-]\d\.\d\d █+ +\w+ {2,}\w", first, re.MULTILINE)


def test_citation_file():
    page = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert page["cff-version"] == "1.2.0"
    assert page["version"] == clauseboard.__version__
    for reference in page["references"]:
        assert reference["type"] in {"article", "conference-paper", "thesis", "report"}
        assert reference["title"]
        assert reference["year"]
        assert all("family-names" in author for author in reference["authors"])
    families = {a["family-names"] for r in page["references"] for a in r["authors"]}
    assert {"Granmo", "Phoulady", "Abeyrathna", "Bråten", "Boonzaaier", "Melicher"} <= families


MODULES = [
    m.name
    for m in pkgutil.walk_packages(clauseboard.__path__, "clauseboard.")
    if not m.name.endswith("_template")  # loaded for a game only
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_a_module_run(name):
    module = importlib.import_module(name)
    assert doctest.testmod(module).failed == 0


def test_modules_have_examples():
    finder = doctest.DocTestFinder()
    found = [
        test
        for name in MODULES
        for test in finder.find(importlib.import_module(name))
        if test.examples
    ]
    assert len(found) >= 8
