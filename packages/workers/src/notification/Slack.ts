/** Slack's incoming webhooks: plain text, in which `<!channel>` and links are no markup. */
import * as Effect from "effect/Effect"
import * as Receiver from "./Receiver.ts"

/** Maximum length of a message, before it is escaped. */
const maxText = 3000

/** Escapes the three characters that control Slack's texts. */
export const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

export const send: Receiver.Send = (destination, message) =>
  Receiver.outcome(Effect.gen(function*() {
    const target = yield* Receiver.urlTarget(destination)
    const response = yield* Receiver.post(target, {}, {
      text: escape(Receiver.textOf(message, maxText)),
      mrkdwn: false,
      unfurl_links: false,
      unfurl_media: false
    })
    return Receiver.byStatus(response)
  }))
