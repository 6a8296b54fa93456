/**
 * The part of a vault's page about what it does with its assets besides holding and trading them: lending, liquidity and
 * perpetual contracts, each with its page.
 */
import { Group, Stack, Text } from "@mantine/core"
import { IconArrowsUpDown, IconDroplet, IconPigMoney } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { Section } from "../shell/Section.tsx"
import type { useComposition } from "../vault/useVaults.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { t } from "../text/Text.ts"

type Composition = NonNullable<ReturnType<typeof useComposition>["data"]>

export function VaultMarkets({ data, vault }: { readonly vault: VaultRef; readonly data: Composition | undefined }) {
  const { network, pool } = vault
  const positions = data?.composition.flatMap((holding) => holding.positions).length ?? 0
  const rows = [
    {
      to: "/vaults/$network/$pool/lending",
      label: t("Lending"),
      icon: <IconPigMoney size={22} aria-hidden="true" />,
      text: t("Supply assets to earn interest, and borrow against them.")
    },
    {
      to: "/vaults/$network/$pool/liquidity",
      label: t("Liquidity"),
      icon: <IconDroplet size={22} aria-hidden="true" />,
      text: positions === 0
        ? t("Earn fees by providing a pair of assets within a range of prices.")
        : t("{count, plural, one {# position} other {# positions}}", { count: positions })
    },
    // Perpetual contracts trade at HyperCore, whose bridge is on this network.
    ...(network === "hyperliquid"
      ? [{
        to: "/vaults/$network/$pool/perpetuals",
        label: t("Perpetuals"),
        icon: <IconArrowsUpDown size={22} aria-hidden="true" />,
        text: t("Trade perpetual contracts with the vault’s USDC as margin.")
      }]
      : [])
  ]
  return (
    <Section title={t("Earn, borrow and trade on margin")}>
      <Stack gap={0} mx={-12}>
        {rows.map(({ icon, label, text, to }) => (
          <Link key={to} to={to} params={{ network, pool }} className="row-link">
            <Group gap="sm" wrap="nowrap">
              {icon}
              <div>
                <Text size="sm" fw={600}>{label}</Text>
                <Text size="xs" c="dimmed">{text}</Text>
              </div>
            </Group>
          </Link>
        ))}
      </Stack>
    </Section>
  )
}
