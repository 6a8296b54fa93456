/** Changes that wait for approvals, as the manager may see them. */
import type { Verdict } from "@vault-trader/core/change-approval/ChangeVote"
import { call } from "../connection/RpcConnection.ts"
import { useLive } from "../connection/useLive.ts"
import { signTypedData } from "../session/SignedAction.ts"

export const useApprovals = () => useLive(["approvals"], (client) => client.live["manager.getApprovals"]({ all: true }))

type Approvals = NonNullable<ReturnType<typeof useApprovals>["data"]>
export type ChangeRequest = Approvals["requests"][number]

/** Has the manager's wallet sign a vote and sends it; returns the service's message. */
export const vote = async ({ change, request }: ChangeRequest, verdict: Verdict): Promise<string> => {
  const about = { request, change, verdict }
  const signature = await signTypedData(() => call((client) => client.voteToSign(about)))
  return call((client) => client.voteOnChange({ ...about, signature }))
}
