/** Mints the fees of many vaults in one transaction: those the caller lists, or all of a manager. */
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import type { MintAllFeesByManagerRequest, MintManagerFeeBatchRequest } from "@vault-trader/core/fees/Fees"
import * as Effect from "effect/Effect"
import * as Action from "../vault/Action.ts"
import * as FeeMintBatch from "./FeeMintBatch.ts"
import { survey } from "./FeeSurvey.ts"
import { ManagedVaults } from "../manager/ManagedVaults.ts"

const parts = {
  charge: "managerFee",
  details: FeeMintBatch.Details,
  // The mint is never a call made by a vault itself.
  decodeMovement: () => undefined,
  directMovement: FeeMintBatch.movement,
  describe: (details: FeeMintBatch.Details) => FeeMintBatch.fields(details, null),
  interpretReceipt: (_: unknown, details: FeeMintBatch.Details, receipt: Parameters<typeof FeeMintBatch.settle>[1]) =>
    FeeMintBatch.settle(details, receipt)
} as const

export const MintManagerFeeBatch = Action.makeOpen<
  MintManagerFeeBatchRequest,
  FeeMintBatch.Details,
  typeof FeeMintBatch.Details.Encoded,
  never
>({
  ...parts,
  plan: (place, { allowFailure, pools }) =>
    Effect.gen(function*() {
      const found = yield* survey(place.chain, pools)
      const notVaults = pools.filter((_, index) => found[index] === undefined)
      if (notVaults.length > 0) {
        return yield* new ValidationFailure({
          code: "1004",
          message: `pools: not a vault of the platform on ${place.network}: ${notVaults.join(", ")}`
        })
      }
      const vaults = found.flatMap((vault) => vault ?? [])
      return yield* FeeMintBatch.plan(place, { manager: null, scanned: pools.length, vaults, allowFailure })
    })
})

export const MintAllFeesByManager = Action.makeOpen<
  MintAllFeesByManagerRequest,
  FeeMintBatch.Details,
  typeof FeeMintBatch.Details.Encoded,
  ManagedVaults
>({
  ...parts,
  plan: (place, { allowFailure, manager }) =>
    Effect.gen(function*() {
      const { pools, scanned } = yield* (yield* ManagedVaults).of(place.network, place.chain, manager)
      const found = yield* survey(place.chain, pools)
      // Drops vaults whose manager has changed since they were found.
      const vaults = found.flatMap((vault) => vault?.manager === manager ? [vault] : [])
      return yield* FeeMintBatch.plan(place, { manager, scanned, vaults, allowFailure })
    })
})
