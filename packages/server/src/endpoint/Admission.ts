/** The middlewares of all handlers that act for a wallet or a manager. */
import {
  Admission,
  Caller,
  Credential,
  CredentialAdmission,
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
import { readParams } from "./AdmissionRefusals.ts"
import { Gatekeeper } from "./Gatekeeper.ts"

const wrongMiddleware = explain({ _tag: "WrongMiddleware" }, "nothingAccepted")

/** Returns the manager named by an admitted payload. */
const managerOf = (payload: unknown) => {
  const { manager } = readParams(payload)
  return manager === undefined ? wrongMiddleware : Effect.succeed(manager as Address)
}

export const AdmissionLive = Layer.mergeAll(
  Layer.effect(
    Admission,
    Effect.map(Gatekeeper, ({ admit }) => (handler, { payload, rpc }) =>
      Effect.provideServiceEffect(
        handler,
        Caller,
        Effect.flatMap(
          admit(factsOf(rpc), payload as Readonly<Record<string, unknown>>, []),
          Option.match({ onNone: () => Effect.fail(wrongMiddleware), onSome: Effect.succeed })
        )
      ))
  ),
  Layer.effect(
    ManagerAdmission,
    Effect.map(Gatekeeper, ({ admit }) => (handler, { payload, rpc }) =>
      Effect.provideServiceEffect(
        handler,
        Manager,
        Effect.andThen(admit(factsOf(rpc), payload as Readonly<Record<string, unknown>>, []), managerOf(payload))
      ))
  ),
  Layer.effect(
    CredentialAdmission,
    Effect.map(Gatekeeper, ({ admitBy }) => (handler, { payload, rpc }) =>
      Effect.provideServiceEffect(
        handler,
        Credential,
        admitBy(factsOf(rpc), payload as Readonly<Record<string, unknown>>, [])
      ))
  ),
  Layer.effect(
    EitherAdmission,
    Effect.map(Gatekeeper, ({ admit }) => (handler, { payload, rpc }) =>
      Effect.provideServiceEffect(
        handler,
        Principal,
        Effect.flatMap(
          admit(factsOf(rpc), payload as Readonly<Record<string, unknown>>, []),
          Option.match({
            onNone: (): Effect.Effect<PrincipalOf, ExecutionFailure> =>
              Effect.map(managerOf(payload), (manager) => ({ _tag: "manager", manager })),
            onSome: (caller) => Effect.succeed<PrincipalOf>({ _tag: "key", caller })
          })
        )
      ))
  )
)
