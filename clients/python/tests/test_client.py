"""The client against fake answers: no service, no waiting."""

from __future__ import annotations

import asyncio
import json
import pickle
import time
import traceback
import unittest
from decimal import Decimal
from typing import Any
from unittest import mock

from vault_trader import (
    AsyncVaultTrader,
    CallOptions,
    OutcomePending,
    VaultTrader,
    VaultTraderConnectionError,
    VaultTraderError,
)
from vault_trader._transport import HttpResponse

URL = "https://service.example"
KEY = "01234567-89ab-4def-8123-456789abcdef"
TRADE: dict[str, Any] = {"network": "base", "pool": "0xpool", "from_": "USDC", "to": "WETH", "amount": "1000"}
TRADED = {"intent_id": "intent-1", "tx_hash": "0xhash", "message": "Sold.", "route": ["a", "b"]}


def boxed(**fields: Any) -> HttpResponse:
    return HttpResponse(200, None, json.dumps({name: [value] for name, value in fields.items()}))


def success(**fields: Any) -> HttpResponse:
    return boxed(status="success", **fields)


def pending(**fields: Any) -> HttpResponse:
    return boxed(**{"status": "pending", "intent_id": "intent-1", "tx_hash": None, "message": "Accepted.", **fields})


def flat(http_status: int, **fields: Any) -> HttpResponse:
    return HttpResponse(http_status, None, json.dumps(fields))


def intent(**fields: Any) -> HttpResponse:
    state = {"endpoint": "vaultTrade", "status": "pending", "message": "Sent.", "tx_hash": None, **fields}
    return success(intent=state)


def throttled(after: str = "2") -> HttpResponse:
    return HttpResponse(503, after, "<html>503</html>")


class Fake:
    """Answers from a list and records what it was sent."""

    def __init__(self, *replies: HttpResponse | Exception) -> None:
        self.replies = list(replies)
        self.sent: list[tuple[str, dict[str, str], dict[str, Any]]] = []

    def __call__(self, url: str, headers: dict[str, str], body: bytes, timeout: float) -> HttpResponse:
        self.sent.append((url.removeprefix(URL), headers, json.loads(body)))
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply

    @property
    def keys(self) -> list[str]:
        return [body["idempotency_key"] for _, _, body in self.sent if "idempotency_key" in body]


class ClientTest(unittest.TestCase):
    """The clock moves by the client's own waits, which are recorded."""

    def setUp(self) -> None:
        self.waits: list[float] = []
        self.now = time.monotonic()

        def sleep(seconds: float) -> None:
            self.waits.append(seconds)
            self.now += seconds

        for name, replacement in (("sleep", sleep), ("monotonic", lambda: self.now)):
            patch = mock.patch(f"time.{name}", replacement)
            patch.start()
            self.addCleanup(patch.stop)

    def client(self, *replies: HttpResponse | Exception) -> tuple[VaultTrader, Fake]:
        fake = Fake(*replies)
        return VaultTrader(URL, KEY, http_post=fake), fake

    def test_a_request_has_its_parameters_in_the_body_and_the_key_in_a_header(self) -> None:
        client, fake = self.client(success(balance="1"))
        self.assertEqual(client.get_gas_balance(network="base", usd=True), {"balance": "1"})
        headers = {"Content-Type": "application/json", "Accept": "application/json", "Authorization": f"Bearer {KEY}"}
        self.assertEqual(fake.sent, [("/getGasBalance", headers, {"network": "base", "USD": True})])

    def test_path_segments_are_filled_and_no_key_is_sent_where_none_is_taken(self) -> None:
        client, fake = self.client(success())
        client.calculate_fee(action="lenderAV3/lend", network="base")
        path, headers, body = fake.sent[0]
        self.assertEqual((path, body), ("/calculate-fee/lenderAV3%2Flend/base", {}))
        self.assertNotIn("Authorization", headers)
        with self.assertRaisesRegex(ValueError, "^action is missing"):
            client.calculate_fee(action="..", network="base")

    def test_the_key_is_left_out_where_another_proof_is_given(self) -> None:
        client, fake = self.client(success(), success())
        client.get_all_bots(manager="0xmanager", signature="v2.1.1.0x")
        client.get_all_bots()
        self.assertEqual(["Authorization" in headers for _, headers, _ in fake.sent], [False, True])

    def test_decimals_and_large_integers_are_sent_exactly(self) -> None:
        client, fake = self.client(success(**TRADED), success(**TRADED))
        for amount, text in ((Decimal("1E-9"), "0.000000001"), (2**70, "1180591620717411303424")):
            client.vault_trade(**{**TRADE, "amount": amount})
            self.assertEqual(fake.sent[-1][2]["amount"], text)

    def test_an_answer_is_unboxed_by_one_level(self) -> None:
        client, _ = self.client(success(address="0x", pools=["only"]))
        self.assertEqual(client.get_gas_wallet_pools(), {"address": "0x", "pools": ["only"]})

    def test_a_refusal_and_a_failure_are_errors_with_their_code(self) -> None:
        failure = {"status_code": "2001", "error_type": "insufficient_gas", "message": "No gas.", "intent_id": "i"}
        client, fake = self.client(
            boxed(status="fail", status_code="1007", message="share: must be less"),
            flat(400, status="fail", **failure),
        )
        with self.assertRaises(VaultTraderError) as refused:
            client.vault_trade(**TRADE)
        self.assertEqual((refused.exception.code, refused.exception.error_type), ("1007", None))
        self.assertEqual(str(refused.exception), "share: must be less")
        with self.assertRaises(VaultTraderError) as failed:
            client.vault_trade(**TRADE)
        error = failed.exception
        self.assertEqual((error.code, error.error_type, error.intent_id), ("2001", "insufficient_gas", "i"))
        self.assertEqual(error.idempotency_key, fake.keys[1])

    def test_a_dry_run_is_the_plan_itself_and_has_no_key(self) -> None:
        client, fake = self.client(success(dryRun=True, plan={"venue": "1inch"}))
        self.assertEqual(client.vault_trade_dry_run(**TRADE), {"dryRun": True, "plan": {"venue": "1inch"}})
        self.assertEqual((fake.sent[0][2]["dryRun"], fake.keys), (True, []))

    def test_a_read_is_repeated_after_network_failures_429_and_503(self) -> None:
        client, fake = self.client(
            ConnectionRefusedError(111, "refused"), throttled("7"), HttpResponse(429, None, ""), success(price=1)
        )
        self.assertEqual(client.get_ticks(), {"price": 1})
        self.assertEqual((len(fake.sent), self.waits[1]), (4, 7.0))
        broken, fake = self.client(flat(500, status="fail", message="Internal error."))
        with self.assertRaises(VaultTraderConnectionError) as error:
            broken.get_ticks()
        self.assertEqual((error.exception.reason, error.exception.outcome, len(fake.sent)), ("unavailable", "nothing", 1))

    def test_a_wait_of_more_than_a_minute_is_the_callers(self) -> None:
        client, _ = self.client(throttled("3600"))
        with self.assertRaises(VaultTraderConnectionError) as error:
            client.get_ticks()
        self.assertEqual((error.exception.reason, error.exception.retry_after, self.waits), ("throttled", 3600.0, []))

    def test_all_attempts_of_a_write_have_one_idempotency_key(self) -> None:
        unknown = flat(503, status="unknown", message="not known", intent_id=None)
        client, fake = self.client(TimeoutError(), unknown, throttled(), success(**TRADED), success(**TRADED))
        client.vault_trade(**TRADE)
        client.vault_trade(**TRADE)
        self.assertEqual(len(set(fake.keys[:4])), 1)
        self.assertRegex(fake.keys[0], "^[0-9a-f]{32}$")
        self.assertNotEqual(fake.keys[3], fake.keys[4])

    def test_a_change_that_may_have_been_made_is_not_repeated(self) -> None:
        for reply in (ConnectionResetError(104, "reset"), flat(503, status="fail"), HttpResponse(502, None, "bad")):
            client, fake = self.client(reply)
            with self.assertRaises(VaultTraderConnectionError) as error:
                client.create_gas_wallet()
            self.assertEqual((error.exception.outcome, len(fake.sent)), ("unknown", 1))
        client, fake = self.client(throttled(), success(address="0x"))
        self.assertEqual((client.create_gas_wallet(), len(fake.sent)), ({"address": "0x"}, 2))

    def test_a_write_that_ends_in_doubt_names_its_key(self) -> None:
        client, fake = self.client(ConnectionResetError(104, "reset"))
        with self.assertRaises(VaultTraderConnectionError) as error:
            client.vault_trade(**TRADE, options=CallOptions(retries=0))
        self.assertEqual((error.exception.outcome, error.exception.system_code), ("unknown", "ECONNRESET"))
        self.assertEqual(error.exception.idempotency_key, fake.keys[0])

    def test_an_outcome_is_read_from_the_intent_and_then_from_the_endpoint(self) -> None:
        client, fake = self.client(
            pending(), intent(), ConnectionResetError(), intent(status="success"), success(**TRADED)
        )
        write = client.vault_trade(**TRADE)
        self.assertEqual(write.status, "pending")
        self.assertEqual(write.outcome(), TRADED)
        self.assertEqual([path for path, _, _ in fake.sent], ["/vaultTrade", *["/getIntent"] * 3, "/vaultTrade"])
        self.assertEqual(fake.sent[4], fake.sent[0])

    def test_several_intents_are_followed(self) -> None:
        legs = [pending(intent_id="leg-1"), intent(status="success"), pending(intent_id="leg-2")]
        client, _ = self.client(pending(intent_id=None), *legs, intent(status="success"), success(**TRADED))
        self.assertEqual(client.vault_trade(**TRADE).outcome(), TRADED)

    def test_an_outcome_may_stay_pending_or_fail(self) -> None:
        failed = flat(400, status="fail", status_code="2016", error_type="expired", message="Expired.")
        client, _ = self.client(pending(), intent(message="Waiting: cooldown."), intent(status="fail"), failed)
        write = client.vault_trade(**TRADE)
        with self.assertRaisesRegex(OutcomePending, "Waiting: cooldown."):
            write.outcome(timeout=0.4)
        with self.assertRaises(VaultTraderError) as error:
            write.outcome()
        self.assertEqual(error.exception.code, "2016")

    def test_an_intent_is_followed_by_its_id_alone(self) -> None:
        failure = {"status_code": "2005", "error_type": "transaction_reverted", "message": "Reverted."}
        client, _ = self.client(
            intent(),
            intent(status="success", result={"venue": "1inch"}),
            intent(status="fail", message="Reverted.", failure=failure),
        )
        self.assertEqual(client.follow_intent("intent-1").result, {"venue": "1inch"})
        with self.assertRaises(VaultTraderError) as error:
            client.follow_intent("intent-1")
        self.assertEqual((error.exception.code, error.exception.intent_id), ("2005", "intent-1"))

    def test_the_key_is_in_no_text(self) -> None:
        echo = f"key {KEY} is unknown"
        leaky = OSError(f"invalid header Bearer {KEY}")
        refusal = boxed(status="fail", status_code="1002", message=echo)
        client, _ = self.client(pending(), leaky, refusal, flat(500, status="fail", message=echo))
        texts = [repr(client), str(client), repr(vars(client)), repr(client.vault_trade(**TRADE))]
        for kind in (VaultTraderConnectionError, VaultTraderError, VaultTraderConnectionError):
            with self.assertRaises(kind) as error:
                client.vault_trade(**TRADE, options=CallOptions(retries=0))
            raised = error.exception
            texts += [str(raised), repr(raised), repr(vars(raised)), "".join(traceback.format_exception(raised))]
        for text in texts:
            self.assertNotIn(KEY, text)
        for bad in (KEY + "\n", "", "ключ"):
            with self.assertRaisesRegex(ValueError, "^api_key must be the UUID"):
                VaultTrader(URL, bad)
        with self.assertRaises((TypeError, AttributeError, pickle.PicklingError)):
            pickle.dumps(client)

    def test_a_url_with_credentials_or_of_another_scheme_is_refused(self) -> None:
        for url in ("https://user:secret@host", "ftp://host", "host"):
            with self.assertRaises(ValueError):
                VaultTrader(url)

    def test_asyncio_has_the_same_methods(self) -> None:
        fake = Fake(pending(), intent(status="success"), success(**TRADED), success(price=1))

        async def trade() -> tuple[Any, Any]:
            client = AsyncVaultTrader(URL, KEY, http_post=fake)
            write = await client.vault_trade(**TRADE)
            return await write.outcome(), await client.get_ticks()

        with mock.patch("time.monotonic", time.perf_counter):
            self.assertEqual(asyncio.run(trade()), (TRADED, {"price": 1}))


if __name__ == "__main__":
    unittest.main()
