"""Monte-Carlo tree search by concepts of Hex: what connections prove, and which moves are left."""

import random

import pytest
from mcts_judges import concept_judge

from clauseboard.evaluation import Compiled, Limit
from clauseboard.game import load_game
from clauseboard.games.hex import concepts
from clauseboard.games.hex.chains import find_connections, must_play
from clauseboard.games.hex.solving import Solver, solver_for
from clauseboard.kernels.compiler import JIT_DISABLED
from clauseboard.players import load_player
from clauseboard.search.alpha_beta import AlphaBeta
from clauseboard.search.mcts import MonteCarlo
from hex_positions import random_position

REFUTED = (
    "...B......./.....B...R./...R.BRB.B./....RBB.R../....RRRB.R./....BBBR.../"
    ".........../......R..../.........../.........../........... red"
)


def search(simulations=200):
    return MonteCarlo(simulations=simulations, keep=False)


@pytest.mark.skipif(JIT_DISABLED, reason="the solver takes too long without the compiler")
@pytest.mark.parametrize(("size", "count"), [(4, 40), (5, 40), (6, 25)])
def test_what_it_proves_agrees_with_the_solver(size, count):
    rng, proven = random.Random(size), 0
    judge = concept_judge(load_game("hex", size=size))
    for seed in range(count):
        position = random_position(rng, size, least=3)
        choice = search().find(position, judge, seed=seed)
        if abs(choice.value) < 1:
            continue
        proven += 1
        won = solver_for(size).winning_moves(position)
        assert (choice.value == 1.0) == bool(won), repr(position)
        assert not won or choice.move in won
    assert proven > count / 2


@pytest.mark.parametrize("size", [6, 7])
def test_moves_that_do_not_answer_a_threat_are_left_out(size):
    rng, fewer = random.Random(10 + size), 0
    judge = concept_judge(load_game("hex", size=size))
    for seed in range(2 if JIT_DISABLED else 30):
        position = random_position(rng, size, least=4)
        sides = find_connections(position)
        if sides[position.to_move].wins_by_moving:
            continue
        left = must_play(position)
        choice = search(30).find(position, judge, seed=seed)
        looked_at = {candidate.move for candidate in choice.candidates}
        if left and choice.value > -1.0:  # of lost moves any may hold out longest
            assert looked_at <= set(left), repr(position)
            fewer += len(left) < len(position.moves())
    assert fewer or JIT_DISABLED


def test_only_moves_that_were_looked_at_are_listed():
    rng = random.Random(5)
    judge = concept_judge(load_game("hex", size=6))
    for seed in range(2 if JIT_DISABLED else 20):
        position = random_position(rng, 6, most=10)
        choice = search(15).find(position, judge, seed=seed)
        # The first may be the only one that was not proven to lose.
        others = choice.candidates[1:]
        assert all(c.visits or abs(c.value) == 1 for c in others), repr(position)


def test_a_proven_line_ends_where_it_is_certain():
    rng, seen = random.Random(6), 0
    judge = concept_judge(load_game("hex", size=6))
    for seed in range(2 if JIT_DISABLED else 40):
        position = random_position(rng, 6, least=3, most=14)
        choice = search(300).find(position, judge, seed=seed)
        assert choice.proven == (abs(choice.value) == 1)
        if choice.value == 1:
            seen += 1
            end = position
            for move in choice.line:
                end = end.play(move)
            winner = end.winner or concepts.decided(end)[0]
            assert winner == position.to_move, repr(position)
    assert seen > 10 or JIT_DISABLED


def test_no_expected_line_goes_on_where_a_connection_has_decided():
    rng, long_ = random.Random(16), 0
    player = load_player("shipped", load_game("hex", size=11))
    for _ in range(1 if JIT_DISABLED else 12):
        position = random_position(rng, 11, least=4, most=24)
        choice = player.choose(position, Limit(simulations=20 if JIT_DISABLED else 300))
        if abs(choice.value) == 1 or concepts.decided(position) is not None:
            continue
        long_ += len(choice.line) > 2
        for move in choice.line:
            assert concepts.decided(position) is None, (position, choice.line)
            position = position.play(move)
        known = concepts.decided(position)  # nobody lets the other side connect at the end
        assert known is None or known[0] != position.to_move, (position, choice.line)
    assert long_ > 5 or JIT_DISABLED


@pytest.mark.skipif(JIT_DISABLED, reason="it takes too long without the compiler")
def test_a_move_that_is_known_to_lose_is_not_expected_where_others_are_open():
    """The line was followed through refuted moves, to a win that the search did not believe in."""
    game = load_game("hex", size=11)
    position = game.read_position(REFUTED)
    choice = load_player("shipped", game).choose(position, Limit(simulations=800))
    assert not choice.proven
    end = position
    for move in choice.line:
        end = end.play(move)
    assert concepts.decided(end) is None


def test_a_side_that_is_connected_has_won_and_plays_it_out():
    game = load_game("hex", size=5)
    judge = concept_judge(game)
    position = game.read_position("...../.B.../..R../...../..... red")
    moves = 0
    while position.outcome() is None:
        choice = search(60).find(position, judge, seed=moves)
        if position.to_move == "red":
            assert choice.value == 1.0
            position = position.play(choice.move)
            moves += 1
        else:
            assert choice.value == -1.0
            position = position.play(random.Random(moves).choice(position.moves()))
    assert position.winner == "red"
    assert moves <= 6


def test_a_side_that_has_lost_says_so_and_plays_into_the_plan_of_the_other_one():
    game = load_game("hex", size=5)
    position = game.start().play(game.start().read_move("c3"))
    choice = search(100).find(position, concept_judge(game))
    assert choice.value == -1.0
    assert all(candidate.value == -1.0 for candidate in choice.candidates)
    plan = find_connections(position)["red"]
    assert choice.move in plan.full[0] | plan.captured
    assert sum(candidate.visits for candidate in choice.candidates) > 0


def test_a_won_board_is_explained_by_its_connection():
    game = load_game("hex", size=5)
    judge = concept_judge(game)
    after = game.start().play(game.start().read_move("c3"))
    told = judge.explain(after)
    assert told.is_settled
    links = "the top to c3 by the edge template of c3, c3 to the bottom by the edge template of c3"
    assert [line.text for line in told.lines] == [f"red is connected from top to bottom: {links}"]
    assert told.value == -1.0
    open_board = judge.explain(load_game("hex", size=11).start())
    assert not open_board.is_settled


def test_a_swap_is_no_lost_game():
    game = load_game("hex", size=5, swap=True)
    after = game.start().play(game.start().read_move("c3"))
    assert concepts.decided(after) is None
    choice = search(40).find(after, concept_judge(game))
    assert any(str(candidate.move) == "swap" for candidate in choice.candidates)


def test_boards_without_room_for_concepts_are_searched_by_positions():
    """Alpha-beta counts the concepts of Hex in Python, since its kernels do not."""
    game = load_game("hex", size=4)
    judge = concept_judge(game)
    assert judge.compiled()[0].kind == Compiled.CONCEPTS
    choice = AlphaBeta(depth=1).find(game.start(), judge, Limit(depth=1))
    assert choice.value is not None
    assert choice.move in game.start().moves()


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_kernels_of_concepts_are_prepared_where_they_are_counted():
    """They are compiled by another process meanwhile, and only for judges that need them."""
    game = load_game("hex", size=6)
    names = [each.__name__ for each in search().kernels(game, concept_judge(game))]
    assert names == ["simulate", "find_plans", "count_concepts", "forced"]
    assert [each.__name__ for each in search().kernels(game)] == ["simulate", "forced"]
    large = load_game("hex", size=9)
    assert [each.__name__ for each in search().kernels(large)] == ["simulate"]


@pytest.mark.skipif(JIT_DISABLED, reason="the solver takes too long without the compiler")
@pytest.mark.parametrize("size", [4, 5])
def test_a_side_that_has_won_plays_the_move_that_wins_soonest(size):
    """It played any move that was proven to win, and took detours."""
    rng, solver, won = random.Random(40 + size), Solver(size), 0
    judge = concept_judge(load_game("hex", size=size))
    while won < 25:
        position = random_position(rng, size, least=2)
        if not solver.winning_moves(position):
            continue
        choice = search().find(position, judge, seed=won)
        if choice.value < 1.0:
            continue
        won += 1
        assert choice.proven
        assert choice.move in solver.soonest(position).moves, repr(position)
        assert choice.line[0] == choice.candidates[0].move == choice.move


@pytest.mark.skipif(JIT_DISABLED, reason="the solver takes too long without the compiler")
@pytest.mark.parametrize("size", [4, 5])
def test_a_lost_side_plays_the_move_that_holds_out_longest(size):
    """And the line that is expected ends where the other side has won."""
    rng, solver, lost = random.Random(20 + size), Solver(size), 0
    judge = concept_judge(load_game("hex", size=size))
    while lost < 25:
        position = random_position(rng, size, least=2)
        if solver.winning_moves(position):
            continue
        lost += 1
        left = solver.fewest_moves(position)
        choice = search().find(position, judge, seed=lost)
        assert choice.value == -1.0
        assert choice.proven
        assert solver.fewest_moves(position.play(choice.move)) == left, repr(position)
        assert choice.line[0] == choice.candidates[0].move == choice.move
        end = position
        for move in choice.line:
            end = end.play(move)
        decided = concepts.decided(end)
        assert (end.winner or decided[0]) != position.to_move
