/** What a revert says. Data is decoded, never the node's message: messages differ between nodes and may hold raw bytes. */
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
  "error ZeroMinReturn()"
])

const longest = 200

/** A contract says what it likes: control characters (a NUL is one the ledger cannot store) and all that is too long go. */
const words = (text: string): string => {
  const printable = Array.from(text.replace(/\p{C}/gu, "")).slice(0, longest).join("")
  return printable === "" ? "no reason given" : printable
}

/** The reason in words, printable and short; for unknown custom errors their selector, for no data "no reason given". */
export const reasonOf = (data: string | undefined): string => {
  if (data === undefined || !/^0x[0-9a-fA-F]{8,}$/.test(data)) return "no reason given"
  const decoded = Result.try(() => decodeErrorResult({ abi: known, data: data as Hex }))
  if (Result.isFailure(decoded)) return `custom error ${data.slice(0, 10)}`
  const { errorName, args } = decoded.success
  return errorName === "Error" ? words(String(args[0])) : `${errorName}(${args.map(String).join(", ")})`
}
