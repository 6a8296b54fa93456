/** Bounds how long a caller of a vault's rules waits for the database. */
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import * as Effect from "effect/Effect"
import { retryForever } from "../actor/Retry.ts"

const outcomeUnknown = explain({ _tag: "TurnNotConfirmed" }, "unknown")

/** Retries a database operation for at most one second, because a caller waits for it. */
export const persist = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, ExecutionFailure, R> =>
  Effect.timeoutOrElse(retryForever(effect), { duration: "1 second", orElse: () => Effect.fail(outcomeUnknown) })
