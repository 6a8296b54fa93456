/**
 * Sells a pool token in two steps of one request: the first one unrolls it into a withdrawal at EasySwapperV2, the
 * second one pays that out. Nothing of the second step depends on the first one's plan: it is planned from the chain.
 */
import { Hash } from "@vault-trader/core/chain/Address"
import { paidFor } from "@vault-trader/core/gas-wallet/GasCost"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { Token } from "@vault-trader/core/chain/Token"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { Receipt } from "@vault-trader/core/gas-wallet/Submission"
import { againstOracle, type TradeRequest } from "@vault-trader/core/trading/Trading"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { readGroups } from "../chain/ChainClient.ts"
import * as ChainTime from "../chain/ChainTime.ts"
import * as Contract from "../chain/Contract.ts"
import { reasonOf } from "../chain/Revert.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { Tokens } from "../chain/Tokens.ts"
import * as Allowance from "../platform/Allowance.ts"
import { factoryAbi, managerLogicAbi } from "../platform/PlatformAbi.ts"
import { meaningOf } from "../platform/PlatformRevert.ts"
import * as Simulation from "../platform/Simulation.ts"
import { movedBy } from "../platform/Transfers.ts"
import type { VaultCall } from "../platform/VaultCall.ts"
import type * as Action from "../vault/Action.ts"
import { type EarlierStep, type VaultContext, Waiting } from "../vault/Action.ts"
import * as EasySwapper from "../venue/EasySwapper.ts"
import { Odos } from "../venue/Odos.ts"
import * as PairState from "./PairState.ts"
import { minOutOf } from "./VenueOffer.ts"

/** The plan of one of the two steps; quantities in smallest units. */
export const RedemptionStep = Schema.Struct({
  step: Schema.Literals(["first", "second"]),
  poolToken: Token,
  tokenOut: Token,
  /** Pool tokens: planned in the first step, redeemed by it in the second. */
  amount: Schema.BigIntFromString,
  minOut: Schema.BigIntFromString,
  /** Value of the pool tokens, USD with 18 decimals. It counts towards the wallet's limits in both steps. */
  usd18: Schema.BigIntFromString,
  /** Transaction of the first step; null in its own plan. */
  initTx: Schema.NullOr(Hash),
  /** Gas units and wei that earlier transactions of the request have spent. */
  gasUsed: Schema.BigIntFromString,
  gasCost: Schema.BigIntFromString,
  /** The assets that the second step can pay, with their prices in USD, 18 decimals; empty in the first step. */
  assets: Schema.Array(Schema.Struct({ token: Token, price: Schema.BigIntFromString }))
})
export type RedemptionStep = typeof RedemptionStep.Type

/** The slippage and the venue of a redemption. */
export type Terms = Pick<TradeRequest, "platform" | "slippage">

/** Returns true for a request that sells a pool token and does not name another venue. */
export const applies = ({ chain }: Pick<VaultContext, "chain">, { platform }: Terms, tokenIn: Token): boolean =>
  EasySwapper.poolTokenAt(chain.book, tokenIn.address) !== undefined &&
  (platform === "auto" || platform === "best" || platform === "toros")

const refuse = (market: PairState.Market, detail: string) =>
  explain({
    _tag: "NamedVenueCannotSwap",
    venue: "toros",
    from: market.tokenIn.symbol,
    to: market.tokenOut.symbol,
    detail,
    allowed: market.guarded.has("toros"),
    alternatives: []
  })

const noSwapper = (network: string) => explain({ _tag: "VenueNotAllowed", venue: "toros", network, alternatives: [] })

/** An asset of a withdrawal with its price, USD per whole token with 18 decimals. */
interface Unrolled {
  readonly token: Token
  readonly balance: bigint
  readonly price: bigint
  /** The vault may hold it. */
  readonly enabled: boolean
}

/** Reads tokens, prices and permissions of a withdrawal's assets. Fails when one is not a token or has no price. */
const appraise = (
  { chain, facts, network }: VaultContext,
  market: PairState.Market,
  tracked: ReadonlyArray<{ readonly token: string; readonly balance: bigint }>
) =>
  Effect.gen(function*() {
    const held = tracked.filter(({ balance }) => balance > 0n)
    const addresses = held.map(({ token }) => Contract.lower(token))
    const tokens = yield* (yield* Tokens).at(network, addresses)
    const [prices, enabled] = yield* Effect.mapError(
      readGroups(chain, [
        addresses.map((asset) => Contract.read(factoryAbi, chain.book.platformFactory, "getAssetPrice", [asset])),
        addresses.map((asset) => Contract.read(managerLogicAbi, facts.managerLogic, "isSupportedAsset", [asset]))
      ]),
      unavailable
    )
    return yield* Effect.forEach(held, ({ balance }, index) => {
      const token = tokens[index]
      const price = Result.getOrElse(prices[index]!, () => 0n)
      return token === undefined || price === 0n
        ? Effect.fail(
          refuse(market, `the vault's oracle has no price for ${addresses[index] ?? ""}, which it pays out`)
        )
        : Effect.succeed<Unrolled>({
          token,
          balance,
          price,
          enabled: Result.getOrElse(enabled[index]!, () => false)
        })
    })
  })

const valueOf = (assets: ReadonlyArray<Pick<Unrolled, "balance" | "price" | "token">>): bigint =>
  assets.reduce((sum, { balance, price, token }) => sum + balance * price / 10n ** BigInt(token.decimals), 0n)

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
    if (missing !== undefined) return yield* PairState.notEnabled(missing.token)
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

/** The decision for a step, without the action's own details. */
type StepDecision = Omit<Action.Decision<RedemptionStep>, "vaults" | "direct">

/**
 * Plans the first step for an amount of pool tokens. Waits for the end of their cooldown, and for a withdrawal of the
 * vault that is in progress.
 */
export const planFirst = (context: VaultContext, terms: Terms, market: PairState.Market, amount: bigint) =>
  Effect.gen(function*() {
    const { chain, facts, network, pool } = context
    const { tokenIn, tokenOut } = market
    const easySwapper = chain.book.easySwapper?.address
    if (easySwapper === undefined || !market.guarded.has("toros")) return yield* noSwapper(network)
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
    const tolerance = EasySwapper.toleranceOf(terms.slippage)
    if (tolerance === 0) {
      return yield* refuse(market, "a redemption needs a slippage of at least 0.01 %")
    }
    const [assets] = yield* Effect.mapError(
      chain.readAll([
        Contract.read(managerLogicAbi, Contract.lower(logic.success), "getSupportedAssets", [])
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
      assets: []
    }
    return {
      calls,
      worth: usd18,
      details,
      nothingToDo: "",
      ...(estimate === undefined ? {} : { estimate })
    } satisfies StepDecision
  })

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
    if (missing !== undefined) return yield* PairState.notEnabled(missing.token)
    const calls: ReadonlyArray<VaultCall> = [{ to: easySwapper, data: EasySwapper.claim }]
    const estimate = yield* Simulation.estimate(context, calls, (data) => explain(meaningOf(reasonOf(data))))
    const own = assets.reduce(
      (sum, { balance, token }) => token.address === market.tokenOut.address ? sum + balance : sum,
      0n
    )
    return { calls, estimate, minOut: own }
  })

/**
 * Plans the second step, after the first one was mined or after an earlier second step was not executed. Everything is
 * paid as the bought asset where that is possible, and otherwise as it is. Waits while no endpoint shows the
 * withdrawal: the first step is never repeated.
 */
export const planSecond = (context: VaultContext, terms: Terms, earlier: EarlierStep<RedemptionStep>) =>
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
    const first = details.step === "first" ? receipt : null
    const initTx = first?.transactionHash ?? details.initTx
    const assets = yield* appraise(context, market, Result.getOrElse(tracked, () => []))
    if (assets.length === 0) {
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
      ...details,
      step: "second",
      amount: first === null ? details.amount : movedBy(first.logs, poolToken.address, pool).sent,
      minOut,
      initTx,
      gasUsed: details.gasUsed + (receipt?.gasUsed ?? 0n),
      gasCost: details.gasCost + (receipt === null ? 0n : paidFor(receipt)),
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

/** Reads from the second step's receipt what the redemption has paid. */
export const resultOf = (
  pool: VaultContext["pool"],
  { amount, assets, gasCost, gasUsed, initTx, poolToken, tokenOut, usd18 }: RedemptionStep,
  receipt: Receipt | null
) => {
  const logs = receipt?.logs ?? []
  const paid = assets.flatMap(({ price, token }) => {
    const { received } = movedBy(logs, token.address, pool)
    return received === 0n ? [] : [{ token, price, received }]
  })
  const bought = movedBy(logs, tokenOut.address, pool).received
  const known = paid.some(({ token }) => token.address === tokenOut.address) || bought === 0n
  const all = known ? paid : [...paid, { token: tokenOut, price: 0n, received: bought }]
  const received18 = all.every(({ price }) => price > 0n)
    ? all.reduce((sum, { price, received, token }) => sum + Quantity.usdValue(received, price, token.decimals), 0n)
    : null
  const sold = Quantity.of(poolToken, amount)
  const words = all.map(({ received, token }) => `${Quantity.format(received, token.decimals)} ${token.symbol}`)
  return {
    message: `Redeemed ${sold.amount} ${sold.symbol} for ${words.length === 0 ? "nothing" : words.join(" and ")}.`,
    sold: { ...sold },
    bought: { ...Quantity.of(tokenOut, bought) },
    oracle: received18 === null ? null : againstOracle(usd18, received18),
    redemption: {
      init_tx_hash: initTx,
      paid_out: all.map(({ received, token }) => ({ ...Quantity.of(token, received) }))
    },
    spentBefore: { gasUsed, gasCost }
  }
}
