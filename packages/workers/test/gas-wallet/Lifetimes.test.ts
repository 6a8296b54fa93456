/** The ends of signed transactions that are not mined in time, and of those that a kill switch cancels. */
import { assert, layer } from "@effect/vitest"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { walletScope } from "@vault-trader/core/gas-wallet/SwitchScope"
import * as ManualClock from "@vault-trader/testing/harness/ManualClock"
import { Fault } from "@vault-trader/testing/test-chain/NodeFault"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as SqlClient from "effect/sql/SqlClient"
import { parseTransaction, type TransactionSerializedEIP1559 } from "viem"
import * as TestLane from "./TestLane.ts"
import { ether, gwei, receiver, until } from "./TestLane.ts"

const concurrent = { concurrent: true }
const lifetime = 60_000
/** The call waits for gas while the base fee is `spike`, and is not re-priced. A cancellation can pay `calm`. */
const settings = { maxFeePerGas: 2n * gwei, patienceMillis: 10 * lifetime }
const [calm, spike] = [gwei, 10n * gwei]
/** Longer than bytes wait before they are broadcast again, and than a flight is left alone by a kill switch. */
const aWhile = 5_000

type Bench = Effect.Success<ReturnType<typeof TestLane.make>>

/** Runs a test under a clock that it can set forward. */
const timed = <A, E, R>(test: (clock: ManualClock.ManualClock) => Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const clock = ManualClock.make()
    return Effect.provideService(test(clock), Clock.Clock, clock.clock)
  })

const soon = Effect.map(Clock.currentTimeMillis, (now) => now + lifetime)

/** A submission in flight, whose call is in the mempool and cannot be mined. */
const waiting = (bench: Bench, call: Parameters<Bench["put"]>[0] = {}) =>
  Effect.gen(function*() {
    yield* bench.chain.setBaseFee(spike)
    yield* bench.mining
    const lane = yield* bench.open
    const key = yield* bench.put({ validUntil: yield* soon, ...call })
    const waiter = yield* Effect.forkChild(lane.submit(key))
    yield* until(bench.chain.waiting, (all) => all.length === 1)
    const [attempt] = yield* bench.attempts(key)
    return { lane, key, waiter, attempt: attempt! }
  })

/** Waits until the lane has compared its flights with this many more blocks. */
const checked = (bench: Bench, checks = 20) =>
  Effect.flatMap(
    bench.asked("eth_getTransactionCount"),
    (before) => until(bench.asked("eth_getTransactionCount"), (now) => now > before + checks)
  )

const minedOf = (bench: Bench) =>
  Effect.map(bench.chain.transactionsOf(bench.wallet), (all) => all.map(({ hash, to }) => ({ hash, to })))

layer(TestLane.Stores, { timeout: "4 minutes", excludeTestServices: true })("the lifetimes of submissions", (it) => {
  it.effect(
    "never sends a call again whose lifetime has ended since a restore forgot it",
    () =>
      timed((clock) =>
        Effect.gen(function*() {
          const bench = yield* TestLane.make(settings)
          const { attempt, key } = yield* Effect.scoped(waiting(bench))
          const { validUntil } = yield* bench.row(key)
          const sql = yield* SqlClient.SqlClient
          yield* sql`delete from attempts where submission_key = ${key}`
          yield* sql`delete from submissions where key = ${key}`
          yield* sql`update intents set status = 'accepted', tx_hash = null where id = ${key.split("/")[0]!}::uuid`
          yield* bench.chain.dropAll
          yield* clock.forward(lifetime)
          const inTime = bench.sends.length
          yield* bench.chain.setBaseFee(calm)
          yield* bench.mining
          const lane = yield* bench.open
          assert.strictEqual((yield* lane.submit(yield* bench.put()))._tag, "Mined")
          assert.deepInclude(yield* lane.submit(key), { _tag: "Cancelled", reason: "expired" })
          assert.strictEqual((yield* bench.row(key)).validUntil, validUntil)
          const late = bench.sends.slice(inTime).map(({ raw }) => raw)
          assert.notInclude(late, attempt.raw)
          assert.lengthOf(yield* minedOf(bench), 2)
        })
      ),
    concurrent
  )

  it.effect(
    "cancels a call that was not mined in time at its nonce, never sends its bytes again, and the lane continues",
    () =>
      timed((clock) =>
        Effect.gen(function*() {
          const bench = yield* TestLane.make(settings)
          const { attempt, key, lane, waiter } = yield* waiting(bench)
          const other = yield* Effect.forkChild(lane.submit(yield* bench.put()))
          yield* until(bench.chain.waiting, (all) => all.length === 2)
          yield* clock.forward(lifetime)
          const [, cancellation] = yield* until(bench.attempts(key), (all) => all.length > 1)
          assert.strictEqual(cancellation?.nonce, attempt.nonce)
          yield* until(bench.chain.waiting, (all) => all.some(({ hash }) => hash === cancellation?.hash))
          const inTime = bench.sends.length
          // A node that has forgotten everything is not given the call again.
          yield* bench.chain.dropAll
          yield* clock.forward(aWhile)
          yield* bench.chain.setBaseFee(calm)
          const settled = yield* Fiber.join(waiter)
          assert.deepInclude(settled, { _tag: "Cancelled", reason: "expired" })
          assert.strictEqual((yield* Fiber.join(other))._tag, "Mined")
          const late = bench.sends.slice(inTime).map(({ raw }) => raw)
          assert.include(late, cancellation?.raw)
          assert.notInclude(late, attempt.raw)
          assert.deepStrictEqual((yield* minedOf(bench)).map(({ to }) => to), [bench.wallet, receiver])
          assert.deepInclude(yield* bench.row(key), { cancelled: "expired" })
          assert.strictEqual((yield* lane.submit(key))._tag, "Cancelled")
        })
      ),
    concurrent
  )

  it.effect(
    "raises a cancellation to twice the fee cap and no further, however long it is not mined",
    () =>
      timed((clock) =>
        Effect.gen(function*() {
          const bench = yield* TestLane.make({ ...settings, patienceMillis: lifetime })
          const { key, waiter } = yield* waiting(bench)
          yield* clock.forward(lifetime)
          yield* until(bench.attempts(key), (all) => all.length > 1)
          for (let times = 0; times < 10; times++) {
            yield* clock.forward(2 * lifetime)
            yield* checked(bench, 3)
          }
          const fees = (yield* bench.attempts(key)).map(({ raw }) =>
            parseTransaction(raw as TransactionSerializedEIP1559).maxFeePerGas ?? 0n
          )
          assert.strictEqual(fees.reduce((one, other) => one > other ? one : other), 2n * settings.maxFeePerGas)
          yield* bench.chain.setBaseFee(calm)
          assert.deepInclude(yield* Fiber.join(waiter), { _tag: "Cancelled", reason: "expired" })
        })
      ),
    concurrent
  )

  it.effect(
    "refuses a queued submission whose lifetime is over, and never signs it",
    () =>
      timed((clock) =>
        Effect.gen(function*() {
          const bench = yield* TestLane.make(settings)
          yield* bench.mining
          const key = yield* bench.put({ validUntil: yield* soon })
          yield* clock.forward(lifetime)
          const lane = yield* bench.open
          const settled = yield* lane.submit(key)
          assert.deepInclude(settled._tag === "Refused" ? settled.failure : settled, { errorType: "expired" })
          assert.deepStrictEqual([bench.signed, bench.sends], [[], []])
          assert.strictEqual((yield* bench.row(key)).status, "refused")
        })
      ),
    concurrent
  )

  it.effect(
    "signs nothing for an expired call while the wallet cannot pay, and cancels it after a refill",
    () =>
      timed((clock) =>
        Effect.gen(function*() {
          const bench = yield* TestLane.make(settings)
          const { waiter } = yield* waiting(bench)
          yield* bench.chain.setBalance(bench.wallet, 0n)
          yield* bench.chain.dropAll
          yield* bench.chain.setBaseFee(calm)
          yield* clock.forward(lifetime)
          yield* checked(bench)
          assert.deepStrictEqual(bench.signed, [0n])
          yield* bench.chain.setBalance(bench.wallet, ether)
          assert.deepInclude(yield* Fiber.join(waiter), { _tag: "Cancelled", reason: "expired" })
          assert.deepStrictEqual((yield* minedOf(bench)).map(({ to }) => to), [bench.wallet])
        })
      ),
    concurrent
  )

  it.effect(
    "settles a call as mined when a block has it before its cancellation",
    () =>
      timed((clock) =>
        Effect.gen(function*() {
          const bench = yield* TestLane.make(settings)
          const { attempt, key, waiter } = yield* waiting(bench)
          yield* bench.faults.rule({ method: "eth_sendRawTransaction", fault: Fault.Swallow() })
          yield* clock.forward(lifetime)
          const [, cancellation] = yield* until(bench.attempts(key), (all) => all.length > 1)
          yield* until(Effect.sync(() => bench.sends), (all) => all.some(({ raw }) => raw === cancellation?.raw))
          yield* bench.chain.setBaseFee(calm)
          const settled = yield* Fiber.join(waiter)
          assert.strictEqual(settled._tag === "Mined" ? settled.receipt.transactionHash : settled._tag, attempt.hash)
          assert.strictEqual((yield* bench.row(key)).cancelled, null)
          assert.deepStrictEqual(yield* minedOf(bench), [{ hash: attempt.hash, to: receiver }])
        })
      ),
    concurrent
  )

  it.effect(
    "sends the same bytes again when a reorg removes a mined call after its lifetime, also after a restart",
    () =>
      timed((clock) =>
        Effect.gen(function*() {
          const bench = yield* TestLane.make(settings)
          const key = yield* bench.put({ validUntil: yield* soon })
          yield* Effect.scoped(Effect.gen(function*() {
            const lane = yield* bench.open
            const waiter = yield* Effect.forkChild(lane.submit(key))
            yield* until(bench.chain.waiting, (all) => all.length === 1)
            yield* bench.chain.mine()
            assert.strictEqual((yield* Fiber.join(waiter))._tag, "Mined")
            yield* clock.forward(2 * lifetime)
            yield* bench.chain.reorg(1, { keep: false })
            yield* bench.chain.setBaseFee(spike)
            yield* bench.mining
            yield* until(bench.chain.waiting, (all) => all.length === 1)
            yield* checked(bench)
            yield* bench.chain.dropAll
            yield* clock.forward(aWhile)
            yield* until(bench.chain.waiting, (all) => all.length === 1)
          }))
          yield* bench.chain.setBaseFee(calm)
          assert.deepInclude(yield* bench.row(key), { status: "signed", validUntil: null })
          yield* bench.chain.dropAll
          const lane = yield* bench.open
          yield* bench.mining
          assert.strictEqual((yield* lane.submit(key))._tag, "Mined")
          const [attempt, ...more] = yield* bench.attempts(key)
          assert.deepStrictEqual([more, bench.signed], [[], [0n]])
          assert.deepStrictEqual(yield* minedOf(bench), [{ hash: attempt!.hash, to: receiver }])
        })
      ),
    concurrent
  )

  it.effect(
    "keeps the nonce of a cancelled call when a reorg removes its cancellation",
    () =>
      timed((clock) =>
        Effect.gen(function*() {
          const bench = yield* TestLane.make({ ...settings, finalityDepth: 1_000_000 })
          const { attempt, key, waiter } = yield* waiting(bench)
          yield* clock.forward(lifetime)
          yield* until(bench.chain.waiting, (all) => all[0]?.to === bench.wallet)
          yield* bench.chain.setBaseFee(calm)
          assert.strictEqual((yield* Fiber.join(waiter))._tag, "Cancelled")
          const before = (yield* bench.row(key)).receipt
          const sent = bench.sends.length
          // A few more than needed: blocks are mined meanwhile.
          const blocks = (yield* bench.chain.head).number - before!.blockNumber + 5n
          yield* bench.chain.reorg(Number(blocks), { keep: false })
          yield* until(
            bench.row(key),
            ({ receipt, status }) => status === "mined" && receipt?.blockHash !== before?.blockHash
          )
          assert.strictEqual((yield* bench.row(key)).cancelled, "expired")
          assert.deepStrictEqual((yield* minedOf(bench)).map(({ to }) => to), [bench.wallet])
          assert.notInclude(bench.sends.slice(sent).map(({ raw }) => raw), attempt.raw)
        })
      ),
    concurrent
  )

  it.effect(
    "cancels a signed call after a restart past its lifetime, and does not broadcast it",
    () =>
      timed((clock) =>
        Effect.gen(function*() {
          const bench = yield* TestLane.make(settings)
          const { attempt, key } = yield* Effect.scoped(waiting(bench))
          yield* bench.chain.dropAll
          yield* bench.chain.setBaseFee(calm)
          yield* clock.forward(lifetime)
          const sent = bench.sends.length
          const lane = yield* bench.open
          yield* bench.mining
          assert.deepInclude(yield* lane.submit(key), { _tag: "Cancelled", reason: "expired" })
          assert.notInclude(bench.sends.slice(sent).map(({ raw }) => raw), attempt.raw)
          assert.deepStrictEqual((yield* minedOf(bench)).map(({ to }) => to), [bench.wallet])
        })
      ),
    concurrent
  )

  it.effect(
    "never cancels a submission without a lifetime",
    () =>
      timed((clock) =>
        Effect.gen(function*() {
          const bench = yield* TestLane.make({ ...settings, patienceMillis: 1_000 * lifetime })
          const { attempt, waiter } = yield* waiting(bench, { validUntil: null })
          yield* clock.forward(100 * lifetime)
          yield* checked(bench)
          yield* bench.chain.dropAll
          yield* clock.forward(aWhile)
          yield* until(bench.chain.waiting, (all) => all.length === 1)
          yield* bench.chain.setBaseFee(calm)
          assert.strictEqual((yield* Fiber.join(waiter))._tag, "Mined")
          assert.deepStrictEqual(yield* minedOf(bench), [{ hash: attempt.hash, to: receiver }])
          assert.deepStrictEqual(bench.signed, [0n])
        })
      ),
    concurrent
  )
})

layer(TestLane.Stores, { timeout: "4 minutes", excludeTestServices: true })("a kill switch", (it) => {
  it.effect(
    "that cancels takes the nonce of what is signed and not mined",
    () =>
      timed((clock) =>
        Effect.gen(function*() {
          const bench = yield* TestLane.make(settings)
          const { attempt, key, waiter } = yield* waiting(bench, { validUntil: null })
          yield* (yield* KillSwitch).pause(walletScope(bench.wallet), "a test", true)
          const sent = bench.sends.length
          yield* clock.forward(aWhile)
          yield* until(bench.attempts(key), (all) => all.length > 1)
          yield* clock.forward(aWhile)
          yield* bench.chain.dropAll
          yield* bench.chain.setBaseFee(calm)
          assert.deepInclude(yield* Fiber.join(waiter), { _tag: "Cancelled", reason: "stopped" })
          assert.strictEqual((yield* bench.row(key)).cancelled, "stopped")
          assert.deepStrictEqual((yield* minedOf(bench)).map(({ to }) => to), [bench.wallet])
          const rebroadcasts = bench.sends.slice(sent).filter(({ raw }) => raw === attempt.raw)
          assert.isAtMost(rebroadcasts.length, 1)
        })
      ),
    concurrent
  )

  it.effect(
    "that does not cancel lets nothing be signed while it is on, not even a cancellation",
    () =>
      timed((clock) =>
        Effect.gen(function*() {
          const bench = yield* TestLane.make(settings)
          const { key, waiter } = yield* waiting(bench)
          const switches = yield* KillSwitch
          yield* switches.pause(walletScope(bench.wallet), "a test")
          yield* clock.forward(lifetime)
          yield* checked(bench)
          assert.deepStrictEqual(bench.signed, [0n])
          assert.lengthOf(yield* bench.attempts(key), 1)
          yield* switches.resume(walletScope(bench.wallet))
          yield* until(bench.attempts(key), (all) => all.length > 1)
          const cancellation = (yield* bench.attempts(key)).at(-1)?.raw
          // Before that a lower fee could still let the call win.
          yield* until(Effect.sync(() => bench.sends), (sends) => sends.some(({ raw }) => raw === cancellation))
          yield* bench.chain.setBaseFee(calm)
          assert.deepInclude(yield* Fiber.join(waiter), { _tag: "Cancelled", reason: "expired" })
        })
      ),
    concurrent
  )
})
