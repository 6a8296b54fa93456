/** A vault's positions with lenders, and the markets where it may supply and borrow. */
import { executionCodes } from "@vault-trader/core/failure/FailureCodes"
import { hasCode } from "../connection/RpcConnection.ts"
import { useLive } from "../connection/useLive.ts"
import { type LendingAccount, useLendingAccount } from "../vault/useLendingAccount.ts"
import { useComposition } from "../vault/useVaults.ts"
import type { VaultRef } from "../vault/VaultRef.ts"

const useRates = ({ network, wallet }: VaultRef) =>
  useLive(
    ["lending-rates", wallet, network],
    (client) => client.live["wallet.getAllYields"]({ wallet, network }),
    ({ yields }) => yields
  )

const useEstimate = ({ network, pool, wallet }: VaultRef) =>
  useLive(
    ["lending-estimate", wallet, network, pool],
    (client) => client.live["wallet.getEstimatedAnualYield"]({ wallet, network, pool }),
    ({ data }) => data
  )

export type Rate = NonNullable<ReturnType<typeof useRates>["data"]>[number]
export type Estimate = NonNullable<ReturnType<typeof useEstimate>["data"]>
export type Holding = NonNullable<ReturnType<typeof useComposition>["data"]>["composition"][number]

/** An asset at a lender, for an action. */
export interface Choice {
  readonly asset: string
  readonly symbol: string
  readonly lender: string
  /** How much may be moved; null where only the service knows it. */
  readonly limit: string | null
  /** Percent per year. */
  readonly rate: number | null
}

/** A supply of a vault to a lender, or its debt there. */
export interface Position {
  readonly key: string
  readonly side: "supplied" | "borrowed"
  readonly lender: string
  readonly symbol: string
  readonly amount: string
  readonly usd: number | null
  /** Percent per year, compounded. */
  readonly rate: number | null
  readonly isCollateral: boolean
  /** The asset to withdraw or to repay; null where only the lender's own token is known. */
  readonly choice: Choice | null
}

/** An asset at a lender, and what the vault holds of it. */
export interface Market extends Rate {
  readonly key: string
  readonly held: string
  readonly heldUsd: number | null
}

/** The parts that positions are read from; one is undefined while it is unknown. */
interface Sources {
  readonly account: LendingAccount | undefined
  readonly estimate: Estimate | undefined
  readonly rates: ReadonlyArray<Rate> | undefined
  readonly holdings: ReadonlyArray<Holding> | undefined
}

const rateOf = (
  rates: ReadonlyArray<Rate> | undefined,
  { asset, lender, side }: Pick<Position, "lender" | "side"> & { readonly asset: string | null }
): number | null => {
  const found = rates?.find((rate) => rate.lender === lender && rate.asset === asset)
  return (side === "supplied" ? found?.supply_apy : found?.borrow_apy) ?? null
}

/** The vault platform's types of the tokens of lenderB and lenderC. */
const lenderTokens: Readonly<Record<number, string>> = { 28: "lenderB", 34: "lenderC" }

/** Lists the positions with lenderA, which alone takes collateral and lends. */
const withLenderA = ({ account, estimate, rates }: Sources): ReadonlyArray<Position> => {
  if (account === undefined) return (estimate?.positions ?? []).flatMap(ofEstimate).filter(isLenderA)
  return (["supplied", "borrowed"] as const).flatMap((side) =>
    account[side].map(({ amount, asset, symbol, usd, used_as_collateral: isCollateral }) => {
      const lender = "lenderA"
      const rate = rateOf(rates, { asset, lender, side })
      return {
        ...{ key: `${side}/lenderA/${asset}`, side, lender, symbol, amount, usd: Number(usd), rate, isCollateral },
        choice: { asset, symbol, lender, limit: amount, rate }
      }
    })
  )
}

const isLenderA = ({ lender }: Position) => lender === "lenderA"

const ofEstimate = (
  { amount, apy, asset, lender, market, side, symbol, value_usd }: Estimate["positions"][number]
): ReadonlyArray<Position> => {
  // The estimate gives debt a negative yield.
  const rate = apy === null ? null : Math.abs(apy)
  return [{
    ...{ key: `${side}/${lender}/${market}/${asset}`, side, lender, symbol, amount, usd: value_usd, rate },
    ...{ isCollateral: false, choice: { asset, symbol, lender, limit: amount, rate } }
  }]
}

/** Lists the supplies to the other lenders: by the estimate, and without it by the tokens that the vault holds. */
const withOthers = ({ estimate, holdings, rates }: Sources): ReadonlyArray<Position> =>
  estimate === undefined
    ? (holdings ?? []).flatMap(({ amount, asset: token, asset_type, symbol, value_usd }): ReadonlyArray<Position> => {
      const lender = lenderTokens[asset_type ?? -1]
      if (lender === undefined || amount === null || Number(amount) === 0) return []
      const market = rates?.find((each) => each.market === token)
      const rate = market?.supply_apy ?? null
      return [{
        ...{ key: `supplied/${lender}/${token}`, side: "supplied", lender, symbol, amount, usd: value_usd, rate },
        isCollateral: false,
        // The amount is one of shares, which are worth more of the asset.
        choice: market === undefined
          ? null
          : { asset: market.asset, symbol: market.symbol, lender, limit: null, rate }
      }]
    })
    : estimate.positions.flatMap(ofEstimate).filter((position) => !isLenderA(position))

/** Lists a vault's positions, the most valuable first. A part that cannot be read hides no other part. */
export const positionsOf = (sources: Sources): ReadonlyArray<Position> =>
  [...withLenderA(sources), ...withOthers(sources)].sort((one, other) => (other.usd ?? 0) - (one.usd ?? 0))

/** Lists the markets: first what the vault holds most of, then the highest rate. */
export const marketsOf = ({ holdings, rates }: Sources): ReadonlyArray<Market> =>
  (rates ?? []).map((rate) => {
    const holding = holdings?.find(({ asset, kind }) => kind === "token" && asset === rate.asset)
    return {
      ...rate,
      key: `${rate.lender}/${rate.market}/${rate.asset}`,
      held: holding?.amount ?? "0",
      heldUsd: holding === undefined ? 0 : holding.value_usd
    }
  }).sort((one, other) =>
    (other.heldUsd ?? 0) - (one.heldUsd ?? 0) ||
    (other.supply_apy ?? 0) - (one.supply_apy ?? 0)
  )

/** Sums the value of positions of a side, in USD; null while one is unknown. */
export const totalOf = (positions: ReadonlyArray<Position>, side: Position["side"]): number | null =>
  positions.filter((position) => position.side === side)
    .reduce<number | null>((sum, { usd }) => sum === null || usd === null ? null : sum + usd, 0)

const marketNotAvailable = executionCodes.market_not_available

/** Follows all that the page of a vault's lending shows. */
export const useLending = (vault: VaultRef) => {
  const account = useLendingAccount(vault)
  const rates = useRates(vault)
  const estimate = useEstimate(vault)
  const composition = useComposition(vault)
  const sources: Sources = {
    account: account.data,
    rates: rates.data,
    estimate: estimate.data,
    holdings: composition.data?.composition
  }
  // A network without lenderA has other lenders.
  const hasNoLenderA = account.data === undefined && account.error !== null &&
    hasCode(account.error, marketNotAvailable)
  return {
    ...sources,
    positions: positionsOf(sources),
    markets: marketsOf(sources),
    isPositionsRead: estimate.data !== undefined ||
      (account.data !== undefined || hasNoLenderA) && composition.data !== undefined,
    errors: {
      account: hasNoLenderA ? null : account.error,
      rates: rates.error,
      estimate: estimate.error,
      holdings: composition.error
    }
  }
}

export type Lending = ReturnType<typeof useLending>
