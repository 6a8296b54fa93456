/** The holdings of a vault with their weights; positions of concentrated liquidity with pictures of their ranges. */
import { Alert, Group, Progress, Stack, Text } from "@mantine/core"
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
    <tr>
      <td>
        <Group gap="xs" wrap="nowrap">
          <TokenIcon symbol={holding.symbol} />
          <Text size="sm" fw={600}>{holding.label}</Text>
        </Group>
      </td>
      <td className="end" title={holding.amount ?? undefined}>{amount(holding.amount)}</td>
      <td className="end wide">{holding.price === null ? unknown : `$${price(holding.price)}`}</td>
      <td className="end">{money(holding.value_usd)}</td>
      <td className="end">
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
      </td>
    </tr>
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
          <table aria-label={t("Holdings")} className="table figures">
            <thead>
              <tr>
                <th>{t("Asset")}</th>
                <th className="end">{t("Amount")}</th>
                <th className="end wide">{t("Price")}</th>
                <th className="end">{t("Value")}</th>
                <th className="end">{t("Weight")}</th>
              </tr>
            </thead>
            <tbody>
              {lines.map((holding) => (
                <Row
                  key={holding.asset}
                  holding={holding}
                  total={total_value_usd}
                  target={index?.targets.find(({ contract }) => contract === holding.asset)?.weight}
                />
              ))}
            </tbody>
          </table>
        )}
      {composition.some(({ positions }) => positions.length > 0) && (
        <Suspense fallback={null}>
          <PositionList holdings={composition} />
        </Suspense>
      )}
    </Stack>
  )
}
