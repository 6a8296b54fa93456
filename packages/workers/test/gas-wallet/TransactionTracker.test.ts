import { assert, layer } from "@effect/vitest"
import type { Hash } from "@vault-trader/core/chain/Address"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { Fault } from "@vault-trader/testing/test-chain/NodeFault"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import { encodeFunctionData, erc20Abi } from "viem"
import * as TestLane from "./TestLane.ts"
import { ether, gwei, receiver, until } from "./TestLane.ts"

const concurrent = { concurrent: true }
/** So long that nothing is re-priced in a test. */
const patient = { patienceMillis: 60_000 }
const sending = "eth_sendRawTransaction"
/** A node that accepts everything and forwards nothing. */
const swallowing = { method: sending, fault: Fault.Swallow() }

type Bench = Effect.Success<ReturnType<typeof TestLane.make>>

/** A submission in flight, seen in the mempool, and the fiber that waits for it. */
const departed = (bench: Bench, call: Parameters<Bench["put"]>[0] = {}) =>
  Effect.gen(function*() {
    const lane = yield* bench.open
    const key = yield* bench.put(call)
    const waiter = yield* Effect.forkChild(lane.submit(key))
    const [attempt] = yield* until(bench.attempts(key), (attempts) => attempts.length > 0)
    yield* until(Effect.sync(() => bench.sends), (sends) => sends.length > 0)
    return { lane, key, waiter, attempt: attempt! }
  })

/** A mined submission whose intent has succeeded and was charged. */
const charged = (bench: Bench, call: Parameters<Bench["put"]>[0] = {}) =>
  Effect.gen(function*() {
    const flight = yield* departed(bench, call)
    yield* until(bench.chain.waiting, (waiting) => waiting.length === 1)
    yield* bench.chain.mine()
    assert.strictEqual((yield* Fiber.join(flight.waiter))._tag, "Mined")
    yield* bench.succeed(flight.key)
    return flight
  })

const hashesOf = (bench: Bench) =>
  Effect.map(bench.chain.transactionsOf(bench.wallet), (mined) => mined.map(({ hash }): Hash => hash))
const isAtLeast = (count: number) => (now: number) => now >= count

layer(TestLane.Stores, { timeout: "4 minutes", excludeTestServices: true })("the flights of a lane", (it) => {
  it.effect(
    "replaces what is not mined in time at the same nonce, both fees an eighth higher, under the cap, committed before it is sent",
    () =>
      Effect.gen(function*() {
        const cap = 20n * gwei
        const bench = yield* TestLane.make({ maxFeePerGas: cap })
        yield* bench.faults.rule({ ...swallowing, times: 2 })
        yield* bench.mining
        const { key, waiter } = yield* departed(bench)
        assert.strictEqual((yield* Fiber.join(waiter))._tag, "Mined")
        const attempts = yield* bench.attempts(key)
        assert.isAtLeast(attempts.length, 3)
        assert.deepStrictEqual(new Set(attempts.map(({ nonce }) => nonce)), new Set([0]))
        for (const [index, next] of attempts.slice(1).entries()) {
          const last = attempts[index]!
          assert.isTrue(BigInt(next.maxFee) * 1000n >= BigInt(last.maxFee) * 1125n)
          assert.isTrue(BigInt(next.tip) * 1000n >= BigInt(last.tip) * 1125n)
          assert.isTrue(BigInt(next.maxFee) <= cap)
          assert.strictEqual(next.attempt, last.attempt + 1)
        }
        for (const { raw, rows } of bench.sends) assert.deepStrictEqual(rows.map((row) => row.raw), [raw])
        assert.lengthOf(yield* bench.chain.transactionsOf(bench.wallet), 1)
        assert.strictEqual((yield* bench.intent(key)).txHash, attempts.at(-1)?.hash)
      }),
    concurrent
  )

  it.effect(
    "waits for gas at the cap, rebroadcasts its dropped bytes, and is mined when fees fall",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ maxFeePerGas: 2n * gwei })
        yield* bench.chain.setBaseFee(10n * gwei)
        yield* bench.mining
        const { attempt, key, waiter } = yield* departed(bench)
        assert.strictEqual(attempt.maxFee, String(2n * gwei))
        yield* until(bench.row(key), ({ waitingForGas }) => waitingForGas)
        yield* until(bench.chain.waiting, (waiting) => waiting.length === 1)
        yield* bench.chain.drop(attempt.hash)
        yield* until(bench.chain.waiting, (waiting) => waiting.length === 1)
        assert.isTrue((yield* bench.row(key)).waitingForGas)
        assert.deepStrictEqual(new Set(bench.sends.map(({ raw }) => raw)), new Set([attempt.raw]))
        yield* bench.chain.setBaseFee(gwei)
        yield* Fiber.join(waiter)
        assert.deepStrictEqual(yield* hashesOf(bench), [attempt.hash])
        assert.isFalse((yield* bench.row(key)).waitingForGas)
        assert.deepStrictEqual(bench.signed, [0n])
      }),
    concurrent
  )

  it.effect("rebroadcasts dropped bytes, identical", () =>
    Effect.gen(function*() {
      const bench = yield* TestLane.make(patient)
      const { attempt, waiter } = yield* departed(bench)
      yield* until(bench.chain.waiting, (waiting) => waiting.length === 1)
      yield* bench.chain.dropAll
      yield* until(bench.chain.waiting, (waiting) => waiting.length === 1)
      yield* bench.chain.mine()
      yield* Fiber.join(waiter)
      assert.deepStrictEqual(yield* hashesOf(bench), [attempt.hash])
      assert.isAtLeast(bench.sends.length, 2)
      assert.deepStrictEqual(new Set(bench.sends.map(({ raw }) => raw)), new Set([attempt.raw]))
    }), concurrent)

  it.effect(
    "reverts what a reorg removed with its charge, and the same bytes are mined again",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ ...patient, finalityDepth: 5 })
        const { attempt, key, lane } = yield* charged(bench)
        yield* bench.chain.mine()
        yield* bench.chain.reorg(2, { keep: false })
        yield* bench.chain.mine()
        yield* until(bench.row(key), ({ status }) => status === "signed")
        assert.deepStrictEqual(yield* bench.intent(key), { status: "submitted", txHash: attempt.hash, charges: 0 })
        yield* until(bench.chain.waiting, (waiting) => waiting.length === 1)
        yield* bench.chain.mine()
        const settled = yield* lane.submit(key)
        assert.strictEqual(settled._tag === "Mined" ? settled.receipt.transactionHash : settled._tag, attempt.hash)
        yield* bench.chain.mine(6)
        yield* until(bench.row(key), ({ status }) => status === "final")
        assert.deepStrictEqual(yield* hashesOf(bench), [attempt.hash])
        assert.deepStrictEqual(new Set(bench.sends.map(({ raw }) => raw)), new Set([attempt.raw]))
      }),
    concurrent
  )

  it.effect("reverts what a reorg removed while no lane was open", () =>
    Effect.gen(function*() {
      const bench = yield* TestLane.make({ ...patient, finalityDepth: 5 })
      const { attempt, key } = yield* Effect.scoped(charged(bench))
      yield* bench.chain.reorg(1, { keep: false })
      yield* bench.chain.mine(2)
      yield* bench.open
      yield* until(bench.row(key), ({ status }) => status === "signed")
      assert.deepInclude(yield* bench.intent(key), { status: "submitted", charges: 0 })
      yield* until(bench.chain.waiting, (waiting) => waiting.length === 1)
      yield* bench.chain.mine()
      yield* until(bench.row(key), ({ status }) => status === "mined")
      assert.deepStrictEqual(yield* hashesOf(bench), [attempt.hash])
    }), concurrent)

  it.effect(
    "changes no reported outcome when a reorg keeps the transaction with the same effects, and tracks it to finality",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ ...patient, finalityDepth: 5 })
        yield* bench.chain.mintToken("USDC", bench.wallet, 5n)
        const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [receiver, 5n] })
        const { attempt, key } = yield* charged(bench, { to: bench.chain.token("USDC"), data, value: 0n })
        const before = (yield* bench.row(key)).receipt
        const told = yield* bench.intent(key)
        assert.lengthOf(before?.logs ?? [], 1)
        const sends = bench.sends.length
        // At once: no poll sees the moment at which no block holds it.
        yield* Effect.andThen(bench.chain.reorg(1), bench.chain.mine())
        const after = yield* until(bench.row(key), ({ receipt }) => receipt?.blockHash !== before?.blockHash)
        assert.deepInclude(after, { status: "mined" })
        assert.strictEqual(after.receipt?.transactionHash, attempt.hash)
        assert.strictEqual(after.receipt?.blockNumber, before!.blockNumber + 1n)
        yield* bench.chain.mine(5)
        yield* until(bench.row(key), ({ status }) => status === "final")
        assert.deepStrictEqual(yield* bench.intent(key), told)
        assert.deepInclude(told, { status: "succeeded", charges: 1 })
        assert.lengthOf(bench.sends, sends)
      }),
    concurrent
  )

  it.effect("makes a receipt final after finalityDepth blocks and not before", () =>
    Effect.gen(function*() {
      const bench = yield* TestLane.make(patient)
      const { key } = yield* charged(bench)
      yield* bench.chain.mine(2)
      const heads = yield* bench.asked("eth_getBlockByNumber")
      yield* until(bench.asked("eth_getBlockByNumber"), isAtLeast(heads + 4))
      assert.strictEqual((yield* bench.row(key)).status, "mined")
      yield* bench.chain.mine()
      yield* until(bench.row(key), ({ status }) => status === "final")
    }), concurrent)

  it.effect(
    "reverts what a reorg removed after it was final, with outcome and charge, and the lane continues",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ ...patient, finalityDepth: 1 })
        const { attempt, key, lane } = yield* charged(bench)
        yield* bench.chain.mine(3)
        yield* until(bench.row(key), ({ status }) => status === "final")
        yield* bench.chain.reorg(4, { keep: false })
        // The next submission makes the lane check: the chain counts fewer transactions than the rows.
        const next = yield* bench.put()
        const waiter = yield* Effect.forkChild(lane.submit(next))
        yield* bench.chain.mine()
        yield* until(bench.row(key), ({ status }) => status === "signed")
        assert.deepStrictEqual(yield* bench.intent(key), { status: "submitted", txHash: attempt.hash, charges: 0 })
        yield* bench.mining
        assert.strictEqual((yield* Fiber.join(waiter))._tag, "Mined")
        yield* until(bench.row(key), ({ status }) => status === "final")
        const mined = yield* bench.chain.transactionsOf(bench.wallet)
        assert.deepStrictEqual(mined.map(({ nonce }) => nonce), [0n, 1n])
        assert.strictEqual(mined[0]?.hash, attempt.hash)
        assert.deepStrictEqual(
          yield* bench.allAttempts.pipe(Effect.map((all) => all.filter((each) => each.key.startsWith("filler/")))),
          []
        )
      }),
    concurrent
  )

  it.effect("detects a deep reorg in an idle lane when a recheck is requested", () =>
    Effect.gen(function*() {
      const bench = yield* TestLane.make({ ...patient, finalityDepth: 1 })
      const { attempt, key, lane } = yield* charged(bench)
      yield* bench.chain.mine(3)
      yield* until(bench.row(key), ({ status }) => status === "final")
      yield* bench.chain.reorg(4, { keep: false })
      yield* lane.recheck
      yield* until(bench.row(key), ({ status }) => status === "signed")
      assert.strictEqual((yield* bench.intent(key)).charges, 0)
      yield* bench.mining
      yield* until(bench.row(key), ({ status }) => status === "final")
      assert.deepStrictEqual(yield* hashesOf(bench), [attempt.hash])
    }), concurrent)

  it.effect(
    "detects at its start a deep reorg that the owner before it did not follow, though the nonce is used again",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ ...patient, finalityDepth: 1 })
        yield* bench.hearAlerts
        const { key } = yield* Effect.scoped(Effect.gen(function*() {
          const done = yield* charged(bench)
          yield* bench.chain.mine(3)
          yield* until(bench.row(done.key), ({ status }) => status === "final")
          return done
        }))
        // The chain counts as many transactions as the rows: another program has used the nonce of the removed one.
        yield* bench.chain.reorg(4, { keep: false })
        const foreign = yield* bench.chain.foreign(bench.privateKey, { nonce: 0n })
        yield* bench.chain.mine(4)
        yield* bench.mining
        const lane = yield* bench.open
        const next = yield* bench.put()
        const waiter = yield* Effect.forkChild(lane.submit(next))
        yield* until(bench.row(key), ({ status }) => status === "superseded")
        assert.deepInclude(yield* bench.intent(key), { charges: 0 })
        assert.strictEqual((yield* Fiber.join(waiter))._tag, "Mined")
        const [first] = yield* hashesOf(bench)
        assert.strictEqual(first, foreign)
        assert.deepStrictEqual(yield* bench.alerts, ["deep_reorg", "foreign_transaction"])
      }),
    concurrent
  )

  it.effect(
    "detects a deep reorg that happens, and is reported, while it makes the transaction final",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ ...patient, finalityDepth: 1 })
        let afterwards: Effect.Effect<void> = Effect.void
        const open = bench.openOver([{
          ...bench.endpoint,
          send: (call) =>
            Effect.tap(
              bench.endpoint.send(call),
              Effect.suspend(() => {
                if (call.method !== "eth_getBlockByNumber" || call.params[0] !== "0x1") return Effect.void
                const once = afterwards
                afterwards = Effect.void
                return once
              })
            )
        }])
        const { key, lane } = yield* charged({ ...bench, open })
        const finals = until(bench.row(key), ({ status }) => status === "final")
        afterwards = Effect.andThen(bench.chain.reorg(2, { keep: false }), lane.recheck)
        yield* bench.chain.mine()
        // Reported again: the report during a check is covered by the next one, and no block comes that begins it.
        yield* until(Effect.andThen(lane.recheck, bench.row(key)), ({ status }) => status === "signed")
        assert.strictEqual((yield* bench.intent(key)).charges, 0)
        yield* bench.mining
        yield* finals
      }),
    concurrent
  )

  it.effect(
    "does not revert a final transaction because a lagging node has no block of its height",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ ...patient, finalityDepth: 1 })
        const { key, lane } = yield* charged(bench)
        yield* bench.chain.mine(3)
        yield* until(bench.row(key), ({ status }) => status === "final")
        yield* bench.faults.rule({ method: /eth_get/, fault: Fault.Stale({ blocks: 4 }) })
        const seen = bench.calls.length
        // Repeated: the hash of a block that was read a moment ago is not read again.
        yield* until(
          Effect.map(lane.recheck, () => bench.calls.slice(seen)),
          (calls) => calls.filter(({ method }) => method === "eth_getBlockByNumber").length > 6
        )
        assert.strictEqual((yield* bench.row(key)).status, "final")
        assert.strictEqual((yield* bench.intent(key)).charges, 1)
      }),
    concurrent
  )

  it.effect("is superseded by a foreign transaction when that is final, and not before", () =>
    Effect.gen(function*() {
      const bench = yield* TestLane.make(patient)
      yield* bench.faults.rule(swallowing)
      const { key, waiter } = yield* departed(bench)
      yield* bench.chain.mine(5)
      yield* bench.chain.foreign(bench.privateKey, { nonce: 0n })
      for (const depth of [0n, 1n, 2n, 3n]) {
        const seen = bench.calls.length
        yield* bench.chain.mine()
        if (depth === 3n) continue
        // Two polls of this head: the first may have begun before it.
        yield* until(Effect.sync(() => bench.calls.slice(seen)), (calls) =>
          calls.filter(({ method, params }) =>
              method === "eth_getTransactionCount" && params[1] === "latest"
            ).length >= 2 ||
          calls.filter(({ method, params }) => method === "eth_getBlockByNumber" && params[0] === "latest").length >= 3)
        assert.strictEqual((yield* bench.row(key)).status, "signed")
        assert.isTrue(Option.isNone(
          yield* Effect.sync(() =>
            Option.fromNullishOr(waiter.pollUnsafe())
          )
        ))
      }
      const settled = yield* Fiber.join(waiter)
      assert.strictEqual(settled._tag === "Superseded" ? settled.nonce : settled._tag, 0n)
      assert.strictEqual((yield* bench.row(key)).status, "superseded")
      assert.deepStrictEqual(bench.signed, [0n])
    }), concurrent)

  it.effect(
    "alerts when nodes refuse a replacement for what the account has queued, and continues after a refill",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ patienceMillis: 100 })
        yield* bench.hearAlerts
        const { key, waiter } = yield* departed(bench)
        yield* until(bench.chain.waiting, (waiting) => waiting.length === 1)
        // Another program with the key queues a transaction that costs nearly the whole balance, and fees rise.
        const rest = ether / 1000n
        yield* bench.chain.foreign(bench.privateKey, { nonce: 1n, value: ether - rest })
        yield* bench.chain.setBaseFee(40n * gwei)
        yield* bench.chain.mine()
        yield* until(bench.alerts, (alerts) => alerts.length > 0)
        yield* until(bench.attempts(key), (attempts) => attempts.length >= 3)
        assert.deepStrictEqual(yield* bench.alerts, ["insufficient_funds"])
        assert.strictEqual((yield* bench.row(key)).status, "signed")
        yield* bench.chain.setBalance(bench.wallet, 2n * ether)
        yield* bench.mining
        assert.strictEqual((yield* Fiber.join(waiter))._tag, "Mined")
      }),
    concurrent
  )

  it.effect(
    "takes the nonce of a lost foreign transaction with an empty one, and never sends the call that it had superseded",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make(patient)
        yield* bench.hearAlerts
        const { attempt, key, lane, waiter } = yield* departed(bench)
        yield* bench.chain.foreign(bench.privateKey, { nonce: 0n })
        yield* bench.chain.mine(4)
        assert.strictEqual((yield* Fiber.join(waiter))._tag, "Superseded")
        // The request is planned again at the next nonce.
        const again = yield* bench.put()
        const second = yield* Effect.forkChild(lane.submit(again))
        yield* until(bench.chain.waiting, (waiting) => waiting.length === 1)
        yield* bench.chain.mine(4)
        assert.strictEqual((yield* Fiber.join(second))._tag, "Mined")
        yield* until(bench.row(again), ({ status }) => status === "final")
        const own = (yield* bench.attempts(again)).map(({ hash }) => hash)
        const sent = bench.sends.length
        yield* bench.chain.reorg(8, { keep: ({ hash }) => own.includes(hash) })
        yield* lane.recheck
        yield* until(bench.row(again), ({ status }) => status === "signed")
        yield* bench.mining
        yield* until(bench.row(key), ({ status }) => status === "final")
        yield* until(bench.row(again), ({ status }) => status === "final")
        assert.strictEqual((yield* bench.row(key)).cancelled, "expired")
        const mined = yield* bench.chain.transactionsOf(bench.wallet)
        assert.deepStrictEqual(mined.map(({ nonce, to }) => [nonce, to]), [[0n, bench.wallet], [1n, receiver]])
        assert.notInclude(bench.sends.slice(sent).map(({ raw }) => raw), attempt.raw)
        assert.deepStrictEqual(yield* bench.alerts, ["foreign_transaction", "deep_reorg", "unexplained_nonce"])
      }),
    concurrent
  )

  it.effect("survives a foreign transaction that a reorg removes before it is final", () =>
    Effect.gen(function*() {
      const bench = yield* TestLane.make(patient)
      yield* bench.faults.rule({ ...swallowing, times: 1 })
      const { attempt, key, waiter } = yield* departed(bench)
      yield* bench.chain.foreign(bench.privateKey, { nonce: 0n })
      yield* bench.chain.mine()
      yield* until(bench.asked("eth_getTransactionCount"), isAtLeast(4))
      assert.strictEqual((yield* bench.row(key)).status, "signed")
      yield* bench.chain.reorg(1, { keep: false })
      yield* until(bench.chain.waiting, (waiting) => waiting.length === 1)
      yield* bench.chain.mine()
      assert.strictEqual((yield* Fiber.join(waiter))._tag, "Mined")
      assert.deepStrictEqual(yield* hashesOf(bench), [attempt.hash])
    }), concurrent)

  it.effect(
    "signs nothing above a pending foreign transaction, and takes its nonce once it is lost",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make()
        const theirs = yield* bench.chain.foreign(bench.privateKey)
        const lane = yield* bench.open
        const key = yield* bench.put({})
        const waiter = yield* Effect.forkChild(lane.submit(key))
        yield* until(lane.depth, ({ queued }) => queued === 1)
        yield* lane.reconcile
        assert.deepStrictEqual(yield* bench.allAttempts, [])
        yield* bench.chain.drop(theirs)
        yield* bench.mining
        assert.strictEqual((yield* Fiber.join(waiter))._tag, "Mined")
        yield* until(bench.row(key), ({ status }) => status === "final")
        // On a busy machine it is replaced before a block has it.
        assert.deepStrictEqual(new Set((yield* bench.allAttempts).map(({ nonce }) => nonce)), new Set([0]))
        const mined = yield* bench.chain.transactionsOf(bench.wallet)
        assert.deepStrictEqual(mined.map(({ nonce }) => nonce), [0n])
      }),
    concurrent
  )

  it.effect(
    "commits and sends no replacement while its wallet's switch is on, and does so once it is off",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make()
        const switches = yield* KillSwitch
        yield* bench.faults.rule({ ...swallowing, times: 1 })
        // Committed, but held back until the switch is on.
        const door = yield* Latch.make(false)
        yield* bench.holdSends(door.await)
        const { attempt, key, waiter } = yield* departed(bench)
        yield* switches.pause(`wallet/${bench.wallet}`, "lost laptop")
        yield* door.open
        yield* bench.mining
        const { number } = yield* bench.chain.head
        yield* until(bench.chain.head, (head) => head.number >= number + 20n)
        assert.deepStrictEqual(yield* bench.attempts(key), [{ ...attempt, status: "signed" }])
        assert.deepStrictEqual(new Set(bench.sends.map(({ raw }) => raw)), new Set([attempt.raw]))
        yield* switches.resume(`wallet/${bench.wallet}`)
        assert.strictEqual((yield* Fiber.join(waiter))._tag, "Mined")
        assert.isAtLeast((yield* bench.attempts(key)).length, 2)
      }),
    concurrent
  )
})
