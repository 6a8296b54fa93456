/**
 * Chooses the next action that raises a vault's health factor to its target. Pure. Each action is chosen again from the
 * vault's state after the one before, so nothing depends on what an earlier one was expected to move.
 */
import * as BigDecimal from "effect/BigDecimal"
import type { Address } from "../chain/Address.ts"
import { max, min } from "../chain/Quantity.ts"
import type { LenderName } from "../lending/Lending.ts"
import { minFloor } from "../lending/Lending.ts"
import {
  actionName,
  type GuardianAction,
  type HealthTerms,
  type GuardianMemory,
  type RepairAction,
  type RepairMethod
} from "./Guardian.ts"

/** An asset: its decimals, and USD per whole token with 8 decimals. */
export interface Priced {
  readonly asset: Address
  readonly decimals: number
  readonly price8: bigint
}

/** A debt at lenderA. `held`: what the vault holds of the asset. Smallest units. */
export interface Debt extends Priced {
  readonly owed: bigint
  readonly held: bigint
}

/** A supply. `threshold`: hundredths of a percent of its value that count for the health factor; 0 if none. */
export interface Supply extends Priced {
  readonly lender: LenderName
  readonly supplied: bigint
  /** The most that the market can pay out now. */
  readonly available: bigint
  readonly threshold: bigint
}

/** A token of the vault. */
export interface Held extends Priced {
  readonly held: bigint
}

/** A vault's account: USD with 8 decimals, the mean threshold in hundredths of a percent. */
export interface Account {
  readonly collateral8: bigint
  readonly debt8: bigint
  readonly threshold: bigint
  readonly debts: ReadonlyArray<Debt>
  readonly supplies: ReadonlyArray<Supply>
  readonly tokens: ReadonlyArray<Held>
}

const whole = 10_000n
const one18 = 10n ** 18n
/** Least value of an action, USD with 8 decimals: below a dollar it costs more than it repairs. */
export const least8 = 10n ** 8n

export const worth8 = ({ decimals, price8 }: Priced, amount: bigint): bigint =>
  amount * price8 / 10n ** BigInt(decimals)
/** Returns the amount that is worth so much, rounded up. */
export const amountOf = ({ decimals, price8 }: Priced, usd8: bigint): bigint =>
  price8 === 0n ? 0n : (usd8 * 10n ** BigInt(decimals) + price8 - 1n) / price8

export const byValue = <A extends Priced>(of: (each: A) => bigint) => (one: A, other: A): number => {
  const [first, second] = [worth8(one, of(one)), worth8(other, of(other))]
  return first === second ? 0 : first > second ? -1 : 1
}

/** Adds a percentage, rounded up. */
export const plus = (usd8: bigint, percent: number): bigint => {
  const { scale, value } = BigDecimal.fromNumberUnsafe(percent)
  const unit = 10n ** BigInt(Math.max(0, scale) + 2)
  return (usd8 * (unit + value * 10n ** BigInt(Math.max(0, -scale))) + unit - 1n) / unit
}

/** Aims a little above the target, because interest and prices move until the repayment is mined. */
const aimed = (target18: bigint): bigint => target18 + target18 / 500n

/** Returns the debt that has to be repaid for the target, USD with 8 decimals. */
export const needed8 = ({ collateral8, debt8, threshold }: Account, target18: bigint): bigint =>
  max(0n, debt8 - collateral8 * threshold * one18 / (whole * aimed(target18)))

/** Returns the same, when it is repaid with collateral that counts at `threshold`. */
const neededFrom = (account: Account, target18: bigint, threshold: bigint): bigint => {
  const target = aimed(target18)
  // Weighted in 18 decimals: (C·T − y·t) / (D − y) ≥ target.
  const lacking = account.debt8 * target - account.collateral8 * account.threshold * one18 / whole
  const each = target - threshold * one18 / whole
  return lacking <= 0n ? 0n : each <= 0n ? account.debt8 : lacking / each + 1n
}

/** Returns the collateral that may be withdrawn: the health factor stays above lenderA's lowest safe floor. */
export const withdrawable8 = ({ collateral8, debt8, threshold }: Account, counted: bigint): bigint =>
  counted === 0n
    ? collateral8
    : max(0n, (collateral8 * threshold - debt8 * whole * (minFloor + minFloor / 200n) / one18) / counted)

/** Returns what is the case for the account, or undefined when the method has no action now. */
type Method = (account: Account, terms: HealthTerms, memory: GuardianMemory) => ReadonlyArray<RepairAction>

const repay: Method = (account, { target18 }) => {
  const needed = needed8(account, target18)
  return account.debts.toSorted(byValue(({ owed }) => owed)).flatMap((debt): ReadonlyArray<RepairAction> => {
    const wanted = min(amountOf(debt, needed), debt.owed)
    const amount = min(wanted, debt.held)
    const pays = amount > 0n && (worth8(debt, amount) >= least8 || amount === debt.owed)
    return pays ? [{ _tag: "repay", asset: debt.asset, amount, whole: amount >= debt.owed }] : []
  })
}

/** Returns how much of a supply is withdrawn for its part of the repair. */
const withdrawal = (account: Account, { target18 }: HealthTerms, supply: Supply, surplus: number): bigint => {
  const wanted8 = plus(neededFrom(account, target18, supply.threshold), surplus)
  const allowed8 = min(wanted8, withdrawable8(account, supply.threshold))
  return min(min(amountOf(supply, allowed8), supply.supplied), supply.available)
}

const unlend: Method = (account, terms) => {
  const owed = new Set(account.debts.map(({ asset }) => asset))
  // Supplies that do not secure the debt come first.
  return account.supplies.filter(({ asset }) => owed.has(asset))
    .toSorted((one, other) => Number(one.threshold - other.threshold))
    .flatMap((supply): ReadonlyArray<RepairAction> => {
      const amount = withdrawal(account, terms, supply, 0)
      return worth8(supply, amount) >= least8
        ? [{ _tag: "unlend", lender: supply.lender, asset: supply.asset, amount }]
        : []
    })
}

/** Returns the asset that is bought to repay: the largest debt's. */
const boughtOf = ({ debts }: Account): Debt | undefined => debts.toSorted(byValue(({ owed }) => owed))[0]

const saleOf = (account: Account, token: Held, usd8: bigint, freed: boolean): ReadonlyArray<RepairAction> => {
  const to = boughtOf(account)
  const amount = min(amountOf(token, usd8), token.held)
  return to === undefined || to.asset === token.asset || worth8(token, amount) < least8
    ? []
    : [{ _tag: "sell", asset: token.asset, to: to.asset, amount, freed }]
}

const sell: Method = (account, { slippage, target18 }) => {
  const owed = new Set(account.debts.map(({ asset }) => asset))
  const usd8 = plus(needed8(account, target18), slippage)
  return account.tokens.filter(({ asset }) => !owed.has(asset)).toSorted(byValue(({ held }) => held))
    .flatMap((token) => saleOf(account, token, usd8, false))
}

/** Sells collateral that was withdrawn before, or withdraws some. */
const deleverage: Method = (account, terms, { freed }) => {
  const token = freed === null ? undefined : account.tokens.find(({ asset }) => asset === freed.asset)
  if (freed !== null && token !== undefined) {
    const rest = saleOf(account, { ...token, held: min(token.held, freed.amount) }, worth8(token, freed.amount), true)
    if (rest.length > 0) return rest
  }
  const owed = new Set(account.debts.map(({ asset }) => asset))
  return account.supplies.filter(({ asset, lender }) => lender === "lenderA" && !owed.has(asset))
    .toSorted(byValue(({ supplied }) => supplied))
    .flatMap((supply): ReadonlyArray<RepairAction> => {
      const amount = withdrawal(account, terms, supply, terms.slippage)
      return worth8(supply, amount) >= least8 ? [{ _tag: "withdraw", asset: supply.asset, amount }] : []
    })
}

const methods: Readonly<Record<RepairMethod, Method>> = { repay, unlend, sell, deleverage }

/**
 * Returns the next action, by the guardian's order of preference; undefined when none is left. What an earlier action
 * has freed is used first: a repayment for what was unlent or bought, a sale for collateral that was withdrawn.
 */
export const nextAction = (
  account: Account,
  terms: HealthTerms,
  memory: GuardianMemory
): RepairAction | undefined => {
  const order: ReadonlyArray<RepairMethod> = [
    // Amounts that were unlent or bought for it are repaid, whatever is preferred.
    ...(memory.bought === null ? [] : ["repay" as const]),
    ...(memory.freed === null ? [] : ["deleverage" as const]),
    ...terms.prefer
  ]
  for (const method of order) {
    const action = methods[method](account, terms, memory).find((each) => !memory.skipped.includes(actionName(each)))
    if (action !== undefined) return action
  }
  return undefined
}

/** Returns what a guardian remembers after an action has ended. */
export const afterAction = (memory: GuardianMemory, action: GuardianAction, succeeded: boolean): GuardianMemory => {
  if (!succeeded) return memory
  switch (action._tag) {
    case "repay":
      return { ...memory, bought: memory.bought === action.asset ? null : memory.bought }
    case "unlend":
      return { ...memory, bought: action.asset }
    case "withdraw":
      return { ...memory, freed: { asset: action.asset, amount: (memory.freed?.amount ?? 0n) + action.amount } }
    case "remove":
      return memory
    case "sell": {
      const { freed } = memory
      const left = freed === null || !action.freed ? freed : { ...freed, amount: freed.amount - action.amount }
      return { ...memory, freed: left !== null && left.amount > 0n ? left : null, bought: action.to }
    }
  }
}
