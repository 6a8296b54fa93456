/**
 * Projects health factors: collateral at its liquidation thresholds over debt. Pure. An account below 1 is liquidated.
 */
import { format } from "@vault-trader/core/chain/Quantity"
import { defaultFloor } from "@vault-trader/core/lending/Lending"
import { noDebt } from "@vault-trader/core/lending/LendingAccount"
import * as Context from "effect/Context"

/**
 * An account as the market reports it. USD with 8 decimals; threshold and LTV in hundredths of a percent, averaged over
 * the collateral.
 */
export interface Account {
  readonly collateral: bigint
  readonly debt: bigint
  readonly available: bigint
  readonly threshold: bigint
  readonly ltv: bigint
}

/** Minimum health factor, 18 decimals, after borrowing and unlending. */
export const HealthFactorFloor = Context.Reference<bigint>("vault-trader/workers/lending/HealthFactorFloor", {
  defaultValue: () => defaultFloor
})

/** 100 % in hundredths of a percent. `one` is a health factor of 1. */
const whole = 10_000n
const one = 10n ** 18n

/**
 * Converts an amount in smallest units to USD at a price, both with 8 decimals. `up` rounds up, for what counts against
 * the vault.
 */
export const worth = (amount: bigint, price: bigint, decimals: number, up: boolean): bigint => {
  const unit = 10n ** BigInt(decimals)
  return (amount * price + (up ? unit - 1n : 0n)) / unit
}

/**
 * Returns the health factor with 18 decimals, rounded down; `undefined` without debt. The market rounds its mean
 * threshold down, so this is never too high.
 */
export const of = ({ collateral, debt, threshold }: Account): bigint | undefined =>
  debt === 0n ? undefined : collateral * threshold * one / (whole * debt)

/** Returns the account with `value` more debt. */
export const afterBorrowing = (account: Account, value: bigint): Account => ({ ...account, debt: account.debt + value })

/** Returns the account with `value` less debt. */
export const afterRepaying = (account: Account, value: bigint): Account => ({
  ...account,
  debt: value >= account.debt ? 0n : account.debt - value
})

/** Replaces the collateral and recomputes the mean threshold from `weighted` (USD times hundredths of a percent). */
const withCollateral = (account: Account, collateral: bigint, weighted: bigint): Account =>
  collateral <= 0n || weighted <= 0n
    ? { ...account, collateral: 0n, threshold: 0n }
    : { ...account, collateral, threshold: weighted / collateral }

/** Returns the account without `value` of collateral that counted at `threshold`. */
export const afterUnlending = (account: Account, value: bigint, threshold: bigint): Account =>
  withCollateral(account, account.collateral - value, account.collateral * account.threshold - value * threshold)

/** Returns the account with `value` more collateral, which counts at `threshold`. */
export const afterLending = (account: Account, value: bigint, threshold: bigint): Account =>
  withCollateral(account, account.collateral + value, account.collateral * account.threshold + value * threshold)

/** Returns the USD (8 decimals) that may still be borrowed: the smaller of the market's limit and the floor's. */
export const borrowable = (account: Account, floor: bigint): bigint => {
  const allowed = account.collateral * account.threshold * one / (whole * floor) - account.debt
  // The market rounds, and debt grows until the transaction is mined: the exact limit would revert.
  const market = account.available - account.available / whole - 2n
  const smaller = allowed < market ? allowed : market
  return smaller > 0n ? smaller : 0n
}

/** Formats a health factor of 18 decimals for responses: four decimals, rounded down. */
export const show = (factor: bigint | undefined): string =>
  factor === undefined ? noDebt : format(factor / 10n ** 14n, 4)
