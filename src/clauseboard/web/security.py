"""Who may ask what: checks before every request, and headers on every answer.

A page of another site must not be able to play here, nor to read anything, though it runs in a
browser on the same machine: so the `Host` must be one of ours (names that another site has pointed
to this machine are refused), a change needs a header that forms cannot send, and comes from our
own origin. Where the server can be reached from elsewhere, it demands a token, once; a cookie
remembers it.
"""

from __future__ import annotations

import hmac
import ipaddress
import json
import socket
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from clauseboard.web.settings import Settings

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

HEADER = "x-clauseboard"
READING = ("GET", "HEAD", "OPTIONS")
MOST_CLIENTS = 10_000
TOO_LARGE = "The request is too large for this server."

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "frame-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'self'",
    ]
)
"""Nothing is loaded but from here, and no script stands in the page itself."""

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class SecurityMiddleware:
    """Stands before an application and lets through what is allowed."""

    def __init__(self, app: App, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self.buckets = RateLimiter(settings.rate, settings.burst)
        self.cookie = f"clauseboard-{settings.port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, and answer it or pass it on."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1")
            for name, value in scope["headers"]
        }
        query = dict(parse_qsl(scope.get("query_string", b"").decode("latin-1")))
        problem = self._problem(scope, headers, query)
        if problem is not None:
            await _refuse(send, *problem)
            return
        if self.settings.token is not None and "token" in query and self._fits(query["token"]):
            await self._remember(scope, query, send)
            return
        body = _Body(receive, self.settings.largest_body)
        # Whatever the application makes of a body that broke off, the answer is that it did.
        await self.app(scope, body.receive, _with_headers(send, scope["path"], body))

    def _problem(
        self, scope: Scope, headers: dict[str, str], query: dict[str, str]
    ) -> tuple[int, str] | None:
        client = (scope.get("client") or ("?",))[0]
        if not self.buckets.take(client):
            return 429, "Too many requests at a time; wait a second."
        if not self.is_our_name(headers.get("host", "")):
            return 400, "This server does not go by that name; use the address that it printed."
        if not self._has_token(headers, query):
            return 401, "Open the address that was printed at the start, with its token."
        if scope["method"] not in READING:
            if headers.get(HEADER) != "1" or not _same_origin(headers):
                return 403, "Changes are made by the page itself only."
            length = headers.get("content-length", "0")
            if not length.isdecimal():
                return 400, "The length of the request is no number."
            if int(length) > self.settings.largest_body:
                return 413, TOO_LARGE
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
        # An address cannot be made to point here by another site.
        return address.is_loopback or not self.settings.is_local

    def _has_token(self, headers: dict[str, str], query: dict[str, str]) -> bool:
        if self.settings.token is None:
            return True
        try:
            kept = SimpleCookie(headers.get("cookie", "")).get(self.cookie)
        except CookieError:
            kept = None
        said = headers.get("authorization", "").removeprefix("Bearer ")
        offered = [query.get("token", ""), said, "" if kept is None else kept.value]
        return any(self._fits(one) for one in offered)

    def _fits(self, offered: str) -> bool:
        token = self.settings.token or ""
        return hmac.compare_digest(offered.encode(), token.encode())

    async def _remember(self, scope: Scope, query: dict[str, str], send: Send) -> None:
        """Go on without the token in the address; a cookie has it from now on."""
        del query["token"]
        # Only ever a path of our own: two slashes would be another site.
        path = "/" + scope["path"].lstrip("/\\")
        place = f"{path}?{urlencode(query)}" if query else path
        cookie = f"{self.cookie}={self.settings.token}; Path=/; HttpOnly; SameSite=Strict"
        headers = {**HEADERS, "location": place, "set-cookie": cookie, "cache-control": "no-store"}
        await send({"type": "http.response.start", "status": 303, "headers": _raw(headers)})
        await send({"type": "http.response.body", "body": b""})


class _Body:
    """A body that says how long it is only by coming; it breaks off where it is too long."""

    def __init__(self, receive: Receive, largest: int) -> None:
        self._receive, self._left = receive, largest
        self.too_large = False

    async def receive(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            self.too_large = True
            return {"type": "http.disconnect"}
        return message


class RateLimiter:
    """How often each client may ask: so many at once, and so many a second."""

    def __init__(self, rate: float, burst: int) -> None:
        self.rate, self.burst = rate, burst
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str, now: float | None = None) -> bool:
        """Whether a client may ask once more."""
        now = time.monotonic() if now is None else now
        left, since = self._clients.pop(client, (float(self.burst), now))
        left = min(float(self.burst), left + (now - since) * self.rate)
        self._clients[client] = (max(0.0, left - 1), now)
        if len(self._clients) > MOST_CLIENTS:
            self._clients.popitem(last=False)
        return left >= 1


def _same_origin(headers: dict[str, str]) -> bool:
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2] == headers.get("host")


def _name_in(host: str) -> str:
    """The name in a `Host`, without the port; nothing if it is none."""
    if any(sign in host for sign in "/@\\?# "):
        return ""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _raw(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]


async def _refuse(send: Send, status: int, sentence: str) -> None:
    body = json.dumps({"detail": sentence}).encode()
    headers = {**HEADERS, "content-type": "application/json", "cache-control": "no-store"}
    headers["content-length"] = str(len(body))
    await send({"type": "http.response.start", "status": status, "headers": _raw(headers)})
    await send({"type": "http.response.body", "body": body})


def _with_headers(send: Send, path: str, body: _Body) -> Send:
    # What is on the page may change with the next version; the browser asks whether it has.
    cache = "no-store" if path.startswith("/api/") else "no-cache"
    added = _raw({**HEADERS, "cache-control": cache})
    refused = False

    async def sent(message: Message) -> None:
        nonlocal refused
        if refused:
            return
        if message["type"] == "http.response.start":
            if body.too_large:
                refused = True
                await _refuse(send, 413, TOO_LARGE)
                return
            there = {name.lower() for name, _ in message.get("headers", [])}
            more = [(name, value) for name, value in added if name not in there]
            message["headers"] = [*message.get("headers", []), *more]
        await send(message)

    return sent
