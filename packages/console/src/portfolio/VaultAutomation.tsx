/**
 * The part of a vault's page about what protects it and trades it by itself besides bots: guardians, copy trading and
 * strategies, each with its page.
 */
import { Group, Stack, Text } from "@mantine/core"
import { IconBrain, IconShieldHalf, IconUsers } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { copiesOf, stateOf as stateOfFollower, useFollowerOf } from "../follower/Followers.ts"
import { kindLabels, stateOf as stateOfGuardian, useGuardiansOf } from "../guardian/Guardians.ts"
import { Section } from "../shell/Section.tsx"
import { StatusBadge } from "../shell/StatusBadge.tsx"
import { stateOf as stateOfBot, useStrategyBotsOf } from "../strategy/StrategyBots.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { t } from "../text/Text.ts"

interface State {
  readonly label: string
  readonly color: string
  readonly rank: number
}

/** The state that needs a person most stands for all. */
const worst = (states: ReadonlyArray<State>): State | undefined =>
  [...states].sort((one, other) => one.rank - other.rank)[0]

export function VaultAutomation({ vault }: { readonly vault: VaultRef }) {
  const guardians = (useGuardiansOf(vault).data ?? []).map(({ data }) => data)
  const follower = useFollowerOf(vault).data?.found?.data
  const bots = (useStrategyBotsOf(vault).data ?? []).map(({ data }) => data)
  const rows = [
    {
      to: "/guardians",
      label: t("Guardians"),
      icon: <IconShieldHalf size={22} aria-hidden="true" />,
      state: worst(guardians.map(stateOfGuardian)),
      text: guardians.length === 0
        ? t("None. One can repay debt, stop bots after a loss, or hold trades on bad prices.")
        : guardians.map(({ kind }) => kindLabels[kind].label).join(", ")
    },
    {
      to: "/followers",
      label: t("Copy trading"),
      icon: <IconUsers size={22} aria-hidden="true" />,
      state: follower && stateOfFollower(follower),
      text: follower === undefined ? t("The vault follows no leader.") : copiesOf(follower)
    },
    {
      to: "/strategies",
      label: t("Strategies"),
      icon: <IconBrain size={22} aria-hidden="true" />,
      state: worst(bots.map(stateOfBot)),
      text: bots.length === 0
        ? t("No strategy of your own trades it.")
        : bots.map(({ strategy }) => strategy).join(", ")
    }
  ] as const
  const { network, pool } = vault
  return (
    <Section title={t("Protection and automation")}>
      <Stack gap={0} mx={-12}>
        {rows.map(({ icon, label, state, text, to }) => (
          <Link key={to} to={to} search={{ network, pool }} className="row-link">
            <Group justify="space-between" wrap="nowrap">
              <Group gap="sm" wrap="nowrap">
                {icon}
                <Text size="sm" fw={600}>{label}</Text>
              </Group>
              {state !== undefined && <StatusBadge color={state.color} label={state.label} />}
            </Group>
            <Text size="xs" c="dimmed" lineClamp={2}>{text}</Text>
          </Link>
        ))}
      </Stack>
    </Section>
  )
}
