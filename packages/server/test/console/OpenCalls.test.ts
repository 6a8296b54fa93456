import { assert, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type { FromClientEncoded, FromServerEncoded, RequestEncoded } from "effect/rpc/RpcMessage"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import type * as RpcServer from "effect/rpc/RpcServer"
import * as OpenCalls from "../../src/console/OpenCalls.ts"

/** A bounded protocol driven by the test as its clients, with what reached a handler and what was sent back. */
const setup = Effect.gen(function*() {
  const sent: Array<FromServerEncoded> = []
  const handled: Array<string> = []
  const unanswered: Array<string> = []
  const headers: Array<RequestEncoded["headers"]> = []
  const begun = yield* Deferred.make<(clientId: number, message: FromClientEncoded) => Effect.Effect<void>>()
  const protocol = OpenCalls.bounded(
    {
      run: (handle) => Effect.andThen(Deferred.succeed(begun, handle), Effect.never),
      disconnects: yield* Queue.make<number>(),
      send: (_, response) => Effect.sync(() => void sent.push(response)),
      end: () => Effect.void,
      clientIds: Effect.succeed(new Set([1, 2])),
      initialMessage: Effect.succeed(Option.none()),
      supportsAck: true,
      supportsTransferables: false,
      supportsSpanPropagation: true,
      supportsNotifications: true,
      codecFor: RpcSerialization.ndjson.codecFor
    } satisfies RpcServer.Protocol["Service"]
  )
  yield* Effect.forkScoped(protocol.run((clientId, message) =>
    Effect.sync(() => {
      handled.push(`${clientId}/${message._tag === "Request" ? message.id : message._tag}`)
      if (message._tag === "Request") headers.push(message.headers)
      if (message._tag === "Request" && (message.discard === true || message.isNotification === true)) {
        unanswered.push(String(message.id))
      }
    })
  ))
  const receive = yield* Deferred.await(begun)
  const ask = (clientId: number, id: number, how: Partial<RequestEncoded> = {}) =>
    receive(
      clientId,
      { _tag: "Request", id: String(id), tag: "whoAmI", payload: null, headers: [], ...how } satisfies RequestEncoded
    )
  return { ask, handled, headers, protocol, sent, unanswered }
})

it.effect("a socket has a limited number of open requests; one that ends makes room, and other sockets have their own limit", () =>
  Effect.gen(function*() {
    const { ask, handled, protocol, sent } = yield* setup
    for (let id = 0; id < OpenCalls.maxOpen + 44; id++) yield* ask(1, id)
    assert.lengthOf(handled, OpenCalls.maxOpen)
    assert.lengthOf(sent, 44)
    assert.deepStrictEqual(
      sent.map((each) => each._tag === "Exit" ? Number(each.requestId) : -1),
      Array.from({ length: 44 }, (_, index) => OpenCalls.maxOpen + index)
    )
    yield* ask(2, 0)
    assert.include(handled, "2/0")
    yield* protocol.send(1, { _tag: "Exit", requestId: "7", exit: { _tag: "Success", value: null } })
    yield* ask(1, 1_000)
    assert.include(handled, "1/1000")
    yield* ask(1, 1_001)
    assert.notInclude(handled, "1/1001")
  }))

it.effect("a request is always answered when it ends, even if it asks for no response, so that each open one is counted", () =>
  Effect.gen(function*() {
    const { ask, handled, sent, unanswered } = yield* setup
    for (let id = 0; id < OpenCalls.maxOpen; id++) {
      yield* ask(1, id, id % 2 === 0 ? { discard: true } : { isNotification: true })
    }
    assert.lengthOf(handled, OpenCalls.maxOpen)
    assert.lengthOf(unanswered, 0)
    yield* ask(1, OpenCalls.maxOpen, { discard: true })
    assert.deepStrictEqual(sent.map(({ _tag }) => _tag), ["Exit"])
  }))

it.effect("a request's own headers replace none of its socket's, whatever their case", () =>
  Effect.gen(function*() {
    const { ask, headers } = yield* setup
    const ofSocket: RequestEncoded["headers"] = [["cookie", "session=a"], ["x-vault-trader-client", "192.0.2.1"]]
    // The protocol appends a request's headers to those of its socket.
    yield* ask(1, 0, {
      headers: [...ofSocket, ["X-Vault-Trader-Client", "198.51.100.1"], ["cookie", "session=b"], ["accepts", "more"]]
    })
    assert.deepStrictEqual(headers, [[...ofSocket, ["accepts", "more"]]])
  }))
