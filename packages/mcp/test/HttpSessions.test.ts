import { assert, describe, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import * as Effect from "effect/Effect"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import * as AgentServer from "../src/AgentServer.ts"
import * as HttpSessions from "../src/HttpSessions.ts"

const key = "11111111-2222-4333-8444-555555555555"
const other = "99999999-2222-4333-8444-555555555555"
const unknown = "00000000-2222-4333-8444-555555555555"
const restriction = { allow: new Set(["trade" as const]), pools: undefined, assets: undefined, maxUsd: undefined }

const plan = { status: ["success"], dryRun: [true], plan: [{ venue: "uniswapV3" }] }

/** A service that accepts two keys, and plans every trade. */
const service = Effect.map(
  Effect.acquireRelease(
    Effect.promise(() =>
      new Promise<Http.Server>((resolve) => {
        const server = Http.createServer((request, response) => {
          const sent = request.headers["x-api-key"]
          const known = sent === key || sent === other
          request.resume().on("end", () =>
            response.end(
              JSON.stringify(known ? plan : { status: ["fail"], status_code: ["1002"], message: ["Unknown."] })
            ))
        })
        server.listen(0, "127.0.0.1", () => resolve(server))
      })
    ),
    (server) => Effect.sync(() => server.close().closeAllConnections())
  ),
  (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
)

/** Starts the server for agents on a free port. */
const started = Effect.gen(function*() {
  const options = { version: "1", restriction, documents: [] }
  const serve = (transport: Transport) => AgentServer.serve(options, transport, () => {})
  return yield* HttpSessions.start({ host: "127.0.0.1", port: 0, url: yield* service, serve })
})

const connected = (url: string, bearer: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const transport = new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: { authorization: `Bearer ${bearer}` } }
      })
      const client = new Client({ name: "test", version: "1" })
      await client.connect(transport)
      return { client, transport }
    }),
    ({ client }) => Effect.promise(() => client.close())
  )

interface Reply {
  readonly status: number
  readonly headers: Http.IncomingHttpHeaders
  readonly text: string
}

/** Sends one request with exactly these headers. */
const request = (url: string, method: string, headers: Http.OutgoingHttpHeaders, body = "") =>
  Effect.promise(() =>
    new Promise<Reply>((resolve, reject) => {
      const sent = Http.request(url, { method, headers, agent: false }, (response) => {
        let text = ""
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk)).on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
      })
      sent.on("error", reject).end(body)
    })
  )

const accepts = { accept: "application/json, text/event-stream", "content-type": "application/json" }
const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })
const bearer = (value: string) => ({ authorization: `Bearer ${value}` })

describe("the server for agents over HTTP", () => {
  it.live("serves the tools to a session with a key that the service accepts, and ends it on request", () =>
    Effect.gen(function*() {
      const url = yield* started
      const { client, transport } = yield* connected(url, key)
      const { tools } = yield* Effect.promise(() => client.listTools())
      assert.includeMembers(tools.map(({ name }) => name), ["poolComposition", "vaultTrade"])
      const args = { pool: `0x${"ab".repeat(20)}`, from: "USDC", to: "WETH" }
      const planned = yield* Effect.promise(() => client.callTool({ name: "vaultTrade", arguments: args }))
      const content = planned.structuredContent as Readonly<Record<string, unknown>>
      assert.strictEqual(content["status"], "confirmation_required")
      assert.notInclude(JSON.stringify([tools, planned]), key)

      const second = yield* connected(url, other)
      const stolen = yield* Effect.promise(() =>
        second.client.callTool({ name: "vaultTrade", arguments: { ...args, confirmation: content["confirmation"] } })
      )
      assert.isTrue(stolen.isError)
      assert.include(JSON.stringify(stolen.content), "not known to this server")

      const session = { ...accepts, "mcp-session-id": transport.sessionId ?? "" }
      assert.strictEqual((yield* request(url, "POST", { ...session, ...bearer(other) }, list)).status, 404)
      assert.strictEqual((yield* request(url, "POST", session, list)).status, 401)
      assert.strictEqual((yield* request(url, "POST", { ...session, ...bearer(key) }, list)).status, 200)
      yield* Effect.promise(() => transport.terminateSession())
      assert.strictEqual((yield* request(url, "POST", { ...session, ...bearer(key) }, list)).status, 404)
    }))

  it.live("refuses no key, a malformed one and one that the service refuses, and says where the rules are", () =>
    Effect.gen(function*() {
      const url = yield* started
      const metadata = url.replace("/mcp", "/.well-known/oauth-protected-resource/mcp")
      for (
        const headers of [{}, bearer("x"), { authorization: `Basic ${key}` }, { "x-api-key": key }, bearer(unknown)]
      ) {
        const { headers: answered, status, text } = yield* request(url, "POST", { ...accepts, ...headers }, list)
        assert.strictEqual(status, 401)
        assert.include(answered["www-authenticate"], `Bearer resource_metadata="${metadata}"`)
        assert.notInclude(text, unknown)
      }
      const inUrl = yield* request(`${url}?apiKey=${key}`, "POST", accepts, list)
      assert.strictEqual(inUrl.status, 401)
      const { status, text } = yield* request(metadata, "GET", {})
      assert.deepInclude(JSON.parse(text), { resource: url, bearer_methods_supported: ["header"] })
      assert.strictEqual(status, 200)
      assert.strictEqual((yield* request(url, "POST", { ...accepts, ...bearer(key) }, list)).status, 400)
      assert.strictEqual((yield* request(url, "GET", { ...accepts, ...bearer(key) })).status, 400)
      assert.strictEqual((yield* request(url.replace("/mcp", "/"), "GET", bearer(key))).status, 404)
    }))

  it.live("refuses pages of other sites, and other names of this machine", () =>
    Effect.gen(function*() {
      const url = yield* started
      const { host } = new URL(url)
      const port = host.split(":")[1]
      const status = (headers: Http.OutgoingHttpHeaders) =>
        Effect.map(request(url, "POST", { ...accepts, ...bearer(key), ...headers }, list), (reply) => reply.status)
      for (
        const foreign of [
          { host: `rebound.example:${port}` },
          { host: "127.0.0.1" },
          { origin: "https://page.example" },
          { origin: "null" },
          { origin: `https://${host}` },
          { origin: `http://127.0.0.1:1` }
        ]
      ) assert.strictEqual(yield* status(foreign), 403, JSON.stringify(foreign))
      for (const own of [{ host: `localhost:${port}` }, { origin: `http://${host}` }]) {
        assert.strictEqual(yield* status(own), 400, JSON.stringify(own))
      }
    }))

  it.live("says that its port is taken", () =>
    Effect.gen(function*() {
      const { port } = new URL(yield* service)
      const serve = () => Effect.void
      const taken = HttpSessions.start({ host: "127.0.0.1", port: Number(port), url: "http://127.0.0.1:1", serve })
      assert.match((yield* Effect.flip(taken)).message, /cannot listen on 127\.0\.0\.1:\d+/)
    }))
})
