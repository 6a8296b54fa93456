/** The manager's notification channels, and the newest messages of all of them. */
import { Anchor, Button, Card, Group, Stack, Text } from "@mantine/core"
import { IconBell } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { EmptyState } from "../shell/EmptyState.tsx"
import { Page } from "../shell/Page.tsx"
import { ResponsiveTable } from "../shell/ResponsiveTable.tsx"
import { Section } from "../shell/Section.tsx"
import { StatusBadge } from "../shell/StatusBadge.tsx"
import { useDialog } from "../shell/useDialog.ts"
import { kindLabels, stateOf, targetOf, useChannels, useMessages } from "./Channels.ts"
import { Messages } from "./Messages.tsx"
import { t } from "../text/Text.ts"

const ChannelForm = lazy(() => import("./ChannelForm.tsx").then(({ ChannelForm }) => ({ default: ChannelForm })))

export function ChannelsPage() {
  const channels = useChannels()
  const messages = useMessages().data ?? []
  const { close, dialog, open } = useDialog<"add">()
  const shown = channels.data ?? []
  const add = <Button onClick={() => open("add")}>{t("Add a channel")}</Button>
  return (
    <Page title={t("Notifications")} query={channels} actions={shown.length > 0 && add}>
      {shown.length === 0
        ? (
          <Card withBorder>
            <EmptyState icon={<IconBell size={22} />} title={t("No channel yet")} action={add}>
              {t(
                "Hear of what needs you where you are: this browser, Telegram, Discord, Slack, e-mail, ntfy or your " +
                  "own receiver. Choose the events, quiet hours and digests; a test message shows whether it arrives."
              )}
            </EmptyState>
          </Card>
        )
        : (
          <Stack>
            <Card withBorder>
              <ResponsiveTable
                label={t("Channels")}
                columns={[t("Channel"), t("State"), t("Goes to"), t("Events"), t("Quiet hours")]}
                rows={shown.map((channel) => {
                  const { color, label } = stateOf(channel, messages)
                  return {
                    key: channel.channel_id,
                    cells: [
                      <Group key="name" gap="xs" wrap="nowrap">
                        <Anchor
                          component={Link}
                          to="/notifications/$channel"
                          params={{ channel: channel.channel_id } as never}
                          size="sm"
                          fw={600}
                        >
                          {channel.name}
                        </Anchor>
                        <Text size="sm" c="dimmed">{kindLabels[channel.kind]}</Text>
                      </Group>,
                      <StatusBadge key="state" color={color} label={label} />,
                      targetOf(channel),
                      t("{count, plural, one {# event} other {# events}}", { count: channel.events.length }),
                      channel.quiet_hours ?? t("none")
                    ]
                  }
                })}
              />
            </Card>
            <Section title={t("Latest messages")}>
              <Messages messages={messages.slice(0, 20)} channels={shown} />
            </Section>
          </Stack>
        )}
      <Suspense fallback={null}>{dialog === "add" && <ChannelForm close={close} />}</Suspense>
    </Page>
  )
}
