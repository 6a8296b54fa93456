/** Wakes the followers of a network whose reading is due. */
import { type Follower, Followers } from "@vault-trader/core/follower/Follower"
import { FollowerStore } from "@vault-trader/core/follower/FollowerStore"
import { idOf } from "@vault-trader/core/vault/Vault"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as DueWatch from "../vault/DueWatch.ts"

/** Default seconds between two readings of a follower. */
export const defaultFollowerSeconds = 30

/** Seconds between two readings of a follower in this process. */
export const FollowerInterval = Context.Reference<number>("vault-trader/workers/follower/FollowerInterval", {
  defaultValue: () => defaultFollowerSeconds
})

/** Watches every network that this runner serves. */
export const WatchLive = (seconds: number) =>
  DueWatch.layer(Effect.gen(function*() {
    const { due } = yield* FollowerStore
    const followers = yield* Followers.client
    return {
      ...{ name: "Followers", presence: "followers" as const, seconds, due },
      wake: ({ id, network, pool }: Follower) => followers(idOf(network, pool)).wake({ followerId: id })
    }
  }))
