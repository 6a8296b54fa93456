/** Multicall3: many calls at one block, each of which may be allowed to fail. */
import type { Hex } from "@vault-trader/core/chain/Address"
import { returned, revert, silentRevert } from "../Message.ts"
import * as AbiWords from "../AbiWords.ts"
import * as ChainState from "../ChainState.ts"
import * as Code from "./Code.ts"

const result = (success: boolean, data: Hex): AbiWords.Words =>
  AbiWords.bool(success) + AbiWords.uint(64) + AbiWords.bytes(data)

export const run = Code.make<ChainState.Stateless>([
  ["aggregate3((address,bool,bytes)[])", 2, ({ args, env, message, world }) => {
    const calls = args.items(0)
    if (calls === undefined) return silentRevert
    let current = world
    let gas = 0n
    const logs = []
    const results: Array<AbiWords.Words> = []
    for (const call of calls) {
      const data = call.bytes(2)
      if (data === undefined) return silentRevert
      const outcome = env.call(env, current, { from: message.to, to: call.address(0), data, value: 0n })
      gas += outcome.gas
      if (outcome._tag === "Returned") {
        current = outcome.world
        logs.push(...outcome.logs)
        results.push(result(true, outcome.output))
      } else {
        if (call.uint(1) === 0n) return revert("Multicall3: call failed")
        results.push(result(false, outcome.data))
      }
    }
    return returned(current, AbiWords.hex(AbiWords.uint(32), AbiWords.dynamicArray(results)), { gas, logs })
  }],
  [
    "getEthBalance(address)",
    1,
    ({ args, world }) =>
      returned(world, AbiWords.hex(AbiWords.uint(ChainState.slot(world, ChainState.native(args.address(0))))))
  ],
  ["getBlockNumber()", 0, ({ env, world }) => returned(world, AbiWords.hex(AbiWords.uint(env.number)))],
  ["getCurrentBlockTimestamp()", 0, ({ env, world }) => returned(world, AbiWords.hex(AbiWords.uint(env.timestamp)))]
])
