"""Checks before every request, and headers on every answer.

A page of another site must not be able to play here, nor to read anything, though it runs in a
browser on the same machine: so the `Host` must be one of ours (another site may point a name of its
own to this machine), and a change needs a header that forms cannot send and comes from our own
origin. Other users of this machine, and other machines, can reach the server: a browser shows a
token, once; then a cookie has it. How many connections there are, and how long a request may take
to arrive, has bounds (`BoundedProtocol`).
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import ipaddress
import socket
import time
from collections import OrderedDict
from urllib.parse import urlencode, urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from clauseboard.web.settings import Settings

HEADER = "x-clauseboard"
READING = ("GET", "HEAD", "OPTIONS")
MOST_CLIENTS = 10_000
COOKIE_SECONDS = 365 * 24 * 3600
MOST_CONNECTIONS, MOST_OF_A_CLIENT = 1500, 100
"""Connections in all, and of one other machine."""
ARRIVAL = 10.0
"""Seconds in which the head of a request has to arrive, and each part of its body."""
TOO_LARGE = "The request is too large for this server."
TOO_LATE = f"The rest of the request did not arrive within {ARRIVAL:.0f} seconds."

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "frame-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'self'",
    ]
)
"""Everything is loaded from here, and no script stands in the page itself."""

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class SecurityMiddleware:
    """Lets requests through that are allowed."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self.limiter = RateLimiter(settings.rate, settings.burst)
        self.cookie = f"clauseboard-{settings.port}"
        self._once = settings.once

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, and answer it or pass it on."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        request = Request(scope)
        answer = self._problem(request) or self._redirect(request)
        if answer is not None:
            await answer(scope, receive, send)
            return
        left, arrived = self.settings.largest_body, False
        cut_off: tuple[int, str] | None = None

        async def receive_limited() -> Message:
            """A body may not tell its length in advance, and may never come: then it is cut off."""
            nonlocal left, arrived, cut_off
            try:
                message = await asyncio.wait_for(receive(), None if arrived else ARRIVAL)
            except TimeoutError:
                cut_off = 408, TOO_LATE
                return {"type": "http.disconnect"}
            arrived = not message.get("more_body", False)
            left -= len(message.get("body", b""))
            if left < 0:
                cut_off = 413, TOO_LARGE
                return {"type": "http.disconnect"}
            return message

        async def send_with_headers(message: Message) -> None:
            # Whatever the application makes of a body that was cut off, the answer says so, and
            # the connection, on which the rest may still come, is closed at once.
            if cut_off is not None:
                if message["type"] == "http.response.start":
                    answer = _problem(*cut_off)
                    answer.headers["connection"] = "close"
                    await answer(scope, receive, send)
                return
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                # The page may change with the next version: browsers ask whether it has.
                api = scope["path"].startswith("/api/")
                headers.setdefault("cache-control", "no-store" if api else "no-cache")
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive_limited, send_with_headers)

    def _problem(self, request: Request) -> Response | None:
        """The answer to a request that is not allowed."""
        headers, has_token = request.headers, self._has_token(request)
        # Others on the same machine must not use up the requests of the one who has the token.
        client = request.client.host if request.client else "?"
        if not self.limiter.take(f"{client} {has_token}"):
            return _problem(429, "Too many requests at a time; wait a second.")
        if not self.is_our_name(headers.get("host", "")):
            return _problem(400, "This server has another name; use the address that it printed.")
        if not has_token:
            return _problem(401, "Open the address that was printed at the start, with its token.")
        if request.method not in READING:
            if headers.get(HEADER) != "1" or not _same_origin(request):
                return _problem(403, "Only the page itself can make changes.")
            length = headers.get("content-length", "0")
            if not length.isdecimal():
                return _problem(400, "The length of the request is not a number.")
            if int(length) > self.settings.largest_body:
                return _problem(413, TOO_LARGE)
        return None

    def is_our_name(self, host: str) -> bool:
        """Whether a `Host` is a name of this server."""
        name = _name_in(host)
        ours = {"localhost", self.settings.host.lower(), *map(str.lower, self.settings.names)}
        if not name or name in ours:
            return bool(name)
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return not self.settings.is_local and name == socket.gethostname().lower()
        # Another site cannot make an address point here.
        return address.is_loopback or not self.settings.is_local

    def _has_token(self, request: Request) -> bool:
        in_address = request.query_params.get("token", "")
        if self._once and hmac.compare_digest(in_address.encode(), self._once.encode()):
            return True
        offered = (
            in_address,
            request.headers.get("authorization", "").removeprefix("Bearer "),
            request.cookies.get(self.cookie, ""),
        )
        return any(self._fits(token) for token in offered)

    def _fits(self, offered: str) -> bool:
        return hmac.compare_digest(offered.encode(), self.settings.token.encode())

    def _redirect(self, request: Request) -> Response | None:
        """To the same address without the token, which a cookie has from now on."""
        query = dict(request.query_params)
        token = query.pop("token", "")
        if self._once and token == self._once:
            self._once = ""
        elif not self._fits(token):
            return None
        # Only ever a path of our own: two slashes would be another site.
        path = "/" + request.scope["path"].lstrip("/\\")
        answer = RedirectResponse(f"{path}?{urlencode(query)}" if query else path, 303)
        answer.headers.update({**HEADERS, "cache-control": "no-store"})
        answer.set_cookie(
            self.cookie, self.settings.token, COOKIE_SECONDS, httponly=True, samesite="strict"
        )
        return answer


class BoundedProtocol(H11Protocol):
    """Connections up to a number, each of which is closed if no request arrives on it in time.

    If there are too many, the oldest on which no request has arrived makes room. One whose request
    was refused is closed with the answer, so that only who has the token keeps any.
    """

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, and end one if there are too many."""
        super().connection_made(transport)
        self.since = self.loop.time()
        remote = not _is_loopback(_host(self))
        found = self._open() if remote or len(self.connections) > MOST_CONNECTIONS else []
        if remote and sum(_host(other) == _host(self) for other in found) > MOST_OF_A_CLIENT:
            transport.abort()
        elif len(found) > MOST_CONNECTIONS:
            silent = [other for other in found if other.cycle is None and other is not self]
            silent.sort(key=lambda other: other.since)
            # A tenth of them at once, since it takes a while to look through all.
            for other in silent[: len(found) - MOST_CONNECTIONS * 9 // 10] or [self]:
                other.transport.abort()
        self._watch()

    def _open(self) -> list[BoundedProtocol]:
        """The connections that are open."""
        return [
            other
            for other in self.connections
            if isinstance(other, BoundedProtocol) and not other.transport.is_closing()
        ]

    def data_received(self, data: bytes) -> None:
        """Read what has arrived."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        super().connection_lost(exc)
        if self._waiting is not None:
            self._waiting.cancel()

    def _watch(self) -> None:
        """Wait for the rest of a head, but not for ever."""
        answering = self.cycle is not None and not self.cycle.response_complete
        if answering and self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        elif not answering and self._waiting is None:
            self._waiting = self.loop.call_later(ARRIVAL, self.transport.close)


def _host(connection: object) -> str:
    client = getattr(connection, "client", None)
    return client[0] if client else ""


def _is_loopback(host: str) -> bool:
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False


class RateLimiter:
    """Limits the requests of each client: so many at once, and so many a second."""

    def __init__(self, rate: float, burst: int) -> None:
        self.rate, self.burst = rate, burst
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str, now: float | None = None) -> bool:
        """Whether a client may make one more request."""
        now = time.monotonic() if now is None else now
        left, since = self._clients.pop(client, (float(self.burst), now))
        left = min(float(self.burst), left + (now - since) * self.rate)
        self._clients[client] = (max(0.0, left - 1), now)
        if len(self._clients) > MOST_CLIENTS:
            self._clients.popitem(last=False)
        return left >= 1


def _same_origin(request: Request) -> bool:
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = request.headers.get("origin")
    return origin is None or origin.partition("://")[2] == request.headers.get("host")


def _name_in(host: str) -> str:
    """The name in a `Host`, without the port; empty if it is malformed."""
    if any(sign in host for sign in "/@\\?# "):
        return ""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _problem(status: int, sentence: str) -> Response:
    headers = {**HEADERS, "cache-control": "no-store", "connection": "close"}
    return JSONResponse({"detail": sentence}, status, headers=headers)
