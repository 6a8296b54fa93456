/** What the lending markets' reverts mean. Older versions of lenderA's market say numbers, newer ones name errors. */
import type { ErrorType, ExecutionFailure } from "@vault-trader/core/failure/Failure"
import type { Estimate } from "@vault-trader/core/gas-wallet/Submission"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { toFunctionSelector } from "viem"
import { reasonOf } from "../chain/Revert.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { type VaultContext, throughVault, type VaultCall } from "../vault/Action.ts"
import { failureOf, type Meaning, meaningOf as platformMeaningOf } from "../platform/PlatformRevert.ts"

/** lenderA's number where there is one, the error's name, and what both mean. */
type Line = readonly [number: string | null, error: string, errorType: ErrorType, sentence: string]

const meanings: ReadonlyArray<Line> = [
  ["27", "ReserveInactive()", "market_not_available", "The market has closed this asset"],
  ["28", "ReserveFrozen()", "market_not_available", "The market has frozen this asset"],
  ["29", "ReservePaused()", "market_not_available", "The market has paused this asset"],
  ["30", "BorrowingNotEnabled()", "market_not_available", "The market does not lend this asset"],
  ["32", "NotEnoughAvailableUserBalance()", "insufficient_balance", "That is more than the vault has supplied"],
  ["34", "CollateralBalanceIsZero()", "health_factor_too_low", "The vault has no collateral there"],
  ["35", "HealthFactorLowerThanLiquidationThreshold()", "health_factor_too_low", "The health factor would fall below 1"],
  ["36", "CollateralCannotCoverNewBorrow()", "health_factor_too_low", "The vault's collateral does not cover this loan"],
  ["39", "NoDebtOfSelectedType()", "position_not_found", "The vault owes none of this asset"],
  ["50", "BorrowCapExceeded()", "market_not_available", "The market lends no more of this asset for now"],
  ["51", "SupplyCapExceeded()", "market_not_available", "The market takes no more of this asset for now"],
  ["53", "DebtCeilingExceeded()", "market_not_available", "The market lends no more against this collateral for now"],
  ["57", "LtvValidationFailed()", "market_not_available", "The market wants collateral it lends nothing against taken back first"],
  ["60", "AssetNotBorrowableInIsolation()", "market_not_available", "The market does not lend this asset against the vault's collateral"],
  [null, "NotCollateralized()", "insufficient_balance", "That is more than the vault has supplied"],
  [null, "ERC4626ExceededMaxWithdraw(address,uint256,uint256)", "insufficient_balance", "That is more than the market can pay out now"],
  [null, "ERC4626ExceededMaxRedeem(address,uint256,uint256)", "insufficient_balance", "That is more than the market can pay out now"]
]

/** What the data of a revert means: a market's own, or else the vault platform's. */
export const meaningOf = (data: string | undefined): Meaning => {
  const reason = reasonOf(data)
  const selector = data?.slice(0, 10)
  const known = meanings.find(([number, error]) => number === reason || toFunctionSelector(error) === selector)
  if (known === undefined) return platformMeaningOf(reason)
  const [, , errorType, sentence] = known
  return { errorType, sentence: `${sentence} (${reason})` }
}

/** What the transaction takes; a revert is the refusal. A node that refuses for another reason has said nothing: the lane asks again. */
export const simulated = (
  { chain, pool, wallet }: VaultContext,
  calls: ReadonlyArray<VaultCall>
): Effect.Effect<Estimate | undefined, ExecutionFailure> =>
  Effect.gen(function*() {
    const at = yield* Clock.currentTimeMillis
    return yield* chain.estimateGas({ from: wallet, to: pool, data: throughVault(calls), value: 0n }).pipe(
      Effect.map((gas): Estimate | undefined => ({ gas, at })),
      Effect.catchTags({
        RpcRefused: ({ data, reason }) => data === undefined && !/revert/i.test(reason) ? Effect.succeed(undefined) : failureOf(meaningOf(data), "nothing was sent"),
        RpcUnavailable: unavailable
      })
    )
  })
