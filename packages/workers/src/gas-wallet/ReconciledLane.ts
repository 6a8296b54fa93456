/** A lane as its reconciliation uses it. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { LaneReconciliationStore } from "@vault-trader/core/gas-wallet/LaneReconciliationStore"
import type { ChainClient } from "../chain/ChainClient.ts"
import type { LaneQuarantines } from "./LaneQuarantines.ts"
import type { SigningPolicy } from "./SigningPolicy.ts"
import type { SigningRecord } from "./SigningRecord.ts"
import type { WalletAlerts } from "./WalletAlerts.ts"

export interface ReconciledLane {
  readonly chain: ChainClient
  readonly network: Network
  readonly wallet: Address
  readonly rows: LaneReconciliationStore["Service"]
  readonly record: SigningRecord["Service"]
  readonly quarantines: LaneQuarantines
  readonly alerts: WalletAlerts["Service"]
  readonly policy: SigningPolicy["Service"]
}
