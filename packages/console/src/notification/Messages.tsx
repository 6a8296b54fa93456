/** Messages of channels with their delivery: sent, waiting, or not sent and why. */
import { Group, Stack, Text } from "@mantine/core"
import { IconBell } from "@tabler/icons-react"
import { EmptyState } from "../shell/EmptyState.tsx"
import { StatusBadge } from "../shell/StatusBadge.tsx"
import { Time } from "../shell/Time.tsx"
import { type Channel, type Message, messageLabels } from "./Channels.ts"
import { t } from "../text/Text.ts"

export function Messages({ channels = [], messages }: {
  readonly messages: ReadonlyArray<Message>
  /** Names the channel of each message where there are several. */
  readonly channels?: ReadonlyArray<Channel>
}) {
  if (messages.length === 0) {
    return (
      <EmptyState icon={<IconBell size={22} />} title={t("No message yet")}>
        {t("A message is sent when one of the chosen events happens. Send a test to see that it arrives.")}
      </EmptyState>
    )
  }
  const nameOf = (id: string) => channels.find(({ channel_id }) => channel_id === id)?.name
  return (
    <Stack gap="xs" component="ul" style={{ listStyle: "none", margin: 0, padding: 0 }}>
      {messages.map(({ attempts, channel_id, created_at, events, last_error, message_id, state, title }) => (
        <Group key={message_id} component="li" justify="space-between" wrap="nowrap" align="flex-start">
          <div style={{ minWidth: 0 }}>
            <Text size="sm" fw={600}>
              {events > 1
                ? t("{title} ({events, plural, one {# event} other {# events}})", { title, events })
                : title}
            </Text>
            {last_error !== null && <Text size="xs" style={{ overflowWrap: "anywhere" }}>{last_error}</Text>}
            <Text size="xs" c="dimmed">
              {nameOf(channel_id) === undefined ? "" : `${nameOf(channel_id) ?? ""} · `}
              <Time at={created_at} />
              {attempts > 1 ? ` · ${t("{attempts, plural, one {# attempt} other {# attempts}}", { attempts })}` : ""}
            </Text>
          </div>
          <StatusBadge {...messageLabels[state]} />
        </Group>
      ))}
    </Stack>
  )
}
