/**
 * Handlers that mint manager fees. Requests for several vaults run under the wallet's address, as they belong to no
 * single vault.
 */
import { Chain } from "@vault-trader/core/network/Chain"
import { Caller } from "@vault-trader/core/endpoint/Admission"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import {
  MintAllFeesByManagerRequest,
  MintManagerFeeBatchRequest,
  MintManagerFeeRequest
} from "@vault-trader/core/fees/Fees"
import { FeesApi } from "@vault-trader/core/fees/FeesApi"
import * as Effect from "effect/Effect"
import { successOf } from "../endpoint/Success.ts"
import { read } from "../gate/ActorCall.ts"
import { Directory, networkOf } from "../gate/ServedNetworks.ts"
import { Intents } from "../intent/Intents.ts"

export const FeesApiLive = FeesApi.toLayer(Effect.gen(function*() {
  const intents = yield* Intents
  const directory = yield* Directory
  const chains = yield* Chain.client
  return {
    mintManagerFee: ({ dryRun, idempotency_key, network, pool }) =>
      intents.write(successOf(FeesApi, "mintManagerFee"), {
        endpoint: "mintManagerFee",
        network,
        pool,
        request: MintManagerFeeRequest.make({}),
        idempotencyKey: idempotency_key,
        dryRun: dryRun ?? false
      }),
    mintManagerFeeBatch: ({ allowFailure, dryRun, idempotency_key, network, pools }) =>
      Effect.gen(function*() {
        const { repeats, wallet } = yield* Caller
        // Checked before acceptance, as admission does for a single vault.
        const vaults = repeats === undefined ? yield* read(chains(network).vaultsAmong({ addresses: pools })) : pools
        const unknown = pools.filter((pool) => !vaults.includes(pool))
        if (unknown.length > 0) {
          return yield* new ValidationFailure({
            code: "1004",
            message: `pools: not a vault of the platform on ${network}: ${unknown.join(", ")}`
          })
        }
        return yield* intents.write(successOf(FeesApi, "mintManagerFeeBatch"), {
          endpoint: "mintManagerFeeBatch",
          network,
          pool: wallet,
          request: MintManagerFeeBatchRequest.make({ pools, allowFailure: allowFailure ?? true }),
          idempotencyKey: idempotency_key,
          dryRun: dryRun ?? false
        })
      }),
    mintAllFeesByManager: ({ allowFailure, dryRun, idempotency_key, manager, network: named }) =>
      Effect.gen(function*() {
        const network = yield* networkOf(named)
        const { wallet } = yield* Caller
        return yield* intents.write(successOf(FeesApi, "mintAllFeesByManager"), {
          endpoint: "mintAllFeesByManager",
          network,
          pool: wallet,
          request: MintAllFeesByManagerRequest.make({ manager, allowFailure: allowFailure ?? true }),
          idempotencyKey: idempotency_key,
          dryRun: dryRun ?? false
        })
      }).pipe(Effect.provideService(Directory, directory))
  }
}))
