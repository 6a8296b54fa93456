/** Ensures that the devnet never talks to a real chain: every node must be on this machine. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** A devnet operation was given a node on another machine. */
export class NotLoopback extends Schema.TaggedError<NotLoopback>()("NotLoopback", { url: Schema.String }) {
  override get message() {
    return `The devnet only talks to this machine, but ${this.url} is not a 127.0.0.0/8, ::1 or localhost address.`
  }
}

// The URL parser has already turned forms like 127.1 or 0x7f000001 into four decimal numbers.
/** Returns whether a host name, as URLs write it, is this machine. */
export const isLoopbackHost = (host: string) =>
  host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host)

/** Fails with `NotLoopback` unless `url` is http(s) or ws(s) on 127.0.0.0/8, ::1 or localhost. */
export const assertLoopback = (url: string): Effect.Effect<void, NotLoopback> =>
  Effect.suspend(() => {
    const parsed = URL.canParse(url) ? new URL(url) : undefined
    const local = parsed !== undefined && /^(http|ws)s?:$/.test(parsed.protocol) && isLoopbackHost(parsed.hostname)
    return local ? Effect.void : new NotLoopback({ url })
  })
