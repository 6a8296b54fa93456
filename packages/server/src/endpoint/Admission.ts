/** The middlewares of all handlers that act for a wallet or a manager. */
import {
  Admission,
  Caller,
  Credential,
  CredentialAdmission,
  type CredentialOf,
  EitherAdmission,
  Manager,
  ManagerAdmission,
  Principal,
  type PrincipalOf
} from "@vault-trader/core/endpoint/Admission"
import { factsOf } from "@vault-trader/core/endpoint/Endpoint"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import type { Address } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as AuditActor from "../wire/AuditActor.ts"
import { readParams } from "./AdmissionRefusals.ts"
import { Gatekeeper } from "./Gatekeeper.ts"

const wrongMiddleware = explain({ _tag: "WrongMiddleware" }, "nothingAccepted")

/** Returns the manager named by an admitted payload. */
const managerOf = (payload: unknown) => {
  const { manager } = readParams(payload)
  return manager === undefined ? wrongMiddleware : Effect.succeed(manager as Address)
}

/** Describes the credential of a key's request for the audit log; some also need a manager's signature. */
const credentialOf = (payload: unknown) => {
  const { manager, signature } = readParams(payload)
  return manager === undefined || signature === undefined ? "apiKey" : `apiKey and signature of ${String(manager)}`
}

/** Returns the actor of the audit log's entries for the caller of an admitted payload. */
export const actorOfCaller = (caller: Caller["Service"], payload: unknown) => ({
  kind: "key" as const,
  id: caller.subKey?.id ?? caller.keyId,
  credential: caller.subKey === undefined ? credentialOf(payload) : "sub-key"
})

/** Sets the actor of the audit log's entries to the holder of a proof. */
const actorOf = (credential: CredentialOf) => {
  switch (credential._tag) {
    case "owner":
      return AuditActor.asOwner
    case "manager":
      return AuditActor.asManager(credential.manager)
    case "key":
      return AuditActor.asKey(credential.keyId)
  }
}

export const AdmissionLive = Layer.mergeAll(
  Layer.effect(
    Admission,
    Effect.map(Gatekeeper, ({ admit }) => (handler, { payload, rpc }) =>
      Effect.flatMap(
        Effect.flatMap(
          admit(factsOf(rpc), payload as Readonly<Record<string, unknown>>, []),
          Option.match({ onNone: () => Effect.fail(wrongMiddleware), onSome: Effect.succeed })
        ),
        (caller) => AuditActor.as(actorOfCaller(caller, payload))(Effect.provideService(handler, Caller, caller))
      ))
  ),
  Layer.effect(
    ManagerAdmission,
    Effect.map(Gatekeeper, ({ admit }) => (handler, { payload, rpc }) =>
      Effect.flatMap(
        Effect.andThen(admit(factsOf(rpc), payload as Readonly<Record<string, unknown>>, []), managerOf(payload)),
        (manager) => AuditActor.asManager(manager)(Effect.provideService(handler, Manager, manager))
      ))
  ),
  Layer.effect(
    CredentialAdmission,
    Effect.map(Gatekeeper, ({ admitBy }) => (handler, { payload, rpc }) =>
      Effect.flatMap(
        admitBy(factsOf(rpc), payload as Readonly<Record<string, unknown>>, []),
        (credential) => actorOf(credential)(Effect.provideService(handler, Credential, credential))
      ))
  ),
  Layer.effect(
    EitherAdmission,
    Effect.map(Gatekeeper, ({ admit }) => (handler, { payload, rpc }) =>
      Effect.flatMap(
        Effect.flatMap(
          admit(factsOf(rpc), payload as Readonly<Record<string, unknown>>, []),
          Option.match({
            onNone: (): Effect.Effect<PrincipalOf, ExecutionFailure> =>
              Effect.map(managerOf(payload), (manager) => ({ _tag: "manager", manager })),
            onSome: (caller) => Effect.succeed<PrincipalOf>({ _tag: "key", caller })
          })
        ),
        (principal) =>
          (principal._tag === "key"
            ? AuditActor.asKey(principal.caller.keyId)
            : AuditActor.asManager(principal.manager))(
              Effect.provideService(handler, Principal, principal)
            )
      ))
  )
)
