"""A life that goes on: by the plan of its file, or by another one from the next machine on."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from clauseboard.game import Game
from clauseboard.selfplay.plan import Plan, plan_for
from clauseboard.selfplay.running import Life
from clauseboard.selfplay.store import LearningStore


def life_in(
    store: LearningStore, game: Game, options: Mapping[str, Any], change: bool = False
) -> Life:
    """The life in a file, new or gone on with.

    In a file that is not new, settings that are not given are those of the file. Others than these
    are refused, or, with `change`, hold from the first round on that has no machine yet: what was
    played and learned before stays as it is.
    """
    kept = store.plans()
    if not kept:
        plan = plan_for(game, options)
        store.set_plan(_written(game, plan))
        return Life(game, plan, store)
    now = kept[max(kept)]
    if now["game"] != repr(game):
        raise ValueError(
            f"{store.path} was begun with {now['game']}, not {game!r}; name that game with its "
            "parameters (--set size=6), or another file."
        )
    plan = plan_for(game, {**_settings(now), **options})
    wanted = _written(game, plan)
    if wanted != now:
        if not change:
            raise ValueError(_refusal(store, now, wanted))
        store.set_plan(wanted, store.next_machine())
        kept = store.plans()
    earlier = tuple(
        (after - 1, plan_for(game, _settings(kept[first])))
        for first, after in itertools.pairwise(kept)
    )
    return Life(game, plan, store, earlier=earlier)


def changes_in(store: LearningStore) -> dict[int, dict[str, Any]]:
    """What was set anew, by the round from which it holds."""
    return {
        first: {name: value for name, value in plan.items() if before.get(name) != value}
        for (_, before), (first, plan) in itertools.pairwise(store.plans().items())
    }


def _written(game: Game, plan: Plan) -> dict[str, Any]:
    return {"game": repr(game), **plan.settings()}


def _settings(kept: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in kept.items() if name != "game"}


def _refusal(store: LearningStore, now: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    name = next(n for n in wanted if n not in now or now[n] != wanted[n])
    if name not in now:
        begun = f"{store.path} was begun when there was no setting {name}"
        return f"{begun}; go on with {name}={wanted[name]!r} by --change, or name another file."
    return (
        f"{store.path} was begun with {name}={now[name]!r}, not {wanted[name]!r}; leave it as it "
        "was, add --change to go on with the new one, or name another file."
    )
