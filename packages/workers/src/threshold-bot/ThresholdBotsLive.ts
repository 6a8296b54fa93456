/** The bots of vaults: their actor and its scheduler, with the stores that only they use. */
import { BotTurnStore } from "@vault-trader/core/intent/BotTurnStore"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import { WaitingSettings } from "@vault-trader/core/threshold-bot/WaitingSettings"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BotInterval, WatchLive } from "./BotScheduler.ts"
import { ThresholdBotLive } from "./ThresholdBot.ts"

export const ThresholdBotsLive = Layer.unwrap(
  Effect.map(BotInterval, (seconds) => Layer.merge(ThresholdBotLive(seconds), WatchLive({ seconds })))
).pipe(
  Layer.provide(BotTurnStore.layer),
  Layer.provide([ThresholdBotStore.layer, WaitingSettings.layer])
)
