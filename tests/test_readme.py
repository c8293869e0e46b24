"""What the README says is run, and its table is the stored result's."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
NAMES = ("README.md", "docs/tsetlin.md", "docs/speed.md")
PAGES = {name: (ROOT / name).read_text() for name in NAMES}


def test_examples_run():
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
