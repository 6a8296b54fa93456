/** Finds the network of a vault that a request names without its network. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import { idOf, Vault } from "@vault-trader/core/vault/Vault"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { read } from "../gate/ActorCall.ts"
import { Directory } from "../gate/ServedNetworks.ts"

/** How long one network may take to say whether it has the vault. */
const findTimeout = "5 seconds"

/**
 * Returns the one configured network that has a vault at the address. Fails with 1004 if none has, with 1000 if several
 * have, and with the reading's failure if no network has it and one could not be read.
 */
export const find = Effect.gen(function*() {
  const { networks } = yield* Directory
  const vaults = yield* Vault.client
  return (pool: Address): Effect.Effect<Network, Failure> =>
    Effect.gen(function*() {
      const found = yield* Effect.forEach(
        networks,
        (network) =>
          Effect.map(
            Effect.result(read(vaults(idOf(network, pool)).describe({ assets: [] }), findTimeout)),
            (answer) => ({ network, answer })
          ),
        { concurrency: "unbounded" }
      )
      const [first, ...others] = found.flatMap(({ answer, network }) => Result.isSuccess(answer) ? [network] : [])
      if (first !== undefined && others.length === 0) return first
      if (first !== undefined) {
        return yield* new ValidationFailure({
          code: "1000",
          message: `network: ${pool} is a vault on ${[first, ...others].join(" and ")}; name one of them`
        })
      }
      const unread = found.flatMap(({ answer }) =>
        Result.isFailure(answer) && answer.failure._tag !== "ValidationFailure" ? [answer.failure] : []
      )
      return yield* unread[0] ??
        new ValidationFailure({ code: "1004", message: `pool: ${pool} is no vault on ${networks.join(", ")}` })
    })
})
