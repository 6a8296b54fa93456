/**
 * Purchases of the platform's leveraged and inverse vault tokens (pool tokens) through EasySwapperV2, quoted on chain.
 * They are sold by a redemption in two steps, which is no swap.
 */
import type { Hex } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { parseAbi } from "viem"
import * as Calldata from "../chain/Calldata.ts"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { AggregatorClient } from "./AggregatorClient.ts"
import * as EasySwapper from "./EasySwapper.ts"
import { NoQuote } from "./NoQuote.ts"
import type { Quote, Swap, Venue } from "./Venue.ts"

/** The functions of a vault that decide whether it can redeem a token. */
const vaultAbi = parseAbi([
  "function poolManagerLogic() view returns (address)",
  "function isSupportedAsset(address) view returns (bool)"
])

const decode = (data: Hex): Swap | undefined => {
  const call = Calldata.read(EasySwapper.easySwapperAbi, data)
  if (call?.functionName !== "depositWithCustomCooldown") return undefined
  const [vaultToken, depositToken, amountIn, minOut] = call.args
  if (amountIn === 0n) return undefined
  return {
    tokenIn: Contract.lower(depositToken),
    amountIn,
    tokenOut: Contract.lower(vaultToken),
    minOut,
    // EasySwapperV2 deposits for its caller.
    receiver: null
  }
}

const open: Venue["open"] = (chain, wallet) =>
  Effect.flatMap(AggregatorClient, ({ refuseBanned }) => refuseBanned("toros", chain.book, wallet))

/** Returns the reason why a pair is not bought here, and how it can be. */
const refusalOf = ({ book }: ChainClient, tokenIn: string, tokenOut: string): string =>
  `trades only the platform's leveraged and inverse tokens, and ${tokenIn} and ${tokenOut} are none of ${book.network}'s list (${
    (book.easySwapper?.poolTokens ?? []).map(({ symbol }) => symbol).join(", ")
  })`

export const Toros: Venue = {
  name: "toros",
  router: (chain) => chain.book.easySwapper?.address,
  open,
  decode,
  quote: ({ amountIn, chain, tokenIn, tokenOut, vault, wallet }) =>
    Effect.gen(function*() {
      const router = Toros.router(chain)
      if (router === undefined) return yield* new NoQuote({ reason: "not available on this network" })
      if (EasySwapper.poolTokenAt(chain.book, tokenOut.address) === undefined) {
        return yield* new NoQuote({ reason: refusalOf(chain, tokenIn.symbol, tokenOut.symbol) })
      }
      yield* open(chain, wallet)
      const [logic] = yield* Effect.mapError(
        chain.readAll([Contract.read(vaultAbi, vault, "poolManagerLogic", [])]),
        unavailable
      )
      if (Result.isFailure(logic)) {
        return yield* new NoQuote({ reason: "the vault does not report its manager contract" })
      }
      const [quote, enabled] = yield* Effect.mapError(
        chain.readAll([
          Contract.read(EasySwapper.easySwapperAbi, router, "depositQuote", [
            tokenOut.address,
            tokenIn.address,
            amountIn
          ]),
          Contract.read(vaultAbi, Contract.lower(logic.success), "isSupportedAsset", [router])
        ]),
        unavailable
      )
      // Without that asset the platform would not let the vault redeem the token.
      if (!Result.getOrElse(enabled, () => false)) {
        return yield* new NoQuote({
          reason:
            `EasySwapperV2 (${router}) is not enabled as an asset of the vault, so that the vault could not redeem ` +
            `${tokenOut.symbol}; the vault's manager can enable it`
        })
      }
      if (Result.isFailure(quote) || quote.success === 0n) {
        return yield* new NoQuote({ reason: `${tokenOut.symbol} does not accept ${tokenIn.symbol} as a deposit` })
      }
      return {
        router,
        amountOut: quote.success,
        route: [tokenIn.symbol, tokenOut.symbol],
        build: (minOut) => Effect.succeed(EasySwapper.deposit(tokenOut.address, tokenIn.address, amountIn, minOut))
      } satisfies Quote
    })
}
