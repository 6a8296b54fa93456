/**
 * The nodes of a simulated fleet: a separate process that answers the JSON-RPC calls of any number of networks, each at
 * a path of its own, for wallets and vaults that exist on no chain. It counts the calls by kind.
 */
import { once } from "node:events"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import { toFunctionSelector } from "viem"
import { type Counted, factory, kinds, logicOf, multicall3, quantities, usdc, weth } from "./FleetChain.ts"

/** Seconds between two blocks, and between two moves of the price. */
const [blockSeconds, priceSeconds] = [2, 10]

const word = (value: bigint | number): string => value.toString(16).padStart(64, "0")
const addressWord = (address: string): string => address.slice(2).padStart(64, "0")
const one = 10n ** 18n

/** Returns the USD price of WETH with 18 decimals; it moves a little, as prices do, so that figures become old. */
const priceOf = (token: string): bigint =>
  token === usdc ? one : 3_000n * one + BigInt(Math.floor(Date.now() / 1000 / priceSeconds) % 50) * one / 10n

const valueOf = (token: string): bigint =>
  (quantities[token] ?? 0n) * priceOf(token) / (token === usdc ? 10n ** 6n : one)
const total = () => valueOf(weth) + valueOf(usdc)

/** Returns the 20 bytes of an argument, as an address. */
const addressAt = (data: string): string => `0x${data.slice(-40).toLowerCase()}`

/** The answers by selector: the called contract, and the call's data. */
type Contract = (target: string, data: string) => string
const symbols: Readonly<Record<string, string>> = { [weth]: "WETH", [usdc]: "USDC" }
const text = (value: string) => word(32) + word(value.length) + Buffer.from(value).toString("hex").padEnd(64, "0")
const contracts: ReadonlyMap<string, Contract> = new Map(
  ([
    ["function symbol()", (target) => text(symbols[target] ?? "NONE")],
    ["function decimals()", (target) => word(target === usdc ? 6 : 18)],
    ["function balanceOf(address)", (target) => word(quantities[target] ?? 0n)],
    ["function getAssetPrice(address)", (_, data) => word(priceOf(addressAt(data)))],
    ["function getAssetType(address)", () => word(0)],
    ["function isPool(address)", () => word(1)],
    ["function poolManagerLogic()", (target) => addressWord(logicOf(target))],
    [
      "function getSupportedAssets()",
      () => word(32) + word(2) + [weth, usdc].map((token) => addressWord(token) + word(1)).join("")
    ],
    ["function assetBalance(address)", (_, data) => word(quantities[addressAt(data)] ?? 0n)],
    ["function assetDecimal(address)", (_, data) => word(addressAt(data) === usdc ? 6 : 18)],
    ["function assetValue(address)", (_, data) => word(valueOf(addressAt(data)))],
    ["function totalFundValue()", () => word(total())],
    ["function totalSupply()", () => word(total())],
    ["function tokenPrice()", () => word(one)],
    ["function getEthBalance(address)", () => word(one)],
    ["function getL1Fee(bytes)", () => word(10n ** 9n)]
  ] satisfies ReadonlyArray<readonly [string, Contract]>).map(([signature, answer]) => [
    toFunctionSelector(signature).slice(2),
    answer
  ])
)
const [aggregate, blockNumberOf, arbBlockNumber, balanceOf, nativeBalance] = [
  toFunctionSelector("function aggregate3((address,bool,bytes)[])").slice(2),
  toFunctionSelector("function getBlockNumber()").slice(2),
  toFunctionSelector("function arbBlockNumber()").slice(2),
  toFunctionSelector("function balanceOf(address)").slice(2),
  toFunctionSelector("function getEthBalance(address)").slice(2)
]

const newest = () => BigInt(Math.floor(Date.now() / 1000 / blockSeconds))
const hex = (value: bigint) => `0x${value.toString(16)}`
const hashOf = (number: bigint) => `0x${word(number)}`

const seen: { calls: Record<string, number>; requests: number; balances: number } = {
  calls: {},
  requests: 0,
  balances: 0
}

/** Answers one call of a contract; nothing where the contract does not have the function. */
const called = (target: string, data: string, block: bigint): string | undefined => {
  const selector = data.slice(0, 8)
  if (selector === balanceOf) seen.balances += 1
  return selector === blockNumberOf || selector === arbBlockNumber
    ? word(block)
    : contracts.get(selector)?.(target, data)
}

/** Answers a batch of Multicall3 in its own encoding. Decoding by an ABI would cost more than the measured runner. */
const aggregated = (data: string, block: bigint): string => {
  const at = (place: number) => Number(`0x${data.slice(place, place + 64)}`)
  const list = 8 + 64
  const count = at(list)
  const results: Array<string> = []
  const offsets: Array<string> = []
  let offset = count * 32
  for (let index = 0; index < count; index++) {
    const call = list + 64 + 2 * at(list + 64 + 64 * index)
    const bytes = call + 2 * at(call + 128)
    const answer = called(
      `0x${data.slice(call + 24, call + 64)}`,
      data.slice(bytes + 64, bytes + 64 + 2 * at(bytes)),
      block
    )
    const result = word(answer === undefined ? 0 : 1) + word(64) + word((answer ?? "").length / 2) + (answer ?? "")
    offsets.push(word(offset))
    results.push(result)
    offset += result.length / 2
  }
  return word(32) + word(count) + offsets.join("") + results.join("")
}

const blockAt = (tag: unknown) => {
  const number = typeof tag === "string" && tag.startsWith("0x") ? BigInt(tag) : newest()
  return number > newest() ? null : {
    ...{ number: hex(number), hash: hashOf(number), parentHash: hashOf(number - 1n), baseFeePerGas: "0x3b9aca00" },
    ...{ timestamp: hex(number * BigInt(blockSeconds)), transactions: [] }
  }
}

interface RpcCall {
  readonly id: unknown
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

const result = (chainId: number, { method, params }: RpcCall): unknown => {
  if (method === "eth_call") {
    const [{ data: raw = "0x", to = "" }, tag] = params as [{ readonly to?: string; readonly data?: string }, unknown]
    const block = typeof tag === "string" && tag.startsWith("0x") ? BigInt(tag) : newest()
    const data = raw.slice(2)
    return `0x${
      to.toLowerCase() === multicall3 && data.startsWith(aggregate)
        ? aggregated(data.toLowerCase(), block)
        : called(to.toLowerCase(), data, block) ?? ""
    }`
  }
  switch (method) {
    case "eth_chainId":
      return hex(BigInt(chainId))
    case "eth_blockNumber":
      return hex(newest())
    case "eth_getBlockByNumber":
      return blockAt(params[0])
    case "eth_getBalance":
      return hex(one)
    case "eth_getTransactionCount":
      return "0x0"
    case "eth_getCode":
      return String(params[0]).toLowerCase() === factory ? "0x6001" : "0x"
    case "eth_getLogs":
      return []
    case "eth_feeHistory":
      return { oldestBlock: "0x1", baseFeePerGas: ["0x3b9aca00", "0x3b9aca00"], reward: [["0xf4240"]] }
  }
  throw new Error(`${method} is not simulated`)
}

/**
 * Names a call's kind: those of bots read balances of tokens, those of samples an older block, and those of wallets
 * native balances at a block.
 */
const kindOf = ({ method, params }: RpcCall, balances: number): string => {
  if (method !== "eth_call") return method
  if (params[1] === "latest") return balances > 0 ? kinds.bots : kinds.others
  return JSON.stringify(params[0]).includes(nativeBalance) ? kinds.wallets : kinds.samples
}

const textOf = async (stream: Http.IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

const answered = (call: RpcCall, chainId: number) => {
  const before = seen.balances
  const count = () => {
    const kind = kindOf(call, seen.balances - before)
    seen.calls[kind] = (seen.calls[kind] ?? 0) + 1
  }
  try {
    const found = result(chainId, call)
    count()
    return { jsonrpc: "2.0", id: call.id, result: found }
  } catch (error) {
    return { jsonrpc: "2.0", id: call.id, error: { code: -32_601, message: String(error) } }
  }
}

const server = Http.createServer((request, response) =>
  void textOf(request).then((body) => {
    if (request.url === "/seen") {
      return void response.end(JSON.stringify({ ...seen, cpu: process.cpuUsage() } satisfies Counted))
    }
    const chainId = Number((request.url ?? "").slice(1))
    const parsed = JSON.parse(body) as RpcCall | ReadonlyArray<RpcCall>
    seen.requests += 1
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(
      Array.isArray(parsed)
        ? (parsed as ReadonlyArray<RpcCall>).map((call) => answered(call, chainId))
        : answered(parsed as RpcCall, chainId)
    ))
  }, () => response.destroy())
)
server.listen(0, "127.0.0.1")
await once(server, "listening")
process.send?.((server.address() as AddressInfo).port)
// The parent process has ended.
process.once("disconnect", () => process.exit())
