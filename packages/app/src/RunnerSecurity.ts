/**
 * The proof that servers and runners ask of each other before any message: a shared secret (TLS with a pre-shared key),
 * or certificates of one authority. Both encrypt the connection and have fresh keys for each, so recorded bytes prove
 * nothing.
 */
import { isLoopback } from "@vault-trader/server/gate/Hosts"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Tls from "node:tls"
import * as SecretFile from "./SecretFile.ts"
import type { Settings } from "./Settings.ts"
import { CannotStart } from "./StartupFailure.ts"

const what = "runners' secret"

/** Named in the handshake; the secret is what proves something. */
const identity = "vault-trader"

/** The only suite offered with a secret: forward secrecy, and no certificate that could be accepted in its place. */
const presharedOnly = {
  minVersion: "TLSv1.2",
  maxVersion: "TLSv1.2",
  ciphers: "ECDHE-PSK-CHACHA20-POLY1305"
} as const

/** TLS options of both ends of a connection to a runner. */
export class RunnerSecurity extends Context.Service<RunnerSecurity, {
  readonly server: Tls.TlsOptions
  readonly client: Tls.ConnectionOptions
  /** The settings that both ends must agree on, for messages. */
  readonly settings: string
}>()("vault-trader/app/RunnerSecurity") {}

/** Makes both ends prove that they have this secret of 64 hexadecimal characters. */
export const withSecret = (secret: Redacted.Redacted<string>): RunnerSecurity["Service"] => {
  const key = Buffer.from(Redacted.value(secret), "hex")
  return {
    server: { ...presharedOnly, pskCallback: (_socket, name) => name === identity ? key : null },
    // There is no certificate: a runner without the secret cannot complete the handshake.
    client: { ...presharedOnly, pskCallback: () => ({ identity, psk: key }), checkServerIdentity: () => undefined },
    settings: "RUNNER_SECRET_FILE"
  }
}

/** The contents of the files of a certificate, its key, and the authority of all processes' certificates. */
export interface RunnerCertificate {
  readonly cert: Buffer | string
  readonly key: Buffer | string
  readonly ca: Buffer | string
}

/**
 * Makes both ends prove that this authority signed their certificate; the runner's must also name the host at which it
 * is reached.
 */
export const withCertificate = (certificate: RunnerCertificate): RunnerSecurity["Service"] => {
  const ends = { ...certificate, minVersion: "TLSv1.3" } as const
  return {
    server: { ...ends, requestCert: true, rejectUnauthorized: true },
    client: { ...ends, rejectUnauthorized: true },
    settings: "RUNNER_TLS_CERT, RUNNER_TLS_KEY and RUNNER_TLS_CA"
  }
}

const readCertificate = (files: { readonly cert: string; readonly key: string; readonly ca: string }) =>
  Effect.andThen(
    SecretFile.refuseShared(files.key, "runners' TLS key"),
    Effect.try({
      try: () => {
        const read = {
          cert: Fs.readFileSync(files.cert),
          key: Fs.readFileSync(files.key),
          ca: Fs.readFileSync(files.ca)
        }
        Tls.createSecureContext(read)
        return read
      },
      catch: (error) =>
        new CannotStart({
          message:
            "The files of RUNNER_TLS_CERT, RUNNER_TLS_KEY and RUNNER_TLS_CA are not a certificate, its key and " +
            `an authority: ${error instanceof Error ? error.message : "they cannot be read"}.`
        })
    })
  )

/** Reads the secret. Only the file in DATA_DIR is made when it is absent: processes of one host share that folder. */
const readSecret = ({ service: { dataDir, runnerSecretFile } }: Settings) =>
  Effect.gen(function*() {
    const file = runnerSecretFile ?? Path.join(dataDir, "runner-secret")
    if (runnerSecretFile === undefined) yield* SecretFile.ensure({ file, what, mayCreate: true })
    else if (Fs.existsSync(file)) yield* SecretFile.refuseShared(file, what)
    else {
      return yield* new CannotStart({
        message: `The file ${file} of RUNNER_SECRET_FILE does not exist: write 64 hexadecimal characters into it ` +
          "(openssl rand -hex 32), the same for all servers and runners."
      })
    }
    return yield* SecretFile.read({ file, what })
  })

/** Reads the settings. `host`: where a runner is reached; a server has none. */
export const load = (settings: Settings, host?: string): Effect.Effect<RunnerSecurity["Service"], CannotStart> =>
  Effect.gen(function*() {
    const { runnerSecretFile, runnerTlsCa: ca, runnerTlsCert: cert, runnerTlsKey: key } = settings.service
    if (cert !== undefined && key !== undefined && ca !== undefined) {
      return withCertificate(yield* readCertificate({ cert, key, ca }))
    }
    if (cert !== undefined || key !== undefined || ca !== undefined) {
      return yield* new CannotStart({
        message: "RUNNER_TLS_CERT, RUNNER_TLS_KEY and RUNNER_TLS_CA are set together or not at all."
      })
    }
    if (host !== undefined && !isLoopback(host) && runnerSecretFile === undefined) {
      return yield* new CannotStart({
        message: `RUNNER_HOST=${host} lets other machines reach this runner, which signs: set RUNNER_SECRET_FILE, or ` +
          "RUNNER_TLS_CERT, RUNNER_TLS_KEY and RUNNER_TLS_CA, to the same on all servers and runners."
      })
    }
    return withSecret(yield* readSecret(settings))
  })

export const layer = (settings: Settings, host?: string) => Layer.effect(RunnerSecurity, load(settings, host))
