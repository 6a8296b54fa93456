/** Decodes revert data. The node's message is never used: messages differ between nodes and may contain raw bytes. */
import * as Result from "effect/Result"
import { decodeErrorResult, type Hex, parseAbi } from "viem"

const known = parseAbi([
  "error Error(string)",
  "error Panic(uint256)",
  "error ERC20InsufficientBalance(address,uint256,uint256)",
  "error ERC20InsufficientAllowance(address,uint256,uint256)",
  "error SafeERC20FailedOperation(address)",
  "error AddressEmptyCode(address)",
  "error ReturnAmountIsNotEnough(uint256 result, uint256 minReturn)",
  "error ZeroMinReturn()",
  "error BadPool()"
])

const maxLength = 200

/** Removes control characters (the ledger cannot store a NUL) and truncates: a contract may return any text. */
const printableText = (text: string): string => {
  const printable = Array.from(text.replace(/\p{C}/gu, "")).slice(0, maxLength).join("")
  return printable === "" ? "no reason given" : printable
}

/**
 * Returns the reason as printable, short text; the selector of an unknown custom error; "no reason given" without data.
 */
export const reasonOf = (data: string | undefined): string => {
  if (data === undefined || !/^0x[0-9a-fA-F]{8,}$/.test(data)) return "no reason given"
  const decoded = Result.try(() => decodeErrorResult({ abi: known, data: data as Hex }))
  if (Result.isFailure(decoded)) return `custom error ${data.slice(0, 10)}`
  const { errorName, args } = decoded.success
  return errorName === "Error" ? printableText(String(args[0])) : `${errorName}(${args.map(String).join(", ")})`
}
