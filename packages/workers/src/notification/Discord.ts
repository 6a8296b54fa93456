/** Discord's webhooks: markdown is escaped, and no one is mentioned. */
import * as Effect from "effect/Effect"
import * as Receiver from "./Receiver.ts"

/** Maximum length of a message. */
const maxText = 2000

/** Escapes what Discord's markdown gives a meaning, and what it makes links of. */
export const escape = (text: string): string => text.replaceAll(/[\\*_`~|<>[\]()#@:.-]/g, (found) => `\\${found}`)

export const send: Receiver.Send = (destination, message) =>
  Receiver.outcome(Effect.gen(function*() {
    const target = yield* Receiver.urlTarget(destination)
    // The link is the service's own. Everything else is escaped, which may double its length.
    const text = escape(Receiver.textOf({ ...message, link: null }, maxText / 2 - 100))
    const link = message.link === null ? "" : `\n<${message.link}>`
    const response = yield* Receiver.post(target, {}, {
      content: `${text}${link}`,
      allowed_mentions: { parse: [] },
      flags: message.urgent ? 4 : 4 | 4096
    })
    return Receiver.byStatus(response)
  }))
