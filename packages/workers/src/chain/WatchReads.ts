/** Batched reads of many wallets or transactions, for checks that compare the chain with the ledger. */
import type { Address, Hash, Hex } from "@vault-trader/core/chain/Address"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ReadAll } from "./BatchedCalls.ts"
import { balanceRead } from "./Multicall3.ts"
import type { RpcFailure, RpcRefused, RpcUnavailable } from "./RpcFailure.ts"
import { Bytes, hex, lower, Quantity, RawTransfer } from "./RpcSchema.ts"
import type { TypedRpc } from "./TypedRpc.ts"

/** The sender, receiver and value of a transaction. */
export interface Transfer {
  readonly from: Address
  /** Null where the transaction created a contract. */
  readonly to: Address | null
  readonly value: bigint
  readonly nonce: bigint
}

export interface WatchReads {
  /**
   * Reads balances and transaction counts of many wallets at one block: the balances in one call. Omits wallets whose
   * read the node refuses.
   */
  readonly accounts: (wallets: ReadonlyArray<Address>, block: bigint) => Effect.Effect<
    ReadonlyArray<{ readonly wallet: Address; readonly wei: bigint; readonly nonce: bigint }>,
    RpcFailure
  >
  /** Reads the code at many addresses, in one request. Omits addresses whose read the node refuses. */
  readonly codes: (
    wallets: ReadonlyArray<Address>
  ) => Effect.Effect<ReadonlyArray<{ readonly wallet: Address; readonly code: Hex }>, RpcFailure>
  /** Reads many transactions, in one request; `null` for one that no endpoint that answers knows. */
  readonly transfers: (
    hashes: ReadonlyArray<Hash>
  ) => Effect.Effect<ReadonlyArray<Result.Result<Transfer | null, RpcRefused>>, RpcUnavailable>
}

const toTransfer = (raw: typeof RawTransfer.Type): Transfer | null =>
  raw === null ? null : {
    from: lower(raw.from),
    to: raw.to === null ? null : lower(raw.to),
    value: raw.value,
    nonce: raw.nonce
  }

/** Builds the reads of a client. */
export const make = (
  { multicall3 }: NetworkBook,
  { requestAll, requestEverywhere }: TypedRpc,
  readAll: ReadAll
): WatchReads => ({
  accounts: (wallets, block) =>
    Effect.map(
      Effect.all([
        // A node that is behind refuses a read at the head of another one.
        readAll(wallets.map((wallet) => balanceRead(multicall3, wallet)), block).pipe(
          Effect.catchTag("RpcRefused", () => Effect.succeed([]))
        ),
        requestAll(Quantity, "eth_getTransactionCount", wallets.map((wallet) => [wallet, hex(block)]))
      ], { concurrency: "unbounded" }),
      ([balances, nonces]) =>
        wallets.flatMap((wallet, index) => {
          const [wei, nonce] = [balances[index], nonces[index]]
          return wei === undefined || nonce === undefined || Result.isFailure(wei) || Result.isFailure(nonce)
            ? []
            : [{ wallet, wei: wei.success, nonce: nonce.success }]
        })
    ),
  codes: (wallets) =>
    Effect.map(
      requestAll(Bytes, "eth_getCode", wallets.map((wallet) => [wallet, "latest"])),
      (answers) =>
        answers.flatMap((answer, index) =>
          Result.isSuccess(answer) ? [{ wallet: wallets[index]!, code: lower(answer.success) }] : []
        )
    ),
  transfers: (hashes) =>
    Effect.flatMap(
      requestAll(RawTransfer, "eth_getTransactionByHash", hashes.map((hash) => [hash])),
      // An endpoint that lags or has no history does not know a transaction that another one has.
      Effect.forEach((answer, index) =>
        Result.isFailure(answer) || answer.success !== null
          ? Effect.succeed(Result.map(answer, toTransfer))
          : Effect.map(
            requestEverywhere(RawTransfer, "eth_getTransactionByHash", [hashes[index]!]),
            (all) => Result.succeed(toTransfer(all.find((other) => other.answer !== null)?.answer ?? null))
          ), { concurrency: 8 })
    )
})
