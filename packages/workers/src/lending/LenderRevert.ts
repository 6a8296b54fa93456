/** What the lending markets' reverts mean. Older versions of lenderA's market say numbers, newer ones name errors. */
import { type ErrorType, ExecutionFailure } from "@vault-trader/core/endpoint/Failure"
import type { Estimate } from "@vault-trader/core/gas-wallet/Submission"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { toFunctionSelector } from "viem"
import { reasonOf } from "../chain/Revert.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { type Bench, throughVault, type VaultCall } from "../vault/Action.ts"
import { explain } from "../vault/PlatformRevert.ts"

interface Meaning {
  readonly errorType: ErrorType
  readonly sentence: string
  /** lenderA's number. */
  readonly number?: string
  readonly error?: string
}

const meanings: ReadonlyArray<Meaning> = [
  { number: "27", error: "ReserveInactive()", errorType: "market_not_available", sentence: "The market has closed this asset" },
  { number: "28", error: "ReserveFrozen()", errorType: "market_not_available", sentence: "The market has frozen this asset" },
  { number: "29", error: "ReservePaused()", errorType: "market_not_available", sentence: "The market has paused this asset" },
  { number: "30", error: "BorrowingNotEnabled()", errorType: "market_not_available", sentence: "The market does not lend this asset" },
  { number: "32", error: "NotEnoughAvailableUserBalance()", errorType: "insufficient_balance", sentence: "That is more than the vault has supplied" },
  { number: "34", error: "CollateralBalanceIsZero()", errorType: "health_factor_too_low", sentence: "The vault has no collateral there" },
  { number: "35", error: "HealthFactorLowerThanLiquidationThreshold()", errorType: "health_factor_too_low", sentence: "The health factor would fall below 1" },
  { number: "36", error: "CollateralCannotCoverNewBorrow()", errorType: "health_factor_too_low", sentence: "The vault's collateral does not cover this loan" },
  { number: "39", error: "NoDebtOfSelectedType()", errorType: "position_not_found", sentence: "The vault owes none of this asset" },
  { number: "50", error: "BorrowCapExceeded()", errorType: "market_not_available", sentence: "The market lends no more of this asset for now" },
  { number: "51", error: "SupplyCapExceeded()", errorType: "market_not_available", sentence: "The market takes no more of this asset for now" },
  { number: "53", error: "DebtCeilingExceeded()", errorType: "market_not_available", sentence: "The market lends no more against this collateral for now" },
  { number: "57", error: "LtvValidationFailed()", errorType: "market_not_available", sentence: "The market wants collateral it lends nothing against taken back first" },
  { number: "60", error: "AssetNotBorrowableInIsolation()", errorType: "market_not_available", sentence: "The market does not lend this asset against the vault's collateral" },
  { error: "NotCollateralized()", errorType: "insufficient_balance", sentence: "That is more than the vault has supplied" },
  { error: "ERC4626ExceededMaxWithdraw(address,uint256,uint256)", errorType: "insufficient_balance", sentence: "That is more than the market can pay out now" },
  { error: "ERC4626ExceededMaxRedeem(address,uint256,uint256)", errorType: "insufficient_balance", sentence: "That is more than the market can pay out now" }
]

/** The named failure of a simulated call's revert data. */
export const explainRevert = (data: string | undefined): ExecutionFailure => {
  const reason = reasonOf(data)
  const selector = data?.slice(0, 10)
  const meaning = meanings.find(({ error, number }) => number === reason || (error !== undefined && toFunctionSelector(error) === selector))
  return meaning === undefined
    ? explain(reason, "nothing was sent")
    : new ExecutionFailure({ errorType: meaning.errorType, message: `${meaning.sentence} (${reason}); nothing was sent.` })
}

/** What the transaction takes; a revert is the refusal. A node that refuses for another reason has said nothing: the lane asks again. */
export const simulated = ({ chain, pool, wallet }: Bench, calls: ReadonlyArray<VaultCall>): Effect.Effect<Estimate | undefined, ExecutionFailure> =>
  Effect.gen(function*() {
    const at = yield* Clock.currentTimeMillis
    return yield* chain.estimateGas({ from: wallet, to: pool, data: throughVault(calls), value: 0n }).pipe(
      Effect.map((gas): Estimate | undefined => ({ gas, at })),
      Effect.catchTags({
        RpcRefused: ({ data, reason }) => data === undefined && !/revert/i.test(reason) ? Effect.succeed(undefined) : explainRevert(data),
        RpcUnavailable: unavailable
      })
    )
  })
