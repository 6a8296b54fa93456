/** Encoding and decoding with kept selectors gives what viem gives, for calls of any function of these ABIs. */
import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "fast-check"
import {
  type Abi,
  type AbiFunction,
  type AbiParameter,
  decodeFunctionData,
  encodeFunctionData,
  type EncodeFunctionDataParameters,
  type Hex,
  parseAbi,
  toFunctionSelector
} from "viem"
import * as Calldata from "../../src/chain/Calldata.ts"
import { multicall3Abi } from "../../src/chain/Multicall3.ts"
import { positionManagerAbi } from "../../src/liquidity/PositionManager.ts"
import { factoryAbi, managerLogicAbi, poolAbi } from "../../src/platform/PlatformAbi.ts"
import { easySwapperAbi } from "../../src/venue/EasySwapper.ts"

const overloaded = parseAbi([
  "function pay(address to, uint256 amount)",
  "function pay(address to, uint256 amount, bytes note)",
  "function stop()",
  "event Paid(address indexed to)"
])
const abis: ReadonlyArray<Abi> = [
  factoryAbi,
  managerLogicAbi,
  poolAbi,
  multicall3Abi,
  positionManagerAbi,
  easySwapperAbi,
  overloaded
]
const functions = abis.flatMap((abi) =>
  abi.flatMap((item): ReadonlyArray<{ readonly abi: Abi; readonly item: AbiFunction }> =>
    item.type === "function" ? [{ abi, item }] : []
  )
)

const hexOf = (bytes: number) => FastCheck.uint8Array({ minLength: bytes, maxLength: bytes }).map(toHex)
const toHex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString("hex")}`

/** Values of a parameter's type. */
const valueOf = (parameter: AbiParameter): FastCheck.Arbitrary<unknown> => {
  const list = /^(.*)\[(\d*)\]$/.exec(parameter.type)
  if (list !== null) {
    const [, type = "", size = ""] = list
    const bounds = size === "" ? { maxLength: 3 } : { minLength: Number(size), maxLength: Number(size) }
    return FastCheck.array(valueOf({ ...parameter, type }), bounds)
  }
  if (parameter.type === "tuple") {
    const { components } = parameter as { readonly components: ReadonlyArray<AbiParameter & { readonly name: string }> }
    return FastCheck.record(Object.fromEntries(components.map((each) => [each.name, valueOf(each)])))
  }
  const number = /^(u?)int(\d+)$/.exec(parameter.type)
  if (number !== null) {
    const bits = BigInt(number[2] ?? 256)
    const [min, max] = number[1] === "u" ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n]
    return FastCheck.bigInt({ min, max }).map((value) => bits <= 48n ? Number(value) : value)
  }
  if (parameter.type === "bool") return FastCheck.boolean()
  if (parameter.type === "string") return FastCheck.string()
  if (parameter.type === "bytes") return FastCheck.uint8Array({ maxLength: 70 }).map(toHex)
  return hexOf(parameter.type === "address" ? 20 : Number(parameter.type.slice("bytes".length)))
}

const call = FastCheck.constantFrom(...functions).chain(({ abi, item }) =>
  FastCheck.tuple(...item.inputs.map(valueOf)).map((args) => ({ abi, item, args }))
)

describe("calldata", () => {
  it("is encoded as viem encodes it, and decoded as viem decodes it", () => {
    FastCheck.assert(
      FastCheck.property(call, ({ abi, args, item }) => {
        const parameters = { abi, functionName: item.name, args } as EncodeFunctionDataParameters
        const data = Calldata.encode(parameters)
        assert.strictEqual(data, encodeFunctionData(parameters))
        assert.strictEqual(data.slice(0, 10), toFunctionSelector(item))
        assert.deepStrictEqual(Calldata.read(abi, data), decodeFunctionData({ abi, data }))
        assert.deepStrictEqual(Calldata.readLoosely(abi, `${data}00`), decodeFunctionData({ abi, data: `${data}00` }))
        assert.isUndefined(Calldata.read(abi, `${data}00`))
      }),
      { numRuns: 300 }
    )
  })

  it("of no function of the ABI is not read", () => {
    for (const data of ["0x", "0x12", "0x12345678"] as const) {
      assert.isUndefined(Calldata.read(poolAbi, data))
      assert.isUndefined(Calldata.readLoosely(poolAbi, data))
    }
  })

  it("is not encoded for a function that the ABI has not, or with arguments that it does not take", () => {
    const abi: Abi = overloaded
    const encoded = (functionName: string, args: ReadonlyArray<unknown>) => () =>
      Calldata.encode({ abi, functionName, args })
    assert.throws(encoded("steal", []))
    assert.throws(encoded("stop", [1n]))
    assert.throws(encoded("pay", ["0x12", 1n]))
  })
})
