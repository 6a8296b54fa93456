/** Handlers that translate between token symbols and addresses. */
import { Chain } from "@vault-trader/core/network/Chain"
import type { Token } from "@vault-trader/core/chain/Token"
import { TokenApi } from "@vault-trader/core/market-data/TokenApi"
import * as Effect from "effect/Effect"
import { read } from "../gate/ActorCall.ts"
import * as RecentReads from "../gate/RecentReads.ts"
import * as Handlers from "../wire/Handlers.ts"

const viewOf = ({ symbol, address, decimals }: Token) => ({
  symbol,
  contract: address,
  decimals
})

/**
 * How long a token is kept, milliseconds. Contracts keep their symbol and decimals, but for rare upgrades; a symbol's
 * contract changes with a network's list of tokens.
 */
const millis = 60_000

const capacity = 10_000

export const TokenApiLive = Handlers.layer(
  TokenApi,
  Effect.gen(function*() {
    const chains = yield* Chain.client
    const recent = RecentReads.make<Token>({ capacity, millis })
    return {
      getSymbol: ({ network, contract }) =>
        Effect.map(
          recent(`${network}/contract/${contract}`, () => read(chains(network).token({ address: contract }))),
          viewOf
        ),
      getContract: ({ network, symbol }) =>
        Effect.map(recent(`${network}/symbol/${symbol}`, () => read(chains(network).symbol({ symbol }))), viewOf)
    }
  })
)
