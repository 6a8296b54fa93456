/**
 * Handlers that mint manager fees. Requests for several vaults run under the wallet's address, as they belong to no
 * single vault.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { Chain } from "@vault-trader/core/network/Chain"
import { Caller } from "@vault-trader/core/endpoint/Admission"
import { type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import {
  MintAllFeesByManagerRequest,
  MintManagerFeeBatchRequest,
  MintManagerFeeRequest
} from "@vault-trader/core/fees/Fees"
import { FeesApi } from "@vault-trader/core/fees/FeesApi"
import * as Effect from "effect/Effect"
import * as Handlers from "../wire/Handlers.ts"
import { read } from "../gate/ActorCall.ts"
import { Intents } from "../intent/Intents.ts"

/** Refuses addresses that are not vaults, before acceptance, as admission does for a single vault. */
const checkVaults = (
  network: Network,
  pools: ReadonlyArray<Address>,
  vaultsAmong: (addresses: ReadonlyArray<Address>) => Effect.Effect<ReadonlyArray<Address>, Failure>
) =>
  Effect.gen(function*() {
    const { repeats } = yield* Caller
    if (repeats !== undefined) return
    const vaults = yield* vaultsAmong(pools)
    const unknown = pools.filter((pool) => !vaults.includes(pool))
    if (unknown.length > 0) {
      return yield* new ValidationFailure({
        code: "1004",
        message: `pools: not a vault of the platform on ${network}: ${unknown.join(", ")}`
      })
    }
  })

export const FeesApiLive = Handlers.layer(
  FeesApi,
  Effect.gen(function*() {
    const intents = yield* Intents
    const chains = yield* Chain.client
    return {
      mintManagerFee: intents.write(FeesApi, "mintManagerFee", () => MintManagerFeeRequest.make({})),
      mintManagerFeeBatch: intents.write(
        FeesApi,
        "mintManagerFeeBatch",
        ({ allowFailure = true, network, pools }) =>
          Effect.as(
            checkVaults(network, pools, (addresses) => read(chains(network).vaultsAmong({ addresses }))),
            MintManagerFeeBatchRequest.make({ pools, allowFailure })
          )
      ),
      mintAllFeesByManager: intents.write(
        FeesApi,
        "mintAllFeesByManager",
        ({ allowFailure = true, manager }) => MintAllFeesByManagerRequest.make({ manager, allowFailure })
      )
    }
  })
)
