/** Resolves the pair of a bot that is being set. */
import type { Address } from "@vault-trader/core/chain/Address"
import { symbolOf } from "@vault-trader/core/chain/Token"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { BotLegs, type Side } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { mayTrade } from "@vault-trader/core/vault/Vault"
import * as Effect from "effect/Effect"
import { RpcUnavailable, unavailable } from "../chain/RpcFailure.ts"
import type { VaultSource } from "../vault/VaultSource.ts"

/**
 * Timeout of chain reads when a bot is set: its caller gets a response within three seconds whatever the chain does.
 */
export const chainTimeout = "1 second"

/** A pair as the caller names it, and the wallet that sets the bot. */
interface PairTerms {
  readonly base: string
  readonly quote: string
  readonly side: Side
  readonly wallet: Address
  /** True if the vault need not have the assets enabled yet. */
  readonly autoEnable: boolean
}

/**
 * Resolves a bot's pair to tokens of the vault. Fails when the wallet may not trade the vault, when an asset is unknown
 * or not enabled, and when the chain does not answer in time.
 */
export const resolvePair = (
  { chain, network, reader, tokens }: VaultSource,
  { autoEnable, base, quote, side, wallet }: PairTerms
) =>
  Effect.gen(function*() {
    const { assets, facts } = yield* reader.state
    yield* mayTrade(facts, wallet)
    const resolve = (text: string) =>
      Effect.mapError(tokens.resolve(network, text, assets), (failure) =>
        failure._tag === "ValidationFailure"
          ? new ValidationFailure({ code: "1003", message: `pair: ${failure.message}` })
          : failure)
    const [first, second] = yield* Effect.all([resolve(base), resolve(quote)])
    if (first.address === second.address) {
      return yield* new ValidationFailure({
        code: "1003",
        message: `pair: ${base} and ${quote} are the same asset; two different ones are accepted`
      })
    }
    const inverse = chain.book.inverseTokens[symbolOf(first.symbol)] ?? null
    if (side === "short" && inverse === null) {
      const known = Object.keys(chain.book.inverseTokens)
      return yield* new ValidationFailure({
        code: "1008",
        message: `side: ${network} has no inverse token of ${first.symbol}, so short is not accepted for it; ${
          known.length === 0 ? "long, neutral and hold are" : `it is for ${known.join(", ")}`
        }`
      })
    }
    const missing = [first, second].find(({ address }) => !assets.some((asset) => asset.address === address))
    const enables = autoEnable && (facts.traderChangesAssets !== false || facts.manager === wallet)
    if (
      !enables &&
      (missing !== undefined || (side === "short" && !assets.some(({ address }) => address === inverse)))
    ) {
      const symbol = missing?.symbol ?? `the inverse token of ${first.symbol}`
      return yield* new ValidationFailure({
        code: "1003",
        message: `pair: the vault cannot hold ${symbol}; ${
          facts.traderChangesAssets === false
            ? "its manager can enable it, and the vault does not let its trader do so"
            : "its manager or trader can enable it (enableAsset), or the bot itself with auto_enable=true"
        }. It holds ${assets.map((asset) => asset.symbol).join(", ")}`
      })
    }
    return BotLegs.make({
      base: first.address,
      quote: second.address,
      inverse,
      pair: `${first.symbol}-${second.symbol}`
    })
  }).pipe(Effect.timeoutOrElse({
    duration: chainTimeout,
    orElse: () => Effect.fail(unavailable(new RpcUnavailable({ network, reason: "timeout" })))
  }))
