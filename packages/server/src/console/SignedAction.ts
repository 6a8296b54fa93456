/** The console's signed actions: changes for which the session's cookie alone is not enough. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { SignedAction } from "@vault-trader/core/console/ConsoleApi"
import { SignedIn } from "@vault-trader/core/console/Session"
import * as Param from "@vault-trader/core/endpoint/Param"
import * as Params from "@vault-trader/core/endpoint/Params"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import * as RequestDigest from "@vault-trader/core/manager/RequestDigest"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { ManagerProof } from "../manager/ManagerProof.ts"
import { beyond, mine } from "./SessionCalls.ts"

/** The parameters that a signature of an action covers. */
export const walletParams = Param.describe({ wallet: Params.AddressOf("gas wallet") })

/** Builds the check of a signed action. */
export const signedAction = Effect.gen(function*() {
  const managers = yield* ManagerStore
  const proofs = yield* ManagerProof
  /**
   * Verifies that the manager signed this action on a wallet of the list; the cookie alone is not enough. Consumes the
   * signature.
   */
  return (action: SignedAction, wallet: Address, signature: Redacted.Redacted<string>) =>
    Effect.gen(function*() {
      const session = yield* SignedIn
      const { manager, network } = session
      yield* mine(managers, session, wallet)
      if (network !== null) return yield* beyond(network, action)
      yield* proofs.verify({
        action,
        manager,
        subject: wallet,
        params: yield* RequestDigest.of(walletParams, { wallet }),
        network: undefined,
        signature,
        use: "once"
      })
    })
})
