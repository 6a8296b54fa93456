import * as SqlClient from "effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { ExecutionFailure } from "../../src/failure/Failure.ts"
import { ExchangeOrderStore } from "../../src/exchange/ExchangeOrderStore.ts"
import { ExchangeStore } from "../../src/exchange/ExchangeStore.ts"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { KeyLimits } from "../../src/gas-wallet/KeyLimits.ts"
import { KeyLimitStore } from "../../src/gas-wallet/KeyLimitStore.ts"
import { KillSwitch } from "../../src/gas-wallet/KillSwitch.ts"
import { walletScope } from "../../src/gas-wallet/SwitchScope.ts"
import type { NewIntent } from "../../src/intent/IntentInsert.ts"
import { IntentStore } from "../../src/intent/IntentStore.ts"
import { KeyTaken } from "../../src/storage/IdempotencyKeys.ts"
import { RetentionStore } from "../../src/storage/RetentionStore.ts"
import { TradeRequest } from "../../src/trading/Trading.ts"
import { Database, freshAddress, wallet } from "../storage/Database.ts"
import { accept, account, decide } from "./TestTurns.ts"

const Stores = ExchangeOrderStore.layer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      ExchangeStore.layer,
      KeyLimitStore.layer,
      KillSwitch.layer,
      IntentStore.layer,
      ApiKeyStore.layer,
      GasWalletStore.layer,
      RetentionStore.layer
    )
  ),
  Layer.provideMerge(Database)
)

const usd = (dollars: number) => BigInt(dollars) * 10n ** 18n
const big = BigDecimal.fromStringUnsafe
const trade = TradeRequest.make({ from: "USDC", to: "WETH", share: 50, slippage: 0.5, platform: "auto" })

const newIntent = (
  by: { readonly address: NewIntent["wallet"]; readonly keyId: string },
  idempotencyKey: string | null = null
) =>
  Effect.map(
    freshAddress,
    (pool): NewIntent => ({
      wallet: by.address,
      keyId: by.keyId,
      endpoint: "vaultTrade",
      network: "base",
      pool,
      request: trade,
      idempotencyKey
    })
  )

/** Creates a wallet with a limit of 100 USD a day, which also trades on a chain. */
const limited = Effect.gen(function*() {
  const by = yield* wallet
  const limits = yield* KeyLimitStore
  yield* limits.change(by.address, (now) => KeyLimits.make({ ...now, maxUsd18PerDay: usd(100) }))
  const plan = (dollars: number) =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* (yield* IntentStore).accept(yield* newIntent(by))
      yield* sql.withTransaction(limits.reserve({ intentId: id, wallet: by.address, vaults: [], usd18: usd(dollars) }))
      return id
    })
  return { by, limits, plan }
})

const refusedAs = (result: Result.Result<unknown, unknown>, saying: RegExp) => {
  const failure = Result.getOrThrowWith(Result.flip(result), () => new Error("was not refused"))
  assert.instanceOf(failure, ExecutionFailure)
  assert.strictEqual(failure.errorType, "limit_exceeded")
  assert.match(failure.message, saying)
}

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })(
  "orders at exchanges and a wallet's limits",
  (it) => {
    it.effect("of an exit: a bracket's trigger is committed once, counts its own sales, and goes when the bot is set again", () =>
      Effect.gen(function*() {
        const store = yield* ExchangeStore
        const { account: made, bot } = yield* account((yield* wallet).address)
        const { accountId, id, maxUsd, pair, share, side, strategy, symbol } = bot
        const setting = { accountId, maxUsd, pair, share, side, strategy, symbol, takeProfit: 10 }
        const set = store.setBot(setting)
        const watched = yield* set
        assert.strictEqual(watched.id, id)
        assert.deepStrictEqual([watched.revision, watched.takeProfit, watched.stopLoss], [1, 10, null])
        assert.strictEqual((yield* set).revision, 1)
        const exit = {
          ...{ condition: "take_profit", entry: "50000", price: "55000", amount: "0.1" } as const,
          at: "2026-01-01T00:00:00.000Z"
        }
        const begun = Option.getOrThrow(yield* store.beginExit(watched, exit))
        assert.deepInclude(begun, { side: "neutral", revision: 2, exit: { ...exit, revision: 2, ended: false } })
        assert.isTrue(Option.isNone(yield* store.beginExit(watched, exit)))
        assert.isTrue(Option.isNone(yield* store.beginExit(begun, exit)))
        // The chart's own exit, while the position is being closed, changes nothing; after it, it is a new setting.
        const neutral = store.setBot({ ...setting, side: "neutral" })
        assert.isFalse((yield* neutral).exit?.ended)
        yield* store.endExit(begun)
        assert.isTrue((yield* store.bots(made.id))[0]?.exit?.ended)
        const { exit: none, revision } = yield* neutral
        assert.isNull(none)
        assert.strictEqual(revision, 3)
      }))

    it.effect("share one daily limit with the wallet's sales on chains, each counted by the most it can still sell", () =>
      Effect.gen(function*() {
        const store = yield* ExchangeOrderStore
        const { by, limits, plan } = yield* limited
        const turn = yield* account(by.address)
        const planned = yield* plan(60)
        refusedAs(
          yield* Effect.result(decide(turn, 50)),
          /100 USD a day \(UTC\), of which 40 USD are left today, and the request is worth 50 USD/
        )
        const order = yield* decide(turn, 40)
        refusedAs(yield* Effect.result(plan(1)), /of which 0 USD are left today/)
        const [limitUse] = yield* limits.findPlanned(by.address, [planned])
        assert.strictEqual(limitUse?.others, usd(40))

        // Half of the order is filled.
        assert.isTrue(Option.isSome(yield* store.sending(order.id)))
        assert.strictEqual(yield* limits.usedToday(by.address), usd(100))
        yield* store.close(order.id, {
          exchangeOrderId: "1",
          filled: big("0.5"),
          cost: big("20"),
          fees: null,
          message: "Bought 0.5.",
          chargeUsd: null
        })
        assert.strictEqual(yield* limits.usedToday(by.address), usd(80))

        // A lost order sold nothing.
        const lost = yield* decide(turn, 20)
        yield* store.sending(lost.id)
        yield* store.end(lost.id, { status: "lost", message: "It did not arrive." })
        yield* plan(20)
        refusedAs(yield* Effect.result(decide(turn, 1)), /of which 0 USD are left today/)
      }))

    it.effect("admit only one of several concurrent requests, on chains and at exchanges", () =>
      Effect.gen(function*() {
        const { by, limits, plan } = yield* limited
        const turns = yield* Effect.forEach(["a", "b", "c", "d"], (name) => account(by.address, name))
        const requests = [
          ...turns.map((turn) => Effect.result(decide(turn, 60))),
          ...turns.map(() => Effect.result(plan(60)))
        ]
        const results: ReadonlyArray<Result.Result<unknown, unknown>> = yield* Effect.all<
          ReadonlyArray<typeof requests[number]>,
          { concurrency: "unbounded" }
        >(requests, { concurrency: "unbounded" })
        assert.lengthOf(results.filter(Result.isSuccess), 1)
        for (const refused of results.filter(Result.isFailure)) refusedAs(refused, /of which 40 USD are left today/)
        assert.strictEqual(yield* limits.usedToday(by.address), usd(60))
      }))

    it.effect("are checked again when an order is sent, as is the kill switch; it can be withdrawn until then", () =>
      Effect.gen(function*() {
        const store = yield* ExchangeOrderStore
        const switches = yield* KillSwitch
        const { by, limits } = yield* limited
        const order = yield* decide(yield* account(by.address), 50)
        yield* switches.pause(walletScope(by.address), "audit")
        assert.isTrue(Option.isNone(yield* store.sending(order.id)))
        yield* switches.resume(walletScope(by.address))
        yield* limits.change(by.address, (now) => KeyLimits.make({ ...now, maxUsd18PerTrade: usd(10) }))
        refusedAs(yield* Effect.result(store.sending(order.id)), /may sell 10 USD at a time/)
        yield* limits.change(by.address, (now) => KeyLimits.make({ ...now, maxUsd18PerTrade: null }))
        assert.isTrue(Option.isSome(yield* store.sending(order.id)))
        assert.isFalse(yield* store.withdraw(order.id, { errorType: "paused", message: "Too late." }))

        const other = yield* decide(yield* account(by.address, "other"), 50)
        assert.isTrue(yield* store.withdraw(other.id, { errorType: "paused", message: "Nothing was sent." }))
        assert.isTrue(Option.isNone(yield* store.sending(other.id)))
        assert.strictEqual(yield* limits.usedToday(by.address), usd(50))
      }))
  }
)

const takenBy = (failure: unknown) => failure instanceof KeyTaken ? failure.id : undefined

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("an idempotency key", (it) => {
  it.effect("names one request, on a chain or at an exchange", () =>
    Effect.gen(function*() {
      const intents = yield* IntentStore
      const by = yield* wallet
      const turn = yield* account(by.address)
      const intent = yield* newIntent(by, "one")
      const { id } = yield* intents.accept(intent)
      assert.strictEqual(takenBy(yield* Effect.flip(accept(turn, "one"))), id)
      assert.deepInclude(
        Option.getOrThrow(yield* (yield* ExchangeOrderStore).findByIdempotencyKey(by.address, "one")),
        {
          id,
          request: null
        }
      )
      assert.deepStrictEqual(yield* intents.accept(intent), { _tag: "accepted", id })

      const order = yield* accept(turn, "two")
      assert.deepStrictEqual(yield* intents.accept({ ...intent, idempotencyKey: "two" }), {
        _tag: "conflict",
        id: order.id
      })
      assert.deepStrictEqual(
        yield* intents.findAccepted({ ...intent, idempotencyKey: "two" }),
        Option.some({ _tag: "conflict", id: order.id } as const)
      )
      // Another wallet can use the same key.
      const other = yield* wallet
      assert.strictEqual((yield* intents.accept(yield* newIntent(other, "two")))._tag, "accepted")
    }))

  it.effect("is taken by one of several concurrent requests, and names that one to the others", () =>
    Effect.gen(function*() {
      const intents = yield* IntentStore
      const by = yield* wallet
      const turns = yield* Effect.forEach(["a", "b", "c", "d", "e"], (name) => account(by.address, name))
      const requests = [
        ...turns.map((turn) =>
          Effect.match(accept(turn, "race"), {
            onFailure: (failure) => ({ won: false, id: failure._tag === "KeyTaken" ? failure.id : failure.message }),
            onSuccess: ({ id }) => ({ won: true, id })
          })
        ),
        ...turns.map(() =>
          Effect.map(
            Effect.flatMap(newIntent(by, "race"), intents.accept),
            ({ _tag, id }) => ({ won: _tag === "accepted", id })
          )
        )
      ]
      const results = yield* Effect.all(requests, { concurrency: "unbounded" })
      assert.lengthOf(results.filter(({ won }) => won), 1)
      assert.lengthOf([...new Set(results.map(({ id }) => id))], 1)
    }))

  it.effect("is free again days after its request has ended", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const store = yield* ExchangeOrderStore
      const retention = yield* RetentionStore
      const by = yield* wallet
      const [over, open] = [yield* account(by.address, "over"), yield* account(by.address, "open")]
      const ended = yield* accept(over, "ended")
      const standing = yield* accept(open, "standing")
      yield* store.end(ended.id, { status: "held", message: "Nothing to do." })
      yield* sql`update exchange_orders set created_at = now() - interval '8 days' where id in ${
        sql.in([ended.id, standing.id])
      }`
      assert.strictEqual(yield* retention.otherKeys, 1)
      assert.strictEqual((yield* (yield* IntentStore).accept(yield* newIntent(by, "ended")))._tag, "accepted")
      assert.strictEqual(takenBy(yield* Effect.flip(accept(over, "standing"))), standing.id)
    }))
})
