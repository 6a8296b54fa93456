/** The second step of a redemption: pays the withdrawal's assets out, as the bought asset or as they are. */
import { paidFor } from "@vault-trader/core/gas-wallet/GasCost"
import { explain } from "@vault-trader/core/failure/Explanation"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Contract from "../chain/Contract.ts"
import { reasonOf } from "../chain/Revert.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { meaningOf } from "../platform/PlatformRevert.ts"
import * as Simulation from "../platform/Simulation.ts"
import { movedBy } from "../platform/Transfers.ts"
import type { VaultCall } from "../platform/VaultCall.ts"
import type { VaultContext } from "../vault/Action.ts"
import { type EarlierStep, Waiting } from "../vault/EarlierStep.ts"
import * as EasySwapper from "../venue/EasySwapper.ts"
import { Odos } from "../venue/Odos.ts"
import * as ForeignPayout from "./ForeignPayout.ts"
import * as PairState from "./PairState.ts"
import type { Terms } from "./Redemption.ts"
import type { RedemptionStep, StepDecision } from "./RedemptionStep.ts"
import { appraise, noSwapper, type Unrolled } from "./Unrolled.ts"
import { minOutOf } from "./VenueOffer.ts"

/** Plans the swap of a withdrawal's assets into one; fails when no quote is fair, or there is none. */
const planSwaps = (
  context: VaultContext,
  { slippage }: Terms,
  market: PairState.Market,
  easySwapper: { readonly address: Contract.Read<unknown>["to"]; readonly odosKey: string },
  assets: ReadonlyArray<Unrolled>
) =>
  Effect.gen(function*() {
    const { chain, wallet } = context
    const { tokenOut } = market
    const [swapper] = yield* chain.readConfirmed([
      Contract.read(EasySwapper.easySwapperAbi, easySwapper.address, "swapper", [])
    ])
    const vault = Contract.lower(yield* Effect.fromResult(swapper))
    const swaps = yield* Effect.forEach(
      assets.filter(({ token }) => token.address !== tokenOut.address),
      ({ balance, price, token }) =>
        Effect.gen(function*() {
          const fair = PairState.fairOut({ ...market, tokenIn: token, priceIn: price }, balance)
          const quote = yield* Odos.quote({
            chain,
            tokenIn: token,
            tokenOut,
            amountIn: balance,
            vault,
            wallet,
            slippage
          })
          const minOut = minOutOf(quote.amountOut, fair, slippage)
          if (quote.amountOut < minOut || minOut === 0n) return yield* Effect.fail("its quote is too low" as const)
          return { token: token.address, amount: balance, minOut, data: yield* quote.build(minOut, market.deadline) }
        })
    )
    const own = assets.reduce((sum, { balance, token }) => token.address === tokenOut.address ? sum + balance : sum, 0n)
    const minOut = swaps.reduce((sum, each) => sum + each.minOut, own)
    const data = EasySwapper.completeInto(easySwapper.odosKey, swaps, tokenOut.address, minOut)
    const calls: ReadonlyArray<VaultCall> = [{ to: easySwapper.address, data }]
    const estimate = yield* Simulation.estimate(context, calls, () => "it would revert" as const)
    return { calls, estimate, minOut }
  })

/** Plans to pay the assets out as they are. */
const planClaim = (
  context: VaultContext,
  market: PairState.Market,
  easySwapper: VaultCall["to"],
  assets: ReadonlyArray<Unrolled>
) =>
  Effect.gen(function*() {
    const missing = assets.find(({ enabled }) => !enabled)
    if (missing !== undefined) return yield* PairState.notEnabled(missing.token, context.facts)
    const calls: ReadonlyArray<VaultCall> = [{ to: easySwapper, data: EasySwapper.claim }]
    const estimate = yield* Simulation.estimate(context, calls, (data) => explain(meaningOf(reasonOf(data))))
    const own = assets.reduce(
      (sum, { balance, token }) => token.address === market.tokenOut.address ? sum + balance : sum,
      0n
    )
    return { calls, estimate, minOut: own }
  })

/** Returns the second step's plan as far as the earlier step determines it. */
const secondOf = (pool: VaultContext["pool"], { details, receipt }: EarlierStep<RedemptionStep>): RedemptionStep => ({
  ...details,
  step: "second",
  amount: details.step === "first" && receipt !== null
    ? movedBy(receipt.logs, details.poolToken.address, pool).sent
    : details.amount,
  gasUsed: details.gasUsed + (receipt?.gasUsed ?? 0n),
  gasCost: details.gasCost + (receipt === null ? 0n : paidFor(receipt))
})

/** Decides to send nothing: someone else has paid the withdrawal out. */
const completedBy = (details: RedemptionStep, { txHash }: ForeignPayout.ForeignPayout): StepDecision => ({
  calls: [],
  details,
  nothingToDo: `The withdrawal was paid out by ${txHash}, which this service did not send.`
})

/**
 * Plans the second step, after the first one was mined or after an earlier second step was not executed. Everything is
 * paid as the bought asset where that is possible, and otherwise as it is. Ends when someone else has paid it out, and
 * waits while no endpoint shows the withdrawal: the first step is never repeated.
 */
export const plan = (context: VaultContext, terms: Terms, earlier: EarlierStep<RedemptionStep>) =>
  Effect.gen(function*() {
    const { chain, network, pool } = context
    const { details, receipt } = earlier
    const { poolToken, tokenOut } = details
    const easySwapper = chain.book.easySwapper
    if (easySwapper === undefined) return yield* noSwapper(network)
    const market = yield* PairState.read(context, poolToken, tokenOut)
    const [tracked] = yield* Effect.mapError(
      chain.readConfirmed([
        Contract.read(EasySwapper.easySwapperAbi, easySwapper.address, "getTrackedAssets", [pool])
      ]),
      unavailable
    )
    const initTx = (details.step === "first" ? receipt?.transactionHash : null) ?? details.initTx
    const assets = yield* appraise(context, market, Result.getOrElse(tracked, () => []))
    if (assets.length === 0) {
      const payout = yield* ForeignPayout.find(context, initTx)
      if (payout !== undefined) return completedBy({ ...secondOf(pool, earlier), initTx, payout }, payout)
      return yield* new Waiting({
        reason:
          `The first step of the redemption was mined (${initTx ?? ""}), but the network's nodes show no withdrawal ` +
          "of the vault at EasySwapperV2. Nothing is sent until they do.",
        seconds: 15
      })
    }
    const isPlain = assets.every(({ token }) => token.address === tokenOut.address)
    const { odosKey } = easySwapper
    const claim = planClaim(context, market, easySwapper.address, assets)
    const { calls, estimate, minOut } = yield* isPlain || odosKey === undefined
      ? claim
      : Effect.catch(
        planSwaps(context, terms, market, { address: easySwapper.address, odosKey }, assets),
        (cause) =>
          Effect.andThen(Effect.logInfo("a withdrawal is paid out as it is: it cannot be swapped", cause), claim)
      )
    const next: RedemptionStep = {
      ...secondOf(pool, earlier),
      minOut,
      initTx,
      assets: assets.map(({ price, token }) => ({ token, price }))
    }
    return {
      calls,
      worth: details.usd18,
      details: next,
      nothingToDo: "",
      ...(estimate === undefined ? {} : { estimate })
    } satisfies StepDecision
  })
