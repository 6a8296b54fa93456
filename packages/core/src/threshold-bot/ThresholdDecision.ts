/**
 * Decides what a threshold bot does in a state of its pair. Pure; used by the watch, the vault's turns, paper bots and
 * backtests.
 */
import * as BigDecimal from "effect/BigDecimal"
import * as Quantity from "../chain/Quantity.ts"
import type { Token } from "../chain/Token.ts"
import type { HoldCode, Side } from "./ThresholdBot.ts"

/** A leg of a pair. Quantities in smallest units, the price in USD per whole token with 18 decimals. */
export interface Leg {
  readonly token: Token
  /** Balance of the vault. */
  readonly held: bigint
  /** Amount supplied to lenderA; 0 for a bot that does not lend. */
  readonly supplied: bigint
  /** Null while the oracle has no fresh price. */
  readonly price: bigint | null
  /** Why the vault's balance is unknown; `held` and `supplied` are meaningless then. */
  readonly unknown?: string
}

export interface Legs {
  readonly base: Leg
  readonly quote: Leg
  /** Null unless the network has an inverse token of the base. */
  readonly inverse: Leg | null
}

/** The terms of a bot that a decision depends on. Percentages; USD. */
export interface Terms {
  readonly side: Side
  readonly threshold: number
  readonly share: number
  readonly maxUsd: BigDecimal.BigDecimal
  readonly lending: boolean
}

export type Decision =
  | { readonly _tag: "hold"; readonly code: HoldCode; readonly reason: string }
  /** Sell `amount` of `from`, smallest units, worth `usd18` USD (18 decimals). */
  | {
    readonly _tag: "trade"
    readonly from: Leg
    readonly to: Leg
    readonly amount: bigint
    readonly usd18: bigint
    readonly reason: string
  }
  /** Supply `amount`, smallest units. */
  | { readonly _tag: "park"; readonly leg: Leg; readonly amount: bigint; readonly reason: string }

/** Codes whose reasons contain figures that change with every price. */
export const withFigures: ReadonlySet<HoldCode> = new Set(["within_threshold", "too_small"])

const one18 = 10n ** 18n
/** Minimum value of a trade: below a dollar, a trade costs more than it corrects. */
const minUsd18 = one18

const hold = (code: HoldCode, reason: string): Decision => ({ _tag: "hold", code, reason })

/** Returns the held and supplied amount, smallest units. */
export const amountOf = ({ held, supplied }: Leg): bigint => held + supplied

/** Returns the value of an amount in USD, 18 decimals, rounded down. */
const worthOf = ({ price, token }: Leg, amount: bigint): bigint =>
  (price ?? 0n) * amount / 10n ** BigInt(token.decimals)
const valueOf = (leg: Leg): bigint => worthOf(leg, amountOf(leg))

/** Returns the leg that a side holds; null for short without an inverse token. */
const wantedOf = (side: Exclude<Side, "hold">, { base, inverse, quote }: Legs): Leg | null =>
  side === "long" ? base : side === "neutral" ? quote : inverse

const dollars = (usd18: bigint) => Quantity.usd(usd18).toFixed(2)
/** Returns a percentage with two decimals, rounded down. */
const percent = (part: bigint, whole: bigint): number => Number(part * 10_000n / whole) / 100

export const decide = ({ lending, maxUsd, share, side, threshold }: Terms, legs: Legs): Decision => {
  if (side === "hold") return hold("told_to_hold", "The side is hold.")
  const wanted = wantedOf(side, legs)
  if (wanted === null) return hold("no_inverse", `This network has no inverse token of ${legs.base.token.symbol}.`)
  const others = [legs.base, legs.quote, legs.inverse].flatMap((leg) =>
    leg === null || leg.token.address === wanted.token.address ? [] : [leg]
  )
  const uncounted = [wanted, ...others].find(({ unknown }) => unknown !== undefined)
  if (uncounted !== undefined) {
    return hold(
      "balance_unknown",
      `The vault's balance of ${uncounted.token.symbol} is unknown: ${uncounted.unknown ?? ""}; nothing is traded.`
    )
  }
  const unpriced = [wanted, ...others].find((leg) =>
    (leg.price ?? 0n) === 0n && (leg === wanted || leg === legs.quote || leg === legs.base || amountOf(leg) > 0n)
  )
  if (unpriced !== undefined) {
    return hold(
      "price_unavailable",
      `The vault's oracle has no fresh price for ${unpriced.token.symbol}; nothing is traded.`
    )
  }

  const wrong = others.reduce((sum, leg) => sum + valueOf(leg), 0n)
  const whole = wrong + valueOf(wanted)
  if (whole === 0n) {
    return hold(
      "nothing_there",
      `The vault holds no ${others.map(({ token }) => token.symbol).join(", ")} or ${wanted.token.symbol}.`
    )
  }
  const off = `${percent(wrong, whole)} % of the pair's $${dollars(whole)} is not ${wanted.token.symbol}`
  // Compares percentages exactly as written, for example 0.5.
  const limit = BigDecimal.fromNumberUnsafe(threshold)
  const isOff = wrong * 100n * 10n ** BigInt(Math.max(0, limit.scale)) >
    whole * limit.value * 10n ** BigInt(Math.max(0, -limit.scale))
  if (!isOff) {
    return lending && worthOf(wanted, wanted.held) >= minUsd18
      ? {
        _tag: "park",
        leg: wanted,
        amount: wanted.held,
        reason: `${Quantity.format(wanted.held, wanted.token.decimals)} ${wanted.token.symbol} is idle.`
      }
      : hold("within_threshold", `${off}; the threshold is ${threshold} %.`)
  }
  const from = others.reduce((largest, leg) => valueOf(leg) > valueOf(largest) ? leg : largest)
  const cap18 = Quantity.toRaw(maxUsd, 18)
  const capped = cap18 * 10n ** BigInt(from.token.decimals) / (from.price ?? 1n)
  const part = Quantity.percentOf(amountOf(from), share)
  const amount = part < capped ? part : capped
  const usd18 = worthOf(from, amount)
  if (amount === 0n || usd18 < minUsd18) {
    return hold("too_small", `${off}, but the tradable amount is worth less than $1.`)
  }
  const sold = `${Quantity.format(amount, from.token.decimals)} ${from.token.symbol}`
  return {
    _tag: "trade",
    from,
    to: wanted,
    amount,
    usd18,
    reason: `${off}, more than the threshold of ${threshold} %: ${sold} is sold for ${wanted.token.symbol}.`
  }
}
