"""The clients: every method of an endpoint, over one transport."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Mapping
from typing import Any

from ._endpoints import AsyncEndpoints, Endpoints
from ._transport import CallOptions, Endpoint, Post, make, post, without_status
from ._write import AsyncWrite, IntentOutcome, Write, follow_intent


class VaultTrader(Endpoints):
    """A client of one service for one gas wallet. Neither its text nor its errors contain the API key.

    ``timeout``: seconds for each attempt; the service itself answers within 25. ``retries``: attempts after the first.
    """

    def __init__(
        self,
        url: str,
        api_key: str | None = None,
        *,
        timeout: float = 30.0,
        retries: int = 3,
        http_post: Post = post,
    ) -> None:
        self._url, self._send = make(url, api_key, timeout, retries, http_post)

    def __repr__(self) -> str:
        return f"VaultTrader({self._url!r})"

    def follow_intent(self, intent_id: str, timeout: float = 120.0) -> IntentOutcome:
        """Waits for the outcome of an earlier write by the id that its handle or its error had."""
        return follow_intent(self._send, intent_id, timeout)

    def _call(self, endpoint: Endpoint, request: Mapping[str, Any], options: CallOptions | None) -> Any:
        return without_status(self._send(endpoint, request, options or CallOptions()))

    def _call_write(self, endpoint: Endpoint, request: Mapping[str, Any], options: CallOptions | None) -> Any:
        given = request.get("idempotency_key")
        keyed = {**request, "idempotency_key": secrets.token_hex(16) if given is None else given}
        sent_at = time.monotonic()
        answer = self._send(endpoint, keyed, options or CallOptions())
        return Write[Any](endpoint, keyed, self._send, sent_at, answer)


class AsyncVaultTrader(AsyncEndpoints):
    """The client for asyncio. Each call runs in a thread of asyncio's pool; cancelling a call does not end it."""

    def __init__(
        self,
        url: str,
        api_key: str | None = None,
        *,
        timeout: float = 30.0,
        retries: int = 3,
        http_post: Post = post,
    ) -> None:
        self._client = VaultTrader(url, api_key, timeout=timeout, retries=retries, http_post=http_post)

    def __repr__(self) -> str:
        return f"Async{self._client!r}"

    async def follow_intent(self, intent_id: str, timeout: float = 120.0) -> IntentOutcome:
        """Waits for the outcome of an earlier write by the id that its handle or its error had."""
        return await asyncio.to_thread(self._client.follow_intent, intent_id, timeout)

    async def _call(self, endpoint: Endpoint, request: Mapping[str, Any], options: CallOptions | None) -> Any:
        return await asyncio.to_thread(self._client._call, endpoint, request, options)

    async def _call_write(self, endpoint: Endpoint, request: Mapping[str, Any], options: CallOptions | None) -> Any:
        return AsyncWrite[Any](await asyncio.to_thread(self._client._call_write, endpoint, request, options))
