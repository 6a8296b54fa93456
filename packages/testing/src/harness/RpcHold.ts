/**
 * A proxy between the processes and their nodes that holds selected requests: before the node receives them, or before
 * their answer is delivered. So a test can stop a process exactly between two of its steps, on a machine of any speed.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as NodeFront from "./NodeFront.ts"

type Moment = "before the node" | "before the answer"

export interface Rule<R> {
  readonly network: Network
  /**
   * Selects the calls of the rule; all if absent. The other calls of a batch are answered at once, as by a node that
   * leaves some calls unanswered: no other caller waits because its call shares a batch with a held one, and missing
   * calls are sent again.
   */
  readonly about?: (call: NodeFront.Call) => boolean
  /** Returns whether to hold a request at this moment; called twice for each request of the network. */
  readonly when: (
    request: Pick<NodeFront.NodeRequest, "caller" | "calls">,
    moment: Moment
  ) => Effect.Effect<boolean, never, R>
}

interface Hold {
  /** Waits for the first held request and returns its caller. */
  readonly reached: Effect.Effect<string>
  /** Ends the rule and releases what it holds. */
  readonly release: Effect.Effect<void>
}

/** Returns whether a request sends transactions to the node. */
export const sends = ({ calls }: Pick<NodeFront.NodeRequest, "calls">) =>
  calls.some(({ method }) => method === "eth_sendRawTransaction")

/** Returns whether a call mentions an address. */
export const mentions = (call: NodeFront.Call, address: Address) =>
  JSON.stringify(call).toLowerCase().includes(address.slice(2))

export class RpcHold extends Context.Service<RpcHold, {
  /** Returns the same networks for the process named `caller`. */
  readonly inFront: (caller: string, books: ReadonlyArray<NetworkBook>) => ReadonlyArray<NetworkBook>
  /** Holds what matches the rule until it is released, at the latest with the scope. */
  readonly hold: <R>(rule: Rule<R>) => Effect.Effect<Hold, never, R | Scope.Scope>
  /** Discards the held requests of a process that was killed: no node ever receives them. */
  readonly bury: (caller: string) => Effect.Effect<void>
}>()("vault-trader/testing/harness/RpcHold") {
  static readonly layer: Layer.Layer<RpcHold> = Layer.effect(
    RpcHold,
    Effect.gen(function*() {
      const rules = new Map<
        Rule<never>,
        { readonly reached: Deferred.Deferred<string>; readonly released: Deferred.Deferred<void> }
      >()
      const deaths = new Map<string, number>()
      const deathsOf = (caller: string) => deaths.get(caller) ?? 0
      const run = Effect.runPromiseWith(yield* Effect.context())

      const wants = (
        { about = () => true, network, when }: Rule<never>,
        request: NodeFront.NodeRequest,
        moment: Moment
      ) => network === request.network && request.calls.some(about) ? when(request, moment) : Effect.succeed(false)

      /** Holds the request for as long as a rule matches it. */
      const kept = (request: NodeFront.NodeRequest, moment: Moment) =>
        Effect.forEach(Array.from(rules), ([rule, { reached, released }]) =>
          Effect.gen(function*() {
            if (!(yield* wants(rule, request, moment))) return
            yield* Deferred.succeed(reached, request.caller)
            yield* Deferred.await(released)
          }), { discard: true })

      /** Returns the calls of a request that no rule about single calls holds. */
      const unwanted = (request: NodeFront.NodeRequest) =>
        Effect.map(
          Effect.filter(Array.from(rules.keys()).filter(({ about }) => about !== undefined), (rule) =>
            wants(rule, request, "before the node")),
          (wanting) =>
            request.calls.filter((call) => !wanting.some(({ about }) => about?.(call)))
        )

      const { inFront } = yield* NodeFront.listen(async (request) => {
        const free = await run(unwanted(request))
        if (free.length > 0 && free.length < request.calls.length) return request.forward(free)
        const before = deathsOf(request.caller)
        await run(kept(request, "before the node"))
        if (request.gone() || deathsOf(request.caller) > before) return undefined
        const reply = await request.forward()
        await run(kept(request, "before the answer"))
        return reply
      })

      return {
        inFront,
        bury: (caller) => Effect.sync(() => void deaths.set(caller, deathsOf(caller) + 1)),
        hold: <R>({ when, ...rest }: Rule<R>) =>
          Effect.gen(function*() {
            const context = yield* Effect.context<R>()
            const rule: Rule<never> = {
              ...rest,
              when: (request, moment) => Effect.provide(when(request, moment), context)
            }
            const reached = yield* Deferred.make<string>()
            const released = yield* Deferred.make<void>()
            rules.set(rule, { reached, released })
            const release = Effect.andThen(Effect.sync(() => rules.delete(rule)), Deferred.succeed(released, undefined))
            yield* Effect.addFinalizer(() => release)
            return { reached: Deferred.await(reached), release: Effect.asVoid(release) }
          })
      }
    })
  )
}
