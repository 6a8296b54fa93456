/** Who asks: a server accepts trades, the first half of a request, and pokes the vault's actor, the second. */
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
import type { Chance } from "@vault-trader/app/SeededRandom"
import type { Runners } from "./Runners.ts"
import { network, type Stage } from "./Fixture.ts"
import type { Tally } from "./FaultCounts.ts"
import type { VirtualClock } from "./VirtualClock.ts"
import type { Weather } from "./FaultProfile.ts"

/** An acknowledged request. */
export interface Accepted {
  readonly id: string
  /** The caller's name for it, if it has one. */
  readonly key: string | null
  readonly pool: Address
}

export interface Customers {
  /** One request of one of the vaults, from its acceptance to its poke. */
  readonly ask: Effect.Effect<void>
  readonly accepted: ReadonlyArray<Accepted>
}

/** A caller who hears nothing asks again, if under the same name. */
const insistence = Schedule.max([Schedule.spaced("1 second"), Schedule.recurs(3)])

export const make = (life: {
  readonly chance: Chance
  readonly clock: VirtualClock
  readonly runners: Runners
  readonly tally: Tally
  readonly vaults: Stage["vaults"]
  readonly weather: Weather
  readonly sql: Layer.Layer<SqlClient.SqlClient>
}): Customers => {
  const { chance, clock, runners, tally, vaults, weather } = life
  const accepted: Array<Accepted> = []
  const server = IntentStore.layer.pipe(Layer.provide(life.sql))
  let asked = 0

  /** A few ask for more than the vault holds: they are refused in planning. */
  const request = () => {
    const buys = chance.happens(0.5)
    const amount = chance.happens(0.05) ? "90000000" : buys ? "300" : "0.1"
    const [from, to] = buys ? ["USDC", "WETH"] : ["WETH", "USDC"]
    return TradeRequest.make({ from, to, amount: BigDecimal.fromStringUnsafe(amount), slippage: 3, platform: "auto" })
  }

  const accept = ({ pool, wallet }: Stage["vaults"][number], key: string | null) => {
    const intent = { wallet: wallet.address, keyId: wallet.keyId, endpoint: "vaultTrade", network, pool, request: request(), idempotencyKey: key } as const
    return Effect.flatMap(IntentStore, (store) => store.accept(intent)).pipe(
      Effect.provide(server),
      Effect.scoped,
      // What the database says no with is a defect only where nobody can ask again.
      Effect.sandbox,
      Effect.retry({ schedule: insistence, while: () => key !== null }),
      Effect.option
    )
  }

  /** One that is lost delays, it strands nothing. */
  const poke = (pool: Address, id: string) =>
    Effect.suspend(() => {
      const runner = runners.current()
      if (runner === undefined || chance.happens(weather.lostPokes)) {
        tally.count("poke lost")
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
    ask: Effect.gen(function*() {
      const vault = vaults[chance.below(vaults.length)]
      if (vault === undefined) return
      const key = chance.happens(0.5) ? `request ${++asked}` : null
      const taken = yield* accept(vault, key)
      if (taken._tag === "None") return
      accepted.push({ id: taken.value.id, key, pool: vault.pool })
      yield* poke(vault.pool, taken.value.id)
    })
  }
}
