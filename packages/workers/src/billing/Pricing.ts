/** Implements the Pricing actor of one network: prices of its tokens from every source. */
import { Readings } from "@vault-trader/core/billing/Price"
import { Pricing } from "@vault-trader/core/billing/Pricing"
import { facts, Network } from "@vault-trader/core/chain/Network"
import { Token } from "@vault-trader/core/chain/Token"
import * as Entity from "effect/cluster/Entity"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Chains } from "../chain/Chains.ts"
import { Tokens } from "../chain/Tokens.ts"
import { Prices } from "./Prices.ts"

export const PricingLive = Pricing.toLayer(
  Effect.gen(function*() {
    const network = Schema.decodeUnknownSync(Network)((yield* Entity.CurrentAddress).entityId)
    const chains = yield* Chains
    const prices = yield* Prices
    const tokens = yield* Tokens
    /** The native token under its own name, at the price of its wrapped form. */
    const native = Effect.map(
      chains.get(network),
      ({ book }) => Token.make({ address: book.wrappedNative, symbol: facts[network].native, decimals: 18 })
    )
    return {
      readings: ({ payload: { token: named } }) =>
        Effect.gen(function*() {
          const token = named === null ? yield* native : yield* tokens.resolve(network, named, [])
          return Readings.make({ token, ...(yield* prices.readings(network, token)) })
        }),
      chargePrice: () => Effect.map(prices.usable(network), Option.getOrNull)
    }
  }),
  { concurrency: "unbounded", disableFatalDefects: true }
)
