/** Audit: changes of keys, limits, switches, bots and managers, and signed transactions, with who made them. */
import { Alert, Badge, Button, Card, Code, Group, NativeSelect, Stack, Text } from "@mantine/core"
import type { Address } from "@vault-trader/core/chain/Address"
import type { AuditEntryView } from "@vault-trader/core/audit/AuditApi"
import { useState } from "react"
import { nameOf, useWallets } from "../gas-wallet/GasWallets.ts"
import { moment } from "../shell/Format.ts"
import { Page } from "../shell/Page.tsx"
import { useAuditLog } from "./AuditLog.ts"
import { t } from "../text/Text.ts"

/** Labels of the actors. */
const actorLabels: Readonly<Record<AuditEntryView["actor_kind"], string>> = {
  service: t("the service"),
  key: t("an API key"),
  manager: t("a manager"),
  session: t("a manager at the console"),
  webhookToken: t("a chart alert"),
  chat: t("a bound chat"),
  operator: t("the operator"),
  owner: t("the holder of the private key"),
  stranger: t("a caller without a key")
}

/** Returns who made a change, from where and with what: each is a phrase of its own. */
const actorText = ({ actor, actor_kind, credential, from }: AuditEntryView) =>
  [
    actor === null
      ? t("By {actorKind}", { actorKind: actorLabels[actor_kind] })
      : t("By {actorKind} {actor}", { actorKind: actorLabels[actor_kind], actor }),
    ...from === null ? [] : [t("from {from}", { from })],
    ...credential === null ? [] : [t("with {credential}", { credential })]
  ].join(" · ")

function EntryCard({ entry, owner }: { readonly entry: AuditEntryView; readonly owner: string | null }) {
  const { action, at, description, details, seq } = entry
  return (
    <Card withBorder padding="sm" component="article" aria-label={t("Entry {seq}, {action}", { seq, action })}>
      <Stack gap={6}>
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Text fw={600}>{description}</Text>
          <Badge color="gray" variant="dot" style={{ flexShrink: 0 }}>{action}</Badge>
        </Group>
        <Text size="sm" c="dimmed">{moment(at)}{owner === null ? "" : ` · ${owner}`}</Text>
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>{actorText(entry)}</Text>
        {Object.keys(details).length > 0 && (
          <Code block style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{JSON.stringify(details)}</Code>
        )}
      </Stack>
    </Card>
  )
}

export function AuditPage() {
  const [wallet, setWallet] = useState<Address | undefined>(undefined)
  const wallets = useWallets().data ?? []
  const { loading, more, newest, rows: entries } = useAuditLog(wallet)
  const ownerOf = (address: Address) =>
    nameOf(wallets.find((each) => each.address === address) ?? { address, label: null })
  const choice = (
    <NativeSelect
      size="sm"
      label={t("Gas wallet")}
      value={wallet ?? ""}
      onChange={(event) => setWallet(wallets.find(({ address }) => address === event.currentTarget.value)?.address)}
      data={[
        { value: "", label: t("All") },
        ...wallets.map((each) => ({ value: each.address, label: nameOf(each) }))
      ]}
    />
  )
  return (
    <Page title={t("Audit")} query={newest} choice={choice}>
      {newest.data !== undefined && entries.length === 0 && (
        <Alert color="blue" title={t("Nothing yet")}>
          {t("Changes of keys, limits, switches, bots and managers are listed here, and every signed transaction.")}
        </Alert>
      )}
      <Stack gap="xs" component="section" aria-label={t("Entries")} aria-busy={loading}>
        {entries.map((entry) => (
          <EntryCard key={entry.seq} entry={entry} owner={entry.wallet === null ? null : ownerOf(entry.wallet)} />
        ))}
      </Stack>
      {more !== undefined && (
        <Group justify="center">
          <Button variant="default" loading={loading} onClick={more}>{t("Load more")}</Button>
        </Group>
      )}
    </Page>
  )
}
