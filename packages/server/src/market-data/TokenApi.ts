/** Handlers that translate between token symbols and addresses. */
import { Chain } from "@vault-trader/core/network/Chain"
import type { Token } from "@vault-trader/core/chain/Token"
import { TokenApi } from "@vault-trader/core/market-data/TokenApi"
import * as Effect from "effect/Effect"
import * as Handlers from "../wire/Handlers.ts"
import { read } from "../gate/ActorCall.ts"

const viewOf = ({ symbol, address, decimals }: Token) => ({
  symbol,
  contract: address,
  decimals
})

export const TokenApiLive = Handlers.layer(
  TokenApi,
  Effect.gen(function*() {
    const chains = yield* Chain.client
    return {
      getSymbol: ({ network, contract }) => Effect.map(read(chains(network).token({ address: contract })), viewOf),
      getContract: ({ network, symbol }) => Effect.map(read(chains(network).symbol({ symbol })), viewOf)
    }
  })
)
