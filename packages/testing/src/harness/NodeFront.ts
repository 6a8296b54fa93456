/** An HTTP server in front of JSON-RPC nodes: its creator decides how each request is answered. */
import { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import type { Network } from "@vault-trader/core/chain/Network"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { once } from "node:events"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"

export interface Call {
  readonly jsonrpc: "2.0"
  readonly id: number
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

export interface Reply {
  readonly status: number
  readonly text: string
}

/** One HTTP request: a call or a batch of calls. */
export interface NodeRequest {
  /** The process that sent it, by the name given to `inFront`. */
  readonly caller: string
  readonly network: Network
  readonly calls: ReadonlyArray<Call>
  /** Sends the request to the node itself, or other calls in its place. */
  readonly forward: (calls?: ReadonlyArray<Call>) => Promise<Reply>
  /** Returns whether the caller has given up on the answer. */
  readonly gone: () => boolean
}

interface NodeFront {
  /** Returns the same networks with the front in place of their nodes, for the process named `caller`. */
  readonly inFront: (caller: string, books: ReadonlyArray<NetworkBook>) => ReadonlyArray<NetworkBook>
}

const post = async (url: string, body: string): Promise<Reply> => {
  const answered = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body })
  return { status: answered.status, text: await answered.text() }
}

const textOf = async (request: Http.IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

const callsOf = (body: string): ReadonlyArray<Call> => {
  const calls: unknown = JSON.parse(body)
  return Array.isArray(calls) ? calls as ReadonlyArray<Call> : [calls as Call]
}

const bodyOf = (calls: ReadonlyArray<Call>) => JSON.stringify(calls.length === 1 ? calls[0] : calls)

/** Listens until the scope closes. `decide` answers a request; without a reply the connection is reset. */
export const listen = (
  decide: (request: NodeRequest) => Promise<Reply | undefined>
): Effect.Effect<NodeFront, never, Scope.Scope> =>
  Effect.gen(function*() {
    const nodes = new Map<string, { readonly caller: string; readonly network: Network; readonly url: string }>()

    const answer = async (request: Http.IncomingMessage, response: Http.ServerResponse) => {
      const body = await textOf(request)
      const node = nodes.get(request.url ?? "")
      if (node === undefined) return void response.writeHead(404).end()
      const { caller, network, url } = node
      const gone = () => response.destroyed || request.socket.destroyed
      const forward: NodeRequest["forward"] = (calls) => post(url, calls === undefined ? body : bodyOf(calls))
      const reply = await decide({ caller, network, calls: callsOf(body), forward, gone })
      if (reply === undefined) return void response.destroy()
      response.writeHead(reply.status, { "content-type": "application/json" }).end(reply.text)
    }

    const server = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const listening = Http.createServer((request, response) => {
          void answer(request, response).catch(() => response.destroy())
        })
        listening.listen(0, "127.0.0.1")
        await once(listening, "listening")
        return listening
      }),
      (listening) =>
        Effect.callback<void>((resume) => {
          listening.close(() => resume(Effect.void))
          listening.closeAllConnections()
        })
    )
    const { port } = server.address() as AddressInfo
    return {
      inFront: (caller, books) =>
        books.map((book) => {
          const path = `/${caller}/${book.network}`
          nodes.set(path, { caller, network: book.network, url: book.rpcUrls[0] })
          return NetworkBook.make({ ...book, rpcUrls: [`http://127.0.0.1:${port}${path}`] })
        })
    }
  })
