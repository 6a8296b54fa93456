/** How actors find their messages: one runner in this process, or any number of runners and servers on one PostgreSQL. */
import * as RunnerAddress from "@effect/cluster/RunnerAddress"
import * as SingleRunner from "@effect/cluster/SingleRunner"
import * as NodeClusterSocket from "@effect/platform-node/NodeClusterSocket"
import * as Option from "effect/Option"
import type { Settings } from "./Settings.ts"

/**
 * Few shards and short locks, as measured: a dead runner's actors live again within seconds. Equal on all runners. One that is asked to end,
 * or gives shards away, answers what takes no longer than a moment; an actor that waits for the chain would hold its shards until then, so it
 * ends where it stands, and the next owner goes on from its rows.
 */
const tuned = {
  shardsPerGroup: 32,
  shardLockExpiration: "6 seconds",
  shardLockRefreshInterval: "2 seconds",
  entityMessagePollInterval: "1 second",
  refreshAssignmentsInterval: "1 second",
  runnerHealthCheckInterval: "3 seconds",
  entityTerminationTimeout: "250 millis"
} as const

/** One process is all there is. Messages between its actors are handed over as they are. */
export const Alone = SingleRunner.layer({ runnerStorage: "sql", shardingConfig: { ...tuned, simulateRemoteSerialization: false } })

/** A runner among others, reachable at RUNNER_HOST:RUNNER_PORT. */
export const Runner = (settings: Settings) =>
  NodeClusterSocket.layer({
    storage: "sql",
    shardingConfig: {
      ...tuned,
      runnerAddress: Option.some(RunnerAddress.make(settings.workers.runnerHost, settings.workers.runnerPort))
    }
  })

/** Hosts nothing, talks to whatever runners there are. */
export const Client = NodeClusterSocket.layer({ clientOnly: true, storage: "sql", shardingConfig: { ...tuned, runnerAddress: Option.none() } })
