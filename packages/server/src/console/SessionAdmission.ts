/** Admits each request of the console: reads its session again and applies the session's rate limit. */
import * as Audit from "@vault-trader/core/audit/Audit"
import { SessionAdmission, SignedIn, SignedOut } from "@vault-trader/core/console/Session"
import { digestPrefix, SessionStore } from "@vault-trader/core/console/SessionStore"
import { explain } from "@vault-trader/core/failure/Explanation"
import * as Effect from "effect/Effect"
import type * as Headers from "effect/http/Headers"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { query } from "../gate/ActorCall.ts"
import { RateLimit } from "../gate/RateLimit.ts"
import { digestOf, tokenOf } from "./SessionToken.ts"

/** The header in which the socket's client network reaches its calls. */
export const clientHeader = "x-vault-trader-client"

const signedOut = new SignedOut({ message: "You are signed out. Sign in again; nothing was done." })

/** Returns the session of a request's cookie: the manager, the network it is for, and the token's digest. */
export const whoseSession = (sessions: SessionStore["Service"]) => (headers: Headers.Headers) =>
  Effect.gen(function*() {
    const token = tokenOf(headers)
    if (token === undefined) return yield* signedOut
    const digest = digestOf(token)
    const session = yield* query(sessions.find(digest))
    return Option.isNone(session)
      ? yield* signedOut
      : { manager: session.value.manager, network: session.value.network, digest }
  })

export const SessionAdmissionLive = Layer.effect(
  SessionAdmission,
  Effect.gen(function*() {
    const sessions = yield* SessionStore
    const sessionOf = whoseSession(sessions)
    const limiter = yield* RateLimit
    const admitted = (headers: Headers.Headers) =>
      Effect.gen(function*() {
        const token = tokenOf(headers)
        if (token === undefined) return yield* signedOut
        if (!(yield* limiter.ofSession(digestOf(token)))) {
          return yield* explain({ _tag: "SessionTooFast" }, "nothingAccepted")
        }
        return yield* sessionOf(headers)
      })
    return (handler, { headers }) =>
      Effect.flatMap(admitted(headers), (session) =>
        Effect.provideService(handler, SignedIn, session).pipe(
          Effect.provideService(Audit.Actor, {
            kind: "session",
            id: session.manager,
            from: headers[clientHeader] ?? null,
            credential: `session ${session.digest.slice(0, digestPrefix)}`
          })
        ))
  })
)
