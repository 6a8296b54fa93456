/** What native tokens are worth, and what actions cost. */
import { facts, type Network } from "@vault-trader/core/chain/Network"
import type { Charge as ChargeClass } from "@vault-trader/core/endpoint/Endpoint"
import type { ChargeRow } from "@vault-trader/core/intent/IntentStore"
import { usdOf } from "@vault-trader/core/billing/PriceList"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Chains } from "../chain/Chains.ts"
import * as Contract from "../chain/Contract.ts"
import { factoryAbi } from "../vault/PlatformAbi.ts"

export class Prices extends Context.Tag("vault-trader/workers/billing/Prices")<Prices, {
  /** USD (18 decimals) of one whole native token, by the vault platform's oracle; none when it cannot say. */
  readonly native: (network: Network) => Effect.Effect<Option.Option<bigint>>
  /** The charge of an action at this moment. Without a native price it stands in USD alone. */
  readonly charge: (network: Network, action: ChargeClass) => Effect.Effect<ChargeRow>
}>() {
  static readonly layer = Layer.effect(
    Prices,
    Effect.gen(function*() {
      const chains = yield* Chains

      const native = (network: Network) =>
        Effect.gen(function*() {
          const chain = yield* chains.get(network)
          const [price] = yield* chain.readAll([
            Contract.read(factoryAbi, chain.book.platformFactory, "getAssetPrice", [chain.book.wrappedNative])
          ])
          return Either.isRight(price) && price.right > 0n ? Option.some(price.right) : Option.none()
        }).pipe(
          // A price that cannot be read is told as missing: an action is neither blocked nor free for it.
          Effect.catchAll((failure) =>
            Effect.as(Effect.logWarning(`no price for ${facts[network].native} on ${network}: ${failure._tag}`), Option.none<bigint>())
          )
        )

      return {
        native,
        charge: (network, action) =>
          Effect.gen(function*() {
            const usd = usdOf(action)
            if (usd === 0) return { action, usd, nativeWei: 0n, nativePriceUsd18: null, priceSource: null }
            const price = yield* native(network)
            return {
              action,
              usd,
              nativeWei: Option.getOrNull(Option.map(price, (usd18) => BigInt(Math.round(usd * 1e6)) * 10n ** 30n / usd18)),
              nativePriceUsd18: Option.getOrNull(price),
              priceSource: Option.isSome(price) ? "platform-oracle" : null
            }
          })
      }
    })
  )
}
