/** ntfy: a repeat has the sequence id of the first attempt, so it replaces it. */
import * as Effect from "effect/Effect"
import * as Receiver from "./Receiver.ts"

/** ntfy makes an attachment of a longer message. */
const maxText = 1500

/** Splits a topic's URL into the server and the topic. */
export const topicOf = (url: URL): string | undefined => {
  const [, topic] = /^\/([A-Za-z0-9_-]{1,64})\/?$/.exec(url.pathname) ?? []
  return topic
}

export const send: Receiver.Send = (destination, message) =>
  Receiver.outcome(Effect.gen(function*() {
    const target = yield* Receiver.urlTarget(destination)
    const topic = topicOf(target.url)
    if (topic === undefined) return { _tag: "rejected", error: "the URL names no topic" } as const
    const token = Receiver.secretOf(destination.secrets.token)
    const response = yield* Receiver.post(
      { ...target, url: new URL("/", target.url) },
      token === "" ? {} : { authorization: `Bearer ${token}` },
      {
        topic,
        title: message.title,
        message: Receiver.textOf({ ...message, title: "", link: null, repeats: false }, maxText),
        priority: message.urgent ? 4 : 3,
        sequence_id: message.id.replaceAll("-", ""),
        ...(message.link === null ? {} : { click: message.link })
      }
    )
    return Receiver.byStatus(response)
  }))
