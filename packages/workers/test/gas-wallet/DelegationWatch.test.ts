/** The check of the code at wallets' addresses. */
import { assert, layer } from "@effect/vitest"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { NonceBaselineStore } from "@vault-trader/core/gas-wallet/NonceBaselineStore"
import type { WalletAlert } from "@vault-trader/core/gas-wallet/WalletAlert"
import { WalletCodeStore } from "@vault-trader/core/gas-wallet/WalletCodeStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { Chains } from "../../src/chain/Chains.ts"
import * as DelegationWatch from "../../src/gas-wallet/DelegationWatch.ts"
import { WalletAlerts } from "../../src/gas-wallet/WalletAlerts.ts"
import { clientOver, endpointOf } from "../chain/TestClient.ts"
import * as TestLane from "./TestLane.ts"
import { network } from "./TestLane.ts"

const delegate: Address = `0x${"de".repeat(20)}`

layer(TestLane.Stores, { timeout: "4 minutes", excludeTestServices: true })("the check of wallets' code", (it) => {
  it.effect("alerts each delegation once, reads it once an hour, and repeats an alert that was not written", () =>
    Effect.gen(function*() {
      const { chain, wallet } = yield* TestLane.make()
      const sql = yield* SqlClient.SqlClient
      const node: { code: Hex; reads: number; isOutboxDown: boolean } = { code: "0x", reads: 0, isOutboxDown: false }
      const alerts: Array<WalletAlert> = []
      const client = yield* clientOver(chain, [
        endpointOf("test-chain", (method, params) =>
          method === "eth_getCode"
            ? Effect.sync(() => {
              node.reads++
              return node.code
            })
            : chain.request(method, params))
      ])
      const check = DelegationWatch.check(network).pipe(Effect.provide(Layer.mergeAll(
        WalletCodeStore.layer,
        Layer.mock(NonceBaselineStore, { active: () => Effect.succeed([wallet]) }),
        Chains.layerOf(new Map([[network, client]])),
        Layer.succeed(WalletAlerts, {
          raise: (alert) =>
            Effect.sync(() => {
              if (!node.isOutboxDown) alerts.push(alert)
              return !node.isOutboxDown
            })
        })
      )))
      const hourLater = sql`update wallet_codes set read_at = read_at - interval '61 minutes'`

      yield* check
      yield* check
      assert.deepStrictEqual([node.reads, alerts.length], [1, 0])

      node.code = `0xef0100${delegate.slice(2)}`
      node.isOutboxDown = true
      yield* hourLater
      yield* check
      node.isOutboxDown = false
      yield* check
      assert.lengthOf(alerts, 1)
      assert.deepInclude(alerts[0], { kind: "wallet_delegated", network, wallet, details: { delegate } })
      yield* hourLater
      yield* check
      assert.lengthOf(alerts, 1)

      node.code = "0x"
      yield* hourLater
      yield* check
      node.code = `0xef0100${delegate.slice(2)}`
      yield* hourLater
      yield* check
      assert.lengthOf(alerts, 2)
      node.code = "0x6001"
      yield* hourLater
      yield* check
      assert.deepStrictEqual(alerts[2]?.details, { delegate: null })
    }))
})
