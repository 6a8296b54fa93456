/** Adds a webhook, changes its events, or makes a new secret, which is shown once: each change makes one. */
import { Alert, List, Stack, Text } from "@mantine/core"
import { eventTypes } from "@vault-trader/core/webhook/EventTable"
import { WebhookApi } from "@vault-trader/core/webhook/WebhookApi"
import { type ReactNode, useState } from "react"
import { call, isLost } from "../connection/RpcConnection.ts"
import { parametersOf } from "../shell/Parameters.ts"
import { type Params, type TermField, TermsForm } from "../shell/TermsForm.tsx"
import { eventsField, eventTitle, suggested } from "./EventChoices.ts"
import { type NewSecret, WebhookSecret } from "./WebhookSecret.tsx"
import { setWebhook, type Webhook } from "./Webhooks.ts"
import { t } from "../text/Text.ts"

const { faultOf } = parametersOf(WebhookApi, "setWebhook")

const url: TermField = {
  name: "url",
  label: "URL",
  description: t("With https, and a host on the public internet"),
  placeholder: "https://hooks.example.com/vault-trader",
  isNeeded: true
}

/** Says what a new secret ends. */
function NewSecretAlert() {
  return (
    <Alert color="orange" title={t("It gets a new secret")}>
      {t(
        "Every message from then on is signed with the new secret, also those that wait. The receiver refuses them until " +
          "it has the new secret; what it refuses is sent again later."
      )}
    </Alert>
  )
}

const named = (types: ReadonlyArray<string>) => types.map(eventTitle).join(", ")

/** Says which events a webhook receives from now on, and which no longer. */
function Change({ before, chosen, target }: {
  readonly target: string
  readonly chosen: ReadonlyArray<string>
  readonly before: ReadonlyArray<string> | undefined
}) {
  const added = chosen.filter((type) => before?.includes(type) !== true)
  const removed = (before ?? []).filter((type) => !chosen.includes(type))
  return (
    <Stack gap="xs">
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        {t(
          "Posts {count, plural, one {# event} other {# events}} of all your gas wallets to {url}, from now on.",
          { count: chosen.length, url: target }
        )}
      </Text>
      {before === undefined
        ? <Text size="sm" c="dimmed">{named(chosen)}</Text>
        : (
          <List size="sm">
            {added.length > 0 && <List.Item>{t("New: {events}", { events: named(added) })}</List.Item>}
            {removed.length > 0 && <List.Item>{t("No longer: {events}", { events: named(removed) })}</List.Item>}
            {added.length + removed.length === 0 && <List.Item>{t("The events stay the same.")}</List.Item>}
          </List>
        )}
      {before !== undefined && <NewSecretAlert />}
    </Stack>
  )
}

const textOf = (params: Params, name: string): string => String(params[name] ?? "")

const listOfEvents = (params: Params): ReadonlyArray<string> | undefined => {
  const chosen = params["events"]
  return typeof chosen === "string" || chosen === undefined ? undefined : chosen
}

/** Compares with the webhook that the service has at this URL now. */
const preview = async (target: string, chosen: ReadonlyArray<string> | undefined): Promise<ReactNode> => {
  const { webhooks } = await call((client) => client.manager.getWebhooks({}))
  const href = URL.canParse(target) ? new URL(target).href : target
  return (
    <Change
      target={href}
      chosen={chosen ?? eventTypes}
      before={webhooks.find((each) => each.url === href)?.events}
    />
  )
}

const failed = (problem: Error) => isLost(problem) ? t("No secret arrived") : t("The webhook is not set")

export function WebhookForm({ close, kind, webhook }: {
  readonly kind: "add" | "events" | "secret"
  /** The webhook that is changed. */
  readonly webhook?: Webhook | undefined
  readonly close: () => void
}) {
  const [made, setMade] = useState<NewSecret>()
  if (made !== undefined) return <WebhookSecret made={made} close={close} />
  const send = (target: string, chosen: ReadonlyArray<string> | undefined) =>
    setWebhook(target, chosen, (secret) => setMade({ url: target, secret }))
  const common = { endpoint: "setWebhook", faultOf, close, failed, sent: () => true }
  if (webhook === undefined) {
    return (
      <TermsForm
        {...common}
        title={t("Add a webhook")}
        about={{}}
        fields={[url, eventsField]}
        initial={{ events: suggested }}
        preview={(params) => preview(textOf(params, "url"), listOfEvents(params))}
        send={(params) => send(textOf(params, "url"), listOfEvents(params))}
        submit={t("Add the webhook")}
      />
    )
  }
  const header = <Text size="sm" style={{ overflowWrap: "anywhere" }}>{webhook.url}</Text>
  return kind === "events"
    ? (
      <TermsForm
        {...common}
        title={t("Change the events")}
        about={{ url: webhook.url }}
        header={
          <>
            {header}
            <NewSecretAlert />
          </>
        }
        fields={[eventsField]}
        initial={{ events: webhook.events.join(",") }}
        preview={(params) => preview(webhook.url, listOfEvents(params))}
        send={(params) => send(webhook.url, listOfEvents(params))}
        submit={t("Change and make a new secret")}
      />
    )
    : (
      <TermsForm
        {...common}
        title={t("Make a new secret")}
        about={{ url: webhook.url, events: webhook.events.join(",") }}
        header={
          <>
            {header}
            <NewSecretAlert />
          </>
        }
        fields={[]}
        initial={{}}
        send={() => send(webhook.url, webhook.events)}
        submit={t("Make a new secret")}
      />
    )
}
