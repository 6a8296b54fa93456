/**
 * Templates of messages: texts with placeholders `{name}`. The names are those of the event's table and a few that every
 * event has, so a template can show nothing else.
 */
import { events, type EventType } from "../webhook/EventTable.ts"

/** Names that every event has. */
export const commonNames = ["title", "type", "time", "wallet", "vault", "network", "link"] as const

/** Maximum number of characters of a template. */
export const maxTemplate = 500

/** Returns the names that a template of an event may have. */
export const namesOf = (type: EventType): ReadonlyArray<string> => [
  ...new Set<string>([...commonNames, ...events[type].fields])
]

/** Returns why a text is not a template of an event; `undefined` when it is. */
export const faultOf = (type: EventType, text: string): string | undefined => {
  if (text.trim() === "" || text.length > maxTemplate) return `must have 1 to ${maxTemplate} characters`
  const names = namesOf(type)
  const rest = text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => names.includes(name) ? "" : whole)
  return /[{}]/.test(rest)
    ? `may have only these placeholders: ${names.map((name) => `{${name}}`).join(" ")}`
    : undefined
}

/** Replaces the placeholders by values. A name without a value becomes a dash. */
export const fill = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values.get(name) ?? "–")
