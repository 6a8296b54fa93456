import { assert, layer } from "@effect/vitest"
import type { Fault } from "@vault-trader/devnet/exchange/ExchangeFault"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { type Customer, customer, held, implied, life, over, persisting, Stage } from "./TestAccount.ts"

/** A seeded random generator (mulberry32) of numbers from 0 to below 1. */
const chance = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The faults of orders, with their probability in percent. */
const weather: ReadonlyArray<readonly [Fault, number]> = [
  ...[["timeoutAfterAcceptance", 14], ["timeoutBefore", 5], ["lateAcceptance", 5]] as const,
  ...[["serverError", 6], ["maintenance", 3], ["rateLimited", 3], ["partialFill", 10]] as const
]

const faultAt = (drawn: number): Fault | undefined => {
  let sum = 0
  return weather.find(([, percent]) => (sum += percent / 100) > drawn)?.[0]
}

const ledgerOf = ({ wallet }: Customer) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      Effect.orDie(
        sql<
          {
            readonly id: string
            readonly status: string
            readonly clientId: string | null
            readonly sent: boolean
            readonly charge: string | null
            readonly filled: string | null
          }
        >`
    select id::text as id, status, client_id as "clientId", sent_at is not null as sent, charge_usd::text as charge,
    filled::text as filled from exchange_orders where wallet = ${wallet} order by id`
      )
  )

/** Checks that no order exists twice or outside the ledger, and that the ledger's balances match the exchange's. */
const agree = (made: Customer, first: Readonly<Record<string, number>>) =>
  Effect.gen(function*() {
    const rows = yield* ledgerOf(made)
    const placed = made.there.orders.map(({ clientId }) => clientId)
    assert.strictEqual(new Set(placed).size, placed.length, "an id was used for two orders")
    assert.sameMembers(
      placed,
      rows.filter(({ status }) => status === "closed").flatMap(({ clientId }) => clientId ?? []),
      "orders there and closed rows here"
    )
    assert.deepStrictEqual(rows.filter(({ status }) => ["accepted", "decided", "sending"].includes(status)), [])
    const posted = made.desk.seen().filter(({ method, path }) => method === "POST" && path === "/api/v3/order").length
    assert.isAtMost(posted, rows.filter(({ sent }) => sent).length, "an order was sent more than once")
    assert.deepStrictEqual(held(made), { ...(yield* implied(made.wallet, first)) })
    for (const { charge, filled } of rows) {
      assert.strictEqual(charge !== null, filled !== null && Number(filled) > 0, "one charge an executed order")
    }
    const sql = yield* SqlClient.SqlClient
    const booked = yield* sql<
      { readonly reference: string; readonly usd: number }
    >`select reference, usd::float8 as usd from charges where wallet = ${made.wallet}`
    assert.sameMembers(
      booked.map(({ reference }) => reference),
      rows.filter(({ charge }) => charge !== null).map(({ id }) => `order/${id}`),
      "the bill has each of them once"
    )
    assert.isTrue(booked.every(({ usd }) => usd === 0.1))
    return rows
  })

layer(Stage, { timeout: 240_000, excludeTestServices: true })("an exchange bot", (it) => {
  const first = { USDT: 10_000, BTC: 0 }
  const terms = {
    pair: "BTC-USDT",
    strategy: "custom",
    maxUsd: BigDecimal.fromStringUnsafe("1000000"),
    share: 100,
    idempotencyKey: null
  } as const

  for (const seed of [1]) {
    it.effect(
      `flipped long and neutral two hundred times, under faults and killed in between (seed ${seed}), ends with ` +
        "ledger and exchange equal",
      () =>
        Effect.gen(function*() {
          const made = yield* customer(first)
          const { account, credentials, desk, id, wallet } = made
          const next = chance(seed)
          desk.books.setPrice("BTC", "USDT", 50_000)
          desk.forget()
          desk.silence = 50
          yield* Effect.scoped(
            Effect.flatMap(life(id), (actor) => persisting(actor.register({ ...account, credentials })))
          )
          desk.injectEach(() => {
            desk.lateness = 100 + Math.floor(next() * 400)
            return faultAt(next())
          })
          let flips = 0
          while (flips < 200) {
            yield* Effect.scoped(Effect.gen(function*() {
              const actor = yield* life(id)
              const flipsOfThisLife = 1 + Math.floor(next() * 12)
              for (let each = 0; each < flipsOfThisLife; each += 1) {
                const { intentId } = yield* persisting(
                  actor.setSide({ ...terms, wallet, side: flips % 2 === 0 ? "long" : "neutral" })
                )
                flips += 1
                if (each < flipsOfThisLife - 1) yield* over(intentId)
                // The last order of an actor's run is abandoned in whatever state it has.
                else yield* Effect.sleep(`${Math.floor(next() * 300)} millis`)
              }
            }))
          }
          desk.heal()
          yield* Effect.scoped(Effect.gen(function*() {
            const actor = yield* life(id)
            const { intentId } = yield* persisting(actor.setSide({ ...terms, wallet, side: "hold" }))
            yield* over(intentId)
          }))
          const rows = yield* agree(made, first)
          assert.isAbove(rows.filter(({ status }) => status === "closed").length, 80)
          assert.isAbove(rows.filter(({ status }) => status === "lost").length, 0)
        }),
      480_000
    )
  }
})
