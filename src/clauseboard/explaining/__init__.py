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

from clauseboard.explaining.account import Account
from clauseboard.explaining.asking import explain_move, explain_position
from clauseboard.explaining.comparing import Comparison, compare
from clauseboard.explaining.game_report import GameReport, report_game
from clauseboard.explaining.merging import Argument, join, merge
from clauseboard.explaining.sentences import conditions, sentence
from clauseboard.explaining.shares import shares
from clauseboard.explaining.statistics import Counting, count_clauses

__all__ = [
    "Account",
    "Argument",
    "Comparison",
    "Counting",
    "GameReport",
    "compare",
    "conditions",
    "count_clauses",
    "explain_move",
    "explain_position",
    "join",
    "merge",
    "report_game",
    "sentence",
    "shares",
]
