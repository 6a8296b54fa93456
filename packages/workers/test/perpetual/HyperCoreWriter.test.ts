import { assert, describe, it } from "@effect/vitest"
import { type NetworkBook, PerpetualsBook } from "@vault-trader/core/chain/NetworkConfig"
import type { Address } from "@vault-trader/core/chain/Address"
import * as fc from "fast-check"
import {
  concatHex,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseAbiParameters
} from "viem"
import { bookOf } from "../../src/address-book/AddressBook.ts"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import * as Allowance from "../../src/platform/Allowance.ts"
import * as HyperCoreWriter from "../../src/perpetual/HyperCoreWriter.ts"
import * as PerpetualContext from "../../src/perpetual/PerpetualContext.ts"

const writer: Address = "0x3333333333333333333333333333333333333333"
const wallet: Address = "0x6b9e773128f453f5c2c60935ee2de2cbc5390a24"
const usdc: Address = "0xb88339cb7199b77e23db6e890353e22632ba630f"
const stranger: Address = "0x00000000000000000000000000000000000000cc"
const abi = parseAbi(["function sendRawAction(bytes data)"])

const actionOf = ({ data }: { readonly data: Hex }) => decodeFunctionData({ abi, data }).args[0]
const cloid = "0x01936f5a0b1c7d2e8f30a1b2c3d4e5f6"
const order = {
  asset: 1,
  isBuy: true,
  price: 3_000n * 10n ** 8n,
  size: 25n * 10n ** 6n,
  reduceOnly: false,
  tif: "ioc",
  cloid
} as const

/** A chain client of which only the book is used. */
const chainOf = (book: NetworkBook) => ({ book } as unknown as ChainClient)
const chain = chainOf(bookOf("hyperliquid", ["http://127.0.0.1:1"]))

describe("an action for HyperCore", () => {
  it("consists of a version, a number of three bytes and its fields", () => {
    const action = actionOf(HyperCoreWriter.limitOrder(writer, order))
    assert.strictEqual(action.slice(0, 10), "0x01000001")
    const words = action.slice(10).match(/.{64}/g) ?? []
    assert.deepStrictEqual(words.map((word) => BigInt(`0x${word}`)), [
      1n,
      1n,
      order.price,
      order.size,
      0n,
      3n,
      BigInt(cloid)
    ])
    assert.strictEqual(actionOf(HyperCoreWriter.cancelByOid(writer, 1, 77n)).slice(0, 10), "0x0100000a")
    assert.strictEqual(actionOf(HyperCoreWriter.cancelByCloid(writer, 1, cloid)).slice(0, 10), "0x0100000b")
    assert.strictEqual(actionOf(HyperCoreWriter.toSpot(writer, 5n)).slice(0, 10), "0x01000007")
    assert.strictEqual(actionOf(HyperCoreWriter.toChain(writer, 5n)).slice(0, 10), "0x01000006")
  })

  it("encodes the time in force as HyperCore's numbers", () => {
    const numberOf = (tif: "alo" | "gtc" | "ioc") =>
      Number(`0x${actionOf(HyperCoreWriter.limitOrder(writer, { ...order, tif })).slice(10).slice(64 * 5, 64 * 6)}`)
    assert.deepStrictEqual([numberOf("alo"), numberOf("gtc"), numberOf("ioc")], [1, 2, 3])
  })

  it("is the same bytes for the same intent, whenever it is encoded", () => {
    assert.strictEqual(
      HyperCoreWriter.limitOrder(writer, order).data,
      HyperCoreWriter.limitOrder(writer, { ...order }).data
    )
  })

  it("decodes to the original action", () => {
    const word = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n })
    fc.assert(fc.property(word, word, (price, size) => {
      assert.deepStrictEqual(HyperCoreWriter.read(HyperCoreWriter.limitOrder(writer, { ...order, price, size })), {
        kind: "order",
        price,
        size
      })
    }))
    assert.deepStrictEqual(HyperCoreWriter.read(HyperCoreWriter.cancelByOid(writer, 1, 77n)), { kind: "cancel" })
    assert.deepStrictEqual(HyperCoreWriter.read(HyperCoreWriter.cancelByCloid(writer, 1, cloid)), { kind: "cancel" })
    assert.deepStrictEqual(HyperCoreWriter.read(HyperCoreWriter.toSpot(writer, 5n)), { kind: "toSpot" })
    assert.deepStrictEqual(HyperCoreWriter.read(HyperCoreWriter.toChain(writer, 5n)), { kind: "toChain" })
    assert.strictEqual(HyperCoreWriter.readDeposit(HyperCoreWriter.deposit(wallet, 7n)), 7n)
  })

  it("is not decoded when this module never makes it: another recipient, another token, another version, trailing bytes", () => {
    const raw = (header: Hex, fields: Hex) => ({
      to: writer,
      data: encodeFunctionData({ abi, functionName: "sendRawAction", args: [concatHex([header, fields])] })
    })
    const send = (to: Address, token: bigint) =>
      encodeAbiParameters(parseAbiParameters("address, uint64, uint64"), [to, token, 5n])
    const transfer = encodeAbiParameters(parseAbiParameters("uint64, bool"), [5n, true])
    const good = actionOf(HyperCoreWriter.limitOrder(writer, order))
    for (
      const call of [
        raw("0x01000006", send(stranger, 0n)),
        raw("0x01000006", send(HyperCoreWriter.systemAddress, 1n)),
        raw("0x01000007", transfer),
        raw("0x0100000d", send(HyperCoreWriter.systemAddress, 0n)),
        raw("0x02000001", `0x${good.slice(10)}`),
        raw("0x01000001", `0x${good.slice(10)}00`),
        raw("0x01000001", `0x${good.slice(10, -2)}`),
        { to: writer, data: encodeFunctionData({ abi, functionName: "sendRawAction", args: ["0x01"] }) },
        { to: writer, data: "0x" as const }
      ]
    ) assert.isUndefined(HyperCoreWriter.read(call))
  })
})

describe("the movement of a call to HyperCore", () => {
  it("is an order's notional, a deposit's USDC, and zero for the rest", () => {
    assert.deepStrictEqual(PerpetualContext.movement(chain, HyperCoreWriter.limitOrder(writer, order)), {
      gives: [{ token: usdc, amount: 750n * 10n ** 6n }],
      receiver: null
    })
    assert.deepStrictEqual(PerpetualContext.movement(chain, HyperCoreWriter.deposit(wallet, 7n)), {
      gives: [{ token: usdc, amount: 7n }],
      receiver: null
    })
    for (
      const call of [
        HyperCoreWriter.cancelByOid(writer, 1, 77n),
        HyperCoreWriter.toSpot(writer, 5n),
        HyperCoreWriter.toChain(writer, 5n),
        ...Allowance.set(usdc, wallet, 1n, 7n)
      ]
    ) assert.deepStrictEqual(PerpetualContext.movement(chain, call), { gives: [], receiver: null })
  })

  it("is undefined for calls to other contracts, approvals for other spenders, and networks without HyperCore", () => {
    const base = chainOf(bookOf("base", ["http://127.0.0.1:1"]))
    assert.isUndefined(PerpetualContext.movement(chain, { ...HyperCoreWriter.limitOrder(writer, order), to: stranger }))
    assert.isUndefined(PerpetualContext.movement(chain, { ...HyperCoreWriter.deposit(wallet, 7n), to: stranger }))
    for (const call of Allowance.set(usdc, stranger, 0n, 7n)) assert.isUndefined(PerpetualContext.movement(chain, call))
    assert.isUndefined(PerpetualContext.movement(base, HyperCoreWriter.limitOrder(writer, order)))
  })

  it("rounds dollars up, so that a limit cannot be exceeded in small parts", () => {
    assert.strictEqual(PerpetualContext.notionalOf({ price: 1n, size: 1n }), 1n)
    assert.strictEqual(PerpetualContext.inUsdc(1n, { decimals: 6 }), 1n)
    assert.strictEqual(PerpetualsBook.make({ coreWriter: writer, depositWallet: wallet, usdc, infoUrl: "" }).usdc, usdc)
  })
})
