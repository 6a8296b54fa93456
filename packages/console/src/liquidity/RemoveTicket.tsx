/** Removes part or all of a position's liquidity: how much, and in which asset; then its review and its outcome. */
import { Button, Group, Loader, NativeSelect, Slider, Stack, Text, TextInput } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { LiquidityApi } from "@vault-trader/core/liquidity/LiquidityApi"
import { bothAssets } from "@vault-trader/core/liquidity/LiquidityParams"
import { useState } from "react"
import { ActionSummary } from "../shell/ActionSummary.tsx"
import { ApiFormFooter } from "../shell/ApiFormFooter.tsx"
import { percent } from "../shell/Format.ts"
import { parametersOf } from "../shell/Parameters.ts"
import { Problem } from "../shell/Problem.tsx"
import { useRequestKey } from "../shell/useRequestKey.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { LiquidityOutcome } from "./LiquidityOutcome.tsx"
import { type LiquidityPlan, requestOf, useLiquidityPlan } from "./LiquidityPlans.ts"
import { LiquidityReview } from "./LiquidityReview.tsx"
import { linesOf, type PlanContext } from "./PlanLines.ts"
import type { Position } from "./Positions.ts"
import { Modal } from "../shell/Modal.tsx"
import { t } from "../text/Text.ts"

interface Terms {
  readonly percent: number
  /** The asset to receive alone, or both. */
  readonly output: string
  readonly slippage: string
}

const parameters = parametersOf(LiquidityApi, "removeLiquidity")
const parts = [25, 50, 75, 100]

function Part({ set, value }: { readonly value: number; readonly set: (value: number) => void }) {
  return (
    <Stack gap={6}>
      <Group justify="space-between">
        <Text size="sm" fw={500} id="part">{t("Part of the position")}</Text>
        <Text size="sm" fw={600} className="figure">{percent(value)}</Text>
      </Group>
      <Slider
        min={1}
        max={100}
        value={value}
        label={null}
        thumbProps={{ "aria-labelledby": "part", "aria-valuetext": percent(value), "data-autofocus": true } as never}
        onChange={set}
      />
      <Group gap={6}>
        {parts.map((part) => (
          <Button
            key={part}
            size="compact-sm"
            variant={part === value ? "filled" : "default"}
            aria-pressed={part === value}
            onClick={() => set(part)}
          >
            {percent(part)}
          </Button>
        ))}
      </Group>
    </Stack>
  )
}

function Fields({ fault, position: { first, second }, set, terms }: {
  readonly position: Position
  readonly terms: Terms
  readonly fault: string | null
  readonly set: (some: Partial<Terms>) => void
}) {
  return (
    <>
      <Part value={terms.percent} set={(value) => set({ percent: value })} />
      <Group grow align="flex-start">
        <NativeSelect
          label={t("Receive")}
          value={terms.output}
          data={[
            { value: bothAssets, label: t("Both assets") },
            ...[first, second].map(({ asset, symbol }) => ({ value: asset, label: t("Only {symbol}", { symbol }) }))
          ]}
          onChange={(event) => set({ output: event.currentTarget.value })}
        />
        <TextInput
          label={t("Max slippage, %")}
          inputMode="decimal"
          value={terms.slippage}
          error={fault}
          onChange={(event) => set({ slippage: event.currentTarget.value })}
        />
      </Group>
      {terms.output !== bothAssets && (
        <Text size="xs" c="dimmed">{t("The other asset is sold for it, in the same transaction.")}</Text>
      )}
    </>
  )
}

const requestOfTerms = (position: Position, { output, percent: part, slippage }: Terms) =>
  requestOf("removeLiquidity", position, {
    amount: String(part),
    ...(output === bothAssets ? {} : { output_asset: output }),
    ...(slippage.trim() === "" ? {} : { slippage: slippage.trim() })
  })

export function RemoveTicket({ close, context, position, vault }: {
  readonly vault: VaultRef
  readonly position: Position
  readonly context: PlanContext
  readonly close: () => void
}) {
  const [terms, setTerms] = useState<Terms>({ percent: 100, output: bothAssets, slippage: "0.5" })
  const [reviewed, setReviewed] = useState<LiquidityPlan>()
  const [intent, setIntent] = useState<string>()
  const fault = parameters.faultOf("slippage", terms.slippage.trim())
  const [settled] = useDebouncedValue(terms, 300)
  const isSettled = settled === terms
  const request = requestOfTerms(position, terms)
  const requestKey = useRequestKey(request)
  const plan = useLiquidityPlan(vault, fault === null && isSettled ? request : undefined)
  if (intent !== undefined) return <LiquidityOutcome action="removeLiquidity" {...{ vault, intent, close }} />
  if (reviewed !== undefined) {
    return (
      <LiquidityReview
        {...{ vault, request, requestKey, context }}
        title={t("Remove liquidity from #{id}", { id: position.token_id })}
        plan={reviewed}
        back={() => setReviewed(undefined)}
        done={setIntent}
      />
    )
  }
  const isLoading = fault === null && (!isSettled || plan.isPending)
  const isReady = fault === null && !isLoading && plan.error === null && plan.data !== undefined
  return (
    <Modal
      opened
      onClose={close}
      title={t("Remove liquidity from #{id}", { id: position.token_id })}
      size="lg"
      closeButtonProps={{ "aria-label": t("Close") }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) setReviewed(plan.data)
        }}
      >
        <Stack>
          <Fields {...{ fault, position, terms }} set={(some) => setTerms({ ...terms, ...some })} />
          <div aria-live="polite">
            {isLoading && <Loader size="sm" aria-label={t("Loading the plan")} />}
            {fault === null && !isLoading && plan.error !== null && (
              <Problem color="orange" title={t("This would fail right now")} message={plan.error.message} />
            )}
            {isReady && <ActionSummary label={t("Plan")} lines={linesOf(request, plan.data, context)} />}
          </div>
          <ApiFormFooter
            endpoint="removeLiquidity"
            params={{ network: vault.network, pool: vault.pool, ...request.params }}
            close={close}
          >
            <Button type="submit" disabled={!isReady}>{t("Review")}</Button>
          </ApiFormFooter>
        </Stack>
      </form>
    </Modal>
  )
}
