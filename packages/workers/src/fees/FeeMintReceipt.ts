/** What minting a vault's fee says about itself: in its receipt, and in its bytes. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { format } from "@vault-trader/core/chain/Quantity"
import type { Log } from "@vault-trader/core/gas-wallet/Submission"
import * as Result from "effect/Result"
import { decodeAbiParameters, encodeFunctionData, parseAbiParameters, toEventSelector } from "viem"
import { poolAbi } from "../platform/PlatformAbi.ts"

/** The call of a vault that mints its manager's fee. */
export const mintCall: Hex = encodeFunctionData({ abi: poolAbi, functionName: "mintManagerFee" })

/** Vault tokens, 18 decimals. */
export interface Minted {
  readonly managerFee: bigint
  readonly daoFee: bigint
}

/** Vault, manager, what was available, what the platform and the manager got of it, token price; nothing of it is indexed. */
const eventTypes = "address,address,uint256,uint256,uint256,uint256"
const eventParameters = parseAbiParameters(eventTypes)
const topic = toEventSelector(`ManagerFeeMinted(${eventTypes})`)

/** What a receipt says was minted of a vault; `undefined` when nothing was. */
export const mintedBy = (logs: ReadonlyArray<Log>, pool: Address): Minted | undefined => {
  const log = logs.find(({ address, topics }) => address === pool && topics[0] === topic)
  if (log === undefined) return undefined
  const event = Result.try(() => decodeAbiParameters(eventParameters, log.data))
  return Result.isSuccess(event) ? { daoFee: event.success[3], managerFee: event.success[4] } : undefined
}

/** Vault tokens for people. */
export const tokens = (raw: bigint): string => format(raw, 18)
