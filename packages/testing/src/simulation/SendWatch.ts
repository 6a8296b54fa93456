/** Watches signed bytes as they leave, for the promises about them. */
import type { Hash } from "@vault-trader/core/chain/Address"
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
export const make = ({ chain, clock, lost, sessions, wasMined }: {
  readonly chain: TestChain
  readonly clock: VirtualClock
  readonly sessions: Sessions
  readonly lost: () => ReadonlyArray<Attempt>
  /** Returns true for a transaction that a block has, or had before a reorg. */
  readonly wasMined: (hash: Hash) => boolean
}): SendWatch => {
  const lifetimes = LifetimeWatch.make(sessions, clock, wasMined)
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
