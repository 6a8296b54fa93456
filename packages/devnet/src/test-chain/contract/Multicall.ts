/** Multicall3: many calls at one block, each allowed to fail alone. */
import type { Hex } from "@vault-trader/core/chain/Address"
import { returned, revert, silentRevert } from "../Message.ts"
import * as Words from "../Words.ts"
import * as World from "../World.ts"
import * as Code from "./Code.ts"

const result = (success: boolean, data: Hex): Words.Words => Words.bool(success) + Words.uint(64) + Words.bytes(data)

export const run = Code.make<World.Stateless>([
  ["aggregate3((address,bool,bytes)[])", 2, ({ args, env, message, world }) => {
    const calls = args.items(0)
    if (calls === undefined) return silentRevert
    let current = world
    let gas = 0n
    const logs = []
    const results: Array<Words.Words> = []
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
    return returned(current, Words.hex(Words.uint(32), Words.dynamicArray(results)), { gas, logs })
  }],
  ["getEthBalance(address)", 1, ({ args, world }) =>
    returned(world, Words.hex(Words.uint(World.slot(world, World.native(args.address(0))))))],
  ["getBlockNumber()", 0, ({ env, world }) => returned(world, Words.hex(Words.uint(env.number)))],
  ["getCurrentBlockTimestamp()", 0, ({ env, world }) => returned(world, Words.hex(Words.uint(env.timestamp)))]
])
