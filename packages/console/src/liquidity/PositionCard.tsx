/** A position: its pair and pool, its range with the present price, what it is worth, and what can be done with it. */
import { Button, Card, Group, Skeleton, Stack, Text, Title } from "@mantine/core"
import { Facts } from "../shell/Facts.tsx"
import { money, percent, unknown } from "../shell/Format.ts"
import { PairIcon } from "../shell/Icons.tsx"
import type { VaultRef } from "../vault/VaultRef.ts"
import { amountsText, rangeText, worthOf } from "./LiquidityFigures.ts"
import { useAmounts } from "./LiquidityPlans.ts"
import { PositionBadges, PositionRange } from "./PositionRange.tsx"
import { actionsOf, type Holding, type Position, type PositionRequest } from "./Positions.ts"
import { t } from "../text/Text.ts"

const labelOf: Readonly<Record<PositionRequest, string>> = {
  collectFees: t("Collect fees"),
  removeLiquidity: t("Remove"),
  stakeLiquidity: t("Stake"),
  unstakeLiquidity: t("Unstake"),
  claimRewards: t("Claim rewards")
}

const poolText = ({ exchange, fee, tick_spacing }: Position): string =>
  `${exchange} · ${fee === null ? t("tick spacing {spacing}", { spacing: tick_spacing ?? "" }) : percent(fee)}`

/** The amounts that the position would pay out now, by the service's dry run. */
function Figures({ canTrade, holdings, position, vault }: {
  readonly vault: VaultRef
  readonly position: Position
  readonly holdings: ReadonlyArray<Holding>
  readonly canTrade: boolean
}) {
  const amounts = useAmounts(vault, position, canTrade)
  if (amounts.isFetching && amounts.data === undefined) {
    return <Skeleton h={90} role="status" aria-label={t("Loading the amounts")} />
  }
  const { fees, removed } = amounts.data ?? {}
  const worth = removed === undefined ? position.valueUsd : worthOf(holdings, removed) ?? position.valueUsd
  return (
    <>
      <Facts
        label={t("Position #{id}", { id: position.token_id })}
        facts={[
          [t("Value"), money(worth)],
          [t("Amounts"), removed === undefined ? unknown : amountsText(removed)],
          [
            t("Including fees"),
            position.staked
              ? t("Known when they are paid")
              : fees === undefined
              ? unknown
              : amountsText(fees)
          ],
          [t("Range"), rangeText(position.low, position.high, position.first, position.second)]
        ]}
      />
      {amounts.error !== null && (
        <Text size="xs" c="dimmed">
          {t("The amounts cannot be read right now: {reason}", { reason: amounts.error.message })}
        </Text>
      )}
    </>
  )
}

export function PositionCard({ canTrade, holdings, open, position, vault }: {
  readonly vault: VaultRef
  readonly position: Position
  readonly holdings: ReadonlyArray<Holding>
  /** False where the gas wallet is not the vault's trader. */
  readonly canTrade: boolean
  readonly open: (dialog: PositionRequest) => void
}) {
  const { first, second, token_id } = position
  const name = `${first.symbol}/${second.symbol}`
  return (
    <Card withBorder component="li" aria-label={t("{pair}, position #{id}", { pair: name, id: token_id })}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs" align="flex-start">
          <Group gap="sm" wrap="nowrap">
            <PairIcon pair={`${first.symbol}-${second.symbol}`} size={26} />
            <div>
              <Title order={3} size="h4">
                {name} <Text span size="sm" c="dimmed">#{token_id}</Text>
              </Title>
              <Text size="xs" c="dimmed">{poolText(position)}</Text>
            </div>
          </Group>
          <PositionBadges position={position} />
        </Group>
        <PositionRange position={position} />
        <Figures {...{ canTrade, holdings, position, vault }} />
        <Group gap="xs">
          {actionsOf(position).map((action) => (
            <Button
              key={action}
              size="xs"
              variant={action === "collectFees" || action === "claimRewards" ? "light" : "default"}
              disabled={!canTrade}
              onClick={() => open(action)}
            >
              {labelOf[action]}
            </Button>
          ))}
        </Group>
        {position.dex === undefined && (
          <Text size="xs" c="dimmed">{t("Positions of this exchange are changed on the vault platform.")}</Text>
        )}
      </Stack>
    </Card>
  )
}
