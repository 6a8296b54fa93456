/**
 * Stands between the processes and their nodes and, where told, keeps a request back: before the node hears of it, or before its
 * answer is heard of. So a process can be met exactly between two things it does, however fast or slow the machine is.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkBook"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as NodeFront from "./NodeFront.ts"

export type Moment = "before the node" | "before the answer"

export interface Rule<R> {
  readonly network: Network
  /**
   * The calls the rule is about; all, if it is left out. The others of their request are answered at once, as by a node that leaves calls of
   * a batch unanswered: the client repeats those it has no answer to, and the other callers of the batch do not wait.
   */
  readonly about?: (call: NodeFront.Call) => boolean
  /** Whether a request is to be kept at this moment; asked about each one of the network, twice. */
  readonly when: (asked: Pick<NodeFront.Asked, "asker" | "calls">, moment: Moment) => Effect.Effect<boolean, never, R>
}

export interface Hold {
  /** Answers who is kept waiting, once somebody is. */
  readonly reached: Effect.Effect<string>
  /** Ends the rule and lets go of what was kept. */
  readonly release: Effect.Effect<void>
}

/** Whether a request hands transactions to the node. */
export const sends = ({ calls }: Pick<NodeFront.Asked, "calls">) => calls.some(({ method }) => method === "eth_sendRawTransaction")

/** Whether a call is about an address. */
export const mentions = (call: NodeFront.Call, address: Address) => JSON.stringify(call).toLowerCase().includes(address.slice(2))

export class RpcHold extends Context.Service<RpcHold, {
  /** The same networks, as `asker` is to see them. */
  readonly inFront: (asker: string, books: ReadonlyArray<NetworkBook>) => ReadonlyArray<NetworkBook>
  /** Keeps what the rule wants until it is released, at the latest with the scope. */
  readonly hold: <R>(rule: Rule<R>) => Effect.Effect<Hold, never, R | Scope.Scope>
  /** Throws away what is kept of an asker that has died: no node will ever hear of it. */
  readonly bury: (asker: string) => Effect.Effect<void>
}>()("vault-trader/scripts/test/RpcHold") {
  static readonly layer: Layer.Layer<RpcHold> = Layer.effect(
    RpcHold,
    Effect.gen(function*() {
      const rules = new Map<Rule<never>, { readonly reached: Deferred.Deferred<string>; readonly released: Deferred.Deferred<void> }>()
      const deaths = new Map<string, number>()
      const deathsOf = (asker: string) => deaths.get(asker) ?? 0
      const run = Effect.runPromiseWith(yield* Effect.context())

      const wants = ({ about = () => true, network, when }: Rule<never>, asked: NodeFront.Asked, moment: Moment) =>
        network === asked.network && asked.calls.some(about) ? when(asked, moment) : Effect.succeed(false)

      /** Keeps the request for as long as a rule wants it. */
      const kept = (asked: NodeFront.Asked, moment: Moment) =>
        Effect.forEach(Array.from(rules), ([rule, { reached, released }]) =>
          Effect.gen(function*() {
            if (!(yield* wants(rule, asked, moment))) return
            yield* Deferred.succeed(reached, asked.asker)
            yield* Deferred.await(released)
          }), { discard: true })

      /** The calls of a request that no rule about single calls wants kept. */
      const unwanted = (asked: NodeFront.Asked) =>
        Effect.map(
          Effect.filter(Array.from(rules.keys()).filter(({ about }) => about !== undefined), (rule) => wants(rule, asked, "before the node")),
          (wanting) => asked.calls.filter((call) => !wanting.some(({ about }) => about?.(call)))
        )

      const { inFront } = yield* NodeFront.listen(async (asked) => {
        const free = await run(unwanted(asked))
        if (free.length > 0 && free.length < asked.calls.length) return asked.forward(free)
        const before = deathsOf(asked.asker)
        await run(kept(asked, "before the node"))
        if (asked.gone() || deathsOf(asked.asker) > before) return undefined
        const reply = await asked.forward()
        await run(kept(asked, "before the answer"))
        return reply
      })

      return {
        inFront,
        bury: (asker) => Effect.sync(() => void deaths.set(asker, deathsOf(asker) + 1)),
        hold: <R>({ when, ...rest }: Rule<R>) =>
          Effect.gen(function*() {
            const context = yield* Effect.context<R>()
            const rule: Rule<never> = { ...rest, when: (asked, moment) => Effect.provide(when(asked, moment), context) }
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
