/** What the owners of accounts do: set their bots to a side, stop them, move money by themselves; and prices that go their own way. */
import { ExchangeAccounts } from "@vault-trader/core/exchange/ExchangeAccount"
import { KillSwitch, walletScope } from "@vault-trader/core/gas-wallet/KillSwitch"
import type { Desk } from "@vault-trader/devnet/exchange/ExchangeControl"
import * as Decimal from "@vault-trader/devnet/exchange/Decimal"
import * as BigDecimal from "effect/BigDecimal"
import * as Clock from "effect/Clock"
import type { Sharding } from "effect/cluster/Sharding"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Runners } from "../Runners.ts"
import type { World } from "../Environment.ts"
import type { Customer } from "./ExchangeStage.ts"
import type { Wire } from "./Wire.ts"

/** An acknowledged turn. */
export interface Told {
  readonly id: string
  readonly wallet: string
  readonly key: string | null
}

export interface Owners {
  readonly told: ReadonlyArray<Told>
  /** One of them asks for something. */
  readonly ask: Effect.Effect<void>
  /** What happens without anybody asking. */
  readonly weather: Effect.Effect<void>
  /** Nothing is stopped any more, and the exchange's clock is right. */
  readonly calm: Effect.Effect<void>
}

const pairs = ["BTC-USDT", "BTC-USDT", "ETH-USDT"] as const
const startPrices = { BTC: 60_000, ETH: 3_000 } as const

export const make = (
  { chance, clock, tally, weather }: World,
  life: {
    readonly customers: ReadonlyArray<Customer>
    readonly desk: Desk
    readonly runners: Runners
    readonly sql: Layer.Layer<SqlClient.SqlClient>
    readonly wire: Wire
  }
): Owners => {
  const { customers, desk, runners, wire } = life
  const told: Array<Told> = []
  const prices: Record<keyof typeof startPrices, number> = { ...startPrices }
  const switches = KillSwitch.layer.pipe(Layer.provide(life.sql))
  let asked = 0

  const someone = () => customers[chance.below(customers.length)]

  const request = () => ({
    pair: pairs[chance.below(pairs.length)] ?? pairs[0],
    side: chance.one(["long", "neutral", "long", "neutral", "hold"] as const),
    strategy: "custom" as const,
    maxUsd: BigDecimal.fromNumberUnsafe(chance.one([500, 5_000, 1_000_000])),
    share: chance.one([30, 100, 100])
  })

  /** What the runner that stands makes of it, if one does and answers. */
  const answered = <A, E>(asked: Effect.Effect<A, E, Sharding>): Effect.Effect<Option.Option<A>> =>
    Effect.suspend(() => {
      const runner = runners.current()
      if (runner === undefined) return Effect.succeedNone
      return asked.pipe(
        Effect.timeout("8 seconds"),
        Effect.sandbox,
        Effect.option,
        Effect.provide(runner.services),
        Effect.provideService(Clock.Clock, clock.of(runner.process)),
        // A dead one's clock stands still.
        Effect.timeoutOrElse({ duration: "10 seconds", orElse: () => Effect.succeedNone })
      )
    })

  /** A caller with a name for the request repeats it until it is answered; others ask once. */
  const set = ({ id, wallet }: Customer) =>
    Effect.gen(function*() {
      const key = chance.happens(0.5) ? `turn ${++asked}` : null
      const terms = request()
      for (let left = key === null ? 1 : 4; left > 0; left--) {
        const found = yield* answered(Effect.flatMap(ExchangeAccounts.client, (accounts) => accounts(id).setSide({ ...terms, wallet, idempotencyKey: key })))
        if (Option.isNone(found)) continue
        told.push({ id: found.value.intentId, wallet, key })
        return
      }
    })

  const deactivate = ({ id, wallet }: Customer) =>
    answered(Effect.flatMap(ExchangeAccounts.client, (accounts) => accounts(id).deactivate({ wallet, pair: "BTC-USDT" })))

  /** Somebody brings money, or takes a part of what is free. */
  const move = ({ moved, there }: Customer) => {
    const asset = chance.one(["USDT", "BTC"] as const)
    const held = there.balances.get(asset)
    if (held === undefined) return
    const takes = chance.happens(0.5)
    const amount = takes ? held.free * BigInt(chance.below(60)) / 100n : Decimal.of(asset === "BTC" ? 0.02 : 1_000)
    if (amount === 0n) return
    tally.count(takes ? "withdrawal" : "deposit")
    held.free += takes ? -amount : amount
    moved.set(asset, (moved.get(asset) ?? 0n) + (takes ? -amount : amount))
  }

  const priced = (base: keyof typeof startPrices) => {
    prices[base] = Math.round(prices[base] * (0.97 + chance.next() * 0.06) * 100) / 100
    for (const quote of ["USDT", "USDC"]) desk.books.setPrice(base, quote, prices[base])
  }

  const flip = ({ wallet }: Customer) =>
    Effect.gen(function*() {
      const store = yield* KillSwitch
      if (!(yield* store.resume(walletScope(wallet)))) {
        tally.count("kill switch")
        yield* store.pause(walletScope(wallet), "a drill")
      }
    }).pipe(Effect.provide(switches), Effect.ignore)

  return {
    told,
    ask: Effect.suspend(() => {
      const customer = someone()
      return customer === undefined ? Effect.void : chance.happens(0.07) ? Effect.asVoid(deactivate(customer)) : set(customer)
    }),
    weather: Effect.suspend(() => {
      const customer = someone()
      priced("BTC")
      priced("ETH")
      if (customer === undefined) return Effect.void
      if (chance.happens(weather.drops)) move(customer)
      if (chance.happens(weather.spikes)) {
        tally.count("clock jumped")
        wire.jump(chance.one([0, 20_000, -20_000, 45_000]))
      }
      return chance.happens(weather.pauses) ? flip(customer) : Effect.void
    }),
    calm: Effect.gen(function*() {
      wire.jump(0)
      const store = yield* KillSwitch
      yield* Effect.forEach(customers, ({ wallet }) => store.resume(walletScope(wallet)), { discard: true })
    }).pipe(Effect.provide(switches), Effect.orDie)
  }
}
