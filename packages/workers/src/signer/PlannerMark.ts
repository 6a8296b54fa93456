/** A mark of a process's planner key: equal in two processes exactly if they have the same key. */
import type { SubmissionMacs } from "@vault-trader/core/gas-wallet/SubmissionMac"

const nowhere = "0x0000000000000000000000000000000000000000"

/** Returns the MAC of a submission that never exists: its key is no submission's. */
export const of = (macs: SubmissionMacs): string =>
  macs.of({
    ...{ key: "mark of the planner key", intentId: null, network: "ethereum", wallet: nowhere, to: nowhere },
    ...{ data: "0x", value: 0n, reserve: 0n }
  }) ?? ""
