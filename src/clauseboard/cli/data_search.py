"""`clauseboard data search`: boards of Hex that a search thinks most of, labelled by the solver."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from clauseboard.cli.options import AsJson, Jobs, Parameter, Seed, read_parameters


def search(
    player: Annotated[str, typer.Argument(help="Who scores boards: name:option=value,...")],
    out: Annotated[Path | None, typer.Option(help="A folder for the files of boards.")] = None,
    iterations: Annotated[int, typer.Option(min=1, help="Files to write, in all.")] = 27,
    boards: Annotated[int, typer.Option(min=1, help="Random boards of an iteration.")] = 100,
    top: Annotated[int, typer.Option(min=1, help="Boards that are kept from each.")] = 100,
    depth: Annotated[int, typer.Option(min=1, help="Moves to look ahead, an odd number.")] = 3,
    fewest: Annotated[int, typer.Option(min=1, help="Fewest stones of a random board.")] = 2,
    most: Annotated[int, typer.Option(min=1, help="Most stones of a random board.")] = 15,
    seed: Seed = 1,
    jobs: Jobs = 1,
    parameter: Parameter = None,
    as_json: AsJson = False,
) -> None:
    """Search random boards of Hex (6 × 6), and write the best boards found with who wins them.

    The same command goes on where it was interrupted.

    Example: clauseboard data search tsetlin:red=red.tm,blue=blue.tm --out searched
    """
    from clauseboard.cli.waiting import Bar
    from clauseboard.datasets.searching import Plan, search_boards
    from clauseboard.game import load_game

    if out is None:
        raise ValueError("The boards need a folder to go to: --out FOLDER.")
    rules = load_game("hex", **({"size": 6} | read_parameters(parameter or [])))
    plan = Plan(rules, player, boards, fewest, most, depth, top, seed)
    with Bar("searching") as bar:
        files = search_boards(plan, out, iterations, jobs, bar.tell)
    page = {"files": len(files), "folder": str(out), "boards": iterations * boards}
    if as_json:
        print(json.dumps(page))
        return
    print(
        f"{len(files)} files in {out}, with what was found from {iterations * boards:,} boards. "
        f"Make a data set of them: clauseboard data build hex searched {out} --out FILE.npz"
    )
