"""Draw docs/architecture.svg from the imports in the source code.

    python docs/draw_architecture.py

Every box is a package (or a module at the top level). An arrow says "imports"; arrows that follow
from others are left out. `tests/test_layers.py` checks that the picture is up to date.
"""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "clauseboard"
PICTURE = ROOT / "docs" / "architecture.svg"

LAYERS = (
    ("Interfaces", ("cli", "terminal", "web")),
    ("One game session", ("play",)),
    ("Studies", ("arena", "datasets", "selfplay", "papers", "tuning")),
    ("Accounts", ("explaining",)),
    ("Players", ("players", "engines")),
    ("Judging and looking ahead", ("search", "learners")),
    ("Rules and machines", ("games", "tsetlin")),
    ("Nouns and tools", ("game", "evaluation", "explanation", "player", "kernels", "html_parts",
                         "files", "array_file", "sqlite_store", "parallel", "checks")),
)  # fmt: skip
"""The layers, highest first: a part imports only from its own layer and those below it."""

BOX, HIGH, GAP, LEFT = 104, 34, 18, 190
ROW = 78


def parts() -> list[str]:
    """The packages and modules at the top level, without the front door."""
    names = {path.relative_to(PACKAGE).with_suffix("").parts[0] for path in PACKAGE.rglob("*.py")}
    return sorted(names - {"__init__", "__main__"})


def imports() -> dict[str, set[str]]:
    """For each part, the other parts that it imports anywhere but for type checking."""
    found: dict[str, set[str]] = {part: set() for part in parts()}
    for path in PACKAGE.rglob("*.py"):
        part = path.relative_to(PACKAGE).with_suffix("").parts[0]
        if part not in found:
            continue
        tree = ast.parse(path.read_text("utf-8"))
        typing_only = {
            id(inner)
            for node in ast.walk(tree)
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
            for inner in ast.walk(node)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and id(node) not in typing_only:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            else:
                continue
            for name in names:
                root, *rest = name.split(".")
                if root == "clauseboard" and rest and rest[0] in found and rest[0] != part:
                    found[part].add(rest[0])
    return found


def reduced(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """The graph without the arrows that follow from longer ways (it may have cycles in a layer)."""

    def reachable(start: str, without: str) -> set[str]:
        seen: set[str] = set()
        todo = [other for other in graph[start] if other != without]
        while todo:
            part = todo.pop()
            if part not in seen and part != start:
                seen.add(part)
                todo += graph[part]
        return seen

    return {
        part: {other for other in others if other not in reachable(part, other)}
        for part, others in graph.items()
    }


def draw() -> str:
    """The picture as SVG."""
    widest = max(len(names) for _, names in LAYERS)
    wide, high = LEFT + widest * (BOX + GAP), len(LAYERS) * ROW + 10
    place = {
        name: (
            LEFT + column * (BOX + GAP) + (widest - len(names)) * (BOX + GAP) / 2,
            row * ROW + 20,
        )
        for row, (_, names) in enumerate(LAYERS)
        for column, name in enumerate(names)
    }
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" '
        'font-family="sans-serif" font-size="14">',
        f'<rect width="{wide}" height="{high}" fill="#fff"/>',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="#667"/></marker></defs>',
    ]
    for row, (title, _) in enumerate(LAYERS):
        fill = "#f4f6f8" if row % 2 else "#eceff3"
        lines.append(f'<rect y="{row * ROW + 5}" width="{wide}" height="{ROW}" fill="{fill}"/>')
        lines.append(f'<text x="12" y="{row * ROW + 42}" fill="#667">{title}</text>')
    for part, others in sorted(reduced(imports()).items()):
        for other in sorted(others):
            (x1, y1), (x2, y2) = place[part], place[other]
            if y1 == y2:
                right = x2 > x1
                start = (x1 + (BOX if right else 0), y1 + HIGH / 2)
                end = (x2 + (0 if right else BOX), y2 + HIGH / 2)
                if abs(x2 - x1) > BOX + GAP:  # around the boxes between them
                    start, end = (x1 + BOX / 2, y1), (x2 + BOX / 2, y2)
                    lines.append(
                        f'<path d="M{start[0]} {start[1]} Q{(start[0] + end[0]) / 2} {y1 - 22} '
                        f'{end[0]} {end[1]}" fill="none" stroke="#99a" marker-end="url(#tip)"/>'
                    )
                    continue
            else:
                start, end = (x1 + BOX / 2, y1 + HIGH), (x2 + BOX / 2, y2)
            lines.append(
                f'<path d="M{start[0]} {start[1]} L{end[0]} {end[1]}" stroke="#99a" '
                'marker-end="url(#tip)"/>'
            )
    for name, (x, y) in place.items():
        lines.append(
            f'<rect x="{x}" y="{y}" width="{BOX}" height="{HIGH}" rx="5" fill="#fff" '
            'stroke="#345"/>'
            f'<text x="{x + BOX / 2}" y="{y + 22}" text-anchor="middle">{name}</text>'
        )
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(draw(), "utf-8")
