"""Data sets of checkers the slow way: lists, dictionaries, and the steps one after the other."""

import random

from naive import checkers

RESULTS = {"black": "1-0", "white": "0-1", "draw": "1/2-1/2"}


def random_games(seed, n_games, most_moves=60):
    """Games as (moves, winner or "draw"), where those that are not over have any result."""
    rng = random.Random(seed)
    games = []
    for _ in range(n_games):
        board, side, played = checkers.start(), "black", []
        length = rng.randint(1, most_moves)
        while len(played) < length and (legal := checkers.moves(board, side)):
            played.append(rng.choice(legal))
            board, side = checkers.play(board, played[-1]), checkers.other(side)
        over = not checkers.moves(board, side)
        games.append((played, checkers.other(side) if over else rng.choice(list(RESULTS))))
    return games


def as_pdn(games):
    """Games as text, with the whole way of every move, some moves a line."""
    texts = []
    for moves, winner in games:
        words = []
        for n, (path, taken) in enumerate(moves):
            number = f"{n // 2 + 1}. " if n % 2 == 0 else ""
            words.append(number + ("x" if taken else "-").join(map(str, path)))
        lines = [" ".join(words[at : at + 10]) for at in range(0, len(words), 10)]
        head = f'[Event "some"]\n[Result "{RESULTS[winner]}"]\n'
        texts.append(head + "\n".join(lines) + f" {RESULTS[winner]}\n\n")
    return "".join(texts)


def board_after(moves):
    board = checkers.start()
    for move in moves:
        board = checkers.play(board, move)
    return board


def bits(board):
    """32 bits for each kind of piece: black men, black kings, white men, white kings."""
    return tuple(
        int(board.get(checkers.CELL[square]) == piece)
        for piece in "bBwW"
        for square in range(1, 33)
    )


def measures(board):
    """Own men, their men, own kings, their kings, own on the edges, both centres of weight."""
    count = [sum(piece == kind for piece in board.values()) for kind in "bwBW"]
    edge = sum(p in "bB" and column in (0, 7) for (_, column), p in board.items())
    centres = []
    for side in ("bB", "wW"):
        weighed = [(row + 1, 2 if p in "BW" else 1) for (row, _), p in board.items() if p in side]
        summed = sum(weight for _, weight in weighed)
        multiplied = sum(row * weight for row, weight in weighed)
        centres.append(multiplied // summed if summed else 0)
    return (*count, edge, *centres)


def boards_of(games, rounds):
    """(bits, winner, game, moves made) of each board: whole rounds are taken back, one by one."""
    found = []
    for number, (moves, winner) in games:
        for taken_back in range(rounds + 1):
            left = len(moves) - 2 * taken_back
            if left > 0:
                found.append((bits(board_after(moves[:left])), winner, number, left))
    return found


def without_repeats(things, key):
    seen, kept = set(), []
    for thing in things:
        if key(thing) not in seen:
            seen.add(key(thing))
            kept.append(thing)
    return kept


def composed(games, rounds, unique):
    """The boards by the published steps: one board a game; several; several without repeats."""
    numbered = list(enumerate(games))
    if unique and rounds:
        numbered = without_repeats(numbered, key=lambda game: (tuple(game[1][0]), game[1][1]))
    boards = boards_of(numbered, rounds)
    if unique:
        boards = without_repeats(boards, key=lambda board: board[:2])
    return boards


def dealt(counts, order, n_folds):
    """Each game to the fold with the least share of its results, of those to the smallest."""
    totals = [sum(column) for column in zip(*counts, strict=True)]
    held = [[0] * len(totals) for _ in range(n_folds)]
    folds = [None] * len(counts)
    for game in order:
        shares = [
            sum(h * c / t for h, c, t in zip(fold, counts[game], totals, strict=True) if c)
            for fold in held
        ]
        best = min(range(n_folds), key=lambda fold: (shares[fold], sum(held[fold]), fold))
        folds[game] = best
        held[best] = [h + c for h, c in zip(held[best], counts[game], strict=True)]
    return folds
