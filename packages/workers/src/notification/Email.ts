/**
 * E-mail over SMTP, always under TLS; only the certificate of this machine is not verified, in tests. A repeat has the
 * Message-ID of the first attempt, by which mail programs recognise it.
 */
import * as Effect from "effect/Effect"
import * as Net from "node:net"
import * as WebhookUrl from "../webhook/WebhookUrl.ts"
import * as Receiver from "./Receiver.ts"

/** Loads the mail client with the first message: a service without such a channel does not need it. */
const mailClient = Effect.promise(() => import("nodemailer"))

/** Ports of mail servers; another port is not a mail server's. */
const ports: ReadonlyArray<number> = [25, 465, 587, 2525]

/** Returns why a port is not permitted; `undefined` when it is. */
export const portFault = (port: number, loopback: boolean): string | undefined =>
  loopback || ports.includes(port) ? undefined : `must be one of ${ports.join(", ")}`

interface SmtpError {
  readonly code?: unknown
  readonly responseCode?: unknown
}

/** Codes of connections that were never made. */
const neverConnected: ReadonlyArray<string> = ["ECONNREFUSED", "EDNS", "EHOSTUNREACH", "ENETUNREACH"]

/** Replies about the credentials, which the owner may repair. */
const credentialReplies: ReadonlyArray<number> = [530, 534, 535, 538]

/** Reads an error by its code, never by its text, which may contain what was sent. */
const outcomeOf = ({ code, responseCode }: SmtpError): Receiver.Outcome => {
  if (code === "ETLS") return { _tag: "refused", error: "the mail server offers no TLS that can be used" }
  if (typeof responseCode === "number") {
    const error = `the mail server replied ${responseCode}`
    if (credentialReplies.includes(responseCode) || code === "EAUTH") {
      return { _tag: "refused", error: `${error}: it does not accept the user name and password` }
    }
    return responseCode >= 500 && code !== "ECONNECTION"
      ? { _tag: "rejected", error: `${error}: it rejected the message` }
      : { _tag: "refused", error: `${error}: it accepts nothing now` }
  }
  const name = typeof code === "string" && /^[A-Z_]{2,40}$/.test(code) ? code : "unknown"
  if (name === "EAUTH") return { _tag: "refused", error: "the mail server does not accept the user name and password" }
  // A connection that ends is not known to have ended before the content.
  const sent = !neverConnected.includes(name)
  return { _tag: "unanswered", error: `the connection to the mail server failed (${name})`, sent }
}

export const send: Receiver.Send = ({ loopback, secrets, settings }, message) =>
  Receiver.outcome(Effect.gen(function*() {
    const { from, host, port, to, user } = settings
    if (host === null || port === null || from === null || to === null) {
      return { _tag: "rejected", error: "the channel has no mail server or address" } as const
    }
    const { address } = yield* WebhookUrl.resolveServer(host, loopback)
    const timeoutMillis = yield* Receiver.RequestTimeout
    const password = Receiver.secretOf(secrets.password)
    const { createTransport } = yield* mailClient
    return yield* Effect.acquireUseRelease(
      Effect.sync(() =>
        createTransport({
          // The checked address; the certificate must still match the name.
          host: address,
          port,
          secure: port === 465,
          requireTLS: port !== 465,
          name: "vault-trader",
          connectionTimeout: timeoutMillis,
          greetingTimeout: timeoutMillis,
          socketTimeout: timeoutMillis,
          tls: {
            ...(Net.isIP(host) === 0 ? { servername: host } : {}),
            rejectUnauthorized: !loopback,
            minVersion: "TLSv1.2"
          },
          ...(user === null ? {} : { auth: { user, pass: password } }),
          disableFileAccess: true,
          disableUrlAccess: true
        })
      ),
      (transport) =>
        Effect.match(
          Effect.tryPromise({
            try: () =>
              transport.sendMail({
                from: { name: "Vault Trader", address: from },
                to,
                messageId: `<${message.id}@vault-trader>`,
                subject: message.title,
                text: Receiver.textOf({ ...message, title: "", repeats: false }, 20_000),
                headers: { "Auto-Submitted": "auto-generated", "X-Priority": message.urgent ? "2" : "3" }
              }),
            catch: (error) => error as SmtpError
          }),
          { onFailure: outcomeOf, onSuccess: (): Receiver.Outcome => ({ _tag: "accepted" }) }
        ),
      (transport) => Effect.sync(() => transport.close())
    )
  }))
