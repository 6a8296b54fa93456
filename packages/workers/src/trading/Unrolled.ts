/** The assets of a withdrawal at EasySwapperV2, and the refusals of redemptions. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Token } from "@vault-trader/core/chain/Token"
import { explain } from "@vault-trader/core/failure/Explanation"
import * as Contract from "../chain/Contract.ts"
import { readGroups } from "../chain/ReadGroups.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { Tokens } from "../chain/Tokens.ts"
import { factoryAbi, managerLogicAbi } from "../platform/PlatformAbi.ts"
import type { VaultContext } from "../vault/Action.ts"
import type * as PairState from "./PairState.ts"

/** Builds the refusal of a redemption. */
export const refuse = (market: PairState.Market, detail: string) =>
  explain({
    _tag: "NamedVenueCannotSwap",
    venue: "toros",
    from: market.tokenIn.symbol,
    to: market.tokenOut.symbol,
    detail,
    allowed: market.guarded.has("toros"),
    alternatives: []
  })

/** 2007: the platform does not allow EasySwapperV2 there. */
export const noSwapper = (network: string) =>
  explain({ _tag: "VenueNotAllowed", venue: "toros", network, alternatives: [] })

/** An asset of a withdrawal with its price, USD per whole token with 18 decimals. */
export interface Unrolled {
  readonly token: Token
  readonly balance: bigint
  readonly price: bigint
  /** The vault may hold it. */
  readonly enabled: boolean
}

/** Reads tokens, prices and permissions of a withdrawal's assets. Fails when one is not a token or has no price. */
export const appraise = (
  { chain, facts, network }: VaultContext,
  market: PairState.Market,
  tracked: ReadonlyArray<{ readonly token: string; readonly balance: bigint }>
) =>
  Effect.gen(function*() {
    const held = tracked.filter(({ balance }) => balance > 0n)
    const addresses = held.map(({ token }) => Contract.lower(token))
    const tokens = yield* (yield* Tokens).at(network, addresses)
    const [prices, enabled] = yield* Effect.mapError(
      readGroups(chain, [
        addresses.map((asset) => Contract.read(factoryAbi, chain.book.platformFactory, "getAssetPrice", [asset])),
        addresses.map((asset) => Contract.read(managerLogicAbi, facts.managerLogic, "isSupportedAsset", [asset]))
      ]),
      unavailable
    )
    return yield* Effect.forEach(held, ({ balance }, index) => {
      const token = tokens[index]
      const price = Result.getOrElse(prices[index]!, () => 0n)
      return token === undefined || price === 0n
        ? Effect.fail(
          refuse(market, `the vault's oracle has no price for ${addresses[index] ?? ""}, which it pays out`)
        )
        : Effect.succeed<Unrolled>({
          token,
          balance,
          price,
          enabled: Result.getOrElse(enabled[index]!, () => false)
        })
    })
  })

/** Returns the value of assets, USD with 18 decimals. */
export const valueOf = (assets: ReadonlyArray<Pick<Unrolled, "balance" | "price" | "token">>): bigint =>
  assets.reduce((sum, { balance, price, token }) => sum + balance * price / 10n ** BigInt(token.decimals), 0n)
