"""How fast H-search is on Hex boards, and how much it decides; on one core. Or: how long lost
boards are held.

python benchmarks/hex_connections.py --out benchmarks/results/hex-connections.json
python benchmarks/hex_connections.py --lost --out benchmarks/results/hex-lost.json

Boards of middle games: those of the shipped player against itself, after every move from the 20th
to the 60th. Each time both sides' connections are found anew. Beside it stands what all concepts of
the board take, the search for connections included, and what an incremental search could reuse: the
share of the points whose plans to an anchor are the same as before the last move, for both sides,
and the share of an anchor's points all of which are; and what it would cost to keep the plans of
each board of a tree, only to copy them out and back in. What it decides is measured on small
boards of random games against the solver: the share of positions in which it names the winner, and
how often it names the wrong one, which must be never.

With --lost, boards are played out on which a search of 100 simulations has proven that every move
loses: the first one of each game of the shipped player against itself, after two to five random
moves. The lost side moves as the shipped player does (300 simulations); as it did before it counted
how long a move holds out, by a search that does not know that it has lost; or at random. "More than
before" compares the first two on the boards that neither of them won after all. The other
side takes the shortest win (the solver), any winning move (the solver, at random), the move on the
shortest way to its edges after which H-search still sees it connected (straight; before there is
one it moves as the shipped player), or moves as the shipped player, or a weaker level. On small
boards the solver says how long the game can last.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any
from unittest import mock

import numpy as np

from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.games.hex import compiled_rules, h_search
from clauseboard.games.hex.chains import Workspace
from clauseboard.games.hex.concept_kernels import counted
from clauseboard.games.hex.encoding import boards_of
from clauseboard.games.hex.remaining_moves import MoveCounter
from clauseboard.games.hex.rules import HexMove, HexPosition, cells_of
from clauseboard.games.hex.solving import Solver
from clauseboard.players import load_player
from clauseboard.players.searcher import SearchPlayer
from clauseboard.players.shipped import FOLDER, card_for
from stamp import keep, new_parser, stamp

REPEATS = 20


def middle_games(size: int, games: int, seed: int) -> list[HexPosition]:
    """Boards of games of the shipped player against itself, with two random moves at first."""
    game = load_game("hex", size=size)
    player = load_player("shipped", game)
    first, last = size * size // 6, size * size // 2
    rng, boards = random.Random(seed), []
    for _ in range(games):
        position = game.start()
        for count in range(last):
            move = rng.choice(position.moves())
            if count >= 2:
                move = player.choose(position, Limit(simulations=100)).move
            position = position.play(move)
            if position.outcome() is not None:
                break
            if count >= first:
                boards.append(position)
    return boards


def timed(size: int, games: int) -> dict[str, Any]:
    """Milliseconds of the processor a board for both sides: median, 95 of 100, and the longest."""
    positions = middle_games(size, games, seed=271828)
    room, milliseconds = Workspace(size), []
    boards = boards_of(positions[0].game, positions)
    room.find(boards[0])
    for board in boards:
        start = time.process_time()
        for _ in range(REPEATS):
            room.find(board)
        milliseconds.append((time.process_time() - start) / REPEATS * 1000)
    median, most = np.percentile(milliseconds, [50, 95])
    start, sides = time.process_time(), np.zeros(len(boards), np.int64)
    for _ in range(REPEATS):
        counted(boards, sides, size)
    counting = (time.process_time() - start) / REPEATS / len(boards) * 1000
    return {
        "size": size, "boards": len(boards), "median_ms": float(median), "p95_ms": float(most),
        "longest_ms": max(milliseconds), "mean_ms": float(np.mean(milliseconds)),
        "concepts_mean_ms": counting, "kept_mb": megabytes(room), "copies_ms": copies(room),
        **kept_by_a_move(positions),
    }  # fmt: skip


def megabytes(room: Workspace) -> float:
    """What the plans of both sides take."""
    return sum(array.nbytes for side in room.sides for array in side) / 1e6


def copies(room: Workspace, boards: int = 200) -> float:
    """Milliseconds to copy the plans of a board to where they are kept, and those of another back.

    They are those of many boards in any order, as a tree visits them.
    """
    arrays = [array for side in room.sides for array in side]
    kept = [[array.copy() for array in arrays] for _ in range(boards)]
    order = random.Random(7).sample(range(boards), boards)
    start = time.process_time()
    for one, two in zip(order, order[1:] + order[:1], strict=True):
        for array, there, back in zip(arrays, kept[one], kept[two], strict=True):
            there[...] = array
            array[...] = back
    return (time.process_time() - start) / boards * 1000


def kept_by_a_move(positions: list[HexPosition]) -> dict[str, float]:
    """The share of the plans that are the same before and after a move of a game."""
    size, same, lists, whole, anchors = positions[0].game.size, 0, 0, 0, 0
    plans = [plans_of(position) for position in positions]
    for position, before, after in zip(positions[1:], plans, plans[1:], strict=False):
        if position.red.bit_count() + position.blue.bit_count() <= size * size // 6 + 1:
            continue  # the first board of a game
        for key, of_point in after.items():
            alike = [before.get(key, {}).get(point) == held for point, held in of_point.items()]
            same, lists = same + sum(alike), lists + len(alike)
            whole, anchors = whole + all(alike), anchors + 1
    return {"points_kept": same / max(lists, 1), "anchors_kept": whole / max(anchors, 1)}


def plans_of(position: HexPosition) -> dict[tuple[int, int], dict[int, bytes]]:
    """By side and anchor, the plans to each point."""
    room, found = Workspace(position.game.size), {}
    room.find(boards_of(position.game, [position])[0])
    for side, memory in enumerate(room.sides):
        for index in range(memory[h_search.N_ANCHORS][0]):
            counts = memory[h_search.FULL_COUNTS][index]
            found[side, int(memory[h_search.ANCHORS][index])] = {
                int(point): memory[h_search.FULL][index, point, : counts[point]].tobytes()
                for point in np.flatnonzero(counts)
            }
    return found


def decided(size: int, count: int, least: int, most: int) -> dict[str, Any]:
    """How many random positions are decided without search, and how many of them wrongly."""
    rng, game = random.Random(314159), load_game("hex", size=size)
    positions: list[HexPosition] = []
    while len(positions) < count:
        position = game.start()
        for move in rng.sample(cells_of(size), rng.randint(least, most)):
            if position.outcome() is None:
                position = position.play(move)
        if position.outcome() is None:
            positions.append(position)
    boards = boards_of(game, positions)
    movers = np.array([position.to_move == "blue" for position in positions], np.int8)
    winners = Solver(size, 2**21).label(game, boards, movers)
    room, right, wrong = Workspace(size), 0, 0
    for board, mover, winner in zip(boards, movers, winners, strict=True):
        connected = room.find(board)
        for side in (int(mover), 1 - int(mover)):
            full = connected[side] or len(room.full_plans(side, 1, size * size))
            if full or (side == mover and len(room.half_wins(side))):
                right += int(side == winner)
                wrong += int(side != winner)
                break
    stones = f"{least} to {most}"
    return {"size": size, "positions": count, "stones": stones, "right": right, "wrong": wrong}


# ---- lost boards

LOST, PLAYED = Limit(simulations=100), Limit(simulations=300)
HOLDERS = "longest", "before", "random"
BOARDS = {5: (60, ("shortest win", "any win")), 6: (60, ("shortest win", "any win", "shipped")),
          7: (60, ("shortest win", "shipped")),
          11: (60, ("shipped", "straight", "medium"))}  # fmt: skip
"""For each size how many boards there are, and who plays the other side."""


def player_of(size: int, level: str | None = None) -> SearchPlayer:
    """The shipped player, on 5x5 with the machines of the one of 6x6; or a level of it."""
    game = load_game("hex", size=size)
    if level is not None:
        player = load_player("shipped", game, level=level)
    else:
        card = card_for(load_game("hex", size=max(size, 6)))
        files = {"machine": str(FOLDER / str(card.machine)), "moves": str(FOLDER / str(card.moves))}
        player = load_player("tsetlin", game, **files, search="mcts", **card.usual)
    assert isinstance(player, SearchPlayer)
    return player


def lost_positions(size: int, count: int) -> Iterator[HexPosition]:
    """The first board of each game on which the side to move knows that it has lost."""
    player = player_of(size)
    for number in range(10 * count):
        rng, position, proven = (
            random.Random(f"lost board {number} of {size}"),
            player.game.start(),
            False,
        )
        for colour in player.game.colours:
            player.begin(player.game, colour, number)
        given = rng.randint(2, 5)
        while position.outcome() is None and not proven:
            given -= 1
            move = rng.choice(position.moves())
            if given < 0:
                choice = player.choose(position, LOST)
                move, proven = choice.move, choice.proven and choice.value == -1.0
            if not proven:
                position = position.play(move)
        if proven and count:
            count -= 1
            yield position
        if not count:
            return


def straight(board: HexPosition) -> HexMove | None:
    """The move on a shortest way from edge to edge after which the side to move is connected."""
    counter, cells = MoveCounter(board, board.to_move), cells_of(board.game.size)
    after = {cell: (counter.own | 1 << cells.index(cell), counter.other) for cell in board.moves()}
    for cell in sorted(after, key=lambda cell: counter.way(*after[cell]).moves):
        if counter.linked(*after[cell]).is_sure:
            return cell
    return None


def mover(kind: str, size: int, solver: Solver | None) -> Callable[[HexPosition, int], Any]:
    """What a kind of player plays on a board, with a seed."""
    if kind == "random":
        return lambda board, seed: random.Random(seed).choice(board.moves())
    if kind == "any win" and solver is not None:
        return lambda board, seed: random.Random(seed).choice(solver.winning_moves(board))
    if kind == "shortest win" and solver is not None:
        return lambda board, seed: solver.best_move(board, seed)
    player = player_of(size, "medium" if kind == "medium" else None)
    if kind == "straight":
        return lambda board, _: straight(board) or player.choose(board, PLAYED).move
    if kind != "before":
        return lambda board, _: player.choose(board, PLAYED).move

    def unaware(board: HexPosition, _: int) -> Any:
        with mock.patch.object(compiled_rules, "holding_out", return_value=()):
            return player.choose(board, PLAYED).move

    return unaware


def held(size: int, count: int, winner: str) -> list[dict[str, Any]]:
    """How many moves the lost boards of a size last against an opponent, by who holds them."""
    solver = Solver(size, 2**20) if size <= 7 else None
    boards = list(lost_positions(size, count))
    most: dict[int, int] = {}
    if solver is not None and winner == "shortest win":
        counts = [solver.fewest_moves(board, 2**18) for board in boards]
        most = {number: left for number, left in enumerate(counts) if left is not None}
    rows: list[dict[str, Any]] = []
    lasted: dict[str, dict[int, int]] = {}
    for holder in HOLDERS:
        plies = lasted.setdefault(holder, {})
        for number, board in enumerate(boards):
            movers = mover(holder, size, solver), mover(winner, size, solver)
            position, count = board, 0
            while position.outcome() is None:
                seed = 1000 * number + count
                position = position.play(movers[count % 2](position, seed))
                count += 1
            if position.winner != board.to_move:
                plies[number] = count
        shares = [plies[number] / (2 * left) for number, left in most.items() if number in plies]
        rows.append({
            "size": size, "boards": len(boards), "winner": winner, "holder": holder,
            **mean_of("plies", list(plies.values())), "turned": len(boards) - len(plies),
            "share": float(np.mean(shares)) if shares else None, "known": len(shares),
        })  # fmt: skip
        print(rows[-1], flush=True)
    longest, before = lasted["longest"], lasted["before"]
    more = [longest[number] - before[number] for number in longest.keys() & before.keys()]
    rows[0] |= mean_of("more", more)
    return rows


def mean_of(name: str, numbers: list[int]) -> dict[str, float]:
    """The mean of some numbers and its standard error."""
    error = float(np.std(numbers) / len(numbers) ** 0.5)
    return {name: float(np.mean(numbers)), "error" if name == "plies" else f"{name}_error": error}


def lost_page(result: dict[str, Any]) -> str:
    """How long lost boards are held, as Markdown."""
    lines = [
        "# Lost boards of Hex",
        "",
        "| board | the other side | who holds out | moves of both "
        "to the end | more than before | of the longest possible | won after all |",
        "|---|---|---|---:|---:|---:|---:|",
    ]
    for row in result["held"]:
        known = f" ({row['known']} boards)" if row["known"] < row["boards"] else ""
        share = "" if row["share"] is None else f"{row['share']:.1%}{known}"
        more = f"{row['more']:+.1f} ± {row['more_error']:.1f}" if "more" in row else ""
        lines.append(
            f"| {row['boards']} of {row['size']}x{row['size']} | {row['winner']} | {row['holder']} "
            f"| {row['plies']:.1f} ± {row['error']:.1f} | {more} | {share} | {row['turned']} |"
        )
    return "\n".join([*lines, ""])


# ---- pages


def page(result: dict[str, Any]) -> str:
    """The results as Markdown."""
    lines = ["# Connections of Hex", "", "| board | boards | median | 95 of 100 | longest |"]
    lines.append("|---|---:|---:|---:|---:|")
    lines += [
        f"| {row['size']}x{row['size']}, middle game | {row['boards']} | "
        f"{row['median_ms']:.2f} ms | {row['p95_ms']:.2f} ms | {row['longest_ms']:.2f} ms |"
        for row in result["timed"]
    ]
    lines += ["", "| board | connections, mean | all concepts, mean | points kept by a move | "
              "whole anchors | plans | copied out and in |", f"|---|{6 * '---:|'}"]  # fmt: skip
    lines += [
        f"| {row['size']}x{row['size']} | {row['mean_ms']:.2f} ms | "
        f"{row['concepts_mean_ms']:.2f} ms | {row['points_kept']:.0%} | "
        f"{row['anchors_kept']:.0%} | {row['kept_mb']:.1f} MB | {row['copies_ms']:.2f} ms |"
        for row in result["timed"]
    ]
    lines += ["", "| random positions | stones | decided | wrongly |", "|---|---|---:|---:|"]
    lines += [
        f"| {row['positions']} of {row['size']}x{row['size']} | {row['stones']} | "
        f"{(row['right'] + row['wrong']) / row['positions']:.1%} | {row['wrong']} |"
        for row in result["decided"]
    ]
    return "\n".join([*lines, ""])


def main(argv: list[str] | None = None) -> int:
    """Measure, print the page and keep the result."""
    parser = new_parser(__doc__, "fewer boards")
    parser.add_argument("--jobs", type=int, default=1, help="processes to measure in")
    parser.add_argument("--lost", action="store_true", help="how long lost boards are held")
    sizes = "the sizes of --lost"
    parser.add_argument(
        "--size", type=int, nargs="+", choices=BOARDS, default=[*BOARDS], help=sizes
    )
    arguments = parser.parse_args(argv)
    quick = arguments.quick
    if arguments.lost:
        with ProcessPoolExecutor(arguments.jobs) as pool:
            parts = [
                pool.submit(held, size, 3 if quick else BOARDS[size][0], winner)
                for size in arguments.size
                for winner in BOARDS[size][1]
            ]
            result = {**stamp(), "held": [row for part in parts for row in part.result()]}
        print(text := lost_page(result))
        keep(result, arguments.out, text)
        return 0
    with ProcessPoolExecutor(arguments.jobs) as pool:
        times = [pool.submit(timed, size, 2 if quick else 8) for size in (11, 14)]
        shares = [
            pool.submit(decided, size, 100 if quick else 1000, 8, 20)
            for size in ((5, 6) if quick else (6, 7))
        ]
        result = {
            **stamp(),
            "timed": [one.result() for one in times],
            "decided": [one.result() for one in shares],
        }
    text = page(result)
    print(text)
    keep(result, arguments.out, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
