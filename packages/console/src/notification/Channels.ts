/** Live queries for the manager's notification channels and their messages, and how people read them. */
import type { ChannelKind } from "@vault-trader/core/notification/Channel"
import { useLive } from "../connection/useLive.ts"
import { t } from "../text/Text.ts"

export const useChannels = () =>
  useLive(["channels"], (client) => client.live["manager.getChannels"]({}), ({ channels }) => channels)

export type Channel = NonNullable<ReturnType<typeof useChannels>["data"]>[number]

/** Follows the newest messages of the manager's channels, or of one of them. */
export const useMessages = (channel?: string) =>
  useLive(
    ["channel-messages", channel],
    (client) =>
      client.live["manager.getChannelMessages"](
        channel === undefined ? { limit: 100 } : { channel_id: channel, limit: 50 }
      ),
    ({ messages }) => messages
  )

export type Message = NonNullable<ReturnType<typeof useMessages>["data"]>[number]

export const kindLabels: Readonly<Record<ChannelKind, string>> = {
  telegram: "Telegram",
  discord: "Discord",
  slack: "Slack",
  email: t("E-mail"),
  ntfy: "ntfy",
  http: "HTTP",
  push: t("A browser")
}

/** Returns where a channel's messages go, for people. */
export const targetOf = ({ bot, host, kind, to }: Channel): string =>
  kind === "telegram" ? bot === null ? "Telegram" : `@${bot}` : kind === "email" ? to ?? "" : host ?? ""

/** Returns whether a channel delivers: one that waits for its chat, or whose last message was dropped, does not. */
export const stateOf = (
  channel: Channel,
  messages: ReadonlyArray<Message>
): { readonly label: string; readonly color: string } => {
  if (!channel.enabled) return { label: t("off"), color: "gray" }
  if (channel.kind === "telegram" && !channel.bound) return { label: t("not bound"), color: "orange" }
  const last = messages.find(({ channel_id }) => channel_id === channel.channel_id)
  if (last?.state === "dropped") return { label: t("failing"), color: "red" }
  return (last?.attempts ?? 0) > 1 && last?.state === "pending"
    ? { label: t("retrying"), color: "orange" }
    : { label: t("on"), color: "green" }
}

export const messageLabels = {
  pending: { label: t("waiting"), color: "blue" },
  sending: { label: t("sending"), color: "blue" },
  sent: { label: t("sent"), color: "green" },
  dropped: { label: t("not sent"), color: "red" }
} as const satisfies Readonly<Record<Message["state"], { readonly label: string; readonly color: string }>>
