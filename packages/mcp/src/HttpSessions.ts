/**
 * The server for agents over streamable HTTP, on this machine. Each session has the API key that its requests bring in
 * the header `Authorization`, and its own confirmations.
 */
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Crypto from "node:crypto"
import * as Http from "node:http"
import { endpoint } from "./Following.ts"
import { ServiceClient } from "./ServiceClient.ts"

/** Sessions at the same time; further ones are refused. */
const maxSessions = 64
/** Time without a request after which a session may be closed for a new one. */
const idleTimeout = Duration.minutes(30)

const path = "/mcp"
const metadataPath = "/.well-known/oauth-protected-resource"

/** The server cannot listen. */
export class CannotListen extends Data.TaggedError("CannotListen")<{ readonly message: string }> {}

interface Options {
  readonly host: string
  readonly port: number
  /** URL of the service that the agents use. */
  readonly url: string
  /** Serves one session until its transport closes. */
  readonly serve: (transport: Transport) => Effect.Effect<void, never, ServiceClient>
}

interface Session {
  readonly transport: StreamableHTTPServerTransport
  /** The digest of the key that opened it. */
  readonly owner: string
  lastSeen: number
}

interface State extends Options {
  readonly sessions: Map<string, Session>
  /** `host:port` of this server as requests may name it. */
  readonly names: ReadonlySet<string>
  readonly origin: string
}

const json = (
  response: Http.ServerResponse,
  status: number,
  body: unknown,
  headers: Http.OutgoingHttpHeaders = {}
) =>
  Effect.sync(() =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
  )

const refuse = (response: Http.ServerResponse, status: number, error: string, headers: Http.OutgoingHttpHeaders = {}) =>
  json(response, status, { error }, { connection: "close", ...headers })

/** Refuses a request without a usable key, and says where the rules of keys are (RFC 9728). */
const unauthorized = ({ origin }: State, response: Http.ServerResponse, reason: string, error?: string) =>
  refuse(response, 401, reason, {
    "www-authenticate": `Bearer resource_metadata="${origin}${metadataPath}${path}"${
      error === undefined ? "" : `, error="${error}"`
    }`
  })

const uuid = /^bearer\s+([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\s*$/i

const keyOf = ({ headers }: Http.IncomingMessage): Redacted.Redacted<string> | undefined => {
  const key = uuid.exec(headers.authorization ?? "")?.[1]
  return key === undefined ? undefined : Redacted.make(key.toLowerCase(), { label: "API key" })
}

const digestOf = (key: Redacted.Redacted<string>) =>
  Crypto.createHash("sha256").update(Redacted.value(key)).digest("hex")

/** Returns true when a page of another site, or another name of this machine, is behind the request. */
const isForeign = ({ names }: State, { headers }: Http.IncomingMessage): boolean => {
  const { host, origin } = headers
  if (host === undefined || !names.has(host.toLowerCase())) return true
  if (origin === undefined) return false
  const url = URL.parse(origin)
  return url === null || url.protocol !== "http:" || !names.has(url.host)
}

/** Closes idle sessions if there is no room for another one, and returns true if there is room. */
const hasRoom = Effect.fnUntraced(function*({ sessions }: State) {
  const oldest = (yield* Clock.currentTimeMillis) - Duration.toMillis(idleTimeout)
  if (sessions.size >= maxSessions) {
    const idle = [...sessions.values()].filter(({ lastSeen }) => lastSeen < oldest)
    yield* Effect.forEach(idle, ({ transport }) => Effect.promise(() => transport.close()), { discard: true })
  }
  return sessions.size < maxSessions
})

/** Opens a session for the key, if the service accepts the key. The request that opens it must be `initialize`. */
const open = Effect.fnUntraced(function*(
  state: State,
  request: Http.IncomingMessage,
  response: Http.ServerResponse,
  key: Redacted.Redacted<string>
) {
  const { serve, sessions, url } = state
  if (!(yield* hasRoom(state))) return yield* refuse(response, 503, "There are too many sessions. Close one of them.")
  const client = ServiceClient.layer({ url, apiKey: key })
  const intents = yield* endpoint("getIntents")
  const { fields } = yield* Effect.provide(ServiceClient.use(({ call }) => call(intents, { limit: 1 })), client)
  if (fields["status"] !== "success") {
    return yield* unauthorized(state, response, "The service does not accept this API key.", "invalid_token")
  }
  const now = yield* Clock.currentTimeMillis
  let opened: string | undefined
  const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => Crypto.randomUUID(),
    onsessioninitialized: (id) => {
      opened = id
      sessions.set(id, { transport, owner: digestOf(key), lastSeen: now })
    }
  })
  const end = Effect.sync(() => {
    if (opened !== undefined) sessions.delete(opened)
  })
  // The SDK declares the transport's optional members in another way than its interface.
  yield* Effect.forkDetach(Effect.ensuring(Effect.provide(serve(transport as Transport), client), end), {
    startImmediately: true
  })
  yield* Effect.promise(() => transport.handleRequest(request, response))
  if (opened === undefined) yield* Effect.promise(() => transport.close())
})

const answer = Effect.fnUntraced(function*(
  state: State,
  request: Http.IncomingMessage,
  response: Http.ServerResponse
) {
  const { origin, sessions } = state
  if (isForeign(state, request)) return yield* refuse(response, 403, "This Host or Origin is not one of this server.")
  const { pathname } = new URL(request.url ?? "/", origin)
  if (pathname === metadataPath || pathname === `${metadataPath}${path}`) {
    return yield* json(response, 200, {
      resource: `${origin}${path}`,
      resource_name: "Vault Trader",
      bearer_methods_supported: ["header"]
    })
  }
  if (pathname !== path) return yield* refuse(response, 404, `The server for agents is at ${path}.`)
  const key = keyOf(request)
  if (key === undefined) return yield* unauthorized(state, response, "Send the wallet's API key as a bearer token.")
  const id = request.headers["mcp-session-id"]
  if (id === undefined) {
    if (request.method !== "POST") return yield* refuse(response, 400, "Open a session with a POST of initialize.")
    return yield* open(state, request, response, key)
  }
  const session = typeof id === "string" ? sessions.get(id) : undefined
  // A session of another key looks the same as one that does not exist.
  if (session === undefined || session.owner !== digestOf(key)) {
    return yield* refuse(response, 404, "There is no such session; start a new one.")
  }
  session.lastSeen = yield* Clock.currentTimeMillis
  yield* Effect.promise(() => session.transport.handleRequest(request, response))
})

const listen = ({ host, port }: Options, server: Http.Server): Effect.Effect<number, CannotListen> =>
  Effect.callback((resume) => {
    server.once(
      "error",
      ({ message }) =>
        resume(new CannotListen({ message: `The server for agents cannot listen on ${host}:${port}: ${message}` }))
    )
    server.listen(port, host, () => {
      const address = server.address()
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : port))
    })
  })

/** Serves sessions until the scope closes. Returns the URL of the server. */
export const start = (options: Options): Effect.Effect<string, CannotListen, Scope.Scope> =>
  Effect.gen(function*() {
    const server = yield* Effect.acquireRelease(
      Effect.sync(() => Http.createServer()),
      (server) => Effect.sync(() => server.close().closeAllConnections())
    )
    const port = yield* listen(options, server)
    const name = options.host.includes(":") ? `[${options.host}]` : options.host
    const state: State = {
      ...options,
      sessions: new Map(),
      names: new Set([name, "localhost", "127.0.0.1", "[::1]"].map((each) => `${each}:${port}`)),
      origin: `http://${name}:${port}`
    }
    yield* Effect.addFinalizer(() =>
      Effect.forEach(state.sessions.values(), ({ transport }) => Effect.promise(() => transport.close()), {
        discard: true
      })
    )
    const run = Effect.runForkWith(yield* Effect.context())
    server.on("request", (request, response) =>
      run(
        answer(state, request, response).pipe(
          Effect.catchTag("NoAnswer", ({ message, next }) => refuse(response, 503, `${message} ${next}`)),
          Effect.catchDefect(() => response.headersSent ? Effect.void : refuse(response, 500, "Internal error."))
        )
      ))
    return `${state.origin}${path}`
  })
