/** Samples the values of vaults on every network that this runner serves. */
import { VaultEventStore } from "@vault-trader/core/gas-wallet/VaultEventStore"
import { ValueSampleStore } from "@vault-trader/core/performance/ValueSampleStore"
import * as Singleton from "effect/cluster/Singleton"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Chains } from "../chain/Chains.ts"
import { SamplingPolicy } from "./SamplingPolicy.ts"
import { run } from "./ValueSampler.ts"

export const PerformanceLive = Layer.unwrap(
  Effect.map(
    Effect.all([Chains, SamplingPolicy]),
    ([{ networks }, sampling]) =>
      Layer.mergeAll(
        Layer.empty,
        ...networks.map((network) => Singleton.make(`ValueSampler/${network}`, run(network, sampling)))
      )
  )
).pipe(Layer.provide([ValueSampleStore.layer, VaultEventStore.layer]))
