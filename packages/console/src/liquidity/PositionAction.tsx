/** An action on a position without terms of its own: its plan, a confirmation, and its outcome. */
import { Loader } from "@mantine/core"
import { useState } from "react"
import { Problem } from "../shell/Problem.tsx"
import { useRequestKey } from "../shell/useRequestKey.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { LiquidityOutcome } from "./LiquidityOutcome.tsx"
import { requestOf, useLiquidityPlan } from "./LiquidityPlans.ts"
import { LiquidityReview } from "./LiquidityReview.tsx"
import { actionTexts } from "./LiquidityTexts.ts"
import type { PlanContext } from "./PlanLines.ts"
import type { Position, PositionRequest } from "./Positions.ts"
import { t } from "../text/Text.ts"

export function PositionAction({ action, close, context, position, vault }: {
  readonly action: Exclude<PositionRequest, "removeLiquidity">
  readonly vault: VaultRef
  readonly position: Position
  readonly context: PlanContext
  readonly close: () => void
}) {
  const [intent, setIntent] = useState<string>()
  const request = requestOf(action, position)
  const requestKey = useRequestKey(request)
  const plan = useLiquidityPlan(vault, intent === undefined ? request : undefined)
  if (intent !== undefined) return <LiquidityOutcome {...{ action, vault, intent, close }} />
  return (
    <LiquidityReview
      {...{ vault, request, requestKey, context }}
      title={t("{action}: position #{id}", { action: actionTexts[action].action, id: position.token_id })}
      plan={plan.error === null ? plan.data : undefined}
      back={close}
      done={setIntent}
    >
      {plan.isPending && <Loader size="sm" aria-label={t("Loading the plan")} />}
      {plan.error !== null && (
        <Problem color="orange" title={t("This would fail right now")} message={plan.error.message} />
      )}
    </LiquidityReview>
  )
}
