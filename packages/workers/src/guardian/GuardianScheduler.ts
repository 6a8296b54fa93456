/** Wakes the guardians of a network whose reading is due. */
import { type Guardian, Guardians } from "@vault-trader/core/guardian/Guardian"
import { GuardianStore } from "@vault-trader/core/guardian/GuardianStore"
import { idOf } from "@vault-trader/core/vault/Vault"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as DueWatch from "../vault/DueWatch.ts"

/** Default seconds between two readings of a guardian. */
export const defaultGuardianSeconds = 10

/** Seconds between two readings of a guardian in this process. */
export const GuardianInterval = Context.Reference<number>("vault-trader/workers/guardian/GuardianInterval", {
  defaultValue: () => defaultGuardianSeconds
})

/** Watches every network that this runner serves. */
export const WatchLive = (seconds: number) =>
  DueWatch.layer(Effect.gen(function*() {
    const { due } = yield* GuardianStore
    const guardians = yield* Guardians.client
    return {
      ...{ name: "Guardians", presence: "guardians" as const, seconds, due },
      wake: ({ id, network, pool }: Guardian) => guardians(idOf(network, pool)).wake({ guardianId: id })
    }
  }))
