/** Accepts a write: commits its intent, or finds the intent of the request it repeats. */
import { explain } from "@vault-trader/core/failure/Explanation"
import type { Failure } from "@vault-trader/core/failure/Failure"
import { Backlog, type BacklogFull } from "@vault-trader/core/intent/Backlog"
import type { NewIntent } from "@vault-trader/core/intent/IntentInsert"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import * as IntentTrace from "@vault-trader/core/telemetry/IntentTrace"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { query } from "../gate/ActorCall.ts"
import { conflict, released } from "../gate/IdempotentWrites.ts"
import * as RequestState from "../wire/RequestState.ts"

const scopes = { ofVault: "vault", ofWallet: "wallet", ofService: "service" } as const

/** Refuses with 2021, before anything is committed. */
const busy = ({ limit, of }: BacklogFull) => explain({ _tag: "BacklogFull", of: scopes[of], limit }, "nothingAccepted")

/** The intent that answers a request; `twin` is true for the unfinished intent of an identical request. */
interface Accepted {
  readonly id: string
  readonly twin: boolean
}

/** Returns the intent once it is committed. `repeats`: its idempotency key is already in use. */
type Accept = (intent: NewIntent, repeats: boolean) => Effect.Effect<Accepted, Failure>

export const make: Effect.Effect<Accept, never, IntentStore | Backlog> = Effect.gen(function*() {
  const store = yield* IntentStore
  const backlog = yield* Backlog

  /** Returns a known intent despite a full backlog, since a repeat adds nothing; refuses a new one. */
  const unlessKnown = (intent: NewIntent, full: BacklogFull) =>
    Effect.flatMap(
      store.findAccepted(intent),
      Option.match({ onNone: () => Effect.fail(busy(full)), onSome: (known) => Effect.succeed(known) })
    )

  /** Returns the intent of a repeat, or the conflict if its key belongs to another request. */
  const findRepeated = (intent: NewIntent) =>
    Effect.flatMap(query(store.findAccepted(intent)), Option.match({ onNone: () => released, onSome: Effect.succeed }))

  const acceptNew = (intent: NewIntent) =>
    Effect.gen(function*() {
      const timeout = yield* RequestState.within("1 minute")
      const offered = Effect.andThen(RequestState.note("offered"), store.acceptWithin(intent, timeout))
      // Counting the open intents comes before the commit and can hang as well, so both are inside.
      return yield* RequestState.committed(backlog.within(intent, offered)).pipe(
        Effect.catchTag("BacklogFull", (full) => unlessKnown(intent, full)),
        // For a failing database, the interpreter reports that nothing was accepted or that the outcome is
        // unknown.
        Effect.catchTags({
          SqlError: (error) => Effect.die(error),
          AcceptanceUnknown: (unknown) => Effect.die(unknown)
        })
      )
    })

  return (intent, repeats) =>
    Effect.gen(function*() {
      const acceptance = yield* repeats ? findRepeated(intent) : acceptNew(intent)
      yield* RequestState.note("settled")
      yield* Effect.annotateCurrentSpan(IntentTrace.attribute, acceptance.id)
      yield* Effect.logDebug("an intent was accepted").pipe(
        Effect.annotateLogs(IntentTrace.attribute, acceptance.id)
      )
      if (acceptance._tag === "conflict") return yield* conflict(acceptance.id)
      yield* RequestState.accepted(acceptance.id)
      return { id: acceptance.id, twin: acceptance._tag === "twin" }
    }).pipe(Effect.withSpan("intent.accept", undefined, { captureStackTrace: false }))
})
