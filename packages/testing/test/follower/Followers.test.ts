import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { CallRefused } from "../../src/strategy-test/CallRefused.ts"
import type { Params } from "../../src/strategy-test/TestedService.ts"
import { Fault } from "../../src/test-chain/NodeFault.ts"
import { VaultTraderTest } from "../../src/VaultTraderTest.ts"

type Fields = Readonly<Record<string, unknown>>

/** The fields of a follower that the tests read. */
interface Found {
  readonly data: {
    readonly state: string
    readonly reason: string
    readonly weights: ReadonlyArray<
      { readonly symbol: string; readonly reason: string | null; readonly target: number }
    >
    readonly kill_switch: string | null
  }
  readonly trades: ReadonlyArray<Fields>
  readonly events: ReadonlyArray<{ readonly kind: string; readonly reason: string }>
}

/** A leader and a vault that may follow it. */
const sceneOf = (leading: Readonly<Record<string, string>>, following: Readonly<Record<string, string>>) =>
  Effect.gen(function*() {
    const service = yield* VaultTraderTest
    const { advance, call } = service
    yield* service.setPrice("WETH", 3000)
    yield* service.setPrice("WBTC", 60_000)
    const leader = yield* service.vault(leading)
    const { apiKey, network, pool, wallet } = yield* service.vault(following)
    const about = { apiKey, network, pool }
    const set = (params: Params = {}) =>
      call("setFollower", { ...about, leader: leader.pool, max_usd: 100_000, slippage: 3, max_impact: 3, ...params })
    const read = Effect.map(call("getFollowers", about), ({ followers }) => {
      const [found] = followers as ReadonlyArray<Found>
      if (found === undefined) throw new Error("the vault follows no leader")
      return { ...found.data, trades: found.trades, history: found.events.map(({ kind }) => kind).toReversed() }
    })
    const weightOf = (vault: string, symbol: string) =>
      Effect.map(call("poolComposition", { ...about, pool: vault }), ({ composition }) => {
        const lines = composition as ReadonlyArray<Fields>
        const total = lines.reduce((sum, each) => sum + Number(each["value_usd"]), 0)
        const held = lines.find((each) => each["symbol"] === symbol)
        return Number(held?.["value_usd"] ?? 0) / total * 100
      })
    /** Lets time pass until nothing is off its target for two readings. */
    const settled = Effect.gen(function*() {
      yield* advance("50 seconds")
      for (let left = 60; left > 0; left--) {
        yield* advance("15 seconds")
        const found = yield* Effect.option(read)
        if (Option.isSome(found) && /^Every weight is within/.test(found.value.reason)) return
      }
      assert.fail(`the follower does not settle: ${(yield* read).reason}`)
    })
    const leads = (from: string, to: string, share: number) =>
      call("vaultTrade", {
        ...{ apiKey: leader.apiKey, network, pool: leader.pool, from, to, share, slippage: 5, valid_for: 600 }
      })
    return {
      ...{ ...service, about, leader, leads, read, set, settled, weightOf, pool },
      sent: service.transactionCount(wallet)
    }
  })

const refusal = <A>(call: Effect.Effect<A, CallRefused>) => Effect.flip(call)

layer(VaultTraderTest.layer())("followers of a leader", (it) => {
  it.effect("copies the leader's weights, and each trade of the leader after it", () =>
    Effect.gen(function*() {
      const { leader, leads, pool, read, set, settled, weightOf } = yield* sceneOf(
        { WETH: "2", USDC: "6000" },
        { USDC: "3000" }
      )
      const dry = yield* set({ dryRun: true })
      assert.strictEqual(dry["data"], null)
      assert.match(String((dry["plan"] as { trades: ReadonlyArray<string> }).trades[0]), /^sell .* USDC for WETH/)
      yield* set()
      yield* settled
      assert.approximately(yield* weightOf(pool, "WETH"), 50, 2.1)
      yield* leads("WETH", "USDC", 60)
      yield* settled
      assert.approximately(yield* weightOf(pool, "WETH"), yield* weightOf(leader.pool, "WETH"), 2.1)
      assert.deepStrictEqual(
        (yield* read).trades.map(({ side, state }) => [side, state]),
        [["sell", "succeeded"], ["buy", "succeeded"]]
      )
    }))

  it.effect("investors who deposit into the leader or withdraw in proportion cause no trade", () =>
    Effect.gen(function*() {
      const { advance, changeBalance, leader, sent, set, settled } = yield* sceneOf(
        { WETH: "2", USDC: "6000" },
        { WETH: "1", USDC: "3000" }
      )
      yield* set()
      yield* settled
      yield* changeBalance(leader.pool, "WETH", "8")
      yield* changeBalance(leader.pool, "USDC", "24000")
      yield* advance("2 minutes")
      yield* changeBalance(leader.pool, "WETH", "-9")
      yield* changeBalance(leader.pool, "USDC", "-27000")
      yield* advance("2 minutes")
      assert.strictEqual(yield* sent, 0)
    }))

  it.effect("a leader that is drained within a step stops the follower, which sells nothing and reports", () =>
    Effect.gen(function*() {
      const { advance, changeBalance, leader, read, sent, set, settled } = yield* sceneOf(
        { WETH: "2", USDC: "6000" },
        { WETH: "1", USDC: "3000" }
      )
      yield* set()
      yield* settled
      yield* changeBalance(leader.pool, "WETH", "-2")
      yield* changeBalance(leader.pool, "USDC", "-5900")
      yield* advance("3 minutes")
      const stopped = yield* read
      assert.strictEqual(stopped.state, "stopped")
      assert.match(stopped.reason, /fell from \$12000.* to \$100.* in one step\. Nothing was sold/)
      assert.deepStrictEqual(stopped.history, ["set", "stopped"])
      yield* advance("10 minutes")
      assert.strictEqual(yield* sent, 0)
      yield* set()
      assert.strictEqual((yield* read).state, "following")
    }))

  it.effect("the weight of what the vault cannot hold or its lists exclude stays in the base, and is reported", () =>
    Effect.gen(function*() {
      const { pool, read, set, settled, weightOf } = yield* sceneOf(
        { WETH: "1", WBTC: "0.05", LINK: "100", USDC: "1000" },
        { USDC: "10000", LINK: "50" }
      )
      yield* set({ assets: "WETH,WBTC", max_weight: 20 })
      yield* settled
      assert.approximately(yield* weightOf(pool, "WETH"), 20, 2.1)
      assert.approximately(yield* weightOf(pool, "WBTC"), 20, 2.1)
      const { trades, weights } = yield* read
      const reasons = Object.fromEntries(weights.map(({ reason, symbol }) => [symbol, reason]))
      assert.match(String(reasons["LINK"]), /the follower's lists exclude it; its weight stays in USDC/)
      assert.match(String(reasons["WETH"]), /max_weight bounds it/)
      // LINK that it held before is not the follower's.
      assert.isTrue(trades.every(({ from, to }) => from !== "LINK" && to !== "LINK"))
    }))

  it.effect("tokens that a stranger sends to a plain address move the follower within ratio, lists and caps only", () =>
    Effect.gen(function*() {
      const { advance, changeBalance, pool, read, set, settled, weightOf } = yield* sceneOf(
        { USDC: "1" },
        { USDC: "10000" }
      )
      const wallet = "0x00000000000000000000000000000000000000b7"
      yield* changeBalance(wallet, "USDC", "5000")
      yield* set({ leader: wallet, ratio: 50, assets: "WETH", max_usd: 300, max_usd_interval: 900, interval: "20m" })
      yield* settled
      // The donation: worth far more than the leader itself.
      yield* changeBalance(wallet, "WETH", "100")
      yield* changeBalance(wallet, "LINK", "10000")
      yield* advance("10 minutes")
      const { reason, trades } = yield* read
      assert.match(reason, /max_usd_interval allows no more/)
      assert.isAtMost(trades.reduce((sum, { usd }) => sum + Number(usd), 0), 900)
      assert.isTrue(trades.every(({ to, usd }) => to === "WETH" && Number(usd) <= 300))
      assert.approximately(yield* weightOf(pool, "WETH"), 9, 0.5)
      assert.strictEqual(yield* weightOf(pool, "LINK"), 0)
      yield* advance("20 minutes")
      assert.isAbove(yield* weightOf(pool, "WETH"), 15)
    }))

  it.effect("a follower that is removed and set again, also during a trade, has the vault's caps as they were", () =>
    Effect.gen(function*() {
      const { about, advance, call, changeBalance, killAt, pool, read, set, weightOf } = yield* sceneOf(
        { USDC: "1" },
        { USDC: "10000" }
      )
      const [first, second] = ["c7", "c8"].map((end) => `0x${"0".repeat(38)}${end}` as const)
      assert.isDefined(first)
      assert.isDefined(second)
      for (const wallet of [first, second]) yield* changeBalance(wallet, "WETH", "1")
      const follow = (leader: string) => set({ leader, max_usd: 300, max_usd_interval: 900, interval: "20m" })
      const bought = Effect.map(weightOf(pool, "WETH"), (percent) => percent * 100)
      // The service dies once its trade has begun, so that the removal finds it in progress.
      yield* follow(first)
      yield* killAt({ statement: /insert into vault_follower_trades/, when: "after" })
      for (let round = 0; round < 4; round++) {
        yield* advance("2 minutes")
        yield* call("removeFollower", about)
        yield* follow(round % 2 === 0 ? second : first)
      }
      yield* advance("5 minutes")
      assert.isAtLeast(yield* bought, 590)
      assert.isAtMost(yield* bought, 901)
      assert.match((yield* read).reason, /max_usd_interval allows no more/)
      yield* advance("25 minutes")
      assert.isAbove(yield* bought, 1_400)
    }))

  it.effect("waits for the delay, trades at most max_usd at once, and stops with the vault's switch", () =>
    Effect.gen(function*() {
      const { about, advance, call, read, sent, set, settled } = yield* sceneOf({ WETH: "1" }, { USDC: "3000" })
      yield* set({ delay: "5m", max_usd: 1000 })
      yield* advance("4 minutes")
      assert.match((yield* read).reason, /It is copied in \d+ seconds/)
      assert.strictEqual(yield* sent, 0)
      yield* call("pauseBot", { ...about, reason: "test" })
      yield* advance("5 minutes")
      assert.strictEqual(yield* sent, 0)
      assert.match(String((yield* read).kill_switch), /test/)
      yield* call("resumeBot", about)
      yield* settled
      const { trades } = yield* read
      assert.isAtLeast(trades.length, 3)
      assert.isTrue(trades.every(({ usd }) => Number(usd) <= 1000))
    }))

  it.effect("an oracle that jumps and comes back, or is wrong about the market, makes it lose nothing", () =>
    Effect.gen(function*() {
      const { advance, read, sent, set, setOraclePrice, settled } = yield* sceneOf(
        { WETH: "1", USDC: "3000" },
        { WETH: "1", WBTC: "0.05" }
      )
      yield* set()
      yield* settled
      const before = yield* sent
      yield* setOraclePrice("WETH", 1000)
      yield* advance("20 seconds")
      yield* setOraclePrice("WETH", 3000)
      yield* advance("2 minutes")
      assert.strictEqual(yield* sent, before)
      // For longer: the leader's and the follower's weights move alike, so that nothing is traded either.
      yield* setOraclePrice("WETH", 4000)
      yield* advance("2 minutes")
      assert.strictEqual(yield* sent, before)
      yield* setOraclePrice("WETH", 3000)
      assert.isTrue((yield* read).history.every((kind) => kind !== "trade_failed"))
    }))

  it.effect("a node that does not answer makes it wait with the reason, and it continues after it", () =>
    Effect.gen(function*() {
      const { advance, fault, read, sent, set, settled } = yield* sceneOf({ WETH: "1" }, { USDC: "3000" })
      yield* set({ delay: "2m" })
      yield* fault({ method: "eth_call", fault: Fault.Http({ status: 503 }), times: 60 })
      yield* advance("3 minutes")
      const before = yield* sent
      yield* settled
      assert.isAtLeast(yield* sent, Math.max(1, before))
      assert.strictEqual((yield* read).state, "following")
    }))

  it.effect("a vault that follows itself, or vaults in a circle, are refused by name", () =>
    Effect.gen(function*() {
      const { about, call, leader, set } = yield* sceneOf({ WETH: "1" }, { USDC: "3000" })
      assert.match((yield* refusal(set({ leader: about.pool }))).message, /^leader: a vault cannot follow itself/)
      yield* set()
      const back = { apiKey: leader.apiKey, network: about.network, pool: leader.pool, max_usd: 100 }
      const circle = yield* refusal(call("setFollower", { ...back, leader: about.pool }))
      assert.match(circle.message, /in a circle/)
      assert.match((yield* refusal(set({ base: "USDC", assets: "USDC" }))).message, /^assets: the base/)
      assert.match((yield* refusal(set({ assets: "WETH,NONE" }))).message, /^assets: 'NONE' is not a token/)
      assert.match((yield* refusal(set({ without: "NONE" }))).message, /^without: 'NONE' is not a token/)
      yield* call("removeFollower", about)
      yield* call("setFollower", { ...back, leader: about.pool })
    }))

  for (const moment of ["before its trade", "after its trade began"] as const) {
    it.effect(`a trade that a restored copy from ${moment} has forgotten or left open is not made again`, () =>
      Effect.gen(function*() {
        const { advance, backup, kills, killAt, pool, read, restart, sent, set, settled, weightOf } = yield* sceneOf(
          { WETH: "1" },
          { USDC: "3000" }
        )
        yield* set({ ratio: 50 })
        const early = yield* backup
        const before = yield* kills
        if (moment === "after its trade began") {
          yield* killAt({ statement: /insert into vault_follower_trades/, when: "after" })
          while ((yield* kills) === before) yield* advance("100 millis")
        }
        const restore = moment === "before its trade" ? early : yield* backup
        yield* settled
        assert.strictEqual(yield* sent, 1)
        yield* restore
        yield* advance("3 minutes")
        // Another start is another owner of the rows.
        yield* restart()
        yield* advance("3 minutes")
        assert.strictEqual(yield* sent, 1)
        assert.approximately(yield* weightOf(pool, "WETH"), 50, 2.1)
        assert.strictEqual((yield* read).state, "following")
      }))
  }

  for (const statement of [/insert into vault_follower_trades/, /update vault_followers set open_intent = null/]) {
    for (const when of ["before", "after"] as const) {
      it.effect(`killed ${when} ${statement.source}, it trades exactly once`, () =>
        Effect.gen(function*() {
          const { killAt, pool, read, sent, set, settled, weightOf } = yield* sceneOf({ WETH: "1" }, { USDC: "3000" })
          yield* killAt({ statement, when })
          yield* set({ ratio: 50 })
          yield* settled
          assert.strictEqual(yield* sent, 1)
          assert.deepStrictEqual((yield* read).trades.map(({ state }) => state), ["succeeded"])
          assert.approximately(yield* weightOf(pool, "WETH"), 50, 2.1)
        }))
    }
  }
})
