/**
 * Sells a pool token in two steps of one request: the first one unrolls it into a withdrawal at EasySwapperV2, the
 * second one pays that out. This is the first one.
 */
import * as Quantity from "@vault-trader/core/chain/Quantity"
import type { Token } from "@vault-trader/core/chain/Token"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { TradeRequest } from "@vault-trader/core/trading/Trading"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as ChainTime from "../chain/ChainTime.ts"
import * as Contract from "../chain/Contract.ts"
import { reasonOf } from "../chain/Revert.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import * as Allowance from "../platform/Allowance.ts"
import { managerLogicAbi } from "../platform/PlatformAbi.ts"
import { meaningOf } from "../platform/PlatformRevert.ts"
import * as Simulation from "../platform/Simulation.ts"
import type { VaultCall } from "../platform/VaultCall.ts"
import type { VaultContext } from "../vault/Action.ts"
import { Waiting } from "../vault/EarlierStep.ts"
import * as EasySwapper from "../venue/EasySwapper.ts"
import * as PairState from "./PairState.ts"
import type { RedemptionStep, StepDecision } from "./RedemptionStep.ts"
import { appraise, noSwapper, refuse, valueOf } from "./Unrolled.ts"
import { minOutOf } from "./VenueOffer.ts"

/** The slippage and the venue of a redemption. */
export type Terms = Pick<TradeRequest, "platform" | "slippage">

/** Returns true for a request that sells a pool token and does not name another venue. */
export const applies = ({ chain }: Pick<VaultContext, "chain">, { platform }: Terms, tokenIn: Token): boolean =>
  EasySwapper.poolTokenAt(chain.book, tokenIn.address) !== undefined &&
  (platform === "auto" || platform === "best" || platform === "toros")

const isoOf = (unixSeconds: bigint) => new Date(Number(unixSeconds) * 1_000).toISOString()

/** Checks by simulation that the first step unrolls into assets worth the tokens, and that they can be paid out. */
const checkProceeds = (
  context: VaultContext,
  market: PairState.Market,
  easySwapper: Contract.Read<unknown>["to"],
  calls: ReadonlyArray<VaultCall>,
  minUsd18: bigint,
  slippage: number
) =>
  Effect.gen(function*() {
    const read = Contract.read(EasySwapper.easySwapperAbi, easySwapper, "getTrackedAssets", [context.pool])
    const answer = yield* Simulation.readAfter(context, calls, read)
    const tracked = answer === undefined ? undefined : Result.getOrUndefined(read.decode(answer))
    // The node cannot simulate; the tolerance of each asset bounds the step by itself.
    if (tracked === undefined) return
    const assets = yield* appraise(context, market, tracked)
    const missing = assets.find(({ enabled, token }) => !enabled && token.address !== market.tokenOut.address)
    if (missing !== undefined) return yield* PairState.notEnabled(missing.token, context.facts)
    const value = valueOf(assets)
    if (value >= minUsd18) return
    return yield* explain({
      _tag: "VenuePaysTooLittle",
      venue: "toros",
      paid: Quantity.format(value, 18),
      required: Quantity.format(minUsd18, 18),
      symbol: "USD",
      slippage
    })
  })

/** Returns the manager contract of a pool token that can be redeemed now; waits or fails with the reason otherwise. */
const readyNow = ({ chain, facts, pool }: VaultContext, market: PairState.Market, easySwapper: VaultCall["to"]) =>
  Effect.gen(function*() {
    const { tokenIn } = market
    const [enabled, tracked, cooldown, logic, now] = yield* Effect.mapError(
      chain.readConfirmed([
        Contract.read(managerLogicAbi, facts.managerLogic, "isSupportedAsset", [easySwapper]),
        Contract.read(EasySwapper.easySwapperAbi, easySwapper, "getTrackedAssets", [pool]),
        Contract.read(EasySwapper.poolTokenAbi, tokenIn.address, "getExitRemainingCooldown", [pool]),
        Contract.read(EasySwapper.poolTokenAbi, tokenIn.address, "poolManagerLogic", []),
        ChainTime.read(chain)
      ]),
      unavailable
    )
    if (!Result.getOrElse(enabled, () => false)) {
      return yield* refuse(
        market,
        `EasySwapperV2 (${easySwapper}) is not enabled as an asset of the vault; the vault's manager can enable it`
      )
    }
    if (Result.isFailure(tracked) || Result.isFailure(cooldown) || Result.isFailure(logic)) {
      return yield* refuse(market, `${tokenIn.symbol} or EasySwapperV2 does not report its state`)
    }
    if (tracked.success.some(({ balance }) => balance > 0n)) {
      return yield* new Waiting({
        reason:
          `${tokenIn.symbol} is not redeemed while another withdrawal of the vault at EasySwapperV2 is in progress. ` +
          "It continues once that withdrawal is completed.",
        seconds: 15
      })
    }
    const seconds = cooldown.success
    if (seconds > 0n) {
      const end = Result.getOrElse(now, () => 0n) + seconds
      return yield* new Waiting({
        reason: `${tokenIn.symbol} is in its cooldown and can be redeemed from ${isoOf(end)} on. It is redeemed then.`,
        seconds: Number(seconds > 3_600n ? 3_600n : seconds)
      })
    }
    return Contract.lower(logic.success)
  })

/**
 * Plans the first step for an amount of pool tokens. Waits for the end of their cooldown, and for a withdrawal of the
 * vault that is in progress.
 */
export const planFirst = (context: VaultContext, terms: Terms, market: PairState.Market, amount: bigint) =>
  Effect.gen(function*() {
    const { chain, network } = context
    const { tokenIn, tokenOut } = market
    const easySwapper = chain.book.easySwapper?.address
    if (easySwapper === undefined || !market.guarded.has("toros")) return yield* noSwapper(network)
    const logic = yield* readyNow(context, market, easySwapper)
    const tolerance = EasySwapper.toleranceOf(terms.slippage)
    if (tolerance === 0) {
      return yield* refuse(market, "a redemption needs a slippage of at least 0.01 %")
    }
    const [assets] = yield* Effect.mapError(
      chain.readAll([
        Contract.read(managerLogicAbi, logic, "getSupportedAssets", [])
      ]),
      unavailable
    )
    if (Result.isFailure(assets)) return yield* refuse(market, `${tokenIn.symbol} does not report its assets`)
    const calls = [
      ...(() => {
        const allowance = market.allowances.get(easySwapper) ?? 0n
        return allowance >= amount ? [] : Allowance.set(tokenIn.address, easySwapper, allowance, amount)
      })(),
      {
        to: easySwapper,
        data: EasySwapper.init(tokenIn.address, amount, assets.success.map(({ asset }) => asset), tolerance)
      }
    ] as ReadonlyArray<VaultCall>
    const usd18 = Quantity.usdValue(amount, market.priceIn, tokenIn.decimals)
    const estimate = yield* Simulation.estimate(context, calls, (data) => explain(meaningOf(reasonOf(data))))
    yield* checkProceeds(context, market, easySwapper, calls, minOutOf(usd18, 0n, terms.slippage), terms.slippage)
    const details: RedemptionStep = {
      step: "first",
      poolToken: tokenIn,
      tokenOut,
      amount,
      minOut: minOutOf(PairState.fairOut(market, amount), 0n, terms.slippage),
      usd18,
      initTx: null,
      gasUsed: 0n,
      gasCost: 0n,
      assets: [],
      payout: null
    }
    return {
      calls,
      worth: usd18,
      details,
      nothingToDo: "",
      ...(estimate === undefined ? {} : { estimate })
    } satisfies StepDecision
  })
