/** The field that selects events, of webhooks and of notification channels. */
import { events, type EventType, eventTypes } from "@vault-trader/core/webhook/EventTable"
import type { TermField } from "../shell/TermsField.tsx"
import { t } from "../text/Text.ts"

/** The headings, by the part of an event's type before the dot. */
const headings: Readonly<Record<string, string>> = {
  intent: t("Requests"),
  order: t("Orders"),
  exchange: t("Exchanges"),
  index: t("Bots"),
  bot: t("Bots"),
  strategy: t("Bots"),
  follower: t("Copy Trading"),
  gas: t("Gas wallets"),
  wallet: t("Gas wallets"),
  signing: t("Gas wallets"),
  lane: t("Gas wallets"),
  guardian: t("Protection"),
  health: t("Protection"),
  authority: t("Access and approvals"),
  approval: t("Access and approvals"),
  charge: t("Charges"),
  network: t("Networks")
}

const headingOf = (type: EventType): string => headings[type.slice(0, type.indexOf("."))] ?? t("Others")

export const eventsField: TermField = {
  name: "events",
  kind: "choices",
  label: t("Events"),
  description: t("None ticked: all of them. An asterisk marks urgent ones."),
  options: eventTypes.map((type) => ({
    value: type,
    label: `${events[type].title}${events[type].urgent ? " *" : ""}`,
    description: type,
    group: headingOf(type)
  }))
}

/** Urgent events and failures: what a person wants to be woken up for. */
export const suggested = eventTypes.filter((type) => events[type].urgent || type === "intent.failed").join(",")

/** Returns what people call an event; a type that this page does not know stays as it is. */
export const eventTitle = (type: string): string => Object.hasOwn(events, type) ? events[type as EventType].title : type
