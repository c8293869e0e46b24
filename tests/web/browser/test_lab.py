"""The lab in a real browser: train, see it learn, stop, keep, play; galleries, reports."""

from __future__ import annotations

import pytest
from browser_person import Held
from playwright.sync_api import expect

PHONE = {"width": 360, "height": 740}
LONG = 300_000  # milliseconds; a process is started, and kernels may have to be compiled


def choose(me, title, label):
    me.see(f".field:has(> span:text-is('{title}')) > select").select_option(label=label)


def chosen(me, title):
    field = me.see(f".field:has(> span:text-is('{title}')) > select")
    return field.evaluate("list => list.selectedOptions[0].text")


def write(me, title, value):
    field = me.see(f".field:has(> span:text-is('{title}')) > input")
    field.fill(str(value))
    field.blur()


def hex_of(me, size):
    choose(me, "Game", "Hex")
    choose(me, "Board", f"{size} by {size}")


def set_up_training(me, epochs, games=100, clauses=500):
    """Set up a training that takes so long that it is stopped before it is done."""
    me.visit("/#/lab/training")
    hex_of(me, 3)
    choose(me, "Boards to learn from", "Random mover against itself")
    write(me, "Games to play for the boards", games)
    write(me, "Epochs", epochs)
    write(me, "Clauses per class", clauses)


# Of 100 games and 500 clauses 200 epochs take five seconds on a quiet machine: a page that was
# slower than that found no queue any more, as if the second click on Start had been lost.
MINUTES = {"epochs": 200, "games": 500, "clauses": 4000}


def test_train_stop_keep_and_play(person):
    me = person()
    set_up_training(me, 200, clauses=2000)
    me.page.get_by_role("button", name="Start training").click()
    expect(me.see(".training[data-phase='training']")).to_be_visible(timeout=LONG)
    expect(me.see(".training .curve polyline")).to_have_count(2, timeout=LONG)
    expect(me.see(".training .clause").first).to_be_visible(timeout=LONG)
    early = int(me.see(".training").get_attribute("data-steps"))
    me.page.wait_for_function(
        "least => Number(document.querySelector('.training').dataset.steps) > least", arg=early
    )
    expect(me.see(".training-head [role=status]")).to_contain_text("of 200.")
    me.page.get_by_role("button", name="Stop", exact=True).click()
    expect(me.see(".training[data-phase='stopped']")).to_be_visible()
    done = int(me.see(".training").get_attribute("data-steps"))
    assert early < done < 200
    expect(me.see(".training-head [role=status]")).to_have_text(f"Stopped after {done} epochs.")
    expect(me.see(".training-head")).to_contain_text(
        " of 20 games won against the random mover, looking "
    )
    me.see(".training-acts input").fill("Little one")
    me.page.get_by_role("button", name="Save this machine").click()
    me.page.get_by_role("button", name="Play against it").click()
    expect(me.see(".opponent:has(input:checked)")).to_contain_text("Little one")
    me.see(".strength summary").click()
    expect(me.see(".strength dl")).to_contain_text("accuracy on boards never seen")
    expect(me.see(".strength dl")).to_contain_text(" of 20 games won against the random mover")
    me.see(".start-button").click()
    expect(me.see(".frame .board")).to_be_visible()
    me.ready().play("b2")
    assert me.plies == 2
    me.visit("/#/lab")
    hex_of(me, 3)
    expect(me.see(".lab-machines")).to_contain_text("Little one")
    expect(me.see(".lab-main")).to_contain_text("boards that it did not learn from")
    me.forgiven = "422"  # the other machine on the list is for another board, and says so
    me.page.get_by_role("button", name="Delete this machine").click()
    me.see(".dialog .button--main").click()
    expect(me.see(".lab-main [role=status]")).to_contain_text("The machine sees boards of 32 bits")
    expect(me.see(".lab-machines")).not_to_contain_text("Little one")


def test_fields_wait_for_what_can_be_trained(person):
    """What is written while the answer is on its way would be lost or mixed up with what comes."""
    me = person()
    me.visit("/#/lab/training")
    hex_of(me, 3)
    games = me.page.get_by_label("Games to play for the boards")
    choose(me, "Boards to learn from", "Random mover against itself")
    held = Held(me, "**/api/trainings/choices?*")
    choose(me, "Board", "4 by 4")
    expect(games).to_be_disabled()
    held.wait_for(1)
    held.let_go(0)
    expect(games).to_be_enabled()
    write(me, "Games to play for the boards", 30)
    assert games.input_value() == "30"


def test_a_training_begins_with_boards_that_can_be_learned(person):
    """Hex 11 by 11, which people play, is too large; solved boards are not."""
    me = person().visit("/#/lab/training")
    choose(me, "Game", "Hex")
    assert chosen(me, "Board") == "5 by 5"
    expect(me.page.get_by_label("Boards to learn from")).to_be_enabled()
    assert chosen(me, "Boards to learn from").startswith("Solved games")
    me.visit("/#/lab")
    choose(me, "Game", "Hex")
    assert chosen(me, "Board") == "11 by 11"


def test_a_choice_by_the_keyboard_stays_at_its_list(person):
    me = person()
    me.visit("/#/lab/training")
    hex_of(me, 3)
    boards = me.page.get_by_label("Boards to learn from")
    expect(boards).to_be_enabled()
    before = boards.input_value()
    boards.focus()
    me.press("ArrowDown")
    expect(me.page.get_by_label("Boards to learn from")).not_to_have_value(before)
    expect(me.page.get_by_label("Boards to learn from")).to_be_focused()


@pytest.mark.long
def test_a_training_that_waits_and_one_that_cannot_be(person):
    me = person()
    set_up_training(me, **MINUTES)
    me.page.get_by_role("button", name="Start training").click()
    expect(me.see(".training[data-phase='training']")).to_be_visible(timeout=LONG)
    # A player with a machine of another size, whose games are to be learned.
    choose(me, "Boards to learn from", me.see("option:has-text('small.tm')").inner_text())
    me.page.get_by_role("button", name="Start training").click()
    expect(me.see(".training-head [role=status]")).to_contain_text("number 1 in the queue")
    me.see(".training-list .button").nth(1).click()
    me.page.get_by_role("button", name="Stop", exact=True).click()
    expect(me.see(".training[data-phase='stopped']")).to_be_visible()
    me.see(".training-list .button").nth(0).click()
    expect(me.see(".training[data-phase='failed'] .wrong")).to_contain_text(
        "boards of 32 bits", timeout=LONG
    )
    me.page.get_by_role("button", name="Discard").click()
    expect(me.see(".training[data-phase='stopped']")).to_be_visible()


def test_clauses_by_the_keyboard_and_by_squares(person):
    me = person().visit("/#/lab")
    hex_of(me, 4)
    expect(me.see(".clause")).to_have_count(12, timeout=LONG)
    everything = me.see(".lab-main [role=status]").inner_text()
    assert everything.endswith("clauses that can fire.")
    me.see(".pick[data-cell='b2']").click()
    expect(me.see(".lab-main [role=status]")).to_contain_text(" of ")
    for sentence in me.see(".clause-sentence").all_inner_texts():
        assert "b2" in sentence
    me.see(".pick[data-cell='b2']").click()
    expect(me.see(".lab-main [role=status]")).to_have_text(everything)
    me.see(".lab-filters .segments input[value='against']").focus()
    me.press("Space")
    expect(me.see(".clause.for")).to_have_count(0)
    focused = me.page.evaluate("document.activeElement.value")
    assert focused == "against"
    choose(me, "Sort by", "Most often right")
    # A button that is drawn anew while the mouse is down is not clicked.
    expect(me.see(".clauses[aria-busy]")).to_have_count(0)
    shares = me.see(".clause-share p")
    expect(shares.first).to_contain_text("right")
    first = me.see(".clause").first.inner_text()
    me.page.get_by_role("button", name="Next page").click()
    expect(me.see(".pages")).to_contain_text("Page 2 of")
    assert me.see(".clause").first.inner_text() != first


def test_tournaments_and_reports(person):
    me = person().visit("/#/lab/shelf")
    me.page.get_by_role("button", name="games.sqlite").click()
    expect(me.see(".shelf-view [role=status]")).to_have_text("4 games.")
    expect(me.see(".shelf-view table")).to_have_count(3)
    expect(me.see(".shelf-view")).to_contain_text("4 games of hex, size=3")
    me.page.get_by_role("button", name="report.md").click()
    inside = me.page.frame_locator("iframe.report")
    expect(inside.locator("td").first).to_have_text("1")
    # The script of a report does not run; the browser says so, as it should.
    me.page.get_by_role("button", name="page.html").click()
    expect(inside.locator("h1")).to_have_text("Page")
    assert inside.locator("html").evaluate("() => document.title") == ""
    assert any("Blocked script execution" in text for text in me.troubles)
    me.troubles.clear()


def test_begin_a_tournament_watch_it_and_keep_a_report(person, tmp_path):
    me = person().visit("/#/lab/shelf")
    hex_of(me, 7)  # so large that 500 games are not over before they are stopped
    me.page.get_by_role("button", name="Start tournament").click()
    expect(me.see(".lab-form .wrong")).to_have_text("Choose at least two players.")
    for name in ("Random mover", "Playouts"):
        me.page.get_by_label(name, exact=True).check()
    write(me, "Games per pair", 500)
    write(me, "Seconds per move", 0.05)
    me.page.get_by_role("button", name="Start tournament").click()
    expect(me.see(".shelf-view progress")).to_be_visible()
    expect(me.see(".shelf-view table").first).to_contain_text("Random mover", timeout=LONG)
    expect(me.see(".shelf-view h2")).to_be_in_viewport()
    expect(me.see(".shelf-view")).to_contain_text("(0.05 s a move)")
    expect(me.see(".shelf-view table").first).not_to_contain_text("-")
    # The table is drawn anew every two seconds, also while the mouse is down on Stop.
    me.page.get_by_role("button", name="Stop", exact=True).hover()
    me.page.mouse.down()
    games = me.see(".shelf-view progress").get_attribute("value")
    expect(me.see(".shelf-view progress")).not_to_have_attribute("value", games, timeout=LONG)
    me.page.mouse.up()
    expect(me.see(".shelf-view progress")).to_have_count(0)
    expect(me.see(".shelf-view [role=status]")).to_contain_text(" of 500 games.")
    title = me.see(".shelf-view h2").inner_text()
    expect(me.page.get_by_role("button", name=title)).to_have_attribute("aria-current", "true")
    (tmp_path / "Mine.md").write_text("# My report")
    me.page.get_by_label("Report to add").set_input_files(tmp_path / "Mine.md")
    inside = me.page.frame_locator("iframe.report")
    expect(inside.locator("h2")).to_have_text("My report")
    me.page.get_by_role("button", name="Delete").click()
    sure = me.page.get_by_role("dialog")
    expect(sure).to_contain_text("Mine.")
    sure.get_by_role("button", name="Delete").click()
    expect(me.see(".shelf-view")).to_have_text("Deleted.")
    me.page.get_by_role("button", name=title).click()
    me.page.get_by_role("button", name="Delete").click()
    sure.get_by_role("button", name="Cancel").click()
    expect(me.page.get_by_role("button", name=title)).to_have_count(1)
    me.page.get_by_role("button", name="Delete").click()
    sure.get_by_role("button", name="Delete").click()
    expect(me.page.get_by_role("button", name=title)).to_have_count(0)


def test_the_list_of_trainings_tells_what_became_of_each(person):
    """One that ends while another is shown is not listed as going on."""
    me = person()
    set_up_training(me, **MINUTES)
    me.page.get_by_role("button", name="Start training").click()
    expect(me.see(".training[data-phase='training']")).to_be_visible(timeout=LONG)
    me.page.get_by_role("button", name="Start training").click()
    second = me.see(".training-list .button").first
    expect(second).to_contain_text("Waiting: number 1 in the queue.")
    expect(me.see(".training-head [role=status]")).to_contain_text("number 1 in the queue")
    me.see(".training-list .button").nth(1).click()
    me.page.evaluate(
        """async () => {
             const [{ id }] = await (await fetch("/api/trainings")).json();
             await fetch(`/api/trainings/${id}/stop`, {
               method: "POST", body: "{}",
               headers: { "content-type": "application/json", "x-clauseboard": "1" },
             });
           }"""
    )
    expect(second).to_contain_text("It was stopped before it began.")
    me.page.get_by_role("button", name="Stop", exact=True).click()
    expect(me.see(".training[data-phase='stopped']")).to_be_visible()
    # Whoever clicks twice on Save must not throw the machine away.
    save = me.page.get_by_role("button", name="Save this machine")
    box = save.bounding_box()
    save.click()
    expect(me.page.get_by_role("button", name="Play against it")).to_be_visible()
    under = me.page.evaluate(
        "([x, y]) => document.elementFromPoint(x, y).textContent",
        [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2],
    )
    assert "Close" not in under


def test_a_training_that_ends_by_itself_is_not_listed_as_going_on(person):
    """Neither where it is shown, nor in the list, whichever of two is looked at meanwhile."""
    me = person()
    for epochs in (3, 2):
        set_up_training(me, epochs, games=60, clauses=20)
        me.page.get_by_role("button", name="Start training").click()
        expect(me.see(".training-head")).to_be_visible()
    both = me.see(".training-list .button")
    both.nth(1).click()  # the second one runs to its end while the first one is shown
    expect(me.see(".training-head [role=status]")).to_have_text("Done after 3 epochs.")
    expect(both.nth(0)).to_contain_text("Done after 2 epochs.")
    expect(both.nth(1)).to_contain_text("Done after 3 epochs.")
    both.nth(0).click()
    expect(me.see(".training-head [role=status]")).to_have_text("Done after 2 epochs.")


@pytest.mark.parametrize("place", ["", "/training", "/shelf"])
@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_on_a_phone(person, place, scheme):
    me = person(viewport=PHONE, color_scheme=scheme).visit(f"/#/lab{place}")
    expect(me.see(".lab-tabs [aria-current]")).to_be_visible()
    for game in ("Checkers", "Go", "Hex") if place != "/shelf" else ():
        choose(me, "Game", game)
        expect(me.see(".lab-game .field").first).to_be_visible()
        assert not me.scrolls_sideways()
    assert not me.scrolls_sideways()


def test_every_field_has_a_name(person):
    me = person().visit("/#/lab/training")
    unnamed = me.page.evaluate(
        "[...document.querySelectorAll('main :is(input, select, button, a)')].filter((each) =>"
        " !(each.labels?.length || each.textContent.trim() || each.ariaLabel)).length"
    )
    assert unnamed == 0
