"""The client of Vault Trader: one method for each endpoint of the service."""

from ._client import AsyncVaultTrader, VaultTrader
from ._errors import OutcomePending, VaultTraderConnectionError, VaultTraderError
from ._transport import CallOptions
from ._write import AsyncWrite, IntentOutcome, Write

__all__ = [
    "AsyncVaultTrader",
    "AsyncWrite",
    "CallOptions",
    "IntentOutcome",
    "OutcomePending",
    "VaultTrader",
    "VaultTraderConnectionError",
    "VaultTraderError",
    "Write",
]
