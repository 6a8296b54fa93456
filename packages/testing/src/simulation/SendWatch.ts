/** Watches signed bytes as they leave, for the promises about them. */
import type { TestChain } from "../test-chain/TestChain.ts"
import * as HiddenTransactions from "./HiddenTransactions.ts"
import * as LifetimeWatch from "./LifetimeWatch.ts"
import type { Attempt } from "./RunEvidence.ts"
import type { VirtualClock } from "./VirtualClock.ts"
import type { Sessions } from "./VirtualPostgres.ts"

export interface SendWatch {
  readonly onSend: (raw: string, isRecorded: boolean) => void
  /** Signed bytes that were sent before their row was committed. */
  readonly unrecorded: ReadonlyArray<string>
  readonly late: LifetimeWatch.LifetimeWatch["late"]
  readonly hiddenDuring: HiddenTransactions.HiddenTransactions["during"]
}

/** `lost`: the attempts that restores without the signing record removed. */
export const make = ({ chain, clock, lost, sessions }: {
  readonly chain: TestChain
  readonly clock: VirtualClock
  readonly sessions: Sessions
  readonly lost: () => ReadonlyArray<Attempt>
}): SendWatch => {
  const lifetimes = LifetimeWatch.make(sessions, clock)
  const hidden = HiddenTransactions.make({ chain, lost })
  const unrecorded: Array<string> = []
  return {
    unrecorded,
    late: lifetimes.late,
    hiddenDuring: hidden.during,
    onSend: (raw, isRecorded) => {
      if (!isRecorded) unrecorded.push(raw)
      lifetimes.onSend(raw)
      hidden.onSend(raw)
    }
  }
}
