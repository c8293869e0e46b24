"""Random positions of Hex for tests."""

from clauseboard.game import load_game
from clauseboard.games.hex.rules import cells_of


def random_position(rng, size, least=0, most=None):
    """A position after so many random moves, in which nobody has won."""
    while True:
        position = load_game("hex", size=size).start()
        stones = rng.randint(least, size * size // 2 + 1 if most is None else most)
        for move in rng.sample(cells_of(size), stones):
            position = position.play(move)
            if position.outcome() is not None:
                break
        else:
            return position
