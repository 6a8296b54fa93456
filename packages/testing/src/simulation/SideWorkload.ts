/** Workloads beside the trades of a run. Each lives in every fourth run, with randomness of its own. */
import type * as Effect from "effect/Effect"
import type { Fixture } from "./RunFixture.ts"
import type { VirtualClock } from "./VirtualClock.ts"
import type { Sessions } from "./VirtualPostgres.ts"
import type * as Layer from "effect/Layer"
import type * as SqlClient from "effect/sql/SqlClient"

/** Records a violation unless the invariant holds. */
type Expect = (holds: boolean, invariant: string) => void

export interface SideWorkload {
  readonly isOn: boolean
  /** Makes one request. */
  readonly submit: Effect.Effect<void>
  /** Notes what a later check needs. Call it between transactions. */
  readonly onBlock: () => void
  /** Ends what would go on by itself. Call it when the faults have stopped. */
  readonly stop: Effect.Effect<void>
  /** Counts what has not ended. */
  readonly countOpen: () => number
  /** Checks the promises; after a restore, only those that the rows which are there must keep. */
  readonly check: (restored: boolean, expect: Expect) => void
}

export interface Options {
  readonly seed: number
  readonly clock: VirtualClock
  readonly fixture: Fixture
  readonly sessions: Sessions
  readonly sql: Layer.Layer<SqlClient.SqlClient>
}
