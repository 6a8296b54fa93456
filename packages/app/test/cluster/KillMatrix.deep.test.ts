/**
 * A runner, the server, or every database session is killed at each point right after a commit, under each way of
 * mining blocks. Six trades are brought to the six checkpoints, then one failure hits all of them.
 */
import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as ChainProof from "@vault-trader/testing/harness/ChainProof"
import * as ProcessGroup from "@vault-trader/testing/harness/ProcessGroup"
import { type Answer, demoVault, wallet } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import {
  mineOnceMore,
  minings,
  networks,
  type Point,
  points,
  poise,
  setMining,
  stateOf,
  statesAt
} from "@vault-trader/testing/harness/Checkpoints"
import { RpcHold } from "@vault-trader/testing/harness/RpcHold"
import * as Trades from "@vault-trader/testing/harness/Trades"

const all = Object.keys(points) as ReadonlyArray<Point>

/** One wallet, a vault for each checkpoint, and the proof of everything that happens to them. */
class Matrix extends Context.Service<Matrix, {
  readonly wanted: (point: Point) => Trades.TradeRequest
  readonly holdsWith: ChainProof.ChainProof["holdsWith"]
}>()("vault-trader/scripts/test/Matrix") {
  static readonly layer = Layer.effect(
    Matrix,
    Effect.gen(function*() {
      const devnet = yield* Devnet
      const by = yield* wallet
      const vaults = yield* Effect.forEach(all, (point) =>
        Effect.gen(function*() {
          const network = points[point]
          const pool = point === "outcome" ? yield* OnChain.createVault(network, 10_000n) : yield* demoVault(network)
          yield* Effect.orDie(devnet.faucet({ network, address: by.address, amountWei: 10n ** 18n }))
          yield* Effect.orDie(devnet.setTrader({ network, pool, trader: by.address }))
          return { by, network, pool }
        }))
      const { holdsWith } = yield* ChainProof.begin(vaults)
      return { wanted: (point) => Trades.wanted(vaults[all.indexOf(point)]!), holdsWith }
    })
  )
}

/** The failures, and how to recover from each. */
const failures = {
  "the runner": {
    inject: ({ the }: ProcessGroup.ProcessGroup["Service"]) =>
      Effect.gen(function*() {
        yield* the("runner-1").kill
        yield* (yield* RpcHold).bury("runner-1")
      }),
    recover: ({ start, the }: ProcessGroup.ProcessGroup["Service"]) =>
      Effect.andThen(the("server").thaw, start("runner-1"))
  },
  "the server": {
    inject: ({ the }: ProcessGroup.ProcessGroup["Service"]) => the("server").kill,
    recover: ({ start }: ProcessGroup.ProcessGroup["Service"]) => start("server")
  },
  "every database session": {
    inject: ({ cutOff }: ProcessGroup.ProcessGroup["Service"]) => cutOff(["server", "runner-1"]),
    recover: ({ the }: ProcessGroup.ProcessGroup["Service"]) => the("server").thaw
  }
} as const

/** Checks the first caller's answer, if it got one: the same intent, completed or pending. */
const heardTheTruth = (caller: Fiber.Fiber<Exit.Exit<Answer>>, intentId: string | undefined) =>
  Effect.map(Fiber.join(caller), (heard) => {
    if (Exit.isFailure(heard)) return
    const { fields, text } = heard.value
    assert.include(["success", "pending"], fields["status"], text)
    assert.strictEqual(fields["intent_id"], intentId)
  })

// No caller is answered before all six trades are at their checkpoints.
const env = { RPC_TIMEOUT_MS: "300000", WAIT_SECONDS: "40" }
const fleet = ProcessGroup.layer({ names: ["server", "runner-1"], networks, env })

const suite = layer(Layer.provideMerge(Matrix.layer, fleet), { timeout: 240_000, excludeTestServices: true })

suite("everything accepted is carried out once", (it) => {
  for (const mining of minings) {
    for (const [what, { inject, recover }] of Object.entries(failures)) {
      it.effect(
        `when ${what} dies with a trade ${all.join(", ")}, and blocks are made ${mining}`,
        () =>
          Effect.gen(function*() {
            const { holdsWith, wanted } = yield* Matrix
            const fleet = yield* ProcessGroup.ProcessGroup
            yield* setMining(mining)
            const trades = Object.fromEntries(all.map((point) => [point, wanted(point)])) as Record<
              Point,
              Trades.TradeRequest
            >
            const checkpoints = yield* poise(trades, mining)
            const ids = new Map<Point, string | undefined>()
            for (const point of all) {
              assert.deepInclude(statesAt[point](mining), yield* stateOf(trades[point]), point)
              assert.isUndefined(checkpoints[point].caller.pollUnsafe(), `the trade ${point} is answered`)
              ids.set(point, (yield* Trades.intentOf(trades[point]))?.id)
            }
            const failedAt = performance.now()
            yield* inject(fleet)
            for (const point of all) yield* checkpoints[point].release
            yield* recover(fleet)
            yield* mineOnceMore(mining)

            const done = yield* Effect.forEach(all, (point) => Trades.settled(trades[point]), {
              concurrency: "unbounded"
            })
            assert.deepStrictEqual(done.map(({ intentId }) => intentId), all.map((point) => ids.get(point)))
            for (const point of all) yield* heardTheTruth(checkpoints[point].caller, ids.get(point))
            yield* holdsWith(done)
            const seconds = ((performance.now() - failedAt) / 1000).toFixed(1)
            console.log(`6 cells: ${what}, blocks ${mining}: settled and proven ${seconds} s after the blow`)
          }).pipe(Effect.scoped),
        600_000
      )
    }
  }
})
