/** The choices of a ticket: the assets of an action, the lenders of each, and how much there is of it. */
import type { Choice, Lending } from "./Lending.ts"
import type { LendingAction } from "./LendingPlan.ts"

const smaller = (one: string, other: string): string => Number(one) <= Number(other) ? one : other

/** Only lenderA lends to vaults: they cannot post collateral with the others. */
export const lends = (lender: string): boolean => lender === "lenderA"

const supplies = ({ markets }: Lending): ReadonlyArray<Choice> =>
  markets.map(({ asset, held, lender, supply_apy: rate, symbol }) => ({ asset, symbol, lender, limit: held, rate }))

const loans = ({ markets }: Lending): ReadonlyArray<Choice> =>
  markets.filter(({ lender }) => lends(lender)).map(({ asset, borrow_apy: rate, lender, symbol }) => ({
    ...{ asset, symbol, lender, limit: null, rate }
  }))

const choicesAt = (positions: Lending["positions"], side: "supplied" | "borrowed"): ReadonlyArray<Choice> =>
  positions.flatMap((position) => position.side !== side || position.choice === null ? [] : [position.choice])

const withdrawals = ({ positions }: Lending): ReadonlyArray<Choice> => choicesAt(positions, "supplied")

const repayments = ({ holdings, positions }: Lending): ReadonlyArray<Choice> =>
  choicesAt(positions, "borrowed").map((choice) => ({
    ...choice,
    limit: smaller(choice.limit ?? "0", holdings?.find(({ asset }) => asset === choice.asset)?.amount ?? "0")
  }))

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
