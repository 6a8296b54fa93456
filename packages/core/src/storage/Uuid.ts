/** Time-ordered ids (UUIDv7): they sort by creation time, so they also serve as cursors. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Returns a new UUIDv7 of the current time. */
export const v7: Effect.Effect<string> = Effect.map(Clock.currentTimeMillis, (now) => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  for (let i = 0; i < 6; i++) bytes[i] = Math.floor(now / 2 ** (8 * (5 - i))) % 256
  bytes[6] = (bytes[6]! & 0x0f) | 0x70
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
})

/** The nil id, which sorts before every other. */
export const nil = "00000000-0000-0000-0000-000000000000"

/** The id after all others. */
export const max = "ffffffff-ffff-ffff-ffff-ffffffffffff"

const dayMillis = 86_400_000

/** Returns an id that sorts before every id created from this time on, unix milliseconds. */
export const firstAt = (millis: number): string => {
  const hex = Math.max(0, Math.floor(millis)).toString(16).padStart(12, "0").slice(-12)
  return `${hex.slice(0, 8)}-${hex.slice(8)}${nil.slice(13)}`
}

/** Returns an id that sorts before every id created within the day before this one. */
export const dayBefore = (id: string): string =>
  firstAt(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) - dayMillis)
