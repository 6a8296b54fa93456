/** The terms of a deposit into a pool, as the form holds them, and the API's parameters that they are. */
import { type Dex, dexes, dexNames, hasTickSpacing } from "@vault-trader/core/liquidity/Dex"
import { feeTiers } from "@vault-trader/core/liquidity/Liquidity"
import { LiquidityApi } from "@vault-trader/core/liquidity/LiquidityApi"
import type { Network } from "@vault-trader/core/chain/Network"
import { amount, percent } from "../shell/Format.ts"
import { parametersOf } from "../shell/Parameters.ts"
import { isStable } from "../vault-order/OrderFields.ts"
import type { LiquidityRequest } from "./LiquidityPlans.ts"
import { type Holding, oraclePrice } from "./Positions.ts"
import { around, fullRange, invert, isEmpty, type PriceRange } from "./Ranges.ts"
import { t } from "../text/Text.ts"

export interface AddTerms extends PriceRange {
  /** Contracts of the pair. The range is of the first asset's price in the second. */
  readonly first: string
  readonly second: string
  /** The one that is put in. */
  readonly input: string
  readonly dex: Dex | "auto"
  /** The pool's fee in hundredths of a basis point, or its tick spacing; empty for the one with the most liquidity. */
  readonly pool: string
  readonly amount: string
  readonly slippage: string
  readonly platform: string
}

const parameters = parametersOf(LiquidityApi, "addLiquidity")

/** How wide a suggested range is to each side, in percent. */
const suggested = 20

const rangeAround = (holdings: ReadonlyArray<Holding>, first: string, second: string): PriceRange => {
  const current = oraclePrice(holdings, first, second)
  return current === undefined ? fullRange : around(current, suggested)
}

/** Suggests a pair: the largest token besides stablecoins, priced in a stablecoin, of which the deposit is made. */
export const firstTerms = (tokens: ReadonlyArray<Holding>): AddTerms => {
  const largest = [...tokens].sort((one, other) => (other.value_usd ?? 0) - (one.value_usd ?? 0))
  const base = largest.find(({ symbol }) => !isStable(symbol)) ?? largest[0]
  const quote = largest.find((each) => isStable(each.symbol) && each !== base) ?? largest.find((each) => each !== base)
  const [first, second] = [base?.asset ?? "", quote?.asset ?? ""]
  return {
    ...{ first, second, input: second, dex: "auto", pool: "", amount: "", slippage: "0.5", platform: "auto" },
    ...rangeAround(tokens, first, second)
  }
}

/** Returns the terms with another pair: an asset that was the other one changes places with it. */
export const withPair = (
  terms: AddTerms,
  change: { readonly first: string } | { readonly second: string },
  tokens: ReadonlyArray<Holding>
): AddTerms => {
  const chosen = { first: terms.first, second: terms.second, ...change }
  const pair = chosen.first === chosen.second ? { first: terms.second, second: terms.first } : chosen
  const isKept = terms.input === pair.first || terms.input === pair.second
  return {
    ...{ ...terms, ...pair, pool: "", ...rangeAround(tokens, pair.first, pair.second) },
    ...(isKept ? {} : { input: pair.second, amount: "" })
  }
}

/** Returns the same terms with prices of the other direction. */
export const inverted = (terms: AddTerms): AddTerms => ({
  ...terms,
  ...{ first: terms.second, second: terms.first },
  ...invert(terms)
})

/** Returns whether pools are named by their tick spacing, at the exchange that is chosen. */
export const bySpacing = (dex: AddTerms["dex"]): boolean => dex !== "auto" && hasTickSpacing(dex)

/** Fees of the pools of an exchange. */
const feesOf: Readonly<Record<string, ReadonlyArray<number>>> = {
  auto: feeTiers,
  uniswapV3: [100, 500, 3000, 10000],
  pancakeCl: [100, 500, 2500, 10000]
}
const spacings = [1, 10, 50, 100, 200, 500, 2000]

interface Option {
  readonly value: string
  readonly label: string
}

export const poolOptions = (dex: AddTerms["dex"]): ReadonlyArray<Option> => [
  { value: "", label: t("Most liquidity") },
  ...(bySpacing(dex)
    ? spacings.map((spacing) => ({ value: String(spacing), label: t("tick spacing {spacing}", { spacing }) }))
    : (feesOf[dex] ?? feeTiers).map((fee) => ({ value: String(fee), label: percent(fee / 10_000) })))
]

/** Returns an exchange's name. Velodrome has another one on base. */
export const exchangeName = (dex: Dex, network: Network): string =>
  network === "base" ? dexNames[dex].replace("Velodrome", "Aerodrome") : dexNames[dex]

export const exchangeOptions = (network: Network): ReadonlyArray<Option> => [
  { value: "auto", label: t("Auto") },
  ...dexes.map((dex) => ({ value: dex, label: exchangeName(dex, network) }))
]

export type AddFaults = Readonly<Record<"amount" | "slippage" | "lower" | "upper", string | null>>

/** Returns what is wrong with each field; what the API would refuse is found here, besides what depends on the chain. */
export const faultsOf = (terms: AddTerms, input: Pick<Holding, "amount" | "symbol"> | undefined): AddFaults => {
  const size = terms.amount.trim()
  const held = input?.amount ?? null
  const [lower, upper] = [terms.lower.trim(), terms.upper.trim()]
  return {
    amount: size === ""
      ? null
      : parameters.faultOf("amount", size) ??
        (held !== null && Number(size) > Number(held)
          ? t("The vault has {held} {from}", { held: amount(held), from: input?.symbol ?? "" })
          : null),
    slippage: parameters.faultOf("slippage", terms.slippage.trim()),
    lower: parameters.faultOf("lower_price", lower),
    upper: parameters.faultOf("upper_price", upper) ??
      (isEmpty(terms) ? t("Must be above the lowest price") : null)
  }
}

/** Returns the request of terms without a fault. */
export const requestOfTerms = (terms: AddTerms): LiquidityRequest => {
  const { dex, first, input, platform, pool, second } = terms
  const [lower, upper, slippage] = [terms.lower.trim(), terms.upper.trim(), terms.slippage.trim()]
  return {
    action: "addLiquidity",
    params: {
      ...{ asset1: first, asset2: second, input_asset: input, amount: terms.amount.trim() },
      ...(dex === "auto" ? {} : { dex }),
      ...(pool === "" ? {} : bySpacing(dex) ? { tick_spacing: pool } : { fee_tier: pool }),
      ...(lower === "" ? {} : { lower_price: lower }),
      ...(upper === "" ? {} : { upper_price: upper }),
      ...(slippage === "" ? {} : { slippage }),
      platform
    }
  }
}
