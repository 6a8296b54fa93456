/**
 * Explains the lending markets' reverts. Older versions of lenderA's market return numbers, newer ones named errors.
 */
import type { ErrorType, ExecutionFailure } from "@vault-trader/core/failure/Failure"
import type { Estimate } from "@vault-trader/core/gas-wallet/Submission"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { toFunctionSelector } from "viem"
import { reasonOf } from "../chain/Revert.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { type VaultContext } from "../vault/Action.ts"
import { throughVault, type VaultCall } from "../platform/VaultCall.ts"
import { failureOf, type Meaning, meaningOf as platformMeaningOf } from "../platform/PlatformRevert.ts"

/** lenderA's error number if there is one, the error's name, and the meaning of both. */
type Line = readonly [number: string | null, error: string, errorType: ErrorType, sentence: string]

const meanings: ReadonlyArray<Line> = [
  ["27", "ReserveInactive()", "market_not_available", "The market has closed this asset"],
  ["28", "ReserveFrozen()", "market_not_available", "The market has frozen this asset"],
  ["29", "ReservePaused()", "market_not_available", "The market has paused this asset"],
  ["30", "BorrowingNotEnabled()", "market_not_available", "The market does not lend this asset"],
  ["32", "NotEnoughAvailableUserBalance()", "insufficient_balance", "That is more than the vault has supplied"],
  ["34", "CollateralBalanceIsZero()", "health_factor_too_low", "The vault has no collateral there"],
  [
    "35",
    "HealthFactorLowerThanLiquidationThreshold()",
    "health_factor_too_low",
    "The health factor would fall below 1"
  ],
  [
    "36",
    "CollateralCannotCoverNewBorrow()",
    "health_factor_too_low",
    "The vault's collateral does not cover this loan"
  ],
  ["39", "NoDebtOfSelectedType()", "position_not_found", "The vault owes none of this asset"],
  ["50", "BorrowCapExceeded()", "market_not_available", "The market lends no more of this asset for now"],
  ["51", "SupplyCapExceeded()", "market_not_available", "The market accepts no more of this asset for now"],
  ["53", "DebtCeilingExceeded()", "market_not_available", "The market lends no more against this collateral for now"],
  [
    "57",
    "LtvValidationFailed()",
    "market_not_available",
    "Collateral that cannot be borrowed against must be withdrawn first"
  ],
  [
    "60",
    "AssetNotBorrowableInIsolation()",
    "market_not_available",
    "The market does not lend this asset against the vault's collateral"
  ],
  [null, "NotCollateralized()", "insufficient_balance", "That is more than the vault has supplied"],
  [
    null,
    "ERC4626ExceededMaxWithdraw(address,uint256,uint256)",
    "insufficient_balance",
    "That is more than the market can pay out now"
  ],
  [
    null,
    "ERC4626ExceededMaxRedeem(address,uint256,uint256)",
    "insufficient_balance",
    "That is more than the market can pay out now"
  ]
]

/** Returns the meaning of a revert's data: a market's error, or else the vault platform's. */
export const meaningOf = (data: string | undefined): Meaning => {
  const reason = reasonOf(data)
  const selector = data?.slice(0, 10)
  const known = meanings.find(([number, error]) => number === reason || toFunctionSelector(error) === selector)
  if (known === undefined) return platformMeaningOf(reason)
  const [, , errorType, sentence] = known
  return { errorType, sentence: `${sentence} (${reason})` }
}

/**
 * Estimates the transaction's gas; a revert becomes the refusal. When the node refuses for another reason the estimate
 * is undefined, and the lane estimates again.
 */
export const simulated = (
  { chain, pool, wallet }: VaultContext,
  calls: ReadonlyArray<VaultCall>
): Effect.Effect<Estimate | undefined, ExecutionFailure> =>
  Effect.gen(function*() {
    const at = yield* Clock.currentTimeMillis
    return yield* chain.estimateGas({ from: wallet, to: pool, data: throughVault(calls), value: 0n }).pipe(
      Effect.map((gas): Estimate | undefined => ({ gas, at })),
      Effect.catchTags({
        RpcRefused: ({ data, reason }) =>
          data === undefined && !/revert/i.test(reason)
            ? Effect.succeed(undefined)
            : failureOf(meaningOf(data), "nothing was sent"),
        RpcUnavailable: unavailable
      })
    )
  })
