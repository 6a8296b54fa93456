/** The value of all vaults together, its curve, and the profit of today, seven days and all time. */
import { Card, Group, SimpleGrid } from "@mantine/core"
import type { Range } from "@vault-trader/core/performance/Performance"
import { useState } from "react"
import { useCurrentValues } from "../performance/CurrentValues.ts"
import { sumCurveOf } from "../performance/Curve.ts"
import { usePortfolio } from "../performance/Performance.ts"
import { ValueCurve } from "../performance/ValueCurve.tsx"
import { dollars, money, signedMoney } from "../shell/Format.ts"
import { SegmentedControl } from "../shell/SegmentedControl.tsx"
import { ProfitStats, Stat } from "../shell/Stat.tsx"
import { t } from "../text/Text.ts"

const noHistory = t(
  "The value of your vaults is recorded at intervals; a curve needs two records. Deposits and " +
    "withdrawals don’t count as profit."
)

/** `isPlaced`: what is above is there. A curve that it would move out of view again is not drawn before. */
export function TotalValue({ isPlaced }: { readonly isPlaced: boolean }) {
  const [range, setRange] = useState<Range>("7d")
  const [field, setField] = useState<"value_usd" | "pnl_usd">("value_usd")
  const portfolio = usePortfolio(range)
  const { data } = portfolio
  const { total } = useCurrentValues(data !== undefined && data.value_usd === null)
  return (
    <Card withBorder component="section" aria-label={t("Total value")} padding="md">
      <Group justify="space-between" align="flex-end" mb="sm">
        <Stat
          size="xl"
          label={t("Total value")}
          value={data === undefined && portfolio.error === null ? undefined : money(data?.value_usd ?? total)}
        />
        <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="lg" verticalSpacing="xs">
          <ProfitStats isLoading={false} profits={data} />
        </SimpleGrid>
      </Group>
      <ValueCurve
        label={field === "value_usd" ? t("Value") : "P&L"}
        points={sumCurveOf(data?.curve ?? [], field)}
        format={field === "value_usd" ? dollars : signedMoney}
        step={0.01}
        range={range}
        setRange={setRange}
        isPending={!isPlaced || portfolio.isPending && portfolio.error === null}
        error={portfolio.error}
        none={noHistory}
        choice={
          <SegmentedControl
            size="xs"
            aria-label={t("What the curve shows")}
            value={field}
            data={[{ value: "value_usd", label: t("Value") }, { value: "pnl_usd", label: "P&L" }]}
            onChange={(value) => setField(value === "pnl_usd" ? "pnl_usd" : "value_usd")}
          />
        }
      />
    </Card>
  )
}
