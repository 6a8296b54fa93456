/** The steps of venues, lenders, liquidity, short tokens and perpetual contracts, by the network's capabilities. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Token } from "@vault-trader/core/chain/Token"
import type { Failure } from "@vault-trader/core/failure/Failure"
import { Dex } from "@vault-trader/core/liquidity/Dex"
import { LenderName } from "@vault-trader/core/lending/Lending"
import type { IntentRequest } from "@vault-trader/core/intent/Intent"
import type { Capabilities } from "@vault-trader/core/network/Capabilities"
import { BotTradeRequest } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { defaultSlippage } from "@vault-trader/core/trading/Trading"
import { names as venueNames } from "@vault-trader/core/venue/VenueName"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Contract from "../chain/Contract.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { Tokens } from "../chain/Tokens.ts"
import { cometAbi } from "../lending/CompoundV3.ts"
import { fTokenAbi } from "../lending/Fluid.ts"
import type { Actions } from "../vault/Action.ts"
import { type Attempt, known } from "./Attempt.ts"
import * as RehearsedPlan from "./RehearsedPlan.ts"
import { failed, isOutage, type Step, step, type Title } from "./Step.ts"
import * as StepText from "./StepText.ts"
import { amountOf, type Held, type Subject } from "./Subject.ts"

/** Slippage of the steps that swap as a part of something else, percent: that of bots. */
const wideSlippage = 1

const planOf = ({ details, gas, gas_cost, gas_cost_wei }: RehearsedPlan.RehearsedPlan) => ({
  ...{ details, gas, gas_cost, gas_cost_wei }
})

/** Makes a step of a request: it works when its plan is made and its simulation succeeds. */
export const planned = <R>(
  title: Title,
  plan: Effect.Effect<RehearsedPlan.RehearsedPlan, Failure, R>,
  text: (made: RehearsedPlan.RehearsedPlan) => string
): Attempt<R> => ({
  ...title,
  run: Effect.map(plan, (made) => step(title, "works", text(made), planOf(made)))
})

const notOffered = (title: Title, network: string) =>
  known(step(title, "not_offered", `The vault platform does not allow it on ${network}`))

const notEnabled = (title: Title, { traderChangesAssets }: RehearsedPlan.Sender, missing: string) =>
  known(
    step(
      title,
      "not_enabled",
      `The vault has not enabled ${missing}. Its manager can do so` +
        (traderChangesAssets ? ", and so can its trader with enableAsset" : "")
    )
  )

/** Returns the pool token to buy: one that the vault has enabled together with the contract that redeems it. */
const poolTokenFor = ({ leveraged }: Capabilities) =>
  leveraged.find(({ allowed, enabled, redeemed_by: redeemer }) =>
    allowed && enabled !== false && redeemer.allowed && redeemer.enabled !== false
  )

export const venueAttempts = (
  sender: RehearsedPlan.Sender,
  capabilities: Capabilities,
  { bought, sold, usd }: Subject
) =>
  capabilities.venues.flatMap(({ allowed, platform, router }) => {
    const title: Title = { area: "venue", name: `trade by ${platform}` }
    const venue = venueNames.find((name) => name === platform)
    if (venue === undefined) return []
    if (!allowed) return [notOffered(title, capabilities.network)]
    const poolToken = poolTokenFor(capabilities)
    if (venue === "toros" && poolToken === undefined) {
      const symbols = capabilities.leveraged.map(({ symbol }) => symbol).join(", ")
      return [notEnabled(title, sender, `any of ${symbols} together with ${router}, which redeems them`)]
    }
    const request: IntentRequest = {
      _tag: "Trade",
      from: sold.token.address,
      to: venue === "toros" && poolToken !== undefined ? poolToken.token : bought.address,
      amount: amountOf(sold, usd),
      slippage: defaultSlippage,
      platform: venue
    }
    return [planned(title, RehearsedPlan.of(sender, request), StepText.trade)]
  })

/** Reads the asset of a market that has one; undefined for lenderA, and where the market does not name it. */
const assetOf = ({ chain }: RehearsedPlan.Sender, lender: string, market: Address) =>
  lender === "lenderA"
    ? Effect.succeed(undefined)
    : Effect.map(
      Effect.mapError(
        chain.readAll([
          lender === "lenderB"
            ? Contract.read(cometAbi, market, "baseToken", [])
            : Contract.read(fTokenAbi, market, "asset", [])
        ]),
        unavailable
      ),
      ([answer]) => Result.isSuccess(answer) ? Contract.lower(answer.success) : undefined
    )

/** Supplies one asset after the other until a plan is made; the first failure otherwise. */
const firstSupply = (
  sender: RehearsedPlan.Sender,
  title: Title,
  lender: LenderName,
  market: Address,
  assets: ReadonlyArray<{ readonly asset: Address; readonly amount: BigDecimal.BigDecimal | undefined }>
) =>
  Effect.gen(function*() {
    let first: Step | undefined
    for (const { amount, asset } of assets) {
      const size = amount === undefined ? { share: 100 } : { amount }
      const made = yield* Effect.result(RehearsedPlan.of(sender, { _tag: "Lend", lender, asset, ...size }))
      if (Result.isFailure(made)) {
        if (isOutage(made.failure)) return yield* made.failure
        first ??= failed(title, made.failure)
        continue
      }
      const { details } = made.success
      if (details["market"] === market) {
        return step(title, "works", StepText.lend(made.success), planOf(made.success))
      }
      first ??= step(
        title,
        "fails",
        `Lending this asset to ${lender} goes to its market ${String(details["market"])} instead`
      )
    }
    return first ?? step(title, "fails", "The market does not name its asset. Check its address in the configuration.")
  })

const isLender = Schema.is(LenderName)
const isDex = Schema.is(Dex)

export const lenderAttempts = (
  sender: RehearsedPlan.Sender,
  { lenders, network }: Capabilities,
  { held, usd }: Pick<Subject, "held" | "usd">
) =>
  lenders.flatMap(({ allowed, enabled, lender, market }) => {
    const title: Title = { area: "lender", name: `lend to ${lender} (${market})` }
    if (!isLender(lender)) return []
    if (!allowed) return [notOffered(title, network)]
    if (enabled === false) return [notEnabled(title, sender, "this market")]
    const offer = (each: Held) => ({ asset: each.token.address, amount: amountOf(each, usd) })
    return [{
      ...title,
      run: Effect.flatMap(assetOf(sender, lender, market), (asset) => {
        const own = held.find(({ token }) => token.address === asset)
        return firstSupply(
          sender,
          title,
          lender,
          market,
          lender === "lenderA" ? held.map(offer) : asset === undefined
            ? []
            : [own === undefined ? { asset, amount: undefined } : offer(own)]
        )
      })
    }]
  })

export const liquidityAttempts = (
  sender: RehearsedPlan.Sender,
  { liquidity, network }: Capabilities,
  { bought, sold, usd }: Subject
) =>
  liquidity.flatMap(({ allowed, enabled, position_manager: manager, protocol }) => {
    const title: Title = { area: "liquidity", name: `add liquidity by ${protocol}` }
    if (!isDex(protocol)) return []
    if (!allowed) return [notOffered(title, network)]
    if (enabled === false) return [notEnabled(title, sender, `its position manager (${manager})`)]
    const request: IntentRequest = {
      _tag: "AddLiquidity",
      asset1: sold.token.address,
      asset2: bought.address,
      inputAsset: sold.token.address,
      amount: amountOf(sold, usd),
      slippage: wideSlippage,
      platform: "auto",
      dex: protocol
    }
    return [planned(title, RehearsedPlan.of(sender, request), StepText.liquidity)]
  })

/** Builds the request of a threshold bot's first turn. */
export const turnOf = (
  base: Token,
  quote: Token,
  inverse: Address | null,
  side: "long" | "short",
  usd: number
): BotTradeRequest =>
  BotTradeRequest.make({
    botId: "rehearsal",
    pair: `${base.symbol}-${quote.symbol}`,
    base: base.address,
    quote: quote.address,
    inverse,
    side,
    threshold: 1,
    share: 100,
    maxUsd: BigDecimal.fromNumberUnsafe(usd),
    slippage: wideSlippage,
    platform: "auto",
    lending: false,
    paper: null
  })

export const shortAttempts = (
  sender: RehearsedPlan.Sender,
  { network, shorts }: Capabilities,
  { bought, sold, usd }: Subject
): ReadonlyArray<Attempt<Actions | Tokens>> =>
  shorts.map(({ allowed, asset, enabled, redeemed_by: redeemer, token }) => {
    const title: Title = { area: "short", name: `a bot's side=short of ${asset}` }
    if (!allowed) return notOffered(title, network)
    if (enabled === false || redeemer?.enabled === false) {
      const missing = [
        ...(enabled === false ? [token] : []),
        ...(redeemer?.enabled === false ? [`${redeemer.contract}, which redeems it`] : [])
      ]
      return notEnabled(title, sender, missing.join(" and "))
    }
    const plan = Effect.gen(function*() {
      const base = yield* (yield* Tokens).resolve(network, asset, [bought, sold.token])
      const quote = base.address === sold.token.address ? bought : sold.token
      return yield* RehearsedPlan.of(sender, turnOf(base, quote, token, "short", usd))
    })
    return planned(title, plan, StepText.turn)
  })

export const perpetualAttempts = (
  sender: RehearsedPlan.Sender,
  { network, perpetuals }: Capabilities,
  { held, usd }: Pick<Subject, "held" | "usd">
) => {
  if (perpetuals === null) return []
  const title: Title = { area: "perpetuals", name: "deposit to HyperCore" }
  if (!perpetuals.allowed) return [notOffered(title, network)]
  const usdc = sender.chain.book.perpetuals?.usdc
  const own = held.find(({ token }) => token.address === usdc)
  const request: IntentRequest = {
    _tag: "DepositToPerpetuals",
    ...(own === undefined ? { share: 100 } : { amount: amountOf(own, usd) })
  }
  return [planned(title, RehearsedPlan.of(sender, request), StepText.deposit)]
}
