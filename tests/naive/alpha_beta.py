"""Minimax by the book: every line is played out on positions, and nothing is left out."""

LONG = 10_000


def certain(sign, plies):
    """The score of a game that is won (1) or lost (-1) after so many moves from the root."""
    return sign * (10 - plies / LONG)


def score(position, depth, value, *, quiescence=True, probe=None, draw=0.0, seen=None, ply=0):
    """The score of a position for its side to move.

    `value(position)` judges a board, from -1 to 1, for the side to move; `probe(position)` is None
    or (sign, moves to the end); `draw` is for the side to move at the root. `seen` are the boards
    of the game so far.
    """
    if seen is None:
        seen = boards_before(position)
    worth = draw if ply % 2 == 0 else -draw
    here = board_of(position)
    if ply > 0 and probe is not None:
        known = probe(position)
        if known is not None:
            sign, plies = known
            return certain(sign, ply + plies) if sign else worth
    outcome = position.outcome()
    if outcome is not None:
        if outcome.winner is None:
            return worth
        return certain(1 if outcome.winner == position.to_move else -1, ply)
    if ply > 0 and here in seen:
        return worth
    moves = position.moves()
    taking = any(getattr(move, "captured", ()) for move in moves)
    if depth <= 0 and not (quiescence and taking):
        return value(position)
    return max(
        -score(
            position.play(move),
            depth - 1,
            value,
            quiescence=quiescence,
            probe=probe,
            draw=draw,
            seen=[*seen, here],
            ply=ply + 1,
        )
        for move in moves
    )


def each_move(position, depth, value, **options):
    """The score of every move for the side that makes it."""
    before = [*boards_before(position), board_of(position)]
    return {
        move: -score(position.play(move), depth - 1, value, seen=before, ply=1, **options)
        for move in position.moves()
    }


def board_of(position):
    """What may come up again: the board and whose turn it is; Hex has nothing of the kind."""
    return getattr(position, "board", None) or position, position.to_move


def boards_before(position):
    """The boards of the game that the position remembers, each with its side to move."""
    history = getattr(position, "history", ())
    sides = [position.to_move, position.game.other(position.to_move)]
    return [(board, sides[(len(history) - n) % 2]) for n, board in enumerate(history)]
