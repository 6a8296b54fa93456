/** The vault platform's guards of contracts: a vault may call a contract, and approve it, only if it has one. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import * as Result from "effect/Result"
import { zeroAddress } from "viem"
import * as Contract from "../chain/Contract.ts"
import { factoryAbi } from "./PlatformAbi.ts"

/** Builds the read of a contract's guard. */
export const read = ({ platformFactory }: Pick<NetworkBook, "platformFactory">, contract: Address) =>
  Contract.read(factoryAbi, platformFactory, "getContractGuard", [contract])

/** Returns true when there is a guard; the zero address means there is none. */
export const isGuarded = (answer: Result.Result<Address, unknown> | undefined): boolean =>
  answer !== undefined && Result.getOrElse(answer, () => zeroAddress) !== zeroAddress
