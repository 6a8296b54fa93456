/** Plain tokens, with OpenZeppelin's errors and events. */
import { maxUint256, toEventSelector, zeroAddress } from "viem"
import type { Address } from "@vault-trader/core/chain/Address"
import { type Log, type Outcome, returned, revertData } from "../Message.ts"
import * as Words from "../Words.ts"
import * as World from "../World.ts"
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
  topics: [topic, Words.hex(Words.address(from)), Words.hex(Words.address(to))],
  data: Words.hex(Words.uint(amount))
})

const yes = Words.hex(Words.bool(true))

const transfer = (world: World.World, token: Address, from: Address, to: Address, amount: bigint): Outcome => {
  if (to === zeroAddress) return revertData(Words.hex(invalidReceiver, Words.address(to)))
  const moved = World.move(world, World.balance(token, from), World.balance(token, to), amount)
  if (moved === undefined) {
    const held = World.slot(world, World.balance(token, from))
    return revertData(Words.hex(insufficientBalance, Words.address(from), Words.uint(held), Words.uint(amount)))
  }
  return returned(moved, yes, { gas: transferGas, logs: [event(token, transferTopic, from, to, amount)] })
}

export const run = Code.make<World.Token>([
  ["symbol()", 0, ({ self, world }) => returned(world, Words.hex(Words.uint(32), Words.bytes(Words.textToHex(self.symbol))))],
  ["decimals()", 0, ({ self, world }) => returned(world, Words.hex(Words.uint(self.decimals)))],
  ["balanceOf(address)", 1, ({ args, message, world }) =>
    returned(world, Words.hex(Words.uint(World.slot(world, World.balance(message.to, args.address(0))))))],
  ["allowance(address,address)", 2, ({ args, message, world }) =>
    returned(world, Words.hex(Words.uint(World.slot(world, World.allowance(message.to, args.address(0), args.address(1))))))],
  ["approve(address,uint256)", 2, ({ args, message, world }) => {
    const [spender, amount] = [args.address(0), args.uint(1)]
    if (spender === zeroAddress) return revertData(Words.hex(invalidSpender, Words.address(spender)))
    const approved = World.withSlot(world, World.allowance(message.to, message.from, spender), amount)
    return returned(approved, yes, { gas: approveGas, logs: [event(message.to, approvalTopic, message.from, spender, amount)] })
  }],
  ["transfer(address,uint256)", 2, ({ args, message, world }) =>
    transfer(world, message.to, message.from, args.address(0), args.uint(1))],
  ["transferFrom(address,address,uint256)", 3, ({ args, message, world }) => {
    const [from, to, amount] = [args.address(0), args.address(1), args.uint(2)]
    const key = World.allowance(message.to, from, message.from)
    const allowed = World.slot(world, key)
    if (allowed < amount) {
      return revertData(Words.hex(insufficientAllowance, Words.address(message.from), Words.uint(allowed), Words.uint(amount)))
    }
    // An unlimited allowance stays unlimited.
    const left = allowed === maxUint256 ? world : World.withSlot(world, key, allowed - amount)
    return transfer(left, message.to, from, to, amount)
  }]
])
