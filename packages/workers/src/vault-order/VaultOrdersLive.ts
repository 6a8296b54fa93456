/** The orders of vaults: their actor and its scheduler, with the services that only they use. */
import { OrderSliceStore } from "@vault-trader/core/intent/OrderSliceStore"
import { VaultOrderStore } from "@vault-trader/core/vault-order/VaultOrderStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SliceSizerLive } from "../trading/SliceSizer.ts"
import { OrderInterval, WatchLive } from "./OrderScheduler.ts"
import { VaultOrderLive } from "./VaultOrder.ts"

export const VaultOrdersLive = Layer.unwrap(
  Effect.map(OrderInterval, (seconds) => Layer.merge(VaultOrderLive, WatchLive(seconds)))
).pipe(
  Layer.provide([OrderSliceStore.layer, VaultOrderStore.layer, SliceSizerLive])
)
