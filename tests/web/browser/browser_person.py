"""A person at the page: sees what is shown, and clicks, drags and types."""

from __future__ import annotations

from playwright.sync_api import expect

PATIENCE = 300_000  # milliseconds; the machine may be busy


class Person:
    def __init__(self, page, link, patience=PATIENCE):
        self.page, self.context = page, page.context
        self.arrive(link)
        self.page.set_default_timeout(patience)
        expect.set_options(timeout=patience)
        self.troubles = []
        self.forgiven = ""
        self.page.on("console", self._heard)
        self.page.on("pageerror", self._broke)

    def arrive(self, link):
        """Open the link that the server printed, which has a token; a cookie has it then."""
        self.address = link.partition("/?")[0]
        assert self.page.request.get(link).ok

    def _heard(self, message):
        # The browser itself reports every refusal, also one that the page has asked for.
        refused = self.forgiven and f"status of {self.forgiven}" in message.text
        if message.type in ("error", "warning") and not refused:
            self.troubles.append(message.text)

    def _broke(self, error):
        self.troubles.append(str(error))

    def leave(self):
        """Leave an empty page, for the next person; the browser forgets what it kept for this one.

        A new page would start a process of its own, which costs more than most tests do.
        """
        self.page.unroute_all(behavior="ignoreErrors")
        self.page.remove_listener("console", self._heard)
        self.page.remove_listener("pageerror", self._broke)
        self.page.mouse.move(0, 0)
        if self.page.url.startswith("http"):
            self.page.evaluate("localStorage.clear(), sessionStorage.clear()")
        self.page.goto("about:blank")
        self.context.clear_cookies()

    def see(self, selector):
        return self.page.locator(selector)

    def visit(self, place="/#/"):
        self.page.goto(f"{self.address}{place}")
        shown = place.removeprefix("/")
        expect(self.see(f"main[data-shown='{shown}'], main .notice").first).to_be_visible()
        return self

    def begin(self, game, opponent="random", colour="first", **settings):
        """Sit down at a new game, without the start screen."""
        return self.begin_from(None, game, opponent, colour, settings=settings)

    def begin_from(self, position, game, opponent="person", colour="first", **wish):
        """Sit down at a game that begins with a position, given as text."""
        wish = {"game": game, "opponent": opponent, "colour": colour, "seconds": 0.2, **wish}
        if position is not None:
            wish["position"] = {"text": position}
        headers = {"X-Clauseboard": "1"}
        answer = self.page.request.post(f"{self.address}/api/games", data=wish, headers=headers)
        assert answer.status == 201, answer.text()
        return self.visit(f"/#/game/{answer.json()['id']}").ready()

    def start(self, game, opponent="random", colour="first", **settings):
        """Choose everything on the start screen, settings by their titles, and start."""
        self.visit()
        self.see(f".game-choice:has(input[value='{game}'])").click()
        self.more()
        for title, value in settings.items():
            self._set(title, value)
        self.see(f".opponent:has(input[value='{opponent}'])").click()
        self.see(f".segments label:has(input[value='{colour}'])").click()
        self.see(".segments label:has-text('0.2 s')").click()
        self.see(".start-button").click()
        expect(self.see(".frame .board")).to_be_visible()
        return self.ready()

    def more(self):
        """Open what the start screen keeps under "More"."""
        details = self.see(".more")
        if not details.evaluate("details => details.open"):
            details.locator("summary").click()
        return self

    def _set(self, title, value):
        field = self.see(f".settings .field:has-text('{title}')")
        if field.locator("select").count():
            field.locator("select").select_option(label=value)
        else:
            field.locator(f"label:has-text('{value}')").click()

    def cell(self, name):
        return self.see(f".frame .cell[data-cell='{name}']")

    def click(self, *cells):
        for cell in cells:
            self.cell(cell).click()
        return self

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def ready(self):
        """Wait until nobody thinks."""
        expect(self.see(".game[data-busy='false']")).to_be_visible()
        return self

    def play(self, *cells):
        """Click a move, and wait for the answer."""
        before = self.plies
        self.click(*cells)
        expect(self.see(f".game[data-ply='{before}']")).to_have_count(0)
        return self.ready()

    @property
    def plies(self):
        return int(self.see(".game").get_attribute("data-ply"))

    @property
    def open_cells(self):
        """The cells that can be chosen now."""
        found = self.see(".frame .cell.open")
        return found.evaluate_all("cells => cells.map((cell) => cell.dataset.cell)")

    @property
    def is_over(self):
        return self.see(".said--over").count() > 0

    @property
    def board(self):
        """What the cells say to those who listen, cell by cell."""
        found = self.see(".frame .cell")
        said = found.evaluate_all(
            "cells => cells.map((cell) => [cell.dataset.cell, cell.getAttribute('aria-label')])"
        )
        return {cell: label.removesuffix(", can be chosen") for cell, label in said}

    def scrolls_sideways(self):
        return self.page.evaluate("document.documentElement.scrollWidth > window.innerWidth")


class Held:
    """Answers to questions at an address that are on their way for as long as the test wants."""

    def __init__(self, me, address):
        self.me, self.held = me, []
        me.page.route(address, lambda route: self.held.append(route))

    def wait_for(self, n):
        for _ in range(PATIENCE // 20):
            if len(self.held) >= n:
                return
            self.me.page.wait_for_timeout(20)
        raise AssertionError(f"{len(self.held)} questions were asked, not {n}")

    def let_go(self, which):
        route = self.held[which]
        with self.me.page.expect_response(lambda answer: answer.url == route.request.url):
            route.continue_()


class SlowAnswers(Held):
    """The same, but the questions reach the server at once; only its answers are held back."""

    def __init__(self, me, address):
        self.me, self.held = me, []
        me.page.route(address, lambda route: self.held.append((route, route.fetch())))

    def let_go(self, which):
        route, answer = self.held[which]
        with self.me.page.expect_response(lambda answer: answer.url == route.request.url):
            route.fulfill(response=answer)
