/** The choices of a ticket: the assets of an action, the lenders of each, and how much there is of it. */
import type { Lending } from "./Lending.ts"
import type { LendingAction } from "./LendingPlan.ts"

/** An asset at a lender. */
export interface Choice {
  readonly asset: string
  readonly symbol: string
  readonly lender: string
  /** How much may be moved; null where only the service knows it. */
  readonly limit: string | null
  /** Percent per year. */
  readonly rate: number | null
}

const smaller = (one: string, other: string): string => Number(one) <= Number(other) ? one : other

/** Only lenderA lends to vaults: they cannot post collateral with the others. */
export const lends = (lender: string): boolean => lender === "lenderA"

const supplies = ({ markets }: Lending): ReadonlyArray<Choice> =>
  markets.map(({ asset, held, lender, supply_apy: rate, symbol }) => ({ asset, symbol, lender, limit: held, rate }))

const loans = ({ markets }: Lending): ReadonlyArray<Choice> =>
  markets.filter(({ lender }) => lends(lender)).map(({ asset, borrow_apy: rate, lender, symbol }) => ({
    ...{ asset, symbol, lender, limit: null, rate }
  }))

const withdrawals = ({ positions }: Lending): ReadonlyArray<Choice> =>
  positions.flatMap(({ amount, asset, lender, rate, side, symbol }) =>
    side === "borrowed" || asset === null ? [] : [{ asset, symbol, lender, limit: amount, rate }]
  )

const repayments = ({ holdings, positions }: Lending): ReadonlyArray<Choice> =>
  positions.flatMap(({ amount, asset, lender, rate, side, symbol }) =>
    side === "supplied" || asset === null ? [] : [{
      ...{ asset, symbol, lender, rate },
      limit: smaller(amount, holdings?.find((holding) => holding.asset === asset)?.amount ?? "0")
    }]
  )

const all: Readonly<Record<LendingAction, (lending: Lending) => ReadonlyArray<Choice>>> = {
  lend: supplies,
  unlend: withdrawals,
  borrow: loans,
  repay: repayments
}

/** Lists the choices of an action. The one that a ticket began with stays, also once nothing is left of it. */
export const choicesOf = (action: LendingAction, lending: Lending, first: Choice): ReadonlyArray<Choice> => {
  const choices = all[action](lending)
  return choices.some(({ asset, lender }) => asset === first.asset && lender === first.lender)
    ? choices
    : [first, ...choices]
}
