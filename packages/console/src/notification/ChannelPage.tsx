/** A notification channel: where it goes, what it sends and when, a test with its result, and its messages. */
import { Alert, Badge, Button, Card, Group, SimpleGrid, Text } from "@mantine/core"
import { IconBell } from "@tabler/icons-react"
import { useMutation } from "@tanstack/react-query"
import { events } from "@vault-trader/core/webhook/EventTable"
import { lazy, Suspense } from "react"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { EmptyState } from "../shell/EmptyState.tsx"
import { Facts } from "../shell/Facts.tsx"
import { Page } from "../shell/Page.tsx"
import { Problem } from "../shell/Problem.tsx"
import { ConfirmedChange } from "../shell/ConfirmedChange.tsx"
import { Section } from "../shell/Section.tsx"
import { StatusBadge } from "../shell/StatusBadge.tsx"
import { Time } from "../shell/Time.tsx"
import { useDialog } from "../shell/useDialog.ts"
import { useRouteParams } from "../shell/useRouteParams.ts"
import { type Channel, kindLabels, stateOf, targetOf, useChannels, useMessages } from "./Channels.ts"
import { Messages } from "./Messages.tsx"
import { t } from "../text/Text.ts"

const ChannelForm = lazy(() => import("./ChannelForm.tsx").then(({ ChannelForm }) => ({ default: ChannelForm })))

const commandLabels = {
  none: t("none"),
  status: "status",
  pause: t("status and pause"),
  resume: t("status, pause and resume")
} as const satisfies Readonly<Record<Channel["commands"], string>>

/** Sends a test message and shows what the receiver answered. */
const useTest = (channel: string) =>
  useMutation({
    mutationFn: () => call((client) => client.manager.testChannel({ channel_id: channel })),
    onSettled: () => queries.invalidateQueries()
  })

function Tested({ test }: { readonly test: ReturnType<typeof useTest> }) {
  if (test.error !== null) return <Problem title={t("The test was not sent")} message={test.error.message} funds="" />
  if (test.data === undefined) return null
  return test.data.delivered
    ? <Alert color="green" role="status" title={t("The test arrived")}>{test.data.message}</Alert>
    : <Problem title={t("The test did not arrive")} message={test.data.message} funds="" />
}

function Settings({ channel }: { readonly channel: Channel }) {
  return (
    <Section title={t("Settings")}>
      <Facts
        label={t("Settings")}
        facts={[
          [t("Kind"), kindLabels[channel.kind]],
          [t("Goes to"), targetOf(channel)],
          [t("From"), channel.from],
          [t("Secret"), t("stored encrypted, never shown")],
          [t("Quiet hours"), channel.quiet_hours ?? t("none")],
          [
            t("Digest"),
            channel.digest_minutes === 0 ? t("none") : t("every {minutes} min", { minutes: channel.digest_minutes })
          ],
          [t("Messages per hour"), t("at most {maxPerHour}", { maxPerHour: channel.max_per_hour })],
          [t("Commands"), channel.kind === "telegram" ? commandLabels[channel.commands] : null],
          [
            t("Own texts"),
            Object.keys(channel.templates).length === 0
              ? null
              : t("{count, plural, one {# text} other {# texts}}", { count: Object.keys(channel.templates).length })
          ],
          [t("Added"), <Time key="added" at={channel.created_at} />]
        ]}
      />
      <Text size="sm" c="dimmed" mt="sm" mb={4}>
        {t("{count, plural, one {# event} other {# events}}", { count: channel.events.length })}
      </Text>
      <Group gap={6}>
        {channel.events.map((event) => <Badge key={event} variant="default">{events[event].title}</Badge>)}
      </Group>
    </Section>
  )
}

function Body({ channel }: { readonly channel: Channel }) {
  const messages = useMessages(channel.channel_id).data ?? []
  const { color, label } = stateOf(channel, messages)
  return (
    <>
      {channel.kind === "telegram" && !channel.bound && (
        <Alert color="orange" title={t("No chat is bound yet")}>
          {t("Nothing is sent before your chat has sent the one-time code. Choose Edit, then Bind another chat.")}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: "start" }}>
        <Settings channel={channel} />
        <Section
          title={t("Messages")}
          action={<StatusBadge color={color} label={label} />}
        >
          <Messages messages={messages} />
        </Section>
      </SimpleGrid>
    </>
  )
}

export function ChannelPage() {
  const { channel: id = "" } = useRouteParams()
  const channels = useChannels()
  const { close, dialog, open } = useDialog<"edit" | "remove">()
  const test = useTest(id)
  const channel = channels.data?.find(({ channel_id }) => channel_id === id)
  return (
    <Page
      title={channel?.name ?? t("Channel")}
      crumbs={[{ label: t("Notifications"), to: "/notifications" }]}
      query={channels}
      subtitle={channel !== undefined && <Text size="sm">{kindLabels[channel.kind]} · {targetOf(channel)}</Text>}
      actions={channel !== undefined && (
        <Group gap="xs">
          <Button onClick={() => test.mutate()} loading={test.isPending}>{t("Send a test")}</Button>
          <Button variant="default" onClick={() => open("edit")}>{t("Edit")}</Button>
          <Button variant="default" onClick={() => open("remove")}>{t("Remove")}</Button>
        </Group>
      )}
    >
      <Tested test={test} />
      {channel === undefined
        ? (
          <Card withBorder>
            <EmptyState icon={<IconBell size={22} />} title={t("This channel is not here")}>
              {t("It may have been removed, or it belongs to a gas wallet’s key.")}
            </EmptyState>
          </Card>
        )
        : <Body channel={channel} />}
      {channel !== undefined && (
        <Suspense fallback={null}>
          {dialog === "edit" && <ChannelForm channel={channel} close={close} />}
          {dialog === "remove" && (
            <ConfirmedChange
              title={t("Remove the channel")}
              to="/notifications"
              close={close}
              change={() => call((client) => client.manager.deleteChannel({ channel_id: id }))}
            >
              {t("What it was still to send is dropped, and its chat no longer commands anything.")}
            </ConfirmedChange>
          )}
        </Suspense>
      )}
    </Page>
  )
}
