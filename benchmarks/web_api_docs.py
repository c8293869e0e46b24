"""Write docs/web-api.md from the models and requests of the page.

Run it as `python benchmarks/web_api_docs.py`.

With --check it only says whether the page is up to date.
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import Any

from clauseboard.web import models
from clauseboard.web.server import create_app
from clauseboard.web.settings import Settings

PAGE = Path(__file__).parents[1] / "docs" / "web-api.md"

INTRODUCTION = f"""# The API of the page

`benchmarks/web_api_docs.py` writes this page from `clauseboard.web.models` and the requests of the
server. The same is at `/api/openapi.json`, in the form that programs read.

Everything is under `/api`, in JSON. The front end knows no game by name: it gets the geometry of
the board, pictures of the pieces, and the legal moves as paths of cells.

- A change is a `POST` or `DELETE` with the header `X-Clauseboard: 1`, from the same origin.
- An error is a `Problem`, whatever its status: 400 a malformed request, 401 no token, 403 not from
  this page, 404 no such thing, 405, 409 not possible now, 413 too large, 422 against the rules of
  the game or of this page, 429 too many requests, 503 busy or a player failed.
- Ids of games cannot be guessed. Bodies have at most 1 MiB, and records {models.LONGEST_RECORD:,}
  characters.
- Cells and pieces are names such as `"14"`, `"D5"`, `"a1"`, `"black man"`, `"red"`. Colours are the
  game's; `colours[0]` begins. Values go from -1 (lost) to 1 (won) for the side named.
- Settings are the parameters of a game by name, `{{"size": 9}}`. In a query each stands by itself:
  `?game=go&size=9&superko=true`.
- The page may be opened as `/?game=hex`: then this game is chosen already.
"""

EVENTS = """## Events

The two `events` requests are streams of server-sent events. The first events are the state, so that
a lost connection simply starts again; a comment comes every 15 seconds.

| event | content |
|---|---|
| `state` | `State`, at each change of a game; the event's id is the version |
| `thinking` | `Thinking`, up to five times a second while the opponent thinks, and at the end |
| `tables` | `TablesLine`, once a second at most while endgame tables are made, and at the end |
| `training` | `TrainingState`, at each change of a training |
| `clauses` | `LearningClauses`, after a step of a training |
| `gone` | the game or training was deleted, or the program ends |
"""


def page() -> str:
    """The whole page."""
    description = create_app(Settings(data=Path("nowhere"), workers=1)).openapi()
    requests = "\n".join(
        _request(method.upper(), path, operation)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    )
    schemas = {
        name: kind
        for name, kind in vars(models).items()
        if inspect.isclass(kind) and issubclass(kind, models.Model) and kind is not models.Model
    }
    listed = "\n".join(_schema(kind) for kind in schemas.values())
    return "\n".join(
        [
            INTRODUCTION,
            "## Requests\n",
            "| request | body | answer | what it does |\n|---|---|---|---|",
            f"{requests}\n",
            EVENTS,
            "## Models\n",
            "A `?` marks a field of a request that may be omitted.\n",
            listed,
        ]
    )


def _request(method: str, path: str, operation: dict[str, Any]) -> str:
    content = operation.get("requestBody", {}).get("content", {})
    body = _type(content["application/json"]["schema"]) if content else ""
    status, answer = next(
        (status, answer) for status, answer in operation["responses"].items() if status < "400"
    )
    kinds = answer.get("content", {})
    text = next(iter(kinds), "")
    shown = _type(kinds[text]["schema"]) if text == "application/json" else text or "empty"
    query = [p["name"] for p in operation.get("parameters", []) if p["in"] == "query"]
    asked = f"?{'&'.join(query)}" if query else ""
    about = " ".join(operation["description"].split())
    code = "" if status == "200" else f"{status} "
    return f"| `{method} {path}{asked}` | {body} | {code}{shown} | {about} |"


def _schema(kind: type[models.Model]) -> str:
    schema = kind.model_json_schema(ref_template="{model}")
    required = set(schema.get("required", ()))
    optional = any(name not in required for name in schema["properties"])
    fields = ", ".join(
        f"`{name}{'?' if optional and name not in required else ''}`: {_type(content)}"
        for name, content in schema["properties"].items()
    )
    return f"**{kind.__name__}**: {' '.join((kind.__doc__ or '').split())}\n{fields}.\n"


def _type(schema: dict[str, Any]) -> str:
    """A schema in a few words."""
    if "$ref" in schema:
        return f"`{schema['$ref'].rpartition('/')[2]}`"
    if "enum" in schema or "const" in schema:
        return " or ".join(f'"{value}"' for value in schema.get("enum", [schema.get("const")]))
    if "anyOf" in schema:
        return " or ".join(_type(part) for part in schema["anyOf"])
    kind = schema.get("type", "any value")
    if kind == "array":
        return f"list of {_type(schema['items'])}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"map to {_type(schema['additionalProperties'])}"
    return {"boolean": "bool", "string": "text", "integer": "int"}.get(kind, kind)


def main() -> None:
    """Write the page, or check it."""
    text = page()
    if "--check" not in sys.argv:
        PAGE.write_text(text, "utf-8")
    elif PAGE.read_text("utf-8") != text:
        sys.exit("docs/web-api.md is out of date: run python benchmarks/web_api_docs.py")


if __name__ == "__main__":
    main()
