/** Handlers that translate between token symbols and addresses. */
import { Chain } from "@vault-trader/core/network/Chain"
import type { Token } from "@vault-trader/core/chain/Token"
import { TokenApi } from "@vault-trader/core/market-data/TokenApi"
import * as Effect from "effect/Effect"
import { read } from "../gate/ActorCall.ts"

const toAnswer = ({ symbol, address, decimals }: Token) => ({
  status: "success" as const,
  symbol,
  contract: address,
  decimals
})

export const TokenApiLive = TokenApi.toLayer(Effect.gen(function*() {
  const chains = yield* Chain.client
  return {
    getSymbol: ({ network, contract }) => Effect.map(read(chains(network).token({ address: contract })), toAnswer),
    getContract: ({ network, symbol }) => Effect.map(read(chains(network).symbol({ symbol })), toAnswer)
  }
}))
