/** The guardians of vaults: their actor and its scheduler, with the services that only they use. */
import { GuardianActionStore } from "@vault-trader/core/intent/GuardianActionStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SliceSizerLive } from "../trading/SliceSizer.ts"
import { GuardianLive } from "./Guardian.ts"
import { GuardianInterval, WatchLive } from "./GuardianScheduler.ts"

export const GuardiansLive = Layer.unwrap(
  Effect.map(GuardianInterval, (seconds) => Layer.merge(GuardianLive(seconds), WatchLive(seconds)))
).pipe(
  Layer.provide([GuardianActionStore.layer, SliceSizerLive])
)
