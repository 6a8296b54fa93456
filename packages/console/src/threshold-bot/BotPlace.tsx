/** A bot's network, gas wallet (with refill button) and vault. */
import { Group, Text } from "@mantine/core"
import { RefillButton } from "../gas-wallet/RefillButton.tsx"
import { Address } from "../shell/Address.tsx"
import { placeOf } from "../vault/Place.ts"

export function Where({ bot, owner }: { readonly bot: Parameters<typeof placeOf>[0]; readonly owner: string }) {
  const { network, pool, wallet } = placeOf(bot)
  return (
    <Group gap="xs">
      <Text size="sm">{network} · {owner}</Text>
      <RefillButton wallet={wallet} network={network} />
      <Text size="sm">vault</Text>
      <Address of={pool} what="vault" />
    </Group>
  )
}
