"""What MkDocs does beside its own work, when `make docs` builds the site.

Notebooks become pages, and examples in docstrings blocks of code. Pictures from elsewhere in the
repository are copied. Other links that lead out of this folder become plain text: what is not on
the site cannot be followed there.
"""

from __future__ import annotations

import json
import posixpath
import re
import shutil
from pathlib import Path
from typing import Any

try:
    from griffe import Extension  # reads the docstrings for mkdocstrings
except ImportError:  # the tests do without it
    Extension = object

DOCS = Path(__file__).parent
PICTURE = re.compile(r"!\[[^\]]*\]\(([^)\s:]+)\)")
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)")
ICON = DOCS.parent / "src" / "clauseboard" / "web" / "static" / "icon.svg"


def on_files(files: Any, config: Any) -> Any:
    """Add a page for each notebook, and the pictures that lie elsewhere."""
    from mkdocs.structure.files import File

    for name in sorted({link for page in DOCS.rglob("*.md") for link in pictures_of(page)}):
        found = str(DOCS.parent / name)
        files.append(File.generated(config, f"repository/{name}", abs_src_path=found))
    for path in sorted((DOCS / "notebooks").glob("*.ipynb")):
        content = as_markdown(json.loads(path.read_text("utf-8")))
        files.append(File.generated(config, f"notebooks/{path.stem}.md", content=content))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Mend the links of a page: to notebooks, and to what is not on the site."""
    return mended(markdown, page.file.src_uri)


def on_post_build(config: Any) -> None:
    """Take the icon of the page that people play on."""
    shutil.copy(ICON, Path(config["site_dir"]) / "icon.svg")


def mended(markdown: str, where: str) -> str:
    """A page whose links lead somewhere on the site.

    >>> mended("[code](../src/x.py), [a notebook](notebooks/a.ipynb), [this](arena.md)", "x.md")
    'code, [a notebook](notebooks/a.md), [this](arena.md)'
    """

    def mend(match: re.Match[str]) -> str:
        text, link = match[1], match[2]
        if re.match(r"[a-z]+:|#", link):
            return match[0]
        target = posixpath.normpath(posixpath.join(posixpath.dirname(where), link.split("#")[0]))
        if target.startswith("..") or (DOCS / target).is_dir():
            return text
        return f"[{text}]({re.sub(r'[.]ipynb$', '.md', link)})"

    def move(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join("docs", posixpath.dirname(where), match[1]))
        if target.startswith("docs/"):
            return match[0]
        above = "../" * where.count("/")
        return match[0].replace(match[1], f"{above}repository/{target}")

    return LINK.sub(mend, PICTURE.sub(move, markdown))


def pictures_of(page: Path) -> list[str]:
    """The pictures of a page that lie outside this folder, by their paths in the repository."""
    found = []
    for link in PICTURE.findall(page.read_text("utf-8")):
        path = (page.parent / link).resolve()
        if not path.is_relative_to(DOCS) and path.is_relative_to(DOCS.parent):
            found.append(path.relative_to(DOCS.parent).as_posix())
    return found


class FencedExamples(Extension):  # type: ignore[misc]
    """Makes blocks of code of the examples in docstrings."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Mend the docstring of a module, class or function."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """A docstring with fences around its examples.

    >>> fenced("Adds. >>> is a prompt.")
    'Adds. >>> is a prompt.'
    """
    example = re.compile(r"^>>> .*(?:\n.*\S.*)*", re.MULTILINE)  # one that is indented is a block
    return example.sub(lambda match: f"```pycon\n{match[0]}\n```", text)


def as_markdown(notebook: dict[str, Any]) -> str:
    """A notebook as a page: texts, code, and what the code shows."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            data = output.get("data", {"text/plain": output.get("text", [])})
            drawn = data.get("text/html") or data.get("image/svg+xml")
            if drawn:
                # A blank line would end the block of HTML.
                parts.append(re.sub(r"\n\s*\n", "\n", "".join(drawn)).strip())
            else:
                parts.append(f"```text\n{''.join(data['text/plain']).rstrip()}\n```")
    return "\n\n".join(parts) + "\n"
