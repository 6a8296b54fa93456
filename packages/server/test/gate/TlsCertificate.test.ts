import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import { once } from "node:events"
import * as Fs from "node:fs"
import * as Https from "node:https"
import type { AddressInfo } from "node:net"
import * as Os from "node:os"
import * as Path from "node:path"
import * as Tls from "node:tls"
import * as SelfSignedCertificate from "@vault-trader/testing/harness/SelfSignedCertificate"
import * as TlsCertificate from "../../src/gate/TlsCertificate.ts"

type Name = "first" | "second"

const pairs = {
  first: SelfSignedCertificate.make("first.example"),
  second: SelfSignedCertificate.make("second.example")
}

const folder = Effect.acquireRelease(
  Effect.sync(() => Fs.mkdtempSync(Path.join(Os.tmpdir(), "vault-trader-test-"))),
  (path) => Effect.sync(() => Fs.rmSync(path, { recursive: true }))
)

/** Returns the name in the certificate that a new connection gets. */
const nameOn = (server: Https.Server) =>
  Effect.promise(async () => {
    const socket = Tls.connect({ port: (server.address() as AddressInfo).port, rejectUnauthorized: false })
    await once(socket, "secureConnect")
    const name = socket.getPeerCertificate().subject["CN"]
    socket.destroy()
    return name
  })

const served = Effect.gen(function*() {
  const path = yield* folder
  const files = { cert: Path.join(path, "cert.pem"), key: Path.join(path, "key.pem") }
  const put = (name: Name, kind: "cert" | "key") => Fs.writeFileSync(files[kind], pairs[name][kind])
  put("first", "cert")
  put("first", "key")
  const certificate = yield* TlsCertificate.load(files)
  const server = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const made = Https.createServer({ ...certificate }).listen(0, "127.0.0.1")
      await once(made, "listening")
      return made
    }),
    (made) => Effect.sync(() => made.close())
  )
  yield* TlsCertificate.follow(server, files, certificate)
  return { files, put, server }
})

describe("the TLS certificate", () => {
  it.effect("is replaced when its files have changed, and kept while they do not belong together", () => {
    const said: Array<string> = []
    const logger = Logger.make(({ message }) => void said.push(String(message)))
    return Effect.gen(function*() {
      const { files, put, server } = yield* served
      assert.strictEqual(yield* nameOn(server), "first.example")
      put("second", "cert")
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(yield* nameOn(server), "first.example")
      put("second", "key")
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(yield* nameOn(server), "second.example")
      Fs.rmSync(files.key)
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(yield* nameOn(server), "second.example")
      assert.strictEqual(said.length, 3, said.join("\n"))
      assert.match(said[0]!, /not a certificate and its key.*keeps its certificate/)
      assert.match(said[1]!, /was replaced; the new one is valid until .* 2126/)
      assert.match(said[2]!, /cannot be read/)
    }).pipe(Effect.scoped, Effect.provide(Logger.layer([logger])))
  })

  it.effect("is refused at start when the key is another one's, without the key in the message", () =>
    Effect.gen(function*() {
      const path = yield* folder
      const files = { cert: Path.join(path, "cert.pem"), key: Path.join(path, "key.pem") }
      Fs.writeFileSync(files.cert, pairs.first.cert)
      Fs.writeFileSync(files.key, pairs.second.key)
      const { message } = yield* Effect.flip(TlsCertificate.load(files))
      assert.match(message, /TLS_CERT and TLS_KEY are not a certificate and its key/)
      assert.notInclude(message, "BEGIN")
    }).pipe(Effect.scoped))
})
