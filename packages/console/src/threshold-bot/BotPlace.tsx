/** A bot's network, gas wallet (with refill button) and vault. */
import { Group, Text } from "@mantine/core"
import { RefillButton } from "../gas-wallet/RefillButton.tsx"
import { Address } from "../shell/Address.tsx"
import { VaultLink } from "../vault/VaultLink.tsx"
import { vaultRefOf } from "../vault/VaultRef.ts"
import { t } from "../text/Text.ts"

export function BotPlace({ bot, owner }: { readonly bot: Parameters<typeof vaultRefOf>[0]; readonly owner: string }) {
  const { network, pool, wallet } = vaultRefOf(bot)
  return (
    <Group gap="xs">
      <Text size="sm">{network} · {owner}</Text>
      <RefillButton wallet={wallet} network={network} />
      <VaultLink network={network} pool={pool} />
      <Address address={pool} label={t("vault")} />
    </Group>
  )
}
