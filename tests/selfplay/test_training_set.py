"""What is learned from games: whose values, which moves, which boards; symmetries and truths."""

import dataclasses
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import load_game
from clauseboard.games.solving import known_end, truths
from clauseboard.games.squares import bit_sources, code_targets, mover_codes
from clauseboard.players import load_player
from clauseboard.search.compiled_rules import compiled_rules_of
from clauseboard.selfplay.games import SelfPlayGame, play_self_game
from clauseboard.selfplay.training_set import (
    NO_MOVE,
    held_back,
    training_set_of,
    with_fewer_draws,
    with_symmetries,
)

HEX = load_game("hex", size=3)
GO = load_game("go", size=4)


def games_of(game, n=6, drawn=2):
    player = load_player("random", game)
    return [
        play_self_game(game, player, seed, random_moves=drawn, most_moves=60) for seed in range(n)
    ]


def positions_of(game, games):
    """Every position on which the player chose, with its game and turn, the slow way."""
    for number, played in enumerate(games):
        position = game.start()
        for n, text in enumerate(played.moves):
            if n >= played.n_given:
                yield position, number, n - played.n_given, text
            position = position.play(position.read_move(text))


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_values_are_for_the_side_to_move(share):
    games = games_of(HEX)
    data = training_set_of(HEX, games, result_share=share)
    rows = list(positions_of(HEX, games))
    assert len(data) == len(rows)
    for row, (position, number, turn, _) in enumerate(rows):
        result = 1.0 if games[number].winner == position.to_move else -1.0
        said = games[number].values[turn]
        assert data.values[row] == pytest.approx(share * result + (1 - share) * said)
        assert data.games[row] == number
        assert np.array_equal(data.boards[row], HEX.encode([position], view="mover")[0])
    assert (data.moves == NO_MOVE).all()
    assert data.good.shape == (len(rows), 0)


@pytest.mark.parametrize("game", [HEX, GO], ids=["hex", "go"])
def test_moves_are_seen_as_the_mover_sees_the_board(game):
    games = games_of(game)
    data = training_set_of(game, games, with_moves=True)
    n_cells = game.size**2
    for row, (position, _, _, text) in enumerate(positions_of(game, games)):
        code = data.moves[row]
        after = position.play(position.read_move(text))
        if code == n_cells:  # a pass
            continue
        # The stone that the mover has just put is where the code says, seen by the same side.
        seen = game.encode([after], view="board")[0]
        if position.to_move == game.colours[1]:
            from clauseboard.games.squares import mover_source

            seen = seen[mover_source(game)]
        assert seen[code] == 1
        assert data.boards[row, code] == 0


def test_by_the_solver_values_are_the_truth_and_moves_are_good():
    games = games_of(HEX)
    data = training_set_of(HEX, games, by_solver=True, with_moves=True)
    rows = [position for position, *_ in positions_of(HEX, games)]
    texts = [text for *_, text in positions_of(HEX, games)]
    known = truths(HEX, rows)
    rules = compiled_rules_of(HEX)
    seen = mover_codes(HEX, rules.n_codes(HEX))
    for row, (position, truth) in enumerate(zip(rows, known, strict=True)):
        assert data.values[row] == (1.0 if truth.winner == position.to_move else -1.0)
        good = {rules.code_of(position, move) for move in truth.good_moves}
        if position.to_move == "blue":
            good = {int(seen[code]) for code in good}
        assert not good or int(data.moves[row]) in good
        chosen = rules.code_of(position, position.read_move(texts[row]))
        chosen = int(seen[chosen]) if position.to_move == "blue" else chosen
        # A chosen move stays alone where it wins, or nothing does; else any that wins will do.
        wanted = good if good and chosen not in good else {chosen}
        assert set(np.flatnonzero(data.good[row])) == wanted


def test_a_move_that_was_drawn_is_not_learned_unless_it_is_good():
    player = load_player("random", HEX)
    games = [play_self_game(HEX, player, seed, random_moves=0, noise=0.7) for seed in range(6)]
    plain = training_set_of(HEX, games, with_moves=True)
    known = training_set_of(HEX, games, with_moves=True, by_solver=True)
    for row, (_, number, turn, _) in enumerate(positions_of(HEX, games)):
        astray = turn in games[number].astray
        assert (plain.moves[row] == NO_MOVE) == astray
        assert plain.good[row].sum() == 1 - astray
        assert (known.moves[row] == NO_MOVE) == (astray and known.values[row] < 0)


@pytest.mark.parametrize("n", [1, 5, 20])
def test_off_path_positions_are_a_move_or_two_off_it(n):
    from clauseboard.selfplay.training_set import off_path_positions

    player = load_player("rollouts", HEX, simulations=30, rollouts=1)
    played = play_self_game(HEX, player, seed=2, random_moves=0)
    way = {position for position, *_ in positions_of(HEX, [played])}
    near = {p.play(move) for p in way for move in p.moves()}
    near |= {p.play(move) for p in near if p.outcome() is None for move in p.moves()}
    found = list(off_path_positions(HEX, played, n, random.Random(1)))
    assert 0 < len(found) <= n
    assert set(found) <= near
    assert all(p.outcome() is None for p in found)
    assert found == list(off_path_positions(HEX, played, n, random.Random(1)))


@pytest.mark.parametrize("off_path", [0, 4, 12])
def test_off_path_positions_have_a_known_truth(off_path):
    games = games_of(HEX, n=5)
    alone = training_set_of(HEX, games, by_solver=True, with_moves=True)
    data = training_set_of(HEX, games, by_solver=True, with_moves=True, off_path=off_path, seed=3)
    assert len(alone) <= len(data) <= len(alone) + 5 * off_path
    assert (len(data) > len(alone)) == (off_path > 0)
    assert set(np.unique(data.values)) <= {-1.0, 1.0}
    # Exactly where the side to move wins there are moves that win; a lost board has at most one,
    # that was chosen.
    several = data.good.sum(axis=1)
    assert (several[data.values > 0] >= 1).all()
    assert (several[data.values < 0] <= 1).all()
    for row in range(len(data)):
        mover = HEX.decode(data.boards[row], "red")
        [truth] = truths(HEX, [mover])
        assert (truth.winner == "red") == (data.values[row] > 0)


def test_off_path_positions_want_the_truth():
    with pytest.raises(ValueError, match="set by_solver=True"):
        training_set_of(HEX, games_of(HEX), off_path=2)
    go = games_of(GO, n=2)
    assert len(training_set_of(GO, go, by_solver=True, off_path=5)) == len(training_set_of(GO, go))


def test_boards_with_something_to_capture_are_left_out():
    game = load_game("checkers")
    games = games_of(game, n=3, drawn=6)
    quiet = [p for p, *_ in positions_of(game, games) if not any(m.captured for m in p.moves())]
    data = training_set_of(game, games)
    assert len(data) == len(quiet)
    assert np.array_equal(data.boards, game.encode(quiet, view="mover"))


def test_no_games_no_boards():
    assert len(training_set_of(HEX, [])) == 0


@pytest.mark.parametrize(("game", "ways"), [(HEX, 2), (GO, 8), (load_game("checkers"), 1)])
def test_symmetries_are_permutations_and_the_first_is_the_board_itself(game, ways):
    sources = bit_sources(game)
    n_codes = compiled_rules_of(game).n_codes(game)
    targets = code_targets(game, n_codes)
    assert len(sources) == len(targets) == ways
    for each, size in ((sources, len(game.bits())), (targets, n_codes)):
        assert (each[0] == np.arange(size)).all()
        assert (np.sort(each, axis=1) == np.arange(size)).all()
        assert len(np.unique(each, axis=0)) == ways


@pytest.mark.parametrize("game", [HEX, GO], ids=["hex", "go"])
@given(data=st.data())
@settings(max_examples=30)
def test_a_turned_move_on_a_turned_board_is_the_turned_result(game, data):
    rules = compiled_rules_of(game)
    position = game.start()
    for _ in range(data.draw(st.integers(0, 5))):
        moves = position.moves()
        position = position.play(moves[data.draw(st.integers(0, len(moves) - 1))])
        if position.outcome() is not None:
            return
    move = data.draw(st.sampled_from(position.moves()))
    way = data.draw(st.integers(0, len(bit_sources(game)) - 1))
    source = bit_sources(game)[way]
    target = code_targets(game, rules.n_codes(game))[way]
    turned = game.decode(game.encode([position])[0][source], position.to_move)
    code = int(target[rules.code_of(position, move)])
    other = turned.play(rules.move_of(turned, code))
    after = game.encode([position.play(move)])[0][source]
    assert np.array_equal(game.encode([other])[0], after)


def test_moves_that_are_no_cells_cannot_be_turned():
    with pytest.raises(ValueError, match="are not cells"):
        mover_codes(load_game("checkers"), 10)


def test_turned_boards_keep_their_values():
    data = training_set_of(HEX, games_of(HEX), with_moves=True)
    both = with_symmetries(HEX, data)
    n = len(data)
    assert len(both) == 2 * n
    assert np.array_equal(both.values[:n], both.values[n:])
    assert np.array_equal(both.boards[n:], data.boards[:, bit_sources(HEX)[1]])
    assert np.array_equal(both.moves[n:], 8 - data.moves)
    assert np.array_equal(both.games[n:], data.games)
    assert np.array_equal(both.good[n:, :9], data.good[:, 8::-1])
    assert np.array_equal(both.good[n:, 9], data.good[:, 9])


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_no_game_is_on_both_sides(share):
    data = training_set_of(HEX, games_of(HEX, n=10))
    known, test = held_back(data, share, seed=1)
    assert len(known) + len(test) == len(data)
    assert len(np.unique(test.games)) == int(10 * share)
    assert not set(known.games.tolist()) & set(test.games.tolist())


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_fewer_draws(share):
    data = training_set_of(HEX, games_of(HEX, n=40), result_share=1.0)
    values = np.where(np.arange(len(data)) % 2, data.values, 0.0)
    data = dataclasses.replace(data, values=values)
    fewer = with_fewer_draws(data, share, seed=1)
    assert (fewer.values != 0).sum() == (values != 0).sum()
    assert (fewer.values == 0).mean() == pytest.approx(share / (1 + share), abs=0.12)


def test_truths_agree_with_the_solver_and_are_silent_elsewhere():
    from clauseboard.games.solving import solve

    for position, *_ in positions_of(HEX, games_of(HEX, n=3)):
        [truth] = truths(HEX, [position])
        assert truth.winner == solve(position).winner
        assert set(truth.good_moves) == set(solve(position).good_moves)
    large = load_game("hex", size=9)
    assert truths(large, [large.start()]) == [None]
    assert truths(GO, [GO.start()]) == [None]
    assert known_end(GO, GO.start()) is None


def test_the_end_of_a_small_ending_is_known():
    game = load_game("checkers")
    won = game.read_position("B:WK32:BK14,K18")
    end = known_end(game, won)
    assert (end.winner, end.reason) == ("black", "by the endgame tables")
    assert known_end(game, game.start()) is None
    other = load_game("checkers", blocked="draw")
    assert truths(other, [other.start()]) == [None]


def test_a_game_that_is_known_is_not_played_out():
    played = SelfPlayGame(("b2",), 0, "red", "won", (0.5,), ((),))
    assert training_set_of(HEX, [played], result_share=1.0).values.tolist() == [1.0]
