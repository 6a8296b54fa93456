/** The contracts at HyperCore with their price, funding and highest leverage. */
import { Button, Group, Stack, Text, TextInput } from "@mantine/core"
import { useState } from "react"
import { price } from "../shell/Format.ts"
import { Problem } from "../shell/Problem.tsx"
import { ResponsiveTable } from "../shell/ResponsiveTable.tsx"
import { Section } from "../shell/Section.tsx"
import { locale, t } from "../text/Text.ts"
import type { Market, useMarkets } from "./Perpetuals.ts"

/** How many contracts are listed before all are asked for. */
const firstCount = 20

const hoursPerYear = 8_760

/** Formats a rate in percent with its sign: small ones with four significant digits. */
const ratePercent = (rate: number): string =>
  `${rate > 0 ? "+" : ""}${
    (rate * 100).toLocaleString(locale, { maximumSignificantDigits: 4 }).replace("-", "−")
  }\u00a0%`

const cellsOf = ({ coin, funding, isolated_only, mark_price, max_leverage }: Market, trade: (coin: string) => void) => [
  <Text key="coin" size="sm" fw={600}>{coin}</Text>,
  `$${price(mark_price)}`,
  ratePercent(Number(funding)),
  ratePercent(Number(funding) * hoursPerYear),
  `${max_leverage}×`,
  isolated_only
    ? <Text key="trade" size="xs" c="dimmed">{t("isolated margin only: not for vaults")}</Text>
    : (
      <Button
        key="trade"
        size="compact-sm"
        variant="default"
        onClick={() => trade(coin)}
      >
        {t("Trade {coin}", { coin })}
      </Button>
    )
]

export function PerpetualMarkets({ markets, trade }: {
  readonly markets: ReturnType<typeof useMarkets>
  readonly trade: (coin: string) => void
}) {
  const [text, setText] = useState("")
  const [isWhole, setWhole] = useState(false)
  const found = (markets.data ?? []).filter(({ coin }) => coin.toLowerCase().includes(text.trim().toLowerCase()))
  const shown = isWhole ? found : found.slice(0, firstCount)
  return (
    <Section
      title={t("Contracts")}
      action={
        <TextInput
          size="sm"
          type="search"
          aria-label={t("Search contracts")}
          placeholder="ETH"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      }
    >
      <Stack>
        {markets.error !== null && (
          <Problem
            title={markets.data === undefined ? t("This cannot be loaded right now") : t("The data shown is outdated")}
            message={markets.error.message}
            funds=""
          />
        )}
        <ResponsiveTable
          label={t("Contracts")}
          columns={[
            t("Contract"),
            t("Mark price"),
            t("Funding an hour"),
            t("Funding a year"),
            t("Max leverage"),
            t("Order")
          ]}
          rows={shown.map((market) => ({ key: market.coin, cells: cellsOf(market, trade) }))}
        />
        <Group justify="space-between">
          <Text size="xs" c="dimmed">{t("Positive funding: long positions pay short ones, at this rate now.")}</Text>
          {found.length > shown.length && (
            <Button size="compact-sm" variant="default" onClick={() => setWhole(true)}>
              {t("Show all {count}", { count: found.length })}
            </Button>
          )}
        </Group>
      </Stack>
    </Section>
  )
}
