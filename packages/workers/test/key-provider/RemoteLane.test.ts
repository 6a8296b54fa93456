/** The lanes of wallets whose keys are at a provider: it may refuse, hang or lie, and the rows stay right. */
import { assert, layer } from "@effect/vitest"
import { GasWalletStore, type RemoteProvider, remoteProviders } from "@vault-trader/core/gas-wallet/GasWalletStore"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { walletScope } from "@vault-trader/core/gas-wallet/SwitchScope"
import type { KeyFault } from "@vault-trader/devnet/key-provider/KeyFaults"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { Signer } from "../../src/gas-wallet/Signer.ts"
import * as TestLane from "../gas-wallet/TestLane.ts"
import { receiver, until } from "../gas-wallet/TestLane.ts"
import { Fakes, Providers } from "./TestProviders.ts"

const patient = { patienceMillis: 60_000 }

const Services = Layer.mergeAll(
  TestLane.Stores.pipe(Layer.provide(Providers)),
  GasWalletStore.layer.pipe(Layer.provide(TestLane.Database))
).pipe(Layer.provideMerge(Fakes.layer))

/** A funded wallet whose key only the provider has, with its rows and chain. */
const bench = (provider: RemoteProvider) =>
  Effect.gen(function*() {
    const { create } = yield* Fakes
    const { address, privateKey, reference } = yield* create(provider)
    assert.isTrue(yield* (yield* GasWalletStore).putRemote({ address, provider, reference }))
    const made = { address, privateKey: Redacted.make(privateKey.slice(2)) }
    const lane = yield* TestLane.make(patient, TestLane.ether, made)
    yield* lane.hearAlerts
    // The wallet is not new: its first count is its baseline.
    const sql = yield* SqlClient.SqlClient
    yield* sql`update gas_wallets set imported = false where address = ${address}`
    return lane
  })

/** Holds every signature of the fakes until the latch opens. */
const holding = Effect.gen(function*() {
  const { faults } = yield* Fakes
  const latch = yield* Latch.make(false)
  yield* faults.holdSignatures(Effect.asVoid(latch.await))
  yield* Effect.addFinalizer(() => Effect.andThen(latch.open, faults.holdSignatures(Effect.void)))
  return latch
})

layer(Services, { timeout: "4 minutes", excludeTestServices: true })("a wallet whose key is at a provider", (it) => {
  for (const provider of remoteProviders) {
    it.effect(`sends in nonce order, signs again at other fees, and fills gaps (${provider})`, () =>
      Effect.gen(function*() {
        const own = yield* bench(provider)
        yield* own.mining
        const lane = yield* own.open
        const keys = yield* Effect.forEach([1, 2, 3], () => own.put())
        const settled = yield* Effect.forEach(keys, lane.submit, { concurrency: "unbounded" })
        assert.deepStrictEqual(settled.map(({ _tag }) => _tag), ["Mined", "Mined", "Mined"])
        assert.deepStrictEqual((yield* own.allAttempts).map(({ nonce }) => nonce), [0, 1, 2])
        assert.lengthOf(yield* own.chain.transactionsOf(own.wallet), 3)
        for (const { raw, rows } of own.sends) assert.strictEqual(rows[0]?.raw, raw)

        const signer = yield* Signer
        const [first] = yield* own.attempts(keys[0]!)
        const fees = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 5n }
        const raised = yield* signer.replace(own.wallet, first!.raw, fees)
        const { transaction } = Option.getOrThrow(yield* signer.read(own.wallet, raised.raw))
        assert.deepStrictEqual(
          [transaction.nonce, transaction.to, transaction.maxFeePerGas],
          [0n, receiver, fees.maxFeePerGas]
        )
        const filler = yield* signer.fill(own.wallet, { chainId: 10, nonce: 9n, gasLimit: 21_000n, ...fees })
        assert.isTrue(Option.isSome(yield* signer.read(own.wallet, filler.raw)))
      }))
  }

  for (const fault of ["denied", "disabled", "throttled", "serverError", "silence"] as const) {
    it.effect(`waits with one alert while the provider does not sign (${fault}), and then sends once`, () =>
      Effect.gen(function*() {
        const { faults } = yield* Fakes
        const own = yield* bench("aws-kms")
        yield* own.mining
        const before = yield* faults.signRequests("aws-kms")
        yield* faults.inject("aws-kms", fault)
        const key = yield* own.put()
        const lane = yield* own.open
        const waiter = yield* Effect.forkChild(lane.submit(key))
        yield* until(own.alerts, (alerts) => alerts.length > 0)
        // It is tried again, and raises no other alert.
        const asked = yield* faults.signRequests("aws-kms")
        yield* until(faults.signRequests("aws-kms"), (count) => count > asked)
        assert.isAbove(asked, before)
        assert.deepStrictEqual(yield* own.alerts, ["key_unavailable"])
        assert.strictEqual((yield* own.row(key)).status, "queued")
        assert.deepStrictEqual([own.sends.length, (yield* own.allAttempts).length], [0, 0])
        yield* faults.heal
        assert.strictEqual((yield* Fiber.join(waiter))._tag, "Mined")
        assert.deepStrictEqual((yield* own.allAttempts).map(({ nonce }) => nonce), [0])
      }))
  }

  const final: ReadonlyArray<readonly [RemoteProvider, KeyFault]> = [
    ["aws-kms", "gone"],
    ["aws-kms", "pendingDeletion"],
    ["aws-kms", "otherKey"],
    ["aws-kms", "garbage"],
    ["gcp-kms", "otherKey"],
    ["gcp-kms", "otherDigest"],
    ["web3signer", "otherKey"],
    ["web3signer", "otherDigest"],
    ["web3signer", "highS"]
  ]
  for (const [provider, fault] of final) {
    it.effect(`refuses the submission, sends nothing and keeps the nonce (${provider}: ${fault})`, () =>
      Effect.gen(function*() {
        const { faults } = yield* Fakes
        const own = yield* bench(provider)
        yield* own.mining
        const lane = yield* own.open
        yield* faults.inject(provider, fault)
        const key = yield* own.put()
        assert.strictEqual((yield* lane.submit(key))._tag, "Refused")
        assert.deepStrictEqual([yield* own.alerts, own.sends.length], [["key_unavailable"], 0])
        yield* faults.heal
        assert.strictEqual((yield* lane.submit(yield* own.put()))._tag, "Mined")
        assert.deepStrictEqual((yield* own.allAttempts).map(({ nonce }) => nonce), [0])
      }))
  }

  it.effect("signs nothing with the key of a row that a person has changed to another one, which exists and signs", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { create } = yield* Fakes
      const [own, other] = [yield* bench("web3signer"), yield* create("aws-kms")]
      yield* sql`update gas_wallets set provider = 'aws-kms', key_reference = ${other.reference}
        where address = ${own.wallet}`
      const lane = yield* own.open
      const key = yield* own.put()
      assert.strictEqual((yield* lane.submit(key))._tag, "Refused")
      const { failure } = yield* own.row(key)
      assert.match(
        String(failure?.message),
        /The signature of AWS KMS is not one of wallet 0x[0-9a-f]{40}; it was discarded/
      )
      assert.deepStrictEqual(own.sends, [])
    }))

  it.effect("holds no database transaction while its provider hangs, and stops no other wallet", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { faults } = yield* Fakes
      const [own, local] = [yield* bench("aws-kms"), yield* TestLane.make(patient)]
      yield* own.mining
      yield* local.mining
      const latch = yield* holding
      const before = yield* faults.signRequests("aws-kms")
      const lane = yield* own.open
      const waiter = yield* Effect.forkChild(lane.submit(yield* own.put()))
      yield* until(faults.signRequests("aws-kms"), (count) => count > before)
      // Reads of the lane hold a lock for a moment; what waits for the provider would hold it for as long as it hangs.
      yield* until(
        sql`select 1 from pg_locks l join pg_class c on c.oid = l.relation join pg_database d on d.oid = l.database
          where c.relname in ('submissions', 'attempts', 'key_limits') and l.pid <> pg_backend_pid()
            and d.datname = current_database()`,
        (locks) => locks.length === 0
      )
      assert.deepStrictEqual([own.sends.length, yield* own.allAttempts], [0, []])
      const other = yield* local.open
      assert.strictEqual((yield* other.submit(yield* local.put()))._tag, "Mined")
      assert.strictEqual(own.sends.length, 0)
      yield* latch.open
      assert.strictEqual((yield* Fiber.join(waiter))._tag, "Mined")
    }))

  it.effect("signs a long queue in parts, in order", () =>
    Effect.gen(function*() {
      const own = yield* bench("web3signer")
      yield* own.mining
      const keys = yield* Effect.forEach(Array.from({ length: 40 }), () => own.put())
      const lane = yield* own.open
      const settled = yield* Effect.forEach(keys, lane.submit, { concurrency: "unbounded" })
      assert.isTrue(settled.every(({ _tag }) => _tag === "Mined"))
      assert.deepStrictEqual((yield* own.allAttempts).map(({ nonce }) => nonce), keys.map((_, place) => place))
      assert.isAtMost(own.signed.length, 40)
    }))

  it.effect("commits no signature that was made while a kill switch was turned on", () =>
    Effect.gen(function*() {
      const { faults } = yield* Fakes
      const { pause, resume } = yield* KillSwitch
      const own = yield* bench("gcp-kms")
      yield* own.mining
      const latch = yield* holding
      const before = yield* faults.signRequests("gcp-kms")
      const lane = yield* own.open
      const waiter = yield* Effect.forkChild(lane.submit(yield* own.put()))
      yield* until(faults.signRequests("gcp-kms"), (count) => count > before)
      yield* pause(walletScope(own.wallet), "a test", false)
      yield* latch.open
      assert.strictEqual((yield* Fiber.join(waiter))._tag, "Refused")
      assert.deepStrictEqual([own.sends.length, (yield* own.allAttempts).length], [0, 0])
      yield* resume(walletScope(own.wallet))
    }))

  it.effect("gives each submission a nonce of its own although two owners sign at the same time", () =>
    Effect.gen(function*() {
      const { faults } = yield* Fakes
      const own = yield* bench("web3signer")
      yield* own.mining
      const latch = yield* holding
      const before = yield* faults.signRequests("web3signer")
      const keys = [yield* own.put(), yield* own.put()]
      // Each owner has one of them: a lane reads all queued rows when it opens, so that both would sign both.
      const lanes = [yield* own.open, yield* own.open]
      const waiters = yield* Effect.forEach(keys, (key, place) => Effect.forkChild(lanes[place]!.submit(key)))
      yield* until(faults.signRequests("web3signer"), (count) => count >= before + 4)
      assert.isAbove(own.signed.filter((nonce) => nonce === 0n).length, 1)
      yield* latch.open
      const settled = yield* Effect.forEach(waiters, Fiber.join)
      assert.deepStrictEqual(settled.map(({ _tag }) => _tag), ["Mined", "Mined"])
      assert.deepStrictEqual((yield* own.allAttempts).map(({ nonce }) => nonce), [0, 1])
      assert.lengthOf(yield* own.chain.transactionsOf(own.wallet), 2)
      assert.lengthOf(new Set(own.sends.map(({ raw }) => raw)), 2)
    }))
})
