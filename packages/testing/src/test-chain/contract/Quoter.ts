/** QuoterV2: quotes a swap along a path at the current state. */
import { returned, revert, silentRevert } from "../Message.ts"
import * as AbiWords from "../AbiWords.ts"
import { type Stateless, withPair } from "../ChainState.ts"
import * as Code from "./Code.ts"
import { hops, pairFor, sqrtPriceX96, swap } from "./Pair.ts"

export const run = Code.make<Stateless>([
  ["quoteExactInput(bytes,uint256)", 3, ({ args, world }) => {
    const path = args.bytes(0)
    const route = path === undefined ? undefined : hops(path)
    if (route === undefined) return silentRevert
    let amount = args.uint(1)
    let quoted = world
    const prices: Array<bigint> = []
    for (const [index, hop] of route.entries()) {
      const pair = pairFor(quoted, hop)
      if (pair === undefined) return silentRevert
      if (amount === 0n) return revert("AS")
      const swapped = swap(pair, hop.tokenIn, amount)
      amount = swapped.amountOut
      // A path may go through the same pool again.
      if (index < route.length - 1) quoted = withPair(quoted, swapped.pair)
      prices.push(sqrtPriceX96(swapped.pair))
    }
    const list = AbiWords.array(prices.map(AbiWords.uint))
    const crossed = AbiWords.array(prices.map(() => AbiWords.uint(0)))
    const head = [
      AbiWords.uint(amount),
      AbiWords.uint(128),
      AbiWords.uint(128 + list.length / 2),
      AbiWords.uint(90_000 * route.length)
    ]
    return returned(world, AbiWords.hex(...head, list, crossed))
  }]
])
