/**
 * Ten virtual days of orders, guardians and signals with twenty kills at arbitrary moments. Every eight hours a price,
 * orders, cancellations and alerts come. The same ten days are lived without a kill: the books are the same, also the
 * number of slices of each order and the sum that they sold. A slice may revert in one of the two lives only, because
 * it is sent at another moment; the order's later slices then sell its part.
 * `SIMULATED_DAYS=3 SIMULATED_SEED=7` change the length and the choices.
 */
import { assert, layer } from "@effect/vitest"
import * as SeededRandom from "@vault-trader/app/SeededRandom"
import * as Effect from "effect/Effect"
import { VaultTraderTest } from "../../src/VaultTraderTest.ts"

type Fields = Readonly<Record<string, unknown>>
type Params = Readonly<Record<string, string | number | boolean>>

const days = Number(process.env["SIMULATED_DAYS"] ?? 10)
const seed = Number(process.env["SIMULATED_SEED"] ?? 1)
const rounds = 3 * days
const kills = 2 * days

/** Statements at which the service is killed: between trigger, slice or action, intent, signature and outcome. */
const statements = [
  /update vault_orders/,
  /insert into vault_order_slices/,
  /insert into vault_order_events/,
  /update vault_guardians/,
  /insert into vault_guardian_actions/,
  /insert into intents/,
  /update intents/,
  /insert into submissions/,
  /insert into attempts/,
  /update submissions/,
  /insert into charges/
] as const
/** Matches no statement: between two advances a kill point that was not reached is taken away. */
const never = /(?!)/

/** Draws an order of a round at a price. Its amounts are fixed, so that its books do not depend on the moment. */
const drawOrder = (chance: SeededRandom.SeededRandom, price: number): Params => {
  const away = 0.005 + chance.next() * 0.04
  const [above, below] = [(price * (1 + away)).toFixed(2), (price * (1 - away)).toFixed(2)]
  return chance.one<Params>([
    { type: "limit", side: "sell", amount: 0.5, limit_price: above },
    { type: "limit", side: "buy", amount: 1000, limit_price: below },
    { type: "stop_loss", side: "sell", amount: 0.5, stop_price: below },
    { type: "take_profit", side: "sell", amount: 0.5, take_profit_price: above },
    { type: "bracket", side: "sell", amount: 0.5, stop_price: below, take_profit_price: above },
    { type: "trailing_stop", side: "sell", amount: 0.5, trail_percent: 3 },
    { type: "twap", side: "buy", amount: 2000, duration: "2d", slices: 6, max_impact: 3 },
    { type: "dca", side: "buy", amount: 200, interval: "16h", slices: 3, catch_up: chance.happens(0.5) },
    { type: "iceberg", side: "sell", amount: 1, max_impact: 2 }
  ])
}

/** The vaults, and what a round does and reads. */
const made = Effect.gen(function*() {
  const service = yield* VaultTraderTest
  const { call, setPrice, transactionCount, vault } = service
  yield* setPrice("WETH", 3000)
  const [traded, signalled, guarded] = [
    yield* vault({ WETH: "1000", USDC: "3000000" }),
    yield* vault({ WETH: "1", USDC: "3000" }),
    yield* vault({ WETH: "1", USDC: "3000" })
  ]
  const aboutOf = ({ apiKey, network, pool }: typeof traded) => ({ apiKey, network, pool })
  const pair = { pair: "WETH-USDC" }
  for (const each of [signalled, guarded]) {
    yield* call("setBot", { ...aboutOf(each), ...pair, side: "long", slippage: 3 })
  }
  yield* call("setGuardian", {
    ...{ ...aboutOf(guarded), kind: "loss_breaker", max_daily_loss: 6, close_into: "USDC", slippage: 3 }
  })
  const { path } = yield* call("createWebhookToken", { ...aboutOf(signalled), ...pair })
  return {
    service,
    sent: Effect.all([traded, signalled, guarded].map(({ wallet }) => transactionCount(wallet))),
    place: (params: Params) =>
      Effect.map(
        call("placeOrder", { ...aboutOf(traded), ...pair, slippage: 3, expires_in: "4d", ...params }),
        ({ data }) => String((data as Fields)["id"])
      ),
    cancel: (order: string) =>
      Effect.map(
        call("cancelOrder", { ...aboutOf(traded), order }),
        ({ orders }) => String((orders as ReadonlyArray<Fields>)[0]?.["state"])
      ),
    order: (order: string) =>
      Effect.map(call("getOrder", { apiKey: traded.apiKey, order }), ({ data, events, slices }) => ({
        ...data as Readonly<Record<"state" | "type" | "reason", string>> & { readonly trigger: Fields | null },
        sold: String((data as Readonly<Record<string, Fields>>)["sold"]?.["amount"]),
        bought: String((data as Readonly<Record<string, Fields>>)["bought"]?.["amount"]),
        history: (events as ReadonlyArray<Fields>).map(({ kind }) => String(kind)).toReversed(),
        slices: slices as ReadonlyArray<Fields>
      })),
    alert: (side: string) => call(String(path).slice(1), { side }),
    signals: Effect.map(
      call("getSignals", { ...aboutOf(signalled), limit: 100 }),
      ({ signals }) => signals as ReadonlyArray<Fields>
    ),
    side: Effect.map(
      call("getBotStatus", aboutOf(signalled)),
      ({ data }) => ((data as Fields)["bots"] as ReadonlyArray<Fields>)[0]?.["side"]
    ),
    breaker: Effect.map(call("getGuardians", aboutOf(guarded)), ({ guardians }) => {
      const [found] = guardians as ReadonlyArray<Readonly<Record<"actions" | "events", ReadonlyArray<Fields>>>>
      return {
        state: String((found as unknown as { readonly data: Fields }).data["state"]),
        actions: found?.actions ?? [],
        history: (found?.events ?? []).map(({ kind }) => String(kind)).toReversed()
      }
    }),
    rearm: Effect.gen(function*() {
      yield* call("resetGuardian", { ...aboutOf(guarded), kind: "loss_breaker" })
      yield* call("resumeBot", aboutOf(guarded))
    }),
    intents: Effect.forEach([traded, signalled, guarded], (each) =>
      Effect.gen(function*() {
        const all: Array<Fields> = []
        let cursor: string | null = null
        do {
          const page: Fields = yield* call("getIntents", {
            ...{ ...aboutOf(each), limit: 100 },
            ...(cursor === null ? {} : { cursor })
          })
          all.push(...page["intents"] as ReadonlyArray<Fields>)
          cursor = page["cursor"] as string | null
        } while (cursor !== null)
        return all
      }))
  }
})

/** The states of the orders that were seen while they lived. */
interface Seen {
  readonly placed: Array<string>
  /** Orders that were triggered at some round's end. */
  readonly triggered: Set<string>
  /** The number of slices when `cancelled` was answered, by order. */
  readonly cancelled: Map<string, number>
}

/** Kills the service once during an advance: at a moment, or at a statement; half of the kills leave a wrong clock. */
const killWithin = (chance: SeededRandom.SeededRandom) =>
  Effect.gen(function*() {
    const { advance, killAt, kills: count, restart } = yield* VaultTraderTest
    const before = yield* count
    yield* killAt({ statement: chance.one(statements), when: chance.happens(0.5) ? "before" : "after" })
    yield* advance(`${2 + chance.below(14)} seconds`)
    yield* killAt({ statement: never, when: "before" })
    if ((yield* count) === before) yield* restart(chance.happens(0.5) ? chance.below(4_000) - 2_000 : 0)
    yield* advance("30 seconds")
  })

/** Lives the days, and returns the books. */
const lived = (withKills: boolean) =>
  Effect.gen(function*() {
    const scene = yield* made
    const { advance, kills: count, setOraclePrice, setPrice, skip } = scene.service
    const [chance, fate] = [SeededRandom.make(seed), SeededRandom.make(seed + 1000)]
    // Two of each day's three rounds.
    const killed = new Set(
      Array.from({ length: days }, (_, day) => [0, 1, 2].map((each) => 3 * day + each)).flatMap(
        (each) => each.toSpliced(fate.below(3), 1)
      )
    )
    const seen: Seen = { placed: [], triggered: new Set(), cancelled: new Map() }
    let [price, side] = [3000, "long"]

    for (let round = 0; round < rounds; round++) {
      yield* skip("479 minutes")
      // Before the price moves: whether a cancellation reaches a slice that has just begun depends on the moment.
      if (chance.happens(0.3)) {
        const order = seen.placed[Math.max(0, seen.placed.length - 1 - chance.below(6))]
        if (order !== undefined && (yield* scene.cancel(order)) === "cancelled" && !seen.cancelled.has(order)) {
          seen.cancelled.set(order, (yield* scene.order(order)).slices.length)
        }
      }
      const falls = chance.happens(0.08)
      price *= falls ? 0.9 : 1 + (chance.next() - 0.49) * 0.03
      yield* setPrice("WETH", price)
      for (let left = 1 + chance.below(2); left > 0; left--) {
        seen.placed.push(yield* scene.place(drawOrder(chance, price)))
      }
      if (chance.happens(0.4)) {
        side = side === "long" ? "neutral" : "long"
        yield* scene.alert(side)
      }
      // The oracle jumps and comes back between two observations.
      const jumps = chance.happens(0.3) && !killed.has(round)
      if (withKills && killed.has(round)) yield* Effect.provideService(killWithin(fate), VaultTraderTest, scene.service)
      else yield* advance("26 seconds")
      if (jumps) {
        yield* setOraclePrice("WETH", price * 0.5)
        yield* advance("4 seconds")
        yield* setOraclePrice("WETH", price)
        yield* advance("16 seconds")
      }
      for (const id of seen.placed.slice(-30)) {
        const { history, slices, state } = yield* scene.order(id)
        if (history.includes("triggered")) seen.triggered.add(id)
        if (seen.triggered.has(id)) assert.notStrictEqual(state, "open", "a triggered order was forgotten")
        const known = seen.cancelled.get(id)
        if (known !== undefined) assert.strictEqual(slices.length, known, "a cancelled order began a slice")
      }
      if ((yield* scene.breaker).state === "tripped") yield* scene.rearm
    }
    yield* advance("2 minutes")
    return { ...yield* booksOf(scene, seen, side), kills: yield* count }
  })

/** Checks the books in themselves, and returns the part of them that no kill may change. */
const booksOf = (scene: Effect.Success<typeof made>, { cancelled, placed, triggered }: Seen, side: string) =>
  Effect.gen(function*() {
    const orders = yield* Effect.forEach(placed, scene.order)
    const intents = yield* scene.intents
    const sent = yield* scene.sent
    // Each transaction of a wallet is that of one intent, and each intent has ended.
    for (const [index, all] of intents.entries()) {
      const hashes = all.flatMap(({ tx_hash }) => typeof tx_hash === "string" ? [tx_hash] : [])
      assert.strictEqual(new Set(hashes).size, hashes.length, "two intents have one transaction")
      assert.strictEqual(sent[index], hashes.length, "a transaction that no intent explains, or one too few")
      assert.deepStrictEqual(all.filter(({ status }) => status !== "success" && status !== "fail"), [])
    }
    const byOrder = new Set(orders.flatMap(({ slices }) => slices.map(({ intent_id }) => intent_id)))
    assert.strictEqual(byOrder.size, orders.reduce((sum, { slices }) => sum + slices.length, 0))
    for (const { history, sold, slices, state, trigger, type } of orders) {
      const moved = slices.reduce((sum, { sold: part }) => sum + Number(part ?? 0), 0)
      assert.closeTo(moved, Number(sold), 1e-9, "an order's slices do not add up")
      assert.isAtMost(history.filter((kind) => kind === "triggered").length, 1)
      assert.strictEqual(trigger !== null, history.includes("triggered"))
      assert.strictEqual(slices.filter(({ state: of }) => of === "in_progress").length, 0)
      if (type === "dca") assert.isAtMost(slices.length, 3)
      if (state === "cancelled") assert.isFalse(history.slice(history.indexOf("cancelled") + 1).includes("slice_begun"))
    }
    const breaker = yield* scene.breaker
    assert.strictEqual(new Set(breaker.actions.map(({ intent_id }) => intent_id)).size, breaker.actions.length)
    const signals = yield* scene.signals
    assert.isTrue(signals.every(({ state }) => state === "accepted"))
    assert.strictEqual(yield* scene.side, side)
    const failed = orders.flatMap(({ slices }) =>
      slices.flatMap(({ message, state }) => state === "failed" ? [String(message)] : [])
    )
    return {
      failed,
      orders: orders.map(({ bought, history, slices, sold, state, trigger, type }) => ({
        ...{ type, state, sold, condition: trigger?.["condition"] ?? null },
        slices: slices.length,
        filled: slices.reduce((sum, { sold: part }) => sum + Math.round(Number(part ?? 0) * 1e6), 0),
        isBought: Number(bought) > 0,
        triggered: history.includes("triggered")
      })),
      breaker: breaker.history,
      cancelled: [...cancelled.values()],
      triggered: triggered.size,
      signals: signals.map(({ understood }) => (understood as Fields)["side"]),
      transactions: sent
    }
  })

layer(VaultTraderTest.layer({ seed }))(`${days} days of orders, guardians and signals`, (it) => {
  it.effect(`are the same with ${kills} kills and without one`, () =>
    Effect.gen(function*() {
      const { failed, kills: happened, ...books } = yield* lived(true)
      assert.strictEqual(happened, kills)
      const other = yield* Effect.provide(lived(false), VaultTraderTest.layer({ seed }))
      const { failed: _, kills: none, ...undisturbed } = other
      assert.strictEqual(none, 0)
      assert.deepStrictEqual(books, undisturbed)
      const { breaker, orders, signals, transactions, triggered } = books
      process.stdout.write(
        `seed ${seed}, ${days} days, ${happened} kills: ${orders.length} orders, ${triggered} triggered, ` +
          `${orders.filter(({ state }) => state === "done").length} done; ` +
          `${breaker.filter((kind) => kind === "tripped").length} trips of the breaker; ${signals.length} signals; ` +
          `${transactions.join(" + ")} transactions; failed slices: ${failed.join(" | ")}\n`
      )
    }), 900_000)
})
