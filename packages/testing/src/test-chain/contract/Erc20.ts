/** Plain tokens, with OpenZeppelin's errors and events. */
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import { maxUint256, toEventSelector, zeroAddress } from "viem"
import type { Address } from "@vault-trader/core/chain/Address"
import { type Log, type Outcome, returned, revertData } from "../Message.ts"
import * as AbiWords from "../AbiWords.ts"
import * as ChainState from "../ChainState.ts"
import * as Code from "./Code.ts"

const transferTopic = toEventSelector("Transfer(address,address,uint256)")
const approvalTopic = toEventSelector("Approval(address,address,uint256)")

const insufficientBalance = Code.selector("ERC20InsufficientBalance(address,uint256,uint256)")
const insufficientAllowance = Code.selector("ERC20InsufficientAllowance(address,uint256,uint256)")
const invalidReceiver = Code.selector("ERC20InvalidReceiver(address)")
const invalidSpender = Code.selector("ERC20InvalidSpender(address)")

const transferGas = 30_000n
const approveGas = 26_000n

const event = (token: Address, topic: Log["topics"][number], from: Address, to: Address, amount: bigint): Log => ({
  address: token,
  topics: [topic, AbiWords.hex(AbiWords.address(from)), AbiWords.hex(AbiWords.address(to))],
  data: AbiWords.hex(AbiWords.uint(amount))
})

const encodedTrue = AbiWords.hex(AbiWords.bool(true))

const transfer = (world: ChainState.World, token: Address, from: Address, to: Address, amount: bigint): Outcome => {
  if (to === zeroAddress) return revertData(AbiWords.hex(invalidReceiver, AbiWords.address(to)))
  const moved = ChainState.move(world, ChainState.balance(token, from), ChainState.balance(token, to), amount)
  if (moved === undefined) {
    const held = ChainState.slot(world, ChainState.balance(token, from))
    return revertData(
      AbiWords.hex(insufficientBalance, AbiWords.address(from), AbiWords.uint(held), AbiWords.uint(amount))
    )
  }
  return returned(moved, encodedTrue, { gas: transferGas, logs: [event(token, transferTopic, from, to, amount)] })
}

export const run = Code.make<ChainState.Token>([
  [
    "symbol()",
    0,
    ({ self, world }) =>
      returned(world, AbiWords.hex(AbiWords.uint(32), AbiWords.bytes(AbiWords.textToHex(self.symbol))))
  ],
  ["latestRoundData()", 0, ({ env, message, world }) => {
    const info = Option.getOrUndefined(HashMap.get(world.platform.assets, message.to))
    const words = [1n, (info?.price ?? 0n) / 10n ** 10n, 0n, info?.updatedAt ?? env.timestamp, 1n]
    return returned(world, AbiWords.hex(...words.map(AbiWords.uint)))
  }],
  ["decimals()", 0, ({ self, world }) => returned(world, AbiWords.hex(AbiWords.uint(self.decimals)))],
  [
    "balanceOf(address)",
    1,
    ({ args, message, world }) =>
      returned(
        world,
        AbiWords.hex(AbiWords.uint(ChainState.slot(world, ChainState.balance(message.to, args.address(0)))))
      )
  ],
  [
    "allowance(address,address)",
    2,
    ({ args, message, world }) =>
      returned(
        world,
        AbiWords.hex(
          AbiWords.uint(ChainState.slot(world, ChainState.allowance(message.to, args.address(0), args.address(1))))
        )
      )
  ],
  ["approve(address,uint256)", 2, ({ args, message, world }) => {
    const [spender, amount] = [args.address(0), args.uint(1)]
    if (spender === zeroAddress) return revertData(AbiWords.hex(invalidSpender, AbiWords.address(spender)))
    const approved = ChainState.withSlot(world, ChainState.allowance(message.to, message.from, spender), amount)
    return returned(approved, encodedTrue, {
      gas: approveGas,
      logs: [event(message.to, approvalTopic, message.from, spender, amount)]
    })
  }],
  [
    "transfer(address,uint256)",
    2,
    ({ args, message, world }) => transfer(world, message.to, message.from, args.address(0), args.uint(1))
  ],
  ["transferFrom(address,address,uint256)", 3, ({ args, message, world }) => {
    const [from, to, amount] = [args.address(0), args.address(1), args.uint(2)]
    const key = ChainState.allowance(message.to, from, message.from)
    const allowed = ChainState.slot(world, key)
    if (allowed < amount) {
      return revertData(
        AbiWords.hex(
          insufficientAllowance,
          AbiWords.address(message.from),
          AbiWords.uint(allowed),
          AbiWords.uint(amount)
        )
      )
    }
    // An unlimited allowance stays unlimited.
    const left = allowed === maxUint256 ? world : ChainState.withSlot(world, key, allowed - amount)
    return transfer(left, message.to, from, to, amount)
  }]
])
