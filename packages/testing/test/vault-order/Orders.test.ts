import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Fault } from "../../src/test-chain/NodeFault.ts"
import { VaultTraderTest } from "../../src/VaultTraderTest.ts"

type Fields = Readonly<Record<string, unknown>>

/** The fields of an order that the tests read. */
interface Shown {
  readonly state: string
  readonly reason: string
  readonly sold: Fields
  readonly average_price: string | null
  readonly trigger: Fields | null
  readonly kill_switch: string | null
  readonly failures: number
  readonly slices_made: number
}

/** A vault with an order, and what a test reads of them. */
const sceneOf = (holdings: Readonly<Record<string, string>>) =>
  Effect.gen(function*() {
    const service = yield* VaultTraderTest
    yield* service.setPrice("WETH", 3000)
    const { apiKey, network, pool, wallet } = yield* service.vault(holdings)
    const about = { apiKey, network, pool }
    const place = (params: Readonly<Record<string, string | number | boolean>>) =>
      Effect.map(
        service.call("placeOrder", { ...about, pair: "WETH-USDC", side: "sell", ...params }),
        ({ data }) => String((data as Fields)["id"])
      )
    const read = (order: string) =>
      Effect.map(service.call("getOrder", { apiKey, order }), ({ data, events, slices }) => ({
        ...data as Shown,
        history: (events as ReadonlyArray<Fields>).map(({ kind }) => kind).toReversed(),
        made: slices as ReadonlyArray<Fields>
      }))
    const cancel = (order: string) => service.call("cancelOrder", { ...about, order })
    const sent = service.transactionCount(wallet)
    return { ...service, about, place, read, cancel, sent }
  })

/** Lets time pass until an order is in a state. */
const untilState = <E>(
  read: (order: string) => Effect.Effect<{ readonly state: string; readonly reason: string }, E>,
  order: string,
  state: string,
  seconds = 120
) =>
  Effect.gen(function*() {
    const { advance } = yield* VaultTraderTest
    for (let left = seconds / 5; left > 0; left--) {
      // A service that was just killed does not answer.
      const found = yield* Effect.option(read(order))
      if (Option.isSome(found) && found.value.state === state) return
      yield* advance("5 seconds")
    }
    const { reason, state: found } = yield* read(order)
    assert.fail(`the order is ${found}, not ${state}: ${reason}`)
  })

layer(VaultTraderTest.layer())("orders of a vault", (it) => {
  it.effect("a limit order waits for its price, and sells for no less", () =>
    Effect.gen(function*() {
      const { advance, place, read, sent, setPrice } = yield* sceneOf({ WETH: "2", USDC: "1000" })
      const order = yield* place({ type: "limit", amount: 1, limit_price: 3200 })
      yield* advance("20 seconds")
      assert.strictEqual((yield* read(order)).state, "open")
      yield* setPrice("WETH", 3250)
      yield* untilState(read, order, "done")
      const { average_price, history, sold } = yield* read(order)
      assert.strictEqual(sold["amount"], "1")
      assert.isAtLeast(Number(average_price), 3200)
      assert.deepStrictEqual(history, ["placed", "slice_begun", "slice_succeeded", "done"])
      assert.strictEqual(yield* sent, 1)
    }))

  it.effect("orders that are cancelled and placed again sell no more in a day than the key's limit", () =>
    Effect.gen(function*() {
      const { about, advance, call, cancel, place, sent } = yield* sceneOf({ WETH: "2", USDC: "1000" })
      yield* call("setKeyLimits", { apiKey: about.apiKey, max_usd_per_day: 1000 })
      for (let rounds = 0; rounds < 4; rounds++) {
        const order = yield* place({ type: "limit", amount: 0.15, limit_price: 2900 })
        yield* advance("40 seconds")
        yield* Effect.option(cancel(order))
      }
      yield* advance("1 minute")
      // $450 each: a third one would pass the limit.
      assert.strictEqual(yield* sent, 2)
    }))

  it.effect("a stop survives kill -9 after its trigger and executes once at the price after a gap", () =>
    Effect.gen(function*() {
      const { killAt, place, read, sent, setPrice } = yield* sceneOf({ WETH: "1", USDC: "1000" })
      const order = yield* place({ type: "stop_loss", share: 100, stop_price: 2500 })
      yield* killAt({ statement: /insert into vault_order_slices/, when: "before" })
      yield* setPrice("WETH", 2000)
      yield* untilState(read, order, "done")
      const { average_price, history, trigger } = yield* read(order)
      assert.deepStrictEqual(history, ["placed", "triggered", "slice_begun", "slice_succeeded", "done"])
      assert.include(trigger ?? {}, { condition: "stop", price: "2000" })
      assert.closeTo(Number(average_price), 2000, 40)
      assert.strictEqual(yield* sent, 1)
    }))

  it.effect("an order killed while its slice is in progress is not executed twice", () =>
    Effect.gen(function*() {
      const { advance, killAt, place, read, sent, setPrice } = yield* sceneOf({ WETH: "2", USDC: "1000" })
      const order = yield* place({ type: "take_profit", amount: 1, take_profit_price: 3300 })
      yield* killAt({ statement: /update vault_orders set open_intent = null/, when: "before" })
      yield* setPrice("WETH", 3400)
      yield* untilState(read, order, "done")
      yield* advance("1 minute")
      assert.strictEqual((yield* read(order)).made.length, 1)
      assert.strictEqual(yield* sent, 1)
    }))

  it.effect("of a bracket one condition executes, and the other does nothing later", () =>
    Effect.gen(function*() {
      const { advance, place, read, sent, setPrice } = yield* sceneOf({ WETH: "2", USDC: "1000" })
      const order = yield* place({ type: "bracket", amount: 1, stop_price: 2500, take_profit_price: 3500 })
      yield* setPrice("WETH", 3600)
      yield* untilState(read, order, "done")
      yield* setPrice("WETH", 2000)
      yield* advance("1 minute")
      assert.include((yield* read(order)).trigger ?? {}, { condition: "profit" })
      assert.strictEqual(yield* sent, 1)
    }))

  it.effect("an oracle that jumps and comes back triggers nothing, and neither does one that pools contradict", () =>
    Effect.gen(function*() {
      const { advance, place, read, sent, setOraclePrice } = yield* sceneOf({ WETH: "2", USDC: "1000" })
      const order = yield* place({ type: "stop_loss", amount: 1, stop_price: 2500 })
      yield* advance("6 seconds")
      yield* setOraclePrice("WETH", 1000)
      yield* advance("4 seconds")
      yield* setOraclePrice("WETH", 3000)
      yield* advance("30 seconds")
      assert.deepStrictEqual((yield* read(order)).history, ["placed"])
      yield* setOraclePrice("WETH", 1000)
      yield* advance("2 minutes")
      const { history, reason, state } = yield* read(order)
      assert.deepStrictEqual([state, history], ["open", ["placed"]])
      assert.match(reason, /A second source does not confirm it: WETH: the sources are more than 2 % apart/)
      assert.strictEqual(yield* sent, 0)
    }))

  it.effect("a twap killed between its slices sells all of it once, and no slot twice after the clock jumped back", () =>
    Effect.gen(function*() {
      const { advance, killAt, place, read, restart, sent } = yield* sceneOf({ WETH: "4", USDC: "1000" })
      const order = yield* place({ type: "twap", amount: 1, duration: "2m", slices: 4, max_impact: 5 })
      yield* killAt({ statement: /insert into vault_order_events/, when: "after" })
      yield* advance("40 seconds")
      yield* restart(-60_000)
      yield* advance("30 seconds")
      yield* restart()
      yield* untilState(read, order, "done", 400)
      const { made, sold } = yield* read(order)
      assert.strictEqual(sold["amount"], "1")
      assert.isTrue(made.every(({ state }) => state === "succeeded"))
      assert.isAtMost(Math.max(...made.map(({ sold: part }) => Number(part))), 0.5)
      assert.strictEqual(yield* sent, made.length)
    }))

  it.effect("a twap whose slice reverts on chain counts nothing of it, and sells its part in the slots that are left", () =>
    Effect.gen(function*() {
      const { advance, fault, place, read, sent, setPrice } = yield* sceneOf({ WETH: "4", USDC: "1000" })
      const order = yield* place({ type: "twap", amount: 1, duration: "4m", slices: 4, max_impact: 5, slippage: 1 })
      yield* advance("10 seconds")
      const [first] = (yield* read(order)).made
      assert.deepInclude(first ?? {}, { state: "succeeded", amount: "0.25" })
      // The second slice is in flight when the price falls by more than its slippage: its swap reverts.
      const delayed = Fault.Delay({ millis: 12_000 })
      yield* fault({ method: "eth_sendRawTransaction", fault: delayed, times: 1 })
      yield* advance("50 seconds")
      for (let left = 20; left > 0 && (yield* read(order)).made.length < 2; left--) yield* advance("1 second")
      yield* advance("2 seconds")
      yield* setPrice("WETH", 2700)
      for (let left = 20; left > 0 && (yield* read(order)).history.at(-1) === "slice_begun"; left--) {
        yield* advance("2 seconds")
      }
      const reverted = yield* read(order)
      const [second] = reverted.made
      assert.deepInclude(second ?? {}, { state: "failed", sold: "0" })
      assert.match(String(second?.["message"]), /revert/)
      assert.deepInclude(reverted, { state: "open", failures: 1, slices_made: 2 })
      assert.strictEqual(reverted.sold["amount"], "0.25")
      assert.strictEqual(yield* sent, 2)
      yield* untilState(read, order, "done", 400)
      const { failures, made, sold } = yield* read(order)
      assert.deepStrictEqual([sold["amount"], failures], ["1", 0])
      const parts = made.toReversed().map(({ sold: part, state }) => [state, part])
      assert.deepStrictEqual(parts.slice(0, 2), [["succeeded", "0.25"], ["failed", "0"]])
      assert.closeTo(parts.reduce((sum, [, part]) => sum + Number(part ?? 0), 0), 1, 1e-9)
      // Each slice, the reverted one too, is one transaction.
      assert.strictEqual(yield* sent, made.length)
    }))

  it.effect("an iceberg sells in slices that the pool bears", () =>
    Effect.gen(function*() {
      const { cancel, place, read } = yield* sceneOf({ WETH: "2000", USDC: "1000" })
      const order = yield* place({ type: "iceberg", amount: 1000, max_impact: 1, slippage: 2 })
      const { advance } = yield* VaultTraderTest
      yield* advance("25 seconds")
      const { made, reason } = yield* read(order)
      assert.isAbove(made.length, 0, reason)
      const [first] = made.toReversed()
      assert.isBelow(Number(first?.["amount"]), 1000)
      assert.isAbove(Number(first?.["bought"]) / Number(first?.["sold"]), 2970)
      // It would move the pools of the tests that follow.
      yield* cancel(order)
      yield* untilState(read, order, "cancelled")
    }))

  it.effect("a cancelled order trades nothing, whenever it is cancelled", () =>
    Effect.gen(function*() {
      const { advance, cancel, place, read, sent, setPrice } = yield* sceneOf({ WETH: "2", USDC: "1000" })
      const order = yield* place({ type: "limit", amount: 1, limit_price: 3200 })
      yield* setPrice("WETH", 3300)
      const { orders } = yield* cancel(order)
      const answered = String((orders as ReadonlyArray<Fields>)[0]?.["state"])
      assert.include(["cancelled", "cancelling", "done"], answered)
      const before = yield* sent
      yield* advance("1 minute")
      const { made, state } = yield* read(order)
      assert.include(["cancelled", "done"], state)
      if (answered === "cancelled") assert.strictEqual(yield* sent, before)
      assert.strictEqual(yield* sent, made.filter(({ state: of }) => of === "succeeded").length)
    }))

  it.effect("waits while the bots are paused and while no node answers, and continues afterwards", () =>
    Effect.gen(function*() {
      const { about, advance, call, fault, place, read, sent, setPrice } = yield* sceneOf({ WETH: "2", USDC: "1000" })
      const order = yield* place({ type: "limit", amount: 1, limit_price: 3200 })
      yield* call("pauseBot", about)
      yield* setPrice("WETH", 3300)
      yield* advance("30 seconds")
      assert.strictEqual(yield* sent, 0)
      assert.match(String((yield* read(order)).kill_switch), /stopped/)
      yield* fault({ fault: Fault.Http({ status: 503 }), times: 20 })
      yield* call("resumeBot", about)
      yield* untilState(read, order, "done")
      assert.strictEqual(yield* sent, 1)
    }))

  it.effect("on paper fills at quotes, and sends nothing", () =>
    Effect.gen(function*() {
      const { place, read, sent } = yield* sceneOf({ WETH: "2", USDC: "1000" })
      const order = yield* place({ type: "limit", amount: 1, limit_price: 2900, paper: true })
      yield* untilState(read, order, "done")
      assert.isAbove(Number((yield* read(order)).average_price), 2900)
      assert.strictEqual(yield* sent, 0)
    }))

  it.effect("says in a dry run what it would do, and names the parameter that does not fit", () =>
    Effect.gen(function*() {
      const { about, call } = yield* sceneOf({ WETH: "2", USDC: "1000" })
      const order = { ...about, pair: "WETH-USDC", side: "sell" }
      const { message, plan } = yield* call("placeOrder", {
        ...order,
        ...{ type: "stop_loss", amount: 1, stop_price: 2500, dryRun: true }
      })
      assert.match(String(message), /nothing was placed\. The price is 3000: stop price 2500 not reached/)
      assert.include(plan as Fields, { step: "wait", price: "3000" })
      const slice = (plan as Fields)["slice"] as Readonly<Record<string, Fields>>
      assert.strictEqual(slice["sold"]?.["amount"], "1")
      const refusal = (params: Readonly<Record<string, string | number | boolean>>) =>
        Effect.map(
          Effect.flip(call("placeOrder", { ...order, amount: 1, ...params })),
          (failure) => "message" in failure ? failure.message : ""
        )
      assert.match(yield* refusal({ type: "limit" }), /limit_price: missing; a limit order needs it/)
      assert.match(
        yield* refusal({ type: "limit", limit_price: 1, stop_price: 1 }),
        /stop_price: a limit order has none/
      )
      assert.match(
        yield* refusal({ type: "bracket", stop_price: 3500, take_profit_price: 2500 }),
        /take_profit_price: must be above stop_price/
      )
      assert.match(yield* refusal({ type: "trailing_stop" }), /trail_percent: .* either/)
      assert.match(yield* refusal({ type: "iceberg", side: "buy", reduce_only: true }), /reduce_only: .*sell/)
    }))

  it.effect("placed twice under one idempotency key is one order", () =>
    Effect.gen(function*() {
      const { about, call, place } = yield* sceneOf({ WETH: "2", USDC: "1000" })
      const params = { type: "limit", amount: 1, limit_price: 9000, idempotency_key: "one" }
      const [first, second] = [yield* place(params), yield* place(params)]
      assert.strictEqual(first, second)
      const conflict = yield* Effect.flip(place({ ...params, amount: 2 }))
      assert.deepInclude(conflict, { code: "1010" })
      const { orders } = yield* call("getOrders", about)
      assert.strictEqual((orders as ReadonlyArray<Fields>).length, 1)
    }))

  it.effect("amended takes its new price, and keeps its trigger when it has one", () =>
    Effect.gen(function*() {
      const { about: { apiKey }, advance, call, place, read, setPrice } = yield* sceneOf({ WETH: "2", USDC: "1000" })
      const order = yield* place({ type: "stop_loss", amount: 1, stop_price: 2500, limit_price: 2400 })
      yield* call("amendOrder", { apiKey, order, stop_price: 2600 })
      yield* setPrice("WETH", 2000)
      yield* advance("30 seconds")
      assert.strictEqual((yield* read(order)).state, "triggered")
      const late = yield* Effect.flip(call("amendOrder", { apiKey, order, stop_price: 2700 }))
      assert.match("message" in late ? late.message : "", /stop_price: the order is triggered/)
      yield* call("amendOrder", { apiKey, order, limit_price: 1900 })
      yield* untilState(read, order, "done")
      const ended = yield* Effect.flip(call("amendOrder", { apiKey, order, slippage: 1 }))
      assert.match("message" in ended ? ended.message : "", /order: has ended/)
    }))
})
