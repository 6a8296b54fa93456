/** A front that answers calls of contracts wrongly, as its creator says. */
import type { Hex } from "@vault-trader/core/chain/Address"
import { aggregate3, alterAnswer, type Change } from "../test-chain/AlteredCalls.ts"
import type { NodeRequest, Reply } from "./NodeFront.ts"

/** An `eth_call`; without `to` its data are run as init code. */
interface ContractCall {
  readonly to?: string
  readonly data: Hex
}

/** Returns what is answered in place of a result; undefined where the node's own answer stays. */
export type Lie = (call: ContractCall, result: Hex | undefined) => Hex | undefined

/** Decides the replies of such a front (`NodeFront.listen`). */
export const answering = (lie: Lie) => async ({ calls, forward }: NodeRequest): Promise<Reply> => {
  const reply = await forward()
  if (!calls.some(({ method }) => method === "eth_call")) return reply
  const parsed: unknown = JSON.parse(reply.text)
  const answers = (Array.isArray(parsed) ? parsed : [parsed]) as ReadonlyArray<{
    readonly id: number
    readonly result?: Hex
  }>
  const changed = answers.map((answer) => {
    const call = calls.find(({ id }) => id === answer.id)
    const told = call?.method === "eth_call" ? lie(call.params[0] as ContractCall, answer.result) : undefined
    return told === undefined ? answer : { id: answer.id, jsonrpc: "2.0", result: told }
  })
  return { ...reply, text: JSON.stringify(Array.isArray(parsed) ? changed : changed[0]) }
}

/** Changes the results of the calls inside the multicall. */
export const inMulticall = (change: Change): Lie => ({ data }, result) =>
  data.startsWith(aggregate3) && result !== undefined ? alterAnswer(data, result, change) : undefined
