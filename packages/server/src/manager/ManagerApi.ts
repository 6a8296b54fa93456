/** Handlers of the managers' endpoints. */
import * as Address from "@vault-trader/core/chain/Address"
import { endpoints } from "@vault-trader/core/endpoint/Catalogue"
import { ValidationFailure } from "@vault-trader/core/endpoint/Failure"
import { ManagerApi } from "@vault-trader/core/manager/ManagerApi"
import * as ManagerSignature from "@vault-trader/core/manager/ManagerSignature"
import * as Effect from "effect/Effect"
import { freshStatement } from "./ManagerProof.ts"
import { Origin } from "./Origin.ts"

/** What a signature can be for. */
const actions: ReadonlyArray<string> = endpoints.filter(({ params }) => params.some(({ name }) => name === "signature")).map(({ name }) => name)

export const ManagerApiLive = ManagerApi.toLayer(Effect.gen(function*() {
  const { salt } = yield* Origin
  return {
    signingPayload: ({ action, manager, subject = manager }) =>
      Effect.gen(function*() {
        if (!actions.includes(action)) {
          return yield* new ValidationFailure({ code: "1010", message: `action: must be one of ${actions.join(", ")}` })
        }
        const statement = yield* freshStatement({ action, manager, salt, subject: Address.parse(subject) ?? subject })
        return {
          status: "success" as const,
          typed_data: ManagerSignature.typedData(statement),
          prefix: ManagerSignature.prefixOf(statement),
          expires_at: new Date((statement.issuedAt + ManagerSignature.lifetimeSeconds) * 1000).toISOString()
        }
      })
  }
}))
