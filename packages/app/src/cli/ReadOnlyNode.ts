/**
 * A server on this machine in front of a node that passes reads only, so that a program behind it cannot send anything.
 * It also keeps the node's URL, which may contain a key, out of the arguments of processes.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { once } from "node:events"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"

/** The methods that are passed. None of them changes a chain or a node. */
const reads: ReadonlySet<unknown> = new Set([
  ...["eth_chainId", "eth_blockNumber", "eth_getBlockByNumber", "eth_getBlockByHash", "eth_getLogs", "eth_getProof"],
  ...["eth_getBalance", "eth_getCode", "eth_getStorageAt", "eth_getTransactionCount", "eth_getTransactionByHash"],
  ...["eth_getTransactionReceipt", "eth_getBlockReceipts", "eth_call", "eth_estimateGas", "eth_simulateV1"],
  ...["eth_feeHistory", "eth_gasPrice", "eth_maxPriorityFeePerGas", "eth_blobBaseFee", "eth_createAccessList"],
  ...["net_version", "web3_clientVersion"]
])

const textOf = async (request: Http.IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

interface Call {
  readonly id?: unknown
  readonly method?: unknown
}

/** Returns the answer to a request with a call that is not a read; `undefined` for one with reads only. */
const refusalOf = (body: string): string | undefined => {
  const parsed = JSON.parse(body) as Call | ReadonlyArray<Call>
  const calls = Array.isArray(parsed) ? parsed as ReadonlyArray<Call> : [parsed as Call]
  if (calls.every(({ method }) => reads.has(method))) return undefined
  const answers = calls.map(({ id = null, method }) => ({
    jsonrpc: "2.0",
    id,
    error: { code: -32_601, message: `${String(method)} is not passed on: only reads are` }
  }))
  return JSON.stringify(Array.isArray(parsed) ? answers : answers[0])
}

/** Splits a URL into one without credentials, and the header that carries them. */
const targetOf = (url: string) => {
  const target = new URL(url)
  const { password, username } = target
  if (username === "" && password === "") return { target, headers: {} }
  target.username = ""
  target.password = ""
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { target, headers: { authorization: `Basic ${Buffer.from(pair).toString("base64")}` } }
}

/** Listens on 127.0.0.1 until the scope closes; returns the URL. A request that takes longer than `timeout` is reset. */
export const listen = (url: string, timeout: number): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function*() {
    const { headers, target } = targetOf(url)
    const answer = async (request: Http.IncomingMessage, response: Http.ServerResponse) => {
      const body = await textOf(request)
      const refusal = refusalOf(body)
      const send = (status: number, text: string) =>
        response.writeHead(status, { "content-type": "application/json" }).end(text)
      if (refusal !== undefined) return send(200, refusal)
      const answered = await fetch(target, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body,
        redirect: "manual",
        signal: AbortSignal.timeout(timeout)
      })
      return send(answered.status, await answered.text())
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
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
