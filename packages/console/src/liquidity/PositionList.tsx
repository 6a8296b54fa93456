/** The positions of a vault as a list for its own page: each with its range and what it does now. */
import { Group, Stack, Text, Title } from "@mantine/core"
import { PositionBadges, PositionRange } from "./PositionRange.tsx"
import { type Holding, positionsOf } from "./Positions.ts"
import { t } from "../text/Text.ts"

export function PositionList({ holdings }: { readonly holdings: ReadonlyArray<Holding> }) {
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">{t("Liquidity positions")}</Title>
      <Stack gap="sm" component="ul" style={{ listStyle: "none", margin: 0, padding: 0 }}>
        {positionsOf(holdings).map((position) => (
          <Stack key={`${position.exchange} ${position.token_id}`} gap={4} component="li">
            <Group justify="space-between" gap="xs">
              <Text size="sm" fw={600}>{position.label}</Text>
              <PositionBadges position={position} />
            </Group>
            <PositionRange position={position} />
          </Stack>
        ))}
      </Stack>
    </Stack>
  )
}
