"""Checks before every request, and headers on every answer.

A page of another site must not be able to play here, nor to read anything, though it runs in a
browser on the same machine: so the `Host` must be one of ours (another site may point a name of its
own to this machine), and a change needs a header that forms cannot send and comes from our own
origin. A server that other machines can reach requires a token, once; then a cookie has it.
"""

from __future__ import annotations

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

from clauseboard.web.settings import Settings

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
        left, too_large = self.settings.largest_body, False

        async def receive_limited() -> Message:
            """A body may not tell its length in advance: it is cut off where it is too large."""
            nonlocal left, too_large
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                too_large = True
                return {"type": "http.disconnect"}
            return message

        async def send_with_headers(message: Message) -> None:
            # Whatever the application makes of a body that was cut off, the answer is a 413.
            if too_large:
                if message["type"] == "http.response.start":
                    await _problem(413, TOO_LARGE)(scope, receive, send)
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
        headers = request.headers
        if not self.limiter.take(request.client.host if request.client else "?"):
            return _problem(429, "Too many requests at a time; wait a second.")
        if not self.is_our_name(headers.get("host", "")):
            return _problem(400, "This server has another name; use the address that it printed.")
        if not self._has_token(request):
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
        if self.settings.token is None:
            return True
        offered = (
            request.query_params.get("token", ""),
            request.headers.get("authorization", "").removeprefix("Bearer "),
            request.cookies.get(self.cookie, ""),
        )
        return any(self._fits(token) for token in offered)

    def _fits(self, offered: str) -> bool:
        token = self.settings.token or ""
        return hmac.compare_digest(offered.encode(), token.encode())

    def _redirect(self, request: Request) -> Response | None:
        """To the same address without the token, which a cookie has from now on."""
        query = dict(request.query_params)
        if self.settings.token is None or not self._fits(query.pop("token", "")):
            return None
        # Only ever a path of our own: two slashes would be another site.
        path = "/" + request.scope["path"].lstrip("/\\")
        answer = RedirectResponse(f"{path}?{urlencode(query)}" if query else path, 303)
        answer.headers.update({**HEADERS, "cache-control": "no-store"})
        answer.set_cookie(self.cookie, self.settings.token, httponly=True, samesite="strict")
        return answer


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
    headers = {**HEADERS, "cache-control": "no-store"}
    return JSONResponse({"detail": sentence}, status, headers=headers)
