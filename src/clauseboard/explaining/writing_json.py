"""Reasons as JSON, for programs. Shares are exact, as fractions written "numerator/denominator"."""

from __future__ import annotations

import dataclasses
from typing import Any

from clauseboard.explaining.account import Account
from clauseboard.explaining.comparing import Comparison
from clauseboard.explaining.merging import Argument
from clauseboard.explaining.shares import shares
from clauseboard.explanation import Reason


def account_page(account: Account) -> dict[str, Any]:
    """An explanation in JSON's types. Nothing is left out."""
    found = account.explanation
    game = account.game
    return {
        "game": repr(game),
        "asked": None if account.asked is None else game.write_position(account.asked),
        "line": list(account.line),
        "position": game.write_position(found.position),
        "judge": found.judge,
        "value": account.value,
        "value_for": account.value_for,
        "votes": [{"winner": end, "votes": votes} for end, votes in found.votes.items()],
        "reasons": [argument_page(account, argument) for argument in account.arguments],
        "shares": [
            {
                "winner": end,
                "cells": [
                    {"cell": cell, "share": str(share), "votes": float(share)}
                    for cell, share in shares(found, end).items()
                ],
            }
            for end in found.votes
        ],
        "terms": [dataclasses.asdict(term) for term in account.terms],
        "about_terms": account.about_terms() if found.terms else "",
    }


def argument_page(account: Account, argument: Argument) -> dict[str, Any]:
    """An argument in JSON's types."""
    return {
        "text": account.sentence(argument),
        "winner": argument.about,
        "votes": argument.votes,
        "pictures": list(argument.pictures),
        "clauses": [_clause_page(reason) for reason in argument.reasons],
    }


def comparison_page(comparison: Comparison) -> dict[str, Any]:
    """Why one move and not the other, in JSON's types."""
    first = comparison.first
    return {
        "first": account_page(first),
        "second": account_page(comparison.second),
        "colour": comparison.colour,
        "lead": comparison.lead,
        "only_first": [argument_page(first, one) for one in comparison.only_first],
        "only_second": [argument_page(first, one) for one in comparison.only_second],
        "changed": [argument_page(first, one) for one in comparison.changed],
        "terms": [
            {"text": text, "first": one, "second": two} for text, one, two in comparison.terms
        ],
    }


def _clause_page(reason: Reason) -> dict[str, Any]:
    return {
        "needed": [bit.name for bit in reason.needed],
        "forbidden": [bit.name for bit in reason.forbidden],
        "votes": reason.votes,
    }
