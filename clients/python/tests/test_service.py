"""The client against a running service, which packages/client/test/Clients.deep.test.ts starts."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
import unittest
from decimal import Decimal
from typing import Any

from vault_trader import AsyncVaultTrader, VaultTrader, VaultTraderError

URL = os.environ.get("VAULT_TRADER_URL", "")
KEY = os.environ.get("VAULT_TRADER_API_KEY", "")
POOL = os.environ.get("VAULT_TRADER_POOL", "")


class DroppingProxy:
    """Forwards connections to the service; of the first one it drops the answer, once the service has given it."""

    def __init__(self) -> None:
        host, port = URL.removeprefix("http://").split(":")
        self._target = (host, int(port))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.connections = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._forward, args=(client, self.connections == 1), daemon=True).start()

    def _forward(self, client: socket.socket, drops: bool) -> None:
        with client, socket.create_connection(self._target) as service:
            # The service answers only requests to its own host.
            hosts = (self.url.removeprefix("http://").encode(), URL.removeprefix("http://").encode())
            upstream = threading.Thread(target=self._copy, args=(client, service, hosts), daemon=True)
            upstream.start()
            if drops:
                service.recv(1)
                client.shutdown(socket.SHUT_RDWR)
            else:
                self._copy(service, client)

    @staticmethod
    def _copy(source: socket.socket, target: socket.socket, hosts: tuple[bytes, bytes] = (b"", b"")) -> None:
        try:
            while data := source.recv(65536):
                target.sendall(data.replace(*hosts) if hosts[0] else data)
        except OSError:
            pass

    def close(self) -> None:
        self._listener.close()


@unittest.skipIf(URL == "", "VAULT_TRADER_URL names no service")
class ServiceTest(unittest.TestCase):
    def setUp(self) -> None:
        self.client = VaultTrader(URL, KEY)

    def amount(self, symbol: str) -> Decimal:
        lines = self.client.pool_composition(network="base", pool=POOL)["composition"]
        return next((Decimal(line["amount"] or "0") for line in lines if line["symbol"] == symbol), Decimal(0))

    def trade(self) -> dict[str, Any]:
        return {"network": "base", "pool": POOL, "from_": "USDC", "to": "DAI", "amount": "1"}

    def test_a_wallet_is_created_without_a_key(self) -> None:
        made = VaultTrader(URL).create_gas_wallet()
        self.assertRegex(made["address"], "^0x[0-9a-f]{40}$")
        balance = VaultTrader(URL, made["apiKey"]).get_gas_balance(network="base")
        self.assertEqual((balance["address"], Decimal(balance["balance"])), (made["address"], 0))

    def test_a_dry_run_returns_the_plan_and_moves_nothing(self) -> None:
        before = self.amount("USDC")
        planned = self.client.vault_trade_dry_run(**self.trade())
        self.assertIs(planned["dryRun"], True)
        self.assertIn("venue", planned["plan"])
        self.assertEqual(self.amount("USDC"), before)

    def test_a_trade_moves_what_its_outcome_says(self) -> None:
        before = self.amount("USDC")
        write = self.client.vault_trade(**self.trade())
        outcome = write.outcome()
        self.assertEqual((outcome["sold"]["symbol"], Decimal(outcome["sold"]["amount"])), ("USDC", 1))
        self.assertEqual(self.amount("USDC"), before - 1)
        followed = self.client.follow_intent(outcome["intent_id"])
        self.assertEqual((followed.tx_hash, followed.result["venue"]), (outcome["tx_hash"], outcome["venue"]))

    def test_a_trade_for_asyncio(self) -> None:
        async def trade() -> Any:
            write = await AsyncVaultTrader(URL, KEY).vault_trade(**self.trade())
            return await write.outcome()

        self.assertEqual(asyncio.run(trade())["sold"]["symbol"], "USDC")

    def test_failures_have_their_code(self) -> None:
        with self.assertRaises(VaultTraderError) as refused:
            self.client.vault_trade(**{**self.trade(), "amount": "-1"})
        self.assertEqual(refused.exception.code, "1009")
        with self.assertRaises(VaultTraderError) as failed:
            self.client.vault_trade(**{**self.trade(), "amount": "1000000000"}).outcome()
        self.assertEqual((failed.exception.code, failed.exception.error_type), ("2002", "insufficient_balance"))
        with self.assertRaises(VaultTraderError) as unknown:
            VaultTrader(URL, "00000000-0000-4000-8000-000000000000").get_gas_balance(network="base")
        self.assertEqual(unknown.exception.code, "1002")

    def test_a_trade_whose_answer_is_lost_moves_funds_once(self) -> None:
        proxy = DroppingProxy()
        self.addCleanup(proxy.close)
        before = self.amount("USDC")
        write = VaultTrader(proxy.url, KEY).vault_trade(**self.trade())
        self.assertEqual(write.outcome()["sold"]["amount"], "1")
        self.assertEqual(proxy.connections, 2)
        self.assertEqual(self.amount("USDC"), before - 1)


if __name__ == "__main__":
    unittest.main()
