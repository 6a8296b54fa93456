/** The list for display says what the decoded rows say. */
import * as SqlClient from "effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { ExchangeOrderStore } from "../../src/exchange/ExchangeOrderStore.ts"
import { ExchangeStore } from "../../src/exchange/ExchangeStore.ts"
import { ExecutionFailure, ValidationFailure } from "../../src/failure/Failure.ts"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { KeyLimitStore } from "../../src/gas-wallet/KeyLimitStore.ts"
import { KillSwitch } from "../../src/gas-wallet/KillSwitch.ts"
import { Failed, type Intent, Succeeded } from "../../src/intent/Intent.ts"
import type { NewIntent } from "../../src/intent/IntentInsert.ts"
import { IntentStore } from "../../src/intent/IntentStore.ts"
import { type IntentSummary, IntentSummaryStore } from "../../src/intent/IntentSummaryStore.ts"
import { TradeRequest } from "../../src/trading/Trading.ts"
import * as TestTurns from "../exchange/TestTurns.ts"
import { Database, freshAddress, wallet } from "../storage/Database.ts"

const Stores = ExchangeOrderStore.layer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      IntentStore.layer,
      IntentSummaryStore.layer,
      ApiKeyStore.layer,
      GasWalletStore.layer,
      ExchangeStore.layer,
      KeyLimitStore.layer,
      KillSwitch.layer
    )
  ),
  Layer.provideMerge(Database)
)

const hash = `0x${"ab".repeat(32)}` as const
const outcomes = [
  Succeeded.make({ txHash: hash, message: "Sold “1 USDC”.\n", result: { message: "of the result" } }),
  Failed.make({
    txHash: hash,
    failure: new ExecutionFailure({ errorType: "no_route", message: "It reverted: \u0001" })
  }),
  Failed.make({ txHash: null, failure: new ValidationFailure({ code: "1010", message: "amount: too small" }) })
]

/** Returns the entry of a decoded row. */
const expected = ({ outcome, ...intent }: Intent, hasExchangeOrders: boolean): IntentSummary => ({
  hasExchangeOrders,
  id: intent.id,
  endpoint: intent.endpoint,
  network: intent.network,
  pool: intent.pool,
  status: intent.status,
  txHash: intent.txHash,
  waiting: intent.waiting,
  message: outcome === null ? null : outcome._tag === "Succeeded" ? outcome.message : outcome.failure.message,
  createdAt: DateTime.toDateUtc(intent.createdAt),
  updatedAt: DateTime.toDateUtc(intent.updatedAt)
})

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("summaries of intents", (it) => {
  it.effect("say what the rows say in every state, page by page and by network and vault", () =>
    Effect.gen(function*() {
      const store = yield* IntentStore
      const summaries = yield* IntentSummaryStore
      const sql = yield* SqlClient.SqlClient
      const { address, keyId } = yield* wallet
      const pools = [yield* freshAddress, yield* freshAddress]
      const accept = (index: number) =>
        store.accept(
          {
            wallet: address,
            keyId,
            endpoint: index % 2 === 0 ? "vaultTrade" : "vaultApprove",
            network: index % 2 === 0 ? "base" : "polygon",
            pool: pools[index % 3 === 0 ? 0 : 1]!,
            request: TradeRequest.make({ from: "USDC", to: "WETH", share: 1 + index, slippage: 0.5, platform: "auto" }),
            idempotencyKey: `key ${index}`
          } satisfies NewIntent
        )
      const ids = yield* Effect.forEach(
        Array.from({ length: 9 }, (_, index) => index),
        (index) => Effect.map(accept(index), ({ id }) => id)
      )
      for (const [index, outcome] of outcomes.entries()) yield* store.finish(ids[index]!, outcome, Option.none())
      yield* store.noteWaiting(ids[4]!, "the cooldown ends in 3 s")
      yield* sql`update intents set status = 'submitted', tx_hash = ${hash} where id = ${ids[5]!}::uuid`
      const all = { wallet: address, network: undefined, pool: undefined, before: undefined, limit: 100 }
      const pages = [
        all,
        { ...all, limit: 4 },
        { ...all, limit: 4, before: [...ids].sort()[5]! },
        { ...all, network: "polygon" as const },
        { ...all, pool: pools[0]! },
        { ...all, network: "base" as const, pool: pools[1]!, limit: 2 },
        { ...all, wallet: yield* freshAddress }
      ]
      const rows = (yield* Effect.forEach([...ids].sort().reverse(), (id) => store.find(id))).flatMap(Option.toArray)
      assert.lengthOf(rows, 9)
      for (const page of pages) {
        const isListed = ({ id, network, pool, wallet }: Intent) =>
          wallet === page.wallet && network === (page.network ?? network) && pool === (page.pool ?? pool) &&
          (page.before === undefined || id < page.before)
        assert.deepStrictEqual(
          yield* summaries.list(page),
          rows.filter(isListed).slice(0, page.limit).map((each) => expected(each, false))
        )
      }
      const listed = yield* summaries.list(all)
      assert.lengthOf(listed, 9)
      assert.sameMembers(listed.flatMap(({ message }) => message ?? []), [
        "Sold “1 USDC”.\n",
        "It reverted: \u0001",
        "amount: too small"
      ])
      assert.deepStrictEqual(listed.flatMap(({ waiting }) => waiting ?? []), ["the cooldown ends in 3 s"])
      yield* TestTurns.accept(yield* TestTurns.account(address))
      assert.isTrue((yield* summaries.list(all)).every(({ hasExchangeOrders }) => hasExchangeOrders))
    }))
})
