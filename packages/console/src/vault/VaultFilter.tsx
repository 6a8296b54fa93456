/** Says to which vault a list is limited, and lifts the limit. */
import { Anchor, Text } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import { VaultLink } from "./VaultLink.tsx"
import { useVaultSearch } from "./VaultSearch.ts"
import { T } from "../text/Sentence.tsx"

export function VaultFilter({ to }: { readonly to: "/guardians" | "/followers" | "/strategies" }) {
  const { network, pool } = useVaultSearch()
  if (network === undefined || pool === undefined) return null
  return (
    <Text size="sm">
      <T
        message="Only {vaultLink}. <0>Show all vaults</0>"
        parts={[<Anchor component={Link} to={to} search={{} as never} size="sm" underline="always" />]}
        values={{ vaultLink: <VaultLink network={network} pool={pool} /> }}
      />
    </Text>
  )
}
