import * as SqlClient from "effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Address } from "../../src/chain/Address.ts"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasLevelStore } from "../../src/gas-wallet/GasLevelStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { SubmissionStore } from "../../src/gas-wallet/SubmissionStore.ts"
import { VaultLinkStore } from "../../src/gas-wallet/VaultLinkStore.ts"
import { WebhookStore } from "../../src/webhook/WebhookStore.ts"
import { Database, freshAddress, row, wallet } from "../storage/Database.ts"

const Stores = Layer.provideMerge(
  Layer.mergeAll(
    GasLevelStore.layer,
    SubmissionStore.layer,
    VaultLinkStore.layer,
    WebhookStore.layer,
    GasWalletStore.layer,
    ApiKeyStore.layer
  ),
  Database
)

const dollars = (usd: number) => BigInt(usd) * 10n ** 18n
const refill = (funder: Address, to: Address, cap = 50) =>
  Effect.flatMap(
    GasLevelStore,
    (store) =>
      store.refill({ network: "base", wallet: to, funder, wei: 7n, usd18: dollars(20), maxUsd18PerDay: dollars(cap) })
  )

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("GasLevelStore", (it) => {
  it.effect("commits a transfer with its submission, for one of ten concurrent requests", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`delete from top_ups`
      const { address: funder } = yield* wallet
      const to = yield* freshAddress
      const refills = yield* Effect.all(Array.from({ length: 10 }, () => refill(funder, to)), {
        concurrency: "unbounded"
      })
      const [key, ...others] = refills.flatMap(Option.toArray)
      assert.deepStrictEqual(others, [])
      const submission = Option.getOrThrow(yield* (yield* SubmissionStore).find(key!))
      assert.deepInclude(submission, { wallet: funder, to, value: 7n, data: "0x", intentId: null, status: "queued" })
      assert.deepStrictEqual(yield* (yield* GasLevelStore).unsigned, [{ key: key!, network: "base", funder }])
    }))

  it.effect("does not refill a wallet while its transfer is pending, nor for ten minutes after it", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`delete from top_ups`
      const { address: funder } = yield* wallet
      const to = yield* freshAddress
      const key = Option.getOrThrow(yield* refill(funder, to))
      yield* sql`update top_ups set created_at = now() - interval '11 minutes'`
      assert.deepStrictEqual(yield* refill(funder, to), Option.none())
      yield* sql`update submissions set status = 'refused', failure = '{}' where key = ${key}`
      assert.isTrue(Option.isSome(yield* refill(funder, to)))
      yield* sql`update submissions set status = 'refused', failure = '{}' where key like '%/topup'`
      assert.deepStrictEqual(yield* refill(funder, to), Option.none())
    }))

  it.effect("applies the day's cap to all wallets together; a refused transfer does not count", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`delete from top_ups`
      const { address: funder } = yield* wallet
      const refills = yield* Effect.forEach(
        Array.from({ length: 5 }),
        () => Effect.flatMap(freshAddress, (to) => refill(funder, to)),
        { concurrency: "unbounded" }
      )
      const [key, ...others] = refills.flatMap(Option.toArray)
      assert.lengthOf(others, 1)
      yield* sql`update submissions set status = 'refused', failure = '{}' where key = ${key!}`
      assert.isTrue(Option.isSome(yield* refill(funder, yield* freshAddress)))
      assert.isTrue(Option.isNone(yield* refill(funder, yield* freshAddress)))
      assert.isTrue(Option.isSome(yield* refill(funder, yield* freshAddress, 60)))
    }))

  it.effect("reports low gas once, and again only after the wallet was full again", () =>
    Effect.gen(function*() {
      const store = yield* GasLevelStore
      const webhooks = yield* WebhookStore
      const { address } = yield* wallet
      const owner = { _tag: "wallet", wallet: address } as const
      yield* webhooks.put({
        owner,
        url: "https://hooks.example.com/",
        events: ["gas.low"],
        id: crypto.randomUUID(),
        ciphertext: "c"
      })
      for (const level of ["full", "low", "low", "between", "low", "full", "between", "low"] as const) {
        yield* store.seen({ network: "base", wallet: address, wei: 1n, level, told: { gasWallet: address } })
      }
      assert.lengthOf(yield* webhooks.deliveries(owner, null, 100), 2)
    }))

  it.effect("watches the wallets with a webhook for gas.low, on the networks where they are used", () =>
    Effect.gen(function*() {
      const store = yield* GasLevelStore
      const links = yield* VaultLinkStore
      const [one, other, silent] = [yield* wallet, yield* wallet, yield* wallet]
      const webhooks = yield* WebhookStore
      for (const { address } of [one, other]) {
        yield* webhooks.put({
          owner: { _tag: "wallet", wallet: address },
          url: "https://hooks.example.com/",
          events: ["gas.low"],
          id: crypto.randomUUID(),
          ciphertext: "c"
        })
      }
      yield* webhooks.put({
        owner: { _tag: "wallet", wallet: silent.address },
        url: "https://hooks.example.com/",
        events: ["intent.failed"],
        id: crypto.randomUUID(),
        ciphertext: "c"
      })
      for (const { address } of [one, silent]) {
        yield* links.link({ wallet: address, network: "base", pool: yield* freshAddress, protocol: "dhedge" })
      }
      const mine = (yield* store.listWatched(["base", "optimism"])).filter(({ wallet }) =>
        [one, other, silent].some(({ address }) => address === wallet)
      )
      assert.deepStrictEqual(mine, [{ network: "base", wallet: one.address }])
      assert.deepStrictEqual(yield* store.listWatched([]), [])
      assert.deepStrictEqual(
        yield* row("select count(*)::int as n from gas_levels where wallet not in (select address from gas_wallets)"),
        { n: 0 }
      )
    }))
})
