/**
 * The same scenarios for the mocked chain and for a real node with real contracts. Results contain names instead of
 * addresses, so that the two can be compared field by field.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Abi, decodeFunctionResult, encodeFunctionData, maxUint256, zeroAddress } from "viem"
import { Address, type Hex } from "@vault-trader/core/chain/Address"
import type { RpcFailure } from "../../src/test-chain/Rpc.ts"
import * as C from "./Calls.ts"
import { gwei, ownerOf, signed, strangerKey, traderKey, usd } from "./Trader.ts"

/**
 * The environment of the scenarios: a vault with 100,000 USDC and 10 WETH, its trader and a stranger with native token
 * for gas.
 */
export interface Subject {
  readonly request: (method: string, params: ReadonlyArray<unknown>) => Effect.Effect<unknown, RpcFailure>
  readonly chainId: number
  readonly factory: Address
  readonly multicall3: Address
  readonly router: Address
  readonly quoter: Address
  readonly token: (symbol: string) => Address
  readonly pool: Address
  readonly managerLogic: Address
  readonly manager: Address
  readonly mine: Effect.Effect<void>
  /** Sets whether transactions are mined at once. */
  readonly automine: (on: boolean) => Effect.Effect<void>
}

export const symbols = ["USDC", "WETH", "WBTC", "DAI", "LINK", "ETHBEAR1X", "AAVE", "AERO"]
const [trader, stranger] = [ownerOf(traderKey), ownerOf(strangerKey)]

/** Replaces addresses by their names; unknown ones become "stranger". */
const namesOf = (subject: Subject) => {
  const names = new Map<string, string>([
    [subject.factory, "factory"],
    [subject.router, "router"],
    [subject.pool, "vault"],
    [subject.managerLogic, "manager logic"],
    [subject.manager, "manager"],
    [trader, "trader"],
    [stranger, "stranger"],
    [zeroAddress, "nobody"],
    ...symbols.map((symbol) => [subject.token(symbol), symbol] as const)
  ])
  return (address: string) => names.get(address.toLowerCase()) ?? "stranger"
}

const named = (subject: Subject, value: unknown): unknown => {
  const name = namesOf(subject)
  if (typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value)) return name(value)
  if (Array.isArray(value)) return value.map((item: unknown) => named(subject, item))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, named(subject, item)]))
}

type Read = readonly [what: string, abi: Abi, to: Address, name: string, args: ReadonlyArray<unknown>]

/** Reads as the engine does, all in one multicall; a read that reverts yields its data. */
const readMany = (subject: Subject, reads: ReadonlyArray<Read>) =>
  Effect.map(
    C.readAll(
      subject.request,
      subject.multicall3,
      reads.map(([, abi, to, functionName, args]) => ({
        to,
        data: encodeFunctionData({ abi, functionName, args })
      }))
    ),
    (answers) =>
      Object.fromEntries(reads.map(([what, abi, , functionName], index) => {
        const answer = answers[index]
        if (answer?.success !== true) return [what, { reverted: answer?.returnData }]
        return [what, named(subject, decodeFunctionResult({ abi, functionName, data: answer.returnData }))]
      }))
  )

/** Reads facts, assets, composition, prices, guards, balances, allowances. */
export const reads = (subject: Subject) => {
  const { factory, managerLogic, pool, router, token } = subject
  return readMany(subject, [
    ["is a vault", C.factoryAbi, factory, "isPool", [pool]],
    ["a stranger is none", C.factoryAbi, factory, "isPool", [stranger]],
    ["manager logic", C.poolAbi, pool, "poolManagerLogic", []],
    ["manager", C.managerLogicAbi, managerLogic, "manager", []],
    ["trader", C.managerLogicAbi, managerLogic, "trader", []],
    ["paused", C.factoryAbi, factory, "isPaused", []],
    ["trading paused", C.factoryAbi, factory, "tradingPausedPools", [pool]],
    ["assets", C.managerLogicAbi, managerLogic, "getSupportedAssets", []],
    ["composition", C.managerLogicAbi, managerLogic, "getFundComposition", []],
    ["guard of a stranger", C.factoryAbi, factory, "getContractGuard", [stranger]],
    ["guard of the router", C.factoryAbi, factory, "getContractGuard", [router]],
    ["price of nothing", C.factoryAbi, factory, "getAssetPrice", [stranger]],
    ["balance of no asset", C.managerLogicAbi, managerLogic, "assetBalance", [stranger]],
    ["value of no asset", C.managerLogicAbi, managerLogic, "assetValue", [stranger]],
    ["no function there", C.factoryAbi, token("USDC"), "isPaused", []],
    ...symbols.flatMap((symbol): ReadonlyArray<Read> => [
      [`${symbol} symbol`, C.tokenAbi, token(symbol), "symbol", []],
      [`${symbol} decimals`, C.tokenAbi, token(symbol), "decimals", []],
      [`${symbol} held`, C.tokenAbi, token(symbol), "balanceOf", [pool]],
      [`${symbol} allowed`, C.tokenAbi, token(symbol), "allowance", [pool, router]],
      [`${symbol} price`, C.factoryAbi, factory, "getAssetPrice", [token(symbol)]],
      [`${symbol} type`, C.factoryAbi, factory, "getAssetType", [token(symbol)]],
      [`${symbol} counted in`, C.managerLogicAbi, managerLogic, "assetDecimal", [token(symbol)]],
      [`${symbol} worth`, C.managerLogicAbi, managerLogic, "assetValue", [token(symbol)]],
      [`${symbol} valid`, C.factoryAbi, factory, "isValidAsset", [token(symbol)]],
      [`${symbol} enabled`, C.managerLogicAbi, managerLogic, "isSupportedAsset", [token(symbol)]]
    ]),
    ["USDC by the vault", C.managerLogicAbi, managerLogic, "assetBalance", [token("USDC")]]
  ])
}

/** Returns the quotes of the engine's paths, by name; `undefined` where there is no pool. */
export const quotes = (subject: Subject) => {
  const { quoter, token } = subject
  const [usdc, weth, wbtc, dai, link] = ["USDC", "WETH", "WBTC", "DAI", "LINK"].map(token) as [
    Address,
    Address,
    Address,
    Address,
    Address
  ]
  const asked: ReadonlyArray<readonly [string, Hex, bigint]> = [
    ["USDC 500 WETH", C.path(usdc, [500, weth]), 3000n * usd],
    ["USDC 3000 WETH", C.path(usdc, [3000, weth]), 3000n * usd],
    ["WETH 500 USDC", C.path(weth, [500, usdc]), 10n ** 18n],
    ["USDC 3000 WBTC", C.path(usdc, [3000, wbtc]), 600n * usd],
    ["USDC 500 WETH 3000 WBTC", C.path(usdc, [500, weth], [3000, wbtc]), 600n * usd],
    ["DAI 100 USDC", C.path(dai, [100, usdc]), 10n ** 21n],
    ["a fee without a pool", C.path(usdc, [100, weth]), usd],
    ["a pair without a market", C.path(usdc, [3000, link]), usd],
    ["nothing", C.path(usdc, [500, weth]), 0n]
  ]
  return Effect.map(
    C.readAll(
      subject.request,
      subject.multicall3,
      asked.map(([, path, amountIn]) => ({
        to: quoter,
        data: encodeFunctionData({ abi: C.quoterAbi, functionName: "quoteExactInput", args: [path, amountIn] })
      }))
    ),
    (answers) =>
      asked.map(([what], index) => {
        const answer = answers[index]
        return answer?.success === true
          ? [
            what,
            decodeFunctionResult({ abi: C.quoterAbi, functionName: "quoteExactInput", data: answer.returnData })[0]
          ] as const
          : [what, undefined] as const
      })
  )
}

/** Makes calls that revert and returns their data: simulated and estimated alike. */
export const reverts = (subject: Subject) => {
  const { pool, router, token } = subject
  const [usdc, weth] = [token("USDC"), token("WETH")]
  const swap = { router, from: usdc, to: weth, amountIn: 100n * usd, recipient: pool }
  const approved = C.approve(usdc, router, maxUint256)
  const cases: ReadonlyArray<readonly [string, Address, C.Call]> = [
    ["a stranger's call", stranger, C.through(pool, approved)],
    ["an unknown function of a token", trader, C.through(pool, { to: usdc, data: "0xdeadbeef" })],
    ["an unknown function of the router", trader, C.through(pool, { to: router, data: "0xdeadbeef" })],
    ["an asset not enabled", trader, C.through(pool, C.approve(token("AAVE"), router, 1n))],
    ["a swap not approved", trader, C.through(pool, C.swap(swap))],
    ["a swap of more than there is", trader, C.through(pool, approved, C.swap({ ...swap, amountIn: 10n ** 15n }))],
    ["a swap for too little", trader, C.through(pool, approved, C.swap({ ...swap, least: 10n ** 18n }))],
    ["a swap too late", trader, C.through(pool, approved, C.swap({ ...swap, deadline: 1n }))],
    ["an approval for an account without code", trader, C.through(pool, C.approve(usdc, stranger, 1n))],
    ["a swap into another pocket", trader, C.through(pool, approved, C.swap({ ...swap, recipient: trader }))],
    ["a swap into an asset not enabled", trader, C.through(pool, approved, C.swap({ ...swap, to: token("AAVE") }))],
    ["a swap where no pool is", trader, C.through(pool, approved, C.swap({ ...swap, to: token("LINK"), fee: 3000 }))],
    ["a swap of nothing", trader, C.through(pool, approved, C.swap({ ...swap, amountIn: 0n }))],
    [
      "a multicall of two",
      trader,
      C.through(pool, { to: router, data: C.withDeadline(C.never, C.single(swap), C.single(swap)) })
    ],
    [
      "a multicall of something else",
      trader,
      C.through(pool, { to: router, data: C.withDeadline(C.never, "0xdeadbeef") })
    ],
    ["no target", trader, C.through(pool, { to: zeroAddress, data: "0x" })],
    ["a transfer of what one does not have", stranger, { to: usdc, data: C.transfer(trader, 7n) }]
  ]
  return Effect.forEach(cases, ([what, from, call]) =>
    Effect.map(
      Effect.all([
        Effect.flip(subject.request("eth_call", [{ from, ...call }, "latest"])),
        Effect.flip(subject.request("eth_estimateGas", [{ from, ...call }]))
      ]),
      (failures) => ({
        what,
        // An empty revert is "no data" to geth and empty data to anvil.
        said: failures.map((failure) =>
          failure._tag === "RpcRefused"
            ? failure.data === undefined || failure.data === "0x" ? "nothing" : [failure.code, failure.data]
            : "no answer"
        )
      })
    ))
}

const Log = Schema.Struct({
  address: Address,
  topics: Schema.Array(Schema.TemplateLiteral(["0x", Schema.String])),
  data: Schema.TemplateLiteral(["0x", Schema.String])
})
const Receipt = Schema.StructWithRest(
  Schema.Struct({
    status: Schema.String,
    type: Schema.String,
    from: Address,
    to: Address,
    contractAddress: Schema.Null,
    logs: Schema.Array(Log)
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)

const word = (data: string) => `0x${data.slice(-40)}`

/** Mines an approval and swap, and a revert; returns the receipts with names, and the amounts separately. */
export const receipts = (subject: Subject) =>
  Effect.gen(function*() {
    const { chainId, pool, router, token } = subject
    const name = namesOf(subject)
    const sendAndMine = (call: C.Call, gas: bigint) =>
      Effect.gen(function*() {
        const nonce = C.number(yield* subject.request("eth_getTransactionCount", [trader, "pending"]))
        const raw = yield* signed({ ...call, chainId, nonce, gas, maxFee: 100n * gwei })
        const hash = yield* subject.request("eth_sendRawTransaction", [raw])
        yield* subject.mine
        const json = yield* subject.request("eth_getTransactionReceipt", [hash])
        const receipt = yield* Effect.orDie(Schema.decodeUnknownEffect(Receipt)(json))
        const whole = yield* subject.request("eth_getTransactionByHash", [hash])
        const keys = (value: unknown) => Object.keys(Object(value)).sort()
        return {
          hash,
          receipt,
          fields: {
            receipt: keys(receipt),
            log: keys(Array.isArray(receipt["logs"]) ? receipt.logs[0] : undefined),
            transaction: keys(whole)
          }
        }
      })
    const swap = { router, from: token("USDC"), to: token("WETH"), amountIn: 3000n * usd, recipient: pool }
    const done = yield* sendAndMine(
      C.through(pool, C.approve(token("USDC"), router, swap.amountIn), C.swap(swap)),
      2_000_000n
    )
    const failed = yield* sendAndMine(C.through(pool, C.swap({ ...swap, least: 10n ** 24n })), 2_000_000n)
    const told = ({ hash, receipt }: typeof done) => ({
      status: receipt.status,
      type: receipt.type,
      from: name(receipt.from),
      to: name(receipt.to),
      sameHash: receipt["transactionHash"] === hash,
      logs: receipt.logs.map(({ address, data, topics }) => ({
        address: name(address),
        event: topics[0],
        indexed: topics.slice(1).map((topic) => name(word(topic))),
        words: (data.length - 2) / 64
      }))
    })
    const transfers = done.receipt.logs.filter(({ topics }) => topics[0]?.startsWith("0xddf252ad"))
    return {
      told: [told(done), told(failed)],
      amounts: transfers.map(({ address, data }) => [name(address), BigInt(data)] as const),
      fields: done.fields
    }
  })

const classes: ReadonlyArray<readonly [string, RegExp]> = [
  ["nonce too low", /nonce too low/i],
  ["underpriced", /replacement transaction underpriced/i],
  ["already known", /already (known|imported)/i],
  ["funds", /insufficient funds for gas \* price \+ value/i],
  ["intrinsic gas", /intrinsic gas too low/i]
]

/**
 * Submits each kind of transaction and returns the classes of the mempool's replies and the nonces afterwards. Blocks
 * are mined on demand.
 */
export const mempool = (subject: Subject) =>
  Effect.gen(function*() {
    const nonceAt = (tag: string) => Effect.map(subject.request("eth_getTransactionCount", [trader, tag]), C.number)
    const first = yield* nonceAt("latest")
    const send = (nonce: bigint, draft: Partial<Parameters<typeof signed>[0]> = {}) =>
      Effect.flatMap(signed({ chainId: subject.chainId, nonce: first + nonce, maxFee: 100n * gwei, ...draft }), (raw) =>
        Effect.match(subject.request("eth_sendRawTransaction", [raw]), {
          onSuccess: () =>
            "taken",
          onFailure: (failure) =>
            failure._tag === "RpcRefused"
              ? classes.find(([, pattern]) => pattern.test(failure.reason))?.[0] ?? failure.reason
              : "no answer"
        }))
    const nonces = Effect.map(Effect.all([nonceAt("latest"), nonceAt("pending")]), (both) =>
      both.map((one) =>
        one - first
      ))
    yield* subject.automine(false)
    const told = [
      yield* send(0n),
      yield* send(0n),
      yield* send(0n, { value: 1n }),
      yield* send(0n, { maxFee: 150n * gwei, tip: 2n * gwei }),
      yield* send(2n),
      yield* nonces,
      yield* send(1n),
      yield* nonces,
      yield* send(3n, { value: 10n ** 24n }),
      yield* send(3n, { gas: 20_000n }),
      yield* Effect.andThen(subject.mine, nonces),
      yield* send(0n, { value: 2n }),
      yield* send(2n)
    ]
    yield* subject.automine(true)
    return told
  })
