/** The cap of a wallet's gas in a day: beyond it nothing new is signed, and cancellations have a margin. */
import { assert, it as vitest, layer } from "@effect/vitest"
import { facts } from "@vault-trader/core/chain/Network"
import { format } from "@vault-trader/core/chain/Quantity"
import { Reading } from "@vault-trader/core/billing/Price"
import { GasSpendingStore } from "@vault-trader/core/gas-wallet/GasSpendingStore"
import type { Submission } from "@vault-trader/core/gas-wallet/Submission"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as SqlClient from "effect/sql/SqlClient"
import { actions } from "../../src/ActionTable.ts"
import { Prices } from "../../src/billing/Prices.ts"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import { Chains } from "../../src/chain/Chains.ts"
import * as GasAmount from "../../src/gas-wallet/GasAmount.ts"
import * as GasCap from "../../src/gas-wallet/GasCap.ts"
import { read, type ReaderTable } from "../../src/gas-wallet/Reading.ts"
import { Signer } from "../../src/gas-wallet/Signer.ts"
import * as TestLane from "./TestLane.ts"
import { gwei, network } from "./TestLane.ts"

const concurrent = { concurrent: true }
const { chainId } = facts[network]

/** A bench whose signer has this cap. `price`: USD (18 decimals) of one native token. */
const capped = (text: string, price: () => bigint | undefined = () => undefined) =>
  Effect.gen(function*() {
    const signer = yield* Signer
    const prices = Layer.succeed(
      Prices,
      {
        usable: () =>
          Effect.map(Clock.currentTimeMillis, (readAt) =>
            Option.map(Option.fromUndefinedOr(price()), (usd18) =>
              Reading.make({ source: "test", usd18, readAt, updatedAt: null })))
      } as unknown as Prices["Service"]
    )
    const chains = Layer.succeed(Chains, {
      networks: [network],
      get: () =>
        Effect.succeed({ book: { chainId } } as ChainClient)
    })
    const Capped = GasCap.capWith(Layer.succeed(Signer, signer), GasAmount.read(text)!).pipe(
      Layer.provide([prices, chains, GasSpendingStore.layer])
    )
    return yield* Effect.provide(
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ patienceMillis: 60_000 })
        yield* bench.hearAlerts
        return { ...bench, capped: yield* Signer }
      }),
      Capped
    )
  })

const yesterday = (wallet: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`update attempts set created_at = created_at - interval '1 day' where wallet = ${wallet}`
  )

layer(TestLane.Stores, { timeout: "4 minutes", excludeTestServices: true })(
  "a wallet with a cap of gas",
  (it) => {
    it.effect(
      "has what still fits signed; the rest waits, is alerted, and continues the next day",
      () =>
        Effect.gen(function*() {
          const free = yield* TestLane.make({ patienceMillis: 60_000 })
          const probe = yield* free.put()
          yield* Effect.forkChild((yield* free.open).submit(probe))
          const [first] = yield* TestLane.until(free.attempts(probe), ({ length }) => length === 1)
          const sql = yield* SqlClient.SqlClient
          const [row] = yield* sql<{ readonly cost: string }>`select (gas_limit * max_fee_per_gas)::text as cost
          from attempts where hash = ${first!.hash}`
          // Two transactions and a half.
          const bench = yield* capped(format(BigInt(row!.cost) * 5n / 2n, 18))
          const keys = yield* Effect.forEach([1, 2, 3, 4], () => bench.put())
          const lane = yield* bench.open
          const waiters = yield* Effect.forEach(keys, (key) => Effect.forkChild(lane.submit(key)))
          yield* TestLane.until(bench.alerts, (alerts) => alerts.includes("gas_cap_reached"))
          yield* TestLane.until(bench.allAttempts, ({ length }) => length === 2)
          assert.deepStrictEqual(
            (yield* Effect.forEach(keys, (key) => bench.row(key))).map(({ status }) => status).sort(),
            ["queued", "queued", "signed", "signed"]
          )
          yield* yesterday(bench.wallet)
          yield* bench.mining
          // A lane that opens reads the rows at once.
          yield* bench.open
          const ends = yield* Effect.forEach(waiters, Fiber.join)
          assert.deepStrictEqual(ends.map(({ _tag }) => _tag), ["Mined", "Mined", "Mined", "Mined"])
        }),
      concurrent
    )

    it.effect(
      "counts a mined transaction at its cost, and another at the maximum of its attempts",
      () =>
        Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          const bench = yield* TestLane.make({ patienceMillis: 20 })
          const key = yield* bench.put()
          const waiter = yield* Effect.forkChild((yield* bench.open).submit(key))
          // Signed at the low fee, so that it has to be raised.
          yield* TestLane.until(bench.attempts(key), ({ length }) => length > 0)
          yield* bench.chain.setBaseFee(50n * gwei)
          yield* TestLane.until(Effect.andThen(bench.chain.mine(), bench.attempts(key)), ({ length }) => length > 1)
          const spent = Effect.flatMap(GasSpendingStore, (store) => store.today(network, bench.wallet, 0n)).pipe(
            Effect.provide(GasSpendingStore.layer)
          )
          yield* TestLane.until(Effect.andThen(bench.chain.mine(), bench.row(key)), ({ receipt }) => receipt !== null)
          yield* Fiber.join(waiter)
          const { gasUsed, effectiveGasPrice } = (yield* bench.row(key)).receipt!
          assert.strictEqual((yield* spent).wei, gasUsed * effectiveGasPrice)
          yield* sql`update submissions set status = 'signed', receipt = null where key = ${key}`
          const attempts = yield* sql<{ readonly cost: string }>`select (gas_limit * max_fee_per_gas)::text as cost
          from attempts where submission_key = ${key}`
          const most = attempts.map(({ cost }) => BigInt(cost)).reduce((a, b) => a > b ? a : b)
          assert.strictEqual((yield* spent).wei, most)
          yield* yesterday(bench.wallet)
          assert.strictEqual((yield* spent).wei, 0n)
        }),
      concurrent
    )

    it.effect(
      "has raises refused beyond it; cancellations and fillers may exceed it by a quarter, and no further",
      () =>
        Effect.gen(function*() {
          const bench = yield* capped("0.001")
          const call = { chainId, from: bench.wallet, to: TestLane.receiver, data: "0x", value: 0n } as const
          const fees = (maxFeePerGas: bigint) => ({ maxFeePerGas, maxPriorityFeePerGas: 1n })
          const sign = (gasLimit: bigint, fee: bigint) =>
            bench.capped.sign(bench.wallet, [{ ...call, permit: call, nonce: 0n, gasLimit, ...fees(fee) }])
          const over = yield* Effect.flip(sign(1_000_001n, gwei))
          assert.deepStrictEqual([over._tag, over._tag === "GasCapReached" && over.room], ["GasCapReached", 10n ** 15n])
          const [one] = yield* sign(1_000_000n, gwei)
          const raise = yield* Effect.flip(bench.capped.replace(bench.wallet, one!.raw, fees(3n * gwei)))
          assert.strictEqual(raise._tag, "GasCapReached")
          const fill = (maxFee: bigint) =>
            bench.capped.fill(bench.wallet, { chainId, nonce: 0n, gasLimit: 100_000n, ...fees(maxFee) })
          const cancelled = yield* fill(125n * gwei / 10n)
          assert.strictEqual((yield* Effect.flip(fill(126n * gwei / 10n)))._tag, "GasCapReached")
          const raised = yield* bench.capped.replace(bench.wallet, cancelled.raw, fees(24n * gwei))
          assert.strictEqual(raised.maxFeePerGas, 24n * gwei)
        }),
      concurrent
    )

    it.effect(
      "waits in USD until there is a price, and keeps to the last one while there is none",
      () =>
        Effect.gen(function*() {
          let price: bigint | undefined
          const bench = yield* capped("1usd", () => price)
          const fill = (gwei: bigint) =>
            bench.capped.fill(bench.wallet, {
              ...{
                chainId,
                nonce: 0n,
                gasLimit: 100_000n,
                maxFeePerGas: gwei * TestLane.gwei,
                maxPriorityFeePerGas: 1n
              }
            })
          const before = yield* Effect.flip(fill(1n))
          assert.match(before._tag === "GasCapReached" ? before.message : "", /no price of ETH/)
          // 0.0005 ETH.
          price = 2_000n * TestLane.ether
          yield* fill(5n)
          price = undefined
          yield* fill(5n)
          assert.strictEqual((yield* Effect.flip(fill(7n)))._tag, "GasCapReached")
        }),
      concurrent
    )
  }
)

vitest("a value is refused for every kind of action, whatever its bytes say", () => {
  const movement = () => ({ gives: [], receiver: null })
  const table = Object.fromEntries(
    Object.keys(actions).map((kind) => [kind, { decodeMovement: movement, directMovement: movement }])
  ) as unknown as ReaderTable
  const pool = TestLane.receiver
  const kinds = Object.keys(actions)
  assert.isAbove(kinds.length, 10)
  for (const request of kinds) {
    for (const to of [pool, `0x${"c".repeat(40)}` as const]) {
      const reading = (value: bigint) =>
        read(table, {} as ChainClient, { network, to, data: "0x1234", value } as unknown as Submission, {
          network,
          pool,
          request,
          asset: null
        })
      assert.deepStrictEqual([Result.isSuccess(reading(0n)), Result.isSuccess(reading(1n))], [true, false], request)
    }
  }
})
