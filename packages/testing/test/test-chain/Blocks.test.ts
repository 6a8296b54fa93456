import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as ChainState from "../../src/test-chain/ChainState.ts"
import { number } from "./Calls.ts"
import { ether, gwei, manager, reasonOf, start, stranger, trader } from "./Trader.ts"

/** A JSON object in a node's response. */
const fields = (answer: unknown) => answer as Record<string, unknown> // A test reads foreign JSON.

it.effect("blocks are mined on demand, linked by hashes, timed by the clock", () =>
  Effect.gen(function*() {
    const { chain } = yield* start()
    yield* TestClock.adjust("90 seconds")
    const first = yield* chain.mine()
    const second = yield* chain.mine()
    assert.deepStrictEqual([first.number, first.timestamp, second.timestamp], [1n, 90n, 90n])
    assert.strictEqual(second.parentHash, first.hash)
    assert.strictEqual(yield* chain.request("eth_blockNumber", []), "0x2")
    const block = fields(yield* chain.request("eth_getBlockByNumber", ["0x1", false]))
    assert.deepStrictEqual([block["number"], block["hash"], block["timestamp"], block["baseFeePerGas"]], [
      "0x1",
      first.hash,
      "0x5a",
      "0x3b9aca00"
    ])
    assert.isNull(yield* chain.request("eth_getBlockByNumber", ["0x3", false]))
    assert.strictEqual(yield* reasonOf(chain.request("eth_getBalance", [trader, "0x3"])), "header not found")
  }))

it.effect("the same seed and calls give the same hashes, another seed gives others", () =>
  Effect.gen(function*() {
    const life = (seed: number) =>
      Effect.gen(function*() {
        const { chain, send } = yield* start({ seed })
        yield* send({})
        yield* chain.mine(2)
        yield* chain.reorg(1)
        return (yield* chain.blocks).map(({ hash }) => hash)
      })
    assert.deepStrictEqual(yield* life(1), yield* life(1))
    assert.notDeepEqual(yield* life(1), yield* life(2))
  }))

it.effect("unpinned, the base fee falls by an eighth without transactions and rises with full blocks", () =>
  Effect.gen(function*() {
    const { chain, send } = yield* start({ blockGasLimit: 42_000n })
    yield* chain.setBaseFee(undefined)
    yield* chain.mine()
    const fee = (yield* chain.mine()).baseFee
    assert.strictEqual(fee, gwei - gwei / 8n)
    yield* send({ nonce: 0 })
    yield* send({ nonce: 1 })
    const full = yield* chain.mine()
    assert.strictEqual(full.gasUsed, 42_000n)
    assert.strictEqual((yield* chain.mine()).baseFee, full.baseFee + full.baseFee / 8n)
  }))

it.effect("gas is paid at base fee and tip, the base fee is burnt, unused gas is refunded", () =>
  Effect.gen(function*() {
    const { chain, send } = yield* start()
    const hash = yield* send({ gas: 100_000n, maxFee: 10n * gwei, tip: 2n * gwei, value: ether })
    yield* chain.mine()
    const receipt = fields(yield* chain.request("eth_getTransactionReceipt", [hash]))
    assert.deepStrictEqual([receipt["status"], receipt["gasUsed"], receipt["effectiveGasPrice"]], [
      "0x1",
      "0x5208",
      "0xb2d05e00"
    ])
    const world = yield* chain.world
    assert.strictEqual(ChainState.slot(world, ChainState.native(trader)), 99n * ether - 21_000n * 3n * gwei)
    assert.strictEqual(ChainState.slot(world, ChainState.native(stranger)), 101n * ether)
    assert.strictEqual(ChainState.slot(world, ChainState.burnt), 21_000n * gwei)
  }))

it.effect("eth_feeHistory returns base fees with the next one, and the tips paid", () =>
  Effect.gen(function*() {
    const { chain, send } = yield* start()
    yield* send({ tip: 3n * gwei })
    yield* chain.mine(2)
    yield* chain.setBaseFee(7n * gwei)
    const history = yield* chain.request("eth_feeHistory", ["0x2", "latest", [50]])
    assert.deepStrictEqual(history, {
      oldestBlock: "0x1",
      baseFeePerGas: ["0x3b9aca00", "0x3b9aca00", "0x1a13b8600"],
      gasUsedRatio: [21_000 / 30_000_000, 0],
      reward: [["0xb2d05e00"], ["0x0"]]
    })
  }))

it.effect("the pending block holds what would be mined now", () =>
  Effect.gen(function*() {
    const { chain, send } = yield* start()
    const hash = yield* send({})
    yield* send({ nonce: 2 })
    const block = fields(yield* chain.request("eth_getBlockByNumber", ["pending", false]))
    assert.deepStrictEqual([block["number"], block["hash"], block["transactions"]], ["0x1", null, [hash]])
    assert.strictEqual(fields(yield* chain.request("eth_getTransactionByHash", [hash]))["blockNumber"], null)
    yield* chain.mine()
    assert.strictEqual(fields(yield* chain.request("eth_getTransactionByHash", [hash]))["blockNumber"], "0x1")
  }))

it.effect("old blocks answer with what was true then", () =>
  Effect.gen(function*() {
    const { chain, nonce, send } = yield* start()
    yield* chain.mine()
    yield* send({ value: ether })
    yield* chain.mine()
    assert.deepStrictEqual([yield* nonce("0x1"), yield* nonce("0x2")], [0n, 1n])
    assert.strictEqual(number(yield* chain.request("eth_getBalance", [stranger, "0x1"])), 100n * ether)
    assert.strictEqual(number(yield* chain.request("eth_getBalance", [stranger, "latest"])), 101n * ether)
  }))

it.effect("a reorganisation replaces blocks by others and returns their transactions to the mempool", () =>
  Effect.gen(function*() {
    const { chain, nonce, send } = yield* start()
    const before = ChainState.lines(yield* chain.world)
    const hash = yield* send({ value: ether })
    yield* chain.mine(3)
    const old = (yield* chain.blocks).map((block) => block.hash)
    yield* chain.reorg(3)
    const fresh = (yield* chain.blocks).map((block) => block.hash)
    assert.strictEqual(fresh.length, old.length)
    assert.deepStrictEqual(fresh.map((one, index) => one === old[index]), [true, false, false, false])
    assert.deepStrictEqual(ChainState.lines(yield* chain.world), before)
    assert.isNull(yield* chain.request("eth_getTransactionReceipt", [hash]))
    assert.deepStrictEqual([yield* nonce("latest"), yield* nonce("pending")], [0n, 1n])
    yield* chain.mine()
    assert.strictEqual(fields(yield* chain.request("eth_getTransactionReceipt", [hash]))["blockNumber"], "0x4")
  }))

it.effect("a reorganisation loses transactions that are not kept", () =>
  Effect.gen(function*() {
    const { chain, nonce, send } = yield* start()
    const first = yield* send({ nonce: 0 })
    yield* send({ nonce: 1 })
    yield* chain.mine()
    yield* chain.reorg(1, { keep: ({ hash }) => hash !== first })
    assert.deepStrictEqual((yield* chain.waiting).map(({ nonce }) => nonce), [1n])
    assert.strictEqual(yield* nonce("pending"), 0n)
    yield* send({ nonce: 0 })
    yield* chain.mine()
    yield* chain.reorg(1, { keep: false })
    assert.deepStrictEqual(yield* chain.waiting, [])
  }))

it.effect("changes by the fixture survive a reorganisation", () =>
  Effect.gen(function*() {
    const { chain, send, vault } = yield* start()
    yield* send({ value: ether })
    yield* chain.mine()
    yield* chain.setTrader(vault.pool, stranger)
    yield* chain.setBalance(manager, 5n)
    yield* chain.reorg(1, { keep: false })
    const world = yield* chain.world
    assert.strictEqual(ChainState.slot(world, ChainState.native(manager)), 5n)
    assert.strictEqual(ChainState.slot(world, ChainState.native(stranger)), 100n * ether)
    const logic = ChainState.contractAt(world, vault.managerLogic)
    assert.strictEqual(logic?._tag === "ManagerLogic" ? logic.trader : undefined, stranger)
  }))

it.effect("a snapshot restores everything, mempool and settings too, any number of times", () =>
  Effect.gen(function*() {
    const { chain, nonce, send } = yield* start()
    yield* send({ nonce: 0 })
    yield* chain.mine()
    yield* send({ nonce: 1 })
    const snapshot = yield* chain.snapshot
    for (const round of [1, 2]) {
      yield* chain.setBaseFee(BigInt(round) * gwei)
      yield* chain.mine(3)
      yield* chain.reorg(2, { keep: false })
      yield* chain.setBalance(trader, 0n)
      yield* chain.restore(snapshot)
      assert.strictEqual(yield* chain.snapshot, snapshot)
      assert.deepStrictEqual([yield* nonce("latest"), yield* nonce("pending")], [1n, 2n])
    }
  }))

it.effect("a fork diverges from its origin", () =>
  Effect.gen(function*() {
    const { chain, nonce, send } = yield* start()
    const other = yield* chain.fork
    yield* send({})
    yield* chain.mine()
    assert.strictEqual(yield* nonce("latest"), 1n)
    assert.strictEqual(number(yield* other.request("eth_getTransactionCount", [trader, "pending"])), 0n)
  }))

it.effect("a node behind answers from the past, in nonces, receipts and head alike", () =>
  Effect.gen(function*() {
    const { chain, send } = yield* start()
    yield* chain.mine()
    const hash = yield* send({})
    yield* chain.mine()
    const late = chain.behind(1)
    assert.strictEqual(yield* late("eth_blockNumber", []), "0x1")
    assert.strictEqual(yield* late("eth_getTransactionCount", [trader, "latest"]), "0x0")
    assert.isNull(yield* late("eth_getTransactionReceipt", [hash]))
    assert.isNull(yield* late("eth_getBlockByNumber", ["0x2", false]))
    yield* chain.mine()
    assert.strictEqual(fields(yield* late("eth_getTransactionReceipt", [hash]))["status"], "0x1")
  }))

it.effect("refuses unknown methods and parameters", () =>
  Effect.gen(function*() {
    const { chain } = yield* start()
    const codes = yield* Effect.forEach([
      chain.request("eth_mining", []),
      chain.request("eth_call", [{ to: "nobody" }, "latest"]),
      chain.request("eth_getBalance", ["0x12", "latest"]),
      chain.request("eth_getTransactionReceipt", [7]),
      chain.request("eth_sendRawTransaction", [])
    ], (request) => Effect.map(Effect.flip(request), (failure) => failure._tag === "RpcRefused" ? failure.code : 0))
    assert.deepStrictEqual(codes, [-32601, -32602, -32602, -32602, -32602])
  }))
