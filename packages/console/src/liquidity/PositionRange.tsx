/** A position's range with the present price in it, as a picture and in words. */
import { Badge, Group, Stack, Text } from "@mantine/core"
import { price } from "../shell/Format.ts"
import type { Position } from "./Positions.ts"
import { t } from "../text/Text.ts"

/** Badges of a position that earns fees now, or does not, and of a staked one. */
export function PositionBadges({ position: { current, high, low, staked } }: { readonly position: Position }) {
  const isIn = current !== undefined && (low === null || current >= low) && (high === null || current < high)
  return (
    <Group gap={6} wrap="nowrap">
      {staked && <Badge color="grape" variant="dot">{t("staked")}</Badge>}
      {current !== undefined && (
        <Badge color={isIn ? "green" : "orange"} variant="dot">{isIn ? t("in range") : t("out of range")}</Badge>
      )}
    </Group>
  )
}

export function PositionRange({ position: { current, high, low } }: { readonly position: Position }) {
  // The picture shows the range in the middle half; a price beyond it is drawn at its edge.
  const place = current === undefined || low === null || high === null || low <= 0
    ? undefined
    : Math.min(97, Math.max(3, 25 + Math.log(current / low) / Math.log(high / low) * 50))
  const ends = { low: price(low ?? 0), high: high === null ? "∞" : price(high) }
  return (
    <Stack gap={4}>
      <div className="range" aria-hidden="true">
        <span
          className="range-band"
          data-open={low === null ? high === null ? "both" : "low" : high === null ? "high" : undefined}
        />
        {place !== undefined && <span className="range-price" style={{ insetInlineStart: `${place}%` }} />}
      </div>
      <Text size="xs" c="dimmed" className="figure">
        {current === undefined
          ? t("{low} to {high}", ends)
          : t("{low} to {high}, now {current}", { ...ends, current: price(current) })}
      </Text>
    </Stack>
  )
}
