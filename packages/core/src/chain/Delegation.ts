/** Code at the address of an account: a delegation to a contract (EIP-7702). */
import { type Address, type Hex, parse } from "./Address.ts"

/** The first bytes of the code of an account that is delegated; the delegate's address follows. */
const designator = "0xef0100"

/** Returns the contract that an account is delegated to; undefined for any other code. */
export const delegateOf = (code: Hex): Address | undefined =>
  code.startsWith(designator) ? parse(`0x${code.slice(designator.length)}`) : undefined
