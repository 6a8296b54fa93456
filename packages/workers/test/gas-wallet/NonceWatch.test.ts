/** The check of transaction counts while the database does not take its alert. */
import { assert, it } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { Comparison, type Count, NonceBaselineStore } from "@vault-trader/core/gas-wallet/NonceBaselineStore"
import { WalletAlertStore } from "@vault-trader/core/gas-wallet/WalletAlertStore"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import * as Sharding from "effect/cluster/Sharding"
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
