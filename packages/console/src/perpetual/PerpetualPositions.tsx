/** A vault's positions: their size, profit, leverage, and how far their liquidation is. */
import { Button, Text } from "@mantine/core"
import { IconArrowsUpDown } from "@tabler/icons-react"
import { EmptyState } from "../shell/EmptyState.tsx"
import { amount, percent, price, unknown } from "../shell/Format.ts"
import { ResponsiveTable } from "../shell/ResponsiveTable.tsx"
import { Section } from "../shell/Section.tsx"
import { Change } from "../shell/Stat.tsx"
import { closeDistance, distanceOf, type Position, sideLabels, sizeOf } from "./Perpetuals.ts"
import { t } from "../text/Text.ts"

const dollarPrice = (value: string | null): string => value === null ? unknown : `$${price(value)}`

/** The liquidation price with its distance from the mark; red where it is close. */
function Liquidation({ position }: { readonly position: Position }) {
  const distance = distanceOf(position)
  if (position.liquidationPrice === null) return <>{t("none at this margin")}</>
  return (
    <div>
      {dollarPrice(position.liquidationPrice)}
      {distance !== null && (
        <Text
          size="xs"
          c={distance < closeDistance ? "var(--mantine-color-error)" : "dimmed"}
          fw={distance < closeDistance ? 600 : 400}
        >
          {distance < closeDistance
            ? t("close: {distance} away", { distance: percent(distance) })
            : t("{distance} away", { distance: percent(distance) })}
        </Text>
      )}
    </div>
  )
}

export function PerpetualPositions({ close, positions }: {
  readonly positions: ReadonlyArray<Position>
  readonly close: (position: Position) => void
}) {
  return (
    <Section title={t("Positions")}>
      {positions.length === 0
        ? (
          <EmptyState icon={<IconArrowsUpDown size={22} />} title={t("No position")}>
            {t("An order that is filled opens one. Its margin is the USDC deposited above.")}
          </EmptyState>
        )
        : (
          <ResponsiveTable
            label={t("Positions")}
            columns={[
              t("Position"),
              t("Size"),
              t("Entry"),
              t("Mark price"),
              t("Unrealised"),
              t("Leverage"),
              t("Liquidation"),
              t("Change")
            ]}
            rows={positions.map((position) => ({
              key: position.coin,
              cells: [
                <Text key="name" size="sm" fw={600}>{position.coin} · {sideLabels[position.side]}</Text>,
                `${amount(sizeOf(position))} ${position.coin}`,
                dollarPrice(position.entryPrice),
                dollarPrice(position.markPrice),
                <Change key="pnl" usd={position.unrealizedPnl} />,
                `${position.leverage}×`,
                <Liquidation key="liquidation" position={position} />,
                <Button
                  key="close"
                  size="compact-sm"
                  variant="default"
                  onClick={() => close(position)}
                >
                  {t("Close {coin}", { coin: position.coin })}
                </Button>
              ]
            }))}
          />
        )}
    </Section>
  )
}
