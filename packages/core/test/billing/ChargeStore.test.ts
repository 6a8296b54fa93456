import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ChargeStore } from "../../src/billing/ChargeStore.ts"
import { nativeOf } from "../../src/billing/PriceList.ts"
import { row } from "../storage/Database.ts"
import * as TestLedger from "./TestLedger.ts"

const { network } = TestLedger
const unpriced = {
  action: "exchangeTrade",
  usd: 0.1,
  nativeWei: null,
  nativePriceUsd18: null,
  priceSource: null,
  priceAt: null
} as const

layer(TestLedger.Stores, { timeout: "4 minutes", excludeTestServices: true })("ChargeStore", (it) => {
  it.effect("books a reference once per wallet, even when many callers book it at the same time", () =>
    Effect.gen(function*() {
      const { book } = yield* ChargeStore
      const [one, other] = [yield* TestLedger.make, yield* TestLedger.make]
      const booking = { ...unpriced, wallet: one.address, network, reference: "order/1" } as const
      const booked = yield* Effect.all(Array.from({ length: 10 }, () => book(booking)), { concurrency: "unbounded" })
      assert.strictEqual(new Set(booked.map(({ id }) => id)).size, 1)
      assert.strictEqual(booked.filter(({ isNew }) => isNew).length, 1)
      assert.isTrue((yield* book({ ...booking, wallet: other.address })).isNew)
      assert.isTrue((yield* book({ ...booking, reference: "order/2" })).isNew)
    }))

  it.effect("converts charges without a price once, exactly as they would have been booked", () =>
    Effect.gen(function*() {
      const { convert, unconverted } = yield* ChargeStore
      const ledger = yield* TestLedger.make
      const prices = [0.02, 0.05, 0.1, 0.123457]
      for (const usd of prices) yield* ledger.charge(null, { usd })
      yield* ledger.charge(9n)
      assert.include(yield* unconverted, network)
      const usd18 = 2_999_123_456_789_012_345_678n
      assert.isAtLeast(yield* convert(network, { usd18, source: "platform-oracle", at: 1_000_000 }), prices.length)
      assert.notInclude(yield* unconverted, network)
      assert.strictEqual(yield* convert(network, { usd18: 1n, source: "another", at: 2_000_000 }), 0)
      const { charges } = (yield* row(
        `select jsonb_agg(native_wei::text order by created_at) as charges from charges where wallet = '${ledger.address}'`
      )) ?? {}
      assert.deepStrictEqual(charges, [...prices.map((usd) => nativeOf(usd, usd18).toString()), "9"])
    }))

  it.effect("lists a wallet's charges with their status, newest first, by network and time, in pages", () =>
    Effect.gen(function*() {
      const { book, list } = yield* ChargeStore
      const [one, other] = [yield* TestLedger.make, yield* TestLedger.make]
      for (const reference of ["order/1", "order/2", "order/3"]) {
        yield* book({ ...unpriced, nativeWei: 5n, wallet: one.address, network, reference })
        // Ids of the same millisecond sort by chance.
        yield* Effect.sleep("2 millis")
      }
      yield* book({ ...unpriced, wallet: other.address, network: "polygon", reference: "order/9" })
      const wallet = one.address
      const names = (query: Omit<Parameters<typeof list>[0], "wallet" | "limit"> & { readonly limit?: number }) =>
        Effect.map(list({ limit: 10, ...query, wallet }), (rows) => rows.map(({ reference }) => reference))
      assert.deepStrictEqual(yield* names({}), ["order/3", "order/2", "order/1"])
      assert.deepStrictEqual(yield* names({ network: "polygon" }), [])
      assert.deepStrictEqual(yield* names({ to: new Date(0) }), [])
      assert.deepStrictEqual(yield* names({ from: new Date(0), to: new Date(Date.now() + 60_000) }), [
        "order/3",
        "order/2",
        "order/1"
      ])
      const [first] = yield* list({ wallet, limit: 1 })
      assert.deepStrictEqual(yield* names({ before: first?.id }), ["order/2", "order/1"])
      const status = Effect.map(list({ wallet, limit: 10 }), (rows) => [...new Set(rows.map((each) => each.status))])
      assert.deepStrictEqual(yield* status, ["outstanding"])
      yield* one.claim()
      assert.deepStrictEqual(yield* status, ["settling"])
    }))
})
