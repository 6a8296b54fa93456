import { assert, layer } from "@effect/vitest"
import * as BigDecimal from "effect/BigDecimal"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as SqlClient from "effect/sql/SqlClient"
import * as Audit from "../../src/audit/Audit.ts"
import type { Address } from "../../src/chain/Address.ts"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { KillSwitch } from "../../src/gas-wallet/KillSwitch.ts"
import { BotTurnStore } from "../../src/intent/BotTurnStore.ts"
import { IntentStore } from "../../src/intent/IntentStore.ts"
import { SignalAcceptance, type Step } from "../../src/intent/SignalAcceptance.ts"
import { maxBody, type NewSignal } from "../../src/signal/Signal.ts"
import { SignalStore } from "../../src/signal/SignalStore.ts"
import { understand } from "../../src/signal/Understanding.ts"
import { RetentionStore } from "../../src/storage/RetentionStore.ts"
import * as Uuid from "../../src/storage/Uuid.ts"
import type { BotTerms } from "../../src/threshold-bot/ThresholdBot.ts"
import type { Setting } from "../../src/threshold-bot/SettingRows.ts"
import { ThresholdBotStore } from "../../src/threshold-bot/ThresholdBotStore.ts"
import { WaitingSettings } from "../../src/threshold-bot/WaitingSettings.ts"
import { Database, freshAddress, row, wallet } from "../storage/Database.ts"

const Stores = SignalAcceptance.layer.pipe(
  Layer.provideMerge(BotTurnStore.layer),
  Layer.provideMerge(Layer.mergeAll(
    ...[ThresholdBotStore.layer, WaitingSettings.layer, IntentStore.layer, KillSwitch.layer] as const,
    ...[SignalStore.layer, RetentionStore.layer, GasWalletStore.layer, ApiKeyStore.layer] as const
  )),
  Layer.provideMerge(Database)
)

const terms: BotTerms = {
  ...{ base: "WETH", quote: "USDC", side: "long", threshold: 1, share: 100, maxUsd: BigDecimal.make(1_000n, 0) },
  ...{ slippage: 1, platform: "auto", lending: false, autoEnable: false, maxImpact: null, paper: false }
}

const signalOf = (owner: Address, more: Partial<NewSignal> = {}) =>
  Effect.map(Uuid.v7, (id): NewSignal => ({
    ...{ id, source: "alert", wallet: owner, token: null, origin: "192.0.2.1", mediaType: null, body: "long" },
    understood: {
      ...{ side: "long", percent: null, price: null, timestamp: null },
      ...{ placeholders: [], unknown_words: [] }
    },
    replayOf: null,
    ...more
  }))

/** A wallet, and the setting of its bot in a new vault. */
const scene = Effect.gen(function*() {
  const { address, keyId } = yield* wallet
  const pool = yield* freshAddress
  const setting: Setting = {
    ...terms,
    ...{ network: "base", pool, pair: "WETH-USDC", inverse: null, wallet: address, keyId },
    ...{ base: `0x${"1".repeat(40)}`, quote: `0x${"2".repeat(40)}` }
  }
  const set = (side: Setting["side"], more: Partial<Setting> = {}): Step => ({
    ...{ _tag: "set", key: null, isOwn: false },
    setting: { ...setting, side, ...more }
  })
  const wait: Step = {
    _tag: "wait",
    setting: {
      ...{ network: "base", pool, wallet: address, keyId, terms, idempotencyKey: null, token: null, validUntil: null }
    }
  }
  const { accept } = yield* SignalAcceptance
  const signals = yield* SignalStore
  const found = (id: string) => Effect.flatMap(signals.find(address, id), Effect.fromOption)
  const send = (steps: ReadonlyArray<Step>, more: Partial<NewSignal> = {}) =>
    Effect.gen(function*() {
      const signal = yield* signalOf(address, more)
      yield* accept(signal, steps)
      return signal.id
    })
  return { address, keyId, pool, setting, set, wait, accept, found, send }
})

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("the acceptance of signals", (it) => {
  it.effect("gives each signal its place in the order in which the bot was set, however they arrive", () =>
    Effect.gen(function*() {
      const { found, pool, send, set } = yield* scene
      const ids = yield* Effect.forEach(
        Array.from({ length: 12 }, (_, index) => index % 2 === 0 ? "long" as const : "neutral" as const),
        (side) => Effect.map(send([set(side)]), (id) => [id, side] as const),
        { concurrency: "unbounded" }
      )
      const all = yield* Effect.forEach(
        ids,
        ([id, side]) => Effect.map(found(id), (signal) => ({ seq: signal.seq, side, state: signal.state }))
      )
      const last = all.reduce((one, other) => one.seq > other.seq ? one : other)
      assert.deepStrictEqual(yield* row(`select side from threshold_bots where pool = '${pool}'`), { side: last.side })
      assert.isTrue(all.every(({ state }) => state === "accepted" || state === "ignored"))
    }))

  it.effect("records what a body cannot be stored as, and no credential among the words that were not understood", () =>
    Effect.gen(function*() {
      const { found, send } = yield* scene
      const key = "0f".repeat(32)
      const body = `buy \0 \ud800 ${key}`
      const { understood } = understand({ body, mediaType: "text/plain", query: "" })
      const signal = yield* found(yield* send([], { body, understood, mediaType: "text/\0plain" }))
      assert.notInclude(JSON.stringify([signal.body, signal.understood, signal.mediaType]), key.slice(0, 32))
      assert.deepStrictEqual(signal.body, "buy \ufffd \ufffd [redacted]")
      assert.include(signal.understood.unknown_words, "[redacted]")
    }))

  it.effect("leaves nothing of a step that is refused, and the others as they are", () =>
    Effect.gen(function*() {
      const { accept, address, pool, set } = yield* scene
      const other = yield* freshAddress
      yield* accept(yield* signalOf(address), [{ ...set("long"), key: "taken" } as Step])
      const signal = yield* signalOf(address)
      // The key names the turn of another bot.
      const results = yield* accept(signal, [
        { ...set("neutral", { pool: other }), key: "taken" } as Step,
        set("neutral")
      ])
      assert.deepStrictEqual(results.map(({ result }) => result.state), ["refused", "accepted"])
      assert.match(results[0]?.refusal?.message ?? "", /idempotency_key/)
      assert.isUndefined(yield* row(`select 1 from threshold_bots where pool = '${other}'`))
      assert.deepStrictEqual(yield* row(`select side from threshold_bots where pool = '${pool}'`), { side: "neutral" })
    }))

  it.effect("accepts signals that arrive together in one transaction, each as its own caller's change", () =>
    Effect.gen(function*() {
      const { accept, address, set } = yield* scene
      const pools = yield* Effect.replicateEffect(freshAddress, 6)
      const all = yield* Effect.forEach(pools, (pool, index) =>
        Effect.gen(function*() {
          const signal = yield* signalOf(address)
          const [accepted] = yield* Audit.by({ kind: "key", id: `caller ${index}`, from: null, credential: null })(
            accept(signal, [set("long", { pool })])
          )
          return { id: signal.id, intent: accepted?.set?.intentId, state: accepted?.result.state }
        }), { concurrency: "unbounded" })
      assert.isTrue(all.every(({ state }) => state === "accepted"))
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ readonly actor: string; readonly intent: string; readonly pool: string }>`
        select e.actor, r.intent_id as intent, r.pool from signals s
        join signal_results r on r.signal = s.id
        join threshold_bots b on b.pool = r.pool and b.open_intent = r.intent_id
        join audit_entries e on e.subject = b.id::text
        where s.wallet = ${address} order by e.actor`
      assert.deepStrictEqual(
        rows.map(({ actor, intent, pool }) => [actor, intent, pool]),
        pools.map((pool, index) => [`caller ${index}`, all[index]?.intent, pool])
      )
      const transactions = yield* sql`select distinct xmin::text from signals where wallet = ${address}`
      assert.isBelow(transactions.length, pools.length)
    }))

  it.effect("accepts the others when one of those that arrive together is refused", () =>
    Effect.gen(function*() {
      const { accept, address, found, pool, set } = yield* scene
      yield* accept(yield* signalOf(address), [{ ...set("long"), key: "taken" } as Step])
      const [refused, moved, ...others] = yield* Effect.replicateEffect(freshAddress, 5)
      const own = (step: Step) => ({ ...step, isOwn: true } as Step)
      const steps = [
        { ...set("neutral", { pool: refused! }), key: "taken" } as Step,
        own(set("neutral", { pool: moved! })),
        own(set("neutral")),
        ...others.map((other) => set("long", { pool: other }))
      ]
      const signals = yield* Effect.forEach(steps, () => signalOf(address))
      const all = yield* Effect.forEach(
        steps,
        (step, index) => Effect.result(accept(signals[index]!, [step])),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        all.map((each) => Result.isSuccess(each) ? each.success[0]?.result.state : each.failure._tag),
        ["refused", "BotMoved", "accepted", "accepted", "accepted", "accepted"]
      )
      assert.match((yield* found(signals[0]!.id)).results[0]?.reason ?? "", /idempotency_key/)
      assert.isUndefined(yield* row(`select 1 from threshold_bots where pool in ('${refused}', '${moved}')`))
      assert.isUndefined(yield* row(`select 1 from signals where id = '${signals[1]!.id}'`))
      assert.deepStrictEqual(yield* row(`select side from threshold_bots where pool = '${pool}'`), { side: "neutral" })
    }))

  it.effect("withdraws the turns with other terms of bots that are set together, and follows those with the same", () =>
    Effect.gen(function*() {
      const { accept, address, set } = yield* scene
      const intents = yield* IntentStore
      const pools = yield* Effect.replicateEffect(freshAddress, 6)
      const send = (sideOf: (index: number) => Setting["side"]) =>
        Effect.forEach(pools, (pool, index) =>
          Effect.gen(function*() {
            const [accepted] = yield* accept(yield* signalOf(address), [set(sideOf(index), { pool })])
            return { state: accepted?.result.state, intentId: accepted?.set?.intentId ?? "" }
          }), { concurrency: "unbounded" })
      const before = yield* send(() => "long")
      const after = yield* send((index) => index % 2 === 0 ? "long" : "neutral")
      assert.deepStrictEqual(
        after.map(({ state }) => state),
        pools.map((_, index) => index % 2 === 0 ? "ignored" : "accepted")
      )
      for (const [index, { intentId }] of before.entries()) {
        const earlier = yield* Effect.flatMap(intents.findInProgress(intentId), Effect.fromOption)
        assert.strictEqual(earlier.withdrawn?._tag, index % 2 === 0 ? undefined : "Failed")
        assert.strictEqual(after[index]?.intentId === intentId, index % 2 === 0)
        assert.deepStrictEqual(
          yield* row(`select side, open_intent from threshold_bots where pool = '${pools[index]}'`),
          { side: index % 2 === 0 ? "long" : "neutral", open_intent: after[index]?.intentId }
        )
      }
    }))

  it.effect("keeps a body whose end is cut in the middle of a character", () =>
    Effect.gen(function*() {
      const { found, send } = yield* scene
      const signal = yield* found(yield* send([], { body: `${"z".repeat(maxBody - 1)}😀` }))
      assert.strictEqual(signal.body, `${"z".repeat(maxBody - 1)}\ufffd`)
    }))

  it.effect("lets no bot that another transaction holds keep the others waiting", () =>
    Effect.gen(function*() {
      const { accept, address, pool, set } = yield* scene
      yield* accept(yield* signalOf(address), [set("long")])
      const others = yield* Effect.replicateEffect(freshAddress, 3)
      const sql = yield* SqlClient.SqlClient
      const held = yield* Deferred.make<void>()
      const release = yield* Deferred.make<void>()
      const holder = yield* Effect.forkChild(sql.withTransaction(
        sql`select 1 from threshold_bots where pool = ${pool} for update`.pipe(
          Effect.andThen(Deferred.succeed(held, undefined)),
          Effect.andThen(Deferred.await(release))
        )
      ))
      yield* Deferred.await(held)
      const steps = [set("neutral"), ...others.map((other) => set("long", { pool: other }))]
      const [waiting, ...free] = yield* Effect.forEach(steps, (step) =>
        Effect.flatMap(signalOf(address), (signal) =>
          Effect.forkChild(accept(signal, [step]), { startImmediately: true })))
      const accepted = yield* Effect.forEach(free, Fiber.join)
      assert.deepStrictEqual(
        accepted.map(([each]) =>
          String(each?.result.state)
        ),
        ["accepted", "accepted", "accepted"]
      )
      assert.deepStrictEqual(yield* row(`select side from threshold_bots where pool = '${pool}'`), { side: "long" })
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.join(holder)
      const [last] = yield* Fiber.join(waiting!)
      assert.strictEqual(last?.result.state, "accepted")
      assert.deepStrictEqual(yield* row(`select side from threshold_bots where pool = '${pool}'`), { side: "neutral" })
    }))

  it.effect("says of a setting that waited whether it was applied, refused, or replaced by a later one", () =>
    Effect.gen(function*() {
      const { found, pool, send, setting, wait } = yield* scene
      const waiting = yield* WaitingSettings
      const turns = yield* BotTurnStore
      const first = yield* send([wait])
      assert.strictEqual((yield* found(first)).state, "waiting")
      const second = yield* send([wait])
      const replaced = yield* found(first)
      assert.strictEqual(replaced.state, "refused")
      assert.match(replaced.results[0]?.reason ?? "", /^Another setting took its place/)
      const id = () => Effect.map(waiting.ofVault("base", pool), ([kept]) => kept?.id ?? "")
      const set = yield* Effect.flatMap(turns.setWaiting(yield* id(), setting, null), Effect.fromOption)
      const applied = yield* found(second)
      assert.deepStrictEqual(
        [applied.state, applied.results[0]?.intent_id, applied.results[0]?.intent_status],
        ["accepted", set.intentId, "pending"]
      )
      const third = yield* send([wait])
      yield* waiting.refuse(yield* id(), "1006: not the trader")
      assert.deepInclude((yield* found(third)).results[0], { state: "refused", reason: "1006: not the trader" })
    }))

  it.effect("replays a signal once, also when it is asked to twice at the same moment", () =>
    Effect.gen(function*() {
      const { accept, address, found, pool, send, set } = yield* scene
      const original = yield* send([{
        _tag: "decided",
        result: {
          ...{ kind: "threshold", network: "base", pool, subaccount: null, pair: "WETH-USDC", side: "long" },
          ...{ state: "refused", reason: "muted", intent_id: null }
        }
      }])
      const replay = Effect.flatMap(signalOf(address, { source: "replay", replayOf: original }), (signal) =>
        Effect.result(accept(signal, [set("long")])))
      const all = yield* Effect.all([replay, replay, replay], { concurrency: "unbounded" })
      assert.strictEqual(
        all.filter(({ _tag }) =>
          _tag === "Success"
        ).length,
        1
      )
      assert.isNotNull((yield* found(original)).replayedBy)
      assert.deepStrictEqual(
        yield* row(`select count(*)::int as n from signals where replay_of = '${original}'`),
        { n: 1 }
      )
    }))

  it.effect("are removed in pages after their time, except those that wait", () =>
    Effect.gen(function*() {
      const { address, send, wait } = yield* scene
      const sql = yield* SqlClient.SqlClient
      const retention = yield* RetentionStore
      const kept = yield* send([wait])
      yield* sql`insert into signals (id, source, wallet, body, body_length, understood, state)
        select (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000')::uuid, 'alert', ${address}, '', 0, '{}',
          case when n = 1 then 'waiting' else 'refused' end
        from generate_series(1, 450) n`
      const first = yield* retention.signals(30, null)
      assert.strictEqual(first.removed, 200)
      const second = yield* retention.signals(30, first.next)
      const third = yield* retention.signals(30, second.next)
      assert.deepStrictEqual([second.removed, third.removed, third.next], [200, 49, null])
      assert.isTrue(Option.isSome(yield* (yield* SignalStore).find(address, kept)))
      assert.deepStrictEqual(
        yield* row(`select count(*)::int as n from signals where body_length = 0 and wallet = '${address}'`),
        { n: 1 }
      )
    }))
})

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("results at exchange bots", (it) => {
  it.effect("that wait since a crash are found once no server waits for them, with the order that was made", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const signals = yield* SignalStore
      const { address } = yield* wallet
      const waiting = {
        ...{ kind: "exchange" as const, network: null, pool: null, subaccount: "one", pair: "BTC-USDT" },
        ...{ side: "long" as const, state: "waiting" as const, reason: "Its account has not answered yet." },
        intent_id: null
      }
      const recorded = (seconds: number) =>
        Effect.gen(function*() {
          const signal = yield* signalOf(address)
          yield* signals.record(signal, [waiting])
          yield* sql`update signals set received_at = now() - make_interval(secs => ${seconds}) where id = ${signal.id}`
          return signal.id
        })
      const [fresh, made, early, lost] = [
        ...[yield* recorded(5), yield* recorded(130), yield* recorded(130), yield* recorded(700)]
      ] as [string, string, string, string]
      const order = yield* Uuid.v7
      yield* sql`insert into idempotency_keys (wallet, key, id)
        values (${address}, ${`signal/${made}/0`}, ${order})`
      const found = (yield* signals.unanswered).filter(({ signal }) => [fresh, made, early, lost].includes(signal))
      assert.deepStrictEqual(
        found.map(({ request, signal }) => [signal, request]),
        [[made, order], [lost, null]]
      )
      yield* signals.settle({ signal: made, position: 0 }, { state: "accepted", reason: null, intentId: order })
      assert.strictEqual(Option.getOrThrow(yield* signals.find(address, made)).state, "accepted")
      assert.isFalse((yield* signals.unanswered).some(({ signal }) => signal === made))
    }))
})
