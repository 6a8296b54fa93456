/** Stands between the service and its nodes: counts what is called, and on request loses calls or answers. */
import { NetworkBook } from "@vault-trader/core/chain/NetworkBook"
import type { Network } from "@vault-trader/core/chain/Network"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { once } from "node:events"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"

/** `lose`: the node never hears of it. `loseAnswer`: the node does it, the service never hears of that. */
export type Fate = "forward" | "lose" | "loseAnswer"

export class RpcProxy extends Context.Tag("vault-trader/scripts/test/RpcProxy")<RpcProxy, {
  /** The same networks with the proxy in front of their nodes. */
  readonly inFront: (books: ReadonlyArray<NetworkBook>) => ReadonlyArray<NetworkBook>
  /** Methods called since `forget`, one entry a call, also those inside of batches. */
  readonly methods: Effect.Effect<ReadonlyArray<string>>
  readonly forget: Effect.Effect<void>
  /** From now on decides about each HTTP request by the methods in it. */
  readonly decide: (fate: (methods: ReadonlyArray<string>) => Fate) => Effect.Effect<void>
}>() {
  static readonly layer: Layer.Layer<RpcProxy> = Layer.scoped(
    RpcProxy,
    Effect.gen(function*() {
      const nodes = new Map<string, string>()
      let seen: Array<string> = []
      let fateOf: (methods: ReadonlyArray<string>) => Fate = () => "forward"

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
          Effect.async<void>((resume) => {
            listening.close(() => resume(Effect.void))
            listening.closeAllConnections()
          })
      )
      const { port } = server.address() as AddressInfo

      const answer = async (request: Http.IncomingMessage, response: Http.ServerResponse) => {
        const body = await textOf(request)
        const methods = methodsOf(body)
        seen.push(...methods)
        const fate = fateOf(methods)
        if (fate === "lose") return void response.destroy()
        const url = nodes.get(request.url ?? "")
        if (url === undefined) return void response.writeHead(404).end()
        const answered = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body })
        const text = await answered.text()
        if (fate === "loseAnswer") return void response.destroy()
        response.writeHead(answered.status, { "content-type": "application/json" }).end(text)
      }

      const pathOf = (network: Network) => `/${network}`
      return {
        inFront: (books) =>
          books.map((book) => {
            nodes.set(pathOf(book.network), book.rpcUrls[0])
            return new NetworkBook({ ...book, rpcUrls: [`http://127.0.0.1:${port}${pathOf(book.network)}`] })
          }),
        methods: Effect.sync(() => seen),
        forget: Effect.sync(() => {
          seen = []
        }),
        decide: (fate) =>
          Effect.sync(() => {
            fateOf = fate
          })
      }
    })
  )
}

const textOf = async (request: Http.IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

const methodsOf = (body: string): ReadonlyArray<string> => {
  const calls: unknown = JSON.parse(body)
  return (Array.isArray(calls) ? calls : [calls]).map((call: { readonly method: string }) => call.method)
}
