/** Decodes what lending calls take out of a vault, with the adapter of the market they call. */
import { lenders as lenderNames } from "@vault-trader/core/lending/Lending"
import type { Address } from "@vault-trader/core/chain/Address"
import * as Calldata from "../chain/Calldata.ts"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { erc20 } from "../chain/Tokens.ts"
import type { MovementDecoder } from "../platform/AssetMovement.ts"
import { lenders } from "./LenderRegistry.ts"
import type { LenderCall } from "./LenderMarket.ts"

const lenderAt = (chain: ChainClient, address: Address) =>
  lenderNames.map((name) => lenders[name]).find((lender) => lender.contracts(chain).includes(address))

/** Decodes an approval for a market. Nothing leaves the vault by it. */
export const approval: MovementDecoder = (chain, { data }) => {
  const call = Calldata.read(erc20, data)
  return call?.functionName === "approve" && lenderAt(chain, Contract.lower(call.args[0])) !== undefined
    ? { gives: [], receiver: null }
    : undefined
}

/** Builds a decoder for calls of these kinds and the approvals that go with them. */
export const of = (...kinds: ReadonlyArray<LenderCall["kind"]>): MovementDecoder => (chain, call) => {
  const decoded = lenderAt(chain, call.to)?.decode(call.to, call.data)
  if (decoded === undefined) return approval(chain, call)
  const { gives, receiver } = decoded
  return kinds.includes(decoded.kind) ? { gives, receiver } : undefined
}
