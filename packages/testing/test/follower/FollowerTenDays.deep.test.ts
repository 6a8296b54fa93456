/**
 * Ten days of a follower in accelerated time: each half day is some minutes of virtual time, in which its leader trades,
 * prices move and the service is killed once.
 */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { VaultTraderTest } from "../../src/VaultTraderTest.ts"

const days = 10
/** Twice a day the service is killed: at a commit of the follower, or at an arbitrary moment. */
const kills = 2 * days
const statements = [
  /insert into vault_follower_trades/,
  /update vault_followers set open_intent = null/,
  /update vault_followers set memory/,
  /insert into submissions/,
  /insert into attempts/
]
const threshold = 1

type Fields = Readonly<Record<string, unknown>>

layer(VaultTraderTest.layer({ seed: 7 }))("a follower over ten days", (it) => {
  it.effect("tracks its leader through twenty kills, and sends each trade once", () =>
    Effect.gen(function*() {
      const { advance, call, changeBalance, killAt, restart, setPrice, transactionCount, vault } =
        yield* VaultTraderTest
      yield* setPrice("WETH", 3000)
      yield* setPrice("WBTC", 60_000)
      const leader = yield* vault({ WETH: "10", WBTC: "0.2", USDC: "20000" })
      const { apiKey, network, pool, wallet } = yield* vault({ USDC: "5000" })
      const about = { apiKey, network, pool }
      yield* call("setFollower", {
        ...{ ...about, leader: leader.pool, max_usd: 20_000, threshold, slippage: 3, max_impact: 3 }
      })
      const weightsOf = (address: string) =>
        Effect.map(call("poolComposition", { ...about, pool: address }), ({ composition }) => {
          const lines = composition as ReadonlyArray<Fields>
          const total = lines.reduce((sum, each) => sum + Number(each["value_usd"]), 0)
          return Object.fromEntries(
            lines.map((each) => [String(each["symbol"]), Number(each["value_usd"]) / total * 100])
          )
        })
      let killed = 0
      for (let half = 0; half < 2 * days; half++) {
        const statement = statements[half % statements.length]
        if (statement === undefined || half % 4 === 3) yield* restart(half % 8 === 3 ? 3_000 : -3_000)
        else yield* killAt({ statement, when: half % 2 === 0 ? "before" : "after" })
        killed += 1
        yield* setPrice("WETH", 3000 * (1 + 0.05 * Math.sin(half)))
        yield* setPrice("WBTC", 60_000 * (1 + 0.04 * Math.cos(half * 1.7)))
        const [from, to] = half % 3 === 0 ? ["WETH", "USDC"] : half % 3 === 1 ? ["USDC", "WBTC"] : ["WBTC", "WETH"]
        // A leader whose service has just died trades again when it answers.
        yield* call("vaultTrade", {
          ...{ apiKey: leader.apiKey, network, pool: leader.pool, from, to, share: 15, slippage: 5 }
        }).pipe(Effect.retry({ times: 3 }), Effect.option)
        if (half % 5 === 4) {
          // Investors deposit in proportion to nothing in particular: the weights follow.
          yield* changeBalance(leader.pool, "USDC", "500")
        }
        yield* advance("2 minutes")
        let off = ""
        for (let left = 30; left > 0; left--) {
          const weights = yield* Effect.option(Effect.all([weightsOf(leader.pool), weightsOf(pool)]))
          // A service that was just killed does not answer.
          off = Option.match(weights, {
            onNone: () => "no answer",
            onSome: ([leading, following]) =>
              ["WETH", "WBTC", "USDC"].filter((symbol) =>
                Math.abs((leading[symbol] ?? 0) - (following[symbol] ?? 0)) > threshold + 0.5
              ).join(", ")
          })
          if (off === "") break
          yield* advance("30 seconds")
        }
        const { followers } = yield* call("getFollowers", about)
        const [{ data }] = followers as readonly [{ readonly data: Fields }]
        assert.strictEqual(off, "", `off its target at half day ${half}: ${String(data["reason"])}`)
      }
      assert.strictEqual(killed, kills)
      const { followers } = yield* call("getFollowers", about)
      const [{ trades }] = followers as readonly [{ readonly trades: ReadonlyArray<Fields> }]
      assert.isAtLeast(trades.length, days)
      const { intents } = yield* call("getIntents", { ...about, limit: 100 })
      // One intent a trade, and no other; each mined once.
      assert.sameMembers(
        (intents as ReadonlyArray<Fields>).map(({ intent_id }) => intent_id),
        trades.slice(0, 100).map(({ intent_id }) => intent_id)
      )
      assert.isAtLeast(yield* transactionCount(wallet), trades.filter(({ state }) => state === "succeeded").length)
    }), 900_000)
})
