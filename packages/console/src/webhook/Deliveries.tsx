/** The newest deliveries of the webhooks, live: each event with its state, the last answer and the next attempt. */
import { Group, NativeSelect, Stack, Text } from "@mantine/core"
import { IconWebhook } from "@tabler/icons-react"
import { useState } from "react"
import { EmptyState } from "../shell/EmptyState.tsx"
import { moment, unknown } from "../shell/Format.ts"
import { Problem } from "../shell/Problem.tsx"
import { ResponsiveTable } from "../shell/ResponsiveTable.tsx"
import { Section } from "../shell/Section.tsx"
import { StatusBadge } from "../shell/StatusBadge.tsx"
import { Time } from "../shell/Time.tsx"
import { eventTitle } from "./EventChoices.ts"
import { answerOf, type Delivery, maxDeliveries, stateOf, useDeliveries, type Webhook } from "./Webhooks.ts"
import { t } from "../text/Text.ts"

const nextOf = ({ attempts, next_attempt_at, status }: Delivery): string => {
  if (status === "failed") return t("no further attempt")
  if (next_attempt_at === null) return unknown
  return attempts === 0 ? t("at once") : t("will be tried again at {time}", { time: moment(next_attempt_at) })
}

/** Lists the cells of a delivery; with the webhook's URL where there are several. */
const cellsOf = (delivery: Delivery, url: string | undefined) => [
  <div key="event">
    <Text size="sm" fw={600}>{eventTitle(delivery.type)}</Text>
    <Text size="xs" c="dimmed">
      {delivery.type} · <Time at={delivery.created_at} />
    </Text>
  </div>,
  ...(url === undefined ? [] : [<Text key="webhook" size="sm" style={{ overflowWrap: "anywhere" }}>{url}</Text>]),
  <StatusBadge key="state" {...stateOf(delivery)} />,
  String(delivery.attempts),
  answerOf(delivery),
  nextOf(delivery)
]

export function Deliveries({ webhooks }: { readonly webhooks: ReadonlyArray<Webhook> }) {
  const [chosen, setChosen] = useState("")
  // A webhook that was deleted no longer filters.
  const filter = webhooks.some(({ webhook_id }) => webhook_id === chosen) ? chosen : ""
  const deliveries = useDeliveries(filter === "" ? undefined : filter)
  const shown = deliveries.data ?? []
  const urlOf = (id: string) => webhooks.find(({ webhook_id }) => webhook_id === id)?.url ?? t("deleted")
  return (
    <Section
      title={t("Deliveries")}
      action={
        <NativeSelect
          size="sm"
          maw={280}
          aria-label={t("Deliveries of")}
          value={filter}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={[
            { value: "", label: t("All webhooks") },
            ...webhooks.map(({ url, webhook_id }) => ({ value: webhook_id, label: url }))
          ]}
        />
      }
    >
      <Stack>
        {deliveries.error !== null && (
          <Problem
            title={deliveries.data === undefined
              ? t("This cannot be loaded right now")
              : t("The data shown is outdated")}
            message={deliveries.error.message}
            funds=""
          />
        )}
        {deliveries.isPending && deliveries.error === null && (
          <Text size="sm" c="dimmed" role="status">{t("Loading")}</Text>
        )}
        {deliveries.data !== undefined && shown.length === 0 && (
          <EmptyState icon={<IconWebhook size={22} />} title={t("No delivery yet")}>
            {t("A message is posted when one of the chosen events happens; its outcome appears here.")}
          </EmptyState>
        )}
        {shown.length > 0 && (
          <ResponsiveTable
            label={t("Deliveries")}
            columns={[
              t("Event"),
              ...(filter === "" ? ["URL"] : []),
              t("State"),
              t("Attempts"),
              t("Last answer"),
              t("Next attempt")
            ]}
            rows={shown.map((delivery) => ({
              key: `${delivery.webhook_id}/${delivery.event_id}`,
              cells: cellsOf(delivery, filter === "" ? urlOf(delivery.webhook_id) : undefined)
            }))}
          />
        )}
        {shown.length === maxDeliveries && (
          <Group>
            <Text size="sm" c="dimmed">{t("The newest {count} are shown.", { count: maxDeliveries })}</Text>
          </Group>
        )}
      </Stack>
    </Section>
  )
}
