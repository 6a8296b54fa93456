/** The alerts of quarantines that are opened, or not opened because an operator has released their evidence. */
import { assert, it } from "@effect/vitest"
import type { NewLaneQuarantine } from "@vault-trader/core/gas-wallet/LaneQuarantine"
import { LaneQuarantineStore } from "@vault-trader/core/gas-wallet/LaneQuarantineStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as LaneQuarantines from "../../src/gas-wallet/LaneQuarantines.ts"
import { WalletAlerts } from "../../src/gas-wallet/WalletAlerts.ts"

const quarantine: NewLaneQuarantine = {
  network: "base",
  wallet: `0x${"aa".repeat(20)}`,
  kind: "unknown_transaction",
  reason: "a transaction is unknown",
  evidence: { count: null, transactions: [] }
}

for (const [opening, alerts] of [["opened", 1], ["replaced", 1], ["released", 0]] as const) {
  it.effect(`raises ${alerts} alerts for a quarantine that is ${opening}`, () =>
    Effect.gen(function*() {
      const unused = () => Effect.die(new Error("only open is called"))
      const raised: Array<string> = []
      const quarantines = yield* LaneQuarantines.make.pipe(Effect.provide(Layer.mergeAll(
        Layer.succeed(LaneQuarantineStore, {
          open: () => Effect.succeed(opening),
          find: unused,
          end: unused,
          release: unused,
          list: Effect.succeed([])
        }),
        Layer.succeed(WalletAlerts, {
          raise: ({ kind }) => Effect.sync(() => raised.push(kind) > 0)
        })
      )))
      yield* quarantines.open(quarantine)
      assert.deepStrictEqual(raised, Array.from({ length: alerts }, () => "lane_quarantined"))
    }))
}
