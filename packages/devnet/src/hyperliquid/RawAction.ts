/** Decodes the bytes of `CoreWriter.sendRawAction`: version 1, action number, ABI-encoded arguments. */
import * as Option from "effect/Option"
import { decodeAbiParameters, parseAbiParameters } from "viem"
import type { Address, Hex } from "@vault-trader/core/chain/Address"

/** 1: until filled or cancelled, never taking. 2: until filled or cancelled. 3: immediate or cancel. */
type TimeInForce = 1 | 2 | 3

export interface LimitOrder {
  readonly asset: number
  readonly isBuy: boolean
  /** USD and coins, 8 decimals. */
  readonly px: bigint
  readonly sz: bigint
  readonly reduceOnly: boolean
  readonly timeInForce: TimeInForce
  /** The sender's own number for the order; 0 for none. */
  readonly cloid: bigint
}

export type RawAction =
  | { readonly _tag: "limitOrder"; readonly order: LimitOrder }
  /** 8 decimals. */
  | { readonly _tag: "spotSend"; readonly to: Address; readonly token: bigint; readonly amount: bigint }
  /** 6 decimals. */
  | { readonly _tag: "classTransfer"; readonly amount: bigint; readonly toPerp: boolean }
  | { readonly _tag: "cancelByOid"; readonly asset: number; readonly oid: bigint }
  | { readonly _tag: "cancelByCloid"; readonly asset: number; readonly cloid: bigint }
  /** 8 decimals. */
  | {
    readonly _tag: "sendAsset"
    readonly to: Address
    readonly fromDex: number
    readonly toDex: number
    readonly token: bigint
    readonly amount: bigint
  }

const lower = (address: string) => address.toLowerCase() as Address

const isTimeInForce = (value: number): value is TimeInForce => value === 1 || value === 2 || value === 3

const shapes = {
  order: parseAbiParameters(
    "uint32 asset, bool isBuy, uint64 px, uint64 sz, bool reduceOnly, uint8 timeInForce, uint128 cloid"
  ),
  spotSend: parseAbiParameters("address to, uint64 token, uint64 amount"),
  classTransfer: parseAbiParameters("uint64 amount, bool toPerp"),
  cancelByOid: parseAbiParameters("uint32 asset, uint64 oid"),
  cancelByCloid: parseAbiParameters("uint32 asset, uint128 cloid"),
  sendAsset: parseAbiParameters(
    "address to, address subAccount, uint32 fromDex, uint32 toDex, uint64 token, uint64 amount"
  )
}

const read = (id: number, data: Hex): RawAction | undefined => {
  if (id === 1) {
    const [asset, isBuy, px, sz, reduceOnly, timeInForce, cloid] = decodeAbiParameters(shapes.order, data)
    return isTimeInForce(timeInForce)
      ? { _tag: "limitOrder", order: { asset, isBuy, px, sz, reduceOnly, timeInForce, cloid } }
      : undefined
  }
  if (id === 6) {
    const [to, token, amount] = decodeAbiParameters(shapes.spotSend, data)
    return { _tag: "spotSend", to: lower(to), token, amount }
  }
  if (id === 7) {
    const [amount, toPerp] = decodeAbiParameters(shapes.classTransfer, data)
    return { _tag: "classTransfer", amount, toPerp }
  }
  if (id === 10) {
    const [asset, oid] = decodeAbiParameters(shapes.cancelByOid, data)
    return { _tag: "cancelByOid", asset, oid }
  }
  if (id === 11) {
    const [asset, cloid] = decodeAbiParameters(shapes.cancelByCloid, data)
    return { _tag: "cancelByCloid", asset, cloid }
  }
  if (id === 13) {
    const [to, , fromDex, toDex, token, amount] = decodeAbiParameters(shapes.sendAsset, data)
    return { _tag: "sendAsset", to: lower(to), fromDex, toDex, token, amount }
  }
  return undefined
}

// viem throws when the arguments are too short.
const readOrThrow = Option.liftThrowable(read)

/** Returns the action; undefined for bytes that the exchange does not understand and so ignores. */
export const decode = (data: Hex): RawAction | undefined =>
  data.slice(2, 4) === "01" && data.length > 10
    ? Option.getOrUndefined(readOrThrow(Number.parseInt(data.slice(4, 10), 16), `0x${data.slice(10)}`))
    : undefined
