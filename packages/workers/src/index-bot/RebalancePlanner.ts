/** Compares a vault, read at one block, with its index and plans the trades. */
import type { Address } from "@vault-trader/core/chain/Address"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { Token } from "@vault-trader/core/chain/Token"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { Failure } from "@vault-trader/core/failure/Failure"
import { type IndexBot, IndexPreview } from "@vault-trader/core/index-bot/IndexBot"
import { plannedTradeOf } from "@vault-trader/core/index-bot/IndexRun"
import { type Holding, plan, type Plan, type Unpriced, usd18Of } from "@vault-trader/core/index-bot/RebalancePlan"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { PlacedLine, VaultReader } from "../vault/VaultReader.ts"

/** The parts of a bot that its plan depends on. */
type Rules = Pick<IndexBot, "minTradeUsd18" | "slippage" | "targets" | "tolerance">

/** Settings of a plan that may differ from the bot's. */
interface Terms {
  readonly quote: Token
  readonly force: boolean
  /** USD, 18 decimals. */
  readonly maxUsd18: bigint
  /** Assets that are not traded. */
  readonly without: ReadonlySet<Address>
}

/**
 * Converts a line of the vault to a plan's holding. Assets that the platform counts in other decimals than the token's
 * are not traded.
 */
export const heldOf = ({ asset, balance, decimals, isPosition, rate, token }: PlacedLine): Holding => {
  const tradable = !isPosition && token?.decimals === decimals ? token : undefined
  return {
    token: tradable ?? Token.make({ address: asset, symbol: token?.symbol ?? "POSITION", decimals }),
    balance,
    price: rate,
    inVault: tradable !== undefined
  }
}

/** Explains which assets have no value now, and why. */
const unknownOf = (lines: ReadonlyArray<PlacedLine>, { tokens }: Unpriced): string => {
  const reasons = tokens.map(({ address, symbol }) => {
    const line = lines.find(({ asset }) => asset === address)
    return `${line?.label ?? symbol}: ${line?.reason ?? "it has no value"}`
  })
  return `The vault's value is unknown, so no weight can be computed. ${
    reasons.join("; ")
  }. Nothing is traded until every asset can be valued.`
}

/** Returns the name of a line for people. */
const labelOf = (lines: ReadonlyArray<PlacedLine>, { address, symbol }: Token): string =>
  lines.find(({ asset }) => asset === address)?.label ?? symbol

const notHeld = ({ address, symbol }: Token) => explain({ _tag: "QuoteNotEnabled", symbol, address, byTrader: null })

/**
 * Reads the vault and plans its trades, or lists the assets without a value. Fails with 2006 when the vault cannot hold
 * the quote.
 */
const read = (
  readLines: VaultReader["lines"],
  bot: Rules,
  { force, maxUsd18, quote, without }: Terms
) =>
  Effect.gen(function*() {
    const lines = yield* readLines
    const held = lines.map(heldOf)
    if (!held.some(({ inVault, token }) => inVault && token.address === quote.address)) return yield* notHeld(quote)
    const { minTradeUsd18, slippage, targets, tolerance } = bot
    return {
      lines,
      held,
      planned: plan({ held, targets, quote, tolerance, maxUsd18, minTradeUsd18, slippage, force, without })
    }
  })

/**
 * Plans a run. Fails with 2012 while the value of an asset is unknown, 2006 when the vault cannot hold the quote. A plan
 * that trades is made once more of values that a second endpoint confirms, where the network has one.
 */
export const planTrades = (reader: VaultReader, bot: Rules, terms: Terms): Effect.Effect<Plan, Failure> =>
  Effect.flatMap(
    planOf(reader.lines, bot, terms),
    (plan) =>
      plan.legs.length === 0 || !reader.needsConfirmation
        ? Effect.succeed(plan)
        : planOf(reader.confirmedLines, bot, terms)
  )

const planOf = (lines: VaultReader["lines"], bot: Rules, terms: Terms): Effect.Effect<Plan, Failure> =>
  Effect.flatMap(
    read(lines, bot, terms),
    ({ lines, planned }) =>
      Effect.mapError(
        Effect.fromResult(planned),
        (unpriced) => explain({ _tag: "WeightsUnknown", detail: unknownOf(lines, unpriced) }, "stated")
      )
  )

/** Previews what a run would trade. While the value of an asset is unknown, returns the known part and the reason. */
export const preview = (reader: VaultReader, bot: Rules, terms: Terms): Effect.Effect<IndexPreview, Failure> =>
  Effect.map(read(reader.lines, bot, terms), ({ held, lines, planned }) =>
    Result.match(planned, {
      onFailure: (unpriced) => unknownPreview(bot, { held, lines }, unknownOf(lines, unpriced), terms.quote),
      onSuccess: (found) => previewOf(found, lines, bot.slippage)
    }))

/** Builds the preview of a vault whose value is unknown: without weights and plan. */
const unknownPreview = (
  { targets, tolerance }: Rules,
  { held, lines }: { readonly held: ReadonlyArray<Holding>; readonly lines: ReadonlyArray<PlacedLine> },
  reason: string,
  quote: Token
): IndexPreview => {
  const usdOf = (each: Holding | undefined) => {
    const usd18 = each === undefined ? 0n : usd18Of(each)
    return usd18 === null ? null : Quantity.usd(usd18)
  }
  const managed = new Set([quote.address, ...targets.map(({ token }) => token.address)])
  return IndexPreview.make({
    totalValueUsd: null,
    needsRebalance: null,
    allocations: targets.map((target) => {
      const own = held.find(({ token }) => token.address === target.token.address)
      return {
        asset: target.token.symbol,
        contract: target.token.address,
        targetPct: target.weight,
        currentPct: null,
        driftPct: null,
        valueUsd: usdOf(own),
        targetUsd: null,
        tolerance: target.tolerance ?? tolerance,
        outOfBand: null,
        inVault: own?.inVault ?? false
      }
    }),
    unmanagedAssets: held.filter(({ balance, token }) => balance !== 0n && !managed.has(token.address))
      .map((each) => ({
        asset: each.token.symbol,
        label: labelOf(lines, each.token),
        contract: each.token.address,
        currentPct: null,
        valueUsd: usdOf(each)
      })),
    plan: [],
    reason
  })
}

/** Converts a plan to the preview's display numbers. */
const previewOf = (
  { allocations, legs, needsRebalance, totalUsd18, unmanaged }: Plan,
  lines: ReadonlyArray<PlacedLine>,
  slippage: number
): IndexPreview =>
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
      label: labelOf(lines, token),
      contract: token.address,
      currentPct: Quantity.usd(pct18),
      valueUsd: Quantity.usd(usd18)
    })),
    plan: legs.map((leg) => plannedTradeOf(leg, slippage)),
    reason: null
  })
