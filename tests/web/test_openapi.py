"""The description of the interface is complete, and what is answered is as it says."""

from __future__ import annotations

import re

import pytest
from web_described import ALL, DESCRIPTION, PAGE, ask_whatever, below, that_end
from web_doubles import Seat

from clauseboard.web import models

OPERATIONS = below("/api/about", "/api/opponents", "/api/board", "/api/games", "/api/quit")
"""What this page of the documents is about; the machine room has tests of its own."""


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


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_request_is_explained(method, path):
    last = path.replace("/api/games/{id}", "...")
    short = {"...": "/api/games/{id}"}.get(last, last)
    named = re.sub(r"`(GET|POST|DELETE) \.\.\./", "`\\1 .../", PAGE)
    assert any(f"{method} {form}" in named for form in (path, short)), (method, short)


MODELS = (
    models.About, models.OpponentLine, models.BoardShape, models.NewGame, models.Summary,
    models.State, models.BoardAt, models.Hint, models.Why, models.WhyNot, models.ReasonLine,
    models.CandidateLine, models.GameSetting, models.CellShape,
)  # fmt: skip


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_field_is_explained(model):
    words = set(re.findall(r"\w+", PAGE))
    fields = {field.alias or name for name, field in model.model_fields.items()}
    assert fields <= words


@pytest.mark.hypothesis
@pytest.mark.parametrize(("method", "path"), that_end(OPERATIONS))
def test_whatever_is_asked(client, method, path, n_examples):
    game = Seat(client, opponent="random", settings={"size": 3})
    judged = path.rpartition("/")[2] in {"hint", "why", "why-not"}
    there = None if method == "DELETE" else game.state["id"]
    ask_whatever(client, method, path, n_examples(8 if judged else 20), there)
