/**
 * `vault-trader mcp`: a server of the Model Context Protocol over standard input and output (or HTTP, with `--http`), by
 * which an agent uses a running service. It reads only, unless `--allow` names scopes. See docs/mcp.md.
 */
import { type Address, parse as parseAddress } from "@vault-trader/core/chain/Address"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import * as AgentServer from "@vault-trader/mcp/AgentServer"
import * as HttpSessions from "@vault-trader/mcp/HttpSessions"
import * as Resource from "@vault-trader/mcp/Resource"
import * as Scope from "@vault-trader/mcp/Scope"
import { ServiceClient } from "@vault-trader/mcp/ServiceClient"
import * as StandardStreams from "@vault-trader/mcp/StandardStreams"
import { serverSettings } from "@vault-trader/server/ServerSettings"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { CannotStart } from "../StartupFailure.ts"
import * as KeyFile from "../KeyFile.ts"
import { version } from "../ServiceVersion.ts"
import * as ParsedParam from "./ParsedParam.ts"

const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"])

/** Parses the URL of a service. Over plain HTTP the key is sent to this machine only. */
const parseUrl = (text: string): string | undefined => {
  const url = URL.parse(text)
  if (url === null || url.username !== "" || url.password !== "" || url.pathname !== "/" || url.search !== "") {
    return undefined
  }
  return url.protocol === "https:" || (url.protocol === "http:" && loopback.has(url.hostname)) ? url.origin : undefined
}

/** Parses a host of this machine and a port. */
const parseListener = (text: string): { readonly host: string; readonly port: number } | undefined => {
  const [, host = "", port = ""] = /^(127\.0\.0\.1|localhost|\[::1\]):(\d{1,5})$/.exec(text) ?? []
  return host === "" || Number(port) > 65_535
    ? undefined
    : { host: host.replace(/[[\]]/g, ""), port: Number(port) }
}

/** Parses a comma list of vaults. */
const parsePools = (text: string): ReadonlySet<Address> | undefined => {
  const vaults = text.split(",").map((each) => parseAddress(each.trim()))
  return vaults.every((vault) => vault !== undefined) ? new Set(vaults) : undefined
}

const parseUsd = (text: string): number | undefined =>
  /^\d{1,12}(\.\d{1,2})?$/.test(text) && Number(text) > 0 ? Number(text) : undefined

const folder = Path.join(import.meta.dirname, "../../../../docs")

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

/** The flags of the command. */
export const mcpFlags = {
  url: ParsedParam.optional(
    ParsedParam.flag("url", "https://…", "an https URL without a path, or http on this machine", parseUrl)
  ).pipe(Flag.withDescription("URL of the service; by default this machine's, at PORT (8080).")),
  keyFile: ParsedParam.optional(
    ParsedParam.flag("key-file", "file", "a file", (text) => text === "" ? undefined : text)
  )
    .pipe(Flag.withDescription(`File of mode 0600 with the wallet's API key; otherwise ${KeyFile.variable} holds it.`)),
  allow: ParsedParam.optional(ParsedParam.flag("allow", "scope,…", Scope.accepted, Scope.parse)).pipe(
    Flag.withDescription(`Offer the changes of these scopes: ${Scope.accepted}. Without it the agent only reads.`)
  ),
  pools: ParsedParam.optional(
    ParsedParam.flag("pools", "0x…,…", "addresses of vaults, separated by commas", parsePools)
  )
    .pipe(Flag.withDescription("The only vaults that the agent may name.")),
  http: ParsedParam.optional(
    ParsedParam.flag("http", "host:port", "127.0.0.1, [::1] or localhost, and a port, as 127.0.0.1:8090", parseListener)
  ).pipe(Flag.withDescription("Serve streamable HTTP here; each session brings its own API key as a bearer token.")),
  maxUsd: ParsedParam.optional(ParsedParam.flag("max-usd", "USD", "an amount above 0, as 500", parseUsd)).pipe(
    Flag.withDescription("Largest order, for endpoints that take an amount in USD.")
  )
}

const say = (line: string) => Effect.sync(() => process.stdout.write(`${line}\n`))
const report = (sentence: string) => void process.stderr.write(`${sentence}\n`)

export const mcp = Command.make(
  "mcp",
  mcpFlags,
  Effect.fnUntraced(function*({ allow, http, keyFile, maxUsd, pools, url: given }) {
    if (http !== undefined && keyFile !== undefined) {
      return yield* new CannotStart({ message: "With --http each session brings its own API key; remove --key-file." })
    }
    const url = given ?? `http://127.0.0.1:${yield* serverSettings.port.config}`
    const options = {
      version: version.version,
      documents: yield* documents,
      restriction: { allow: allow ?? new Set<Scope.Scope>(), pools, maxUsd }
    }
    const serve = (transport: Transport) => AgentServer.serve(options, transport, report)
    if (http !== undefined) {
      const address = yield* HttpSessions.start({ ...http, url, serve })
      yield* say(`Serving agents at ${address}`)
      return yield* Effect.never
    }
    const apiKey = yield* KeyFile.read(keyFile)
    yield* serve(StandardStreams.transport(process.stdin, process.stdout)).pipe(
      Effect.provide(ServiceClient.layer({ url, apiKey }))
    )
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    "Serves an agent over the Model Context Protocol; it only reads, unless --allow names scopes."
  ),
  Command.withExamples([
    { command: "vault-trader mcp --key-file key" },
    { command: "vault-trader mcp --key-file key --allow trade,bots --pools 0x… --max-usd 500" }
  ])
)
