import { assert, it } from "@effect/vitest"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import * as KyberApi from "@vault-trader/devnet/aggregator/KyberSwap"
import * as OdosApi from "@vault-trader/devnet/aggregator/Odos"
import * as OneInchApi from "@vault-trader/devnet/aggregator/OneInch"
import * as FastCheck from "fast-check"
import { encodeFunctionData, parseAbi, zeroAddress } from "viem"
import { KyberSwap } from "../../src/venue/KyberSwap.ts"
import { Odos } from "../../src/venue/Odos.ts"
import { OneInch } from "../../src/venue/OneInch.ts"
import { venues } from "../../src/venue/VenueRegistry.ts"

const vault: Address = "0x00000000000000000000000000000000000000dd"
const executor: Address = "0x00000000000000000000000000000000000000ee"
const sold: Address = "0x00000000000000000000000000000000000000aa"
const bought: Address = "0x00000000000000000000000000000000000000bb"
const plain = { tokenIn: sold, amountIn: 1_000n, tokenOut: bought, minOut: 7n, receiver: vault }

const oneInch = (changes: { readonly amount?: bigint; readonly flags?: bigint } = {}) =>
  encodeFunctionData({
    abi: OneInchApi.routerAbi,
    functionName: "swap",
    args: [executor, {
      srcToken: sold,
      dstToken: bought,
      srcReceiver: executor,
      dstReceiver: vault,
      amount: 1_000n,
      minReturnAmount: 7n,
      flags: 0n,
      ...changes
    }, "0x1234"]
  })

const desc = {
  srcToken: sold,
  dstToken: bought,
  srcReceivers: [executor],
  srcAmounts: [1_000n],
  feeReceivers: [] as ReadonlyArray<Address>,
  feeAmounts: [] as ReadonlyArray<bigint>,
  dstReceiver: vault,
  amount: 1_000n,
  minReturnAmount: 7n,
  flags: 0n,
  permit: "0x" as Hex
}
const kyber = (changes: Partial<typeof desc> = {}) =>
  encodeFunctionData({
    abi: KyberApi.routerAbi,
    functionName: "swap",
    args: [{
      callTarget: executor,
      approveTarget: executor,
      targetData: "0x1234",
      desc: { ...desc, ...changes },
      clientData: "0x"
    }]
  })

const odos = (changes: { readonly inputAmount?: bigint; readonly outputMin?: bigint } = {}, fee = 0n) =>
  encodeFunctionData({
    abi: OdosApi.routerAbi,
    functionName: "swap",
    args: [
      {
        inputToken: sold,
        inputAmount: 1_000n,
        inputReceiver: executor,
        outputToken: bought,
        outputQuote: 8n,
        outputMin: 7n,
        outputReceiver: vault,
        ...changes
      },
      "0x1234",
      executor,
      { code: 1n, fee, feeRecipient: zeroAddress }
    ]
  })

const words = (text: string, count: number): Hex => `0x${text}${"00".repeat(32 * count)}`

it("decode reads the plain swap of each aggregator", () => {
  assert.deepStrictEqual(OneInch.decode(oneInch()), plain)
  assert.deepStrictEqual(KyberSwap.decode(kyber()), plain)
  const simple = encodeFunctionData({
    abi: KyberApi.routerAbi,
    functionName: "swapSimpleMode",
    args: [executor, desc, "0x1234", "0x"]
  })
  assert.deepStrictEqual(KyberSwap.decode(simple), plain)
  assert.deepStrictEqual(Odos.decode(odos()), plain)
})

it("decode rejects a swap of 1inch that may fill partially, needs native token, uses Permit2, or sells nothing", () => {
  for (const flags of [1n, 2n, 4n]) assert.isUndefined(OneInch.decode(oneInch({ flags })))
  assert.isUndefined(OneInch.decode(oneInch({ amount: 0n })))
})

it("decode rejects a swap of KyberSwap with fees or a permit, that may fill partially, or takes more than its amount", () => {
  const fees = { feeReceivers: [executor], feeAmounts: [1n] }
  for (
    const changes of [
      fees,
      { ...fees, feeAmounts: [] },
      { permit: "0x01" as Hex },
      { amount: 0n },
      { srcAmounts: [1_001n] },
      { srcReceivers: [executor, executor], srcAmounts: [1_000n, 1n] },
      { flags: 0x100n },
      ...[1n, 2n, 8n, 16n].map((flags) => ({ flags }))
    ]
  ) {
    assert.isUndefined(
      KyberSwap.decode(kyber(changes)),
      JSON.stringify(changes, (_, part: unknown) => typeof part === "bigint" ? String(part) : part)
    )
  }
  assert.deepStrictEqual(KyberSwap.decode(kyber({ flags: 0x100n, srcReceivers: [], srcAmounts: [] })), plain)
  assert.deepStrictEqual(KyberSwap.decode(kyber({ flags: 0x280n })), plain)
})

it("decode rejects a swap of Odos with a referral fee, of the whole balance, or with a minimum above its quote", () => {
  assert.isUndefined(Odos.decode(odos({}, 1n)))
  assert.isUndefined(Odos.decode(odos({ inputAmount: 0n })))
  assert.isUndefined(Odos.decode(odos({ outputMin: 9n })))
})

it("decode rejects other functions of the routers, and swaps with trailing bytes", () => {
  const clipper = parseAbi([
    "function unoswapTo(uint256 to, uint256 token, uint256 amount, uint256 minReturn, uint256 dex) returns (uint256)"
  ])
  assert.isUndefined(
    OneInch.decode(encodeFunctionData({ abi: clipper, functionName: "unoswapTo", args: [1n, 2n, 3n, 4n, 5n] }))
  )
  assert.isUndefined(Odos.decode(words("83bd37f9", 10)))
  for (const [venue, data] of [[OneInch, oneInch()], [KyberSwap, kyber()], [Odos, odos()]] as const) {
    assert.isUndefined(venue.decode(`${data}00`))
    assert.isUndefined(venue.decode(`${data}${"00".repeat(32)}`))
  }
})

it("decode rejects an unoswap of 1inch that sells nothing, with an invalid token, or through unsupported pools", () => {
  const abi = OneInchApi.routerAbi
  const short = (token: bigint, amount: bigint, leg: bigint) =>
    encodeFunctionData({ abi, functionName: "unoswap", args: [token, amount, 7n, leg] })
  const leg = 1n << 253n | 1n << 247n | 5n
  assert.deepStrictEqual(OneInch.decode(short(BigInt(sold), 1_000n, leg)), {
    tokenIn: sold,
    amountIn: 1_000n,
    tokenOut: null,
    minOut: 7n,
    receiver: null
  })
  for (
    const bad of [
      short(BigInt(sold), 0n, leg),
      short(BigInt(sold) | 1n << 200n, 1n, leg),
      ...[2n << 253n, leg | 1n << 252n, leg | 1n << 251n, leg | 1n << 250n].map((other) =>
        short(BigInt(sold), 1n, other)
      )
    ]
  ) {
    assert.isUndefined(OneInch.decode(bad))
  }
})

it("decode rejects bytes that are not a call of a router", () => {
  const anything = FastCheck.uint8Array({ maxLength: 600 }).map((bytes): Hex =>
    `0x${Buffer.from(bytes).toString("hex")}`
  )
  FastCheck.assert(
    FastCheck.property(anything, (data) => Object.values(venues).every(({ decode }) => decode(data) === undefined))
  )
  for (
    const selector of ["07ed2379", "83800a8e", "8770ba91", "19367472", "e21fd0e9", "8af033fb", "30f80b4c", "bc651188"]
  ) {
    FastCheck.assert(
      FastCheck.property(
        anything,
        (data) => Object.values(venues).every(({ decode }) => decode(`0x${selector}${data.slice(2)}`) === undefined)
      ),
      { numRuns: 20 }
    )
  }
})
