import { assert, layer } from "@effect/vitest"
import { executionCodes } from "@vault-trader/core/failure/Failure"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import type { Settled } from "@vault-trader/core/gas-wallet/Submission"
import { Fault } from "@vault-trader/testing/test-chain/NodeFault"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { encodeFunctionData, erc20Abi, parseTransaction } from "viem"
import * as TestLane from "./TestLane.ts"
import { ether, receiver, until } from "./TestLane.ts"

const concurrent = { concurrent: true }
const sending = "eth_sendRawTransaction"

const minedHash = (settled: Settled) => {
  assert.strictEqual(settled._tag, "Mined")
  return settled._tag === "Mined" ? settled.receipt.transactionHash : "0x"
}

const refusal = (settled: Settled) => {
  assert.strictEqual(settled._tag, "Refused")
  return settled._tag === "Refused"
    ? { code: executionCodes[settled.failure.errorType], message: settled.failure.message }
    : { code: "", message: "" }
}

/** Every byte string a node saw was, at that moment, a committed attempt. */
const assertCommittedFirst = (sends: ReadonlyArray<TestLane.Sent>) => {
  assert.isNotEmpty(sends)
  for (const { raw, rows } of sends) {
    assert.lengthOf(rows, 1)
    assert.strictEqual(rows[0]!.raw, raw)
    assert.strictEqual(rows[0]!.nonce, parseTransaction(raw).nonce ?? 0)
    assert.strictEqual(rows[0]!.status, "signed")
  }
}

layer(TestLane.Stores, { timeout: "4 minutes", excludeTestServices: true })("a nonce lane", (it) => {
  it.effect("has bytes, hash and nonce in the database when a node first sees them", () =>
    Effect.gen(function*() {
      const bench = yield* TestLane.make({ patienceMillis: 60_000 })
      yield* bench.chain.automine(true)
      const lane = yield* bench.open
      const keys = yield* Effect.replicateEffect(bench.put(), 3)
      const settled = yield* Effect.forEach(keys, lane.submit, { concurrency: "unbounded" })
      assertCommittedFirst(bench.sends)
      const attempts = yield* bench.allAttempts
      assert.sameMembers(settled.map(minedHash), attempts.map(({ hash }) => hash))
    }), concurrent)

  it.effect(
    "signs once a submission that was queued before it opened and is submitted at the moment it opens",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ patienceMillis: 60_000 })
        yield* bench.chain.automine(true)
        const key = yield* bench.put()
        const settled = yield* Effect.flatMap(bench.open, (lane) => lane.submit(key))
        assert.strictEqual(minedHash(settled), (yield* bench.attempts(key))[0]?.hash)
        assert.lengthOf(yield* bench.chain.transactionsOf(bench.wallet), 1)
      }),
    concurrent
  )

  it.effect(
    "sends the same bytes once when it is closed between signing and broadcast and reopened",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ patienceMillis: 60_000 })
        const key = yield* bench.put()
        const reached = yield* Deferred.make<void>()
        yield* bench.holdSends(Effect.andThen(Deferred.succeed(reached, undefined), Effect.never))
        const life = yield* Scope.make()
        const first = yield* Scope.provide(bench.open, life)
        yield* Effect.forkChild(first.submit(key))
        yield* Deferred.await(reached)
        yield* Scope.close(life, Exit.void)
        assert.isEmpty(yield* bench.chain.waiting)
        const [committed] = yield* bench.attempts(key)
        assert.strictEqual(committed?.status, "signed")

        yield* bench.holdSends(Effect.void)
        yield* bench.chain.automine(true)
        const before = bench.sends.length
        const settled = yield* Effect.flatMap(bench.open, (lane) => lane.submit(key))
        assert.strictEqual(minedHash(settled), committed?.hash)
        assert.deepStrictEqual(bench.sends.slice(before).map(({ raw }) => raw), [committed!.raw])
        assert.lengthOf(yield* bench.attempts(key), 1)
        assert.lengthOf(yield* bench.chain.transactionsOf(bench.wallet), 1)
        assert.deepStrictEqual(bench.signed, [0n])
      }),
    concurrent
  )

  it.effect(
    "sends nothing more when it is closed after broadcast, mined unseen, and reopened, and returns the receipt",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ patienceMillis: 60_000 })
        const key = yield* bench.put()
        const life = yield* Scope.make()
        yield* Effect.forkChild((yield* Scope.provide(bench.open, life)).submit(key))
        yield* until(bench.chain.waiting, (waiting) => waiting.length === 1)
        yield* Scope.close(life, Exit.void)
        yield* bench.chain.mine(2)
        const settled = yield* Effect.flatMap(bench.open, (lane) => lane.submit(key))
        const [mined] = yield* bench.chain.transactionsOf(bench.wallet)
        assert.strictEqual(minedHash(settled), mined?.hash)
        assert.lengthOf(yield* bench.chain.transactionsOf(bench.wallet), 1)
        assert.deepStrictEqual(bench.signed, [0n])
      }),
    concurrent
  )

  it.effect("gives 30 submissions at once gapless nonces, and all are mined once", () =>
    Effect.gen(function*() {
      const bench = yield* TestLane.make({ patienceMillis: 60_000 })
      yield* bench.mining
      const lane = yield* bench.open
      const keys = yield* Effect.replicateEffect(bench.put(), 30)
      const settled = yield* Effect.forEach(keys, lane.submit, { concurrency: "unbounded" })
      const mined = yield* bench.chain.transactionsOf(bench.wallet)
      assert.deepStrictEqual(mined.map(({ nonce }) => nonce), Array.from({ length: 30 }, (_, index) => BigInt(index)))
      assert.sameMembers(settled.map(minedHash), mined.map(({ hash }) => hash))
      assert.lengthOf(yield* bench.allAttempts, 30)
    }), concurrent)

  it.effect(
    "refuses a submission whose simulation reverts with the decoded reason, and gives it no nonce",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ patienceMillis: 60_000 })
        yield* bench.chain.automine(true)
        const transfer = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [receiver, 1n] })
        const bad = yield* bench.put({ to: bench.chain.token("USDC"), data: transfer, value: 0n })
        const good = yield* bench.put()
        const lane = yield* bench.open
        const { code, message } = refusal(yield* lane.submit(bad))
        assert.strictEqual(code, "2002")
        assert.include(message, "ERC20InsufficientBalance")
        assert.include(message, "Nothing was sent")
        yield* lane.submit(good)
        assert.deepInclude(yield* bench.row(bad), { status: "refused", nonce: null })
        assert.strictEqual((yield* bench.row(good)).nonce, 0n)
        assert.isEmpty(yield* bench.attempts(bad))
      }),
    concurrent
  )

  it.effect(
    "refuses what the wallet cannot pay with 2001 and signs nothing for it, while the rest of the batch continues",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ patienceMillis: 60_000 })
        yield* bench.chain.automine(true)
        const [first, dear, second] = [
          yield* bench.put(),
          yield* bench.put({ reserve: 2n * ether }),
          yield* bench.put()
        ]
        const lane = yield* bench.open
        const settled = yield* Effect.forEach([first, dear, second], lane.submit, { concurrency: "unbounded" })
        assert.deepInclude(refusal(settled[1]!), { code: "2001" })
        minedHash(settled[0]!)
        minedHash(settled[2]!)
        assert.isEmpty(yield* bench.attempts(dear))
        assert.deepStrictEqual(bench.signed, [0n, 1n])
        assert.deepStrictEqual((yield* bench.chain.transactionsOf(bench.wallet)).map(({ nonce }) => nonce), [0n, 1n])
      }),
    concurrent
  )

  it.effect("counts transactions in flight when it checks that the wallet can pay", () =>
    Effect.gen(function*() {
      const bench = yield* TestLane.make({ patienceMillis: 60_000 })
      const lane = yield* bench.open
      const large = yield* bench.put({ value: 6n * ether / 10n })
      yield* Effect.forkChild(lane.submit(large))
      yield* until(bench.chain.waiting, (waiting) => waiting.length === 1)
      const next = yield* bench.put({ value: 6n * ether / 10n })
      assert.deepInclude(refusal(yield* lane.submit(next)), { code: "2001" })
      assert.deepStrictEqual(bench.signed, [0n])
    }), concurrent)

  it.effect(
    "signs no two submissions under one nonce, nor one twice, when two owners have its wallet",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ patienceMillis: 60_000 })
        yield* bench.mining
        const lanes = [yield* bench.open, yield* bench.open]
        const keys = yield* Effect.replicateEffect(bench.put(), 12)
        const orders = [keys, keys.toReversed()]
        yield* Effect.forEach(
          lanes,
          (lane, index) => Effect.forEach(orders[index]!, (key) => Effect.forkChild(lane.submit(key)))
        )
        yield* Effect.forEach(keys, (key) => until(bench.row(key), ({ status }) => status === "final"))
        // Submitted again: a caller can still wait forever for a transaction that the other owner sees mined between a
        // batch's `findAll` and its `recover`, which tracks it as mined and completes no caller. Await the first
        // callers here once that is fixed.
        const hashes = yield* Effect.forEach(
          lanes,
          (lane) => Effect.forEach(keys, (key) => Effect.map(lane.submit(key), minedHash))
        )
        assert.deepStrictEqual(hashes[0], hashes[1])
        const attempts = yield* bench.allAttempts
        assert.strictEqual(new Set(attempts.map(({ key }) => key)).size, 12)
        assert.lengthOf(attempts, 12)
        assert.deepStrictEqual(attempts.map(({ nonce }) => nonce), Array.from({ length: 12 }, (_, index) => index))
        assert.lengthOf(yield* bench.chain.transactionsOf(bench.wallet), 12)
        assertCommittedFirst(bench.sends.filter(({ rows }) => rows.every(({ status }) => status === "signed")))
      }),
    concurrent
  )

  for (
    const [what, fault] of [
      [
        "says \"already known\" under an odd code",
        Fault.Refuse({ code: -32010, reason: "already known", forwarded: true })
      ],
      [
        "says \"nonce too low\" of what it took",
        Fault.Refuse({ code: -32603, reason: "nonce too low", forwarded: true })
      ],
      [
        "says \"nonce too low\" of what it has never seen",
        Fault.Refuse({ code: -32003, reason: "nonce too low", forwarded: false })
      ],
      ["takes it and answers nothing in time", Fault.Timeout({ millis: 20, forwarded: true })],
      ["takes it twice", Fault.Duplicate()],
      ["takes it and cuts the line", Fault.Reset({ forwarded: true })]
    ] as const
  ) {
    it.effect(`leaves one mined transaction where the node ${what}`, () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make()
        yield* bench.faults.rule({ method: sending, fault, times: 1 })
        yield* bench.mining
        const lane = yield* bench.open
        const key = yield* bench.put()
        const hash = minedHash(yield* lane.submit(key))
        yield* until(bench.row(key), ({ status }) => status === "final")
        assert.deepStrictEqual((yield* bench.chain.transactionsOf(bench.wallet)).map((mined) => mined.hash), [hash])
        assert.lengthOf(yield* bench.faults.log, 1)
      }), concurrent)
  }

  it.effect("refuses with 2040 and signs nothing while its wallet's switch is on", () =>
    Effect.gen(function*() {
      const bench = yield* TestLane.make({ patienceMillis: 60_000 })
      const switches = yield* KillSwitch
      yield* switches.pause(`wallet/${bench.wallet}`, "lost laptop")
      yield* bench.chain.automine(true)
      const lane = yield* bench.open
      const key = yield* bench.put()
      const { code, message } = refusal(yield* lane.submit(key))
      assert.strictEqual(code, "2040")
      assert.include(message, "lost laptop")
      assert.isEmpty(bench.signed)
      assert.isEmpty(yield* bench.allAttempts)
      assert.isEmpty(bench.sends)
      yield* switches.resume(`wallet/${bench.wallet}`)
      minedHash(yield* lane.submit(yield* bench.put()))
    }), concurrent)

  it.effect(
    "continues when a caller of submit is interrupted, and a later submit gets the result",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ patienceMillis: 60_000 })
        const lane = yield* bench.open
        const key = yield* bench.put()
        const caller = yield* Effect.forkChild(lane.submit(key))
        yield* until(bench.chain.waiting, (waiting) => waiting.length === 1)
        yield* Fiber.interrupt(caller)
        const early = yield* Effect.forkChild(lane.submit(key))
        yield* bench.chain.mine()
        const hash = minedHash(yield* Fiber.join(early))
        assert.strictEqual(minedHash(yield* lane.submit(key)), hash)
        assert.deepStrictEqual(bench.signed, [0n])
      }),
    concurrent
  )

  it.effect("sends what was queued before it was opened, without a caller", () =>
    Effect.gen(function*() {
      const bench = yield* TestLane.make()
      const keys = yield* Effect.replicateEffect(bench.put(), 3)
      yield* bench.mining
      yield* bench.open
      yield* Effect.forEach(keys, (key) => until(bench.row(key), ({ status }) => status === "final"))
      assert.lengthOf(yield* bench.chain.transactionsOf(bench.wallet), 3)
    }), concurrent)

  it.effect("fails for a submission that does not exist", () =>
    Effect.gen(function*() {
      const lane = yield* (yield* TestLane.make()).open
      assert.strictEqual((yield* Effect.flip(lane.submit("nobody/0"))).errorType, "internal")
    }), concurrent)
})
