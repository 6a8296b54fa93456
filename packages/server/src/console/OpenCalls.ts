/** Bounds the calls and streams that one socket has open. */
import * as Effect from "effect/Effect"
import type { RequestEncoded } from "effect/rpc/RpcMessage"
import type * as RpcServer from "effect/rpc/RpcServer"

/** A page has a few dozen. */
export const maxOpen = 256

const refusal = [{ _tag: "Die", defect: `This connection has ${maxOpen} requests open, the maximum; nothing was done.` }] as const

/** A request that is answered when it is over. The protocol knows others, whose end nobody is told: they could not be counted. */
const answerable = ({ discard: _, isNotification: __, ...request }: RequestEncoded): RequestEncoded => request

/** The protocol with a bound for each client: a request beyond it is answered at once, and reaches no handler. */
export const bounded = (protocol: RpcServer.Protocol["Service"]): RpcServer.Protocol["Service"] => {
  const open = new Map<number, Set<string | number>>()
  /** The open requests of a client; clients that are gone are forgotten when another one comes. */
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
          // An id that is in use is the client's mistake; answering it would end the request that has it.
          if (requests.has(message.id)) return Effect.void
          if (requests.size >= maxOpen) {
            return protocol.send(clientId, { _tag: "Exit", requestId: message.id, exit: { _tag: "Failure", cause: refusal } })
          }
          requests.add(message.id)
          return handle(clientId, answerable(message))
        })
      }),
    send: (clientId, response, transferables) => {
      if (response._tag === "Exit") open.get(clientId)?.delete(response.requestId)
      return protocol.send(clientId, response, transferables)
    }
  }
}
