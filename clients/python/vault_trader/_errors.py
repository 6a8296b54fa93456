"""The failures of calls."""

from __future__ import annotations

from typing import Literal

Reason = Literal["network", "timeout", "throttled", "unavailable", "unreadable"]
Certainty = Literal["nothing", "unknown"]

_SENTENCES: dict[str, str] = {
    "network": "The service could not be reached",
    "timeout": "The service did not answer in time",
    "throttled": "The service is throttling requests",
    "unavailable": "The service cannot answer at the moment",
    "unreadable": "The answer is not one of the service's",
}


class VaultTraderError(Exception):
    """The service's refusal or failure of a request. It is final: what failed can no longer be executed.

    ``code`` is ``1000`` to ``1010`` before anything happened, ``2xxx`` after the request was admitted, and None for
    other refusals. ``error_type`` is the name of a ``2xxx`` code, such as ``insufficient_gas``. ``message`` says what
    failed, whether anything moved, and the next step.
    """

    def __init__(
        self,
        message: str,
        *,
        endpoint: str,
        code: str | None,
        error_type: str | None,
        intent_id: str | None,
        tx_hash: str | None,
        idempotency_key: str | None,
        http_status: int,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.endpoint = endpoint
        self.code = code
        self.error_type = error_type
        self.intent_id = intent_id
        self.tx_hash = tx_hash
        self.idempotency_key = idempotency_key
        self.http_status = http_status


class VaultTraderConnectionError(Exception):
    """No answer to a request, after all attempts.

    ``outcome`` is ``nothing`` when the request changed nothing. With ``unknown`` it may have been executed, or may
    still be: repeat a write with this ``idempotency_key``, and it is executed at most once.
    """

    def __init__(
        self,
        *,
        endpoint: str,
        reason: Reason,
        outcome: Certainty,
        http_status: int | None,
        system_code: str | None,
        retry_after: float | None,
        intent_id: str | None,
        idempotency_key: str | None,
        detail: str | None,
    ) -> None:
        known = [system_code, None if http_status is None else f"HTTP {http_status}", detail]
        cause = ", ".join(each for each in known if each is not None)
        if outcome == "nothing":
            following = "Nothing was changed."
        elif idempotency_key is None:
            following = "It is not known whether the change was made: check before you repeat it."
        else:
            following = "It is not known whether it was executed: repeat it with the same idempotency_key."
        super().__init__(f"{endpoint}: {_SENTENCES[reason]}{f' ({cause})' if cause else ''}. {following}")
        self.endpoint = endpoint
        self.reason = reason
        self.outcome = outcome
        self.http_status = http_status
        self.system_code = system_code
        self.retry_after = retry_after
        self.intent_id = intent_id
        self.idempotency_key = idempotency_key


class OutcomePending(Exception):
    """A write whose outcome was not known when ``outcome`` stopped waiting. It continues; wait again, or later."""

    def __init__(self, *, endpoint: str, intent_id: str | None, idempotency_key: str | None, message: str) -> None:
        super().__init__(f"{endpoint} is still pending: {message}")
        self.endpoint = endpoint
        self.intent_id = intent_id
        self.idempotency_key = idempotency_key
