/** The accounts at exchanges and their market data, with the stores that only they use. */
import { ExchangeOrderStore } from "@vault-trader/core/exchange/ExchangeOrderStore"
import { ExchangeStore } from "@vault-trader/core/exchange/ExchangeStore"
import { SignalStore } from "@vault-trader/core/signal/SignalStore"
import { CandleStore } from "@vault-trader/core/market-data/CandleStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Ccxt, ExchangeAccess } from "../ccxt/Ccxt.ts"
import type { Kek } from "../gas-wallet/Envelope.ts"
import { MarketLive } from "../market-data/Market.ts"
import { ExchangeInterval, ExchangeWatchLive } from "./AccountScheduler.ts"
import { CredentialsCipher } from "./CredentialsCipher.ts"
import { ExchangeAccountLive } from "./ExchangeAccount.ts"
import { SignalRecoveryLive } from "./SignalRecovery.ts"

/** `kek`: encrypts the accounts' credentials. */
export const ExchangesLive = (kek: Kek) =>
  Layer.mergeAll(
    ExchangeAccountLive,
    Layer.unwrap(Effect.map(ExchangeInterval, ExchangeWatchLive)),
    Layer.provide(SignalRecoveryLive, SignalStore.layer),
    MarketLive
  ).pipe(
    Layer.provide([
      ExchangeStore.layer,
      ExchangeOrderStore.layer,
      CandleStore.layer,
      CredentialsCipher.layer(kek),
      Layer.unwrap(Effect.map(ExchangeAccess, Ccxt.layer))
    ])
  )
