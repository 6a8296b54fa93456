/**
 * `vault-trader mcp`: a server of the Model Context Protocol over standard input and output (or HTTP, with `--http`), by
 * which an agent uses a running service. It reads only, unless `--allow` names scopes. See docs/mcp.md.
 */
import { type Address, parse as parseAddress } from "@vault-trader/core/chain/Address"
import * as Scope from "@vault-trader/core/endpoint/ChangeScope"
import { assetName } from "@vault-trader/mcp/AssetName"
import { serverSettings } from "@vault-trader/server/ServerSettings"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { CannotStart } from "../StartupFailure.ts"
import * as KeyFile from "../KeyFile.ts"
import * as ParsedParam from "./ParsedParam.ts"
import * as ServiceUrl from "./ServiceUrl.ts"

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

/** Parses a comma list of assets: symbols, or addresses. */
const parseAssets = (text: string): ReadonlySet<string> | undefined => {
  const assets = text.split(",").map(assetName)
  return assets.every((asset) => /^[A-Za-z0-9.$_-]{1,42}$/.test(asset)) ? new Set(assets) : undefined
}

const parseUsd = (text: string): number | undefined =>
  /^\d{1,12}(\.\d{1,2})?$/.test(text) && Number(text) > 0 ? Number(text) : undefined

/** The flags of the command. */
export const mcpFlags = {
  url: ParsedParam.optional(
    ParsedParam.flag("url", "https://…", ServiceUrl.accepted, ServiceUrl.parse)
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
  assets: ParsedParam.optional(
    ParsedParam.flag("assets", "USDC,WETH,…", "symbols or addresses of assets, separated by commas", parseAssets)
  )
    .pipe(Flag.withDescription("The only assets that changes may name; those that name none are not offered.")),
  http: ParsedParam.optional(
    ParsedParam.flag("http", "host:port", "127.0.0.1, [::1] or localhost, and a port, as 127.0.0.1:8090", parseListener)
  ).pipe(Flag.withDescription("Serve streamable HTTP here; each session brings its own API key as a bearer token.")),
  maxUsd: ParsedParam.optional(ParsedParam.flag("max-usd", "USD", "an amount above 0, as 500", parseUsd)).pipe(
    Flag.withDescription("Largest order, for endpoints that take an amount in USD.")
  )
}

export const mcp = Command.make(
  "mcp",
  mcpFlags,
  Effect.fnUntraced(function*({ allow, assets, http, keyFile, maxUsd, pools, url: given }) {
    if (http !== undefined && keyFile !== undefined) {
      return yield* new CannotStart({ message: "With --http each session brings its own API key; remove --key-file." })
    }
    const options = {
      url: given ?? `http://127.0.0.1:${yield* serverSettings.port.config}`,
      restriction: { allow: allow ?? new Set<Scope.Scope>(), pools, assets, maxUsd }
    }
    const apiKey = http === undefined ? yield* KeyFile.read(keyFile) : undefined
    // The protocol's modules are loaded when they are needed: the other commands start faster without them.
    const { overHttp, overStandardStreams } = yield* Effect.promise(() => import("../AgentProcess.ts"))
    if (http !== undefined) return yield* overHttp(options, http)
    if (apiKey !== undefined) yield* overStandardStreams(options, apiKey)
  })
).pipe(
  Command.withDescription(
    "Serves an agent over the Model Context Protocol; it only reads, unless --allow names scopes."
  ),
  Command.withExamples([
    { command: "vault-trader mcp --key-file key" },
    { command: "vault-trader mcp --key-file key --allow trade,bots --pools 0x… --assets USDC,WETH --max-usd 500" }
  ])
)
