import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import { setTimeout } from "node:timers/promises"
import { toFunctionSelector } from "viem"
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { rows, running } from "@vault-trader/testing/harness/Harness"
import { makeDue, network, scene } from "@vault-trader/testing/harness/IndexSetup"
import * as LyingFront from "@vault-trader/testing/harness/LyingFront"
import * as NodeFront from "@vault-trader/testing/harness/NodeFront"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { until } from "@vault-trader/testing/harness/Until"
import { type Change, multiplied } from "@vault-trader/testing/test-chain/AlteredCalls"

/** The lie of the first of the network's two endpoints. */
let lie: Change | undefined
let lies = 0

/** Changes the answers to calls of the multicall as the lie says. */
const answered = LyingFront.answering((call, result) => {
  const told = lie === undefined ? undefined : LyingFront.inMulticall(lie)(call, result)
  if (told !== undefined) lies += 1
  return told
})

/** Milliseconds that the honest endpoint is away. Until a lie was read, so far that the liar is asked too. */
const away = () => lie !== undefined && lies === 0 ? 1_000 : 30

/** Puts a liar before the network's node, and as the second endpoint an honest front that is farther away. */
const withLiar = (books: ReadonlyArray<NetworkBook>) =>
  Effect.gen(function*() {
    const liar = yield* NodeFront.listen(answered)
    const honest = yield* NodeFront.listen(({ forward }) => setTimeout(away()).then(() => forward()))
    const far = honest.inFront("honest", books)
    return liar.inFront("liar", books).map((near, index) =>
      NetworkBook.make({ ...near, rpcUrls: [near.rpcUrls[0], ...(far[index]?.rpcUrls ?? [])] })
    )
  })

/** Returns true while no read has gone to the liar, which a busy machine can make the slower of the two. */
const isUnheard = (looks: number) => lies === 0 && looks < 60

const whileLying = <A, E, R>(change: Change, effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      lie = change
      lies = 0
    }),
    () => effect,
    () =>
      Effect.sync(() => {
        lie = undefined
      })
  )

const selectors = ["getAssetPrice(address)", "assetValue(address)"].map(toFunctionSelector)

layer(running({ books: withLiar, env: { BOT_CHECK_SECONDS: "1", FOLLOWER_CHECK_SECONDS: "5" } }), {
  timeout: 240_000,
  excludeTestServices: true
})(
  "bots of a network with two endpoints, one of which lies",
  (it) => {
    it.effect("an index trades nothing by what the other endpoint does not confirm, and resumes after the lie", () =>
      Effect.gen(function*() {
        const { of, pool, sent, set } = yield* scene()
        succeeded(yield* of("/vaultTrade", { from: "USDC", to: "WETH", amount: 400 }))
        const targets = [{ asset: "WETH", weight: 40, tolerance: 3 }, { asset: "USDC", weight: 60, tolerance: 100 }]
        succeeded(yield* set({ targets, min_trade_usd: 10, enabled: true }))
        const decided = until(
          "a decision",
          Effect.map(
            rows(`select last_decision from index_bots where pool = '${pool}' and next_run_at > now()`),
            ([row]) => typeof row?.["last_decision"] === "string" ? row["last_decision"] : undefined
          )
        )
        assert.match(yield* decided, /^Every weight is within its tolerance/)
        const count = yield* sent
        const weth = yield* OnChain.token(network, "WETH")
        yield* whileLying(
          multiplied(selectors, weth, 3n),
          Effect.gen(function*() {
            for (let look = 0; look < 4 || isUnheard(look); look++) {
              yield* rows(`update index_bots set last_decision = null where pool = '${pool}'`)
              yield* makeDue(pool)
              assert.match(
                yield* decided,
                /^Every weight is within|contradict each other|no second RPC endpoint/
              )
            }
            assert.isAbove(lies, 0)
          })
        )
        assert.strictEqual(yield* sent, count)
        assert.deepStrictEqual(yield* rows(`select 1 from index_runs where pool = '${pool}'`), [])
        succeeded(
          yield* set({
            targets: [{ asset: "WETH", weight: 20, tolerance: 3 }, { asset: "USDC", weight: 80, tolerance: 100 }],
            min_trade_usd: 10,
            enabled: true
          })
        )
        yield* until("a trade", Effect.map(sent, (now) => now > count ? true : undefined))
      }))

    it.effect("a threshold bot does the same", () =>
      Effect.gen(function*() {
        const { of, pool, sent } = yield* scene()
        succeeded(yield* of("/vaultTrade", { from: "USDC", to: "WETH", amount: 10 }))
        const count = yield* sent
        const checked = until(
          "a check",
          Effect.map(
            rows(`select last_decision ->> 'reason' as reason from threshold_bots where pool = '${pool}'`),
            ([row]) => typeof row?.["reason"] === "string" ? row["reason"] : undefined
          )
        )
        const weth = yield* OnChain.token(network, "WETH")
        yield* whileLying(
          multiplied(selectors, weth, 5n),
          Effect.gen(function*() {
            // By the lie it holds 5 % of WETH, truly 1 %. A new bot waits for the chain no longer than the honest
            // endpoint is away: where its first read goes there, the call is refused as without a node, or kept.
            const set = yield* until(
              "the bot to be set",
              Effect.map(
                of("/setBot", { pair: "WETH-USDC", side: "neutral", threshold: 3, max_usd: 100 }),
                (answer) => answer.body["error_type"] === "rpc_unavailable" ? undefined : answer
              )
            )
            assert.include(["success", "pending"], set.fields["status"], set.text)
            for (let look = 0; look < 1 || isUnheard(look); look++) {
              yield* rows(
                `update threshold_bots set last_decision = null, next_check = now() where pool = '${pool}' and open_intent is null`
              )
              assert.match(yield* checked, /the threshold is 3 %|contradict each other|no second RPC endpoint/)
            }
            assert.isAbove(lies, 0)
          })
        )
        assert.strictEqual(yield* sent, count)
        succeeded(yield* of("/setBot", { pair: "WETH-USDC", side: "long", threshold: 3, max_usd: 100 }))
        yield* until("a trade", Effect.map(sent, (now) => now > count ? true : undefined))
      }))

    it.effect("a follower copies no trade of its leader that is in no block, and the leader's next one", () =>
      Effect.gen(function*() {
        const { of, pool, sent } = yield* scene()
        const devnet = yield* Devnet
        const leader = privateKeyToAddress(generatePrivateKey()).toLowerCase() as Address
        const give = (symbol: string, amount: bigint) =>
          Effect.orDie(devnet.mintToken({ network, symbol, address: leader, amount }))
        yield* give("USDC", 3_000_000_000n)
        succeeded(yield* of("/setFollower", { leader, max_usd: 100, slippage: 3, max_impact: 3 }))
        const looked = Effect.andThen(
          rows(
            `update vault_followers set reason = '', next_check = now() where pool = '${pool}' and open_intent is null`
          ),
          until(
            "a reading",
            Effect.map(
              rows(`select reason from vault_followers where pool = '${pool}' and reason <> ''`),
              ([row]) => row?.["reason"] as string | undefined
            )
          )
        )
        assert.match(yield* looked, /^Every weight is within/)
        const count = yield* sent
        const weth = yield* OnChain.token(network, "WETH")
        const holding = toFunctionSelector("balanceOf(address)")
        // By the lie it has bought one WETH.
        const bought: Change = ({ data, target }, { success }) =>
          target === weth && data.startsWith(holding) && data.endsWith(leader.slice(2))
            ? { success, returnData: `0x${(10n ** 18n).toString(16).padStart(64, "0")}` }
            : undefined
        yield* whileLying(
          bought,
          Effect.gen(function*() {
            for (let look = 0; look < 4 || isUnheard(look); look++) {
              assert.match(yield* looked, /Every weight is within|contradict each other|no second RPC endpoint/)
            }
            assert.isAbove(lies, 0)
          })
        )
        assert.strictEqual(yield* sent, count)
        yield* give("WETH", 10n ** 18n)
        yield* until("a trade", Effect.map(sent, (now) => now > count ? true : undefined))
      }))
  }
)
