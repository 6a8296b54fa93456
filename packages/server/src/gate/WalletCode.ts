/**
 * Refuses wallets whose account has code on a served network (EIP-7702): everyone that the code admits acts for such a
 * wallet without its key, so no proof of the key makes it one person's.
 */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { delegateOf } from "@vault-trader/core/chain/Delegation"
import type { Network } from "@vault-trader/core/chain/Network"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { Chain } from "@vault-trader/core/network/Chain"
import * as Effect from "effect/Effect"
import { read } from "./ActorCall.ts"
import { Directory } from "./ServedNetworks.ts"

/**
 * How long a network may take. One that does not answer counts as having no code there, so that a hanging node stops
 * nothing; the workers' watch reports the code when the node answers again.
 */
const chainTimeout = "1500 millis"

const describe = (network: Network, code: Hex) => {
  const delegate = delegateOf(code)
  return delegate === undefined ? network : `${network} (delegated to ${delegate}, EIP-7702)`
}

/** Builds the check of a wallet; `param` is the parameter that names it, `outcome` ends the message. */
export const WalletCode = Effect.gen(function*() {
  const { networks } = yield* Directory
  const chains = yield* Chain.client
  return (wallet: Address, param: string, outcome: string): Effect.Effect<void, ValidationFailure> =>
    Effect.gen(function*() {
      const found = yield* Effect.forEach(networks, (network) =>
        Effect.match(read(chains(network).codeAt({ address: wallet }), chainTimeout), {
          onFailure: () => [],
          onSuccess: (code) => code === "0x" ? [] : [describe(network, code)]
        }), { concurrency: "unbounded" })
      const all = found.flat()
      if (all.length === 0) return
      return yield* new ValidationFailure({
        code: "1010",
        message: `${param}: there is code at the address of ${wallet} on ${all.join(", ")}, so others can act for it ` +
          `without its key. ${outcome}. Remove the delegation first, or use another wallet`
      })
    })
})
