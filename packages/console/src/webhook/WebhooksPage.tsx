/** The manager's webhooks: where events are posted, whether they arrive, and the deliveries. */
import { Button, Card, Group, Stack, Text } from "@mantine/core"
import { IconWebhook } from "@tabler/icons-react"
import { lazy, Suspense } from "react"
import { call } from "../connection/RpcConnection.ts"
import { ConfirmedChange } from "../shell/ConfirmedChange.tsx"
import { EmptyState } from "../shell/EmptyState.tsx"
import { Page } from "../shell/Page.tsx"
import { ResponsiveTable } from "../shell/ResponsiveTable.tsx"
import { StatusBadge } from "../shell/StatusBadge.tsx"
import { Time } from "../shell/Time.tsx"
import { useDialog } from "../shell/useDialog.ts"
import { Deliveries } from "./Deliveries.tsx"
import { eventTitle } from "./EventChoices.ts"
import { stateOf, useDeliveries, useWebhooks, type Webhook } from "./Webhooks.ts"
import { t } from "../text/Text.ts"

const WebhookForm = lazy(() => import("./WebhookForm.tsx").then(({ WebhookForm }) => ({ default: WebhookForm })))

type Dialog =
  | { readonly kind: "add" }
  | { readonly kind: "events" | "secret" | "delete"; readonly webhook: Webhook }

/** The state of a webhook's newest delivery. */
function Newest({ webhook }: { readonly webhook: string }) {
  const { data } = useDeliveries(webhook, 1)
  const [newest] = data ?? []
  if (data === undefined) return <Text size="sm" c="dimmed">…</Text>
  if (newest === undefined) return <StatusBadge color="gray" label={t("none yet")} />
  return (
    <Group gap={6} wrap="nowrap">
      <StatusBadge {...stateOf(newest)} />
      <Text size="xs" c="dimmed">
        <Time at={newest.created_at} />
      </Text>
    </Group>
  )
}

function WebhookList({ open, webhooks }: {
  readonly webhooks: ReadonlyArray<Webhook>
  readonly open: (dialog: Dialog) => void
}) {
  return (
    <Card withBorder>
      <ResponsiveTable
        label={t("Webhooks")}
        columns={["URL", t("Newest delivery"), t("Events"), t("Added"), t("Change")]}
        rows={webhooks.map((webhook) => ({
          key: webhook.webhook_id,
          cells: [
            <Text key="url" size="sm" fw={600} style={{ overflowWrap: "anywhere" }}>{webhook.url}</Text>,
            <Newest key="newest" webhook={webhook.webhook_id} />,
            <span key="events" title={webhook.events.map(eventTitle).join(", ")}>
              {t("{count, plural, one {# event} other {# events}}", { count: webhook.events.length })}
            </span>,
            <Time key="added" at={webhook.created_at} />,
            <Group key="change" gap={6}>
              <Button size="compact-sm" variant="default" onClick={() => open({ kind: "events", webhook })}>
                {t("Change the events")}
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => open({ kind: "secret", webhook })}>
                {t("Make a new secret")}
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => open({ kind: "delete", webhook })}>
                {t("Delete")}
              </Button>
            </Group>
          ]
        }))}
      />
    </Card>
  )
}

function Dialogs({ close, dialog }: { readonly dialog: Dialog; readonly close: () => void }) {
  if (dialog.kind !== "delete") {
    return <WebhookForm kind={dialog.kind} close={close} webhook={dialog.kind === "add" ? undefined : dialog.webhook} />
  }
  const { url, webhook_id } = dialog.webhook
  return (
    <ConfirmedChange
      title={t("Delete the webhook")}
      action={t("Delete")}
      close={close}
      change={() => call((client) => client.manager.deleteWebhook({ webhook_id }))}
    >
      <Text size="sm" fw={600} mb="xs" style={{ overflowWrap: "anywhere" }}>{url}</Text>
      {t(
        "Nothing more is posted there. Pending deliveries are dropped, and the list of past ones goes too; other " +
          "webhooks and channels continue."
      )}
    </ConfirmedChange>
  )
}

export function WebhooksPage() {
  const webhooks = useWebhooks()
  const { close, dialog, open } = useDialog<Dialog>()
  const shown = webhooks.data ?? []
  const add = <Button onClick={() => open({ kind: "add" })}>{t("Add a webhook")}</Button>
  return (
    <Page title={t("Webhooks")} query={webhooks} actions={shown.length > 0 && add}>
      {shown.length === 0
        ? (
          <Card withBorder>
            <EmptyState icon={<IconWebhook size={22} />} title={t("No webhook yet")} action={add}>
              {t(
                "Your own program hears of events at once: the service posts them to its URL, signed, and tries again " +
                  "for a day until they arrive. For messages to people, add a channel under Notifications."
              )}
            </EmptyState>
          </Card>
        )
        : (
          <Stack>
            <WebhookList webhooks={shown} open={open} />
            <Deliveries webhooks={shown} />
          </Stack>
        )}
      <Suspense fallback={null}>{dialog !== undefined && <Dialogs dialog={dialog} close={close} />}</Suspense>
    </Page>
  )
}
