/**
 * Interprets the lending markets' reverts. Older versions of lenderA's market return numbers, newer ones named errors.
 */
import { explain } from "@vault-trader/core/failure/Explanation"
import type { Reverted } from "@vault-trader/core/failure/Reason"
import type { RevertMeaning } from "@vault-trader/core/failure/RevertMeaning"
import { toFunctionSelector } from "viem"
import { reasonOf } from "../chain/Revert.ts"
import type { VaultContext } from "../vault/Action.ts"
import * as Simulation from "../platform/Simulation.ts"
import type { VaultCall } from "../platform/VaultCall.ts"
import { meaningOf as platformMeaningOf } from "../platform/PlatformRevert.ts"

/** lenderA's error number if there is one, the error's name, and the meaning of both. */
type Line = readonly [number: string | null, error: string, meaning: RevertMeaning]

const meanings: ReadonlyArray<Line> = [
  ["26", "InvalidAmount()", "amountZero"],
  ["27", "ReserveInactive()", "reserveClosed"],
  ["28", "ReserveFrozen()", "reserveFrozen"],
  ["29", "ReservePaused()", "reservePaused"],
  ["30", "BorrowingNotEnabled()", "borrowingDisabled"],
  ["32", "NotEnoughAvailableUserBalance()", "moreThanSupplied"],
  ["33", "InvalidInterestRateModeSelected()", "rateModeNotOffered"],
  ["34", "CollateralBalanceIsZero()", "noCollateral"],
  ["35", "HealthFactorLowerThanLiquidationThreshold()", "healthFactorBelowOne"],
  ["36", "CollateralCannotCoverNewBorrow()", "collateralTooLow"],
  ["39", "NoDebtOfSelectedType()", "nothingOwed"],
  ["43", "UnderlyingBalanceZero()", "nothingSupplied"],
  ["48", "SameBlockBorrowRepay()", "sameBlockRepayment"],
  ["50", "BorrowCapExceeded()", "borrowCapReached"],
  ["51", "SupplyCapExceeded()", "supplyCapReached"],
  ["53", "DebtCeilingExceeded()", "debtCeilingReached"],
  ["57", "LtvValidationFailed()", "unusableCollateral"],
  ["58", "InconsistentEModeCategory()", "notBorrowableInEMode"],
  ["59", "PriceOracleSentinelCheckFailed()", "sequencerGracePeriod"],
  ["60", "AssetNotBorrowableInIsolation()", "notBorrowableInIsolation"],
  ["62", "UserInIsolationModeOrLtvZero()", "notCollateralInIsolation"],
  ["82", "AssetNotListed()", "notListedByMarket"],
  ["89", "SiloedBorrowingViolation()", "siloedDebt"],
  [null, "NotBorrowableInEMode()", "notBorrowableInEMode"],
  [null, "InvalidDebtInEmode(address)", "notBorrowableInEMode"],
  [null, "InvalidDebtInEmode()", "notBorrowableInEMode"],
  [null, "InvalidCollateralInEmode(address)", "notBorrowableInEMode"],
  [null, "MustNotLeaveDust()", "debtLeavesDust"],
  [null, "UserHasAssetWithZeroLtv()", "unusableCollateral"],
  [null, "UserCannotHaveDebt()", "debtNotAllowed"],
  [null, "SupplyToAToken()", "receiverNotVault"],
  [null, "WithdrawToAToken()", "receiverNotVault"],
  // lenderB.
  [null, "Paused()", "marketPaused"],
  [null, "NotCollateralized()", "moreThanSupplied"],
  [null, "BorrowTooSmall()", "moreThanSupplied"],
  // lenderC.
  [null, "ERC4626ExceededMaxDeposit(address,uint256,uint256)", "supplyCapReached"],
  [null, "ERC4626ExceededMaxWithdraw(address,uint256,uint256)", "payoutTooLarge"],
  [null, "ERC4626ExceededMaxRedeem(address,uint256,uint256)", "payoutTooLarge"]
]

/** Returns the meaning of a revert's data: a market's error, or else the vault platform's. */
export const meaningOf = (data: string | undefined): Reverted => {
  const revert = reasonOf(data)
  const selector = data?.slice(0, 10)
  const known = meanings.find(([number, error]) => number === revert || toFunctionSelector(error) === selector)
  return known === undefined ? platformMeaningOf(revert) : { _tag: "Reverted", meaning: known[2], revert }
}

/** Estimates the transaction's gas; a revert becomes the refusal. */
export const simulate = (context: VaultContext, calls: ReadonlyArray<VaultCall>) =>
  Simulation.estimate(context, calls, (data) => explain(meaningOf(data)))
