/** Vaults that owe their manager fees, with test helpers. Each test starts with the same freshly deployed chain. */
import { Quantity, Receipt, toHex } from "@vault-trader/devnet/anvil/RpcSchema"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { VaultIndexStore } from "@vault-trader/core/manager/VaultIndexStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Abi } from "viem"
import { ManagedVaults } from "../../src/manager/ManagedVaults.ts"
import { type Decision, type PlanContext, transactionOf } from "../../src/vault/Action.ts"
import * as TestLane from "../gas-wallet/TestLane.ts"
import { network, TestDevnet, testVault, toReceipt } from "../vault/TestVault.ts"

/** The chain, and a vault index that is empty at the start of each test. */
export const FeeDevnet = Layer.mergeAll(
  TestDevnet,
  ManagedVaults.layer.pipe(Layer.provideMerge(VaultIndexStore.layer), Layer.provideMerge(TestLane.Database)),
  Layer.succeed(References.MinimumLogLevel, "None")
)

const year = 365 * 24 * 3600

export const feeVaults = Effect.gen(function*() {
  const vault = yield* testVault
  const sql = yield* SqlClient.SqlClient
  yield* sql`truncate vault_index, vault_index_reach`
  const { devnet, own, read, rpc, stranger } = vault
  const place: PlanContext = { ...vault.place, pool: stranger, wallet: stranger }
  const abi: Abi = own.PoolLogic.abi
  const asOf = (pool: Address, name: string, ...args: ReadonlyArray<unknown>) =>
    read(pool, abi, Schema.BigInt, name, ...args)

  return {
    ...vault,
    /** The wallet is neither trader nor manager of any vault, and the context has no vault. */
    place,
    at: (pool: Address): PlanContext => ({ ...place, pool }),
    /** Creates a vault of 10,000 USD; `managementFee` is in parts of 10,000 per year. */
    newVault: (managementFee: bigint, manager?: Address) =>
      Effect.map(
        devnet.createVault({
          network,
          name: "Fees",
          managementFee,
          invested: 10_000_000_000n,
          ...(manager === undefined ? {} : { manager })
        }),
        ({ pool }) => pool
      ),
    /** Advances time so that fees grow; the feeds' prices stay fresh. */
    aYearLater: Effect.gen(function*() {
      yield* vault.asOwner("setChainlinkTimeout", BigInt(10 * year))
      yield* rpc.increaseTime(year)
      yield* rpc.mine
    }),
    /** Returns a holder's vault tokens, smallest units. */
    tokensOf: (pool: Address, holder: Address) => asOf(pool, "balanceOf", holder),
    /** Sends a planned transaction from the wallet, with the given gas if any. */
    send: (pool: Address, decision: Pick<Decision<unknown>, "calls" | "direct">, gas?: bigint) =>
      Effect.gen(function*() {
        const transaction = transactionOf(pool, decision)
        if (transaction === undefined) return yield* Effect.die(new Error("nothing to send"))
        const call = { from: stranger, ...transaction, gas: toHex(gas ?? 16_000_000n) }
        return toReceipt(yield* rpc.request("eth_sendTransactionSync", [call], Receipt))
      }),
    pauseShares: (pool: Address) => vault.asOwner("setPoolsPaused", [{ pool, pauseShares: true, pauseTrading: false }]),
    /** Returns a node's gas estimate of a call. */
    estimated: (call: { readonly to: Address; readonly data: Hex }) =>
      rpc.request("eth_estimateGas", [{ from: stranger, ...call }], Quantity)
  }
})
