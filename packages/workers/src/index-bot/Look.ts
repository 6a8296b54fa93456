/** A vault beside its index, read at one block, and what to trade by that. */
import type { Address } from "@vault-trader/core/chain/Address"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { Token } from "@vault-trader/core/chain/Token"
import { ExecutionFailure, type Failure } from "@vault-trader/core/endpoint/Failure"
import { type IndexBot, IndexPreview } from "@vault-trader/core/index-bot/IndexBot"
import { shown } from "@vault-trader/core/index-bot/IndexRun"
import { type Held, plan, type Plan, type Unpriced } from "@vault-trader/core/index-bot/Plan"
import * as Effect from "effect/Effect"
import type { PlacedLine, VaultReader } from "../vault/VaultReader.ts"

/** What of a bot's settings a look may differ in. */
export interface Terms {
  readonly quote: Token
  readonly force: boolean
  /** USD, 18 decimals. */
  readonly maxUsd18: bigint
  /** Assets that are left as they are. */
  readonly without: ReadonlySet<Address>
}

const heldOf = ({ asset, balance, decimals, isPosition, rate, token }: PlacedLine): Held => ({
  token: isPosition || token === undefined ? Token.make({ address: asset, symbol: token?.symbol ?? "POSITION", decimals }) : token,
  balance,
  price: rate,
  inVault: !isPosition && token !== undefined
})

const unpriced = ({ tokens }: Unpriced) =>
  new ExecutionFailure({
    errorType: "price_unavailable",
    message: `The vault's oracle has no fresh price for ${tokens.map(({ symbol }) => symbol).join(", ")}; without one no weight is known. ` +
      "Nothing was sent."
  })

const notHeld = ({ address, symbol }: Token) =>
  new ExecutionFailure({
    errorType: "asset_not_enabled",
    message: `Trades are to go through ${symbol} (${address}), which is not enabled in the vault; nothing was sent. The vault's manager can enable it.`
  })

/** 2012 where a price is missing, 2006 where the vault cannot hold the quote. */
export const look = (reader: VaultReader, bot: IndexBot, { force, maxUsd18, quote, without }: Terms): Effect.Effect<Plan, Failure> =>
  Effect.gen(function*() {
    const held = (yield* reader.lines).map(heldOf)
    if (!held.some(({ inVault, token }) => inVault && token.address === quote.address)) return yield* notHeld(quote)
    const { minTradeUsd18, slippage, targets, tolerance } = bot
    return yield* Effect.mapError(plan({ held, targets, quote, tolerance, maxUsd18, minTradeUsd18, slippage, force, without }), unpriced)
  })

/** A plan in numbers for people. */
export const previewOf = ({ allocations, legs, needsRebalance, totalUsd18, unmanaged }: Plan, slippage: number): IndexPreview =>
  IndexPreview.make({
    totalValueUsd: Quantity.usd(totalUsd18),
    needsRebalance,
    allocations: allocations.map((each) => ({
      asset: each.token.symbol,
      contract: each.token.address,
      targetPct: Quantity.usd(each.targetPct18),
      currentPct: Quantity.usd(each.currentPct18),
      driftPct: Quantity.usd(each.drift18),
      valueUsd: Quantity.usd(each.valueUsd18),
      targetUsd: Quantity.usd(each.targetUsd18),
      tolerance: each.tolerance,
      outOfBand: each.outOfBand,
      inVault: each.inVault
    })),
    unmanagedAssets: unmanaged.map(({ pct18, token, usd18 }) => ({
      asset: token.symbol,
      contract: token.address,
      currentPct: Quantity.usd(pct18),
      valueUsd: Quantity.usd(usd18)
    })),
    plan: legs.map((leg) => shown(leg, slippage))
  })
