/**
 * Decides who may resume what the owner has stopped. A leaked API key must not undo an emergency stop: where the wallet
 * has a manager, the manager signs, or the owner gives the wallet's private key.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { CredentialOf } from "@vault-trader/core/endpoint/Admission"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import * as Effect from "effect/Effect"
import { query } from "../gate/ActorCall.ts"

/** Builds the check; it returns the wallet, or fails with the missing proof. */
export const ResumeAuthority = Effect.map(
  ManagerStore,
  (managers) => ({ _tag, wallet }: CredentialOf): Effect.Effect<Address, ValidationFailure> =>
    Effect.gen(function*() {
      if (_tag !== "key" || !(yield* query(managers.isManaged(wallet)))) return wallet
      return yield* new ValidationFailure({
        code: "1010",
        message: `apiKey: ${wallet} has a manager, so its API key alone resumes nothing; nothing was resumed. Sign as ` +
          "the manager (manager and signature), or give the wallet's private key as privateKey"
      })
    })
)
