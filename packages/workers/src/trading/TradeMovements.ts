/** Decodes what a trade's calls take out of a vault, with the adapter of the venue they call. */
import { erc20 } from "../chain/Tokens.ts"
import * as Calldata from "../chain/Calldata.ts"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import type { Address } from "@vault-trader/core/chain/Address"
import type { MovementDecoder } from "../platform/AssetMovement.ts"
import * as PoolTokenCalls from "./PoolTokenCalls.ts"
import { venues } from "../venue/VenueRegistry.ts"

const venueAt = (chain: ChainClient, router: Address) =>
  Object.values(venues).find((venue) => venue.router(chain) === router)

/** Decodes an approval for a venue's router. Nothing leaves the vault by it. */
export const approval: MovementDecoder = (chain, { data }) => {
  const call = Calldata.read(erc20, data)
  return call?.functionName === "approve" && venueAt(chain, Contract.lower(call.args[0])) !== undefined
    ? { gives: [], receiver: null }
    : undefined
}

/** Decodes the steps in which a pool token is redeemed. */
export const redemption: MovementDecoder = PoolTokenCalls.redemption

/** Compares calls of EasySwapperV2 with the request that they are made for. */
export const refuses = PoolTokenCalls.refuses

/** Decodes a swap on a venue. */
export const swap: MovementDecoder = (chain, { data, to }) => {
  const swap = venueAt(chain, to)?.decode(data)
  return swap === undefined
    ? undefined
    : { gives: [{ token: swap.tokenIn, amount: swap.amountIn }], receiver: swap.receiver }
}
