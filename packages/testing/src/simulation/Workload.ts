/**
 * The workload of a run: a server accepts trades, the first half of a request, and notifies the vault's actor, the
 * second half.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import { TradeRequest } from "@vault-trader/core/trading/Trading"
import { idOf, Vault } from "@vault-trader/core/vault/Vault"
import * as BigDecimal from "effect/BigDecimal"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type * as SqlClient from "effect/sql/SqlClient"
import { parseUnits } from "viem"
import type { SeededRandom } from "@vault-trader/app/SeededRandom"
import type { Runners } from "./Runners.ts"
import { network, type Fixture } from "./RunFixture.ts"
import type { FaultCounts } from "./FaultCounts.ts"
import type { VirtualClock } from "./VirtualClock.ts"
import type { FaultProfile } from "./FaultProfile.ts"

/** An acknowledged request. */
export interface Accepted {
  readonly id: string
  /** The idempotency key, if the caller sent one. */
  readonly key: string | null
  readonly pool: Address
  /** The amount to sell, in smallest units. */
  readonly amount: bigint
}

export interface Workload {
  /** Submits one request to one of the vaults, from its acceptance to the notification of the vault's actor. */
  readonly submit: Effect.Effect<void>
  readonly accepted: ReadonlyArray<Accepted>
}

/** A caller without an answer repeats the request if it has an idempotency key. */
const requestRetry = Schedule.max([Schedule.spaced("1 second"), Schedule.recurs(3)])

export const make = (options: {
  readonly chance: SeededRandom
  readonly clock: VirtualClock
  readonly runners: Runners
  readonly counts: FaultCounts
  readonly vaults: Fixture["vaults"]
  readonly profile: FaultProfile
  readonly sql: Layer.Layer<SqlClient.SqlClient>
}): Workload => {
  const { chance, clock, runners, counts, vaults, profile } = options
  const accepted: Array<Accepted> = []
  const server = IntentStore.layer.pipe(Layer.provide(options.sql))
  let keyCount = 0

  /** Builds a trade and its amount in smallest units. A few exceed what the vault holds: planning refuses them. */
  const drawTrade = () => {
    const buys = chance.happens(0.5)
    const amount = chance.happens(0.05) ? "90000000" : buys ? "300" : "0.1"
    const [from, to] = buys ? ["USDC", "WETH"] : ["WETH", "USDC"]
    const trade = { from, to, amount: BigDecimal.fromStringUnsafe(amount), slippage: 3, platform: "auto" } as const
    return { request: TradeRequest.make(trade), amount: parseUnits(amount, buys ? 6 : 18) }
  }

  const accept = (
    { pool, wallet }: Fixture["vaults"][number],
    { key, request }: { readonly key: string | null; readonly request: TradeRequest }
  ) => {
    const intent = {
      wallet: wallet.address,
      keyId: wallet.keyId,
      endpoint: "vaultTrade",
      network,
      pool,
      request,
      idempotencyKey: key
    } as const
    return Effect.flatMap(IntentStore, (store) => store.accept(intent)).pipe(
      Effect.provide(server),
      Effect.scoped,
      // A database error is final only for a caller that cannot repeat the request.
      Effect.sandbox,
      Effect.retry({ schedule: requestRetry, while: () => key !== null }),
      Effect.option
    )
  }

  /** Notifies the vault's actor. A lost notification only delays the intent; it never strands it. */
  const notify = (pool: Address, id: string) =>
    Effect.suspend(() => {
      const runner = runners.current()
      if (runner === undefined || chance.happens(profile.lostNotifications)) {
        counts.count("notification lost")
        return Effect.void
      }
      return Effect.flatMap(Vault.client, (client) => client(idOf(network, pool)).execute({ intentId: id })).pipe(
        Effect.timeout("5 seconds"),
        Effect.ignore,
        Effect.provide(runner.services),
        Effect.provideService(Clock.Clock, clock.of(runner.process))
      )
    })

  return {
    accepted,
    submit: Effect.gen(function*() {
      const vault = vaults[chance.below(vaults.length)]
      if (vault === undefined) return
      const key = chance.happens(0.5) ? `request ${++keyCount}` : null
      const { amount, request } = drawTrade()
      const result = yield* accept(vault, { key, request })
      if (result._tag === "None") return
      accepted.push({ id: result.value.id, key, pool: vault.pool, amount })
      yield* notify(vault.pool, result.value.id)
    })
  }
}
