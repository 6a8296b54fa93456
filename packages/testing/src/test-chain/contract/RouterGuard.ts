/**
 * The platform's guard of SwapRouter02: allows swaps only into assets the vault holds, and only at a loss within its
 * slippage budget.
 */
import * as Result from "effect/Result"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { type Outcome, returned, revert } from "../Message.ts"
import { Reader } from "../AbiWords.ts"
import * as ChainState from "../ChainState.ts"
import * as Code from "./Code.ts"
import { priceOf } from "./Factory.ts"
import { supports } from "./ManagerLogic.ts"
import { hops } from "./Pair.ts"

const singleSelector = Code.selector("exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))")
const exactInputSelector = Code.selector("exactInput((bytes,address,uint256,uint256))")
const multicallSelector = Code.selector("multicall(uint256,bytes[])")

/** Time in which a loss is forgiven. */
const decaySeconds = 86_400n

export interface GuardedSwap {
  readonly txType: bigint
  readonly source: Address
  readonly destination: Address
  readonly recipient: Address
}

const exchange = 2n
const multicall = 25n

const swapOf = (data: Hex): GuardedSwap | undefined => {
  const args = new Reader(data.slice(10))
  const method = data.slice(2, 10)
  if (method === singleSelector && args.length >= 7) {
    return { txType: exchange, source: args.address(0), destination: args.address(1), recipient: args.address(3) }
  }
  if (method !== exactInputSelector) return undefined
  const params = args.at(0)
  const path = params?.bytes(0)
  const route = path === undefined ? undefined : hops(path)
  const [first, last] = [route?.[0], route?.at(-1)]
  if (params === undefined || first === undefined || last === undefined) return undefined
  return { txType: exchange, source: first.tokenIn, destination: last.tokenOut, recipient: params.address(1) }
}

/** Returns the swap a call makes, `undefined` for none, or the guard's objection. */
export const check = (self: ChainState.ManagerLogic, data: Hex): Result.Result<GuardedSwap | undefined, string> => {
  const swap = decode(data)
  if (Result.isFailure(swap) || swap.success === undefined) return swap
  if (!supports(self, swap.success.destination)) return Result.fail("unsupported destination asset")
  return swap.success.recipient === self.vault ? swap : Result.fail("recipient is not pool")
}

const decode = (data: Hex): Result.Result<GuardedSwap | undefined, string> => {
  if (data.slice(2, 10) !== multicallSelector) return Result.succeed(swapOf(data))
  const calls = new Reader(data.slice(10)).bytesItems(1)
  const [only] = calls ?? []
  if (calls?.length !== 1 || only === undefined) return Result.fail("invalid multicall")
  const swap = swapOf(only)
  return swap === undefined ? Result.fail("invalid transaction") : Result.succeed({ ...swap, txType: multicall })
}

const valueOf = (world: ChainState.World, asset: Address, amount: bigint, timestamp: bigint) =>
  Result.map(priceOf(world, asset, timestamp), (price) => {
    const token = ChainState.contractAt(world, asset)
    return price * amount / 10n ** BigInt(token?._tag === "Token" ? token.decimals : 18)
  })

/** Charges a swap's loss, at oracle prices, to the vault's budget. */
export const charge = (
  before: ChainState.World,
  after: ChainState.World,
  self: ChainState.ManagerLogic,
  logic: Address,
  swap: GuardedSwap,
  timestamp: bigint
): Outcome => {
  if (!supports(self, swap.source)) return returned(after)
  const held = (world: ChainState.World, asset: Address) =>
    ChainState.slot(world, ChainState.balance(asset, self.vault))
  const sold = held(before, swap.source) - held(after, swap.source)
  if (sold <= 0n) return revert("0 src amount")
  const values = Result.all([
    valueOf(after, swap.source, sold, timestamp),
    valueOf(after, swap.destination, held(after, swap.destination) - held(before, swap.destination), timestamp)
  ])
  if (Result.isFailure(values)) return revert(values.failure)
  const [soldValue, boughtValue] = values.success
  const lost = boughtValue >= soldValue ? 0n : (soldValue - boughtValue) * 1_000_000n / soldValue
  if (lost === 0n) return returned(after)
  const [amountKey, timeKey] = [`slippage/${logic}/parts`, `slippage/${logic}/time`]
  const elapsed = timestamp - ChainState.slot(after, timeKey)
  const earlier = elapsed >= decaySeconds
    ? 0n
    : ChainState.slot(after, amountKey) * (decaySeconds - elapsed) / decaySeconds
  if (earlier + lost >= after.platform.slippageBudget) return revert("slippage impact exceeded")
  return returned(
    ChainState.withSlot(ChainState.withSlot(after, amountKey, earlier + lost), timeKey, timestamp),
    "0x",
    { gas: 15_000n }
  )
}
