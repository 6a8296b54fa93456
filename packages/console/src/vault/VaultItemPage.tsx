/** A page of one thing that is set at a vault: its way back, its vault, its actions, and what it says when it is gone. */
import { Group, Text } from "@mantine/core"
import type { ReactNode } from "react"
import { EmptyState } from "../shell/EmptyState.tsx"
import { type Crumb, Page } from "../shell/Page.tsx"
import { useRouteParams } from "../shell/useRouteParams.ts"
import { useVaultRef } from "./Authorities.ts"
import { useLinks } from "./useVaults.ts"
import { VaultLink } from "./VaultLink.tsx"
import type { VaultRef } from "./VaultRef.ts"

/** Returns the parameters of the page's address, and the vault they name once it is known. */
export const useVaultOfPage = () => {
  const params = useRouteParams()
  const { network = "", pool = "" } = params
  return { params, network, pool, vault: useVaultRef(network, pool) }
}

export function VaultItemPage<A>(
  { actions, children, details, empty, list, place: { network, pool, vault }, query, subtitle, title }: {
    readonly title: string
    readonly list: Crumb
    readonly place: ReturnType<typeof useVaultOfPage>
    readonly query: Parameters<typeof Page>[0]["query"]
    /** The thing; undefined while it is unknown, or if it is not there. */
    readonly details: A | undefined
    /** The thing in a few words. */
    readonly subtitle: (details: A) => string
    readonly actions: (details: A, vault: VaultRef) => ReactNode
    readonly children: (details: A, vault: VaultRef) => ReactNode
    readonly empty: { readonly icon: ReactNode; readonly title: string; readonly text: string }
  }
) {
  const links = useLinks()
  const found = details === undefined || vault === undefined ? undefined : { details, vault }
  return (
    <Page
      title={title}
      crumbs={[list]}
      query={vault === undefined ? links : query}
      subtitle={
        <Text size="sm" component="div">
          {found === undefined ? "" : `${subtitle(found.details)} · `}
          <VaultLink network={network} pool={pool} />
        </Text>
      }
      actions={found !== undefined && <Group gap="xs">{actions(found.details, found.vault)}</Group>}
    >
      {found === undefined
        ? <EmptyState icon={empty.icon} title={empty.title}>{empty.text}</EmptyState>
        : children(found.details, found.vault)}
    </Page>
  )
}
