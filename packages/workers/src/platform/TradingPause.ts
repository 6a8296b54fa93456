/** Refuses actions of a vault whose trading is paused. */
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import * as Effect from "effect/Effect"

/** Fails with `vault_paused` while trading is paused for the vault. */
export const refuseWhilePaused = (
  { facts }: { readonly facts: { readonly paused: boolean } }
): Effect.Effect<void, ExecutionFailure> =>
  facts.paused
    ? explain({ _tag: "TradingPaused" })
    : Effect.void
