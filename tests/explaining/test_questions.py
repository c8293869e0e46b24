"""Players asked why, and why not: every number in the answer adds up."""

import dataclasses

import pytest
from explained import GAMES, boards_of, judge_of, totals, without_zeros

from clauseboard.evaluation import Limit
from clauseboard.explaining import Account, compare, explain, explain_move
from clauseboard.explaining.html_writer import comparison_section
from clauseboard.explaining.questions import explain_board, explain_choice
from clauseboard.explaining.writers import account_text, comparison_markdown, comparison_text
from clauseboard.explanation import Explanation, Reason, Term
from clauseboard.game import load_game
from clauseboard.player import Choice, Player
from clauseboard.players import SearchPlayer, load_player
from clauseboard.search import load_search
from naive.machines import small_game

every = pytest.mark.parametrize("name", GAMES)
SEARCHES = [("breadth_first", {"depth": 1}), ("alpha_beta", {"depth": 2})]
searches = pytest.mark.parametrize(("search", "options"), SEARCHES)


def player_of(name, search="breadth_first", options=None, view="board"):
    return SearchPlayer(judge_of(name, view), load_search(search, **(options or {"depth": 1})))


def going_on(name, n=4):
    found = [p for p in boards_of(name) if p.outcome() is None and len(p.moves()) > 1]
    return found[:: max(1, len(found) // n)][:n]


@every
@searches
def test_a_move_is_explained_by_the_board_at_the_end_of_its_line(name, search, options):
    player = player_of(name, search, options)
    for position in going_on(name):
        choice = player.choose(position)
        account = explain_choice(player, position, choice)
        end = position
        for move in choice.line:
            end = end.play(move)
        assert account.explanation.position == end
        assert len(account.line) == len(choice.line)
        assert account.line[0] == position.write_move(choice.move)
        assert account.value_for == position.to_move
        if not account.explanation.is_settled:
            assert account.explanation.votes == judge_of(name).explain(end).votes
        expected = "after" if len(choice.line) == 1 else "at the end of the expected line"
        assert f"{expected} {' '.join(account.line)}" in account.heading()


@every
@searches
@pytest.mark.parametrize("view", ["board", "mover"])
def test_why_not_adds_up_to_the_difference_of_the_votes(name, search, options, view):
    player = player_of(name, search, options, view)
    for position in going_on(name, 3):
        choice = player.choose(position)
        account = explain_choice(player, position, choice)
        for move in position.moves()[:3]:
            if move == choice.move:
                continue
            other = explain_move(player, position, move, choice)
            assert other.line[0] == position.write_move(move)
            found = compare(account, other)
            if found.settled:
                assert (found.parts(), found.lead) == ([], 0)
                continue
            changes = [(one, 1) for one in (*found.only_first, *found.changed)]
            changes += [(one, -1) for one in found.only_second]
            sums = {}
            for one, sign in changes:
                sums[one.about] = sums.get(one.about, 0) + sign * one.votes
            first, second = account.explanation.votes, other.explanation.votes
            ends = {*first, *second}
            expected = {end: first.get(end, 0) - second.get(end, 0) for end in ends}
            assert without_zeros(sums) == without_zeros(expected)
            assert sum(effect for effect, _, _ in found.parts()) == found.lead
            assert found.lead == account.explanation.lead(found.colour) - other.explanation.lead(
                found.colour
            )


def test_what_changes_on_both_boards_is_told_by_the_difference():
    game = load_game("hex", size=3)
    start = game.start()
    a1, b2 = start.read_move("a1"), start.read_move("b2")
    bits = game.bits()
    both = Reason((), (bits[3],), 5, True, "red")
    mine = Explanation(
        start.play(a1), -0.2, "one", {"red": 5, "blue": -3},
        (both, Reason((bits[0],), (), 3, False, "blue")), line=(a1,),
    )  # fmt: skip
    theirs = Explanation(
        start.play(b2), -0.1, "two", {"red": 1, "blue": 2},
        (dataclasses.replace(both, weight=1), Reason((bits[4],), (), 2, True, "blue")), line=(b2,),
    )  # fmt: skip
    found = compare(Account(mine, start), Account(theirs, start))
    assert [one.votes for one in found.only_first] == [-3]
    assert [one.votes for one in found.only_second] == [2]
    assert [one.votes for one in found.changed] == [4]
    assert found.lead == (5 + 3) - (1 - 2) == 9
    assert [(effect, where) for effect, where, _ in found.parts()] == [
        (4, "on both, counted differently"), (3, "only after a1"), (2, "only after b2"),
    ]  # fmt: skip
    assert (found.first.value, found.second.value) == (0.2, 0.1)
    assert totals(found.only_first) == {"blue": -3}


def test_terms_are_compared_for_the_side_that_chose():
    game = load_game("hex", size=3)
    start = game.start()
    moves = start.moves()[:2]
    first, second = (
        Account(
            Explanation(
                start.play(move), -0.5, "net", terms=terms, line=(move,), terms_add_up=False
            ),
            start,
        )
        for move, terms in zip(
            moves, [(Term("x", -2.0), Term("y", 1.0)), (Term("x", -1.0), Term("y", 1.0))],
            strict=True,
        )
    )  # fmt: skip
    assert compare(first, second).terms == [("x", 2.0, 1.0)]


def test_a_term_is_compared_with_the_same_one_whatever_is_told_of_it():
    game = load_game("hex", size=3)
    start = game.start()
    first, second = (
        Account(
            Explanation(
                start.play(move), 0.0, "net", terms=(term,), line=(move,), terms_add_up=False
            ),
            start,
        )
        for move, term in zip(
            start.moves(),
            (Term("stone", -0.5, "a1", "0.1 without"), Term("stone", -0.25, "a1", "0.3 without")),
            strict=False,
        )
    )
    assert compare(first, second).terms == [("stone", 0.5, 0.25)]
    assert "stone (0.1 without)" in account_text(first, 8)


def test_only_moves_of_one_position_are_compared():
    position = going_on("hex")[0]
    player = player_of("hex")
    one = explain(player, position)
    with pytest.raises(ValueError, match="in one position"):
        compare(one, Account(one.explanation))
    with pytest.raises(ValueError, match="none before it"):
        compare(one, Account(dataclasses.replace(one.explanation, line=()), position))


def test_a_move_that_ends_the_game_is_judged_by_the_rules():
    game = load_game("hex", size=2)
    position = game.read_position("R./.B red")
    player = load_player("rollouts", game, simulations=5, rollouts=1)
    move = position.read_move("a2")
    choice = Choice(position.read_move("b1"))
    account = explain_move(player, position, move, choice)
    assert account.value == 1.0
    assert "the rules (red wins" in account.explanation.judge


def test_a_search_that_broke_off_is_asked_for_its_reply():
    game = small_game("checkers")
    player = load_player("material", game, depth=4)
    start = game.start()
    choice = player.choose(start)
    short = next(c for c in choice.candidates if len(c.line) < len(choice.line))
    account = explain_move(player, start, short.move, choice)
    assert len(account.line) > len(short.line)
    assert account.line[0] == start.write_move(short.move)


@every
@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("given", [True, False])
def test_both_lines_end_equally_deep(name, depth, given):
    """Or the move that was chosen might seem worse than the other, which was looked at further."""
    search = load_search("alpha_beta", quiescence=False, **({} if given else {"depth": depth}))
    player = SearchPlayer(judge_of(name), search)
    limit = Limit(depth=depth) if given else None
    for position in going_on(name, 2):
        choice = player.choose(position, limit)
        chosen = explain_choice(player, position, choice)
        for move in position.moves()[:4]:
            other = explain_move(player, position, move, choice, limit)
            assert len(other.line) <= depth
            if other.explanation.position.outcome() is None:
                assert len(other.line) == depth
            assert other.value <= chosen.value


def test_where_the_game_is_over_there_are_no_reasons_to_compare():
    game = small_game("hex")
    position = game.read_position("R.B./R.B./R.B./.... red")
    player = SearchPlayer(judge_of("hex"), load_search("breadth_first", depth=1))
    choice = player.choose(position)
    assert position.play(choice.move).outcome() is not None
    other = next(move for move in position.moves() if move != choice.move)
    first, second = (explain_move(player, position, move, choice) for move in (choice.move, other))
    for found in (compare(first, second), compare(second, first)):
        assert (found.parts(), found.terms, found.lead) == ([], [], 0)
        won = position.write_move(choice.move)
        assert f"certain: after {won}, the rules (red wins: red connected" in found.silence()
        for text in (comparison_text(found), comparison_markdown(found)):
            assert found.silence() in text
        assert found.silence() in "".join(comparison_section(found))
    both = compare(first, first).silence()
    assert both.count(" the rules (red wins") == 2


def test_who_gives_up_explains_nothing():
    class Quitter(Player):
        name = "quitter"

        def choose(self, position, limit=None):
            return Choice(None, resigns=True)

    with pytest.raises(ValueError, match="quitter resigns here; there is no move to explain"):
        explain(Quitter(), going_on("hex")[0])


def test_the_move_chosen_is_explained_as_it_was_chosen():
    position = going_on("go")[0]
    player = player_of("go")
    choice = player.choose(position)
    again = explain_move(player, position, choice.move, choice)
    assert again.explanation == explain_choice(player, position, choice).explanation


@every
def test_a_board_can_be_explained_as_it_is(name):
    position = going_on(name)[0]
    account = explain_board(player_of(name), position)
    assert account.line == ()
    assert account.heading() == "This board"
    assert account.explanation.position == position


def test_players_without_reasons_say_so():
    class Silent(Player):
        name = "silent"

        def choose(self, position, limit=None):
            return Choice(position.moves()[0])

    position = going_on("hex")[0]
    with pytest.raises(ValueError, match=r"silent chooses .* and cannot explain it"):
        explain(Silent(), position)
    with pytest.raises(ValueError, match="has no evaluator of positions"):
        explain_board(Silent(), position)
    with pytest.raises(ValueError, match="no move to choose any more"):
        explain(Silent(), load_game("hex", size=2).read_position("RB/R. blue"))


def test_a_limit_reaches_the_search():
    game = small_game("checkers")
    account = explain(load_player("material", game), game.start(), depth=1)
    assert len(account.line) == 1


def test_an_account_without_the_position_asked_tells_of_its_own():
    position = going_on("hex")[0]
    explanation = judge_of("hex").explain(position)
    account = Account(dataclasses.replace(explanation, line=position.moves()[:1]))
    assert account.line == (str(position.moves()[0]),)
    assert account.value_for == position.to_move
    assert account.value == explanation.value


def test_what_terms_add_up_to_is_said():
    position = going_on("hex")[0]
    summed = Account(Explanation(position, 0.5, "", terms=(Term("x", 0.2), Term("y", 0.3))))
    assert "add up to the value" in summed.about_terms()
    not_summed = Account(Explanation(position, 0.5, "", terms=(Term("x", 0.2),)))
    assert "which is not the value" in not_summed.about_terms()
    own = Account(
        Explanation(position, 0.5, "", terms=(Term("x", 0.2),), about_terms="Each apart.")
    )
    assert own.about_terms() == "Each apart."
