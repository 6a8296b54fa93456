/** Alerts in the outbox, and the kill switch of those that pause. */
import { assert, layer } from "@effect/vitest"
import { walletScope } from "@vault-trader/core/gas-wallet/SwitchScope"
import type { WalletAlertKind } from "@vault-trader/core/gas-wallet/WalletAlert"
import { WalletAlertStore } from "@vault-trader/core/gas-wallet/WalletAlertStore"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { PausingAlerts, WalletAlerts } from "../../src/gas-wallet/WalletAlerts.ts"
import * as TestLane from "./TestLane.ts"
import { network } from "./TestLane.ts"

/** Built again by each test: the lanes' services contain one with other dependencies. */
const freshAlerts = Layer.fresh(WalletAlerts.layer)

layer(TestLane.Stores, { timeout: "4 minutes", excludeTestServices: true })("alerts of wallets", (it) => {
  it.effect("stop the wallet where the operator has selected their kind, also one that its owner has stopped", () =>
    Effect.gen(function*() {
      const bench = yield* TestLane.make()
      const sql = yield* SqlClient.SqlClient
      const { wallet } = bench
      const scope = walletScope(wallet)
      const switches = sql<{ readonly reason: string; readonly by: string }>`select reason, set_by as by
        from kill_switches where scope = ${scope}`
      yield* bench.hearAlerts
      yield* Effect.gen(function*() {
        const alerts = yield* WalletAlerts
        const raise = (kind: WalletAlertKind) => alerts.raise({ kind, network, wallet, message: `It is ${kind}.` })
        assert.isTrue(yield* raise("malformed_row"))
        assert.deepStrictEqual(yield* switches, [])
        yield* sql`insert into kill_switches ${sql.insert({ scope, reason: "a holiday", set_by: "owner" })}`
        assert.isTrue(yield* raise("balance_drain"))
        assert.isTrue(yield* raise("balance_drain"))
        assert.deepStrictEqual(yield* switches, [{
          reason: "alert balance_drain: It is balance_drain.",
          by: "operator"
        }])
        assert.deepStrictEqual(yield* bench.alerts, ["malformed_row", "balance_drain"])
      }).pipe(Effect.provide(
        freshAlerts.pipe(
          Layer.provide([WalletAlertStore.layer, Layer.succeed(PausingAlerts, new Set(["balance_drain" as const]))])
        )
      ))
    }))

  it.effect("are raised again after a call that was interrupted before they were written", () =>
    Effect.gen(function*() {
      const { wallet } = yield* TestLane.make()
      const [started, written] = [yield* Latch.make(), yield* Latch.make()]
      let notified = 0
      const store = Layer.succeed(WalletAlertStore, {
        notify: () =>
          Effect.sync(() => {
            notified++
          }).pipe(Effect.andThen(started.open), Effect.andThen(written.await))
      })
      yield* Effect.gen(function*() {
        const alerts = yield* WalletAlerts
        const raise = alerts.raise({ kind: "balance_drain", network, wallet, message: "It fell." })
        const first = yield* Effect.forkChild(raise)
        yield* started.await
        yield* Fiber.interrupt(first)
        yield* written.open
        assert.isTrue(yield* raise)
        assert.isTrue(yield* raise)
        assert.strictEqual(notified, 2)
      }).pipe(Effect.provide(freshAlerts.pipe(Layer.provide(store))))
    }))
})
