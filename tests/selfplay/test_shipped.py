"""The players that come with the package: every card is whole, every player plays and explains."""

import dataclasses

import pytest
from typer.testing import CliRunner

from clauseboard.arena.reporting import gain_of, strength_text
from clauseboard.cli.main import app
from clauseboard.explaining import explain
from clauseboard.game import load_game
from clauseboard.players import load_player, read_player
from clauseboard.players.shipped import FOLDER, card_for, cards
from clauseboard.tsetlin import TsetlinMachineClassifier

each_card = pytest.mark.parametrize("card", cards(), ids=lambda card: card.name)
QUICK = {"alpha_beta": {"depth": 2}, "mcts": {"simulations": 30}}
MOST_BYTES = 4 << 20
MAY_BE_EMPTY = (
    "parameters", "machine", "moves", "clauses", "move_clauses", "also", "sizes", "board_judge",
    "judge_clauses",
)  # fmt: skip


@each_card
def test_a_card_says_everything(card):
    for field in dataclasses.fields(card):
        value = getattr(card, field.name)
        assert value or field.name in MAY_BE_EMPTY
    assert card.machine or card.moves
    assert all(match.against and match.how and sum(match.games) >= 30 for match in card.measured)
    for name, count in (
        (card.machine, card.clauses),
        (card.moves, card.move_clauses),
        (card.board_judge, card.judge_clauses),
    ):
        found = 0
        if name is not None:
            machine = TsetlinMachineClassifier.load(FOLDER / name)
            found = int(machine.banks_.include.any(axis=2).sum())
        assert found == count


@each_card
def test_it_plays_and_its_reasons_add_up(card):
    game = load_game(card.game, **card.parameters)
    player = load_player("shipped", game, **QUICK[card.search])
    for colour in game.colours:
        player.begin(game, colour, seed=1)
    position = game.start()
    for _ in range(6):
        choice = player.choose(position)
        explanation = choice.explanation
        for colour in game.colours:
            votes = sum(r.votes for r in explanation.reasons if r.about == colour)
            assert votes == explanation.votes.get(colour, 0)
        position = position.play(choice.move)


@each_card
def test_without_votes_only_its_search_is_left(card):
    game = load_game(card.game, **card.parameters)
    player = load_player("shipped", game, zero=True, **QUICK[card.search])
    judge = player.evaluators[game.colours[0]]
    assert judge.judge([game.start()]).values.tolist() == [0.0]


@each_card
def test_its_votes_add_to_what_the_search_scores_by_itself(card):
    """In every match in which the search alone was measured, as it was in the first one."""
    gains = {(match.against, match.how): gain_of(match) for match in card.measured}
    assert gain_of(card.measured[0]) is not None
    for (against, how), found in gains.items():
        if found is not None:
            assert found.low > 0, (against, how)


@pytest.mark.parametrize(
    ("size", "opening", "swaps"),
    [
        *((6, "c4", True), (6, "a1", False), (11, "f6", True), (11, "k11", False)),
        *(
            pytest.param(*each, marks=pytest.mark.long)
            for each in (
                *((6, "d3", True), (6, "f6", False)),
                *((11, "g5", True), (11, "g1", False)),
            )
        ),
    ],
)
def test_in_hex_it_swaps_what_is_worth_it(size, opening, swaps):
    game = load_game("hex", size=size, swap=True)
    player = load_player("shipped", game, simulations=2000)
    player.begin(game, "blue", seed=1)
    position = game.start().play(game.start().read_move(opening))
    choice = player.choose(position)
    assert (str(choice.move) == "swap") == swaps
    assert choice.value >= 0
    assert choice.explanation.value_for("blue") > -0.5
    # The game goes on after it.
    after = position.play(choice.move)
    player.begin(game, "red", seed=1)
    assert player.choose(after).move in after.moves()


@pytest.mark.parametrize("seed", [1, 2])
def test_in_hex_it_finds_the_answer_that_wins_and_says_so(seed):
    """By red's edge and in the middle: only five answers win, and e2, which looks best, loses."""
    game = load_game("hex", size=6)
    player = load_player("shipped", game)
    player.begin(game, "red", seed)
    position = game.start()
    for text in ("f3", "c4"):
        position = position.play(position.read_move(text))
    account = explain(player, position)
    assert account.move in {"f2", "b3", "d3", "e3", "d5"}
    assert account.headline.startswith(f"{account.move} wins")


def test_all_of_it_is_small():
    assert sum(path.stat().st_size for path in FOLDER.iterdir() if path.is_file()) < MOST_BYTES


def test_another_search_goes_without_the_usual_parameters():
    game = load_game("checkers")
    player = read_player("shipped:search=breadth_first,depth=1", game)
    assert player.choose(game.start()).move in game.start().moves()


@pytest.mark.parametrize("name", ["go", "hex"])
def test_a_game_without_one_is_refused(name):
    game = load_game(name, size=4)
    with pytest.raises(ValueError, match="there are some for checkers"):
        card_for(game)
    with pytest.raises(ValueError, match="comes with the package"):
        load_player("shipped", game)


def test_they_are_listed_with_their_strength():
    shown = CliRunner().invoke(app, ["players"]).output
    for card in cards():
        assert f"{card.board}: {card.n_clauses:,} clauses" in shown
        for line in (*map(strength_text, card.measured), *card.also):
            assert line in shown
    only = CliRunner().invoke(app, ["players", "checkers"]).output
    assert strength_text(card_for(load_game("checkers")).measured[0]) in only
    assert "hex 6x6" not in only
