/** The followers of vaults: their actor and its scheduler, with the services that only they use. */
import { FollowerStore } from "@vault-trader/core/follower/FollowerStore"
import { FollowerTradeStore } from "@vault-trader/core/intent/FollowerTradeStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SliceSizerLive } from "../trading/SliceSizer.ts"
import { FollowerLive } from "./Follower.ts"
import { FollowerInterval, WatchLive } from "./FollowerScheduler.ts"

export const FollowersLive = Layer.unwrap(
  Effect.map(FollowerInterval, (seconds) => Layer.merge(FollowerLive(seconds), WatchLive(seconds)))
).pipe(
  Layer.provide([FollowerTradeStore.layer, FollowerStore.layer, SliceSizerLive])
)
