/** SwapRouter02: exact-input swaps, alone or in a multicall with a deadline. */
import type { Address } from "@vault-trader/core/chain/Address"
import { inTurn, type Outcome, returned, revert, silentRevert, andThen } from "../Message.ts"
import * as AbiWords from "../AbiWords.ts"
import { balance, type Pair, slot, type Stateless, type World, withPair } from "../ChainState.ts"
import * as Code from "./Code.ts"
import { type Hop, hops, pairFor, swap, swapLog } from "./Pair.ts"

const transferFrom = Code.selector("transferFrom(address,address,uint256)")
const transfer = Code.selector("transfer(address,uint256)")
const swapGas = 70_000n

type CallContext = Code.CallContext<Stateless>

/** Resolves recipients that the router knows by number. */
const resolveRecipient = ({ message }: CallContext, recipient: Address): Address =>
  BigInt(recipient) === 1n ? message.from : BigInt(recipient) === 2n ? message.to : recipient

/** Transfers the output from the pool, which always holds what it owes. */
const payOut = ({ env }: CallContext, world: World, pair: Pair, token: Address, to: Address, amount: bigint): Outcome =>
  env.call(env, world, {
    from: pair.address,
    to: token,
    data: AbiWords.hex(transfer, AbiWords.address(to), AbiWords.uint(amount)),
    value: 0n
  })

const payIn = (
  { env, message }: CallContext,
  world: World,
  payer: Address,
  pair: Pair,
  token: Address,
  amount: bigint
): Outcome => {
  const own = payer === message.to
  const to = [AbiWords.address(pair.address), AbiWords.uint(amount)]
  const data = own ? AbiWords.hex(transfer, ...to) : AbiWords.hex(transferFrom, AbiWords.address(payer), ...to)
  const paid = env.call(env, world, { from: message.to, to: token, data, value: 0n })
  return paid._tag === "Reverted" ? revert(own ? "ST" : "STF") : paid
}

const swapHop = (
  scene: CallContext,
  world: World,
  hop: Hop,
  amountIn: bigint,
  payer: Address,
  recipient: Address
): Outcome => {
  const pair = pairFor(world, hop)
  if (pair === undefined) return silentRevert
  if (amountIn === 0n) return revert("AS")
  const swapped = swap(pair, hop.tokenIn, amountIn)
  const amounts = hop.tokenIn === pair.token0
    ? [amountIn, -swapped.amountOut] as const
    : [-swapped.amountOut, amountIn] as const
  // In the pool's order: output, then input, then its event.
  return andThen(
    payOut(scene, withPair(world, swapped.pair), pair, hop.tokenOut, recipient, swapped.amountOut),
    (out) =>
      andThen(
        payIn(scene, out.world, payer, pair, hop.tokenIn, amountIn),
        (paid) =>
          returned(paid.world, AbiWords.hex(AbiWords.uint(swapped.amountOut)), {
            gas: swapGas,
            logs: [swapLog(swapped.pair, scene.message.to, recipient, ...amounts)]
          })
      )
  )
}

const outputOf = (output: string) => BigInt(output)

const swapAlong = (
  scene: CallContext,
  route: ReadonlyArray<Hop>,
  amount: bigint,
  recipient: Address,
  minOut: bigint
): Outcome => {
  const [first] = route
  if (first === undefined) return silentRevert
  // Amount zero means the router's whole balance, which the router then pays itself.
  const own = amount === 0n
  const router = scene.message.to
  const start = returned(
    scene.world,
    AbiWords.hex(AbiWords.uint(own ? slot(scene.world, balance(first.tokenIn, router)) : amount))
  )
  const end = route.reduce<Outcome>((before, hop, index) => {
    const last = index === route.length - 1
    const payer = index === 0 && !own ? scene.message.from : router
    return andThen(
      before,
      (done) =>
        swapHop(
          scene,
          done.world,
          hop,
          outputOf(done.output),
          payer,
          last ? resolveRecipient(scene, recipient) : router
        )
    )
  }, start)
  return andThen(
    end,
    (done) => outputOf(done.output) < minOut ? revert("Too little received") : returned(done.world, done.output)
  )
}

const exactInputSingle = [
  "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))",
  7,
  (scene: CallContext) => {
    const { args } = scene
    const hop = { tokenIn: args.address(0), tokenOut: args.address(1), fee: Number(args.uint(2)) }
    return swapAlong(scene, [hop], args.uint(4), args.address(3), args.uint(5))
  }
] as const

const exactInput = ["exactInput((bytes,address,uint256,uint256))", 5, (scene: CallContext) => {
  const params = scene.args.at(0)
  const path = params?.bytes(0)
  const route = path === undefined ? undefined : hops(path)
  if (params === undefined || route === undefined) return silentRevert
  return swapAlong(scene, route, params.uint(2), params.address(1), params.uint(3))
}] as const

const swaps = Code.make<Stateless>([exactInputSingle, exactInput])

export const run = Code.make<Stateless>([
  exactInputSingle,
  exactInput,
  ["multicall(uint256,bytes[])", 3, ({ args, env, message, self, world }) => {
    if (env.timestamp > args.uint(0)) return revert("Transaction too old")
    const calls = args.bytesItems(1)
    if (calls === undefined) return silentRevert
    const outputs: Array<AbiWords.Words> = []
    const done = inTurn(
      world,
      calls,
      (current, data) =>
        andThen(swaps(self, env, current, { ...message, data }), (one) => {
          outputs.push(AbiWords.bytes(one.output))
          return returned(one.world)
        })
    )
    return andThen(done, (all) => returned(all.world, AbiWords.hex(AbiWords.uint(32), AbiWords.dynamicArray(outputs))))
  }]
])
