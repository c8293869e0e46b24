"""Random endings of checkers, play by the endgame tables, and what their tests share."""

import random
import time

from checkers_boards import ENDLESS

from clauseboard.games.checkers import CheckersPosition
from clauseboard.games.checkers.rules import BLACK, CROWNS, SQUARES, WHITE, WORD

NO_BOARD = 255
PATIENCE = 900
"""Seconds for another process to make tables, on a busy machine."""

# Boards, draws, wins, losses and the most moves to the end; found once, proved by `count_faults`.
SUMS = {
    2: (3488, 2370, 716, 402, 13),
    3: (196032, 8477, 100250, 87305, 62),
    4: (6209316, 1717922, 2574304, 1917090, 109),
    5: (139450808, 11122892, 71334772, 56993144, 162),
}


def random_ending(rng, pieces, game=ENDLESS):
    """A board of so many pieces, some on each side."""
    words, kings = {BLACK: 0, WHITE: 0}, 0
    colours = [BLACK, WHITE, *rng.choices((BLACK, WHITE), k=pieces - 2)]
    for square, colour in zip(rng.sample(list(SQUARES), pieces), colours, strict=True):
        words[colour] |= WORD[square]
        if WORD[square] & CROWNS[colour] or rng.random() < 0.5:
            kings |= WORD[square]
    return CheckersPosition(game, words[BLACK], words[WHITE], kings, rng.choice((BLACK, WHITE)))


def summed(tables, pieces):
    values = tables.of(pieces)
    values = values[values != NO_BOARD].astype(int)
    wins = (values > 0) & (values % 2 == 0)
    draws = int((values == 0).sum())
    return len(values), draws, int(wins.sum()), int((values % 2).sum()), int(values.max()) - 1


def play_on(tables, position, rng, loser_errs=False):
    """Play to the end by the table; the loser may err. The outcome, and the number of moves."""
    loser_to_move = tables.probe(position).value < 0
    played = 0
    while position.outcome() is None:
        errs = loser_errs and loser_to_move
        moves = position.moves() if errs else tables.best_moves(position)
        position = position.play(rng.choice(moves))
        loser_to_move = not loser_to_move
        played += 1
    return position.outcome(), played


def check_play(tables, pieces, count):
    rng = random.Random(pieces)
    longest = 0
    for _ in range(count):
        position = random_ending(rng, pieces)
        verdict = tables.probe(position)
        if verdict.value == 0:
            continue
        winner = position.to_move if verdict.value > 0 else position.game.other(position.to_move)
        outcome, played = play_on(tables, position, rng)
        assert (outcome.winner, played) == (winner, verdict.plies)
        outcome, played = play_on(tables, position, rng, loser_errs=True)
        assert outcome.winner == winner
        assert played <= verdict.plies
        longest = max(longest, verdict.plies)
    return longest


def wait_until(condition, patience=PATIENCE):
    """Wait for another thread or process."""
    ends = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < ends, "it did not happen"
        time.sleep(0.02)
