/** The actors that decide by themselves for a vault: bots, orders, guardians, followers and strategies. */
import * as Layer from "effect/Layer"
import { FollowersLive } from "./follower/FollowersLive.ts"
import { GuardiansLive } from "./guardian/GuardiansLive.ts"
import { IndexBotsLive } from "./index-bot/IndexBotsLive.ts"
import { StrategiesLive } from "./strategy/StrategiesLive.ts"
import { ThresholdBotsLive } from "./threshold-bot/ThresholdBotsLive.ts"
import { VaultOrdersLive } from "./vault-order/VaultOrdersLive.ts"

export const AutomationLive = Layer.mergeAll(
  ThresholdBotsLive,
  IndexBotsLive,
  VaultOrdersLive,
  GuardiansLive,
  FollowersLive,
  StrategiesLive
)
