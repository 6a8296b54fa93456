/**
 * Chooses the loss breaker's next action that closes the vault's positions: liquidity is removed, debts are repaid, and
 * supplies withdrawn. Pure. Each action is chosen again from the vault's state after the one before; the tokens that they
 * free are sold last.
 */
import type { Address } from "../chain/Address.ts"
import { max, min } from "../chain/Quantity.ts"
import type { Dex } from "../liquidity/Dex.ts"
import { actionName, type GuardianAction, type GuardianMemory, type LossTerms } from "./Guardian.ts"
import { type Account, amountOf, byValue, least8, plus, worth8, withdrawable8 } from "./HealthRepair.ts"

/** A liquidity position of the vault. */
export interface PoolPosition {
  readonly dex: Dex
  readonly tokenId: bigint
  readonly token0: Address
  readonly token1: Address
}

type Actions = ReadonlyArray<GuardianAction>
type Terms = Pick<LossTerms, "slippage">

const removals = (positions: ReadonlyArray<PoolPosition>): Actions =>
  positions.map(({ dex, token0, token1, tokenId }) => ({ _tag: "remove", asset: token0, other: token1, dex, tokenId }))

/** Returns the debts that keep collateral from being withdrawn, the largest first. Less than a dollar does not. */
const dueOf = ({ debts }: Account) =>
  debts.filter((debt) => worth8(debt, debt.owed) >= least8).toSorted(byValue(({ owed }) => owed))

const repayments = ({ debts }: Account): Actions =>
  debts.toSorted(byValue(({ owed }) => owed)).flatMap((debt): Actions => {
    const amount = min(debt.held, debt.owed)
    const pays = amount > 0n && (worth8(debt, amount) >= least8 || amount === debt.owed)
    return pays ? [{ _tag: "repay", asset: debt.asset, amount, whole: true }] : []
  })

const tokensBeside = ({ debts, tokens }: Account) => {
  const owed = new Set(debts.map(({ asset }) => asset))
  return tokens.filter(({ asset }) => !owed.has(asset)).toSorted(byValue(({ held }) => held))
}

/** Buys what is owed with the vault's other tokens. */
const purchases = (account: Account, { slippage }: Terms): Actions =>
  dueOf(account).flatMap((debt) => {
    const usd8 = plus(max(0n, worth8(debt, debt.owed) - worth8(debt, debt.held)), slippage)
    return tokensBeside(account).flatMap((token): Actions => {
      const amount = min(amountOf(token, usd8), token.held)
      return worth8(token, amount) < least8
        ? []
        : [{ _tag: "sell", asset: token.asset, to: debt.asset, amount, freed: false }]
    })
  })

/** Withdraws all supplies of a vault without debts; otherwise what repays the debts, as far as it is safe. */
const withdrawals = (account: Account, { slippage }: Terms): Actions => {
  const due = dueOf(account)
  const owed8 = plus(due.reduce((sum, debt) => sum + worth8(debt, debt.owed), 0n), slippage)
  const held8 = tokensBeside(account).reduce((sum, token) => sum + worth8(token, token.held), 0n)
  // The vault's tokens repay its debts: collateral stays where it is until then.
  if (due.length > 0 && held8 >= owed8) return []
  return account.supplies.toSorted(byValue(({ supplied }) => supplied)).flatMap((supply): Actions => {
    const { asset, available, lender, supplied, threshold } = supply
    const safe = due.length === 0
      ? supplied
      : amountOf(supply, min(owed8 - held8, withdrawable8(account, threshold)))
    const amount = min(min(safe, supplied), available)
    return worth8(supply, amount) < least8
      ? []
      : [{ _tag: "unlend", lender, asset, amount, whole: amount === supplied }]
  })
}

/** Returns the next action; undefined when no position is left that can be closed. */
export const nextClosing = (
  account: Account,
  positions: ReadonlyArray<PoolPosition>,
  terms: Terms,
  { skipped }: Pick<GuardianMemory, "skipped">
): GuardianAction | undefined => {
  const steps = [
    () => removals(positions),
    () => repayments(account),
    () => purchases(account, terms),
    () => withdrawals(account, terms)
  ]
  for (const step of steps) {
    const action = step().find((each) => !skipped.includes(actionName(each)))
    if (action !== undefined) return action
  }
  return undefined
}
