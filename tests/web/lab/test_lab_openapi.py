"""The requests of the lab are described, and the answers are as described."""

from __future__ import annotations

import pytest
from web_described import ask_whatever, below, that_end

from clauseboard.web import models

OPERATIONS = below("/api/machines", "/api/trainings", "/api/tournaments", "/api/reports")


def test_there_are_some():
    assert len(OPERATIONS) == 21


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
