"""The description of the interface is complete, and what is answered is as it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import checks
from web_doubles import ADDRESS, HEADERS, Seat

from clauseboard.web import models
from clauseboard.web.app import create_app
from clauseboard.web.settings import Settings

PAGE = (Path(__file__).parents[2] / "docs" / "web-api.md").read_text("utf-8")
APP = create_app(Settings(data=Path("nowhere"), workers=1))
DESCRIPTION = APP.openapi()
ALL = [
    (method.upper(), path) for path, methods in DESCRIPTION["paths"].items() for method in methods
]
PLAYED = ("/api/about", "/api/opponents", "/api/board", "/api/games", "/api/quit")
OPERATIONS = [(method, path) for method, path in ALL if path.startswith(PLAYED)]
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
    game = Seat(client, opponent="random", settings={"size": 3})
    judge = {"hint", "why", "why-not"}
    operation = SCHEMA[path][method]

    @settings(
        max_examples=8 if path.rpartition("/")[2] in judge else 20,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def asked(case):
        if case.path_parameters and "id" in case.path_parameters and method != "DELETE":
            # An id that is there, which nobody guesses.
            case.path_parameters["id"] = game.state["id"]
        request = case.as_transport_kwargs(base_url=ADDRESS, headers=HEADERS)
        wanted = {"method", "url", "params", "json", "content", "data", "headers"}
        answer = client.request(**{k: v for k, v in request.items() if k in wanted})
        case.validate_response(answer, checks=CHECKS)

    asked()
