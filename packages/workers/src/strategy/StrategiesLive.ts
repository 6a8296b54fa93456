/** The strategy bots of vaults: their actor and its scheduler, with the services that only they use. */
import { StrategyTradeStore } from "@vault-trader/core/intent/StrategyTradeStore"
import { StrategyBotStore } from "@vault-trader/core/strategy/StrategyBotStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SliceSizerLive } from "../trading/SliceSizer.ts"
import { StrategyBotLive } from "./StrategyBot.ts"
import { StrategyDirectory } from "./StrategyFolder.ts"
import { StrategyInterval, WatchLive } from "./StrategyScheduler.ts"

export const StrategiesLive = Layer.unwrap(
  Effect.map(
    Effect.all([StrategyInterval, StrategyDirectory]),
    ([seconds, folder]) => Layer.merge(StrategyBotLive(seconds, folder), WatchLive)
  )
).pipe(
  Layer.provide([StrategyTradeStore.layer, StrategyBotStore.layer, SliceSizerLive])
)
