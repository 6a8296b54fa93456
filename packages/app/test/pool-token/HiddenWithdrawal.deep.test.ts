/** A node that lies about the first step of a redemption: it hides the withdrawal that the step has begun. */
import { assert, layer } from "@effect/vitest"
import type { Hex } from "@vault-trader/core/chain/Address"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import * as Effect from "effect/Effect"
import { toFunctionSelector } from "viem"
import { ended } from "@vault-trader/testing/harness/Answers"
import { rows, Running, running, trader } from "@vault-trader/testing/harness/Harness"
import * as NodeFront from "@vault-trader/testing/harness/NodeFront"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import * as PoolTokens from "@vault-trader/testing/harness/PoolTokens"
import { until } from "@vault-trader/testing/harness/Until"
import { alterAnswer, type Change } from "@vault-trader/testing/test-chain/AlteredCalls"

const network = "base"
const aggregate3 = toFunctionSelector("aggregate3((address,bool,bytes)[])")
const getTrackedAssets = toFunctionSelector("getTrackedAssets(address)")

/** An empty list. */
const nothing: Hex = `0x${"20".padStart(64, "0")}${"".padStart(64, "0")}`

/** True while the node starts to lie with the next transaction: a simulation before it would show the lie. */
let isArmed = false
let isLying = false

const hidden: Change = ({ data }) =>
  isLying && data.startsWith(getTrackedAssets) ? { success: true, returnData: nothing } : undefined

const answered = async ({ calls, forward }: NodeFront.NodeRequest) => {
  const reply = await forward()
  if (isArmed && calls.some(({ method }) => method === "eth_sendRawTransaction")) isLying = true
  if (!isLying || !calls.some(({ method }) => method === "eth_call")) return reply
  const parsed: unknown = JSON.parse(reply.text)
  const answers = (Array.isArray(parsed) ? parsed : [parsed]) as ReadonlyArray<{ id: number; result?: Hex }>
  const text = JSON.stringify(answers.map((answer) => {
    const call = calls.find(({ id }) => id === answer.id)
    const data = call?.method === "eth_call" ? (call.params[0] as { readonly data: Hex }).data : undefined
    if (data === undefined || answer.result === undefined) return answer
    if (data.startsWith(getTrackedAssets)) return { ...answer, result: nothing }
    return data.startsWith(aggregate3) ? { ...answer, result: alterAnswer(data, answer.result, hidden) } : answer
  }))
  return { ...reply, text: Array.isArray(parsed) ? text : text.slice(1, -1) }
}

const withLiar = (books: ReadonlyArray<NetworkBook>) =>
  Effect.map(NodeFront.listen(answered), (liar) => liar.inFront("liar", books))

/** A vault whose sale of pool tokens waits, because the node hides the withdrawal that its first step has begun. */
const waitingSale = Effect.gen(function*() {
  const { ask } = yield* Running
  const pool = yield* OnChain.createVault(network, 1_000n)
  yield* PoolTokens.enable(network, pool)
  yield* PoolTokens.setCooldown(network, 0n)
  const { address, apiKey } = yield* trader({ network, pool })
  const sent = OnChain.transactionCount(network, address)
  const trade = (from: string, to: string) =>
    ask("/vaultTrade", { json: { apiKey, network, pool, from, to, share: 100, slippage: 1 } })
  const { fields, text } = yield* trade("USDC", PoolTokens.symbol)
  assert.strictEqual((yield* ended(ask, apiKey, fields["intent_id"]))["status"], "success", text)
  const count = yield* sent
  isArmed = true
  const { intent_id: id } = (yield* trade(PoolTokens.symbol, "USDC")).fields
  yield* until(
    "the reason to wait",
    Effect.map(
      rows(`select waiting from intents where id = '${String(id)}'`),
      ([row]) => /nodes show no withdrawal/.test(String(row?.["waiting"])) ? row : undefined
    )
  )
  return { apiKey, ask, count, id, pool, sent, steps: PoolTokens.steps(network, pool) }
})

const service = running({ books: withLiar, env: { WAIT_SECONDS: "2" } })

layer(service, { timeout: 240_000, excludeTestServices: true })("a node that hides a withdrawal", (it) => {
  it.effect("makes the redemption wait with that reason; the first step is never repeated, and the second follows the lie's end", () =>
    Effect.gen(function*() {
      const { apiKey, ask, count, id, pool, sent, steps } = yield* waitingSale
      assert.deepStrictEqual([yield* steps, yield* sent], [{ inits: 1, completes: 0 }, count + 1])
      const shown = (yield* ask("/poolComposition", { query: { apiKey, network, pool } })).fields
      const line = (shown["composition"] as ReadonlyArray<Record<string, unknown>>).find(({ asset_type: type }) =>
        type === 30
      )
      assert.deepInclude(line, { kind: "position", value_usd: 1_000 })
      assert.match(String(line?.["label"]), /^Withdrawal in progress/)
      isArmed = false
      isLying = false
      const { message, status } = yield* ended(ask, apiKey, id)
      assert.strictEqual(status, "success", String(message))
      assert.deepStrictEqual([yield* steps, yield* sent], [{ inits: 1, completes: 1 }, count + 2])
    }))

  it.effect("waits, and ends once the manager has paid the withdrawal out by hand: nothing is sent or charged for it", () =>
    Effect.gen(function*() {
      const { apiKey, ask, count, id, pool, sent, steps } = yield* waitingSale
      const paidBy = yield* PoolTokens.claimByHand(network, pool)
      const { message, result, status, tx_hash: hash } = yield* ended(ask, apiKey, id)
      isArmed = false
      isLying = false
      assert.strictEqual(status, "success", String(message))
      assert.match(String(message), new RegExp(`^The withdrawal was paid out by ${paidBy}, which this service did not`))
      const { redemption } = result as { readonly redemption: Readonly<Record<string, unknown>> }
      assert.deepInclude(redemption, { paid_by: paidBy, init_tx_hash: hash })
      assert.deepInclude((redemption["paid_out"] as ReadonlyArray<object>)[0], { symbol: "USDC", raw: "1000000000" })
      assert.deepStrictEqual([yield* steps, yield* sent], [{ inits: 1, completes: 1 }, count + 1])
      assert.deepStrictEqual(yield* rows(`select id from charges where intent_id = '${String(id)}'`), [])
    }))
})
