/** The signer with its policy and limits, and the alerts of wallets, with the stores that only they use. */
import { GasWalletStore } from "@vault-trader/core/gas-wallet/GasWalletStore"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { WalletAlertStore } from "@vault-trader/core/gas-wallet/WalletAlertStore"
import type { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { SqlClient } from "effect/sql/SqlClient"
import { Prices } from "../billing/Prices.ts"
import { SettlementPolicy } from "../billing/Settlements.ts"
import type { Chains } from "../chain/Chains.ts"
import type { Kek } from "./Envelope.ts"
import * as GasCap from "./GasCap.ts"
import { GasPolicy } from "./GasMonitor.ts"
import { KeyLimitCheck } from "./KeyLimitCheck.ts"
import type { ReaderTable } from "./Reading.ts"
import { Signer } from "./Signer.ts"
import { SigningPolicy } from "./SigningPolicy.ts"
import { WalletAlerts } from "./WalletAlerts.ts"

/** The policy under the configured treasuries, refills and caps. `table`: decodes what an action's bytes move. */
const PolicyLive = (table: ReaderTable) =>
  Layer.unwrap(
    Effect.map(
      Effect.all([SettlementPolicy, GasPolicy, Prices]),
      ([{ maxUsd18, treasuries }, { topUps }, prices]) =>
        SigningPolicy.layer(
          table,
          treasuries,
          topUps,
          maxUsd18 === undefined ? undefined : {
            maxUsd18,
            price: (network) => Effect.map(prices.usable(network), Option.map(({ usd18 }) => usd18))
          }
        )
    )
  ).pipe(Layer.provide(Prices.layer))

/** The signer and its policy in this process, with the keys that this key-encryption key wraps. */
export const SignerLive = (kek: Kek, table: ReaderTable) =>
  GasCap.cap(Signer.layer(kek).pipe(Layer.provide(GasWalletStore.layer))).pipe(
    Layer.provideMerge(PolicyLive(table))
  )

/** A signer and the policy that it follows, in this process or in another. */
export type Signing<E = never> = Layer.Layer<Signer | SigningPolicy, E, Chains | SqlClient | SubmissionStore>

/** A signer with the checks of limits and the alerts that every process with lanes needs beside it. */
export const SigningLive = <E>(table: ReaderTable, signing: Signing<E>) => Layer.merge(signing, LaneChecks(table))

const LaneChecks = (table: ReaderTable) =>
  Layer.mergeAll(
    Layer.unwrap(Effect.map(SettlementPolicy, ({ treasuries }) => KeyLimitCheck.layer(table, treasuries))).pipe(
      Layer.provide(KeyLimitStore.layer)
    ),
    WalletAlerts.layer.pipe(Layer.provide(WalletAlertStore.layer))
  )
