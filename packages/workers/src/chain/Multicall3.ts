/** The ABI of Multicall3, which every served network has: batches of calls, balances, and the block they are read at. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import * as Result from "effect/Result"
import { parseAbi } from "viem"
import * as Contract from "./Contract.ts"

export const multicall3Abi = parseAbi([
  "struct Call3 { address target; bool allowFailure; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function aggregate3(Call3[] calls) payable returns (Result[] returnData)",
  "function getEthBalance(address) view returns (uint256)",
  "function getBlockNumber() view returns (uint256)",
  "function getCurrentBlockTimestamp() view returns (uint256)"
])

/** Builds the read of an account's balance in native smallest units, to combine with other reads. */
export const balanceRead = (multicall3: Address, account: Address) =>
  Contract.read(multicall3Abi, multicall3, "getEthBalance", [account])

const arbSysAbi = parseAbi(["function arbBlockNumber() view returns (uint256)"])
const arbSys = "0x0000000000000000000000000000000000000064"

/**
 * Builds the reads of the block's number, to combine with other reads. On Arbitrum contracts see the number of a block
 * of Ethereum, and a system contract returns that of the network itself; a local chain lacks it.
 */
export const blockNumberReads = ({ multicall3, network }: NetworkBook) => [
  Contract.read(multicall3Abi, multicall3, "getBlockNumber", []),
  ...(network === "arbitrum" ? [Contract.read(arbSysAbi, arbSys, "arbBlockNumber", [])] : [])
]

/** Returns the block's number from the results of `blockNumberReads`; `undefined` when the node does not return it. */
export const blockNumberIn = (
  [seen, own = seen]: ReadonlyArray<Result.Result<bigint, unknown>>
): bigint | undefined =>
  [own, seen].flatMap((answer) => answer !== undefined && Result.isSuccess(answer) ? [answer.success] : [])[0]
