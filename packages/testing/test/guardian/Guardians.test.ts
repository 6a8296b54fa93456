import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { CallRefused } from "../../src/strategy-test/CallRefused.ts"
import { Fault } from "../../src/test-chain/NodeFault.ts"
import { VaultTraderTest } from "../../src/VaultTraderTest.ts"

type Fields = Readonly<Record<string, unknown>>

/** The fields of a guardian that the tests read. */
interface Shown {
  readonly kind: string
  readonly state: string
  readonly reason: string
  readonly holds: boolean
  readonly skipped: ReadonlyArray<string>
  readonly proposed_refill: Fields | null
}

interface Found {
  readonly data: Shown
  readonly actions: ReadonlyArray<Fields>
  readonly events: ReadonlyArray<Fields>
}

/** A vault, and what a test does with its guardians. */
const sceneOf = (holdings: Readonly<Record<string, string>>) =>
  Effect.gen(function*() {
    const service = yield* VaultTraderTest
    yield* service.setPrice("WETH", 3000)
    yield* service.setOraclePrice("USDC", 1)
    const { apiKey, network, pool, wallet } = yield* service.vault(holdings)
    const about = { apiKey, network, pool }
    const set = (params: Readonly<Record<string, string | number | boolean>>) =>
      service.call("setGuardian", { ...about, ...params })
    const read = (kind: string) =>
      Effect.map(service.call("getGuardians", about), ({ guardians }) => {
        const found = (guardians as ReadonlyArray<Found>).find(({ data }) => data.kind === kind)
        if (found === undefined) throw new Error(`no ${kind} guardian`)
        const { actions, data, events } = found
        return { ...data, actions, events, history: events.map(({ kind: event }) => event).toReversed() }
      })
    return { ...service, about, set, read, sent: service.transactionCount(wallet) }
  })

/** Lets time pass until a guardian is in a state. */
const untilState = <E>(
  read: (kind: string) => Effect.Effect<{ readonly state: string; readonly reason: string }, E>,
  kind: string,
  state: string,
  seconds = 180
) =>
  Effect.gen(function*() {
    const { advance } = yield* VaultTraderTest
    for (let left = seconds / 5; left > 0; left--) {
      // A service that was just killed does not answer.
      const found = yield* Effect.option(read(kind))
      if (Option.isSome(found) && found.value.state === state) return
      yield* advance("5 seconds")
    }
    const { reason, state: found } = yield* read(kind)
    assert.fail(`the guardian is ${found}, not ${state}: ${reason}`)
  })

const refusal = <A>(call: Effect.Effect<A, CallRefused>) => Effect.flip(call)

layer(VaultTraderTest.layer())("guardians of a vault", (it) => {
  it.effect("the loss breaker stops bots and orders once, closes into the asset, and waits for a reset", () =>
    Effect.gen(function*() {
      const { about, advance, call, read, sent, set, setPrice } = yield* sceneOf({ WETH: "2", USDC: "1000" })
      const { plan } = yield* set({ kind: "loss_breaker", max_daily_loss: 10, close_into: "USDC", slippage: 3 })
      assert.include(plan as Fields, { step: "wait" })
      yield* advance("30 seconds")
      yield* setPrice("WETH", 2400)
      yield* untilState(read, "loss_breaker", "tripped")
      const tripped = yield* read("loss_breaker")
      assert.deepStrictEqual(tripped.history, ["set", "tripped", "action_begun", "action_succeeded", "done"])
      assert.strictEqual(yield* sent, 1)
      const order = yield* call("placeOrder", {
        ...{ ...about, type: "limit", pair: "WETH-USDC", side: "buy", amount: 100, limit_price: 9000 }
      })
      assert.match(String((order["data"] as Fields)["kill_switch"]), /the loss breaker has tripped/)
      yield* advance("1 minute")
      assert.strictEqual(yield* sent, 1)
      assert.strictEqual((yield* read("loss_breaker")).history.length, 5)
      yield* call("resetGuardian", { ...about, kind: "loss_breaker" })
      yield* advance("1 minute")
      assert.strictEqual((yield* read("loss_breaker")).state, "armed")
      // Bots and orders stay stopped until the owner resumes it.
      assert.strictEqual(yield* sent, 1)
    }))

  for (const statement of [/insert into vault_guardian_actions/, /update vault_guardians set open_intent = null/]) {
    for (const when of ["before", "after"] as const) {
      it.effect(`killed ${when} ${statement.source}, the breaker acts exactly once`, () =>
        Effect.gen(function*() {
          const { advance, killAt, read, sent, set, setPrice } = yield* sceneOf({ WETH: "1", USDC: "1000" })
          yield* set({ kind: "loss_breaker", max_total_loss: 10, close_into: "USDC", slippage: 3 })
          yield* advance("30 seconds")
          yield* killAt({ statement, when })
          yield* setPrice("WETH", 2400)
          yield* untilState(read, "loss_breaker", "tripped")
          yield* advance("1 minute")
          const { actions, history } = yield* read("loss_breaker")
          assert.deepStrictEqual(actions.map(({ state }) => state), ["succeeded"])
          assert.deepStrictEqual(history.filter((kind) => kind === "tripped"), ["tripped"])
          assert.strictEqual(yield* sent, 1)
        }))
    }
  }

  for (const moment of ["before the trip", "between the trip and the action"] as const) {
    it.effect(`an action that a restored copy from ${moment} has forgotten is not done again`, () =>
      Effect.gen(function*() {
        const scene = yield* sceneOf({ WETH: "1", USDC: "1000" })
        const { advance, backup, killAt, read, restart, sent, set, setPrice } = scene
        yield* set({ kind: "loss_breaker", max_total_loss: 10, close_into: "USDC", slippage: 3 })
        yield* advance("30 seconds")
        const early = yield* backup
        if (moment === "between the trip and the action") {
          yield* killAt({ statement: /insert into vault_guardian_actions/, when: "before" })
        }
        yield* setPrice("WETH", 2400)
        const restore = moment === "before the trip" ? early : yield* Effect.gen(function*() {
          while ((yield* scene.kills) === 0) yield* advance("100 millis")
          return yield* backup
        })
        yield* untilState(read, "loss_breaker", "tripped")
        assert.strictEqual(yield* sent, 1)
        yield* restore
        yield* advance("3 minutes")
        // Another start is another owner of the rows.
        yield* restart()
        yield* advance("3 minutes")
        assert.strictEqual(yield* sent, 1)
        assert.deepStrictEqual((yield* read("loss_breaker")).actions.filter(({ state }) => state === "succeeded"), [])
      }))
  }

  it.effect("a bot that trades at the moment when the breaker trips ends there, and the vault stays closed", () =>
    Effect.gen(function*() {
      const { about, advance, call, read, sent, set, setPrice } = yield* sceneOf({ WETH: "1", USDC: "1000" })
      yield* set({ kind: "loss_breaker", max_daily_loss: 10, close_into: "USDC", slippage: 3 })
      yield* advance("30 seconds")
      yield* setPrice("WETH", 2400)
      const bot = { ...about, pair: "WETH-USDC" }
      for (const side of ["long", "neutral", "long"]) {
        yield* advance("4 seconds")
        yield* Effect.exit(call("setBot", { ...bot, side, max_usd: 500 }))
      }
      yield* untilState(read, "loss_breaker", "tripped")
      const before = yield* sent
      yield* advance("3 minutes")
      assert.strictEqual(yield* sent, before)
      assert.isTrue((yield* read("loss_breaker")).actions.some(({ state }) => state === "succeeded"))
      const { data } = yield* call("getBotStatus", about)
      assert.match(JSON.stringify(data), /the loss breaker has tripped/)
      const { composition } = yield* call("poolComposition", about)
      const held = (composition as ReadonlyArray<Fields>).find(({ symbol }) => symbol === "WETH")
      assert.isBelow(Number(held?.["value_usd"]), 1)
    }))

  it.effect("an oracle that jumps and comes back trips no breaker", () =>
    Effect.gen(function*() {
      const { advance, read, sent, set, setOraclePrice } = yield* sceneOf({ WETH: "1", USDC: "1000" })
      yield* set({ kind: "loss_breaker", max_daily_loss: 10, close_into: "USDC" })
      yield* advance("30 seconds")
      yield* setOraclePrice("WETH", 1000)
      yield* advance("8 seconds")
      yield* setOraclePrice("WETH", 3000)
      yield* advance("1 minute")
      assert.deepStrictEqual((yield* read("loss_breaker")).history, ["set"])
      assert.strictEqual(yield* sent, 0)
    }))

  it.effect("no trade passes while a stablecoin is off its peg; bots and orders are held, and go on after it", () =>
    Effect.gen(function*() {
      const { about, advance, call, read, sent, set, setOraclePrice } = yield* sceneOf({ WETH: "1", USDC: "1000" })
      yield* set({ kind: "oracle", max_depeg: 2 })
      yield* setOraclePrice("USDC", 0.95)
      const trade = { ...about, from: "WETH", to: "USDC", amount: "0.1", slippage: 5 }
      // At once, before the guardian has read again; and for a dry run.
      const refused = yield* refusal(call("vaultTrade", trade))
      assert.deepStrictEqual([refused.code, refused.errorType], ["2043", "guardian_hold"])
      assert.match(refused.message, /USDC is at \$0.95, 2 % or more off its peg/)
      assert.strictEqual((yield* refusal(call("vaultTrade", { ...trade, dryRun: true }))).code, "2043")
      yield* untilState(read, "oracle", "tripped")
      const order = yield* call("placeOrder", {
        ...{ ...about, type: "iceberg", pair: "WETH-USDC", side: "sell", amount: "0.1", max_impact: 5, slippage: 5 }
      })
      assert.match(String((order["data"] as Fields)["kill_switch"]), /Trades are held: USDC is at/)
      yield* advance("1 minute")
      assert.strictEqual(yield* sent, 0)
      yield* setOraclePrice("USDC", 1)
      yield* untilState(read, "oracle", "armed")
      yield* advance("1 minute")
      assert.strictEqual(yield* sent, 1)
    }))

  it.effect("no trade passes on an answer of the oracle that is too old, and deleting the guardian ends that", () =>
    Effect.gen(function*() {
      const { about, call, sent, set, setOraclePrice } = yield* sceneOf({ WETH: "1", USDC: "1000" })
      yield* set({ kind: "oracle", max_age: "10m", assets: "WETH" })
      yield* setOraclePrice("WETH", 3000, 900)
      const trade = { ...about, from: "WETH", to: "USDC", amount: "0.1", slippage: 5 }
      assert.match(
        (yield* refusal(call("vaultTrade", trade))).message,
        /the oracle's answer for WETH is \d+ seconds old; 600 are accepted/
      )
      yield* call("deleteGuardian", { ...about, kind: "oracle" })
      yield* call("vaultTrade", trade)
      assert.strictEqual(yield* sent, 1)
    }))

  it.effect("a gas guardian proposes a refill, and signs none", () =>
    Effect.gen(function*() {
      const { about, advance, read, sent, set } = yield* sceneOf({ WETH: "1" })
      yield* set({ kind: "gas", min_gas: 2, target_gas: 5 })
      yield* untilState(read, "gas", "tripped")
      const { proposed_refill } = yield* read("gas")
      assert.deepInclude(proposed_refill, { amount: "4", token: "ETH", chain_id: 8453 })
      yield* advance("1 minute")
      assert.strictEqual(yield* sent, 0)
      assert.strictEqual(about.network, "base")
    }))

  it.effect("a paper breaker reports, and stops and sells nothing", () =>
    Effect.gen(function*() {
      const { about, advance, call, read, sent, set, setPrice } = yield* sceneOf({ WETH: "1", USDC: "1000" })
      yield* set({ kind: "loss_breaker", max_daily_loss: 10, close_into: "USDC", paper: true })
      yield* advance("30 seconds")
      yield* setPrice("WETH", 2400)
      yield* untilState(read, "loss_breaker", "tripped")
      assert.match((yield* read("loss_breaker")).events[0]?.["reason"] as string, /^On paper/)
      yield* call("vaultTrade", { ...about, from: "WETH", to: "USDC", amount: "0.1", slippage: 5 })
      assert.strictEqual(yield* sent, 1)
    }))

  it.effect("parameters of another kind, missing limits and a network without lenders are refused by name", () =>
    Effect.gen(function*() {
      const { set } = yield* sceneOf({ WETH: "1" })
      const message = (params: Readonly<Record<string, string | number | boolean>>) =>
        Effect.map(refusal(set(params)), (refused) => refused.message)
      assert.match(yield* message({ kind: "gas", floor: 1.2 }), /^floor: a gas guardian has none/)
      assert.match(yield* message({ kind: "oracle" }), /^max_age: missing/)
      assert.match(yield* message({ kind: "loss_breaker" }), /^max_daily_loss: missing/)
      assert.match(yield* message({ kind: "health_factor", floor: 1.3, target: 1.31 }), /^target: must be at least 2 %/)
      assert.match(yield* message({ kind: "loss_breaker", max_daily_loss: 5, close_into: "NOPE" }), /NOPE/)
    }))

  it.effect("an action that fails is tried three times, then left out with an alert, and never again", () =>
    Effect.gen(function*() {
      const { advance, fault, read, sent, set, setPrice } = yield* sceneOf({ WETH: "1", USDC: "1000" })
      yield* set({ kind: "loss_breaker", max_daily_loss: 10, close_into: "USDC", slippage: 3 })
      yield* advance("30 seconds")
      yield* fault({
        method: "eth_estimateGas",
        fault: Fault.Refuse({ code: 3, reason: "execution reverted", forwarded: false })
      })
      yield* setPrice("WETH", 2400)
      yield* untilState(read, "loss_breaker", "tripped", 900)
      const { actions, history, skipped } = yield* read("loss_breaker")
      assert.deepStrictEqual(actions.map(({ state }) => state), ["failed", "failed", "failed"])
      assert.strictEqual(skipped.length, 1)
      assert.includeMembers(history, ["failed", "done"])
      yield* advance("10 minutes")
      assert.strictEqual((yield* read("loss_breaker")).actions.length, 3)
      assert.strictEqual(yield* sent, 0)
    }))
})
