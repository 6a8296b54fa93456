/** Opens and ends the quarantines of one process's lanes, with their alerts and metrics. */
import type { LaneQuarantineKind, NewLaneQuarantine } from "@vault-trader/core/gas-wallet/LaneQuarantine"
import { LaneQuarantineStore } from "@vault-trader/core/gas-wallet/LaneQuarantineStore"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Effect from "effect/Effect"
import { retryForever } from "../actor/Retry.ts"
import { WalletAlerts } from "./WalletAlerts.ts"

export interface LaneQuarantines {
  /** Quarantines a lane, or replaces the evidence of its quarantine. */
  readonly open: (quarantine: NewLaneQuarantine) => Effect.Effect<void>
  /** Returns true while the lane is quarantined. */
  readonly isOpen: (network: Network, wallet: Address) => Effect.Effect<boolean>
  /** Ends the lane's quarantine of these kinds, because it is explained. */
  readonly end: (
    network: Network,
    wallet: Address,
    kinds: ReadonlyArray<LaneQuarantineKind>
  ) => Effect.Effect<void>
}

export const make: Effect.Effect<LaneQuarantines, never, LaneQuarantineStore | WalletAlerts> = Effect.gen(function*() {
  const store = yield* LaneQuarantineStore
  const alerts = yield* WalletAlerts
  return {
    open: (quarantine) =>
      Effect.gen(function*() {
        const { evidence, kind, network, reason, wallet } = quarantine
        const opening = yield* retryForever(store.open(quarantine))
        if (opening === "released") return
        if (opening === "opened") yield* Metrics.count(Metrics.laneQuarantines, { network, kind })
        // Its cause has an alert of its own.
        if (kind === "unexplained_nonce") return
        yield* alerts.raise({
          kind: "lane_quarantined",
          network,
          wallet,
          message: `${wallet} signs nothing on ${network}: ${reason}. ` +
            `The evidence: vault-trader lane show ${wallet} ${network}.`,
          details: { cause: kind, nonces: evidence.transactions.map(({ nonce }) => nonce).join(", ").slice(0, 200) }
        })
      }),
    isOpen: (network, wallet) =>
      Effect.map(retryForever(store.find(network, wallet)), (found) => found._tag === "Some"),
    end: (network, wallet, kinds) =>
      Effect.flatMap(retryForever(store.end(network, wallet, "service", kinds)), (ended) =>
        ended
          ? Effect.annotateLogs(Effect.logInfo("a lane is explained and signs again"), { network, wallet })
          : Effect.void)
  }
})
