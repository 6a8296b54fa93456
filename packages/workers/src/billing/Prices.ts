/** What native tokens are worth, and what actions cost. */
import { facts, type Network } from "@vault-trader/core/chain/Network"
import type { Charge as ChargeClass } from "@vault-trader/core/endpoint/Endpoint"
import type { ChargeRow } from "@vault-trader/core/intent/IntentStore"
import { usdOf } from "@vault-trader/core/billing/PriceList"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Chains } from "../chain/Chains.ts"
import * as Contract from "../chain/Contract.ts"
import * as Recent from "../chain/Recent.ts"
import { factoryAbi } from "../vault/PlatformAbi.ts"

/** USD of one whole native token, 18 decimals, and when it was read, unix milliseconds. */
interface NativePrice {
  readonly usd18: bigint
  readonly at: number
}

/** How long a native token's price is good for another charge. */
const goodMillis = 10_000

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

      const ask = (network: Network) =>
        Effect.gen(function*() {
          const chain = yield* chains.get(network)
          const [price] = yield* chain.readAll([
            Contract.read(factoryAbi, chain.book.platformFactory, "getAssetPrice", [chain.book.wrappedNative])
          ])
          const at = yield* Clock.currentTimeMillis
          return Either.isRight(price) && price.right > 0n ? Option.some({ usd18: price.right, at }) : Option.none<NativePrice>()
        }).pipe(
          // A price that cannot be read is told as missing: an action is neither blocked nor free for it.
          Effect.catchAll((failure) =>
            Effect.as(Effect.logWarning(`no price for ${facts[network].native} on ${network}: ${failure._tag}`), Option.none<NativePrice>())
          )
        )

      // One reading serves everybody who asks for a while: what is charged says how old it was.
      const readings = new Map(yield* Effect.forEach(chains.networks, (network) =>
        Effect.map(Recent.both(ask(network), goodMillis), (reading) => [network, reading] as const)))
      const priceOf = (network: Network) =>
        Effect.suspend(() => {
          const reading = readings.get(network)
          if (reading === undefined) return Effect.succeed(Option.none<NativePrice>())
          // A missing price is not kept for anybody.
          return Effect.flatMap(reading.recent, (price) => Option.isSome(price) ? Effect.succeed(price) : reading.fresh)
        })
      const native = (network: Network) => Effect.map(priceOf(network), Option.map(({ usd18 }) => usd18))

      return {
        native,
        charge: (network, action) =>
          Effect.gen(function*() {
            const usd = usdOf(action)
            if (usd === 0) return { action, usd, nativeWei: 0n, nativePriceUsd18: null, priceSource: null, priceAt: null }
            const price = yield* priceOf(network)
            return {
              action,
              usd,
              nativeWei: Option.getOrNull(Option.map(price, ({ usd18 }) => BigInt(Math.round(usd * 1e6)) * 10n ** 30n / usd18)),
              nativePriceUsd18: Option.getOrNull(Option.map(price, ({ usd18 }) => usd18)),
              priceSource: Option.isSome(price) ? "platform-oracle" : null,
              priceAt: Option.getOrNull(Option.map(price, ({ at }) => at))
            }
          })
      }
    })
  )
}
