/** The server for agents as a process: over standard input and output with one key, or over HTTP with one per session. */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import * as AgentServer from "@vault-trader/mcp/AgentServer"
import * as HttpSessions from "@vault-trader/mcp/HttpSessions"
import * as Resource from "@vault-trader/mcp/Resource"
import type { Restriction } from "@vault-trader/mcp/Restriction"
import { ServiceClient } from "@vault-trader/mcp/ServiceClient"
import * as StandardStreams from "@vault-trader/mcp/StandardStreams"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { version } from "./ServiceVersion.ts"
import { documentsFolder as folder } from "./ShippedFiles.ts"

interface Options {
  /** URL of the service. */
  readonly url: string
  readonly restriction: Restriction
}

const titleOf = (text: string, name: string) => /^# (.+)$/m.exec(text)?.[1] ?? name

const readDocument = (name: string) =>
  Effect.try({
    try: () => Fs.readFileSync(Path.join(folder, name), "utf8"),
    catch: () => new Resource.UnknownResource({ message: `The document ${name} cannot be read.` })
  })

/** Lists the documents that ship with the service; none when the folder is absent. */
const documents = Effect.gen(function*() {
  const names = Fs.existsSync(folder) ? Fs.readdirSync(folder).filter((name) => name.endsWith(".md")).sort() : []
  return yield* Effect.forEach(
    names,
    (name) => Effect.map(readDocument(name), (text) => ({ name, title: titleOf(text, name), read: readDocument(name) }))
  )
})

/** Serves one agent. Errors of the protocol are lines of standard error: standard output carries the protocol. */
const serveTo = (restriction: Restriction) =>
  Effect.map(documents, (shipped) => (transport: Transport) =>
    AgentServer.serve(
      { version: version.version, documents: shipped, restriction },
      transport,
      (sentence) => void process.stderr.write(`${sentence}\n`)
    ))

/** Serves the agent at standard input and output until it closes them. */
export const overStandardStreams = Effect.fnUntraced(function*(
  { restriction, url }: Options,
  apiKey: Redacted.Redacted<string>
) {
  const serve = yield* serveTo(restriction)
  yield* Effect.provide(
    serve(StandardStreams.transport(process.stdin, process.stdout)),
    ServiceClient.layer({ url, apiKey })
  )
})

/** Serves agents over HTTP until the process is stopped. */
export const overHttp = Effect.fnUntraced(
  function*({ restriction, url }: Options, { host, port }: { readonly host: string; readonly port: number }) {
    const address = yield* HttpSessions.start({ host, port, url, serve: yield* serveTo(restriction) })
    yield* Effect.sync(() => process.stdout.write(`Serving agents at ${address}\n`))
    return yield* Effect.never
  },
  Effect.scoped
)
