/** Sets the actor of the audit entries that a request causes, as far as the request is admitted. */
import * as Audit from "@vault-trader/core/audit/Audit"
import type { Actor } from "@vault-trader/core/audit/AuditEntry"
import * as Effect from "effect/Effect"

/** Makes everything that a request from this client network changes the changes of a stranger, until it is admitted. */
export const fromClient = (client: string) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(effect, Audit.Actor, { kind: "stranger", id: null, from: client, credential: null })

/** Sets who acts and with which credential; the client's network stays. */
export const as =
  (admitted: Omit<Actor, "from">) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Audit.Actor, ({ from }) => Effect.provideService(effect, Audit.Actor, { ...admitted, from }))

/** Makes the changes of an effect those of an API key. */
export const asKey = (keyId: string) => as({ kind: "key", id: keyId, credential: "apiKey" })

/** Makes the changes of an effect those of the holder of the wallet's private key. */
export const asOwner = as({ kind: "owner", id: null, credential: "privateKey" })

/** Makes the changes of an effect those of a manager who signed the request. */
export const asManager = (manager: string) => as({ kind: "manager", id: manager, credential: "signature" })
