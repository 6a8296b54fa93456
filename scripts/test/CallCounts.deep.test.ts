import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { counted } from "../bench/engine/WarmTrades.ts"
import {
  type Answer,
  type Fields,
  rows,
  Running,
  running,
  trader,
  wallet,
  yieldVault
} from "@vault-trader/testing/harness/Harness"
import * as ManualClock from "@vault-trader/testing/harness/ManualClock"
import { RpcProxy } from "@vault-trader/testing/harness/RpcProxy"
import { until } from "@vault-trader/testing/harness/Until"

const network = "base"
const time = ManualClock.make()

/** The service with a proxy that counts calls; a slow machine's answers are waited for, not requested again. */
const service = running({
  // The gas monitor makes calls at its own pace.
  env: { RPC_TIMEOUT_MS: "60000", WAIT_SECONDS: "60", GAS_CHECK_SECONDS: "86400" },
  books: (books) => Effect.map(RpcProxy, ({ inFront }) => inFront(books))
}).pipe(Layer.provide(Layer.succeed(Clock.Clock, time.clock)), Layer.provideMerge(RpcProxy.layer))

/** Longer than any cached read is valid for another caller. */
const pause = 20_000

/** Lines of docs/performance.md, by action. */
const documented = (() => {
  const text = Fs.readFileSync(Path.join(import.meta.dirname, "../../docs/performance.md"), "utf8")
  const [, table = ""] = text.split("## JSON-RPC calls per action\n")
  return new Map(
    Array.from(table.matchAll(/^\| (`[^|]+) \| [^|]+ \| [^|]+ \|$/gm), ([line, action = ""]) => [action, line])
  )
})()
/** The measured lines, as the document should have them. */
const seen = new Map<string, string>()

/** Waits until earlier requests have no calls in progress: everything is final, and the proxy sees no further calls. */
const quiet = Effect.gen(function*() {
  const proxy = yield* RpcProxy
  const rpc = yield* Effect.orDie(Effect.flatMap(Devnet, (devnet) => devnet.rpc(network)))
  yield* Effect.orDie(rpc.mine)
  yield* until(
    "everything is final",
    Effect.map(
      rows("select count(*)::int as open from submissions where status in ('queued', 'signed', 'mined')"),
      ([row]) => row?.["open"] === 0 ? true : undefined
    )
  )
  let [heard, silent] = [-1, 0]
  yield* until(
    "the node is left alone",
    Effect.map(proxy.methods, ({ length }) => {
      silent = length === heard ? silent + 1 : 0
      heard = length
      return silent >= 6 ? true : undefined
    })
  )
})

type Ask = Effect.Effect<Answer, never, Running>

/**
 * Returns the node calls of a request as `n: method n, …`. Polling for the receipt, which starts after the nonce was
 * read, is separate.
 */
const callsOf = (request: Ask) =>
  Effect.gen(function*() {
    const proxy = yield* RpcProxy
    yield* quiet
    yield* proxy.forget
    const { fields, text } = yield* request
    // The chain id is read every few minutes, whatever is requested, and here the clock jumps.
    const methods = (yield* proxy.methods).filter((method) => method !== "eth_chainId")
    assert.strictEqual(fields["status"], "success", text)
    const departed = methods.indexOf("eth_getTransactionCount")
    const { calls } = counted(
      methods.map((method) => ({ methods: [method] })),
      departed === -1 ? methods.length : departed + 1
    )
    const total = Array.from(calls.values()).reduce((sum, each) => sum + each, 0)
    const each = Array.from(calls).sort(([one], [other]) => one < other ? -1 : 1).map(([method, times]) =>
      `${method} ${times}`
    )
    return total === 0 ? "none" : `${total}: ${each.join(", ")}`
  })

/** Compares the calls of an action with the document, after a pause and a moment later. Each request succeeds again. */
const measured = (action: string, request: Ask) =>
  Effect.gen(function*() {
    // The first request fills the caches of the process.
    yield* callsOf(request)
    const [cold, warm] = yield* time.held(Effect.gen(function*() {
      yield* time.forward(pause)
      return [yield* callsOf(request), yield* callsOf(request)] as const
    }))
    seen.set(action, `| ${action} | ${warm} | ${cold} |`)
    assert.strictEqual(seen.get(action), documented.get(action), "measured, and said in docs/performance.md")
  })

/** Builds requests one after the other, each different. */
const counting = (request: (turn: number) => Ask): Ask => {
  let turn = 0
  return Effect.suspend(() => request(++turn))
}

const succeeding = (path: string, json: Fields): Ask => Effect.flatMap(Running, ({ ask }) => ask(path, { json }))

/** A vault of 10,000 USDC with fees that makes a profit before each request. */
const earning = (manager: Address) =>
  Effect.gen(function*() {
    const devnet = yield* Devnet
    const { pool } = yield* Effect.orDie(
      devnet.createVault({ network, name: "Calls", performanceFee: 2_000n, invested: 10_000_000_000n, manager })
    )
    const earn = Effect.orDie(devnet.mintToken({ network, symbol: "USDC", address: pool, amount: 100_000_000n }))
    return { pool, earn }
  })

layer(service, { timeout: 300_000, excludeTestServices: true })(
  "what an action asks of the node is what docs/performance.md says:",
  (it) => {
    it.effect("trades and approvals", () =>
      Effect.gen(function*() {
        const { apiKey, pool } = yield* trader()
        const about = { apiKey, network, pool }
        yield* measured("`vaultTrade`", succeeding("/vaultTrade", { ...about, from: "USDC", to: "WETH", amount: 1 }))
        yield* measured(
          "`approve` for a venue",
          counting((amount) => succeeding("/approve", { ...about, asset: "DAI", amount }))
        )
      }))

    it.effect("lending", () =>
      Effect.gen(function*() {
        const { apiKey, pool } = yield* trader({ pool: yield* yieldVault(network) })
        const about = { apiKey, network, pool }
        for (
          const [name, platform] of [["lenderAV3", "lenderA"], ["lenderBV3", "lenderB"], [
            "lenderC",
            "lenderC"
          ]] as const
        ) {
          yield* measured(
            `\`approve\` for ${platform}`,
            counting((amount) => succeeding("/approve", { ...about, asset: "USDC", amount: amount / 100, platform }))
          )
          yield* measured(`\`${name}/lend\``, succeeding(`/${name}/lend`, { ...about, asset: "USDC", amount: 100 }))
          yield* measured(`\`${name}/unlend\``, succeeding(`/${name}/unlend`, { ...about, asset: "USDC", amount: 1 }))
        }
        yield* measured("`lenderAV3/borrow`", succeeding("/lenderAV3/borrow", { ...about, asset: "DAI", amount: 10 }))
        yield* measured("`lenderAV3/repay`", succeeding("/lenderAV3/repay", { ...about, asset: "DAI", amount: 1 }))
        yield* measured(
          "`lenderAV3/unlend` of a vault that owes",
          succeeding("/lenderAV3/unlend", { ...about, asset: "USDC", amount: 1 })
        )
        yield* measured("`lenderAV3/getHealthFactor`", succeeding("/lenderAV3/getHealthFactor", about))
      }))

    it.effect("liquidity", () =>
      Effect.gen(function*() {
        const { apiKey, pool } = yield* trader({ pool: yield* yieldVault(network) })
        const pair = { apiKey, network, pool, asset1: "WETH", asset2: "USDC" }
        const add = { ...pair, input_asset: "USDC", amount: 100, fee_tier: 3000 }
        yield* measured("`addLiquidity` to a position", succeeding("/addLiquidity", add))
        const { fields } = yield* succeeding("/addLiquidity", add)
        yield* measured(
          "`removeLiquidity` of a part",
          succeeding("/removeLiquidity", { ...pair, token_id: fields["token_id"], amount: 10 })
        )
        yield* measured("`poolComposition`", succeeding("/poolComposition", { apiKey, network, pool }))
      }))

    it.effect("manager fees", () =>
      Effect.gen(function*() {
        const { apiKey } = yield* trader()
        const { address: manager } = yield* wallet
        const vaults = [yield* earning(manager), yield* earning(manager)] as const
        const earn = Effect.forEach(vaults, (vault) => vault.earn)
        const [{ pool }] = vaults
        yield* measured(
          "`mintManagerFee`",
          Effect.andThen(earn, succeeding("/mintManagerFee", { apiKey, network, pool }))
        )
        yield* measured(
          "`mintManagerFeeBatch` of two",
          Effect.andThen(
            earn,
            succeeding("/mintManagerFeeBatch", {
              apiKey,
              network,
              pools: vaults.map((vault) => vault.pool)
            })
          )
        )
        const sweep = Effect.andThen(earn, succeeding("/mintAllFeesByManager", { apiKey, network, manager }))
        // The index of vaults is complete after one sweep and confirmed after the next.
        yield* callsOf(sweep)
        yield* measured("`mintAllFeesByManager` of two", sweep)
      }))

    it.effect("reads", () =>
      Effect.gen(function*() {
        const { address, apiKey, pool } = yield* trader()
        yield* measured("`getGasBalance`", succeeding("/getGasBalance", { apiKey, network }))
        yield* measured("`isPoolTrader`", succeeding("/isPoolTrader", { apiKey, network, pool, trader: address }))
        // lenderC's rate is computed from past blocks: as far back as a chain of this height has any.
        const rpc = yield* Effect.orDie(Effect.flatMap(Devnet, (devnet) => devnet.rpc(network)))
        yield* Effect.orDie(rpc.request("anvil_mine", ["0x96", "0x1"], Schema.Unknown))
        yield* measured("`getAllYields`", succeeding("/getAllYields", { apiKey, network }))
        yield* measured(
          "`getEstimatedAnualYield`",
          succeeding("/getEstimatedAnualYield", { apiKey, network, pool: yield* yieldVault(network) })
        )
      }))

    it.effect("and it says nothing that is not measured", () =>
      Effect.sync(() => assert.deepStrictEqual([...seen.values()].sort(), [...documented.values()].sort())))
  }
)
