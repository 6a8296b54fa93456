/**
 * Encodes calls to HyperCore from the chain. `sendRawAction` takes one version byte, three bytes that name the action,
 * and its ABI-encoded fields. The transaction succeeds even when HyperCore refuses the action.
 */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { Tif } from "@vault-trader/core/perpetual/Perpetual"
import * as Result from "effect/Result"
import { concatHex, decodeAbiParameters, encodeAbiParameters, parseAbi, parseAbiParameters, slice } from "viem"
import * as Calldata from "../chain/Calldata.ts"
import type { VaultCall } from "../platform/VaultCall.ts"

const writerAbi = parseAbi(["function sendRawAction(bytes data)"])
const depositAbi = parseAbi(["function deposit(uint256 amount, uint32 destinationDex)"])

/** Destination of USDC on HyperCore's spot side that moves it to the chain, to the sender's own address. */
export const systemAddress: Address = "0x2000000000000000000000000000000000000000"

/** HyperCore's token number of USDC. */
const usdcToken = 0n

/** The exchange that deposits go to: the first one, which trades perpetual contracts. */
const firstExchange = 0

const tifCodes: Readonly<Record<Tif, number>> = { alo: 1, gtc: 2, ioc: 3 }

/** Prices and sizes with 8 decimals. */
interface LimitOrder {
  readonly asset: number
  readonly isBuy: boolean
  readonly price: bigint
  readonly size: bigint
  readonly reduceOnly: boolean
  readonly tif: Tif
  readonly cloid: Hex
}

const fields = {
  order: parseAbiParameters(
    "uint32 asset, bool isBuy, uint64 limitPx, uint64 sz, bool reduceOnly, uint8 tif, uint128 cloid"
  ),
  spotSend: parseAbiParameters("address destination, uint64 token, uint64 amount"),
  classTransfer: parseAbiParameters("uint64 ntl, bool toPerp"),
  cancelByOid: parseAbiParameters("uint32 asset, uint64 oid"),
  cancelByCloid: parseAbiParameters("uint32 asset, uint128 cloid")
} as const

/** Version 1 followed by the action's number. */
const headers = {
  order: "0x01000001",
  spotSend: "0x01000006",
  classTransfer: "0x01000007",
  cancelByOid: "0x0100000a",
  cancelByCloid: "0x0100000b"
} as const

const send = (writer: Address, header: Hex, encoded: Hex): VaultCall => ({
  to: writer,
  data: Calldata.encode({ abi: writerAbi, functionName: "sendRawAction", args: [concatHex([header, encoded])] })
})

export const limitOrder = (
  writer: Address,
  { asset, cloid, isBuy, price, reduceOnly, size, tif }: LimitOrder
): VaultCall =>
  send(
    writer,
    headers.order,
    encodeAbiParameters(fields.order, [asset, isBuy, price, size, reduceOnly, tifCodes[tif], BigInt(cloid)])
  )

export const cancelByOid = (writer: Address, asset: number, oid: bigint): VaultCall =>
  send(writer, headers.cancelByOid, encodeAbiParameters(fields.cancelByOid, [asset, oid]))

export const cancelByCloid = (writer: Address, asset: number, cloid: Hex): VaultCall =>
  send(writer, headers.cancelByCloid, encodeAbiParameters(fields.cancelByCloid, [asset, BigInt(cloid)]))

/** Encodes a transfer from the perpetual side to the spot side; USDC with 6 decimals. */
export const toSpot = (writer: Address, amount: bigint): VaultCall =>
  send(writer, headers.classTransfer, encodeAbiParameters(fields.classTransfer, [amount, false]))

/** Encodes a transfer from the spot side to the vault on the chain; USDC with 8 decimals. */
export const toChain = (writer: Address, amount: bigint): VaultCall =>
  send(writer, headers.spotSend, encodeAbiParameters(fields.spotSend, [systemAddress, usdcToken, amount]))

/** Encodes a deposit from the chain to the perpetual side; USDC with the chain's decimals. */
export const deposit = (wallet: Address, amount: bigint): VaultCall => ({
  to: wallet,
  data: Calldata.encode({ abi: depositAbi, functionName: "deposit", args: [amount, firstExchange] })
})

/** The action that a call to the writer requests from HyperCore. */
type Read =
  | { readonly kind: "order"; readonly price: bigint; readonly size: bigint }
  | { readonly kind: "cancel" }
  | { readonly kind: "toSpot" }
  | { readonly kind: "toChain" }

/** Decodes an action with this header; `undefined` unless encoding it again gives the same bytes. */
const decodeAction = <A>(header: Hex, action: Hex, read: (encoded: Hex) => readonly [A, Hex]): A | undefined => {
  if (slice(action, 0, 4) !== header) return undefined
  const [value, reencoded] = Result.getOrElse(
    Result.try(() => read(slice(action, 4))),
    () => [undefined, "0x"] as const
  )
  return value !== undefined && reencoded === slice(action, 4) ? value : undefined
}

/** Decodes a call to the writer; `undefined` for every action this module does not make. */
export const read = ({ data }: VaultCall): Read | undefined => {
  const call = Calldata.read(writerAbi, data)
  const action = call?.args[0]
  if (action === undefined || action.length <= 10) return undefined
  return decodeAction<Read>(headers.order, action, (encoded) => {
    const values = decodeAbiParameters(fields.order, encoded)
    return [{ kind: "order", price: values[2], size: values[3] }, encodeAbiParameters(fields.order, values)]
  }) ??
    decodeAction<Read>(
      headers.cancelByOid,
      action,
      (
        encoded
      ) => [
        { kind: "cancel" },
        encodeAbiParameters(fields.cancelByOid, decodeAbiParameters(fields.cancelByOid, encoded))
      ]
    ) ??
    decodeAction<Read>(
      headers.cancelByCloid,
      action,
      (
        encoded
      ) => [
        { kind: "cancel" },
        encodeAbiParameters(fields.cancelByCloid, decodeAbiParameters(fields.cancelByCloid, encoded))
      ]
    ) ?? decodeAction<Read>(headers.classTransfer, action, (encoded) => {
      const values = decodeAbiParameters(fields.classTransfer, encoded)
      // This module never transfers to the perpetual side, so that direction is not decoded.
      return [{ kind: "toSpot" }, values[1] ? "0x" : encodeAbiParameters(fields.classTransfer, values)]
    }) ?? decodeAction<Read>(headers.spotSend, action, (encoded) => {
      const values = decodeAbiParameters(fields.spotSend, encoded)
      const isOurs = values[0] === systemAddress && values[1] === usdcToken
      return [{ kind: "toChain" }, isOurs ? encodeAbiParameters(fields.spotSend, values) : "0x"]
    })
}

/** Decodes the amount of a call to the deposit wallet, smallest units; `undefined` for any other call. */
export const readDeposit = ({ data }: VaultCall): bigint | undefined => {
  const call = Calldata.read(depositAbi, data)
  return call !== undefined && call.args[1] === firstExchange ? call.args[0] : undefined
}
