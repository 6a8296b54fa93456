/** Trades with unique amounts, each requested under its own key until the answer is final. */
import { assert } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { format } from "@vault-trader/core/chain/Quantity"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Trade } from "./ChainProof.ts"
import { type Answer, demoVault, rows, Running, trader } from "./Harness.ts"
import * as OnChain from "./OnChain.ts"
import { until } from "./Until.ts"

/** A trade to request. */
export interface TradeRequest {
  readonly by: { readonly apiKey: string; readonly address: Address }
  readonly network: Network
  readonly pool: Address
  /** USDC, in smallest units. */
  readonly sold: bigint
  readonly key: string
}

/** Creates wallets with gas and splits a network's vaults evenly among them. The first vault is the demo vault. */
export const traded = (network: Network, count: { readonly vaults: number; readonly wallets: number }) =>
  Effect.gen(function*() {
    const devnet = yield* Devnet
    const more = yield* Effect.replicateEffect(OnChain.createVault(network, 10_000n), count.vaults - 1)
    const pools = [yield* demoVault(network), ...more]
    const wallets = yield* Effect.forEach(pools.slice(0, count.wallets), (pool) => trader({ pool }))
    return yield* Effect.forEach(pools, (pool, index) => {
      const by = wallets[index % wallets.length]!
      return Effect.as(Effect.orDie(devnet.setTrader({ network, pool, trader: by.address })), { by, network, pool })
    })
  })

/** A little over one dollar; no two amounts of a test file are the same. */
let last = 1_000_000n
export const wanted = (trade: Pick<TradeRequest, "by" | "network" | "pool">): TradeRequest => {
  last += 1n
  return { ...trade, sold: last, key: `sell-${last}` }
}

/** Requests the trade once and ignores the answer, or its absence. */
export const asked = ({ by, key, network, pool, sold }: TradeRequest) =>
  Effect.flatMap(Running, ({ ask }) =>
    ask("/vaultTrade", {
      json: { apiKey: by.apiKey, network, pool, from: "USDC", to: "WETH", amount: format(sold, 6) },
      headers: { "idempotency-key": key }
    }))

/** Returns the intent accepted under a trade's key. */
export const intentOf = ({ key }: TradeRequest) =>
  Effect.map(
    rows(`select id::text, status from intents where idempotency_key = '${key}'`),
    ([row]) => row === undefined ? undefined : { id: String(row["id"]), status: String(row["status"]) }
  )

/** Builds `size` trades over some vaults, in turn. */
export const burst = (vaults: ReadonlyArray<Parameters<typeof wanted>[0]>, size: number) =>
  Array.from({ length: size }, (_, index) => wanted(vaults[index % vaults.length]!))

/** Returns whether an answer says that nothing was accepted, or that the result is not known yet. */
export const isOpen = ({ fields, status }: Answer) =>
  status === 503 || fields["status"] === "pending" || ["2020", "2021"].includes(String(fields["status_code"]))

/** Repeats the request under its key until it is answered with the outcome, which must be a success. */
export const settled = (trade: TradeRequest): Effect.Effect<Trade, never, Running> =>
  Effect.gen(function*() {
    const { fields, text } = yield* until(
      `the outcome of ${trade.key} on ${trade.network}`,
      Effect.map(Effect.exit(asked(trade)), (exit) =>
        Exit.isSuccess(exit) && !isOpen(exit.value) ? exit.value : undefined)
    )
    assert.strictEqual(fields["status"], "success", text)
    const { by: { address: wallet }, network, pool, sold } = trade
    return { network, wallet, pool, sold, intentId: String(fields["intent_id"]) }
  })
