"""Reasons for people: merged, put into sentences, compared, drawn, and counted.

>>> from clauseboard.explaining import Account
>>> from clauseboard.game import load_game
>>> from clauseboard.players import load_player
>>> game = load_game("checkers")
>>> choice = load_player("material", game, depth=3).choose(game.start())
>>> account = Account(choice.explanation, game.start())
>>> account.value_for
'black'
"""

from clauseboard.explaining.account import Account, shares
from clauseboard.explaining.clause_statistics import Counting, count_clauses
from clauseboard.explaining.game_report import GameReport, report_game
from clauseboard.explaining.questions import Comparison, compare, explain, explain_move
from clauseboard.explaining.reasons import Argument, conditions, join, merge, sentence

__all__ = [
    "Account",
    "Argument",
    "Comparison",
    "Counting",
    "GameReport",
    "compare",
    "conditions",
    "count_clauses",
    "explain",
    "explain_move",
    "join",
    "merge",
    "report_game",
    "sentence",
    "shares",
]
