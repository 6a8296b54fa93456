/** The health factor, before and after: collateral, each asset at its liquidation threshold, over debt. Pure; below 1 is liquidated. */
import { format } from "@vault-trader/core/chain/Quantity"
import { noDebt } from "@vault-trader/core/lending/LendingAccount"

/** An account as the market tells it. USD with 8 decimals; threshold and LTV in hundredths of a percent, means over the collateral. */
export interface Account {
  readonly collateral: bigint
  readonly debt: bigint
  readonly available: bigint
  readonly threshold: bigint
  readonly ltv: bigint
}

/** One whole of percentages, and of health factors. */
const whole = 10_000n
const one = 10n ** 18n

/** Worth in USD (8 decimals) of an amount in smallest units at a price of the same decimals; `up` rounds what counts against the vault. */
export const worth = (amount: bigint, price: bigint, decimals: number, up: boolean): bigint => {
  const unit = 10n ** BigInt(decimals)
  return (amount * price + (up ? unit - 1n : 0n)) / unit
}

/** Of 18 decimals, rounded down; `undefined` without debt. The market rounds its mean threshold down, so this is never too high. */
export const of = ({ collateral, debt, threshold }: Account): bigint | undefined =>
  debt === 0n ? undefined : collateral * threshold * one / (whole * debt)

/** The account after `value` more is owed. */
export const afterBorrowing = (account: Account, value: bigint): Account => ({ ...account, debt: account.debt + value })

/** The account after `value` of the debt is paid. */
export const afterRepaying = (account: Account, value: bigint): Account => ({
  ...account,
  debt: value >= account.debt ? 0n : account.debt - value
})

/** Changes collateral and keeps the mean of the thresholds right: USD times hundredths of a percent. */
const withCollateral = (account: Account, collateral: bigint, weighted: bigint): Account =>
  collateral <= 0n || weighted <= 0n
    ? { ...account, collateral: 0n, threshold: 0n }
    : { ...account, collateral, threshold: weighted / collateral }

/** The account without `value` of collateral that counted at `threshold`. */
export const afterUnlending = (account: Account, value: bigint, threshold: bigint): Account =>
  withCollateral(account, account.collateral - value, account.collateral * account.threshold - value * threshold)

/** The account with `value` of collateral more, which counts at `threshold`. */
export const afterLending = (account: Account, value: bigint, threshold: bigint): Account =>
  withCollateral(account, account.collateral + value, account.collateral * account.threshold + value * threshold)

/** USD (8 decimals) that may still be borrowed: as far as the market goes, and as far as the floor does. */
export const borrowable = (account: Account, floor: bigint): bigint => {
  const allowed = account.collateral * account.threshold * one / (whole * floor) - account.debt
  // The market rounds, and debt grows until the transaction is mined: at the very edge it would revert.
  const market = account.available - account.available / whole - 2n
  const least = allowed < market ? allowed : market
  return least > 0n ? least : 0n
}

/** Of 18 decimals, as people and answers read it: four decimals, rounded down. */
export const show = (factor: bigint | undefined): string => factor === undefined ? noDebt : format(factor / 10n ** 14n, 4)
