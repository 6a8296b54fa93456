/** The TLS certificate of a server, read again when its files change. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { X509Certificate } from "node:crypto"
import * as Fs from "node:fs"
import type * as Https from "node:https"
import * as Tls from "node:tls"

/** How often the files are read. */
const readInterval = "10 seconds"

/** The files of the certificate chain and of its private key, PEM. */
export interface TlsFiles {
  readonly cert: string
  readonly key: string
}

/** The contents of the files. */
export interface TlsCertificate {
  readonly cert: Buffer
  readonly key: Buffer
}

/** The files cannot be read, are not PEM, or the key is not the certificate's. */
export class TlsUnusable extends Data.TaggedError("TlsUnusable")<{ readonly message: string }> {}

/** Returns the system's or OpenSSL's reason, which names no content. */
const reasonOf = (error: unknown) => error instanceof Error ? error.message : "it is not readable"

const read = (files: TlsFiles): Effect.Effect<TlsCertificate, TlsUnusable> =>
  Effect.try({
    try: () => ({ cert: Fs.readFileSync(files.cert), key: Fs.readFileSync(files.key) }),
    catch: (error) =>
      new TlsUnusable({ message: `The files of TLS_CERT and TLS_KEY cannot be read: ${reasonOf(error)}.` })
  })

const check = (read: TlsCertificate): Effect.Effect<TlsCertificate, TlsUnusable> =>
  Effect.try({
    try: () => {
      Tls.createSecureContext({ ...read })
      return read
    },
    catch: (error) =>
      new TlsUnusable({ message: `TLS_CERT and TLS_KEY are not a certificate and its key: ${reasonOf(error)}.` })
  })

/** Reads a certificate that a server can use. */
export const load = (files: TlsFiles): Effect.Effect<TlsCertificate, TlsUnusable> => Effect.flatMap(read(files), check)

const isEqual = (one: TlsCertificate, other: TlsCertificate) => one.cert.equals(other.cert) && one.key.equals(other.key)

/**
 * Replaces the server's certificate when the files have another one, until the scope closes. Open connections keep
 * theirs. While the files are unusable, the server keeps its certificate; each reason is logged once.
 */
export const follow = (
  server: Https.Server,
  files: TlsFiles,
  first: TlsCertificate
): Effect.Effect<void, never, Scope.Scope> => {
  let current = first
  let reported = ""
  const look = Effect.gen(function*() {
    const found = yield* read(files)
    if (isEqual(found, current)) {
      reported = ""
      return
    }
    server.setSecureContext({ ...(yield* check(found)) })
    current = found
    reported = ""
    yield* Effect.logInfo(
      `The TLS certificate was replaced; the new one is valid until ${new X509Certificate(found.cert).validTo}.`
    )
  }).pipe(
    Effect.catch(({ message }) => {
      if (message === reported) return Effect.void
      reported = message
      return Effect.logWarning(`${message} The server keeps its certificate and reads the files again.`)
    })
  )
  return Effect.asVoid(Effect.forkScoped(Effect.forever(Effect.delay(look, readInterval))))
}
