import { assert, describe, it as alone, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { MintManagerFeeRequest } from "@vault-trader/core/fees/Fees"
import { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import { queueOf } from "@vault-trader/core/intent/IntentQueue"
import { GuardianStore } from "@vault-trader/core/guardian/GuardianStore"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import { PlannedStepStore } from "@vault-trader/core/intent/PlannedStepStore"
import { VaultIndexStore } from "@vault-trader/core/manager/VaultIndexStore"
import { PerpetualMoveStore } from "@vault-trader/core/perpetual/PerpetualMoveStore"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import { TradeRequest } from "@vault-trader/core/trading/Trading"
import { idOf, Vault } from "@vault-trader/core/vault/Vault"
import { executor } from "@vault-trader/core/vault/WalletQueue"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import * as BigDecimal from "effect/BigDecimal"
import * as TestRunner from "effect/cluster/TestRunner"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { randomBytes, randomUUID } from "node:crypto"
import { Prices } from "../../src/billing/Prices.ts"
import { Chains } from "../../src/chain/Chains.ts"
import { Tokens } from "../../src/chain/Tokens.ts"
import { GasWalletLive } from "../../src/gas-wallet/GasWallet.ts"
import { Signer } from "../../src/gas-wallet/Signer.ts"
import { ManagedVaults } from "../../src/manager/ManagedVaults.ts"
import * as HyperCoreInfo from "../../src/perpetual/HyperCoreInfo.ts"
import { Actions } from "../../src/vault/Action.ts"
import * as FairQueue from "../../src/vault/FairQueue.ts"
import { ReconcilerLive } from "../../src/vault/Reconciler.ts"
import { VaultLive } from "../../src/vault/Vault.ts"
import { WalletQueueLive } from "../../src/vault/WalletQueue.ts"
import { SliceSizer } from "../../src/trading/SliceSizer.ts"
import * as AggregatorClient from "../../src/venue/AggregatorClient.ts"
import { actions } from "../../src/ActionTable.ts"
import { clientOf } from "../chain/TestClient.ts"
import * as TestLane from "../gas-wallet/TestLane.ts"
import { MemoryBans } from "../venue/MemoryBans.ts"

const [first, second]: readonly [Address, Address] = [`0x${"a".repeat(40)}`, `0x${"b".repeat(40)}`]

describe("a fair queue", () => {
  alone.effect(
    "runs the work of all wallets one at a time, in order, while none of it takes long",
    () =>
      Effect.gen(function*() {
        const queue = yield* FairQueue.make
        const seen: Array<string> = []
        const work = (name: string) =>
          Effect.gen(function*() {
            seen.push(`${name} begins`)
            yield* Effect.sleep("1 second")
            seen.push(`${name} ends`)
          })
        yield* queue.add(first, work("one"))
        yield* queue.add(second, work("two"))
        yield* queue.add(first, work("three"))
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(seen, ["one", "two", "three"].flatMap((name) => [`${name} begins`, `${name} ends`]))
      })
  )

  alone.effect("lets a wallet's work that does not end hold up its own wallet only", () =>
    Effect.gen(function*() {
      const queue = yield* FairQueue.make
      const seen: Array<string> = []
      const work = (name: string) => Effect.sync(() => void seen.push(name))
      yield* queue.add(first, Effect.never)
      yield* queue.add(first, work("behind it"))
      yield* queue.add(second, work("of another wallet"))
      yield* TestClock.adjust("14 seconds")
      assert.deepStrictEqual(seen, [])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(seen, ["of another wallet"])
      yield* queue.add(second, work("and its next"))
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(seen, ["of another wallet", "and its next"])
    }))
})

const network = "optimism"
const manager: Address = "0x00000000000000000000000000000000000000aa"

/** The other services that actions plan with; no trade uses them. */
const perpetuals = [
  HyperCoreInfo.HyperCoreInfoLive,
  PerpetualMoveStore.layer
] as const

/**
 * A vault on a chain that makes no blocks, two wallets with gas, and actors that can be restarted. The first wallet is
 * the trader.
 */
const scene = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const wallet = Effect.gen(function*() {
    const { address } = yield* (yield* Signer).create
    const keyId = randomUUID()
    yield* sql`insert into api_keys ${
      sql.insert({ id: keyId, wallet: address, digest: randomBytes(32).toString("hex"), last_four: "beef" })
    }`
    return { address, keyId }
  })
  const [one, other] = [yield* wallet, yield* wallet]
  const chain = yield* TestChain.make({ network, seed: one.address })
  for (const { address } of [one, other]) yield* chain.setBalance(address, TestLane.ether)
  const { pool } = yield* chain.createVault({
    manager,
    trader: one.address,
    holdings: { USDC: 1_000_000n * 10n ** 6n }
  })
  const clients = Chains.layerOf(
    new Map([[network, yield* clientOf(chain, { blockPollMillis: 5, patienceMillis: 600_000 })]])
  )
  const actors = Layer.mergeAll(GasWalletLive, VaultLive, WalletQueueLive).pipe(
    Layer.provide([Actions.layer(actions), Prices.layer]),
    Layer.provide([
      Tokens.layer,
      ThresholdBotStore.layer,
      ...perpetuals,
      Layer.provideMerge(
        SliceSizer.layer,
        AggregatorClient.overFetch(AggregatorClient.defaultAccess).pipe(Layer.provide(MemoryBans))
      ),
      ManagedVaults.layer.pipe(Layer.provide(VaultIndexStore.layer))
    ]),
    Layer.provide([clients, GuardianStore.layer, PlannedStepStore.layer.pipe(Layer.provideMerge(IntentStore.layer))]),
    Layer.provideMerge(TestRunner.layer)
  )
  const intents = yield* Effect.map(Layer.build(IntentStore.layer), (context) => Context.get(context, IntentStore))
  const accept = ({ address, keyId }: typeof one, endpoint: "vaultTrade" | "mintManagerFee") =>
    Effect.map(
      intents.accept({
        ...{ wallet: address, keyId, endpoint, network, pool, idempotencyKey: null },
        request: endpoint === "vaultTrade"
          ? TradeRequest.make({
            from: "USDC",
            to: "WETH",
            amount: BigDecimal.fromNumberUnsafe(5),
            slippage: 3,
            platform: "auto"
          })
          : MintManagerFeeRequest.make({})
      }),
      ({ id }) => id
    )
  const statusOf = (id: string) =>
    Effect.map(intents.find(id), Option.match({ onNone: () => "none", onSome: ({ status }) => status }))
  return { chain, one, other, pool, actors, accept, statusOf }
})

/** Sends the intent to the vault's actor, even if it belongs to another queue. */
const throughVault = (pool: Address, id: string) =>
  Effect.flatMap(Vault.client, (vaults) => vaults(idOf(network, pool)).execute({ intentId: id }))

layer(TestLane.Stores, { timeout: "4 minutes", excludeTestServices: true })(
  "a vault whose former trader's trade can never be mined",
  (it) => {
    it.effect(
      "executes the trades of its current trader, before and after a restart; the former trader's ends when its " +
        "wallet is refilled",
      () =>
        Effect.gen(function*() {
          const { accept, actors, chain, one, other, pool, statusOf } = yield* scene
          const stuck = yield* accept(one, "vaultTrade")
          const traded = Effect.gen(function*() {
            const id = yield* accept(other, "vaultTrade")
            return (yield* throughVault(pool, id))._tag
          })
          yield* Effect.gen(function*() {
            yield* Effect.forkScoped(throughVault(pool, stuck))
            yield* TestLane.until(chain.waiting, (waiting) => waiting.length === 1)
            yield* chain.setBalance(one.address, 0n)
            yield* chain.dropAll
            yield* chain.setTrader(pool, other.address)
            yield* chain.automine(true)
            assert.strictEqual(yield* traded, "Succeeded")
            assert.strictEqual(yield* traded, "Succeeded")
          }).pipe(Effect.scoped, Effect.provide(actors))
          yield* Effect.gen(function*() {
            assert.strictEqual(yield* traded, "Succeeded")
            assert.strictEqual(yield* statusOf(stuck), "submitted")
          }).pipe(Effect.scoped, Effect.provide(actors))
          yield* chain.setTrader(pool, one.address)
          yield* Effect.gen(function*() {
            // Its own next trade is refused: nothing is signed behind a transaction that cannot be mined.
            const next = yield* throughVault(pool, yield* accept(one, "vaultTrade"))
            assert.strictEqual(
              next._tag === "Failed" && next.failure._tag === "ExecutionFailure" ? next.failure.errorType : next._tag,
              "insufficient_gas"
            )
            yield* chain.setBalance(one.address, TestLane.ether)
            assert.strictEqual((yield* throughVault(pool, stuck))._tag, "Succeeded")
            assert.strictEqual((yield* chain.transactionsOf(one.address)).length, 1)
          }).pipe(Effect.scoped, Effect.provide(actors))
        })
    )

    it.effect("finds an intent whose message was lost while an older one still waits", () =>
      Effect.gen(function*() {
        const { accept, actors, chain, one, other, pool, statusOf } = yield* scene
        const sql = yield* SqlClient.SqlClient
        const stuck = yield* accept(one, "vaultTrade")
        yield* Effect.gen(function*() {
          yield* Effect.forkScoped(throughVault(pool, stuck))
          yield* TestLane.until(chain.waiting, (waiting) => waiting.length === 1)
          yield* chain.setBalance(one.address, 0n)
          yield* chain.dropAll
          yield* chain.setTrader(pool, other.address)
          yield* chain.automine(true)
          const lost = yield* accept(other, "vaultTrade")
          yield* sql`update intents set updated_at = now() - interval '1 minute' where pool = ${pool}`
          yield* Effect.repeat(Effect.delay(statusOf(lost), "100 millis"), {
            until: (status) => status === "succeeded"
          })
        }).pipe(
          Effect.scoped,
          Effect.provide(Layer.provideMerge(ReconcilerLive.pipe(Layer.provide(IntentStore.layer)), actors))
        )
      }))
  }
)

layer(TestLane.Stores, { timeout: "4 minutes", excludeTestServices: true })(
  "a mint that the vault's actor is asked for, as the version before did",
  (it) => {
    it.effect("is executed by its wallet's queue, and never by the vault's queue", () =>
      Effect.gen(function*() {
        const { accept, actors, one, other, pool, statusOf } = yield* scene
        // No block includes the trade, so other work of its wallet in the vault's queue waits.
        const [trade, mint] = [yield* accept(one, "vaultTrade"), yield* accept(one, "mintManagerFee")]
        yield* Effect.gen(function*() {
          yield* Effect.forkScoped(throughVault(pool, trade))
          const outcome = yield* throughVault(pool, mint)
          assert.strictEqual(outcome._tag, "Failed", "the test chain's vaults mint nothing")
          assert.notStrictEqual(yield* statusOf(trade), "succeeded")
          const strangers = yield* accept(other, "mintManagerFee")
          const placed = queueOf({ endpoint: "mintManagerFee", network, pool, wallet: other.address })
          assert.strictEqual((yield* Effect.flatMap(executor, (execute) => execute(placed, strangers)))._tag, "Failed")
        }).pipe(Effect.scoped, Effect.provide(actors))
        assert.strictEqual((yield* (yield* SubmissionStore).listQueued(network, other.address)).length, 0)
      }))
  }
)
