/** The holdings of a vault with their weights; positions of concentrated liquidity with pictures of their ranges. */
import { Alert, Group, Progress, Stack, Table, Text } from "@mantine/core"
import { lazy, Suspense } from "react"
import type { Index } from "../bots/Bots.ts"
import type { Composition, Holding } from "../liquidity/Positions.ts"
import { amount, money, percent, price, unknown } from "../shell/Format.ts"
import { TokenIcon } from "../shell/Icons.tsx"
import { Problem } from "../shell/Problem.tsx"
import { locale, t } from "../text/Text.ts"

const PositionList = lazy(() =>
  import("../liquidity/PositionList.tsx").then(({ PositionList }) => ({ default: PositionList }))
)

/** Returns a holding's share of the vault in percent; null while a value is unknown. */
export const weightOf = (value: number | null, total: number | null): number | null =>
  value === null || total === null ? null : total === 0 ? 0 : value / total * 100

const unknownValues = (composition: ReadonlyArray<Holding>) => composition.filter(({ reason }) => reason !== null)

function Row({ holding, target, total }: {
  readonly holding: Holding
  readonly total: number | null
  /** The index bot's target in percent. */
  readonly target: number | undefined
}) {
  const weight = weightOf(holding.value_usd, total)
  const drift = weight === null || target === undefined ? undefined : weight - target
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          <TokenIcon symbol={holding.symbol} />
          <Text size="sm" fw={600}>{holding.label}</Text>
        </Group>
      </Table.Td>
      <Table.Td ta="end" title={holding.amount ?? undefined}>{amount(holding.amount)}</Table.Td>
      <Table.Td ta="end" className="wide">{holding.price === null ? unknown : `$${price(holding.price)}`}</Table.Td>
      <Table.Td ta="end">{money(holding.value_usd)}</Table.Td>
      <Table.Td ta="end">
        <Text size="sm">{weight === null ? unknown : percent(weight)}</Text>
        <Progress value={weight ?? 0} size={4} aria-hidden="true" />
        {drift !== undefined && (
          <Text size="xs" c="dimmed">
            {t("target {target}, {drift}", {
              target: percent(target ?? 0),
              drift: `${drift >= 0 ? "+" : "−"}${
                Math.abs(drift).toLocaleString(locale, {
                  minimumFractionDigits: 1,
                  maximumFractionDigits: 1,
                  useGrouping: false
                })
              }`
            })}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

export function Holdings({ data, index }: { readonly data: Composition; readonly index: Index | undefined }) {
  const { composition, total_value_usd } = data
  const lines = composition.filter((holding) => holding.amount !== "0")
    .sort((one, other) => (other.value_usd ?? Infinity) - (one.value_usd ?? Infinity))
  const missing = unknownValues(composition)
  return (
    <Stack gap="sm">
      {missing.length > 0 && (
        <Problem
          color="orange"
          title={t("The value of {missing} is unknown right now", {
            missing: missing.map(({ label }) => label).join(", ")
          })}
          message={missing.map(({ label, reason }) => `${label}: ${reason ?? ""}.`).join(" ")}
          funds={t("Bots that need the vault’s value wait until it is known.")}
        />
      )}
      {lines.length === 0
        ? (
          <Alert color="blue" title={t("The vault is empty")}>
            {t("Deposit into it on the vault platform; then it can trade.")}
          </Alert>
        )
        : (
          <Table aria-label={t("Holdings")} className="figures">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("Asset")}</Table.Th>
                <Table.Th ta="end">{t("Amount")}</Table.Th>
                <Table.Th ta="end" className="wide">{t("Price")}</Table.Th>
                <Table.Th ta="end">{t("Value")}</Table.Th>
                <Table.Th ta="end">{t("Weight")}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {lines.map((holding) => (
                <Row
                  key={holding.asset}
                  holding={holding}
                  total={total_value_usd}
                  target={index?.targets.find(({ contract }) => contract === holding.asset)?.weight}
                />
              ))}
            </Table.Tbody>
          </Table>
        )}
      {composition.some(({ positions }) => positions.length > 0) && (
        <Suspense fallback={null}>
          <PositionList holdings={composition} />
        </Suspense>
      )}
    </Stack>
  )
}
