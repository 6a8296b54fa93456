/** A sub-key: what it may do, within which bounds, until when. */
import { Button, Card, SimpleGrid, Text } from "@mantine/core"
import { IconKey } from "@tabler/icons-react"
import { call } from "../connection/RpcConnection.ts"
import { EmptyState } from "../shell/EmptyState.tsx"
import { Facts } from "../shell/Facts.tsx"
import { limitText } from "../shell/Format.ts"
import { Page } from "../shell/Page.tsx"
import { ConfirmedChange } from "../shell/ConfirmedChange.tsx"
import { Section } from "../shell/Section.tsx"
import { Stat } from "../shell/Stat.tsx"
import { Time } from "../shell/Time.tsx"
import { useDialog } from "../shell/useDialog.ts"
import { useRouteParams } from "../shell/useRouteParams.ts"
import { VaultLink } from "../vault/VaultLink.tsx"
import { labelOf, mayOf, type SubKey, useKeys } from "./SubKeys.ts"

function Bounds({ subKey }: { readonly subKey: SubKey }) {
  const places = subKey.vaults?.map((vault) => {
    const [network = "", pool = ""] = vault.split("/")
    return (
      <div key={vault}>
        <VaultLink network={network} pool={pool} />
      </div>
    )
  })
  return (
    <Section title="Bounds">
      <Facts
        label="Bounds"
        facts={[
          ["It may", mayOf(subKey)],
          ["Vaults", places ?? "all that the wallet may trade"],
          ["Max per trade", limitText(subKey.max_usd_per_trade)],
          ["Max a day", limitText(subKey.max_usd_per_day)],
          ["Endpoints", subKey.endpoints?.join(", ") ?? "all that its scopes allow"],
          ["Addresses", subKey.sources?.join(", ") ?? "any"],
          ["Last four characters", subKey.last_four]
        ]}
      />
    </Section>
  )
}

export function KeyPage() {
  const { key: id = "", wallet = "" } = useRouteParams()
  const query = useKeys()
  const { close, dialog, open } = useDialog<"revoke">()
  const keys = query.data?.find(({ address }) => address === wallet)
  const subKey = keys?.subKeys.find(({ sub_key_id }) => sub_key_id === id)
  return (
    <Page
      title={subKey === undefined ? "Sub-key" : labelOf(subKey)}
      crumbs={[{ label: "Keys", to: "/keys" }]}
      query={query}
      subtitle={keys !== undefined && <Text size="sm">Sub-key of the gas wallet {keys.name}</Text>}
      actions={subKey !== undefined && <Button color="red" onClick={() => open("revoke")}>Revoke</Button>}
    >
      {subKey === undefined || keys === undefined
        ? (
          <Card withBorder>
            <EmptyState icon={<IconKey size={22} />} title="This sub-key is not here">
              It has ended, was revoked, or belongs to a wallet that is not in your list.
            </EmptyState>
          </Card>
        )
        : (
          <>
            <Card withBorder>
              <SimpleGrid cols={{ base: 2, sm: 3 }}>
                <Stat label="Ends" value={<Time at={subKey.expires_at} />} />
                <Stat
                  label="Last used"
                  value={subKey.last_used_at === null ? "never" : <Time at={subKey.last_used_at} />}
                />
                <Stat label="Created" value={<Time at={subKey.created_at} />} />
              </SimpleGrid>
            </Card>
            <Bounds subKey={subKey} />
            {dialog === "revoke" && (
              <ConfirmedChange
                title="Revoke the sub-key"
                action="Revoke"
                to="/keys"
                close={close}
                change={() => call((client) => client.wallet.revokeSubKey({ wallet: keys.address, sub_key_id: id }))}
              >
                It stops working at once. What it has requested continues; a transaction that is already sent still
                completes.
              </ConfirmedChange>
            )}
          </>
        )}
    </Page>
  )
}
