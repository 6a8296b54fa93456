/** The stores that several actors use: keys and limits, submissions, intents and their plans. */
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import { GasWalletStore } from "@vault-trader/core/gas-wallet/GasWalletStore"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { LaneQuarantineStore } from "@vault-trader/core/gas-wallet/LaneQuarantineStore"
import { LaneReconciliationStore } from "@vault-trader/core/gas-wallet/LaneReconciliationStore"
import { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import { PlannedStepStore } from "@vault-trader/core/intent/PlannedStepStore"
import { GuardianStore } from "@vault-trader/core/guardian/GuardianStore"
import * as Layer from "effect/Layer"

export const IntentStores = PlannedStepStore.layer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      GasWalletStore.layer,
      ApiKeyStore.layer,
      SubmissionStore.layer,
      IntentStore.layer,
      KeyLimitStore.layer,
      KillSwitch.layer,
      GuardianStore.layer,
      LaneQuarantineStore.layer,
      LaneReconciliationStore.layer
    )
  )
)
