"""The interface of the machine room is described whole, explained, and answers as it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import checks
from web_doubles import ADDRESS, HEADERS

from clauseboard.web import room_models
from clauseboard.web.app import create_app
from clauseboard.web.models import Model
from clauseboard.web.settings import Settings

PAGE = (Path(__file__).parents[2] / "docs" / "web-api.md").read_text("utf-8")
ROOM = ("/api/machines", "/api/trainings", "/api/tournaments", "/api/reports")
DESCRIPTION = create_app(Settings(data=Path("nowhere"), workers=1)).openapi()
OPERATIONS = [
    (method.upper(), path)
    for path, methods in DESCRIPTION["paths"].items()
    for method in methods
    if path.startswith(ROOM)
]


def test_there_are_some():
    assert len(OPERATIONS) == 16


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_request_is_explained(method, path):
    assert f"{method} {path}" in PAGE


MODELS = [
    kind
    for kind in vars(room_models).values()
    if isinstance(kind, type) and issubclass(kind, Model) and kind is not Model
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_field_is_explained(model):
    assert set(model.model_fields) <= set(re.findall(r"\w+", PAGE))


SCHEMA = schemathesis.openapi.from_dict(DESCRIPTION)
CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]


@pytest.mark.parametrize(
    ("method", "path"), [(m, p) for m, p in OPERATIONS if not p.endswith("/events")]
)
def test_whatever_is_asked(client, method, path):
    """Random requests, good and bad: every answer is one of those described, and none is a 500."""

    @settings(
        max_examples=15,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=SCHEMA[path][method].as_strategy())
    def asked(case):
        request = case.as_transport_kwargs(base_url=ADDRESS, headers=HEADERS)
        wanted = {"method", "url", "params", "json", "content", "data", "headers"}
        answer = client.request(**{k: v for k, v in request.items() if k in wanted})
        case.validate_response(answer, checks=CHECKS)

    asked()


SHAPES = [
    ("/api/trainings/choices", {"game": "checkers"}, room_models.Choices),
    ("/api/trainings/choices", {"game": "go", "size": 9}, room_models.Choices),
    ("/api/machines", {"game": "checkers"}, list[room_models.Machine]),
]


@pytest.mark.parametrize(("path", "query", "model"), SHAPES)
def test_answers_have_their_shape(client, path, query, model):
    from pydantic import TypeAdapter

    TypeAdapter(model).validate_python(client.get(path, params=query).json())
