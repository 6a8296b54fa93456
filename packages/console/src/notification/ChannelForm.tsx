/** Creates or edits a notification channel. Its secrets are sent once and never shown again. */
import { Alert, Button, Code, CopyButton, Group, NativeSelect, Stack, Text } from "@mantine/core"
import { type ChannelKind, channelKinds } from "@vault-trader/core/notification/Channel"
import { ChannelApi } from "@vault-trader/core/notification/ChannelApi"
import { useState } from "react"
import { call, isLost } from "../connection/RpcConnection.ts"
import { parametersOf } from "../shell/Parameters.ts"
import { type TermField, TermsForm, type TermTexts } from "../shell/TermsForm.tsx"
import { Time } from "../shell/Time.tsx"
import { type Channel, kindLabels } from "./Channels.ts"
import { Modal } from "../shell/Modal.tsx"
import { eventsField, suggested } from "../webhook/EventChoices.ts"
import * as Push from "./Push.ts"
import { T } from "../text/Sentence.tsx"
import { t } from "../text/Text.ts"

const { faultOf } = parametersOf(ChannelApi, "createChannel")

const name: TermField = {
  name: "name",
  label: t("Name"),
  description: t("Only you see it"),
  placeholder: "phone",
  isNeeded: true
}

const url = (label: string, description: string): TermField => ({
  name: "url",
  kind: "secret",
  label,
  description,
  isNeeded: true
})

const token = (description: string): TermField => ({
  name: "access_token",
  kind: "secret",
  label: t("Access token"),
  description
})

const targets: Readonly<Record<ChannelKind, ReadonlyArray<TermField>>> = {
  telegram: [
    {
      name: "commands",
      kind: "choice",
      label: t("Commands from the chat"),
      description: t("Resuming needs your signature, so no chat may do it from here"),
      options: [
        { value: "pause", label: t("Status and pause") },
        { value: "status", label: t("Status only") },
        { value: "none", label: t("None") }
      ]
    },
    { ...token(t("From @BotFather")), label: t("Bot token"), isNeeded: true }
  ],
  discord: [url(t("Webhook URL"), t("Channel settings, Integrations, Webhooks"))],
  slack: [url(t("Webhook URL"), t("Of an incoming webhook"))],
  email: [
    { name: "smtp_host", label: t("Mail server"), placeholder: "smtp.example.com", isNeeded: true },
    { name: "smtp_port", label: t("Port"), description: t("465, 587, 25 or 2525"), placeholder: "587" },
    { name: "smtp_user", label: t("User name"), placeholder: "alerts@example.com" },
    { name: "from", label: t("From"), placeholder: "alerts@example.com", isNeeded: true },
    { name: "to", label: t("To"), placeholder: "you@example.com", isNeeded: true },
    { name: "smtp_password", kind: "secret", label: t("Password of the mail server") }
  ],
  ntfy: [url(t("Topic URL"), t("As https://ntfy.sh/your-topic")), token(t("Only if the topic needs one"))],
  http: [url("URL", t("Receives a POST with JSON")), token(t("Sent as a bearer token, if the receiver needs one"))],
  push: []
}

const rules: ReadonlyArray<TermField> = [
  {
    name: "quiet_hours",
    label: t("Quiet hours"),
    description: t("Only urgent events are sent then; the rest comes afterwards. none: no quiet hours"),
    placeholder: "22:00-07:00 Europe/Berlin"
  },
  {
    name: "digest_minutes",
    label: t("Collect for, minutes"),
    description: t("Into one message, except urgent events. 0: each at once"),
    placeholder: "0"
  },
  { name: "max_per_hour", label: t("Messages per hour"), description: t("More become one message"), placeholder: "60" },
  eventsField
]

const enabled: TermField = { name: "enabled", kind: "flag", label: t("On"), description: t("Off: nothing is sent") }

const bind: TermField = {
  name: "bind",
  kind: "flag",
  label: t("Bind another chat"),
  description: t("Shows a new one-time code; the chat that sends it replaces the present one")
}

/** Returns the fields of a kind. A secret that is left empty stays as it is when the channel is edited. */
const fieldsOf = (kind: ChannelKind, isEdit: boolean): ReadonlyArray<TermField> => [
  name,
  ...(isEdit
    ? targets[kind].map((field) =>
      field.kind === "secret"
        ? { ...field, isNeeded: false, description: t("Stored. Leave it empty to keep it.") }
        : field
    )
    : targets[kind]),
  ...rules,
  ...(isEdit ? [enabled, ...(kind === "telegram" ? [bind] : [])] : [])
]

const textsOf = (channel: Channel): TermTexts => ({
  ...{ name: channel.name, events: channel.events.join(","), enabled: String(channel.enabled) },
  ...{ quiet_hours: channel.quiet_hours ?? "none", digest_minutes: String(channel.digest_minutes) },
  max_per_hour: String(channel.max_per_hour),
  ...(channel.kind === "telegram" && channel.commands !== "resume" ? { commands: channel.commands } : {}),
  ...(channel.kind === "email"
    ? {
      ...{ smtp_host: channel.host ?? "", smtp_port: String(channel.smtp_port ?? ""), from: channel.from ?? "" },
      to: channel.to ?? ""
    }
    : {})
})

type Sent = Awaited<ReturnType<typeof create>>

const create = async (kind: ChannelKind, params: Readonly<Record<string, unknown>>) => {
  const subscription = kind === "push" ? { subscription: await Push.subscribe() } : {}
  // Decoded by the endpoint's schemas; the compiler cannot check fields accessed by name.
  return call((client) => client.manager.createChannel({ ...params, ...subscription, kind } as never)).catch(
    async (failure: Error) => {
      // An answer that was lost may be that of a channel that exists.
      if (kind === "push" && !isLost(failure)) await Push.unsubscribe()
      throw failure
    }
  )
}

const update = (channel: Channel, params: Readonly<Record<string, unknown>>) =>
  call((client) => client.manager.updateChannel({ ...params, channel_id: channel.channel_id }))

/** Says that this browser shows the messages, or why it cannot. */
function ThisBrowser() {
  return Push.isSupported()
    ? (
      <Text size="sm">
        {t(
          "This browser on this device. It shows messages also while the console is closed, and asks for permission once."
        )}
      </Text>
    )
    : (
      <Alert color="orange" title={t("This browser takes no messages here")}>
        {t(
          "The console needs HTTPS for it. On an iPhone or iPad, add the console to the home screen and open it there."
        )}
      </Alert>
    )
}

/** Shows the one-time code that binds a Telegram chat. It exists only in this dialog. */
function Binding({ close, sent }: { readonly sent: Sent; readonly close: () => void }) {
  return (
    <Modal opened onClose={close} title={t("Bind your chat")} closeButtonProps={{ "aria-label": t("Close") }}>
      <Stack>
        <Alert color="orange" title={t("Shown once")}>
          <T
            message="Send {code} and this code to your bot. The first chat that sends it gets the messages."
            values={{ code: <Code>/start</Code> }}
          />
        </Alert>
        <Code block style={{ wordBreak: "break-all", whiteSpace: "pre-wrap" }}>/start {sent.bind_code}</Code>
        {sent.bind_expires_at !== null && (
          <Text size="sm">
            <T message="It ends {time}." values={{ time: <Time at={sent.bind_expires_at} /> }} />
          </Text>
        )}
        <Group justify="flex-end">
          <CopyButton value={`/start ${sent.bind_code ?? ""}`}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>{copied ? t("Copied") : t("Copy the message")}</Button>
            )}
          </CopyButton>
          {sent.bind_url !== null && (
            <Button component="a" href={sent.bind_url} target="_blank" rel="noreferrer">{t("Open Telegram")}</Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

export function ChannelForm({ channel, close }: {
  /** The channel that is edited. */
  readonly channel?: Channel
  readonly close: () => void
}) {
  const [chosen, setChosen] = useState<ChannelKind>(channel?.kind ?? "telegram")
  const [bound, setBound] = useState<Sent>()
  const kind = channel?.kind ?? chosen
  if (bound !== undefined) return <Binding sent={bound} close={close} />
  return (
    <TermsForm<Sent>
      key={kind}
      title={channel === undefined ? t("Add a channel") : t("Edit {name}", { name: channel.name })}
      endpoint={channel === undefined ? "createChannel" : "updateChannel"}
      about={channel === undefined ? { kind } : { channel_id: channel.channel_id }}
      fields={fieldsOf(kind, channel !== undefined)}
      faultOf={faultOf}
      initial={channel === undefined ? { events: suggested, commands: "pause" } : textsOf(channel)}
      header={channel === undefined && (
        <>
          <NativeSelect
            label={t("Where to")}
            value={kind}
            data={channelKinds.map((value) => ({
              value,
              label: value === "push" ? t("This browser") : kindLabels[value]
            }))}
            onChange={(event) => setChosen(channelKinds.find((each) => each === event.currentTarget.value) ?? "http")}
          />
          {kind === "push" && <ThisBrowser />}
        </>
      )}
      send={(params) => channel === undefined ? create(kind, params) : update(channel, params)}
      sent={(sent) => {
        if (sent.bind_code === null) return false
        setBound(sent)
        return true
      }}
      submit={channel === undefined ? t("Add the channel") : t("Save changes")}
      failed={channel === undefined ? t("The channel is not added") : t("The channel is unchanged")}
      close={close}
    />
  )
}
