/**
 * Serves more vaults than the devnet holds: a separate process in front of the devnet's node that answers Multicall3
 * reads of simulated vaults, in the contract's own encoding. The node answers everything else, also the oracle's prices
 * in the same batch.
 */
import { once } from "node:events"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import {
  decodeFunctionData,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  encodeFunctionResult,
  parseAbi
} from "viem"
import type { FrontData, Seen } from "./SimulatedVaults.ts"
import { isSimulated } from "./SimulatedVaults.ts"

const multicall = parseAbi([
  "struct Call3 { address target; bool allowFailure; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function aggregate3(Call3[] calls) payable returns (Result[] returnData)"
])
const [balanceOf, positionOf] = ["0x70a08231", "0x28dd2d01"]

interface RpcCall {
  readonly id: unknown
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

interface RpcAnswer {
  readonly result?: string
}

const { multicall3, node, quantities } = JSON.parse(process.argv[2] ?? "") as FrontData
const agent = new Http.Agent({ keepAlive: true })
const vaults = new Set<string>()
let [calls, requests] = [0, 0]

const textOf = async (stream: Http.IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

const forwarded = (body: string) =>
  new Promise<string>((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) }
    const request = Http.request(node, { agent, method: "POST", headers }, (response) =>
      void textOf(response).then(resolve, reject))
    request.on("error", reject)
    request.end(body)
  })

/** Returns the vault of a read, the last address among its arguments, if it is a simulated one. */
const vaultOf = (data: string): string | undefined => {
  const owner = data.startsWith(balanceOf) || data.startsWith(positionOf) ? `0x${data.slice(-40).toLowerCase()}` : ""
  return isSimulated(owner) ? owner : undefined
}

const answerOf = (target: string, data: string): `0x${string}` =>
  data.startsWith(balanceOf)
    ? encodeAbiParameters([{ type: "uint256" }], [BigInt(quantities[target.toLowerCase()] ?? "0")])
    : `0x${"0".repeat(64 * 9)}`

/** Answers a batch: the node is queried for everything but the reads of simulated vaults. */
const aggregated = async (call: RpcCall, data: `0x${string}`): Promise<unknown> => {
  const [reads] = decodeFunctionData({ abi: multicall, data }).args
  const mine = reads.map(({ callData }) => vaultOf(callData))
  if (mine.every((vault) => vault === undefined)) return JSON.parse(await forwarded(JSON.stringify(call)))
  const theirs = reads.filter((_, index) => mine[index] === undefined)
  const asked = encodeFunctionData({ abi: multicall, functionName: "aggregate3", args: [theirs] })
  const answer = JSON.parse(
    await forwarded(JSON.stringify({ ...call, params: [{ to: multicall3, data: asked }, ...call.params.slice(1)] }))
  ) as RpcAnswer
  if (answer.result === undefined) return answer
  const results = [
    ...decodeFunctionResult({ abi: multicall, functionName: "aggregate3", data: answer.result as `0x${string}` })
  ]
  const result = reads.map(({ callData, target }, index) => {
    const vault = mine[index]
    if (vault === undefined) return results.shift() ?? { success: false, returnData: "0x" as const }
    vaults.add(vault)
    return { success: true, returnData: answerOf(target, callData) }
  })
  return { ...answer, result: encodeFunctionResult({ abi: multicall, functionName: "aggregate3", result }) }
}

const answer = async (body: string): Promise<string> => {
  const parsed = JSON.parse(body) as RpcCall | ReadonlyArray<RpcCall>
  const all = Array.isArray(parsed) ? parsed as ReadonlyArray<RpcCall> : [parsed as RpcCall]
  if (all[0]?.method === "bench_seen") {
    return JSON.stringify([{ id: all[0].id, result: { calls, requests, vaults: vaults.size } satisfies Seen }])
  }
  if (all[0]?.method === "bench_forget") {
    vaults.clear()
    calls = requests = 0
    return JSON.stringify([{ id: all[0].id, result: null }])
  }
  calls += all.length
  requests += 1
  const dataOf = ({ method, params: [first] }: RpcCall) => {
    const { data, to } = (first ?? {}) as { readonly to?: string; readonly data?: `0x${string}` }
    return method === "eth_call" && to?.toLowerCase() === multicall3 && data?.startsWith("0x82ad56cb") === true
      ? data
      : undefined
  }
  if (!all.some((call) => dataOf(call) !== undefined)) return forwarded(body)
  const answers = await Promise.all(all.map(async (call): Promise<unknown> => {
    const data = dataOf(call)
    return data === undefined ? JSON.parse(await forwarded(JSON.stringify(call))) : aggregated(call, data)
  }))
  return JSON.stringify(Array.isArray(parsed) ? answers : answers[0])
}

const server = Http.createServer((request, response) =>
  void textOf(request).then(answer).then(
    (text) => response.writeHead(200, { "content-type": "application/json" }).end(text),
    () => response.destroy()
  )
)
server.listen(0, "127.0.0.1")
await once(server, "listening")
process.send?.((server.address() as AddressInfo).port)
// The parent process has ended.
process.once("disconnect", () => process.exit())
