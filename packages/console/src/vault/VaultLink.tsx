/** The name of a vault in lists, and as a link to its page. */
import { Anchor, Text } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import { useVaultName } from "./Names.ts"

export function VaultLink({ network, pool }: { readonly network: string; readonly pool: string }) {
  const name = useVaultName()(network, pool)
  return (
    <Anchor
      component={Link}
      to="/vaults/$network/$pool"
      params={{ network, pool } as never}
      size="sm"
      underline="always"
    >
      {name}
    </Anchor>
  )
}

/** The vault's name under a list's first column, on phones, where the column of vaults is left out. */
export function VaultName({ network, pool }: { readonly network: string; readonly pool: string }) {
  const name = useVaultName()(network, pool)
  return <Text size="xs" c="dimmed" hiddenFrom="sm">{name}</Text>
}
