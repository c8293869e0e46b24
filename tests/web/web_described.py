"""The description of the interface, and random requests that are made of it."""

from __future__ import annotations

from pathlib import Path

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import checks
from web_doubles import ADDRESS, HEADERS

from clauseboard.web.server import create_app
from clauseboard.web.settings import Settings

PAGE = (Path(__file__).parents[2] / "docs" / "web-api.md").read_text("utf-8")
DESCRIPTION = create_app(Settings(data=Path("nowhere"), workers=1)).openapi()
ALL = [
    (method.upper(), path) for path, methods in DESCRIPTION["paths"].items() for method in methods
]
SCHEMA = schemathesis.openapi.from_dict(DESCRIPTION)
CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]


def below(*places):
    """The requests whose addresses begin so."""
    return [(method, path) for method, path in ALL if path.startswith(places)]


def that_end(operations):
    """Those whose answers come to an end: all but events."""
    return [(method, path) for method, path in operations if not path.endswith("/events")]


def ask_whatever(client, method, path, max_examples, given_id=None):
    """Random requests, good and bad: every answer is one of those described, and none is a 500.

    `given_id` is an id that is there, which nobody guesses.
    """

    @settings(
        max_examples=max_examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=SCHEMA[path][method].as_strategy())
    def asked(case):
        if given_id is not None and "id" in (case.path_parameters or {}):
            case.path_parameters["id"] = given_id
        request = case.as_transport_kwargs(base_url=ADDRESS, headers=HEADERS)
        wanted = {"method", "url", "params", "json", "content", "data", "headers"}
        answer = client.request(**{k: v for k, v in request.items() if k in wanted})
        case.validate_response(answer, checks=CHECKS)

    asked()
