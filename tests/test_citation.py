"""The citation file can be read and names what the project grew from."""

from __future__ import annotations

from pathlib import Path

import yaml

import clauseboard


def test_citation_file():
    page = yaml.safe_load((Path(__file__).parent.parent / "CITATION.cff").read_text())
    assert page["cff-version"] == "1.2.0"
    assert page["version"] == clauseboard.__version__
    for reference in page["references"]:
        assert reference["type"] in {"article", "conference-paper", "thesis", "report"}
        assert reference["title"]
        assert reference["year"]
        assert all("family-names" in author for author in reference["authors"])
    families = {a["family-names"] for r in page["references"] for a in r["authors"]}
    assert {"Granmo", "Phoulady", "Abeyrathna", "Bråten", "Boonzaaier", "Melicher"} <= families
