/** A vault's report: what it earned in a period, against benchmarks, by what, and at what cost; and files of it. */
import { Button, Group, NativeSelect, SimpleGrid, Stack, Text } from "@mantine/core"
import { IconChartLine } from "@tabler/icons-react"
import { useMutation } from "@tanstack/react-query"
import type { LotMethod, Performance, Range } from "@vault-trader/core/performance/Performance"
import { useState } from "react"
import { call } from "../connection/RpcConnection.ts"
import { download } from "../shell/Download.ts"
import { EmptyState } from "../shell/EmptyState.tsx"
import { Facts } from "../shell/Facts.tsx"
import { amount, money, percent, signedMoney, signedPercent, unknown } from "../shell/Format.ts"
import { Page } from "../shell/Page.tsx"
import { Problem } from "../shell/Problem.tsx"
import { Section } from "../shell/Section.tsx"
import { useRouteParams } from "../shell/useRouteParams.ts"
import { useVaultRef } from "../vault/Authorities.ts"
import { useVaultName, vaultCrumbs } from "../vault/Names.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { SegmentedControl } from "../shell/SegmentedControl.tsx"
import { t } from "../text/Text.ts"
import { benchmarkName } from "./Benchmarks.ts"
import { ranges, usePerformance } from "./Performance.ts"

const percentOrDash = (value: number | null | undefined) =>
  value === null || value === undefined ? unknown : percent(value)
const ratio = (value: number | null) => value === null ? unknown : value.toFixed(2)

function Result({ data }: { readonly data: Performance }) {
  const { drawdown, exposure, fees, statistics } = data
  return (
    <Section title={t("Result")}>
      <Facts
        label={t("Result")}
        facts={[
          [t("Return, after fees"), signedPercent(data.return_percent)],
          [t("Return, before fees"), signedPercent(data.return_before_fees_percent)],
          [t("Profit"), signedMoney(data.pnl_usd)],
          [t("Profit after gas and charges"), signedMoney(data.pnl_after_gas_usd)],
          [t("Realised"), signedMoney(data.realised_usd)],
          [t("Unrealised"), signedMoney(data.unrealised_usd)],
          [t("Deposits minus withdrawals"), signedMoney(data.net_flows_usd)],
          [t("Greatest loss from a peak"), percentOrDash(drawdown?.percent)],
          [t("Volatility a year"), percentOrDash(statistics.volatility_percent)],
          [t("Sharpe ratio"), ratio(statistics.sharpe)],
          [t("Sortino ratio"), ratio(statistics.sortino)],
          [t("Average share not in stablecoins"), percentOrDash(exposure.average_percent)],
          [t("Manager fees of the period"), money(fees.accrued_usd)]
        ]}
      />
      {statistics.reason !== null && <Text size="xs" c="dimmed" mt="xs">{statistics.reason}</Text>}
    </Section>
  )
}

function Benchmarks({ data }: { readonly data: Performance }) {
  if (data.benchmarks.length === 0) return null
  return (
    <Section title={t("Against benchmarks")}>
      <table className="table figures" aria-label={t("Against benchmarks")}>
        <thead>
          <tr>
            <th scope="col">{t("Benchmark")}</th>
            <th className="end" scope="col">{t("Return")}</th>
            <th className="end" scope="col">{t("Vault is ahead by")}</th>
          </tr>
        </thead>
        <tbody>
          {data.benchmarks.map(({ excess_percent, name, reason, return_percent }) => (
            <tr key={name}>
              <th className="plain" scope="row">
                {benchmarkName(name)}
                {reason !== null && <Text size="xs" c="dimmed">{reason}</Text>}
              </th>
              <td className="end">{signedPercent(return_percent)}</td>
              <td className="end">{signedPercent(excess_percent)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}

function Attribution({ data }: { readonly data: Performance }) {
  if (data.attribution.length === 0) return null
  return (
    <Section title={t("What earned it")}>
      <table className="table figures" aria-label={t("What earned it")}>
        <thead>
          <tr>
            <th scope="col">{t("Asset")}</th>
            <th className="end" scope="col">{t("Profit")}</th>
            <th className="end" scope="col">{t("Of the return")}</th>
            <th scope="col" className="end wide">{t("Average weight")}</th>
            <th scope="col" className="end wide">{t("Weight at the end")}</th>
          </tr>
        </thead>
        <tbody>
          {data.attribution.map((each) => (
            <tr key={each.asset ?? ""}>
              <th className="plain" scope="row">
                {each.asset === null ? t("Trades, interest and fees") : each.symbol}
              </th>
              <td className="end">{signedMoney(each.pnl_usd)}</td>
              <td className="end">{signedPercent(each.contribution_percent)}</td>
              <td className="end wide">{percent(each.average_weight_percent)}</td>
              <td className="end wide">{percent(each.end_weight_percent)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}

function Costs({ data: { sources, trading } }: { readonly data: Performance }) {
  return (
    <Section title={t("Trades and their cost")}>
      <Facts
        label={t("Trades and their cost")}
        facts={[
          [t("Trades"), amount(String(trading.trades))],
          [t("Turnover"), money(trading.turnover_usd)],
          [
            t("Lost against the oracle"),
            `${money(trading.slippage_oracle_usd)} (${percentOrDash(trading.slippage_oracle_percent)})`
          ],
          [t("Gas"), money(trading.gas_usd)],
          [t("Charges"), money(trading.charges_usd)],
          ...sources.map(({ name, trades, turnover_usd }) =>
            [
              name,
              t("{count, plural, one {# trade} other {# trades}}, {usd}", { count: trades, usd: money(turnover_usd) })
            ] as const
          )
        ]}
      />
    </Section>
  )
}

const methods: ReadonlyArray<LotMethod> = ["fifo", "lifo", "hifo"]

const files = ["tearsheet", "performance", "lots", "days"] as const
type File = typeof files[number]

/** Requests a table of the report. */
const csvOf = async (file: Exclude<File, "tearsheet">, vault: VaultRef, range: Range, lots: LotMethod) => {
  if (file === "days") return (await call((client) => client.wallet.getReport({ ...vault, format: "csv" }))).csv
  const about = { ...vault, range, lots, format: "csv" as const }
  return file === "lots"
    ? (await call((client) => client.wallet.getTaxLots(about))).csv
    : (await call((client) => client.wallet.getPerformance(about))).csv
}

/** Requests a file of the report and saves it. */
const save = async (file: File, vault: VaultRef, range: Range, lots: LotMethod) => {
  const name = `${file}-${vault.network}-${vault.pool.slice(0, 8)}-${new Date().toISOString().slice(0, 10)}`
  if (file === "tearsheet") {
    const { html } = await call((client) => client.wallet.getTearsheet({ ...vault, range, lots }))
    download(`${name}.html`, "text/html", html)
    return
  }
  download(`${name}.csv`, "text/csv", await csvOf(file, vault, range, lots) ?? "")
}

function Files({ range, vault }: { readonly vault: VaultRef; readonly range: Range }) {
  const [lots, setLots] = useState<LotMethod>("fifo")
  const saving = useMutation({ mutationFn: (file: File) => save(file, vault, range, lots) })
  const labels: Readonly<Record<File, string>> = {
    tearsheet: t("Tearsheet, to print or to save as PDF"),
    performance: t("Performance as CSV"),
    lots: t("Tax lots as CSV"),
    days: t("Every day as CSV")
  }
  return (
    <Section title={t("Files")}>
      <Stack gap="xs" align="flex-start">
        <NativeSelect
          label={t("Lots sold first")}
          value={lots}
          onChange={(event) => setLots(methods.find((each) => each === event.currentTarget.value) ?? "fifo")}
          data={[
            { value: "fifo", label: t("the oldest (FIFO)") },
            { value: "lifo", label: t("the newest (LIFO)") },
            { value: "hifo", label: t("those that cost most (HIFO)") }
          ]}
        />
        <Group gap="xs">
          {files.map((file) => (
            <Button
              key={file}
              size="xs"
              variant="default"
              loading={saving.isPending && saving.variables === file}
              onClick={() => saving.mutate(file)}
            >
              {labels[file]}
            </Button>
          ))}
        </Group>
        {saving.error !== null && <Problem title={t("The file was not made")} message={saving.error.message} />}
      </Stack>
    </Section>
  )
}

export function ReportPage() {
  const { network = "", pool = "" } = useRouteParams()
  const [range, setRange] = useState<Range>("30d")
  const vault = useVaultRef(network, pool)
  const vaultName = useVaultName()(network, pool)
  const performance = usePerformance(vault, range)
  const { data } = performance
  return (
    <Page
      title={t("Report of {vaultName}", { vaultName })}
      crumbs={vaultCrumbs({ network, pool, name: vaultName })}
      query={performance}
      choice={
        <SegmentedControl
          size="xs"
          aria-label={t("Period")}
          value={range}
          data={ranges}
          onChange={(value) => setRange(ranges.find((each) => each.value === value)?.value ?? "30d")}
          style={{ alignSelf: "flex-start" }}
        />
      }
    >
      {data !== undefined && vault !== undefined && (
        <Stack>
          {data.reason !== null && (
            <EmptyState icon={<IconChartLine size={22} />} title={t("No history yet")}>{data.reason}</EmptyState>
          )}
          <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: "start" }}>
            <Stack>
              {data.reason === null && <Result data={data} />}
              <Costs data={data} />
            </Stack>
            <Stack>
              <Benchmarks data={data} />
              <Attribution data={data} />
              <Files vault={vault} range={range} />
            </Stack>
          </SimpleGrid>
        </Stack>
      )}
    </Page>
  )
}
