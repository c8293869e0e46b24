"""Headlines: one sentence, and every fact in it is checked on the boards."""

import collections
import dataclasses
import random
import re

import pytest

from clauseboard.explaining import Account, explain, explain_move, writers
from clauseboard.explaining.headline import lost_headline
from clauseboard.explanation import CONNECTION, SEARCH, Explanation, Line, settled
from clauseboard.game import load_game
from clauseboard.games.checkers import endgames
from clauseboard.games.checkers.endgame_tables import TableVerdict
from clauseboard.games.checkers.line_facts import line_fact as checkers_fact
from clauseboard.games.checkers.line_facts import standing
from clauseboard.games.concepts import number_word
from clauseboard.games.go.line_facts import line_fact as go_fact
from clauseboard.games.hex import concepts, side_view
from clauseboard.games.hex.chains import find_connections
from clauseboard.games.hex.line_facts import MOST_LETTERS, fact_cells, fact_details
from clauseboard.games.hex.line_facts import line_fact as hex_fact
from clauseboard.games.hex.solving import solver_for
from clauseboard.kernels.compiler import JIT_DISABLED
from clauseboard.players import load_player
from clauseboard.players.searcher import end_of
from hex_positions import random_position
from naive.machines import played, small_game

CHECKERS = load_game("checkers")

EIGHT = (
    ".....B../..RR..../.......R/......../......../..B....B/...R.BR./........",
    "..R...../..B..R../.......R/.R.RR.../R.B..BB./B..R..R./...B..../......BB",
)
"""Boards of Hex."""


def line_of(position, text):
    """Moves as they are played one after another."""
    moves = []
    for word in text.split():
        moves.append(position.read_move(word))
        position = position.play(moves[-1])
    return tuple(moves)


@pytest.mark.parametrize(
    ("position", "line", "fact"),
    [
        ("B:W14,22,23,26,27,28,30,31,32:B2,3,4,5,7,8,12,13", "13-17 22x13 2-6",
         "loses a man to 22x13"),
        ("B:W14,22,23,26,27,28,30,31,32:B2,3,4,5,7,8,12,13", "12-16 14-10 7x14 23-18 14x23 26x12",
         "exchanges two men"),
        ("B:W14,22,23,26,27,28,30,31,32:B2,3,4,5,7,8,12,13", "2-6 22-18 13-17 18-15", None),
        ("B:W14,22,23,26,27,28,30,31,32:B2,3,4,5,7,8,12,13",
         "12-16 28-24 8-12 22-18 13-17 14-9 5x14 18x9", None),
        ("W:W9,32:B20,21", "9-5 20-24 5-1", "crowns in two moves"),
        ("W:W9,32:B20,21", "9-5 20-24 5-1 24-27 32x23", "crowns in two moves and wins a man"),
        ("W:W5,32:B20,21", "5-1", "crowns"),
        ("W:W9,32:B20,21", "32-28 20-24 28x19 21-25 9-5 25-30",
         "wins a man and lets Black crown in three moves"),
        ("W:W5,32:B20,13", "32-28 20-24 28x19 13-17 5-1",
         "wins a man and crowns the man on 5 in three moves"),
        ("W:W13,32:B22,20", "13-9 22-25 9-6 25-30", "lets Black crown in two moves"),
        ("B:W18,32:B14,15", "14x23", "takes a man"),
        ("B:W18,19,31:B15,1", "15x22", "takes a man"),
        ("W:W15,32:B18,11,24,8", "15-10", None),
        ("B:W21,23,26,28,29,30,31:B1,3,4,9,10,14,24",
         "24-27 31x24 4-8 26-22 8-11 23-19 11-15 22-17 3-8 24-20 15x24 28x19",
         "loses two men for one"),
        ("B:W9,20,21,23,28,29,30,31,32:B2,3,4,6,7,12,13,1",
         "1-5 29-25 5x14 31-27 4-8 28-24 8-11 24-19 6-10 23-18 14x23 27x18",
         "wins back a man, two for one"),
        ("W:W14,20,23,24,26,28,30,31,32:B1,2,3,7,10,11,12,13,15",
         "14-9 1-5 9-6 2x9 24-19 15x24 28x19 9-14 19-16 12x19 23x16 14-18",
         "loses a man, three for two, a move later"),
        ("W:W5,32:B20,13,12", "32-28 20-24 28x19", "wins back a man"),
        ("B:W12,16,21,22,26,27,30,31,32:B2,3,4,5,7,10,13,14,20,28",
         "14-17 21x14 10x17 27-23 20-24 32-27 4-8 27x20 28-32 23-19 17-21 22-18",
         "gives back a man, two for one, three moves later and crowns the man on 28 in five moves"),
        ("B:W18:B14", "14x23", "takes the last white piece"),
        ("W:W32:BK23,K24,28", "32-27 23x32", "loses the last white piece"),
        ("B:W21:B17,10", "10-14", "leaves White without a move"),
    ],
)  # fmt: skip
def test_what_a_line_brings_in_checkers(position, line, fact):
    board = CHECKERS.read_position(position)
    assert checkers_fact(board, line_of(board, line)) == fact


@pytest.mark.parametrize("seed", range(40))
def test_material_is_what_the_boards_say(seed):
    """Random lines: "loses" and "wins" agree with pieces counted before and after."""
    draw = random.Random(seed)
    position = draw.choice([p for p, _ in played(CHECKERS) if p.outcome() is None])
    line, board = [], position
    while board.outcome() is None and len(line) < 7:
        line.append(draw.choice(board.moves()))
        board = board.play(line[-1])
    fact = checkers_fact(position, line) or ""
    mine, theirs = position.to_move, CHECKERS.other(position.to_move)
    lost, won = (
        position.pieces(colour).bit_count() - board.pieces(colour).bit_count()
        for colour in (mine, theirs)
    )
    if board.outcome() is not None:
        assert fact
    elif lost == won and not any(move.captured for move in line[:3]):
        assert not fact or "crown" in fact or position.kings or board.kings
    elif not position.kings and not board.kings:
        material = [part for part in fact.split(" and ") if "crown" not in part]
        verb = material[0].split()[0]
        behind = position.pieces(theirs).bit_count() - position.pieces(mine).bit_count()
        loses = "gives" if won and behind <= won - lost else "loses"
        expected = {True: loses, False: "exchanges"}[lost > won] if lost >= won else None
        assert verb == (expected or ("takes" if line[0].captured else "wins"))
        is_back = verb == "gives" or (verb == "wins" and behind >= won - lost)
        assert (" back " in fact) == is_back
        if lost > won and not won:
            taker = fact.split(" to ")[1].split()[0]
            texts, at = [], position
            for move in line:
                texts.append(at.write_move(move))
                at = at.play(move)
            assert taker in texts[1::2]


def test_what_a_move_does_in_go():
    game = load_game("go", size=5)
    board = game.read_position("...../.bw../.wb../...../..... black")
    ladder = "traps the stone at C4 and saves the stone at B4 from capture"
    for text, fact in [("A1", None), ("D4", ladder)]:
        assert go_fact(board, [board.read_move(text)]) == fact, text
    board = board.play(board.read_move("D4")).play(board.read_move("E1"))
    assert go_fact(board, [board.read_move("C5")]) == "captures the stone at C4"
    other = board.play(board.read_move("E2"))
    # It runs, and is captured in a ladder all the same.
    assert go_fact(other, [other.read_move("C5")]) == "extends the stone at C4"
    passed = board.play(board.read_move("pass"))
    assert go_fact(passed, [passed.read_move("pass")]).startswith("ends the game: ")
    assert go_fact(board, [board.read_move("pass")]) is None


@pytest.mark.parametrize(
    ("position", "move", "fact"),
    [
        (".RB/.RB/... red", "a3", "wins: it connects top and bottom"),
        (".RB/.../... red", "b2", "wins, as one other move does: Red is connected from top to "
         "bottom: b2 to the bottom by the bridge a3/b3"),
        (".../.../... red", "b2", "wins, as four other moves do: Red is connected from top to "
         "bottom: the top to b2 by the bridge b1/c1, b2 to the bottom by the bridge a3/b3"),
        (".RB/.R./... blue", "a3", "loses: Red is connected from top to bottom: b2 "
         "to the bottom by the bridge a3/b3"),
        (".R./.../B.. red", "c1", "lets Blue connect at c2 or b3"),
        ("B..../...../..R../...../..... red", "e1", "only tidies up: Red is already "
         "connected from top to bottom: the top to c3 by the edge template of c3, c3 to the "
         "bottom by the edge template of c3"),
        (f"{EIGHT[0]} blue", "d4", "threatens to connect, for example at f3 or g2; it has the "
         "bridge c5/d5 to c6: Blue needs one more move, Red up to two"),
        (f"{EIGHT[0]} blue", "c8",
         "plays into Red's bridge c8/d8 from d7 to the bottom, which Red keeps at d8: Blue needs "
         "up to two more moves, Red up to three"),
        (f"{EIGHT[0]} blue", "g1", "runs a ladder along the right: both need up to two more moves"),
        (f"{EIGHT[0]} blue", "a1", None),
        (f"{EIGHT[1]} blue", "f1", "answers Red's threat to connect at nine cells or more, such as "
         "b7, c7 or a8; but it misses the connection at c7 or b8"),
        (f"{EIGHT[1]} blue", "c6", "lets Red connect at six cells or more, such as c7, e7 or f7"),
    ],
)  # fmt: skip
def test_what_a_move_does_in_hex(position, move, fact):
    game = load_game("hex", size=position.index("/"))
    board = game.read_position(position)
    assert hex_fact(board, [board.read_move(move)]) == fact


def test_a_link_that_a_move_plays_into_is_not_called_cut():
    """ "Cuts d5-c6 off from the left" was said where Blue still joins it in one move."""
    board = load_game("hex", size=11).read_position(
        ".........../.........../.........../.........../.RRBR....../..BR.R...../...B..RB.../"
        "....B.RR.../.....BBB.../.........../........... red"
    )
    said = (board.read_move("b8"),)
    fact = " ".join([hex_fact(board, said), *fact_details(board, said)])
    assert "plays into the link of Blue's chain d5-c6 to the left, which Blue can mend at " in fact
    after = board.play(board.read_move("b8"))
    cells = ["a6", "b6", "a7"]
    assert "mend at seven cells or more, such as a6, b6 or a7" in fact
    for cell in cells:
        chains = find_connections(after.play(after.read_move(cell)))["blue"].chains
        (chain,) = (c for c in chains if "c6" in map(str, c.cells))
        assert "left" in chain.joined


def test_an_answer_that_is_not_the_only_one_is_not_called_so():
    """c2 and c3 win, too: they make Blue answer first."""
    board = load_game("hex", size=6).read_position("..R.../...B../.B.RB./..RBR./....../...... red")
    assert {"c2", "e2"} <= {str(move) for move in solver_for(6).winning_moves(board)}
    fact = hex_fact(board, [board.read_move("e2")])
    assert fact.startswith("answers Blue's threat to connect here or ")


@pytest.mark.skipif(JIT_DISABLED, reason="the solver takes too long without the compiler")
@pytest.mark.parametrize("count", [30, pytest.param(100, marks=pytest.mark.long)])
def test_the_only_answer_and_any_move_agree_with_the_solver(count):
    rng, said = random.Random(8), collections.Counter()
    for _ in range(count):
        position = random_position(rng, 6, least=6, most=16)
        won = set(solver_for(6).winning_moves(position))
        for move in {*rng.sample(position.moves(), 2), *(won if len(won) == 1 else ())}:
            fact = hex_fact(position, [move]) or ""
            for words, holds in {
                "is the only winning move": won == {move},
                "wins, as ": move in won and len(won) > 1,
                "is the only answer": won <= {move},
                "only tidies up": won == set(position.moves()),
                "lets ": move not in won,
            }.items():
                if fact.startswith(words):
                    said[words] += 1
                    assert holds, (position, move, fact)
    assert said["is the only winning move"] > count / 33
    assert min(said[words] for words in ("only tidies up", "wins, as ", "lets ")) > count / 10


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (".R.B..../R..R...B/.R...R../.B...R../..B..B../R...B.B./.....B../.......R red", "d6"),
        ("R.BB.BRR/B...RB.R/..R.RB../..RB.R../BR.B..RB/.B...RBR/RBB.BR../....R... blue", "g4"),
        ("..B.R.../....BR../..R..R.B/.....B../..B.BBBR/.B..R.../..RB..R./R.R..... red", "d5"),
    ],
)
def test_after_every_move_but_the_only_answer_the_other_side_connects(text, answer):
    position = load_game("hex", size=8).read_position(text)
    rival = position.game.other(position.to_move)
    assert f"is the only answer to {rival.capitalize()}'s threat" in hex_fact(
        position, [position.read_move(answer)]
    )
    for move in position.moves():
        view = side_view.seen(position.play(move), rival)
        assert (view.own.is_won or bool(view.connecting)) == (str(move) != answer)


def test_a_move_that_wins_is_not_blamed_for_another_way():
    """ "c4 wins: it misses the connection at d1, e1, f1" praised and blamed it."""
    board = load_game("hex", size=6).read_position("....../....../.BBR../.R..../..B.../R..... red")
    line = line_of(board, "c4 e1 f1 e2 f2 e3")
    assert "misses the connection at " in hex_fact(board, line[:1])
    said = hex_fact(board, line)
    joins = "connects d3 and b4"
    if JIT_DISABLED:  # no solver
        assert said == f"answers Blue's threat to connect, for example at e4 or e3; it {joins}"
    else:
        met = "all replies but e1 let Red connect at once, and f1 meets that one"
        assert said == f"wins, as 19 other moves do: {met}; it {joins}"
    end = concepts.proof(end_of(board, line))
    explanation = settled(end_of(board, line), "red", "", CONNECTION, f"after c4 {end[1]}", line)
    account = Account(explanation, board, chosen=True, won=True)
    assert account.headline == (f"c4 wins: it {said}." if JIT_DISABLED else f"c4 {said}.")


def test_a_quiet_move_that_wins_is_told_by_its_connection():
    board = load_game("hex", size=8).read_position(f"{EIGHT[0]} blue")
    line = (board.read_move("a1"),)
    explanation = settled(board, "blue", "", CONNECTION, "red is connected: c3 to c5", line)
    account = Account(explanation, board, won=True)
    assert account.headline == "a1 wins: red is connected: c3 to c5."
    assert account.told(account.lines[0]) == "red is connected"


READ = {
    1: (".........../R.....R..../..R......../B....BR..../.R...B.R.../.....B..R../...RR.B..../"
        "..RBB..BB../..B......../RRRR......./BBB........ blue"),
    7: (".........../.....R...../......R..../...RB....../...RBR....B/...B..R..../....B..R.../"
        ".....B..R../......B..../.........../........... blue"),
    8: (".........../.........../.......BR../.....B...../..R..R...../..RB..R..../.R..B....R./"
        "..RB...B.R./.BB......../.........../........... blue"),
    9: (".....BBB.../...RBRBR.../..BRBRB.R.B/.BRB.RB.R../..BRBRR..../..R..RB...R/...BRB...../"
        "RRRBBRB..../..R......../.......R.../.....B..... blue"),
    11: (".........../B........../.........../.........../..R......../.R...BR.R../..R.RBBBR../"
         "..B.RRRBR../..BBBBB..R./.......B.../..........R red"),
    13: ".R..../BBBR../.RRBB./.BBRR./.R..../..R... blue",
    16: ".....R/.....R/...BBR/....B./..RB../...... red",
    18: ".....B/..R.../.BR.../..B.../RR..R./B..... blue",
    19: "...B../....../..RB../..BRB./RRRRR./BBB... red",
}  # fmt: skip
"""Boards whose accounts an independent reader found wanting."""


def read_board(number):
    return load_game("hex", size=READ[number].index("/")).read_position(READ[number])


@pytest.mark.parametrize(
    ("number", "line", "said"),
    [
        (1, "d11", "answers Red's ladder a10-d10 along the bottom and threatens to connect, for "
         "example at e10"),
        (1, "d11", " With blue on e10, "),
        (7, "i9", "answers Red's threat to connect here or at 26 cells or more, such as h10, g10 "
         "or i10"),
        (7, "i9", " h10 would rely on the bridge h9/i9 from i8 to h10."),
        (11, "i5", "both need up to two more moves"),
        (13, "f3", "only tidies up: Blue is already connected from left to right: the left to b4 "
         "by the bridge a4/a5, e3 to the right by the bridge f2/f3"),
        (16, "f4 e6 c3 c2 b3", "wins, as six other moves do: all replies but e6 let Red connect at "
         "once, and c3 meets that one; it answers Blue's ladder e3-e4 along the right"),
        (18, "c5", "is the only winning move: Blue is connected from left to right by "),
        (18, "c5", " Blue is connected from left to right: "),
        (19, "b2 b3 b4",
         "wins, as nine other moves do: Red connects whatever Blue replies: b3 is met by b4"),
    ],
)  # fmt: skip
@pytest.mark.skipif(JIT_DISABLED, reason="the solver takes too long without the compiler")
def test_what_a_reader_missed_is_said(number, line, said):
    board = read_board(number)
    moves = line_of(board, line)
    fact = hex_fact(board, moves)
    assert len(fact) <= MOST_LETTERS
    assert said in " ".join([fact, *fact_details(board, moves)])
    if number == 19:  # again and again
        for _ in range(2):
            assert set(fact_cells(board, line_of(board, line))) > {"b3", "b4"}


@pytest.mark.skipif(JIT_DISABLED, reason="a stone on every cell takes too long")
def test_a_threat_is_told_with_the_links_that_it_rests_on():
    """ "That g7 reaches the bottom is the whole claim and no word is said of it"."""
    board = load_game("hex", size=11).read_position(
        "..........B/.........../......R..../.......R.../.B...BR..../.........../.....B...../"
        ".........../.........../.........../.......R... red"
    )
    line = line_of(board, "g7")
    assert hex_fact(board, line).startswith(
        "threatens to connect at six cells or more, such as h7, g6 or h6: "
    )
    (links,) = fact_details(board, line)
    assert links.startswith(
        "With red on h7, the top to g3 by the edge template of g3, g3 to h4 by the bridge h3/g4, "
        "h4 to g7 by g6 or i5 (bridge i4/h5 and bridge h6/i6), h7 to the bottom by f9 (bridge "
        "f8/g8 and edge template), i8 or g9"
    )
    assert {"h7", "f9", "i8", "g9", "h10"} <= set(fact_cells(board, line))


def test_what_counts_most_further_on_is_in_the_headline():
    """ "The headline sounds even beside 33 %"."""
    board = load_game("hex", size=8).read_position(f"{EIGHT[0]} blue")
    line = (board.read_move("g1"),)
    after = board.play(line[0])
    found = Line(SEARCH, "looking ahead raises red from 40 % to 67 %: after c5 red needs one", 110)
    said = {}
    for votes in (10, 500):
        lines = (found, Line("turn", "it is red's turn", votes))
        explanation = Explanation(after, 0.5, "", lines=lines, chance=0.6, line=line)
        account = Account(explanation, board, chosen=True)
        said[votes] = account.headline, account.told(account.lines[votes == 500])
    fact = f"g1 {hex_fact(board, line)}."
    assert said[500] == (fact, found.text)
    assert said[10] == (
        f"{fact} Looking ahead counts most: after c5 red needs one.",
        "looking ahead raises red from 40 % to 67 %",
    )


@pytest.mark.parametrize(
    ("number", "move", "cells"),
    [
        (8, "f9", "i6 h9 i9 j9 i10 j10 j11"),
        (9, "e4", "i5 i1 j1 k1 i2 j2 h3"),
    ],
)
def test_cells_at_which_a_side_connects_are_found_by_trying_each(number, move, cells):
    """ "Blue one cell for its one move" was said of these."""
    board = read_board(number)
    after = board.play(board.read_move(move))
    view = side_view.seen(after, "blue")
    assert set(cells.split()) <= {str(cell) for cell in view.connecting}
    assert view.needs == 1
    said = (board.read_move(move),)
    fact = " ".join([hex_fact(board, said), *fact_details(board, said)])
    assert " at seven cells or more, such as i" in fact


def test_the_cells_that_a_headline_names_are_marked():
    board = read_board(9)
    player = load_player("shipped", board.game)
    account = explain(player, board, "e4", simulations=200)
    assert {"i5", "j1", "i1"} <= set(account.named)
    text = str(account)
    for cell in account.named:
        assert cell in account.heat or f"{writers.STAR}: what the headline and its " in text
    assert account.draw().count("<circle") > board.game.draw(account.explanation.position).count(
        "<circle"
    )
    (line,) = (line for line in account.lines if line.concept == "moves needed")
    view = side_view.seen(account.explanation.position, "blue")
    assert set(line.cells) == {str(cell) for cell in view.connecting}
    assert sum(line.votes for line in account.lines) == account.votes_in_all


def test_a_swap_takes_over_the_first_move():
    start = load_game("hex", size=3, swap=True).start()
    opened = start.play(start.read_move("b2"))
    assert hex_fact(opened, [opened.read_move("swap")]) == "takes over the first move"
    assert hex_fact(start, [start.read_move("b2")]) is None


@pytest.mark.parametrize("name", ["checkers", "go", "hex"])
def test_facts_are_found_for_every_move(name):
    game = small_game(name)
    facts = {"checkers": checkers_fact, "go": go_fact, "hex": hex_fact}[name]
    for position, _ in played(game)[::97]:
        for move in position.moves():
            fact = facts(position, [move])
            assert fact is None or not fact.endswith(".")


def test_a_blunder_is_named():
    position = CHECKERS.read_position("B:W14,22,23,26,27,28,30,31,32:B2,3,4,5,7,8,12,13")
    player = load_player("material", CHECKERS, depth=5)
    account = explain(player, position, "13-17")
    assert account.headline == "13-17 loses a man to 22x13."


def test_the_move_that_was_chosen_is_not_blamed_for_a_loss():
    lost = CHECKERS.read_position("W:W11,22,24,28,29,31:B2,4,5,6,8,10,12,13,15")
    account = explain(load_player("material", CHECKERS, depth=5), lost)
    assert account.headline.startswith(f"Even the best move, {account.move}, loses ")
    blamed = dataclasses.replace(account, chosen=False)
    assert blamed.headline.startswith(f"{account.move} loses ")


def test_the_only_move_is_said_to_be_so():
    position = CHECKERS.read_position("B:W18,32,31,30,29:B14,1,2,3")
    account = explain(load_player("material", CHECKERS, depth=3), position)
    assert len(position.moves()) == 1
    assert account.headline.startswith(f"{account.move} is the only move")


def test_where_every_move_loses_it_is_said_only_of_what_was_chosen():
    position = CHECKERS.read_position("B:WK15,K18,K19:BK1")
    player = load_player("material", CHECKERS, depth=7)
    choice = player.choose(position)
    chosen = explain_move(player, position, choice.move, choice)
    assert len(position.moves()) > 1
    assert choice.value == -1.0
    assert chosen.headline == "Every move loses."
    other = next(move for move in position.moves() if move != choice.move)
    assert "Every move" not in explain_move(player, position, other, choice).headline
    guess = dataclasses.replace(choice, value=-0.9)
    assert not Account(guess.explanation, position).lost


def test_a_table_is_quoted():
    position = CHECKERS.read_position("W:WK18,K19:BK1")
    account = explain(load_player("material", CHECKERS, depth=2), position)
    assert account.headline.startswith(f"After {account.move}: White wins in ")


def test_else_it_is_the_biggest_line_that_speaks_for_the_verdict():
    start = CHECKERS.start()
    lines = (
        Line("a", "many safe moves", 60),
        Line("b", "a weak back row", -100),
        Line("c", "x", 80),
    )
    better = Account(Explanation(start, 0.0, "", lines=lines))
    assert better.headline == "X."
    assert Account(Explanation(start, 0.0, "")).headline == "The game is even."
    lost = Explanation(start, -0.7, "", lines=lines, chance=0.15, unit="points")
    assert Account(lost).headline == "A weak back row."
    looked = Explanation(start, 0.0, "", lines=(*lines, Line("search", "more", 300)))
    assert Account(looked).headline == "X."  # what the search found is no concept
    won = settled(start, "white", "", "rules", "white wins", ())
    assert Account(won).headline == "White wins."


def test_a_connection_that_wins_is_told_of_the_board_on_which_it_is():
    """Where no move is told, the connection is all that there is to say."""
    game = load_game("hex", size=5)
    start, line = game.start(), Line(CONNECTION, "red connects by a move", -100)
    explanation = Explanation(start, -1.0, "connections", lines=(line,))
    won = start.play(start.read_move("c3"))
    told = lost_headline(explanation, won)
    assert told == (
        "Every move loses; red is connected from top to bottom: the top to c3 by the edge template "
        "of c3, c3 to the bottom by the edge template of c3."
    )
    told = lost_headline(explanation, start.play(start.read_move("a1")))
    assert told == "Every move loses."


def test_what_a_table_of_five_pieces_knows_is_the_verdict_too(monkeypatch):
    """Headline and verdict once disagreed: only tables of four pieces were asked for the winner."""

    class Table:
        def probe(self, position):
            return TableVerdict(1 if position.to_move == "black" else -1, 33)

    monkeypatch.setattr(endgames, "known_tables", lambda n_pieces: Table())
    position = CHECKERS.read_position("W:W11,12:BK6,K21,K29")
    player = load_player("shipped", CHECKERS, depth=1)
    account = explain(player, position)
    assert account.headline.endswith("Black wins in 17 moves.")
    assert account.verdict.chance == 0.0


def test_the_best_move_that_loses_a_man_is_excused_only_where_it_stands_worse():
    position = CHECKERS.read_position("B:W14,22,23,26,27,28,30,31,32:B2,3,4,5,7,8,12,13")
    line = (position.read_move("13-17"),)
    line = (*line, position.play(line[0]).read_move("22x13"))
    for chance, headline in (
        (0.2, "Even the best move, 13-17, loses a man to 22x13."),
        (0.9, "13-17 loses a man to 22x13."),
    ):
        board = position.play(line[0]).play(line[1])
        told = Explanation(board, 0.0, "", lines=(Line("a", "x", 1),), chance=chance, line=line)
        assert Account(told, position, chosen=True).headline == headline


RACE = "White's man on 11 crowns in two, Black's man on 22 in two"


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ("B:W11,28,32:B22,1,5", RACE),
        ("B:W11,28,32:B22,1", ""),  # who is ahead is told instead
        ("B:W11,28,32:B1,5,6", ""),  # only one side has a runaway man
    ],
)
def test_the_race_to_crown_is_told_for_both_sides(position, said):
    position = CHECKERS.read_position(position)
    assert standing(position, "white") == said
    line = Line("mobility", "white has three safe moves, black one", -40)
    headline = Account(Explanation(position, -0.02, "", lines=(line,), chance=0.4)).headline
    plain = "White has three safe moves, black one."
    assert headline == (f"Black is slightly worse: {said}." if said else plain)


def test_an_even_game_is_told_once():
    start = load_game("checkers").start()
    account = Account(Explanation(start, 0.0, ""))
    assert account.headline == "The game is even."
    assert account.standing_text == "50 % for black (+0.00)"
    lines = writers.account_text(account).splitlines()
    assert lines[:2] == ["The game is even.", "50 % for black (+0.00)."]
    better = Account(Explanation(start, 0.6, ""))
    assert better.standing_text == better.verdict.sentence("black")


def test_how_a_side_stands_is_told_after_all_moves_of_the_board_explained():
    """ "After a11: Red's stone c10 ..." spoke of a stone that Red had yet to place."""
    board = load_game("hex", size=8).read_position(f"{EIGHT[0]} blue")
    line = tuple(line_of(board, "a1 d4"))
    end = end_of(board, line)
    lines = (Line("turn", "it is blue's turn", 50),)
    explanation = Explanation(end, 0.5, "", lines=lines, chance=0.6, line=line)
    assert hex_fact(board, line) is None
    assert Account(explanation, board).headline.startswith("After a1 d4: Blue's stone c6 ")


@pytest.mark.parametrize("size", [6, 9, 11])
def test_no_sentence_of_hex_names_a_cell_beyond_the_edge(size):
    game, rng, told = load_game("hex", size=size), random.Random(size), 0
    player = load_player("shipped", game)
    cells = {game.start().write_move(move) for move in game.start().moves()}
    position = game.start()
    for _ in range(14):
        explanation = player.explain_board(position)
        texts = [Account(explanation, position).headline]
        for line in explanation.lines:
            texts += [line.text, *(clause.text for clause in line.clauses)]
        named = set(re.findall(r"\b[a-z]\d+\b", " ".join(texts)))
        assert named <= cells, texts
        told += len(named)
        position = position.play(rng.choice(position.moves()))
        if position.outcome() is not None:
            position = game.start()
    assert told > 20


@pytest.mark.skipif(JIT_DISABLED, reason="a stone on every cell takes too long")
@pytest.mark.parametrize(
    ("size", "count"),
    [
        *((6, 12), (8, 5), (11, 3)),
        *(pytest.param(*each, marks=pytest.mark.long) for each in ((6, 40), (8, 15), (11, 8))),
    ],
)
def test_a_fact_of_hex_is_short_and_what_does_not_fit_stands_below(size, count):
    """Headlines had up to 370 letters."""
    rng, below = random.Random(90 + size), 0
    for _ in range(count):
        position = random_position(rng, size, size, size * size // 2)
        for move in rng.sample(position.moves(), 4):
            fact, details = hex_fact(position, [move]), fact_details(position, [move])
            assert fact is None or len(fact) <= MOST_LETTERS
            assert fact or not details
            assert all(text.endswith(".") and text not in fact for text in details)
            below += len(details)
    assert below > 3


def test_a_stone_between_two_chains_is_told():
    """ "i5 cuts j4 from h6, and this is not said; a ladder towards Red's j9 is no reason"."""
    board = load_game("hex", size=11).read_position(
        ".........../.........../.........../.........R./B......B.../......BR.../......RB.../"
        "....B.R..../.........R./.........../........R.. blue"
    )
    fact = hex_fact(board, [board.read_move("i5")])
    assert fact.startswith("takes a cell at which Red would connect j4 and chain h6-g8 and can ")
    assert "ladder" not in fact


def test_a_chosen_move_is_not_introduced_by_its_fault():
    """ "d5 lets Blue connect, for example at c4" was said of a chosen move."""
    board = load_game("hex", size=3).read_position(".R./.../B.. red")
    line = (board.read_move("c1"),)
    lines = (Line("turn", "it is blue's turn", 100),)
    explanation = Explanation(board.play(line[0]), 0.5, "", lines=lines, chance=0.8, line=line)
    fact = "lets Blue connect at c2 or b3"
    chosen = Account(explanation, board, chosen=True)
    assert chosen.headline == f"Nothing better than c1 was found: it {fact}."
    assert Account(explanation, board).headline == f"c1 {fact}."
    (links,) = chosen.details
    assert links.startswith("With blue on ")
    assert chosen.text().count(links) == 1
    assert links in writers.account_markdown(chosen)
    assert writers.account_page(chosen)["details"] == [links]


def test_a_quiet_move_is_called_so():
    """ "After g4 ..." described the board, and not the move."""
    board = load_game("hex", size=8).read_position(f"{EIGHT[0]} blue")
    line = (board.read_move("a1"),)
    lines = (Line("turn", "it is red's turn", 100),)
    explanation = Explanation(board.play(line[0]), 0.5, "", lines=lines, chance=0.6, line=line)
    headline = Account(explanation, board, chosen=True).headline
    assert headline.startswith("a1 is a quiet move. After it ")


@pytest.mark.skipif(JIT_DISABLED, reason="the solver takes too long without the compiler")
def test_a_lost_side_says_how_long_its_move_holds_out():
    board = load_game("hex", size=6).read_position(".B..../....R./.R.BR./..R.../...B../RB.... blue")
    assert not solver_for(6).winning_moves(board)
    account = explain(load_player("shipped", board.game), board, simulations=300)
    left = solver_for(6).fewest_moves(board)
    assert account.lost
    assert board.read_move(account.move) in solver_for(6).longest(board).moves
    assert account.headline == (
        f"Every move loses; no move holds out longer than {account.move}: Red still needs "
        f"{number_word(left)} moves."
    )
    for written in (account.text(), writers.account_markdown(account)):
        assert account.headline.rstrip(".") in written
        assert all(detail in written for detail in account.details)
