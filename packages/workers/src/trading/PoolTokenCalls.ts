/**
 * The signer's reading of EasySwapperV2's calls: what they move, and whether they are those of the request that they
 * are made for.
 */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { EasySwapperBook, NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { BotTradeRequest } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { TradeRequest } from "@vault-trader/core/trading/Trading"
import type * as BigDecimal from "effect/BigDecimal"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { names } from "../address-book/TokenName.ts"
import * as Calldata from "../chain/Calldata.ts"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import type { MovementDecoder } from "../platform/AssetMovement.ts"
import type { VaultCall } from "../platform/VaultCall.ts"
import * as EasySwapper from "../venue/EasySwapper.ts"
import { Odos } from "../venue/Odos.ts"

const readCall = ({ book }: Pick<ChainClient, "book">, { data, to }: VaultCall) =>
  book.easySwapper !== undefined && to === book.easySwapper.address
    ? Calldata.read(EasySwapper.easySwapperAbi, data)
    : undefined

/** Decodes the steps of a redemption. The first one gives pool tokens; the vault receives the proceeds as the caller. */
export const redemption: MovementDecoder = (chain, call) => {
  const read = readCall(chain, call)
  if (read?.functionName === "initWithdrawal") {
    const [token, amount] = read.args
    return { gives: [{ token: Contract.lower(token), amount }], receiver: null }
  }
  return read?.functionName === "completeWithdrawal" ? { gives: [], receiver: null } : undefined
}

/** The terms of a request that its calls are compared with. */
interface Terms {
  readonly sells: (token: Address) => boolean
  readonly buys: (token: Address) => boolean
  /** The amount that the request states, in human units of the sold asset. */
  readonly amount: BigDecimal.BigDecimal | undefined
  /** Percent. */
  readonly slippage: number
}

const decodeTrade = Schema.decodeUnknownOption(TradeRequest)
const decodeTurn = Schema.decodeUnknownOption(BotTradeRequest)

const termsOf = (book: NetworkBook, request: unknown): Terms | undefined => {
  const trade = Option.getOrUndefined(decodeTrade(request))
  if (trade !== undefined) {
    return {
      sells: (token) => names(book, trade.from, token),
      buys: (token) => names(book, trade.to, token),
      amount: trade.share === undefined ? trade.amount : undefined,
      slippage: trade.slippage
    }
  }
  const turn = Option.getOrUndefined(decodeTurn(request))
  if (turn === undefined || turn.paper !== null) return undefined
  const isLeg = (token: Address) => token === turn.base || token === turn.quote || token === turn.inverse
  return { sells: isLeg, buys: isLeg, amount: undefined, slippage: turn.slippage }
}

/** Returns the smallest units of the stated amount; `undefined` when there is none. */
const limitOf = (book: NetworkBook, { amount }: Terms, token: Address): bigint | undefined => {
  if (amount === undefined) return undefined
  const decimals = EasySwapper.poolTokenAt(book, token) === undefined
    ? book.tokens.find(({ address }) => address === token)?.decimals
    : 18
  return decimals === undefined ? 0n : Quantity.toRaw(amount, decimals)
}

const refusalOfDeposit = (
  book: NetworkBook,
  terms: Terms,
  [vaultToken, depositToken, amount, minReceived]: readonly [string, string, bigint, bigint]
) => {
  const [bought, sold] = [Contract.lower(vaultToken), Contract.lower(depositToken)]
  if (EasySwapper.poolTokenAt(book, bought) === undefined) return `${bought} is no pool token of the address book`
  if (!terms.buys(bought)) return `the request does not buy ${bought}`
  if (!terms.sells(sold)) return `the request does not sell ${sold}`
  if (minReceived === 0n) return "the purchase has no minimum"
  return amount > (limitOf(book, terms, sold) ?? amount) ? "the purchase pays more than the request states" : undefined
}

const refusalOfInit = (
  book: NetworkBook,
  terms: Terms,
  [vaultToken, amount, assets]: readonly [
    string,
    bigint,
    ReadonlyArray<{ readonly withdrawData: string; readonly slippageTolerance: bigint }>
  ]
) => {
  const sold = Contract.lower(vaultToken)
  if (EasySwapper.poolTokenAt(book, sold) === undefined) return `${sold} is no pool token of the address book`
  if (!terms.sells(sold)) return `the request does not sell ${sold}`
  if (amount > (limitOf(book, terms, sold) ?? amount)) return "the redemption takes more than the request states"
  const tolerance = BigInt(EasySwapper.toleranceOf(terms.slippage))
  return assets.some(({ slippageTolerance, withdrawData }) => slippageTolerance > tolerance || withdrawData !== "0x")
    ? "the redemption is not one of this service, or tolerates more slippage than the request"
    : undefined
}

type SwapData = {
  readonly srcData: ReadonlyArray<{
    readonly token: string
    readonly amount: bigint
    readonly aggregatorData: { readonly routerKey: Hex; readonly swapData: Hex }
  }>
  readonly destData: { readonly destToken: string; readonly minDestAmount: bigint }
}

const refusalOfComplete = (
  { odosKey }: EasySwapperBook,
  terms: Terms,
  args: readonly [] | readonly [SwapData, bigint] | undefined
) => {
  // The claim pays the vault, as the caller, what is there. viem decodes no arguments as undefined.
  if (args === undefined || args.length === 0) return undefined
  const [{ destData, srcData }, minReceived] = args
  const dest = Contract.lower(destData.destToken)
  if (!terms.buys(dest)) return `the request does not buy ${dest}`
  if (minReceived === 0n || destData.minDestAmount === 0n) return "the withdrawal has no minimum"
  const isSwap = ({ aggregatorData, amount, token }: SwapData["srcData"][number]) => {
    const swap = Odos.decode(aggregatorData.swapData)
    return odosKey !== undefined && aggregatorData.routerKey === EasySwapper.keyOf(odosKey) && swap !== undefined &&
      swap.tokenIn === Contract.lower(token) && swap.amountIn <= amount && swap.tokenOut === dest
  }
  return srcData.every(isSwap) ? undefined : "the withdrawal swaps otherwise than into the bought asset"
}

/**
 * Compares a call of EasySwapperV2 with the request that it is made for; returns the difference. `undefined` also for
 * calls of other contracts. `request`: as the ledger stores it.
 */
export const refuses = (chain: Pick<ChainClient, "book">, call: VaultCall, request: unknown): string | undefined => {
  const { book } = chain
  if (book.easySwapper === undefined || call.to !== book.easySwapper.address) return undefined
  const read = readCall(chain, call)
  const terms = termsOf(book, request)
  if (terms === undefined) return "its request is no trade"
  switch (read?.functionName) {
    case "depositWithCustomCooldown":
      return refusalOfDeposit(book, terms, read.args)
    case "initWithdrawal":
      return refusalOfInit(book, terms, read.args)
    case "completeWithdrawal":
      return refusalOfComplete(book.easySwapper, terms, read.args)
    default:
      return "it calls another function of EasySwapperV2"
  }
}
