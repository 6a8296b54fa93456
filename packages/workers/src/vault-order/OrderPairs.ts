/** Resolves the pair of an order that is being placed. */
import type { Address } from "@vault-trader/core/chain/Address"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { OrderPair } from "@vault-trader/core/vault-order/VaultOrder"
import { mayTrade } from "@vault-trader/core/vault/Vault"
import * as Effect from "effect/Effect"
import { RpcUnavailable, unavailable } from "../chain/RpcFailure.ts"
import { chainTimeout } from "../threshold-bot/PairResolution.ts"
import type { VaultSource } from "../vault/VaultSource.ts"
import { poolTokenAt } from "../venue/EasySwapper.ts"

const refused = (message: string) => new ValidationFailure({ code: "1003", message: `pair: ${message}` })

/**
 * Resolves a pair to tokens that the vault may hold. Fails when the wallet may not trade the vault, when an asset is
 * unknown, not enabled or a pool token, and when the chain does not answer in time.
 */
export const resolve = (
  { chain, network, reader, tokens }: VaultSource,
  { base, quote, wallet }: { readonly base: string; readonly quote: string; readonly wallet: Address }
) =>
  Effect.gen(function*() {
    const { assets, facts } = yield* reader.state
    yield* mayTrade(facts, wallet)
    const tokenOf = (text: string) =>
      Effect.mapError(
        tokens.resolve(network, text, assets),
        (failure) => failure._tag === "ValidationFailure" ? refused(failure.message) : failure
      )
    const [first, second] = yield* Effect.all([tokenOf(base), tokenOf(quote)])
    if (first.address === second.address) {
      return yield* refused(`${base} and ${quote} are the same asset; two different ones are accepted`)
    }
    const redeemed = [first, second].find(({ address }) => poolTokenAt(chain.book, address) !== undefined)
    if (redeemed !== undefined) {
      return yield* refused(
        `${redeemed.symbol} is redeemed in two transactions, so orders do not trade it; vaultTrade and bots do`
      )
    }
    const missing = [first, second].find(({ address }) => !assets.some((asset) => asset.address === address))
    if (missing !== undefined) {
      return yield* refused(
        `the vault cannot hold ${missing.symbol}; enableAsset enables it. It holds ${
          assets.map(({ symbol }) => symbol).join(", ")
        }`
      )
    }
    return OrderPair.make({ base: first, quote: second })
  }).pipe(Effect.timeoutOrElse({
    duration: chainTimeout,
    orElse: () => Effect.fail(unavailable(new RpcUnavailable({ network, reason: "timeout" })))
  }))
