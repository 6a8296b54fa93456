/**
 * A browser's subscription to push messages (RFC 8030), as `PushSubscription.toJSON()` has it, with the key pair by which
 * the push service recognises the sender (RFC 8292). Each subscription has a key pair of its own, so no key of the
 * service is shared by its owners.
 */
import * as Schema from "effect/Schema"

/** Base64url without padding of so many bytes. */
const bytes = (count: number) => {
  const length = Math.ceil(count * 4 / 3)
  return Schema.String.check(Schema.isPattern(new RegExp(`^[A-Za-z0-9_-]{${length}}$`)))
}

/** An uncompressed point of the curve P-256. */
const Point = bytes(65)

export const PushSubscription = Schema.Struct({
  /** The push service's URL for this browser. Who knows it and the keys can send messages to it. */
  endpoint: Schema.String.check(Schema.isPattern(/^https?:\/\/[^\s@]{1,1990}$/)),
  keys: Schema.Struct({ p256dh: Point, auth: bytes(16) }),
  vapid: Schema.Struct({ publicKey: Point, privateKey: bytes(32) }),
  /** Where the push service reaches the operator; push services reject messages without it. */
  contact: Schema.String.check(Schema.isPattern(/^(?:https:\/\/|mailto:)[^\s"\\]{1,200}$/))
}).annotate({ identifier: "PushSubscription" })
export type PushSubscription = typeof PushSubscription.Type

const members = ["endpoint", "keys.p256dh", "keys.auth", "vapid.publicKey", "vapid.privateKey", "contact"] as const

const at = (value: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>(
    (inner, name) => typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>)[name] : undefined,
    value
  )

const schemas = {
  endpoint: PushSubscription.fields.endpoint,
  "keys.p256dh": Point,
  "keys.auth": PushSubscription.fields.keys.fields.auth,
  "vapid.publicKey": Point,
  "vapid.privateKey": PushSubscription.fields.vapid.fields.privateKey,
  contact: PushSubscription.fields.contact
} as const

/** Names the first member that is missing or not valid; `undefined` for what is no object. Repeats no value. */
export const faultOf = (value: unknown): string | undefined => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined
  for (const path of members) {
    const found = at(value, path)
    if (found === undefined) return `has no ${path}`
    if (!Schema.is(schemas[path])(found)) return `has an invalid ${path}`
  }
  return undefined
}
