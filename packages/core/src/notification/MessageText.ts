/** The texts of messages: plain text with names in place of addresses, and amounts in USD where the event has them. */
import { events, type EventType } from "../webhook/EventTable.ts"
import type { Templates } from "./Channel.ts"
import * as Template from "./Template.ts"

/** An event as it is stored. */
export interface StoredEvent {
  readonly id: string
  readonly type: string
  readonly wallet: string
  readonly data: Readonly<Record<string, unknown>>
  readonly at: Date
}

/** The names that a text needs besides the event. */
export interface Names {
  /** The owner's label of a wallet; `undefined` without one. */
  readonly wallet: (address: string) => string | undefined
  /** A vault's name; `undefined` where it is not known. */
  readonly vault: (network: string, pool: string) => string | undefined
  /** The URL at which callers reach the service; `undefined` without one. */
  readonly publicUrl: string | undefined
}

/** The content of a message. */
export interface Content {
  readonly title: string
  readonly body: string
  readonly link: string | null
  readonly urgent: boolean
}

/** Events that one message lists; it counts the others. */
export const maxListed = 10

/** Maximum number of characters of a value in a text. */
const maxValue = 300

/**
 * Cleans a text of unknown origin, such as a token's name: one line, without control characters and without characters
 * that change the direction of text.
 */
export const clean = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cs}\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]+/gu, " ").replaceAll(/ {2,}/g, " ")
    .trim().slice(0, maxValue)

/** Shortens an address or a hash. */
export const short = (hex: string): string => `${hex.slice(0, 6)}…${hex.slice(-4)}`

const usd = (value: number) => `$${value.toFixed(value !== 0 && Math.abs(value) < 0.01 ? 4 : 2)}`

/** Formats a member of an event's data. */
const shown = (name: string, value: unknown): string | undefined => {
  if (value === null || value === undefined) return undefined
  if (typeof value === "number") return /(^|_)usd$/.test(name) ? usd(value) : String(value)
  if (typeof value === "string") return /^0x[0-9a-f]{20,}$/i.test(value) ? short(value) : clean(value)
  return clean(JSON.stringify(value))
}

const textOf = (value: unknown) => typeof value === "string" ? value : ""

const isKnown = (type: string): type is EventType => Object.hasOwn(events, type)

/** Returns whether quiet hours and digests let an event pass. */
export const isUrgent = (type: string): boolean => isKnown(type) && events[type].urgent

const linkOf = ({ publicUrl }: Names, page: string) =>
  publicUrl === undefined ? null : new URL(`/console/${page}`, publicUrl).href

const valuesOf = (event: StoredEvent, type: EventType, names: Names): ReadonlyMap<string, string> => {
  const { at, data, wallet } = event
  const [network, pool] = [textOf(data["network"]), textOf(data["pool"])]
  const values = new Map<string, string>()
  for (const name of events[type].fields) {
    const value = shown(name, data[name])
    if (value !== undefined && value !== "") values.set(name, value)
  }
  const vault = pool === "" ? undefined : names.vault(network, pool)
  values.set("title", events[type].title)
  values.set("type", type)
  values.set("time", `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`)
  values.set("wallet", clean(names.wallet(wallet) ?? `wallet ${short(wallet)}`))
  if (pool !== "") values.set("vault", clean(vault ?? `vault ${short(pool)}`))
  const link = linkOf(names, events[type].page)
  if (link !== null) values.set("link", link)
  return values
}

/** Returns the text of one event, by the owner's template or the default one. */
export const lineOf = (event: StoredEvent, templates: Templates, names: Names): string => {
  const { type } = event
  if (!isKnown(type)) return type
  const own = Object.hasOwn(templates, type) ? templates[type] : undefined
  return Template.fill(own ?? events[type].text, valuesOf(event, type, names))
}

/** Composes the message of some events, oldest first. */
export const compose = (all: ReadonlyArray<StoredEvent>, templates: Templates, names: Names): Content => {
  const urgent = all.some(({ type }) => isUrgent(type))
  const pages = new Set(all.map(({ type }) => isKnown(type) ? events[type].page : "activity"))
  const link = linkOf(names, pages.size === 1 ? [...pages][0]! : "activity")
  const [first] = all
  if (all.length === 1 && first !== undefined) {
    const title = isKnown(first.type) ? events[first.type].title : first.type
    return { title, body: lineOf(first, templates, names), link, urgent }
  }
  const lines = all.slice(0, maxListed).map((event) =>
    `• ${event.at.toISOString().slice(11, 16)} ${lineOf(event, templates, names)}`
  )
  const more = all.length - lines.length
  const body = [...lines, ...(more > 0 ? [`… and ${more} more.`] : [])].join("\n")
  return { title: `${all.length} events`, body, link, urgent }
}
