/**
 * A minimal JSON-RPC client: batches over a few persistent connections. It measures and watches nodes; the engine has
 * its own.
 */
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import * as Http from "node:http"

export type Call = readonly [method: string, ...params: ReadonlyArray<unknown>]

export interface JsonRpcClient {
  /** Returns the results in order; dies when the node refuses one of the calls. */
  readonly batch: (calls: ReadonlyArray<Call>) => Promise<ReadonlyArray<unknown>>
  readonly call: (...call: Call) => Promise<unknown>
}

interface Answer {
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

const post = (agent: Http.Agent, url: string, body: string) =>
  new Promise<string>((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) }
    const request = Http.request(url, { agent, method: "POST", headers }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")))
      response.on("error", reject)
    })
    request.on("error", reject)
    request.end(body)
  })

export const make = (url: string, connections = 4): Effect.Effect<JsonRpcClient, never, Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new Http.Agent({ keepAlive: true, maxSockets: connections })),
      (agent) => Effect.sync(() => agent.destroy())
    ),
    (agent) => {
      const batch = async (calls: ReadonlyArray<Call>) => {
        const body = JSON.stringify(calls.map(([method, ...params], id) => ({ jsonrpc: "2.0", id, method, params })))
        const answers = JSON.parse(await post(agent, url, body)) as ReadonlyArray<Answer>
        const byId = new Map(answers.map((answer) => [answer.id, answer]))
        return calls.map(([method], id) => {
          const answer = byId.get(id)
          if (answer === undefined || answer.error !== undefined) {
            throw new Error(`${method}: ${answer?.error?.message ?? "no answer"}`)
          }
          return answer.result
        })
      }
      return { batch, call: async (...call) => (await batch([call]))[0] }
    }
  )
