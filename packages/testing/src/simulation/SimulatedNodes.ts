/** The endpoints of a run's chain. */
import * as FaultyNode from "../test-chain/FaultyNode.ts"
import * as LyingNode from "../test-chain/LyingNode.ts"
import type { TestChain } from "../test-chain/TestChain.ts"
import * as Effect from "effect/Effect"
import type { ChainProfile } from "./ChainProfile.ts"
import type { Environment } from "./Environment.ts"
import * as FaultProfile from "./FaultProfile.ts"

/** An endpoint: the faults of single calls in front of a node that may lie. */
export interface SimulatedNode {
  readonly faults: FaultyNode.Faults
  readonly node: LyingNode.LyingNode
}

/** Builds the nodes of the chain, with the faults of the run's profile. */
export const make = (
  { counts, profile, seed }: Environment,
  { endpoints, keptBlocks }: ChainProfile,
  chain: TestChain
) =>
  Effect.forEach(Array.from({ length: endpoints }, (_, index) => index), (index) =>
    Effect.gen(function*() {
      if (keptBlocks !== undefined) counts.count("endpoint that keeps little state")
      const node = LyingNode.make(chain, keptBlocks === undefined ? {} : { keptBlocks })
      const faults = yield* FaultyNode.make(node, { seed: seed * 7 + index })
      yield* faults.odds(FaultyNode.anyMethod, FaultProfile.odds(profile))
      yield* faults.odds("eth_sendRawTransaction", FaultProfile.oddsOfSends(profile))
      return { faults, node }
    }))
