"""Editing the line that is typed: earlier lines by the arrow keys, words completed by Tab.

That is Python's `readline`; where there is none, lines are typed plainly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable


def edit_lines(words: Callable[[], Iterable[str]], complete: bool = True) -> None:
    """Let `input` edit lines; Tab completes one of the words, which are asked for each time.

    Without `complete` a tab is a tab, for it may be part of what is pasted.
    """
    try:
        import readline
    except ImportError:
        return

    def match(text: str, number: int) -> str | None:
        return next(iter(matching(text, words())[number:]), None)

    readline.set_completer(match if complete else None)
    readline.set_completer_delims(" \t\n")
    readline.parse_and_bind("tab: complete" if complete else "tab: self-insert")


def matching(text: str, words: Iterable[str]) -> list[str]:
    """The words that begin so, whether in capitals or not, each with a space behind it.

    >>> matching("d", ["D5", "d4", "pass"])
    ['D5 ', 'd4 ']
    """
    return [f"{word} " for word in words if word.lower().startswith(text.lower())]
