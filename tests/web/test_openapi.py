"""The description of the interface is complete, and what is answered is as it says."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
from web_described import ALL, DESCRIPTION, PAGE, ask_whatever, below, that_end
from web_doubles import Seat

from clauseboard.web import models

OPERATIONS = below("/api/about", "/api/opponents", "/api/board", "/api/games", "/api/quit")
"""What this page of the documents is about; the lab has tests of its own."""


@pytest.mark.parametrize(("method", "path"), ALL)
def test_every_answer_is_described(method, path):
    responses = DESCRIPTION["paths"][path][method.lower()]["responses"]
    for status, response in responses.items():
        if int(status) >= 400:
            content = response["content"]["application/json"]["schema"]
            assert content == {"$ref": "#/components/schemas/Problem"}
    assert {"400", "401", "429"} <= set(responses)
    if method != "GET":
        assert "403" in responses


def test_the_document_is_up_to_date():
    """docs/web-api.md is generated; every request and every field of a model is in it."""
    path = Path(__file__).parents[2] / "benchmarks" / "web_api_docs.py"
    script = runpy.run_path(str(path))
    assert script["page"]() == PAGE, "run python benchmarks/web_api_docs.py"
    for method, path in ALL:
        assert f"`{method} {path}" in PAGE
    words = set(re.findall(r"\w+", PAGE))
    for model in vars(models).values():
        if isinstance(model, type) and issubclass(model, models.Model):
            assert {field.alias or name for name, field in model.model_fields.items()} <= words


@pytest.mark.parametrize(("method", "path"), that_end(OPERATIONS))
def test_whatever_is_asked(client, method, path, n_examples):
    game = Seat(client, opponent="random", settings={"size": 3})
    judged = path.rpartition("/")[2] in {"hint", "why", "why-not"}
    there = None if method == "DELETE" else game.state["id"]
    ask_whatever(client, method, path, n_examples(8 if judged else 20), there)
