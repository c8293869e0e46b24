"""The why panel: reasons, heat, candidates, hints, and the two modes."""

from __future__ import annotations

from playwright.sync_api import expect

MINUS = "\N{MINUS SIGN}"


def at_a_readable_game(person, **options):
    """A game of Hex against a machine that gives reasons, with a move of each side played."""
    me = person(**options).begin("hex", opponent="own-1", size=4)
    return me.play(next(cell for cell in me.open_cells if cell != "b2"))


def test_reasons_light_up_on_the_board(person):
    me = at_a_readable_game(person)
    me.press("w")
    open_clauses(me)
    reasons = me.see(".why .reason")
    expect(reasons.first).to_be_visible()
    expect(me.see(".why .judge")).to_contain_text("Judge:")
    expect(me.see(".why .verdict h3")).to_contain_text("Blue played")
    expect(me.see(".why [role=status]")).to_contain_text("Blue played")
    assert me.see(".frame .marks *").count() == 0
    first = reasons.first
    assert first.locator("svg").count() == 1
    first.hover()
    expect(me.see(".frame .marks .lit-cell").first).to_be_visible()
    me.see(".moves-card h2").hover()
    expect(me.see(".frame .marks .lit-cell")).to_have_count(0)
    first.focus()
    expect(me.see(".frame .marks .lit-cell").first).to_be_visible()


def test_lines_add_up_and_mark_their_cells(person):
    me = at_a_readable_game(person)
    me.press("w")
    concepts = me.see(".why .concept")
    expect(concepts.first).to_be_visible()
    assert concepts.count() <= 12
    expect(me.see(".why .headline")).not_to_be_empty()
    expect(me.see(".why .verdict")).to_contain_text(" wins ")  # so small a board is solved
    expect(me.see(".why .reason-group > h3").first).to_contain_text(" %")
    points = [hundredths(text) for text in me.see(".why .concept-head .number").all_inner_texts()]
    verdict = me.see(".why .reason-group > h3").first.inner_text()
    assert sum(points) == hundredths(verdict.split("(")[1].rstrip(")"))
    clauses = me.see(".why .concepts > li:has(.label:text-is('clause')) .concept")
    clauses.first.hover()
    expect(me.see(".frame .marks .lit-cell").first).to_be_visible()
    me.see(".moves-card h2").hover()
    expect(me.see(".frame .marks .lit-cell")).to_have_count(0)


def test_in_go_a_second_part_tells_what_is_counted_on_the_board(person):
    me = person().begin("go", opponent="person", size=9)
    for cell in ("E5", "C6", "G4"):
        me.play(cell)
    me.press("w")
    said = me.see(".why .alone")
    expect(said).to_contain_text("without a search")
    lists = me.see(".why .reason-group .concepts")
    assert lists.count() == 2
    points = lists.last.locator(".concept-head .number").all_inner_texts()
    assert 1 <= len(points) <= 4
    total = sum(hundredths(text) for text in points)
    assert total == hundredths(said.inner_text().split("(")[1].split(")")[0])


def test_a_click_opens_the_clauses_of_a_line(person):
    me = person().begin("checkers", opponent="shallow")
    me.play("11", "15").press("w")
    line = me.see(".why .concepts > li:has([aria-expanded])").first
    line.locator(".concept").click()
    expect(line.locator(".line-clause").first).to_be_visible()
    shown = [hundredths(text) for text in line.locator(".line-clause .number").all_inner_texts()]
    assert sum(shown) == hundredths(line.locator(".concept-head .number").inner_text())
    line.locator(".concept").click()
    expect(line.locator(".line-clause").first).to_be_hidden()


def hundredths(text):
    return round(100 * float(text.replace(MINUS, "-")))


def open_clauses(me):
    """The level below the lines."""
    me.see(".why .below > summary").click()


def test_votes_add_up(person):
    me = at_a_readable_game(person)
    me.see(".why-tabs label:has-text('You:')").click()
    expect(me.see(".verdict h3")).to_contain_text("You played")
    open_clauses(me)
    expect(me.see(".why .reason").first).to_be_visible()
    shown = [number(text) for text in me.see(".why .reason-votes").all_inner_texts()]
    weaker = [
        number(text.split(": ")[1]) for text in me.see(".below .reason-group > p").all_inner_texts()
    ]
    votes = me.see(".votes dd .number").all_inner_texts()
    red, blue = number(votes[0]), number(votes[1])
    names = me.see(".votes dt").all_inner_texts()
    lead = red - blue if names[0].startswith("red") else blue - red
    assert shown
    assert sum(shown) + sum(weaker) == lead


def number(text):
    return int(text.split()[0].replace(MINUS, "-").replace(",", ""))


def test_heat(person):
    me = at_a_readable_game(person)
    me.press("a")
    expect(me.see(".status .wrong")).to_contain_text("ask why first")
    me.press("w")
    expect(me.see(".why .concept").first).to_be_visible()
    me.press("a")
    expect(me.see(".frame .heat > *").first).to_be_visible()
    signs = set(me.see(".frame .heat-sign").all_text_contents())
    assert signs <= {"+", MINUS}
    assert signs
    me.press("a")
    expect(me.see(".frame .heat > *")).to_have_count(0)


def test_candidates_draw_their_line(person):
    me = at_a_readable_game(person)
    me.press("w")
    candidate = me.see(".candidate")
    expect(candidate.first).to_be_visible()
    candidate.first.hover()
    expect(me.see(".frame .arrows > *").first).to_be_visible()
    me.see(".moves-card h2").hover()
    expect(me.see(".frame .arrows > *")).to_have_count(0)


def test_why_not_another_move(person):
    me = at_a_readable_game(person)
    me.see(".why-tabs label:has-text('Now')").click()
    expect(me.see(".verdict h3")).to_have_text("Red to move")
    worst = me.see(".candidate b").last.inner_text()
    me.see("button:has-text('Why not another?')").click()
    plies = me.plies
    me.click(worst)
    expect(me.see(".verdict h3")).to_have_text(f"Why not {worst}?")
    expect(me.see(".versus b").first).not_to_have_text(worst)
    expect(me.see(".versus b").last).to_have_text(worst)
    assert me.plies == plies
    assert me.see(".why .reason").count() > 0


def test_hint(person):
    me = at_a_readable_game(person)
    me.press("h")
    expect(me.see(".verdict h3")).to_contain_text("Hint: ")
    expect(me.see(".frame .arrows > *")).to_have_count(1)
    plies = me.plies
    me.see(".verdict .button--main").click()
    expect(me.see(f".game[data-ply='{plies}']")).to_have_count(0)


def test_the_machines_move_is_judged_after_the_answer_if_wished(person):
    me = at_a_readable_game(person)
    me.forgiven = "409"
    me.see(".options summary").click()
    me.see(".options .check:has-text('only after')").click()
    its = me.see(".why-tabs label:has-text('It:')")
    me.see(".action:has-text('Why?')").click()
    expect(me.see(".verdict h3")).to_contain_text("You played")
    its.click()
    expect(me.see(".why-refused")).not_to_be_empty()
    me.press("s")
    expect(me.see(".verdict h3")).to_contain_text("You played")
    its.click()
    expect(me.see(".verdict h3")).to_contain_text("Blue played")


def test_study_comments_at_once_and_is_remembered(person):
    me = at_a_readable_game(person)
    assert me.see(".verdict").count() == 0
    me.press("s")
    expect(me.see(".verdict h3")).to_contain_text("You played")
    said = me.see(".verdict h3").inner_text()
    me.play(me.open_cells[0])
    expect(me.see(".verdict h3")).not_to_have_text(said)
    me.page.reload()
    me.ready()
    expect(me.see(".modes .segments input:checked + span")).to_have_text("Study")
    me.see(".move").first.click()
    expect(me.see(".verdict h3")).to_have_text(said)


def test_the_parts_of_a_sum(person):
    me = person().begin("checkers", opponent="shallow")
    me.play("11", "15").press("w")
    expect(me.see(".why .concept").first).to_contain_text("men")
    open_clauses(me)
    expect(me.see(".why .terms li").first).to_be_visible()
    expect(me.see(".why .judge")).to_contain_text("One move ahead")


def test_mistakes_are_marked(person):
    """The judge marks a thrown-away man, and the list says what was better."""
    me = person().begin_from("B:W18,32:B4,9", "checkers", "shallow")
    me.play("9", "14")
    expect(me.see(".move .move-mark").first).to_be_visible()
    label = me.see(".move:has(.move-mark)").first.get_attribute("aria-label")
    assert "mistake: " in label or "blunder: " in label


def test_a_verdict_of_the_endgame_tables(person):
    me = person()
    me.begin_from("W:WK32,K31:BK1", "checkers", "material", "white", seconds=0.2, marks=False)
    me.press("h")
    expect(me.see(".why .verdict h3")).to_contain_text("Hint: ")
    expect(me.see(".why .verdict p").first).to_contain_text("White wins in 17 moves.")
    me.see(".why .verdict .button--main").click()
    me.ready()
    me.see(".why-tabs label:has-text('You:')").click()
    expect(me.see(".why .verdict h3")).to_contain_text("You played")
    expect(me.see(".why .headline")).to_contain_text("White wins in 16 moves.")
    expect(me.see(".why .headline + p")).to_have_text("The judge would have played it too.")


def test_a_quiet_line_says_how_far_endgame_tables_are(person):
    me = person()
    text = "Endgame tables of five pieces: 43 % made."
    event = f'event: tables\ndata: {{"text": "{text}"}}\n\n'
    me.page.route(
        "**/api/games/*/events",
        lambda route: route.fulfill(content_type="text/event-stream", body=event),
    )
    me.begin("checkers")
    expect(me.see(".modes .tables")).to_have_text(text)


def test_back_at_the_present_the_panel_speaks_of_the_present(person):
    me = at_a_readable_game(person)
    me.press("s")
    expect(me.see(".verdict h3")).to_contain_text("You played")
    now = me.see(".verdict h3").inner_text()
    me.see(".move").nth(1).click()  # the present
    me.press("ArrowLeft", "ArrowLeft")
    expect(me.see(".said")).to_contain_text("after move 0 of 2")
    me.press("ArrowRight")
    expect(me.see(".said")).to_contain_text("after move 1 of 2")
    me.press("Escape")
    expect(me.see(".said")).not_to_contain_text("after move")
    expect(me.see(".verdict h3")).to_have_text(now)


def test_what_is_said_aloud_has_one_sign_at_the_end(person):
    me = at_a_readable_game(person)
    me.see(".why-tabs label:has-text('Now')").click()
    expect(me.see(".candidate").nth(1)).to_be_visible()
    me.see(".candidate").nth(1).click()
    expect(me.see(".verdict h3")).to_contain_text("Why not")
    said = me.see(".why > [role=status]")
    expect(said).to_contain_text("Why not")
    assert "?." not in said.inner_text()
    assert ".." not in said.inner_text()


def test_there_is_one_minus_sign(person):
    me = at_a_readable_game(person)
    me.press("w")
    expect(me.see(".why .concept").first).to_be_visible()
    texts = [*me.see(".why .number").all_inner_texts(), *me.see(".why h3").all_inner_texts()]
    with_minus = "import('/values.js').then(({ withMinus }) => withMinus('-3 (-0.32) 11-15'))"
    assert me.page.evaluate(with_minus) == "\u22123 (\u22120.32) 11-15"
    assert not any("(-" in text or text.startswith("-") for text in texts)
    zero = me.page.evaluate(
        "import('/values.js').then(({ signed }) => [-0.001, 0.004].map(signed))"
    )
    assert zero == ["0.00", "0.00"]
