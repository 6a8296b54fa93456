/** Finds the next action of a guardian on the vault's state of this moment, and its request. */
import type { Address } from "@vault-trader/core/chain/Address"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import type { Token } from "@vault-trader/core/chain/Token"
import type { Failure } from "@vault-trader/core/failure/Failure"
import {
  actionName,
  type GuardianAction,
  type GuardianMemory,
  type GuardianTerms,
  type HealthTerms,
  type LossTerms
} from "@vault-trader/core/guardian/Guardian"
import * as HealthRepair from "@vault-trader/core/guardian/HealthRepair"
import { nextClosing, type PoolPosition } from "@vault-trader/core/guardian/PositionClosing"
import type { IntentRequest } from "@vault-trader/core/intent/Intent"
import { minFloor, RepayRequest, UnlendRequest } from "@vault-trader/core/lending/Lending"
import { RemoveLiquidityRequest } from "@vault-trader/core/liquidity/Liquidity"
import { dexNames } from "@vault-trader/core/liquidity/Dex"
import { TradeRequest } from "@vault-trader/core/trading/Trading"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Dexes from "../address-book/Dex.ts"
import * as Contract from "../chain/Contract.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { erc20, Tokens } from "../chain/Tokens.ts"
import { AaveV3 } from "../lending/AaveV3.ts"
import * as Risk from "../lending/AaveV3Risk.ts"
import { lenders } from "../lending/LenderRegistry.ts"
import { factoryAbi } from "../platform/PlatformAbi.ts"
import type { VaultSource } from "../vault/VaultSource.ts"
import * as PairState from "../trading/PairState.ts"
import { noSliceText, SliceSizer } from "../trading/SliceSizer.ts"
import type { VaultContext } from "../vault/Action.ts"
import { poolTokenAt } from "../venue/EasySwapper.ts"
import * as GuardianReading from "./GuardianReading.ts"

/** `cannot`: the action is chosen, but the market does not bear it now. */
export type Next =
  | {
    readonly _tag: "action"
    readonly action: GuardianAction
    readonly request: IntentRequest
    readonly words: string
  }
  | { readonly _tag: "cannot"; readonly action: GuardianAction; readonly reason: string }
  | { readonly _tag: "none" }

/** Least value of a sale of the loss breaker, USD with 18 decimals. */
const leastUsd18 = 10n ** 18n

/** Reads the assets that the vault may hold, with balance and price. Those without a price are left out. */
const pricedTokens = ({ assets, chain, pool }: VaultContext) =>
  Effect.map(
    Effect.mapError(
      Effect.all([
        chain.readConfirmed(assets.map(({ address }) => Contract.read(erc20, address, "balanceOf", [pool]))),
        chain.readConfirmed(
          assets.map(({ address }) => Contract.read(factoryAbi, chain.book.platformFactory, "getAssetPrice", [address]))
        )
      ]),
      unavailable
    ),
    ([balances, prices]) =>
      assets.flatMap((token, index) => {
        const [held, price18] = [
          Result.getOrElse(balances[index]!, () => 0n),
          Result.getOrElse(prices[index]!, () => 0n)
        ]
        return price18 === 0n ? [] : [{ token, held, price18 }]
      })
  )

/** Reads the tokens that the vault has, without those that have no price. */
const heldTokens = (context: VaultContext) =>
  Effect.map(pricedTokens(context), (tokens) => tokens.filter(({ held }) => held > 0n))

/** Reads what the vault supplied of an asset to lenders that do not lend against it. */
const otherSupplies = (context: VaultContext, token: Token, price8: bigint) =>
  Effect.map(
    Effect.forEach(["lenderB", "lenderC"] as const, (lender) =>
      Effect.map(Effect.option(lenders[lender].find(context, token)), (found) =>
        Option.isNone(found) || found.value.supplied === 0n || found.value.closedFor.withdraw !== null
          ? []
          : [{
            ...{ lender, asset: token.address, decimals: token.decimals, price8, threshold: 0n },
            ...{ supplied: found.value.supplied, available: found.value.liquidity }
          }])),
    (found) =>
      found.flat()
  )

/** Returns the tokens that a repair may sell; pool tokens are not among them. */
const sellable = ({ chain }: VaultContext, tokens: Effect.Success<ReturnType<typeof heldTokens>>) =>
  tokens.flatMap(({ held, price18, token }) =>
    poolTokenAt(chain.book, token.address) === undefined
      ? [{ asset: token.address, decimals: token.decimals, price8: price18 / 10n ** 10n, held }]
      : []
  )

/** Reads the vault's account at lenderA; `others` reads what it supplied of an asset with debt to other lenders. */
const lentOf = (source: VaultSource, context: VaultContext, others: typeof otherSupplies) =>
  Effect.gen(function*() {
    const { account, found } = yield* GuardianReading.account(source, context.pool)
    const parts = yield* Effect.forEach(found, ({ isCollateral, owed, price, supplied, token }) =>
      Effect.gen(function*() {
        const market = Option.getOrUndefined(yield* Effect.option(AaveV3.find(context, token)))
        const priced = { asset: token.address, decimals: token.decimals, price8: price }
        const threshold = market !== undefined && isCollateral && supplied > 0n
          ? (yield* Risk.read(context.chain, market)).threshold
          : 0n
        const isPayable = market !== undefined && market.closedFor.repay === null
        const isOpen = market !== undefined && market.closedFor.withdraw === null
        return {
          debts: owed === 0n ? [] : [{ ...priced, owed, held: isPayable ? market.balance : 0n }],
          supplies: [
            ...(supplied > 0n && isOpen
              ? [{ ...priced, lender: "lenderA" as const, supplied, available: market.liquidity, threshold }]
              : []),
            ...(owed > 0n ? yield* others(context, token, price) : [])
          ]
        }
      }))
    return {
      ...{ collateral8: account.collateral, debt8: account.debt, threshold: account.threshold },
      debts: parts.flatMap(({ debts }) =>
        debts
      ),
      supplies: parts.flatMap(({ supplies }) => supplies)
    }
  })

/** Reads the vault's account as a repair sees it. */
const accountOf = (source: VaultSource, context: VaultContext) =>
  Effect.gen(function*() {
    const lent = yield* lentOf(source, context, otherSupplies)
    const account: HealthRepair.Account = { ...lent, tokens: sellable(context, yield* heldTokens(context)) }
    return account
  })

/** Reads all that a breaker closes: the account at lenderA, supplies at the other lenders, and liquidity positions. */
const positionsOf = (source: VaultSource, context: VaultContext) =>
  Effect.gen(function*() {
    const { chain } = context
    const lent = chain.book.aaveV3 === undefined
      ? { collateral8: 0n, debt8: 0n, threshold: 0n, debts: [], supplies: [] }
      : yield* lentOf(source, context, () => Effect.succeed([]))
    const priced = yield* pricedTokens(context)
    const others = yield* Effect.forEach(
      priced,
      ({ price18, token }) => otherSupplies(context, token, price18 / 10n ** 10n)
    )
    const account: HealthRepair.Account = {
      ...lent,
      supplies: [...lent.supplies, ...others.flat()],
      tokens: sellable(context, priced.filter(({ held }) => held > 0n))
    }
    const { holdings } = yield* source.reader.composition
    const positions = holdings.flatMap(({ asset, positions: found }) => {
      const dex = Dexes.byManager(chain.book, asset)?.dex
      return dex === undefined ? [] : found.filter(({ liquidity }) => liquidity !== "0").map((each): PoolPosition => ({
        ...{ dex, tokenId: BigInt(each.token_id), token0: each.token0, token1: each.token1 }
      }))
    })
    return { account, positions }
  })

/** Returns the breaker's next sale: the most valuable token that is not the asset that it closes into. */
const nextSale = (context: VaultContext, { closeInto }: LossTerms, { skipped }: GuardianMemory) =>
  Effect.map(heldTokens(context), (held): GuardianAction | undefined => {
    if (closeInto === null) return undefined
    const value = ({ held: amount, price18, token }: typeof held[number]) =>
      Quantity.usdValue(amount, price18, token.decimals)
    const sales = held.filter((each) => each.token.address !== closeInto.address && value(each) >= leastUsd18)
      .toSorted((one, other) => value(one) > value(other) ? -1 : 1)
      .map((each) => ({
        ...{ _tag: "sell" as const, asset: each.token.address, to: closeInto.address, amount: each.held, freed: false }
      }))
    return sales.find((sale) => !skipped.includes(actionName(sale)))
  })

/** Returns the breaker's next action: positions are closed before tokens are sold. */
const closing = (source: VaultSource, context: VaultContext, terms: LossTerms, memory: GuardianMemory) =>
  Effect.gen(function*() {
    if (terms.closeInto === null) return undefined
    if (terms.closePositions) {
      const { account, positions } = yield* positionsOf(source, context)
      const action = nextClosing(account, positions, terms, memory)
      if (action !== undefined) return action
    }
    return yield* nextSale(context, terms, memory)
  })

const decimal = (raw: bigint, { decimals }: Token) => BigDecimal.make(raw, decimals)
const text = (raw: bigint, token: Token) => `${Quantity.format(raw, token.decimals)} ${token.symbol}`

/** Sizes a sale so that its market bears it, and makes its request. A pool token is redeemed whole. */
const sale = (
  context: VaultContext,
  action: Extract<GuardianAction, { readonly _tag: "sell" }>,
  [token, to]: readonly [Token, Token],
  slippage: number
) =>
  Effect.gen(function*() {
    const terms = { platform: "auto" as const, slippage }
    const request = (amount: bigint): Next => ({
      _tag: "action",
      action: { ...action, amount },
      request: TradeRequest.make({ from: token.address, to: to.address, amount: decimal(amount, token), ...terms }),
      words: `sell ${text(amount, token)} for ${to.symbol}`
    })
    if (poolTokenAt(context.chain.book, token.address) !== undefined) return request(action.amount)
    const market = yield* PairState.read(context, token, to)
    const sized = yield* (yield* SliceSizer).largest(context, terms, market, action.amount, slippage)
    const cannot: Next | undefined = sized._tag === "none"
      ? { _tag: "cannot", action, reason: noSliceText(sized) }
      : undefined
    return cannot ?? request(sized._tag === "none" ? 0n : sized.amount)
  })

/** Makes the request of an action. */
const requestOf = (context: VaultContext, action: GuardianAction, slippage: number) =>
  Effect.gen(function*() {
    const tokens = yield* Tokens
    const tokenOf = (asset: Address) => tokens.resolve(context.network, asset, context.assets)
    const token = yield* tokenOf(action.asset)
    switch (action._tag) {
      case "repay": {
        const amount = action.whole ? { share: 100 } : { amount: decimal(action.amount, token) }
        const request = RepayRequest.make({ lender: "lenderA", asset: token.address, ...amount })
        return { _tag: "action", action, request, words: `repay ${text(action.amount, token)}` } satisfies Next
      }
      case "unlend":
      case "withdraw": {
        const lender = action._tag === "unlend" ? action.lender : "lenderA"
        const request = UnlendRequest.make({
          ...{ lender, asset: token.address, floor: minFloor },
          ...(action._tag === "unlend" && action.whole === true
            ? { share: 100 }
            : { amount: decimal(action.amount, token) })
        })
        const words = `withdraw ${text(action.amount, token)} from ${lender}`
        return { _tag: "action", action, request, words } satisfies Next
      }
      case "remove": {
        const { asset, dex, other, tokenId } = action
        const request = RemoveLiquidityRequest.make({
          ...{ asset1: asset, asset2: other, tokenId, dex, percent: 100, slippage, platform: "auto" }
        })
        return {
          _tag: "action",
          action,
          request,
          words: `remove position ${tokenId} of ${dexNames[dex]}`
        } satisfies Next
      }
      case "sell":
        return yield* sale(context, action, [token, yield* tokenOf(action.to)], slippage)
    }
  })

const chosen = (source: VaultSource, context: VaultContext, terms: HealthTerms | LossTerms, memory: GuardianMemory) =>
  terms._tag === "health_factor"
    ? Effect.map(accountOf(source, context), (account) => HealthRepair.nextAction(account, terms, memory))
    : closing(source, context, terms, memory)

/** Finds the guardian's next action; none for a guardian that does not act, or that has nothing left to do. */
export const find = (
  source: VaultSource,
  context: VaultContext,
  terms: GuardianTerms,
  memory: GuardianMemory
): Effect.Effect<Next, Failure, Tokens | SliceSizer> =>
  Effect.gen(function*() {
    if (terms._tag !== "health_factor" && terms._tag !== "loss_breaker") return { _tag: "none" }
    const action = yield* chosen(source, context, terms, memory)
    return action === undefined ? { _tag: "none" } : yield* requestOf(context, action, terms.slippage)
  })
