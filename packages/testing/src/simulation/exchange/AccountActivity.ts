/**
 * Activity around the accounts: owners set their bots to a side, stop them and move money; prices move by themselves.
 */
import { ExchangeAccounts } from "@vault-trader/core/exchange/ExchangeAccount"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { walletScope } from "@vault-trader/core/gas-wallet/SwitchScope"
import type { ExchangeControl } from "@vault-trader/devnet/exchange/ExchangeControl"
import * as Decimal from "@vault-trader/devnet/exchange/Decimal"
import * as BigDecimal from "effect/BigDecimal"
import * as Clock from "effect/Clock"
import type { Sharding } from "effect/cluster/Sharding"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SeededRandom } from "@vault-trader/app/SeededRandom"
import type { Runners } from "../Runners.ts"
import type { VirtualClock } from "../VirtualClock.ts"
import type { Environment } from "../Environment.ts"
import type { Customer } from "./ExchangeFixture.ts"
import type { Wire } from "./ExchangeWire.ts"

/** A turn that was acknowledged to its caller. */
export interface Acknowledged {
  readonly id: string
  readonly wallet: string
  readonly key: string | null
}

export interface AccountActivity {
  readonly acknowledged: ReadonlyArray<Acknowledged>
  /** Sends one request of one owner. */
  readonly submit: Effect.Effect<void>
  /** Moves prices, and now and then money, the exchange's clock or a kill switch. */
  readonly background: Effect.Effect<void>
  /** Resumes all wallets and sets the exchange's clock right. */
  readonly restore: Effect.Effect<void>
}

const pairs = ["BTC-USDT", "BTC-USDT", "ETH-USDT"] as const
const startPrices = { BTC: 60_000, ETH: 3_000 } as const

/** Draws the terms of a request that sets a side. */
const drawTerms = (chance: SeededRandom) => ({
  pair: pairs[chance.below(pairs.length)] ?? pairs[0],
  side: chance.one(["long", "neutral", "long", "neutral", "hold"] as const),
  strategy: "custom" as const,
  maxUsd: BigDecimal.fromNumberUnsafe(chance.one([500, 5_000, 1_000_000])),
  share: chance.one([30, 100, 100]),
  // Prices move by up to 3 % each two seconds, so that many brackets are triggered.
  ...chance.one([{}, {}, { takeProfit: 2 }, { stopLoss: 2 }, { takeProfit: 3, stopLoss: 1 }])
})

/** Deposits money, or withdraws a part of the free balance. */
const moveMoney = ({ chance, counts }: Environment, { moved, there }: Customer): void => {
  const asset = chance.one(["USDT", "BTC"] as const)
  const held = there.balances.get(asset)
  if (held === undefined) return
  const withdraws = chance.happens(0.5)
  const amount = withdraws ? held.free * BigInt(chance.below(60)) / 100n : Decimal.of(asset === "BTC" ? 0.02 : 1_000)
  if (amount === 0n) return
  counts.count(withdraws ? "withdrawal" : "deposit")
  held.free += withdraws ? -amount : amount
  moved.set(asset, (moved.get(asset) ?? 0n) + (withdraws ? -amount : amount))
}

/** Returns a function that moves the prices of the exchange. */
const makePriceMover = (chance: SeededRandom, { books }: ExchangeControl) => {
  const prices: Record<keyof typeof startPrices, number> = { ...startPrices }
  return (base: keyof typeof startPrices): void => {
    prices[base] = Math.round(prices[base] * (0.97 + chance.next() * 0.06) * 100) / 100
    for (const quote of ["USDT", "USDC"]) books.setPrice(base, quote, prices[base])
  }
}

/** Returns a function that calls the current runner; none when no runner is up or it does not answer in time. */
const makeCaller =
  (clock: VirtualClock, runners: Runners) =>
  <A, E>(request: Effect.Effect<A, E, Sharding>): Effect.Effect<Option.Option<A>> =>
    Effect.suspend(() => {
      const runner = runners.current()
      if (runner === undefined) return Effect.succeedNone
      return request.pipe(
        Effect.timeout("8 seconds"),
        Effect.sandbox,
        Effect.option,
        Effect.provide(runner.services),
        Effect.provideService(Clock.Clock, clock.of(runner.process)),
        // The clock of a dead process stands still.
        Effect.timeoutOrElse({ duration: "10 seconds", orElse: () => Effect.succeedNone })
      )
    })

/** Requests of the owners to their accounts. */
interface OwnerRequests {
  readonly acknowledged: ReadonlyArray<Acknowledged>
  /**
   * Sets an account's side. A caller with an idempotency key repeats the request until it is answered; others send it
   * once.
   */
  readonly setSide: (customer: Customer) => Effect.Effect<void>
  readonly deactivate: (customer: Customer) => Effect.Effect<void>
}

const makeOwnerRequests = ({ chance, clock }: Environment, runners: Runners): OwnerRequests => {
  const call = makeCaller(clock, runners)
  const acknowledged: Array<Acknowledged> = []
  let keyCount = 0
  return {
    acknowledged,
    setSide: ({ id, wallet }) =>
      Effect.gen(function*() {
        const key = chance.happens(0.5) ? `turn ${++keyCount}` : null
        const terms = drawTerms(chance)
        for (let left = key === null ? 1 : 4; left > 0; left--) {
          const response = yield* call(Effect.flatMap(ExchangeAccounts.client, (accounts) =>
            accounts(id).setSide({ ...terms, wallet, idempotencyKey: key })))
          if (Option.isNone(response)) {
            continue
          }
          acknowledged.push({ id: response.value.intentId, wallet, key })
          return
        }
      }),
    deactivate: ({ id, wallet }) =>
      Effect.asVoid(
        call(
          Effect.flatMap(ExchangeAccounts.client, (accounts) => accounts(id).deactivate({ wallet, pair: "BTC-USDT" }))
        )
      )
  }
}

export const make = (
  environment: Environment,
  options: {
    readonly customers: ReadonlyArray<Customer>
    readonly desk: ExchangeControl
    readonly runners: Runners
    readonly sql: Layer.Layer<SqlClient.SqlClient>
    readonly wire: Wire
  }
): AccountActivity => {
  const { chance, counts, profile } = environment
  const { customers, desk, runners, wire } = options
  const { acknowledged, deactivate, setSide } = makeOwnerRequests(environment, runners)
  const movePrice = makePriceMover(chance, desk)
  const switches = KillSwitch.layer.pipe(Layer.provide(options.sql))

  const pick = () => customers[chance.below(customers.length)]

  const toggleSwitch = ({ wallet }: Customer) =>
    Effect.gen(function*() {
      const store = yield* KillSwitch
      if (!(yield* store.resume(walletScope(wallet)))) {
        counts.count("kill switch")
        yield* store.pause(walletScope(wallet), "a drill")
      }
    }).pipe(Effect.provide(switches), Effect.ignore)

  return {
    acknowledged,
    submit: Effect.suspend(() => {
      const customer = pick()
      return customer === undefined
        ? Effect.void
        : chance.happens(0.07)
        ? deactivate(customer)
        : setSide(customer)
    }),
    background: Effect.suspend(() => {
      const customer = pick()
      movePrice("BTC")
      movePrice("ETH")
      if (customer === undefined) return Effect.void
      if (chance.happens(profile.drops)) moveMoney(environment, customer)
      if (chance.happens(profile.spikes)) {
        counts.count("clock jumped")
        wire.jump(chance.one([0, 20_000, -20_000, 45_000]))
      }
      return chance.happens(profile.pauses) ? toggleSwitch(customer) : Effect.void
    }),
    restore: Effect.gen(function*() {
      wire.jump(0)
      const store = yield* KillSwitch
      yield* Effect.forEach(customers, ({ wallet }) => store.resume(walletScope(wallet)), { discard: true })
    }).pipe(Effect.provide(switches), Effect.orDie)
  }
}
