/** Where the rules of a vault (bots, orders, guardians) read the vault. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { Failure } from "@vault-trader/core/failure/Failure"
import { mayTrade } from "@vault-trader/core/vault/Vault"
import * as Effect from "effect/Effect"
import type { ChainClient } from "../chain/ChainClient.ts"
import type { Tokens } from "../chain/Tokens.ts"
import type { VaultContext } from "./Action.ts"
import type { VaultReader } from "./VaultReader.ts"

export interface VaultSource {
  readonly network: Network
  readonly chain: ChainClient
  readonly reader: VaultReader
  readonly tokens: Tokens["Service"]
}

/** Returns the vault as an action of the wallet sees it; 1006 unless the wallet may trade it. */
export const contextOf = (
  { chain, network, reader }: VaultSource,
  pool: Address,
  wallet: Address
): Effect.Effect<VaultContext, Failure> =>
  Effect.gen(function*() {
    const { assets, facts } = yield* reader.recentState
    yield* mayTrade(facts, wallet)
    return { network, pool, chain, wallet, assets, facts }
  })
