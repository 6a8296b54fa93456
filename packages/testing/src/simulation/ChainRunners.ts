/** The runners of a run on a chain. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Request } from "../test-chain/Rpc.ts"
import type { TestChain } from "../test-chain/TestChain.ts"
import { FollowerInterval } from "@vault-trader/workers/follower/FollowerScheduler"
import * as Effect from "effect/Effect"
import { finalityDepth } from "./ChainFaults.ts"
import type { Environment } from "./Environment.ts"
import { isOnIn, readingSeconds } from "./FollowerWorkload.ts"
import type * as Process from "./Process.ts"
import type { RecordDisk } from "./RecordDisk.ts"
import { network } from "./RunFixture.ts"
import * as Runner from "./Runner.ts"
import * as Runners from "./Runners.ts"
import type { Sessions } from "./VirtualPostgres.ts"

/** Builds the runners of the chain's actors, which reach its nodes by `requests`. */
export const make = (
  environment: Environment,
  options: {
    readonly fork: <A, E>(effect: Effect.Effect<A, E>) => void
    readonly sessions: Sessions
    readonly chain: TestChain
    readonly treasury: Address | undefined
    readonly record: RecordDisk["record"]
    readonly maxSkewMillis: number
    readonly requests: (process: Process.Process) => ReadonlyArray<Request>
  }
): Runners.Runners => {
  const { chain, fork, maxSkewMillis, record, requests, sessions, treasury } = options
  const { chance, clock, counts } = environment
  const drawSkew = () => {
    if (maxSkewMillis === 0) return 0
    counts.count("runner with a wrong clock")
    return chance.below(2 * maxSkewMillis) - maxSkewMillis
  }
  const book = chain.book({
    blockPollMillis: 500,
    finalityDepth: finalityDepth,
    patienceMillis: 10_000,
    maxFeePerGas: 50_000_000_000n
  })
  return Runners.make(environment, {
    fork,
    host: (process, locksFail) =>
      Runner.start({
        ...{ process, locksFail, treasury, record },
        books: new Map([[network, { book, nodes: requests(process) }]]),
        sql: sessions.client(process),
        clock: clock.of(process, drawSkew())
      }).pipe(
        isOnIn(environment.seed) ? Effect.provideService(FollowerInterval, readingSeconds) : (start) => start
      )
  })
}
