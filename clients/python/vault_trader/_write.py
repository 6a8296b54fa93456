"""The handle of an accepted write: what is known of it, and the wait for its outcome."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar, cast

from ._errors import OutcomePending, VaultTraderConnectionError, VaultTraderError
from ._transport import CallOptions, Endpoint, Fields, Send, text_or_none, without_status

Result = TypeVar("Result")

_GET_INTENT = Endpoint("getIntent", "/getIntent", "read", "required")

#: Seconds between two reads of an intent: the first, and the longest.
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 5.0

#: How long the service keeps an idempotency key, minus a day, in seconds: a repeat after it could execute again.
_MAX_AGE = 6 * 24 * 3600.0


class _Waiting:
    """The deadline of a wait, and its pauses."""

    def __init__(self, timeout: float) -> None:
        self._until = time.monotonic() + timeout
        self._pause = _FIRST_PAUSE

    def options(self) -> CallOptions:
        return CallOptions(timeout=min(30.0, max(1.0, self._until - time.monotonic())), retries=0)

    def next(self) -> bool:
        """Waits a while; returns False when the time is over."""
        left = self._until - time.monotonic()
        if left <= 0:
            return False
        time.sleep(min(left, self._pause))
        self._pause = min(_LONGEST_PAUSE, self._pause * 1.5)
        return True

    def attempt(self, read: Callable[[], Fields]) -> Fields | None:
        """Runs a read; returns None while the service cannot be reached."""
        try:
            return read()
        except VaultTraderConnectionError:
            return None


class Write(Generic[Result]):
    """A write that the service accepted; ``outcome`` returns the fields of its success."""

    def __init__(
        self, endpoint: Endpoint, request: Mapping[str, Any], send: Send, sent_at: float, answer: Fields
    ) -> None:
        self._endpoint = endpoint
        self._request = request
        self._send = send
        self._sent_at = sent_at
        self._answer = answer

    def __repr__(self) -> str:
        return f"Write({self.endpoint}, {self.status}, intent_id={self.intent_id!r})"

    @property
    def endpoint(self) -> str:
        return self._endpoint.name

    @property
    def idempotency_key(self) -> str:
        """The key under which it was sent: the same request with it is never executed again."""
        return str(self._request["idempotency_key"])

    @property
    def status(self) -> Literal["success", "pending"]:
        return "success" if self._answer.get("status") == "success" else "pending"

    @property
    def intent_id(self) -> str | None:
        """The id in the service's ledger, for ``follow_intent``; None while the first of several has not started."""
        return text_or_none(self._answer.get("intent_id"))

    @property
    def tx_hash(self) -> str | None:
        return text_or_none(self._answer.get("tx_hash"))

    @property
    def message(self) -> str:
        """The service's last message about it."""
        return text_or_none(self._answer.get("message")) or ""

    def outcome(self, timeout: float = 120.0) -> Result:
        """Waits for the outcome, in seconds, and returns the fields of the success.

        Raises VaultTraderError when the write failed, and OutcomePending when the time is over; then it can be called
        again.
        """
        waiting = _Waiting(timeout)
        while self.status == "pending":
            if not waiting.next():
                raise OutcomePending(
                    endpoint=self.endpoint,
                    intent_id=self.intent_id,
                    idempotency_key=self.idempotency_key,
                    message=self.message,
                )
            self._refresh(waiting)
        return cast(Result, without_status(self._answer))

    def _refresh(self, waiting: _Waiting) -> None:
        """Reads the intent. Once it has ended, or while there is none, repeats the request under its key: the service
        then answers from its ledger, with the endpoint's own fields, and knows if further intents follow."""
        intent_id = self.intent_id
        if intent_id is not None:
            read = waiting.attempt(lambda: self._send(_GET_INTENT, {"intent_id": intent_id}, waiting.options()))
            if read is None:
                return
            intent = read["intent"]
            self._answer = {**self._answer, "message": intent["message"], "tx_hash": intent["tx_hash"]}
            if intent["status"] == "pending":
                return
        if time.monotonic() - self._sent_at > _MAX_AGE:
            return
        answer = waiting.attempt(lambda: self._send(self._endpoint, self._request, waiting.options()))
        self._answer = self._answer if answer is None else answer


class AsyncWrite(Generic[Result]):
    """A write that the service accepted, for asyncio: the waits run in a thread."""

    def __init__(self, write: Write[Result]) -> None:
        self._write = write

    def __repr__(self) -> str:
        return f"Async{self._write!r}"

    @property
    def endpoint(self) -> str:
        return self._write.endpoint

    @property
    def idempotency_key(self) -> str:
        return self._write.idempotency_key

    @property
    def status(self) -> Literal["success", "pending"]:
        return self._write.status

    @property
    def intent_id(self) -> str | None:
        return self._write.intent_id

    @property
    def tx_hash(self) -> str | None:
        return self._write.tx_hash

    @property
    def message(self) -> str:
        return self._write.message

    async def outcome(self, timeout: float = 120.0) -> Result:
        """Waits for the outcome, as ``Write.outcome`` does. Cancelling it does not end its thread at once."""
        return await asyncio.to_thread(self._write.outcome, timeout)


@dataclass(frozen=True)
class IntentOutcome:
    """The state of an intent that has ended with success; ``result`` has the fields of the endpoint's success."""

    intent_id: str
    endpoint: str
    tx_hash: str | None
    message: str
    result: Fields


def follow_intent(send: Send, intent_id: str, timeout: float) -> IntentOutcome:
    """Reads an intent until it has ended."""
    waiting = _Waiting(timeout)
    endpoint, last = "getIntent", "its state was not read"
    while True:
        read = waiting.attempt(lambda: send(_GET_INTENT, {"intent_id": intent_id}, waiting.options()))
        if read is not None:
            intent = read["intent"]
            endpoint, last, tx_hash = intent["endpoint"], intent["message"], intent["tx_hash"]
            if intent["status"] == "success":
                return IntentOutcome(intent_id, endpoint, tx_hash, last, intent["result"] or {})
            if intent["status"] == "fail":
                failure = intent["failure"] or {}
                raise VaultTraderError(
                    last,
                    endpoint=endpoint,
                    code=text_or_none(failure.get("status_code")),
                    error_type=text_or_none(failure.get("error_type")),
                    intent_id=intent_id,
                    tx_hash=tx_hash,
                    idempotency_key=None,
                    http_status=200,
                )
        if not waiting.next():
            raise OutcomePending(endpoint=endpoint, intent_id=intent_id, idempotency_key=None, message=last)
