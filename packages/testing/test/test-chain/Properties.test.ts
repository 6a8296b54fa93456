/** Random runs of a chain, and the invariants that hold in all of them. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import * as FastCheck from "fast-check"
import type { Hex } from "@vault-trader/core/chain/Address"
import { coinbase } from "../../src/test-chain/Execution.ts"
import * as TestChain from "../../src/test-chain/TestChain.ts"
import * as Transaction from "../../src/test-chain/Transaction.ts"
import * as ChainState from "../../src/test-chain/ChainState.ts"
import * as C from "./Calls.ts"
import {
  ether,
  gwei,
  manager,
  managerKey,
  signed,
  start,
  stranger,
  strangerKey,
  trader,
  traderKey,
  usd
} from "./Trader.ts"

const people = [trader, stranger, manager]
const keys: ReadonlyArray<Hex> = [traderKey, strangerKey, managerKey]
/** Shared, so that a transaction that recurs in another run is not recovered again. */
const decoder = Transaction.makeDecoder()
const bytes = new Map<string, Hex>()

const step = FastCheck.oneof(
  {
    weight: 6,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("send" as const),
      who: FastCheck.nat(2),
      nonce: FastCheck.nat(4),
      fee: FastCheck.nat(3),
      trade: FastCheck.boolean()
    })
  },
  {
    weight: 3,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("mine" as const),
      blocks: FastCheck.integer({ min: 1, max: 3 })
    })
  },
  {
    weight: 1,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("reorg" as const),
      depth: FastCheck.integer({ min: 1, max: 4 }),
      keep: FastCheck.boolean()
    })
  },
  {
    weight: 1,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("baseFee" as const),
      gwei: FastCheck.integer({ min: 1, max: 12 })
    })
  },
  { weight: 1, arbitrary: FastCheck.record({ _tag: FastCheck.constant("dropAll" as const) }) }
)
type Step = typeof step extends FastCheck.Arbitrary<infer A> ? A : never

const begin = start({ decoder })
type Life = Effect.Success<typeof begin>

const rawOf = ({ chain, router, vault }: Life, { fee, nonce, trade, who }: Extract<Step, { readonly _tag: "send" }>) =>
  Effect.gen(function*() {
    const name = `${who}/${nonce}/${fee}/${trade}`
    const known = bytes.get(name)
    if (known !== undefined) return known
    const [usdc, weth] = [chain.token("USDC"), chain.token("WETH")]
    const swap = { router, from: usdc, to: weth, amountIn: 100n * usd * BigInt(nonce + 1), recipient: vault.pool }
    const call = trade
      ? C.through(vault.pool, C.approve(usdc, router, swap.amountIn), C.swap(swap))
      : { to: people[(who + 1) % 3] ?? trader }
    const tip = (1n + BigInt(fee)) * gwei
    const raw = yield* signed({
      key: keys[who] ?? traderKey,
      nonce,
      maxFee: 5n * tip,
      tip,
      value: trade ? 0n : ether,
      ...call
    })
    bytes.set(name, raw)
    return raw
  })

const take = (life: Life, one: Step): Effect.Effect<unknown> => {
  const { chain } = life
  switch (one._tag) {
    case "send":
      return Effect.flatMap(rawOf(life, one), (raw) => Effect.result(chain.request("eth_sendRawTransaction", [raw])))
    case "mine":
      return chain.mine(one.blocks)
    case "reorg":
      return chain.reorg(one.depth, { keep: one.keep })
    case "baseFee":
      return chain.setBaseFee(BigInt(one.gwei) * gwei)
    case "dropAll":
      return chain.dropAll
  }
}

const sums = (world: ChainState.World) => {
  const totals = new Map<string, bigint>()
  for (const [key, value] of world.slots) {
    const [kind, token = ""] = key.split("/")
    if (kind === "balance") totals.set(token, (totals.get(token) ?? 0n) + value)
    if (kind === "native" || kind === "burnt") totals.set("native", (totals.get("native") ?? 0n) + value)
  }
  return Object.fromEntries(totals)
}

const always = (name: string, holds: (steps: ReadonlyArray<Step>) => Effect.Effect<void>) =>
  it.effect(name, () =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(FastCheck.array(step, { minLength: 5, maxLength: 25 }), (steps) =>
          // Blocks carry the clock's seconds: a run is repeated at the same time.
          Effect.runPromise(Effect.provide(holds(steps), TestClock.layer()))),
        { numRuns: 60 }
      )
    ))

always("no money appears or disappears", (steps) =>
  Effect.gen(function*() {
    const life = yield* begin
    const before = sums(yield* life.chain.world)
    for (const one of steps) yield* take(life, one)
    assert.deepStrictEqual(sums(yield* life.chain.world), before)
  }))

always(
  "mined nonces of a sender have no gap and come once, and their blocks are the chain's",
  (steps) =>
    Effect.gen(function*() {
      const life = yield* begin
      for (const one of steps) yield* take(life, one)
      const blocks = yield* life.chain.blocks
      blocks.slice(1).forEach((block, index) => assert.strictEqual(block.parentHash, blocks[index]?.hash))
      for (const person of people) {
        const mined = yield* life.chain.transactionsOf(person)
        assert.deepStrictEqual(mined.map(({ nonce }) => nonce), mined.map((_, index) => BigInt(index)))
        assert.strictEqual(ChainState.slot(yield* life.chain.world, ChainState.nonce(person)), BigInt(mined.length))
      }
    })
)

always("after a reorganisation the same transactions make the same state", (steps) =>
  Effect.gen(function*() {
    const life = yield* begin
    const { chain } = life
    for (const one of steps) if (one._tag === "send") yield* take(life, one)
    yield* chain.mine()
    const after = ChainState.lines(yield* chain.world)
    yield* chain.reorg(1)
    yield* chain.mine()
    assert.deepStrictEqual(ChainState.lines(yield* chain.world), after)
  }))

always("a snapshot is exact: what follows it follows again", (steps) =>
  Effect.gen(function*() {
    const life = yield* begin
    const half = Math.floor(steps.length / 2)
    for (const one of steps.slice(0, half)) yield* take(life, one)
    const snapshot = yield* life.chain.snapshot
    const ending = Effect.gen(function*() {
      for (const one of steps.slice(half)) yield* take(life, one)
      return [
        ChainState.lines(yield* life.chain.world),
        (yield* life.chain.blocks).map(({ hash }) => hash),
        (yield* life.chain.waiting).map(({ hash }) => hash)
      ]
    })
    const first = yield* ending
    yield* life.chain.restore(snapshot)
    assert.deepStrictEqual(yield* ending, first)
  }))

always("rolling every block back gives the first state", (steps) =>
  Effect.gen(function*() {
    const life = yield* begin
    const before = ChainState.lines(yield* life.chain.world)
    for (const one of steps) yield* take(life, one)
    yield* life.chain.reorg(1000, { keep: false })
    const world = yield* life.chain.world
    assert.deepStrictEqual(ChainState.lines(world), before)
    assert.strictEqual(ChainState.slot(world, ChainState.native(coinbase)), 0n)
  }))

it.effect("a transaction's bytes are recovered once however many nodes they reach", () =>
  Effect.gen(function*() {
    let recovered = 0
    const counting: Transaction.Decoder = {
      decode: (raw) =>
        Effect.tap(inner.decode(raw), (transaction) =>
          Effect.sync(() => {
            if (!seen.has(transaction)) recovered++
            seen.add(transaction)
          }))
    }
    const inner = Transaction.makeDecoder()
    const seen = new Set<Transaction.SignedTransaction>()
    const nodes = yield* Effect.forEach([1, 2, 3], () =>
      TestChain.make({ network: "optimism", baseFee: gwei, decoder: counting }))
    const raw = yield* signed({})
    for (const node of nodes) {
      yield* node.setBalance(trader, ether)
      assert.isTrue(Result.isSuccess(yield* Effect.result(node.request("eth_sendRawTransaction", [raw]))))
    }
    assert.strictEqual(recovered, 1)
  }))
