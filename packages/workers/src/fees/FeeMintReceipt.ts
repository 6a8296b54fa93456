/** Encodes the mint of a vault's manager fee and decodes its receipt. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { format } from "@vault-trader/core/chain/Quantity"
import type { Log } from "@vault-trader/core/gas-wallet/Submission"
import * as Result from "effect/Result"
import { decodeAbiParameters, parseAbiParameters, toEventSelector } from "viem"
import { poolAbi } from "../platform/PlatformAbi.ts"
import * as Calldata from "../chain/Calldata.ts"

/** Calldata of a vault's `mintManagerFee`. */
export const mintCall: Hex = Calldata.encode({ abi: poolAbi, functionName: "mintManagerFee" })

/** Minted vault tokens, 18 decimals. */
interface Minted {
  readonly managerFee: bigint
  readonly daoFee: bigint
}

/** Vault, manager, available fee, platform's part, manager's part, token price; none is indexed. */
const eventTypes = "address,address,uint256,uint256,uint256,uint256"
const eventParameters = parseAbiParameters(eventTypes)
const topic = toEventSelector(`ManagerFeeMinted(${eventTypes})`)

/** Returns the amounts minted by a vault according to a receipt; `undefined` when nothing was minted. */
export const mintedBy = (logs: ReadonlyArray<Log>, pool: Address): Minted | undefined => {
  const log = logs.find(({ address, topics }) => address === pool && topics[0] === topic)
  if (log === undefined) return undefined
  const event = Result.try(() => decodeAbiParameters(eventParameters, log.data))
  return Result.isSuccess(event) ? { daoFee: event.success[3], managerFee: event.success[4] } : undefined
}

/** Formats an amount of vault tokens. */
export const tokens = (raw: bigint): string => format(raw, 18)
