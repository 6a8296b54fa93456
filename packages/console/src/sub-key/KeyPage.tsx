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
import { t } from "../text/Text.ts"

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
    <Section title={t("Bounds")}>
      <Facts
        label={t("Bounds")}
        facts={[
          [t("It may"), mayOf(subKey)],
          [t("Vaults"), places ?? t("all that the wallet may trade")],
          [t("Max per trade"), limitText(subKey.max_usd_per_trade)],
          [t("Max a day"), limitText(subKey.max_usd_per_day)],
          [t("Endpoints"), subKey.endpoints?.join(", ") ?? t("all that its scopes allow")],
          [t("Addresses"), subKey.sources?.join(", ") ?? "any"],
          [t("Last four characters"), subKey.last_four]
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
      title={subKey === undefined ? t("Sub-key") : labelOf(subKey)}
      crumbs={[{ label: t("Keys"), to: "/keys" }]}
      query={query}
      subtitle={keys !== undefined && (
        <Text size="sm">{t("Sub-key of the gas wallet {name}", { name: keys.name })}</Text>
      )}
      actions={subKey !== undefined && <Button color="red" onClick={() => open("revoke")}>{t("Revoke")}</Button>}
    >
      {subKey === undefined || keys === undefined
        ? (
          <Card withBorder>
            <EmptyState icon={<IconKey size={22} />} title={t("This sub-key is not here")}>
              {t("It has ended, was revoked, or belongs to a wallet that is not in your list.")}
            </EmptyState>
          </Card>
        )
        : (
          <>
            <Card withBorder>
              <SimpleGrid cols={{ base: 2, sm: 3 }}>
                <Stat label={t("Ends")} value={<Time at={subKey.expires_at} />} />
                <Stat
                  label={t("Last used")}
                  value={subKey.last_used_at === null ? t("never") : <Time at={subKey.last_used_at} />}
                />
                <Stat label={t("Created")} value={<Time at={subKey.created_at} />} />
              </SimpleGrid>
            </Card>
            <Bounds subKey={subKey} />
            {dialog === "revoke" && (
              <ConfirmedChange
                title={t("Revoke the sub-key")}
                action={t("Revoke")}
                to="/keys"
                close={close}
                change={() => call((client) => client.wallet.revokeSubKey({ wallet: keys.address, sub_key_id: id }))}
              >
                {t(
                  "It stops working at once. What it has requested continues; a transaction that is already sent " +
                    "still completes."
                )}
              </ConfirmedChange>
            )}
          </>
        )}
    </Page>
  )
}
