import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { Lie } from "../../src/test-chain/Lie.ts"
import * as LyingNode from "../../src/test-chain/LyingNode.ts"
import { number } from "./Calls.ts"
import { start, trader, traderKey } from "./Trader.ts"

const setup = Effect.gen(function*() {
  const life = yield* start()
  const node = LyingNode.make(life.chain)
  const count = (tag: string) => Effect.map(node.request("eth_getTransactionCount", [trader, tag]), number)
  const receipt = (hash: string) => node.request("eth_getTransactionReceipt", [hash])
  return { ...life, node, count, receipt }
})

it.effect("a node is honest before and after a lie", () =>
  Effect.gen(function*() {
    const { chain, node, receipt, send } = yield* setup
    const hash = yield* send({})
    yield* chain.mine()
    const truth = yield* chain.request("eth_getTransactionReceipt", [hash])
    assert.isNotNull(truth)
    assert.deepStrictEqual(yield* receipt(hash), truth)
    yield* node.lie(Lie.EmptyIndex())
    assert.isTrue(node.isLying())
    assert.isNull(yield* receipt(hash))
    assert.isNull(yield* node.request("eth_getTransactionByHash", [hash]))
    yield* node.stop
    assert.deepStrictEqual(yield* receipt(hash), truth)
  }))

it.effect("a node on a fork has other blocks and receipts, and passes transactions on", () =>
  Effect.gen(function*() {
    const { chain, node, receipt, send } = yield* setup
    const hash = yield* send({})
    yield* chain.mine()
    yield* node.lie(Lie.Fork({ depth: 1, keep: true }))
    const [there, here] = [yield* receipt(hash), yield* chain.request("eth_getTransactionReceipt", [hash])]
    assert.isNotNull(there)
    assert.notDeepEqual(there, here)
    yield* node.lie(Lie.Fork({ depth: 1, keep: false }))
    assert.isNull(yield* receipt(hash))
    const block = (request: typeof node.request) =>
      Effect.map(request("eth_getBlockByNumber", ["0x1", false]), (answer) => (answer as { hash: string }).hash)
    assert.notStrictEqual(yield* block(node.request), yield* block(chain.request))
    // The branch lost nonce 0, so that nonce 1 waits there; on the chain it is mined.
    const { chain: { foreign } } = { chain }
    yield* Effect.ignore(foreign(`0x${"a1".repeat(32)}`, { nonce: 1n }))
    assert.strictEqual(yield* Effect.map(chain.waiting, (all) => all.length), 1)
    yield* chain.mine()
    yield* node.advance
    assert.strictEqual((yield* chain.transactionsOf(trader)).length, 2)
    const head = yield* Effect.map(node.request("eth_blockNumber", []), number)
    assert.strictEqual(head, (yield* chain.head).number + 1n)
  }))

it.effect("a node on a fork may have a foreign transaction there, at a nonce that the chain has not used", () =>
  Effect.gen(function*() {
    const { chain, count, node, send } = yield* setup
    yield* send({})
    yield* chain.mine()
    const waiting = yield* send({ nonce: 1 })
    yield* node.lie(Lie.Fork({ depth: 1, keep: true, foreignBy: traderKey }))
    assert.strictEqual(yield* count("latest"), 2n)
    const block = yield* node.request("eth_getBlockByNumber", ["latest", true])
    const { transactions } = block as { readonly transactions: ReadonlyArray<{ hash: string; nonce: string }> }
    assert.deepStrictEqual(transactions.map(({ nonce }) => nonce), ["0x0", "0x1"])
    assert.notStrictEqual(transactions[1]?.hash, waiting)
    // The chain mines ours at the same nonce.
    yield* chain.mine()
    assert.strictEqual((yield* chain.transactionsOf(trader)).at(-1)?.hash, waiting)
  }))

it.effect("a node counts a wallet's transactions wrongly, at every block and never below zero", () =>
  Effect.gen(function*() {
    const { chain, count, node, send } = yield* setup
    yield* send({})
    yield* chain.mine(2)
    yield* node.lie(Lie.WrongNonce({ by: 2n }))
    assert.deepStrictEqual([yield* count("latest"), yield* count("0x0")], [3n, 2n])
    yield* node.lie(Lie.WrongNonce({ by: -2n }))
    assert.deepStrictEqual([yield* count("latest"), yield* count("0x0")], [0n, 0n])
  }))

it.effect("a node without history refuses the state of old blocks and has the newest ones", () =>
  Effect.gen(function*() {
    const { chain, count, node } = yield* setup
    yield* chain.mine(5)
    yield* node.lie(Lie.NoHistory({ blocks: 2 }))
    const refusal = yield* Effect.flip(count("0x2"))
    assert.strictEqual(refusal.reason, "missing trie node")
    assert.deepStrictEqual([yield* count("0x3"), yield* count("latest")], [0n, 0n])
  }))

it.effect("an honest node may keep little state", () =>
  Effect.gen(function*() {
    const { chain } = yield* setup
    yield* chain.mine(5)
    const node = LyingNode.make(chain, { keptBlocks: 1 })
    const refusal = yield* Effect.flip(node.request("eth_getBalance", [trader, "0x3"]))
    assert.strictEqual(refusal.reason, "missing trie node")
    assert.isString(yield* node.request("eth_getBalance", [trader, "0x4"]))
  }))

it.effect("a node on another chain breaks its connections, and calls of that chain are noted", () =>
  Effect.gen(function*() {
    const { chain, node, send } = yield* setup
    yield* send({})
    yield* chain.mine(3)
    const old = node.connect(node.request)
    assert.strictEqual(yield* old("eth_chainId", []), "0xa")
    yield* node.lie(Lie.OtherChain({ chainId: 1, copied: false }))
    assert.strictEqual((yield* Effect.flip(old("eth_blockNumber", []))).reason, "connection reset")
    assert.strictEqual((yield* Effect.flip(old("eth_chainId", []))).reason, "connection reset")
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* old("eth_chainId", []), "0x1")
    assert.deepStrictEqual(node.misdirected(), [])
    // A new chain: its genesis and one block.
    assert.strictEqual(yield* old("eth_blockNumber", []), "0x1")
    assert.deepStrictEqual(node.misdirected(), ["eth_blockNumber"])
    yield* node.lie(Lie.OtherChain({ chainId: 1, copied: true }))
    const copied = node.connect(node.request)
    assert.strictEqual(yield* copied("eth_blockNumber", []), "0x4")
    yield* node.stop
    assert.strictEqual((yield* Effect.flip(copied("eth_blockNumber", []))).reason, "connection reset")
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* copied("eth_chainId", []), "0xa")
  }))
