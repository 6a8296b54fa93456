"""Sends requests: the key in a header, parameters in the body, one idempotency key for all attempts of a write."""

from __future__ import annotations

import email.utils
import errno
import http.client
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, NamedTuple

from ._errors import Reason, VaultTraderConnectionError, VaultTraderError

Fields = dict[str, Any]

#: Longest time in seconds that the client waits between two attempts.
_MAX_WAIT = 60.0


@dataclass(frozen=True)
class Endpoint:
    """An endpoint as the client calls it: always by POST, so that no parameter is in a URL that a proxy logs.

    ``read`` changes nothing. ``write`` is executed at most once under its idempotency key. ``change`` has no such key,
    so it is repeated only when the service has certainly not read it.
    """

    name: str
    path: str
    kind: Literal["read", "change", "write"]
    key: Literal["none", "optional", "required"]


@dataclass(frozen=True)
class CallOptions:
    """Settings of one call, in place of the client's: seconds for each attempt, attempts after the first one."""

    timeout: float | None = None
    retries: int | None = None


class HttpResponse(NamedTuple):
    """An HTTP response as the client reads it."""

    status: int
    #: The header Retry-After.
    retry_after: str | None
    text: str


#: Sends a body to a URL with headers within seconds. Raises OSError or http.client.HTTPException without an answer.
Post = Callable[[str, dict[str, str], bytes, float], HttpResponse]

#: Sends a request and returns the fields of its success, or of a pending write.
Send = Callable[[Endpoint, Mapping[str, Any], CallOptions], Fields]


class Secret:
    """A value that is in no text."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        return self._value

    def __repr__(self) -> str:
        return "<secret>"

    def __reduce__(self) -> str:
        raise TypeError("a client with an API key cannot be pickled")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the key and the parameters go to the given host only."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


def _read(response: Any) -> str:
    data: bytes = response.read()
    return data.decode("utf-8", "replace")


def post(url: str, headers: dict[str, str], body: bytes, timeout: float) -> HttpResponse:
    request = urllib.request.Request(url, data=body, headers=headers, method="POST")
    try:
        with _opener.open(request, timeout=timeout) as response:
            return HttpResponse(response.status, response.headers.get("Retry-After"), _read(response))
    except urllib.error.HTTPError as error:
        with error:
            return HttpResponse(error.code, error.headers.get("Retry-After"), _read(error))


class _NoAnswer(NamedTuple):
    reason: Reason
    #: False when the service certainly did not read the request.
    sent: bool
    http_status: int | None = None
    system_code: str | None = None
    retry_after: float | None = None
    intent_id: str | None = None
    detail: str | None = None


class _Answered(NamedTuple):
    http_status: int
    fields: Fields


def text_or_none(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def unbox(body: Fields) -> Fields:
    """Takes each field out of its one-element list, one level deep. Failures of execution come without these."""
    if not isinstance(body.get("status"), list):
        return body
    return {name: value[0] if isinstance(value, list) and len(value) == 1 else value for name, value in body.items()}


def without_status(fields: Fields) -> Fields:
    return {name: value for name, value in fields.items() if name != "status"}


def _parse(text: str) -> Fields | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _retry_after(text: str | None) -> float | None:
    if text is None:
        return None
    if re.fullmatch(r"\s*[0-9]{1,9}\s*", text):
        return float(text)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None


def _interpret(response: HttpResponse) -> _Answered | _NoAnswer:
    status = response.status
    retry_after = _retry_after(response.retry_after)
    body = _parse(response.text)
    # A throttled request was not read; the service sends HTML and Retry-After.
    if status == 429 or (status == 503 and body is None and retry_after is not None):
        return _NoAnswer("throttled", False, status, None, retry_after)
    if status >= 500:
        known = body or {}
        intent_id = text_or_none(known.get("intent_id"))
        return _NoAnswer("unavailable", True, status, None, retry_after, intent_id, text_or_none(known.get("message")))
    fields = {} if body is None else unbox(body)
    if fields.get("status") in ("success", "pending", "fail"):
        return _Answered(status, fields)
    return _NoAnswer("unreadable", True, status)


def _attempt(send: Post, url: str, headers: dict[str, str], body: bytes, timeout: float) -> _Answered | _NoAnswer:
    try:
        return _interpret(send(url, headers, body, timeout))
    except (OSError, http.client.HTTPException) as error:
        # Its message is left out: it may repeat a header.
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        if isinstance(reason, TimeoutError):
            return _NoAnswer("timeout", True)
        number = reason.errno if isinstance(reason, OSError) else None
        return _NoAnswer("network", True, None, None if number is None else errno.errorcode.get(number))


def _may_repeat(endpoint: Endpoint, failed: _NoAnswer) -> bool:
    """Returns True when another attempt is safe and may help."""
    if failed.reason == "throttled":
        return True
    if endpoint.kind == "change":
        return False
    if failed.reason == "unavailable":
        return failed.http_status in (502, 503, 504)
    return failed.reason in ("network", "timeout")


def _wait_before(attempt: int, failed: _NoAnswer) -> float:
    if failed.retry_after is not None:
        return failed.retry_after
    return min(8.0, 0.25 * 2.0**attempt) * random.uniform(0.5, 1.0)


def _to_wire(value: Any) -> Any:
    """Writes decimals and integers beyond JSON's exact numbers as text, as the service accepts them."""
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**53:
        return str(value)
    if isinstance(value, Mapping):
        return {name: _to_wire(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_to_wire(each) for each in value]
    return value


def _base_of(url: str) -> str:
    parsed = urllib.parse.urlsplit(url)
    if parsed.scheme not in ("http", "https") or not parsed.hostname:
        raise ValueError("url must be the service's URL, such as https://host")
    if parsed.username is not None or parsed.password is not None:
        raise ValueError("url must not contain credentials")
    return f"{parsed.scheme}://{parsed.netloc}{parsed.path.rstrip('/')}"


def _fill(path: str, request: Mapping[str, Any]) -> tuple[str, Fields]:
    """Fills the parameters into the path's segments, and returns the others as the body."""
    body = {name: value for name, value in request.items() if value is not None}

    def segment(match: re.Match[str]) -> str:
        value = body.pop(match.group(1), None)
        if not isinstance(value, str) or value in ("", ".", ".."):
            raise ValueError(f"{match.group(1)} is missing or cannot be used")
        return urllib.parse.quote(value, safe="")

    return re.sub(r":(\w+)", segment, path), body


def make(url: str, api_key: str | None, timeout: float, retries: int, http_post: Post) -> tuple[str, Send]:
    """Returns the service's URL and the function that sends requests. The API key stays in its closure."""
    base = _base_of(url)
    if api_key is not None and not re.fullmatch(r"[\x21-\x7e]{1,256}", api_key):
        raise ValueError("api_key must be the UUID that createGasWallet or getNewApiKey returned") from None
    secret = None if api_key is None else Secret(api_key)

    def without_key(text: str) -> str:
        return text if secret is None else text.replace(secret.reveal(), "[API key]")

    def headers_for(endpoint: Endpoint, request: Mapping[str, Any]) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if endpoint.key == "required" and secret is None:
            raise ValueError(f"{endpoint.name} needs an API key: VaultTrader(url, api_key)")
        # Where several proofs are accepted, a signature or a private key is meant to be the one that counts.
        proof = request.get("signature") or request.get("privateKey")
        has_other = endpoint.key == "optional" and proof is not None
        if endpoint.key != "none" and not has_other and secret is not None:
            headers["Authorization"] = f"Bearer {secret.reveal()}"
        return headers

    def send(endpoint: Endpoint, request: Mapping[str, Any], options: CallOptions) -> Fields:
        path, parameters = _fill(endpoint.path, request)
        headers = headers_for(endpoint, request)
        body = json.dumps(_to_wire(parameters), allow_nan=False).encode()
        idempotency_key = text_or_none(request.get("idempotency_key"))
        last = retries if options.retries is None else options.retries
        seconds = timeout if options.timeout is None else options.timeout
        was_sent = False
        attempt = 0
        while True:
            result = _attempt(http_post, base + path, headers, body, seconds)
            if isinstance(result, _Answered):
                fields = result.fields
                if fields["status"] != "fail":
                    return fields
                raise VaultTraderError(
                    without_key(text_or_none(fields.get("message")) or "The service refused the request."),
                    endpoint=endpoint.name,
                    code=text_or_none(fields.get("status_code")),
                    error_type=text_or_none(fields.get("error_type")),
                    intent_id=text_or_none(fields.get("intent_id")),
                    tx_hash=text_or_none(fields.get("tx_hash")),
                    idempotency_key=idempotency_key,
                    http_status=result.http_status,
                )
            was_sent = was_sent or result.sent
            pause = _wait_before(attempt, result)
            if attempt < last and pause <= _MAX_WAIT and _may_repeat(endpoint, result):
                time.sleep(pause)
                attempt += 1
                continue
            is_read = endpoint.kind == "read" or request.get("dryRun") is True
            raise VaultTraderConnectionError(
                endpoint=endpoint.name,
                reason=result.reason,
                outcome="nothing" if is_read or not was_sent else "unknown",
                http_status=result.http_status,
                system_code=result.system_code,
                retry_after=result.retry_after,
                intent_id=result.intent_id,
                idempotency_key=idempotency_key,
                detail=None if result.detail is None else without_key(result.detail),
            )

    return base, send
