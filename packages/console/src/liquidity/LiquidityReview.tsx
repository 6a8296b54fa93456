/** The review of an action on liquidity: exactly what is done. It is sent once for its terms. */
import { Text } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { queries } from "../connection/QueryCache.ts"
import { ActionSummary } from "../shell/ActionSummary.tsx"
import { Confirm } from "../shell/Confirm.tsx"
import type { VaultRef } from "../vault/VaultRef.ts"
import { linesOf, type PlanContext } from "./PlanLines.ts"
import { type LiquidityPlan, type LiquidityRequest, send } from "./LiquidityPlans.ts"
import { actionTexts } from "./LiquidityTexts.ts"
import { t } from "../text/Text.ts"

export function LiquidityReview({ back, children, context, done, plan, request, requestKey, title, vault }: {
  readonly vault: VaultRef
  readonly request: LiquidityRequest
  /** Undefined while it is not known; nothing can be sent without it. */
  readonly plan: LiquidityPlan | undefined
  readonly context: PlanContext
  readonly requestKey: string
  readonly title: string
  readonly back: () => void
  /** Receives the id of the request that was sent. */
  readonly done: (intent: string) => void
  readonly children?: ReactNode
}) {
  const sending = useMutation({
    mutationFn: () => send(vault, request, requestKey),
    onSuccess: done,
    onSettled: () => queries.invalidateQueries()
  })
  const { about, action } = actionTexts[request.action]
  return (
    <Confirm
      title={title}
      action={action}
      close={back}
      disabled={plan === undefined || plan.note !== undefined}
      loading={sending.isPending}
      problem={sending.error}
      onConfirm={() => sending.mutate()}
    >
      {about !== null && <Text size="sm">{about}</Text>}
      {children}
      {plan?.note !== undefined && <Text size="sm" role="status">{plan.note}</Text>}
      {plan !== undefined && plan.note === undefined && (
        <ActionSummary label={t("What this does")} lines={linesOf(request, plan, context)} />
      )}
    </Confirm>
  )
}
