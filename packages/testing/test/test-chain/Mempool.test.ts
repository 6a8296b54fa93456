import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { keccak256 } from "viem"
import { ether, gwei, reasonOf, refusal, signed, start, stranger, strangerKey, trader } from "./Trader.ts"

it.effect("returns the hash of the bytes", () =>
  Effect.gen(function*() {
    const { chain } = yield* start()
    const raw = yield* signed({})
    assert.strictEqual(yield* chain.request("eth_sendRawTransaction", [raw]), keccak256(raw))
  }))

it.effect("counts transactions without a gap as pending and queues the rest until the gap is filled", () =>
  Effect.gen(function*() {
    const { chain, nonce, send } = yield* start()
    yield* send({ nonce: 0 })
    yield* send({ nonce: 2 })
    assert.deepStrictEqual([yield* nonce("latest"), yield* nonce("pending")], [0n, 1n])
    yield* chain.mine(2)
    assert.deepStrictEqual([yield* nonce("latest"), yield* nonce("pending")], [1n, 1n])
    yield* send({ nonce: 1 })
    assert.strictEqual(yield* nonce("pending"), 3n)
    yield* chain.mine()
    assert.strictEqual(yield* nonce("latest"), 3n)
  }))

it.effect("accepts a replacement only for a tenth more on both fees", () =>
  Effect.gen(function*() {
    const { chain, send } = yield* start()
    const first = yield* send({ maxFee: 10n * gwei, tip: gwei })
    const underpriced = [
      { maxFee: 10n * gwei, tip: gwei, value: 1n },
      { maxFee: 11n * gwei, tip: gwei },
      { maxFee: 10n * gwei, tip: 2n * gwei },
      { maxFee: 11n * gwei - 1n, tip: 2n * gwei },
      { maxFee: 20n * gwei, tip: 11n * gwei / 10n - 1n }
    ]
    for (const draft of underpriced) {
      const { code, reason } = yield* refusal(send(draft))
      assert.deepStrictEqual([code, reason], [-32000, "replacement transaction underpriced"])
    }
    const second = yield* send({ maxFee: 11n * gwei, tip: 11n * gwei / 10n })
    yield* chain.mine()
    assert.deepStrictEqual((yield* chain.transactionsOf(trader)).map(({ hash }) => hash), [second])
    assert.isNull(yield* chain.request("eth_getTransactionReceipt", [first]))
    assert.isNull(yield* chain.request("eth_getTransactionByHash", [first]))
  }))

it.effect("knows bytes it has, and after they are mined their nonce is too low", () =>
  Effect.gen(function*() {
    const { chain, send } = yield* start()
    yield* send({})
    const known = yield* refusal(send({}))
    assert.deepStrictEqual([known.code, known.reason], [-32000, "already known"])
    yield* chain.mine()
    assert.match(yield* reasonOf(send({})), /^nonce too low: next nonce 1, tx nonce 0$/)
  }))

it.effect("refuses a transaction its sender cannot pay, alone or together with waiting ones", () =>
  Effect.gen(function*() {
    const { chain, send } = yield* start()
    assert.match(
      yield* reasonOf(send({ value: 100n * ether })),
      /^insufficient funds for gas \* price \+ value: balance/
    )
    yield* chain.setBalance(trader, 3n * ether)
    yield* send({ nonce: 0, value: 2n * ether })
    assert.match(
      yield* reasonOf(send({ nonce: 1, value: 2n * ether })),
      /^insufficient funds for gas \* price \+ value: balance .*queued cost/
    )
    yield* send({ nonce: 0, value: 1n * ether, maxFee: 20n * gwei, tip: 2n * gwei })
  }))

it.effect("does not count the cost of transactions behind a gap", () =>
  Effect.gen(function*() {
    const { chain, send } = yield* start()
    yield* chain.setBalance(trader, 3n * ether)
    yield* send({ nonce: 1, value: 2n * ether })
    yield* send({ nonce: 0, value: 2n * ether })
    yield* chain.mine()
    // Of the two only one can be paid.
    assert.lengthOf(yield* chain.transactionsOf(trader), 1)
  }))

it.effect("refuses too little gas, more than a block's, a tip above the fee, and another chain's signature", () =>
  Effect.gen(function*() {
    const { send } = yield* start()
    assert.strictEqual(
      yield* reasonOf(send({ gas: 20_999n })),
      "intrinsic gas too low: gas 20999, minimum needed 21000"
    )
    assert.strictEqual(
      yield* reasonOf(send({ data: "0x00ff", gas: 21_019n })),
      "intrinsic gas too low: gas 21019, minimum needed 21020"
    )
    assert.strictEqual(yield* reasonOf(send({ gas: 30_000_001n })), "exceeds block gas limit")
    assert.match(yield* reasonOf(send({ chainId: 1 })), /invalid chain id for signer: have 1 want 10/)
  }))

it.effect("refuses bytes that are not a transaction", () =>
  Effect.gen(function*() {
    const { chain } = yield* start()
    for (const raw of ["0x", "0x02", "0xzz", "0x02c0", "02f8", "0x00"]) {
      assert.strictEqual((yield* refusal(chain.request("eth_sendRawTransaction", [raw])))._tag, "RpcRefused")
    }
  }))

it.effect("keeps transactions below the base fee until the base fee falls", () =>
  Effect.gen(function*() {
    const { chain, nonce, send } = yield* start({ baseFee: 50n * gwei })
    yield* send({ nonce: 0, maxFee: 20n * gwei })
    yield* send({ nonce: 1, maxFee: 90n * gwei })
    yield* chain.mine(3)
    assert.deepStrictEqual([yield* nonce("latest"), yield* nonce("pending")], [0n, 2n])
    yield* chain.setBaseFee(20n * gwei)
    yield* chain.mine()
    assert.strictEqual(yield* nonce("latest"), 2n)
  }))

it.effect("mines the highest effective tip first, then the earliest", () =>
  Effect.gen(function*() {
    const { chain, send } = yield* start()
    yield* chain.setBaseFee(9n * gwei)
    // Ten gwei at nine of base fee leave one for a tip of three.
    const capped = yield* send({ maxFee: 10n * gwei, tip: 3n * gwei })
    const later = yield* send({ key: strangerKey, nonce: 0, maxFee: 20n * gwei, tip: gwei })
    const generous = yield* send({ key: strangerKey, nonce: 0, maxFee: 40n * gwei, tip: 2n * gwei })
    const { transactions } = yield* chain.mine()
    assert.deepStrictEqual(transactions.map(({ transaction }) => transaction.hash), [generous, capped])
    assert.notStrictEqual(later, generous)
  }))

it.effect("a block holds no more gas than its limit", () =>
  Effect.gen(function*() {
    const { chain, send } = yield* start({ blockGasLimit: 50_000n })
    for (const nonce of [0, 1, 2]) yield* send({ nonce })
    assert.strictEqual((yield* chain.mine()).transactions.length, 2)
    assert.strictEqual((yield* chain.mine()).transactions.length, 1)
  }))

it.effect("a dropped transaction leaves those after it queued", () =>
  Effect.gen(function*() {
    const { chain, nonce, send } = yield* start()
    const [first] = [yield* send({ nonce: 0 }), yield* send({ nonce: 1 })]
    yield* chain.drop(first)
    assert.strictEqual(yield* nonce("pending"), 0n)
    yield* chain.mine()
    assert.strictEqual(yield* nonce("latest"), 0n)
    yield* send({ nonce: 0 })
    assert.strictEqual(yield* nonce("pending"), 2n)
    yield* chain.dropAll
    assert.deepStrictEqual(yield* chain.waiting, [])
  }))

it.effect("drops transactions that the sender's balance no longer covers", () =>
  Effect.gen(function*() {
    const { chain, send } = yield* start()
    yield* send({})
    yield* chain.setBalance(trader, 1n)
    assert.deepStrictEqual(yield* chain.waiting, [])
  }))

it.effect("a foreign transaction takes the nonce of one that waits", () =>
  Effect.gen(function*() {
    const { chain, send } = yield* start()
    const ours = yield* send({ maxFee: 30n * gwei, tip: 5n * gwei })
    const theirs = yield* chain.foreign(strangerKey, { to: trader, value: 5n })
    const taken = yield* chain.foreign(`0x${"a1".repeat(32)}`, { nonce: 0n })
    yield* chain.mine()
    assert.deepStrictEqual((yield* chain.transactionsOf(trader)).map(({ hash }) => hash), [taken])
    assert.deepStrictEqual((yield* chain.transactionsOf(stranger)).map(({ hash }) => hash), [theirs])
    assert.isNull(yield* chain.request("eth_getTransactionByHash", [ours]))
  }))

it.effect("with automine on, a transaction is mined at once, with all queued ones it unblocks", () =>
  Effect.gen(function*() {
    const { chain, nonce, send } = yield* start()
    yield* chain.automine(true)
    yield* send({ nonce: 1 })
    assert.strictEqual((yield* chain.head).number, 0n)
    yield* send({ nonce: 0 })
    assert.strictEqual(yield* nonce("latest"), 2n)
    assert.strictEqual((yield* chain.head).number, 1n)
  }))

it.effect("loses none of many concurrent transactions", () =>
  Effect.gen(function*() {
    const { chain, nonce, send } = yield* start()
    yield* Effect.forEach(Array.from({ length: 60 }, (_, index) => index), (index) => send({ nonce: index }), {
      concurrency: "unbounded"
    })
    assert.strictEqual(yield* nonce("pending"), 60n)
    yield* chain.mine()
    assert.strictEqual(yield* nonce("latest"), 60n)
  }))
