/** The signer with its policy and limits, and the alerts of wallets, with the stores that only they use. */
import { GasWalletStore } from "@vault-trader/core/gas-wallet/GasWalletStore"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { WalletAlertStore } from "@vault-trader/core/gas-wallet/WalletAlertStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SettlementPolicy } from "../billing/Settlements.ts"
import type { Kek } from "./Envelope.ts"
import { GasPolicy } from "./GasMonitor.ts"
import { KeyLimitCheck } from "./KeyLimitCheck.ts"
import type { ReaderTable } from "./Reading.ts"
import { Signer } from "./Signer.ts"
import { SigningPolicy } from "./SigningPolicy.ts"
import { WalletAlerts } from "./WalletAlerts.ts"

/** `table`: decodes what an action's bytes move. Payments and refills are checked against the configured policies. */
export const SigningLive = (kek: Kek, table: ReaderTable) =>
  Layer.unwrap(Effect.map(Effect.all([SettlementPolicy, GasPolicy]), ([{ treasuries }, { topUps }]) =>
    Layer.mergeAll(
      Signer.layer(kek).pipe(
        Layer.provide(GasWalletStore.layer),
        Layer.provideMerge(SigningPolicy.layer(table, treasuries, topUps))
      ),
      KeyLimitCheck.layer(table, treasuries).pipe(Layer.provide(KeyLimitStore.layer)),
      WalletAlerts.layer.pipe(Layer.provide(WalletAlertStore.layer))
    )))
