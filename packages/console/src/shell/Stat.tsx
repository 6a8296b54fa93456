/** A figure with its name, and its change; the sign and an arrow say what the colour says. */
import { Skeleton, Text } from "@mantine/core"
import type { Profit } from "@vault-trader/core/performance/Performance"
import type { ReactNode } from "react"
import type { Wire } from "../connection/Wire.ts"
import { t } from "../text/Text.ts"
import { signedMoney, signedPercent, toHundredths, unknown } from "./Format.ts"

export function Stat({ hint, label, size = "lg", value }: {
  readonly label: string
  /** Undefined while it is loading. */
  readonly value: ReactNode
  readonly hint?: ReactNode
  readonly size?: "lg" | "xl"
}) {
  return (
    <div>
      <Text size="sm" c="dimmed">{label}</Text>
      {value === undefined
        ? <Skeleton h={size === "xl" ? 38 : 26} w={120} my={3} />
        : (
          <Text component="div" fz={size === "xl" ? 30 : { base: 17, sm: 20 }} fw={650} lh={1.3} className="figure">
            {value}
          </Text>
        )}
      {hint !== undefined && <Text component="div" size="xs" c="dimmed">{hint}</Text>}
    </div>
  )
}

/** A gain or a loss, in US dollars and percent. `isStacked`: the percentage is below, where there is little width. */
export function Change({ isStacked = false, percent, usd }: {
  readonly usd?: number | string | null | undefined
  readonly percent?: number | null | undefined
  readonly isStacked?: boolean
}) {
  const value = usd === undefined || usd === null ? percent : Number(usd)
  if (value === undefined || value === null) return <span className="figure">{unknown}</span>
  const rounded = toHundredths(value)
  const state = rounded > 0 ? "gain" : rounded < 0 ? "loss" : undefined
  const hasUsd = usd !== undefined && usd !== null
  return (
    <span
      className="figure"
      data-change={state}
      style={{ display: isStacked ? "block" : "inline-block", whiteSpace: "nowrap" }}
    >
      <span aria-hidden="true">{rounded > 0 ? "▲ " : rounded < 0 ? "▼ " : ""}</span>
      {hasUsd && signedMoney(usd)}
      {percent !== undefined && percent !== null && (
        <Text span fz={isStacked ? "sm" : "inherit"} fw="inherit" display={isStacked ? "block" : "inline"}>
          {hasUsd && !isStacked ? ` (${signedPercent(percent)})` : signedPercent(percent)}
        </Text>
      )}
    </span>
  )
}

/** The profits of today, seven days and all time; skeletons while they are loading. */
export function ProfitStats({ isLoading, profits }: {
  readonly isLoading: boolean
  readonly profits: Readonly<Record<"day" | "week" | "all", Wire<Profit>>> | undefined
}) {
  return ([[t("Today"), profits?.day], [t("7 days"), profits?.week], [t("All time"), profits?.all]] as const).map((
    [label, profit]
  ) => (
    <Stat
      key={label}
      label={label}
      value={isLoading
        ? undefined
        : <Change usd={profit?.pnl_usd} percent={profit?.return_percent} isStacked />}
    />
  ))
}
