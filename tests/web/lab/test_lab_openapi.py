"""The interface of the machine room is described whole, explained, and answers as it says."""

from __future__ import annotations

import re

import pytest
from web_described import PAGE, ask_whatever, below, that_end

from clauseboard.web import models
from clauseboard.web.models import Model

OPERATIONS = below("/api/machines", "/api/trainings", "/api/tournaments", "/api/reports")


def test_there_are_some():
    assert len(OPERATIONS) == 16


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_request_is_explained(method, path):
    assert f"{method} {path}" in PAGE


MODELS = [
    kind
    for kind in vars(models).values()
    if isinstance(kind, type) and issubclass(kind, Model) and kind is not Model
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_field_is_explained(model):
    assert set(model.model_fields) <= set(re.findall(r"\w+", PAGE))


@pytest.mark.hypothesis
@pytest.mark.parametrize(("method", "path"), that_end(OPERATIONS))
def test_whatever_is_asked(client, method, path, n_examples):
    ask_whatever(client, method, path, n_examples(15))


SHAPES = [
    ("/api/trainings/choices", {"game": "checkers"}, models.Choices),
    ("/api/trainings/choices", {"game": "go", "size": 9}, models.Choices),
    ("/api/machines", {"game": "checkers"}, list[models.Machine]),
]


@pytest.mark.parametrize(("path", "query", "model"), SHAPES)
def test_answers_have_their_shape(client, path, query, model):
    from pydantic import TypeAdapter

    TypeAdapter(model).validate_python(client.get(path, params=query).json())
