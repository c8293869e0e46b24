"""`clauseboard players`: the players and their options."""

from __future__ import annotations

import dataclasses
import json
from typing import Annotated

import typer

from clauseboard.cli.common import AsJson, Parameter, read_parameters
from clauseboard.game import Game, load_game


def players(
    game: Annotated[str | None, typer.Argument(help="List only the players of this game.")] = None,
    parameter: Parameter = None,
    as_json: AsJson = False,
) -> None:
    """List the players and their options.

    Example: clauseboard players hex --set size=6
    """
    from clauseboard.players import describe_players
    from clauseboard.search.base import search_names

    if game is None and parameter:
        raise ValueError("--set is for a game's parameters; name the game, too.")
    rules = None if game is None else load_game(game, **read_parameters(parameter or []))
    kinds = describe_players(rules)
    if as_json:
        print(json.dumps([dataclasses.asdict(kind) for kind in kinds]))
        return
    width = max(len(kind.name) for kind in kinds)
    for kind in kinds:
        if kind.refuses:
            continue
        print(f"{kind.name:<{width}}  {kind.text}")
        options = [*kind.options, *(["search ..."] if kind.searches else [])]
        if options:
            print(f"{'':<{width}}    options: {', '.join(options)}")
    print(
        f"\nA `search` ({', '.join(search_names())}) also takes its own parameters, and the "
        "limits seconds, depth, nodes and simulations.\n"
        "Write a player as name:key=value,key=value, such as tsetlin:machine=black.tm,search=mcts."
    )
    _show_shipped(rules)
    for kind in kinds:
        if kind.refuses:
            print(f"Not here: {kind.name}. {kind.refuses}")


def _show_shipped(game: Game | None) -> None:
    """The shipped players, with their strength."""
    from clauseboard.arena.reporting import strength_text
    from clauseboard.players.shipped import TITLE, cards

    here = [card for card in cards() if game is None or card.fits(game)]
    if here:
        print(f"\nShipped players (`shipped`; on the page: {TITLE}):")
        for card in here:
            print(f"  {card.board}: {card.n_clauses:,} clauses")
            for line in (*map(strength_text, card.measured), *card.also):
                print(f"    {line}")
