/** The check of wallets whose lanes have nothing to do, after reorgs of final blocks. */
import { assert, layer } from "@effect/vitest"
import { FinalCheckpointStore } from "@vault-trader/core/gas-wallet/FinalCheckpointStore"
import * as Blocks from "@vault-trader/testing/test-chain/Blocks"
import * as Sharding from "effect/cluster/Sharding"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { Chains } from "../../src/chain/Chains.ts"
import type { RpcEndpoint } from "../../src/chain/RpcEndpoint.ts"
import { RpcUnavailable } from "../../src/chain/RpcFailure.ts"
import * as FinalityWatch from "../../src/gas-wallet/FinalityWatch.ts"
import { clientOver, endpointOf } from "../chain/TestClient.ts"
import * as TestLane from "./TestLane.ts"
import { network, until } from "./TestLane.ts"

/** A wallet whose one transaction is final and whose lane has nothing to do, and the check of its network. */
const idle = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // Each test has a chain of its own, and the check covers all wallets of a network.
  yield* sql`delete from final_checkpoints`
  yield* sql`update submissions set status = 'superseded', receipt = null where status in ('mined', 'final')`
  const bench = yield* TestLane.make({ patienceMillis: 60_000, finalityDepth: 1 })
  const lane = yield* bench.open
  const key = yield* bench.put()
  const waiter = yield* Effect.forkChild(lane.submit(key))
  yield* until(bench.chain.waiting, (waiting) => waiting.length > 0)
  yield* bench.chain.mine(3)
  yield* Fiber.join(waiter)
  yield* until(bench.row(key), ({ status }) => status === "final")
  const liar: { mode: "none" | "lies" | "hangs" } = { mode: "none" }
  // One of three endpoints, which may have other blocks than the others, or never answer.
  const answering = endpointOf("liar", (method, params) =>
    Effect.map(
      bench.chain.request(method, params),
      (answer) =>
        liar.mode === "lies" && method === "eth_getBlockByNumber" && answer !== null
          ? { ...answer as object, hash: `0x${"d".repeat(64)}` }
          : answer
    ), 1)
  const timeout = Effect.andThen(
    Effect.sleep("20 millis"),
    Effect.fail(new RpcUnavailable({ network, reason: "timeout" }))
  )
  const lying: RpcEndpoint = {
    ...answering,
    send: (call) => liar.mode === "hangs" ? timeout : answering.send(call)
  }
  const others = ["one", "other"].map((name) => endpointOf(name, bench.chain.request))
  const client = yield* clientOver(bench.chain, [lying, ...others], { blockPollMillis: 5, finalityDepth: 1 })
  const state = { isReachable: true, rechecks: 0 }
  const recheck = Effect.suspend(() => {
    state.rechecks += 1
    return state.isReachable ? lane.recheck : Effect.fail("unreachable")
  })
  const services = Layer.mergeAll(
    FinalCheckpointStore.layer,
    Chains.layerOf(new Map([[network, client]])),
    // The types of a client's methods follow from its entity, which a stub of all entities cannot name.
    Layer.succeed(Sharding.Sharding, { makeClient: () => Effect.succeed(() => ({ recheck: () => recheck })) } as never)
  )
  const checkOf = (maxBlocks?: number) => Effect.provide(FinalityWatch.check(network, maxBlocks), services)
  const checkpoint = Effect.provide(
    Effect.flatMap(FinalCheckpointStore, ({ read }) => read(network)),
    FinalCheckpointStore.layer
  )
  /** Waits until the row has the block of the present chain that holds the transaction. */
  const follows = until(
    Effect.all([bench.row(key), bench.chain.blocks]),
    ([{ receipt, status }, blocks]) =>
      status === "final" &&
      blocks.some(({ hash, transactions }) => hash === receipt?.blockHash && transactions.length === 1)
  )
  return { bench, check: checkOf(), checkOf, checkpoint, follows, key, liar, state }
})

layer(TestLane.Stores, { timeout: "4 minutes", excludeTestServices: true })("the check of final transactions", (it) => {
  it.effect("has an idle lane follow a reorg of final blocks after which its wallet has as many transactions", () =>
    Effect.gen(function*() {
      const { bench, check, checkpoint, follows, state } = yield* idle
      yield* check
      assert.strictEqual(state.rechecks, 0)
      assert.strictEqual(Option.getOrThrow(yield* checkpoint).number, 2n)
      yield* bench.chain.reorg(3, { empty: 1 })
      yield* check
      assert.strictEqual(state.rechecks, 1)
      yield* bench.mining
      yield* follows
    }))

  it.effect("repeats the check until the lane was reached, also once a newer block is final", () =>
    Effect.gen(function*() {
      const { bench, check, checkpoint, follows, state } = yield* idle
      yield* check
      const before = yield* checkpoint
      state.isReachable = false
      yield* bench.chain.reorg(3, { empty: 1 })
      yield* bench.chain.mine(20)
      yield* check
      assert.deepStrictEqual(yield* checkpoint, before)
      state.isReachable = true
      yield* check
      yield* bench.mining
      yield* follows
      assert.strictEqual(state.rechecks, 2)
      yield* until(Effect.andThen(check, checkpoint), (now) => Option.getOrThrow(now).number > 20n)
    }))

  it.effect("neither believes one of three endpoints that has other blocks nor waits for it", () =>
    Effect.gen(function*() {
      const { bench, check, checkpoint, liar, state } = yield* idle
      yield* check
      liar.mode = "lies"
      yield* bench.chain.mine(5)
      yield* until(Effect.andThen(check, checkpoint), (now) => Option.getOrThrow(now).number > 5n)
      assert.strictEqual(state.rechecks, 0)
      assert.notStrictEqual(Option.getOrThrow(yield* checkpoint).hash, `0x${"d".repeat(64)}`)
    }))

  it.effect("continues while one of three endpoints never answers", () =>
    Effect.gen(function*() {
      const { bench, check, checkpoint, follows, liar, state } = yield* idle
      yield* check
      liar.mode = "hangs"
      yield* bench.chain.reorg(3, { empty: 1 })
      yield* check
      assert.strictEqual(state.rechecks, 1)
      yield* bench.mining
      yield* follows
      yield* until(Effect.andThen(check, checkpoint), (now) => Option.getOrThrow(now).number > 2n)
    }))

  it.effect("covers all wallets after a restore of the database, whose last complete check is older", () =>
    Effect.gen(function*() {
      const { bench, check, checkpoint, follows, state } = yield* idle
      const sql = yield* SqlClient.SqlClient
      yield* check
      const [before] = yield* sql`select * from final_checkpoints`
      yield* bench.chain.mine(20)
      yield* until(Effect.andThen(check, checkpoint), (now) => Option.getOrThrow(now).number > 20n)
      yield* sql`update final_checkpoints set ${sql.update(before!, ["network"])}`
      yield* bench.chain.reorg(23, { empty: 1 })
      yield* check
      assert.strictEqual(state.rechecks, 1)
      yield* bench.mining
      yield* follows
    }))

  it.effect("reads so many blocks at a time, and all of them one after the other", () =>
    Effect.gen(function*() {
      const { bench, checkOf, checkpoint, key } = yield* idle
      const sql = yield* SqlClient.SqlClient
      const { receipt } = yield* bench.row(key)
      yield* bench.chain.mine(10)
      const { number } = yield* bench.chain.head
      const later = (yield* bench.chain.blocks).find((block) => block.number === number - 4n)!
      // Another wallet, with its final transaction in a later block.
      const other = `0x${"e".repeat(40)}`
      yield* sql`insert into gas_wallets select (jsonb_populate_record(w, ${
        JSON.stringify({ address: other })
      }::jsonb)).*
        from gas_wallets w where address = ${bench.wallet}`
      yield* sql`insert into submissions select (jsonb_populate_record(s, ${
        JSON.stringify({
          key: `${key}/other`,
          wallet: other,
          receipt: { ...receipt, blockHash: later.hash, blockNumber: later.number.toString() }
        }, (_, value: unknown) => typeof value === "bigint" ? value.toString() : value)
      }::jsonb)).*
        from submissions s where key = ${key}`
      const seen: Array<bigint> = []
      for (const _ of [1, 2, 3]) {
        yield* checkOf(1)
        seen.push(Option.getOrThrow(yield* checkpoint).number)
      }
      yield* sql`delete from submissions where wallet = ${other}`
      yield* sql`delete from gas_wallets where address = ${other}`
      assert.deepStrictEqual(seen, [receipt!.blockNumber, later.number, number - 1n])
    }))

  it.effect("waits for a branch that has not reached the blocks of the last complete check yet", () =>
    Effect.gen(function*() {
      const { bench, check, checkpoint, state } = yield* idle
      yield* bench.chain.mine(10)
      yield* until(Effect.andThen(check, checkpoint), (now) => Option.getOrThrow(now).number > 10n)
      const before = yield* checkpoint
      yield* bench.chain.restore(yield* Effect.map(bench.chain.snapshot, (now) => Blocks.behind(now, 13)))
      yield* bench.chain.mine(3)
      yield* check
      assert.deepStrictEqual(yield* checkpoint, before)
      yield* bench.chain.mine(20)
      yield* until(Effect.andThen(check, Effect.sync(() => state.rechecks)), (rechecks) => rechecks > 0)
    }))

  it.effect("reads nothing below the block of the last complete check while that is in its place", () =>
    Effect.gen(function*() {
      const { bench, check, state } = yield* idle
      yield* check
      yield* bench.chain.mine(5)
      const sql = yield* SqlClient.SqlClient
      yield* sql`update submissions set receipt = jsonb_set(receipt, '{blockHash}', to_jsonb(${`0x${
        "1".repeat(64)
      }`}::text))
        where wallet = ${bench.wallet}`
      yield* check
      assert.strictEqual(state.rechecks, 0)
    }))
})
