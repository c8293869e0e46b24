"""Games of an archive that are no plain games of checkers: what is odd about them, rule by rule.

Someone forfeited, the result is said to be wrong, a rule was overlooked: the board at the end tells
little of who won. Comments say so in plain English; each rule here looks for a few words. What
breaks the pattern of an archive (a position that was set up, words between the moves, two results)
is told apart as well.
"""

from __future__ import annotations

import re
from itertools import groupby

from clauseboard.games.checkers.drafts import Draft
from clauseboard.games.checkers.tokens import result_of

FORFEIT = "a comment about a forfeit"
WRONG_RESULT = "a comment about a wrong result"
OVERLOOKED_RULE = "a comment about an overlooked rule"
SET_UP = "a position that was set up"
WORDS = "words between the moves"
TWO_RESULTS = "two results that differ"

_RESULT = r"(?:result|score|outcome)s?"
_WRONG = r"(?:wrong|incorrect|erroneous|mistaken|false|in error|disputed|doubtful|not correct)"
_ACTUAL = r"(?:a |an )?(?:win|won|loss|lost|draw|drawn|1-0|0-1|1/2-1/2)"
_JUMP = r"(?:jump|jumps|jumped|jumping|capture|captures|captured|exchange|take|huff)"
_RULE = r"(?:rule|rules|jump|jumps|capture|captures|take|takes)"

COMMENTS: dict[str, re.Pattern[str]] = {
    FORFEIT: re.compile(
        r"\bforfeit|\b(?:by|on|through) default\b|\bdefaulted\b"
        r"|\b(?:lost|loses?|loss|won|wins?) (?:on|by) time\b|\btime (?:forfeit|expired|ran out)"
        r"|\b(?:did not|failed to|didn't) (?:appear|show|turn up|arrive)\b",
        re.IGNORECASE,
    ),
    WRONG_RESULT: re.compile(
        rf"\b{_WRONG} {_RESULT}\b|\b{_RESULT}\b[^.;]{{0,40}}\b{_WRONG}\b"
        rf"|\b{_RESULT} (?:should|ought to) (?:be|have been)\b"
        rf"|\bshould (?:be|have been|read) {_ACTUAL}(?![\w/])"
        rf"|\b(?:actual|real|true|correct) {_RESULT}\b"
        rf"|\b(?:wrongly|incorrectly|erroneously) (?:given|listed|recorded|scored|reported)\b"
        rf"|\b(?:given|listed|recorded|scored|reported) (?:wrongly|incorrectly|erroneously)\b",
        re.IGNORECASE,
    ),
    OVERLOOKED_RULE: re.compile(
        rf"\boverlook\w*\b[^.;]{{0,40}}\b{_RULE}\b|\b{_RULE}\b[^.;]{{0,40}}\boverlook"
        rf"|\bmissed\b[^.;]{{0,20}}\b{_JUMP}\b|\b(?:must|should|had to) (?:have )?{_JUMP}\b"
        rf"|\b(?:did not|didn't|failed to|forgot to|neglected to) {_JUMP}\b"
        r"|\billegal|\bagainst the rules?\b|\bout of turn\b|\bhuff(?:ed|s)?\b|\bmoved twice\b"
        r"|\bwrong (?:colou?r|side|piece)\b|\bimpossible move\b",
        re.IGNORECASE,
    ),
}
"""What comments are looked through for, in this order."""

REASONS = (*COMMENTS, TWO_RESULTS, SET_UP, WORDS)
"""All that can be odd, in the order in which it is looked for."""

MOST_SHOWN = 80
"""Characters of a comment that are quoted."""


def oddity(draft: Draft) -> tuple[int, str, str] | None:
    """What is odd about a game: the line, the reason, and more about it; None if nothing is.

    >>> from clauseboard.games.checkers.drafts import drafts
    >>> from clauseboard.games.checkers.tokens import tokens
    >>> (draft,) = drafts(tokens(["1. 11-15 23-19", "2. 8-11 {White forfeited.} 1-0"]))
    >>> oddity(draft)
    (2, 'a comment about a forfeit', "it says 'White forfeited.'")
    """
    for n_moves, text in _comments(draft):
        for reason, words in COMMENTS.items():
            if found := words.search(text):
                line = draft.moves[n_moves - 1].line if n_moves else draft.line
                return line, reason, f"it says {_part(text, found.start())!r}"
    known = {result_of(draft.tags.get("Result", "")), draft.result} - {"*", None}
    if len(known) > 1:
        tag = draft.tags["Result"]
        detail = f"its tag says {tag!r}, and the moves end in {draft.result!r}"
        return draft.line, TWO_RESULTS, detail
    if "FEN" in draft.tags:
        return draft.line, SET_UP, f"it begins at {_part(draft.tags['FEN'], 0)!r}"
    # Words before the first move or after the last may be the heading of a game.
    between = [text for n_moves, text in _comments(draft) if 0 < n_moves < len(draft.moves)]
    if draft.words and between:
        return draft.line, WORDS, f"there is text without braces, such as {_part(between[0], 0)!r}"
    return None


def _comments(draft: Draft) -> list[tuple[int, str]]:
    """The comments by the number of moves before them; words without braces come as one text."""
    return [
        (n_moves, " ".join(text for _, text, _ in some))
        for n_moves, some in groupby(draft.comments, key=lambda comment: comment[0])
    ]


def _part(text: str, at: int) -> str:
    """A comment, or the part of a long one that begins shortly before a place."""
    begin = 0 if len(text) <= MOST_SHOWN else max(at - MOST_SHOWN // 2, 0)
    shown = text[begin : begin + MOST_SHOWN]
    return f"{'...' if begin else ''}{shown}{'...' if begin + MOST_SHOWN < len(text) else ''}"
