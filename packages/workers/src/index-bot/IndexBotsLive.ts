/** The index bots: their actor and its scheduler, with the stores that only they use. */
import { IndexBotStore } from "@vault-trader/core/index-bot/IndexBotStore"
import { IndexRunStore } from "@vault-trader/core/index-bot/IndexRunStore"
import { IndexLegStore } from "@vault-trader/core/intent/IndexLegStore"
import * as Layer from "effect/Layer"
import { IndexBotLive } from "./IndexBot.ts"
import { IndexScheduleLive } from "./IndexSchedule.ts"

export const IndexBotsLive = Layer.merge(IndexBotLive, IndexScheduleLive).pipe(
  Layer.provide(IndexLegStore.layer),
  Layer.provide([IndexBotStore.layer, IndexRunStore.layer])
)
