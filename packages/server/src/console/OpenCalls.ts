/** Limits the calls and streams that one socket may have open, and takes their headers from the socket. */
import * as Effect from "effect/Effect"
import type { RequestEncoded } from "effect/rpc/RpcMessage"
import type * as RpcServer from "effect/rpc/RpcServer"

/** Maximum number per socket. A page has a few dozen. */
export const maxOpen = 256

const refusal = [{
  _tag: "Die",
  defect: `This connection has ${maxOpen} requests open, the maximum; nothing was done.`
}] as const

/**
 * Returns a request that is always answered. The protocol allows requests without a response, which could not be
 * counted.
 */
const answerable = ({ discard: _, isNotification: __, ...request }: RequestEncoded): RequestEncoded => request

/**
 * Returns a request with the headers of its socket, to which the protocol appends those that the request names itself:
 * they would replace the client's network, which the service has set, and the session that opened the socket.
 */
const ofSocket = (request: RequestEncoded): RequestEncoded => {
  const headers = new Map<string, string>()
  for (const [name, value] of request.headers) {
    const key = name.toLowerCase()
    if (!headers.has(key)) headers.set(key, value)
  }
  return { ...request, headers: [...headers] }
}

/** Returns the protocol with a limit per client. A request beyond it is refused without reaching a handler. */
export const bounded = (protocol: RpcServer.Protocol["Service"]): RpcServer.Protocol["Service"] => {
  const open = new Map<number, Set<string | number>>()
  /** Returns the open requests of a client. Disconnected clients are removed when a new one connects. */
  const openOf = (clientId: number) =>
    Effect.map(protocol.clientIds, (known) => {
      const found = open.get(clientId)
      if (found !== undefined) return found
      for (const each of open.keys()) if (!known.has(each)) open.delete(each)
      const made = new Set<string | number>()
      open.set(clientId, made)
      return made
    })
  return {
    ...protocol,
    run: (handle) =>
      protocol.run((clientId, message) => {
        if (message._tag !== "Request") return handle(clientId, message)
        return Effect.flatMap(openOf(clientId), (requests) => {
          // A duplicate id is the client's mistake. Answering it would end the request that already has the id.
          if (requests.has(message.id)) return Effect.void
          if (requests.size >= maxOpen) {
            return protocol.send(clientId, {
              _tag: "Exit",
              requestId: message.id,
              exit: { _tag: "Failure", cause: refusal }
            })
          }
          requests.add(message.id)
          return handle(clientId, ofSocket(answerable(message)))
        })
      }),
    send: (clientId, response, transferables) => {
      if (response._tag === "Exit") open.get(clientId)?.delete(response.requestId)
      return protocol.send(clientId, response, transferables)
    }
  }
}
