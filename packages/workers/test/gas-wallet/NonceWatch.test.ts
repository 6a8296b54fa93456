/** The check of transaction counts while the database does not take its alert. */
import { assert, it } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { idOf } from "@vault-trader/core/gas-wallet/GasWallet"
import type { LaneQuarantine } from "@vault-trader/core/gas-wallet/LaneQuarantine"
import { LaneQuarantineStore } from "@vault-trader/core/gas-wallet/LaneQuarantineStore"
import { Comparison, type Count, NonceBaselineStore } from "@vault-trader/core/gas-wallet/NonceBaselineStore"
import { WalletAlertStore } from "@vault-trader/core/gas-wallet/WalletAlertStore"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import * as Sharding from "effect/cluster/Sharding"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { Chains } from "../../src/chain/Chains.ts"
import * as NonceWatch from "../../src/gas-wallet/NonceWatch.ts"
import { WalletAlerts } from "../../src/gas-wallet/WalletAlerts.ts"
import { clientOf } from "../chain/TestClient.ts"

const network = "base"
const misused: Address = `0x${"aa".repeat(20)}`
const quiet: Address = `0x${"bb".repeat(20)}`

const quarantineOf = (wallet: Address): LaneQuarantine => ({
  network,
  wallet,
  kind: "rows_behind_chain",
  reason: "the ledger is behind",
  evidence: { count: "1", transactions: [] },
  createdAt: DateTime.makeUnsafe(0)
})

/** A store that lists these wallets' lanes as quarantined and to which nothing may be written. */
const quarantinesOf = (wallets: ReadonlyArray<Address>) => {
  const unused = () => Effect.die(new Error("the check only lists quarantines"))
  return Layer.succeed(LaneQuarantineStore, {
    open: unused,
    find: unused,
    end: unused,
    release: unused,
    list: Effect.succeed(wallets.map(quarantineOf))
  })
}

it.effect("reconciles a lane that is quarantined although the ledger explains all its transactions", () =>
  Effect.gen(function*() {
    const client = yield* clientOf(yield* TestChain.make({ network }))
    const reconciled: Array<string> = []
    const services = Layer.mergeAll(
      quarantinesOf([misused]),
      WalletAlerts.layer.pipe(Layer.provide(Layer.succeed(WalletAlertStore, { notify: () => Effect.void }))),
      Layer.succeed(NonceBaselineStore, {
        active: () => Effect.succeed([misused, quiet]),
        compare: (_, counts) =>
          Effect.succeed(counts.map((each) => Comparison.make({ ...each, baseline: 0n, ours: 0n, lastFinal: null }))),
        recordExplained: () => Effect.void
      }),
      Chains.layerOf(new Map([[network, client]])),
      // The types of a client's methods follow from its entity, which a stub of all entities cannot name.
      Layer.succeed(Sharding.Sharding, {
        makeClient: () =>
          Effect.succeed((id: string) => ({ reconcile: () => Effect.sync(() => void reconciled.push(id)) }))
      } as never)
    )
    yield* Effect.provide(NonceWatch.check(network), services)
    assert.deepStrictEqual(reconciled, [idOf(network, misused)])
  }))

it.effect("counts a foreign transaction as explained only once its alert is written", () =>
  Effect.gen(function*() {
    const chain = yield* TestChain.make({ network })
    const client = yield* clientOf(chain)
    const state = { isDown: true }
    const told: Array<Address> = []
    const explained: Array<ReadonlyArray<Address>> = []
    const alerts = Layer.succeed(WalletAlertStore, {
      notify: ({ wallet }) =>
        Effect.suspend(() => {
          if (state.isDown) {
            return Effect.fail(
              new SqlError({ reason: new ConnectionError({ cause: new Error("gone"), message: "gone" }) })
            )
          }
          told.push(wallet)
          return Effect.void
        })
    })
    const baselines = Layer.succeed(NonceBaselineStore, {
      active: () => Effect.succeed([misused, quiet]),
      compare: (_, counts) =>
        Effect.succeed(counts.map(({ count, wallet }) =>
          Comparison.make({ wallet, count: wallet === misused ? 1n : count, baseline: 0n, ours: 0n, lastFinal: null })
        )),
      recordExplained: (_, counts: ReadonlyArray<Count>) =>
        Effect.sync(() =>
          void explained.push(counts.map(({ wallet }) => wallet))
        )
    })
    const services = Layer.mergeAll(
      quarantinesOf([]),
      WalletAlerts.layer.pipe(Layer.provide(alerts)),
      baselines,
      Chains.layerOf(new Map([[network, client]])),
      // The lane cannot be reached: only then does the check alert by itself.
      // The types of a client's methods follow from its entity, which a stub of all entities cannot name.
      Layer.succeed(Sharding.Sharding, {
        makeClient: () => Effect.succeed(() => ({ reconcile: () => Effect.fail("unreachable") }))
      } as never)
    )
    yield* Effect.gen(function*() {
      yield* NonceWatch.check(network)
      state.isDown = false
      yield* NonceWatch.check(network)
    }).pipe(Effect.provide(services))
    assert.deepStrictEqual(told, [misused])
    assert.deepStrictEqual(explained, [[quiet], [quiet]])
  }))
