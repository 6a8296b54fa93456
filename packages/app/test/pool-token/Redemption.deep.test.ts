/**
 * A redemption takes two transactions. Its runner is killed (kill -9) in its cooldown, while each of the two is on its
 * way to the node, and after the node has each: there is exactly one first and one second step, and one charge.
 */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { encodeFunctionData, parseAbi } from "viem"
import { ended, succeeded } from "@vault-trader/testing/harness/Answers"
import { rows, Running, trader } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import * as PoolTokens from "@vault-trader/testing/harness/PoolTokens"
import * as ProcessGroup from "@vault-trader/testing/harness/ProcessGroup"
import { RpcHold, sends } from "@vault-trader/testing/harness/RpcHold"
import { until } from "@vault-trader/testing/harness/Until"

const network = "base"
const { symbol } = PoolTokens
const fleet = ProcessGroup.layer({
  names: ["server", "runner-1"],
  networks: [network],
  env: { WAIT_SECONDS: "1" }
})

/** A vault that holds 50 pool tokens without a cooldown, and its trader. */
const scene = Effect.gen(function*() {
  const { ask } = yield* Running
  const pool = yield* OnChain.createVault(network, 1_000n)
  yield* PoolTokens.enable(network, pool)
  yield* PoolTokens.setCooldown(network, 0n)
  const by = yield* trader({ network, pool })
  const about = { apiKey: by.apiKey, network, pool, slippage: 1 }
  const bought = (yield* ask("/vaultTrade", { json: { ...about, from: "USDC", to: symbol, amount: 1_000 } })).fields
  assert.strictEqual((yield* ended(ask, by.apiKey, bought["intent_id"]))["status"], "success")
  const sell = Effect.map(
    ask("/vaultTrade", { json: { ...about, from: symbol, to: "USDC", share: 100 } }),
    ({ fields }) => fields["intent_id"]
  )
  const proven = (id: unknown) =>
    Effect.gen(function*() {
      const done = yield* ended(ask, by.apiKey, id)
      assert.strictEqual(done["status"], "success", String(done["message"]))
      assert.deepStrictEqual(yield* PoolTokens.steps(network, pool), { inits: 1, completes: 1 })
      assert.strictEqual(yield* OnChain.balanceOf(network, "USDC", pool), 1_000_000_000n)
      assert.deepStrictEqual(
        yield* rows(`select count(*)::int as n from charges where intent_id = '${String(id)}'`),
        [{ n: 1 }]
      )
    })
  return { ...by, pool, about, sell, proven, sent: OnChain.transactionCount(network, by.address) }
})

const waiting = (id: unknown, text: RegExp) =>
  until(
    `a reason to wait, ${text.source}`,
    Effect.map(
      rows(`select waiting from intents where id = '${String(id)}'`),
      ([row]) => text.test(String(row?.["waiting"])) ? row : undefined
    )
  )

layer(fleet, { timeout: 300_000, excludeTestServices: true })("a redemption whose runner is killed", (it) => {
  for (const [place, before] of [["first", 0], ["second", 1]] as const) {
    for (const moment of ["before the node", "before the answer"] as const) {
      it.effect(`while its ${place} step is sent, ${moment} has it, is executed once`, () =>
        Effect.gen(function*() {
          const { start, the } = yield* ProcessGroup.ProcessGroup
          const holds = yield* RpcHold
          const { proven, sell, sent } = yield* scene
          const count = yield* sent
          const held = yield* holds.hold({
            network,
            when: (request, now) =>
              now === moment && sends(request)
                ? Effect.map(sent, (mined) => mined >= count + before)
                : Effect.succeed(false)
          })
          const id = yield* sell
          const caller = yield* held.reached
          yield* the("runner-1").kill
          if (moment === "before the node") yield* holds.bury(caller)
          yield* held.release
          yield* start("runner-1")
          yield* proven(id)
          assert.strictEqual(yield* sent, count + 2)
        }))
    }
  }

  it.effect("in the cooldown resumes after it, with the same reason meanwhile", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { start, the } = yield* ProcessGroup.ProcessGroup
      const { apiKey, pool, proven, sell, sent } = yield* scene
      // A purchase by anyone locks all of the holder's tokens again: the cooldown seems never to end.
      const lock = Effect.gen(function*() {
        const { poolToken } = yield* PoolTokens.contracts(network)
        yield* OnChain.asOwner(
          network,
          poolToken,
          encodeFunctionData({
            abi: parseAbi(["function depositForWithCustomCooldown(address, address, uint256, uint256)"]),
            functionName: "depositForWithCustomCooldown",
            args: [pool, yield* OnChain.token(network, "USDC"), 0n, 3_600n]
          })
        )
      })
      yield* lock
      const count = yield* sent
      const id = yield* sell
      yield* waiting(id, /in its cooldown/)
      yield* the("runner-1").kill
      yield* start("runner-1")
      yield* PoolTokens.passTime(network, 3_000)
      yield* lock
      yield* waiting(id, /in its cooldown/)
      assert.strictEqual(yield* sent, count)
      yield* PoolTokens.passTime(network, 3_601)
      yield* proven(id)
      succeeded(yield* ask("/getIntent", { query: { apiKey, intent_id: String(id) } }))
    }))
})
