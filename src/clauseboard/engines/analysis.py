"""Analysis by the Go Text Protocol: what Sabaki, Lizzie, KaTrain and GoGui ask for beside moves.

`lz-analyze` and `kata-analyze` go on until anything else is sent. Meanwhile they write a line again
and again, with the moves that are considered; what is not known is left out of it:

    lz-analyze black 50
    =
    info move E5 visits 812 winrate 5312 prior 1805 lcb 4969 order 0 pv E5 E7 info move C3 ...

`lz-genmove_analyze` and `kata-genmove_analyze` do the same while a move is chosen, which is their
last line: `play E5`. The `clauseboard-...` commands show the same on the board of a front end.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clauseboard import __version__
from clauseboard.evaluation import Limit
from clauseboard.game import Position
from clauseboard.player import Candidate, Choice, chance_of

if TYPE_CHECKING:
    from clauseboard.engines.server import GtpSession

Write = Callable[[str], None]
Stream = Callable[[Write], None]
"""A reply that is written line by line."""

UNTIL_STOPPED = Limit(seconds=86_400.0, simulations=10**9)
INTERVAL = 1.0
"""Seconds between two lines, unless the command says otherwise."""
WAITING = 0.02
"""Seconds until it is looked again whether something was sent."""
IGNORED = ("minmoves", "rootInfo", "pvVisits", "movesOwnership", "ownershipStdev", "noResultValue")
"""Options of other programs that change nothing here."""
MOST_LABELS = 10
"""Moves that are labelled on a board."""
Z_95 = 1.96


@dataclass(frozen=True)
class AnalysisOptions:
    """What a command of analysis asks for.

    >>> read_options(["50", "maxmoves", "3", "ownership", "true"])
    AnalysisOptions(interval=0.5, most=3, ownership=True)
    """

    interval: float = INTERVAL
    most: int = 10**6
    ownership: bool = False


def read_options(words: Sequence[str]) -> AnalysisOptions:
    """The options behind the colour: perhaps an interval in hundredths of a second, then pairs."""
    rest = list(words)
    if rest and rest[0].isdigit():
        rest = ["interval", *rest]
    if len(rest) % 2:
        raise ValueError(f"syntax error: {rest[-1]!r} has no value; options are pairs of words")
    pairs = dict(zip(rest[::2], rest[1::2], strict=True))
    for name in pairs:
        if name not in ("interval", "maxmoves", "ownership", *IGNORED):
            raise ValueError(f"syntax error: there is no option {name!r} here")
    numbers = {name: pairs.get(name, "1") for name in ("interval", "maxmoves")}
    for name, word in numbers.items():
        if not (word.isascii() and word.isdigit() and len(word) < 7):
            raise ValueError(f"syntax error: {name} is a whole number below 1000000, not {word!r}")
    return AnalysisOptions(
        interval=int(pairs["interval"]) / 100 if "interval" in pairs else INTERVAL,
        most=int(pairs["maxmoves"]) if "maxmoves" in pairs else AnalysisOptions.most,
        ownership=pairs.get("ownership") == "true",
    )


# ---- lines of analysis


def lower_bound(chance: float, visits: int) -> float:
    """The lower end of the 95 % interval (Wilson's) of a chance that so many visits found.

    >>> round(lower_bound(0.5, 100), 3), lower_bound(0.5, 0)
    (0.404, 0.0)
    """
    if not visits:
        return 0.0
    middle = chance + Z_95**2 / (2 * visits)
    spread = Z_95 * math.sqrt(chance * (1 - chance) / visits + (Z_95 / (2 * visits)) ** 2)
    return max(0.0, (middle - spread) / (1 + Z_95**2 / visits))


def info_line(
    choice: Choice,
    write_line: Callable[[Sequence[Any]], list[str]],
    options: AnalysisOptions,
    *,
    kata: bool,
    priors: Mapping[Any, float] | None = None,
    ownership: Sequence[float] | None = None,
) -> str:
    """The moves that are considered, best first, as Leela Zero writes them or as KataGo does."""
    number = _fraction if kata else _ten_thousandth
    considered = choice.candidates or (
        Candidate(choice.move, choice.value or 0.0, choice.line, chance=choice.chance),
    )
    # Moves that were never looked at have no value to tell.
    looked_at = [one for one in considered if one.visits] or list(considered)
    parts = []
    for order, one in enumerate(looked_at[: options.most]):
        line = write_line(one.line or (one.move,))
        chance = chance_of(one) or 0.0
        words = ["info move", line[0], "visits", str(max(one.visits, 1)), "winrate", number(chance)]
        if priors is not None:
            words += ["prior", number(priors.get(one.move, 0.0))]
        if one.visits:
            words += ["lcb", number(lower_bound(chance, one.visits))]
        parts.append(" ".join([*words, "order", str(order), "pv", *line]))
    if ownership is not None:
        parts.append(" ".join(["ownership", *(f"{value:.3f}" for value in ownership)]))
    return " ".join(parts)


def _fraction(share: float) -> str:
    return f"{share:.6f}"


def _ten_thousandth(share: float) -> str:
    return str(round(10_000 * share))


# ---- the commands


def analyze(kata: bool) -> Callable[..., Stream]:
    """The command that analyses until anything is sent."""

    def run(session: GtpSession, *words: str) -> Stream:
        colour, rest = _colour_first(session, words)
        options = read_options(rest)
        session.check_going_on(colour)

        def stream(write: Write) -> None:
            _analysed(session, colour, options, kata, write, UNTIL_STOPPED, session.is_awaited)
            while not session.is_awaited():
                time.sleep(WAITING)

        return stream

    return run


def genmove_analyze(kata: bool) -> Callable[..., Stream]:
    """The command that chooses a move, and tells meanwhile what it considers."""

    def run(session: GtpSession, *words: str) -> Stream:
        colour, rest = _colour_first(session, words)
        options = read_options(rest)
        session.check_going_on(colour)

        def stream(write: Write) -> None:
            start = time.monotonic()
            limit = session.limit_for(colour)
            choice = _analysed(session, colour, options, kata, write, limit, session.is_interrupted)
            write(f"play {session.take(colour, choice, time.monotonic() - start)}")

        return stream

    return run


def _analysed(
    session: GtpSession,
    colour: str,
    options: AnalysisOptions,
    kata: bool,
    write: Write,
    limit: Limit,
    is_stopped: Callable[[], bool],
) -> Choice:
    """Let the player think, and write what it considers: now and then, and at the end."""
    position = session.dialect.turned(session.position, colour)
    priors = session.player.priors(position)
    told = time.monotonic()

    def tell(choice: Choice) -> None:
        ownership = session.ownership(position, choice) if options.ownership else None
        lines = session.words_of(position)
        write(info_line(choice, lines, options, kata=kata, priors=priors, ownership=ownership))

    def listen(choice: Choice) -> None:
        nonlocal told
        if time.monotonic() - told >= options.interval:
            told = time.monotonic()
            tell(choice)

    choice = session.judge(colour, limit, is_stopped, listen)
    tell(choice)
    return choice


def _colour_first(session: GtpSession, words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The colour that is asked for, by default the one to move, and the other words."""
    if words and words[0].lower() in session.dialect.COLOURS:
        return session.colour(words[0]), words[1:]
    return session.position.to_move, words


def explain(session: GtpSession, colour: str = "") -> str:
    """Why the move that was just chosen was; or what the player would do here, and why."""
    choice, asked = session.judged(session.colour(colour) if colour else "")
    if choice.explanation is None:
        raise ValueError(f"{session.player} gives no reasons")
    return session.write_account(choice.explanation, asked)


def explain_last_move(session: GtpSession) -> str:
    """The same for a record of games (Gomill): nothing where no move was chosen."""
    made = session.choice if session.last_by_player else None
    return "" if made is None or made.explanation is None else explain(session)


def describe(session: GtpSession) -> str:
    """The player and what its games depend on (Gomill)."""
    limit = session.limit.seconds
    time_ = "" if limit is None else f"\n{limit:g} s a move, unless a controller sets the time"
    about = f"Clauseboard {__version__}, player {session.player}, {session.game!r}"
    return f"{about}\nseed {session.seed}{time_}"


def candidates(session: GtpSession, colour: str = "") -> str:
    """Moves and their chances of winning, best first."""
    choice, asked = session.judged_here(session.colour(colour) if colour else "")
    return " ".join(f"{word} {share}" for word, share in _labels(session, choice, asked))


def expected_line(session: GtpSession, colour: str = "") -> str:
    """The moves that the player expects."""
    choice, asked = session.judged_here(session.colour(colour) if colour else "")
    return " ".join(session.words_of(asked)(choice.line or (choice.move,)))


def colours(session: GtpSession, colour: str = "") -> str:
    """What speaks for a colour and against it, as colours of the board, and in a sentence (GoGui).

    Blue cells speak for the side that was asked about, orange ones against it.
    """
    headline, heat = _heat(session, colour)
    lines = [f"COLOR {_mixed(value)} {cell}" for cell, value in heat.items() if abs(value) >= 0.05]
    return "\n".join([*lines, f"TEXT {headline}"])


def influence(session: GtpSession, colour: str = "") -> str:
    """The same in one line, from 0 (against it) to 1 (for it), as HexGui reads it."""
    headline, heat = _heat(session, colour)
    values = [f"{cell} {(1 + value) / 2:.2f}" for cell, value in heat.items()]
    return " ".join(["INFLUENCE", *values, "TEXT", headline])


def _heat(session: GtpSession, colour: str) -> tuple[str, Mapping[str, float]]:
    choice, asked = session.judged_here(session.colour(colour) if colour else "")
    if choice.explanation is None:
        raise ValueError(f"{session.player} gives no reasons")
    return session.read_heat(choice.explanation, asked)


def labels(session: GtpSession, colour: str = "") -> str:
    """Chances of winning as labels on the board (GoGui)."""
    choice, asked = session.judged_here(session.colour(colour) if colour else "")
    shown = [f"LABEL {word} {share}" for word, share in _labels(session, choice, asked)]
    line = " ".join(session.words_of(asked)(choice.line or (choice.move,)))
    return "\n".join([*(one for one in shown if " pass " not in one), f"TEXT expected: {line}"])


def _labels(session: GtpSession, choice: Choice, asked: Position) -> list[tuple[str, str]]:
    words = session.words_of(asked)
    considered = [one for one in choice.candidates if one.visits] or list(choice.candidates)
    if not considered:
        considered = [Candidate(choice.move, choice.value or 0.0, chance=choice.chance)]
    return [
        (words((one.move,))[0], f"{100 * (chance_of(one) or 0.0):.0f}%")
        for one in considered[:MOST_LABELS]
    ]


def _mixed(value: float) -> str:
    """A colour between white and blue, or orange, for a number from -1 to 1.

    >>> _mixed(1.0), _mixed(-0.5)
    ('#1f5fae', '#d8a680')
    """
    full = (0x1F, 0x5F, 0xAE) if value > 0 else (0xB0, 0x4E, 0x00)
    share = min(abs(value), 1.0)
    return "#" + "".join(f"{round(255 + share * (part - 255)):02x}" for part in full)


COMMANDS: dict[str, Callable[..., str | Stream]] = {
    "lz-analyze": analyze(kata=False),
    "lz-genmove_analyze": genmove_analyze(kata=False),
    "kata-analyze": analyze(kata=True),
    "kata-genmove_analyze": genmove_analyze(kata=True),
    "clauseboard-explain": explain,
    "clauseboard-candidates": candidates,
    "clauseboard-line": expected_line,
    "clauseboard-colours": colours,
    "clauseboard-influence": influence,
    "clauseboard-labels": labels,
    "gomill-explain_last_move": explain_last_move,
    "gomill-describe_engine": describe,
    "gomill-cpu_time": lambda session: f"{time.process_time():.3f}",
}
"""Analysis in every game."""
