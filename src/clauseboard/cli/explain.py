"""`clauseboard explain`, `solve` and `perft`: what can be said of a position.

A move is explained, a whole game judged, what clauses did counted, a position solved exactly, and
sequences of moves are counted.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from clauseboard.cli.common import (
    GAMES,
    AsJson,
    Depth,
    GameName,
    Nodes,
    Parameter,
    ProgressBar,
    Seconds,
    Simulations,
    check_writable,
    read_parameters,
)
from clauseboard.datasets import load_dataset
from clauseboard.evaluation import Limit
from clauseboard.explaining import clause_statistics, game_report, html_writer, writers
from clauseboard.explaining.account import Account
from clauseboard.explaining.clause_statistics import ClauseCount, Counting, count_clauses
from clauseboard.explaining.game_report import report_game
from clauseboard.explaining.questions import (
    Comparison,
    compare,
    explain_board,
    explain_choice,
    explain_move,
)
from clauseboard.files import write_text
from clauseboard.game import Game, Position, load_game
from clauseboard.games.plugins import SOLVING
from clauseboard.games.records import read_recorded
from clauseboard.games.solving import Solution, exact_words, known_end, make_tables_ready, solve
from clauseboard.play import usual_player
from clauseboard.player import Player
from clauseboard.players import SearchPlayer, read_player
from clauseboard.players.searcher import check_going_on

FORMATS = ("text", "svg", "html", "markdown", "json")
ENDINGS = {
    ".txt": "text", ".svg": "svg", ".html": "html", ".htm": "html", ".md": "markdown",
    ".json": "json", "": "text",
}  # fmt: skip


def explain(
    game: Annotated[
        str | None,
        typer.Argument(help=f"One of {GAMES}; not needed with --game."),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(
            help="The player: name, or name:option=value,...; default: the shipped player where "
            "there is one."
        ),
    ] = None,
    position: Annotated[
        str | None, typer.Option(help="In the game's notation; default: the starting position.")
    ] = None,
    why_not: Annotated[
        list[str] | None,
        typer.Option(help="Another move to compare with the chosen one; repeatable."),
    ] = None,
    board: Annotated[
        bool, typer.Option("--board", help="Explain the position itself, without a search.")
    ] = False,
    record: Annotated[
        Path | None,
        typer.Option("--game", help="Judge a whole game from a PDN or SGF file instead."),
    ] = None,
    number: Annotated[int, typer.Option(min=1, help="The number of the game in that file.")] = 1,
    data: Annotated[
        Path | None,
        typer.Option(help="Count instead what each clause did on the boards of a data set."),
    ] = None,
    searched: Annotated[
        bool,
        typer.Option(
            "--searched",
            help="With --game: count instead what each clause did on the boards that the player "
            "searched before every move, by how the game ended.",
        ),
    ] = False,
    clauses: Annotated[
        bool,
        typer.Option("--clauses", help="List the clauses below the lines, and the votes, too."),
    ] = False,
    most: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Number of clauses or reasons to list, with --clauses or in a comparison; the "
            "rest is summed up.  [default: 8]",
        ),
    ] = None,
    seconds: Seconds = None,
    depth: Depth = None,
    nodes: Nodes = None,
    simulations: Simulations = None,
    parameter: Parameter = None,
    form: Annotated[
        str | None, typer.Option("--format", help=f"One of {', '.join(FORMATS)}.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Output file; its extension sets the format.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Explain why a player chooses a move, reason by reason.

    Example: clauseboard explain checkers --player material:depth=5 --why-not 12-16
    """
    chosen = _format("json" if as_json else form, out)
    check_writable(out, "the explanation")
    if chosen == "svg":
        _check_picture(bool(why_not), data is not None or searched)
    limit = Limit(seconds, depth, nodes, simulations)
    clauses, most = clauses or most is not None, 8 if most is None else most
    asked = [("--position", position), ("--why-not", why_not), ("--board", board)]
    if record is not None and data is not None:
        raise ValueError("Use either --game or --data, not both.")
    if record is not None or data is not None:
        for option, value in asked:
            if value:
                raise ValueError(
                    f"{option} is for one position; leave it out with --game and --data."
                )
    if searched and record is None:
        raise ValueError("--searched needs a game: add --game FILE.")
    if record is not None:
        if parameter:
            raise ValueError("Leave out --set: the file given by --game contains the rules.")
        tell = _searched if searched else _whole_game
        text = tell(record, number, game, player, limit, most, chosen)
    elif game is None:
        raise ValueError(f"Give a game ({GAMES}) or a file with --game.")
    elif data is not None:
        rules = load_game(game, **read_parameters(parameter or []))
        text = _clauses(rules, player, data, most, chosen)
    else:
        rules = load_game(game, **read_parameters(parameter or []))
        begin = rules.start() if position is None else rules.read_position(position)
        text = _one_position(
            rules, player, begin, why_not or [], board, limit, most, clauses, chosen
        )
    if out is None:
        print(text)
    else:
        write_text(out, text if text.endswith("\n") else f"{text}\n")


def _format(form: str | None, out: Path | None) -> str:
    """The format asked for, or else that of the file's ending, or text."""
    if form is None:
        ending = "" if out is None else out.suffix.lower()
        if ending not in ENDINGS:
            known = ", ".join(filter(None, ENDINGS))
            raise ValueError(
                f"{out}: the ending {ending} tells no format; there are {known}. Or add --format."
            )
        return ENDINGS[ending]
    if form not in FORMATS:
        raise ValueError(f"--format must be one of {', '.join(FORMATS)}, not {form!r}.")
    return form


def _check_picture(compares: bool, counts: bool) -> None:
    """Refuse to draw what takes more than one picture."""
    if compares or counts:
        what = "A count of clauses" if counts else "--why-not"
        raise ValueError(
            f"{what} cannot be drawn as one picture; choose html, text, markdown or json."
        )


def _one_position(
    rules: Game, player: str | None, position: Position, others: list[str], board: bool,
    limit: Limit, most: int, clauses: bool, form: str,
) -> str:  # fmt: skip
    """Why a move, and why not others."""
    moves = [position.read_move(text) for text in others]
    asked = _player(player, rules)
    try:
        if board:
            if moves:
                raise ValueError("--board explains no move, so --why-not cannot be used with it.")
            return _written(explain_board(asked, position), [], most, clauses, form)
        check_going_on(position)
        _begin(asked, rules)
        if asked.uses_tables and exact_words(position) and known_end(rules, position) is None:
            make_tables_ready(rules)  # they are there, but not in use yet
        choice = asked.choose(position, limit)
        account = explain_choice(asked, position, choice)
        for text, move in zip(others, moves, strict=True):
            if move == choice.move:
                raise ValueError(f"{text} is the move that {asked} chooses; give another one.")
        comparisons = [
            compare(account, explain_move(asked, position, move, choice, limit)) for move in moves
        ]
        return _written(account, comparisons, most, clauses, form)
    finally:
        asked.close()


def _written(
    account: Account, others: list[Comparison], most: int, clauses: bool, form: str
) -> str:
    """An account and comparisons in a format."""
    if form == "svg":
        return account.draw()
    if form == "html":
        return html_writer.account_page(account, most, others)
    if form == "json":
        page = writers.account_page(account)
        page["why_not"] = [writers.comparison_page(one) for one in others]
        return json.dumps(page)
    if form == "markdown":
        parts = [writers.account_markdown(account, most if clauses else None)]
        parts += [writers.comparison_markdown(one, most) for one in others]
        return "\n".join(parts)
    below = most if clauses else None
    parts = [writers.account_text(account, below, colour=sys.stdout.isatty())]
    parts += [writers.comparison_text(one, most) for one in others]
    return "\n\n".join(parts)


def _whole_game(
    path: Path, number: int, game: str | None, player: str | None, limit: Limit, most: int,
    form: str,
) -> str:  # fmt: skip
    """A game of a file, judged move by move."""
    recorded = read_recorded(path, number, game)
    asked = _player(player, recorded.game)
    try:
        with ProgressBar("judging") as bar:
            report = report_game(recorded, asked, limit, progress=bar.tell)
    finally:
        asked.close()
    if form == "html":
        return game_report.game_page(report, most)
    if form == "svg":
        return game_report.curve(report)
    if form == "json":
        return json.dumps(game_report.report_page(report))
    if form == "markdown":
        return game_report.game_markdown(report, most)
    return game_report.game_text(report, most)


def _searched(
    path: Path, number: int, game: str | None, player: str | None, limit: Limit, most: int,
    form: str,
) -> str:  # fmt: skip
    """What each clause of a player did on the boards it searched before the moves of a game."""
    recorded = read_recorded(path, number, game)
    if recorded.outcome is None:
        raise ValueError(
            f"{path.name} does not say who won, so no vote can be counted as right or wrong."
        )
    asked = _machine_player(player, recorded.game)
    counting = {id(judge): Counting(judge) for judge in asked.evaluators.values()}
    judges = {colour: counting[id(judge)] for colour, judge in asked.evaluators.items()}
    searcher = SearchPlayer(judges, asked.search, asked.name, asked.limit)
    _begin(searcher, recorded.game)
    for position in recorded.positions:
        if position.outcome() is None:
            searcher.choose(position, limit)
    for one in counting.values():
        one.ended(recorded.outcome.winner)
    counts = [count for one in counting.values() for count in one.counts()]
    title = f"What the clauses of {asked} said while it searched"
    return _gallery(recorded.game, counts, title, most, form)


def _clauses(rules: Game, player: str | None, data: Path, most: int, form: str) -> str:
    """What each clause of a player did on a data set."""
    boards = load_dataset(data)
    if boards.game.bits() != rules.bits() or boards.bits != rules.bits():
        raise ValueError(
            f"{data} has boards of {boards.game!r}, or other bits than the game's own."
        )
    asked = _machine_player(player, rules)
    counts = []
    for judge in {id(judge): judge for judge in asked.evaluators.values()}.values():
        if boards.view != judge.view:
            raise ValueError(
                f"{data} shows boards as {boards.view!r}, but the machine sees them as "
                f"{judge.view!r}."
            )
        counts += count_clauses(judge, boards.packed, boards.to_move, boards.labels)
    return _gallery(rules, counts, f"What the clauses of {asked} say", most, form)


def _gallery(rules: Game, counts: list[ClauseCount], title: str, most: int, form: str) -> str:
    """A count of clauses, in a format."""
    if form == "html":
        return clause_statistics.gallery_page(rules, counts, title, most)
    if form == "json":
        return json.dumps(clause_statistics.counts_page(counts))
    if form == "markdown":
        return clause_statistics.gallery_markdown(rules, counts, most)
    return clause_statistics.gallery_text(rules, counts, most)


def _machine_player(player: str | None, rules: Game) -> Any:
    """A player whose judges have clauses."""
    asked = _player(player, rules)
    judges = asked.evaluators.values() if isinstance(asked, SearchPlayer) else ()
    if not judges or not all(hasattr(judge, "judges") for judge in judges):
        raise ValueError(f"The player {asked} has no clauses to count; name a Tsetlin Machine.")
    return asked


def _player(text: str | None, rules: Game) -> Player:
    """The player that was named, or the usual one."""
    return usual_player(rules) if text is None else read_player(text, rules)


def _begin(player: Player, rules: Game) -> None:
    for colour in rules.colours:
        player.begin(rules, colour, 0)


# ------------------------------------------------------------------ solve

GAMES_HELP = f"One of {', '.join(SOLVING.games())}."


def solve_position(
    game: Annotated[str, typer.Argument(help=GAMES_HELP)],
    position: Annotated[
        str | None, typer.Argument(help="In the game's notation; default: the starting position.")
    ] = None,
    parameter: Parameter = None,
    as_json: AsJson = False,
) -> None:
    """Show who wins a position with best play, the winning moves and the best line.

    Example: clauseboard solve checkers "W:WK32,K31:BK1"
    """
    rules = load_game(game, **read_parameters(parameter or []))
    begin = rules.start() if position is None else rules.read_position(position)
    outcome = begin.outcome()
    if outcome is not None:
        raise ValueError(f"The game is over in {rules.write_position(begin)!r}: {outcome}.")
    with ProgressBar("solving") as bar:
        solution = solve(begin, bar.tell)
    line = written(begin, solution)
    good = [begin.write_move(move) for move in solution.good_moves]
    if as_json:
        print(
            json.dumps(
                {
                    "game": repr(rules),
                    "position": rules.write_position(begin),
                    "winner": solution.winner,
                    "plies": solution.plies,
                    "good_moves": good,
                    "line": line,
                }
            )
        )
        return
    print(begin)
    n_moves = None if solution.plies is None else (solution.plies + 1) // 2
    moves = "" if n_moves is None else f" in {n_moves} move{'' if n_moves == 1 else 's'}"
    end = "a draw" if solution.winner is None else f"{solution.winner} wins{moves}"
    print(f"With best play: {end}.")
    if good:
        kind = "draw" if solution.winner is None else "win"
        print(f"Moves that {kind} for {begin.to_move}: {', '.join(good)}")
    else:
        print(f"Every move of {begin.to_move} loses.")
    if line:
        print(f"Best line: {' '.join(line)}")


def written(position: Position, solution: Solution) -> list[str]:
    """The moves of the best line as text."""
    texts = []
    for move in solution.line:
        texts.append(position.write_move(move))
        position = position.play(move)
        if position.outcome() is not None:
            break
    return texts


def perft(
    game: GameName,
    depth: Annotated[int, typer.Option(min=0, help="Length of the longest sequences.")] = 6,
    position: Annotated[
        str | None, typer.Option(help="Starting position in the game's notation.")
    ] = None,
    parameter: Parameter = None,
    as_json: AsJson = False,
) -> None:
    """Count the move sequences of a game, depth by depth.

    Example: clauseboard perft checkers --depth 8
    """
    rules = load_game(game, **read_parameters(parameter or []))
    begin = rules.start() if position is None else rules.read_position(position)
    # The first count would have the compiling in it.
    rules.perft(begin, min(depth, 1))
    rows = []
    if not as_json:
        print(f"{'depth':>5} {'sequences':>18} {'seconds':>9} {'a second':>14}")
    for moves in range(1, depth + 1):
        start = time.perf_counter()
        count = rules.perft(begin, moves)
        seconds = time.perf_counter() - start
        rows.append({"depth": moves, "sequences": count, "seconds": round(seconds, 6)})
        if not as_json:
            print(f"{moves:>5} {count:>18,} {seconds:>9.3f} {count / max(seconds, 1e-9):>14,.0f}")
    if as_json:
        print(json.dumps({"game": repr(rules), "position": repr(begin), "perft": rows}))
