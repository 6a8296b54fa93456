/**
 * Encodes and decodes calldata. viem hashes a function's signature each time it needs the selector; here the selectors of
 * an ABI are computed once.
 */
import type { Hex } from "@vault-trader/core/chain/Address"
import * as Result from "effect/Result"
import {
  type Abi,
  type AbiFunction,
  decodeAbiParameters,
  type DecodeFunctionDataReturnType,
  encodeFunctionData,
  type EncodeFunctionDataParameters,
  slice,
  toFunctionSelector
} from "viem"

interface AbiEntry {
  readonly item: AbiFunction
  readonly selector: Hex
}

/** The functions of an ABI. A name that several of them have is missing in `byName`: the arguments decide which it is. */
interface Functions {
  readonly byName: ReadonlyMap<string, AbiEntry>
  readonly bySelector: ReadonlyMap<Hex, AbiEntry>
}

const known = new WeakMap<Abi, Functions>()

const indexOf = (abi: Abi): Functions => {
  const all = abi.flatMap((item): ReadonlyArray<AbiEntry> =>
    item.type === "function" ? [{ item, selector: toFunctionSelector(item) }] : []
  )
  const isOnly = ({ item: { name } }: AbiEntry) => all.filter(({ item }) => item.name === name).length === 1
  return {
    byName: new Map(all.filter(isOnly).map((each) => [each.item.name, each])),
    // The first one counts, as with viem.
    bySelector: new Map(all.toReversed().map((each) => [each.selector, each]))
  }
}

const functionsOf = (abi: Abi): Functions => {
  const found = known.get(abi) ?? indexOf(abi)
  known.set(abi, found)
  return found
}

/** Encodes a call. Throws for arguments that the function does not take. */
export const encode: typeof encodeFunctionData = (parameters) => {
  const call = parameters as EncodeFunctionDataParameters
  const { abi, args, functionName } = call
  const found = functionName === undefined ? undefined : functionsOf(abi).byName.get(functionName)
  return found === undefined
    ? encodeFunctionData(call)
    : encodeFunctionData({ abi: [found.item], functionName: found.selector, args })
}

/** Decodes a call in any encoding; throws for bytes that call no function of the ABI. */
const decode = <const abi extends Abi>(abi: abi, data: Hex): DecodeFunctionDataReturnType<abi> => {
  const found = functionsOf(abi).bySelector.get(slice(data, 0, 4))
  if (found === undefined) throw new Error("no function of the ABI has this selector")
  const { inputs, name } = found.item
  const args = inputs.length > 0 ? decodeAbiParameters(inputs, slice(data, 4)) : undefined
  return { functionName: name, args }
}

/**
 * Returns the function of `abi` that these bytes call, and its arguments. `undefined` for any other bytes, and for
 * bytes that are not the canonical encoding: a contract may decode those differently, so our decoding cannot be relied
 * on.
 */
export const read = <const abi extends Abi>(abi: abi, data: Hex): DecodeFunctionDataReturnType<abi> | undefined =>
  Result.getOrUndefined(Result.try(() => {
    const call = decode(abi, data)
    const encoded = encode(
      { abi, functionName: call.functionName, args: call.args } as unknown as EncodeFunctionDataParameters
    )
    return encoded === data.toLowerCase() ? call : undefined
  }))

/** The same for any encoding. For calldata from third parties, which is encoded again before it is used. */
export const readLoosely = <const abi extends Abi>(
  abi: abi,
  data: Hex
): DecodeFunctionDataReturnType<abi> | undefined => Result.getOrUndefined(Result.try(() => decode(abi, data)))
