/** Stands between the service and its nodes: counts what is called, and on request loses calls or answers. */
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as NodeFront from "./NodeFront.ts"

/** `lose`: the node never hears of it. `loseAnswer`: the node does it, the service never hears of that. */
export type Fate = "forward" | "lose" | "loseAnswer"

export class RpcProxy extends Context.Service<RpcProxy, {
  /** The same networks with the proxy in front of their nodes. */
  readonly inFront: (books: ReadonlyArray<NetworkBook>) => ReadonlyArray<NetworkBook>
  /** Methods called since `forget`, one entry a call, also those inside of batches. */
  readonly methods: Effect.Effect<ReadonlyArray<string>>
  readonly forget: Effect.Effect<void>
  /** From now on decides about each HTTP request by the methods in it. */
  readonly decide: (fate: (methods: ReadonlyArray<string>) => Fate) => Effect.Effect<void>
}>()("vault-trader/testing/harness/RpcProxy") {
  static readonly layer: Layer.Layer<RpcProxy> = Layer.effect(
    RpcProxy,
    Effect.gen(function*() {
      let seen: Array<string> = []
      let fateOf: (methods: ReadonlyArray<string>) => Fate = () => "forward"
      const { inFront } = yield* NodeFront.listen(async ({ calls, forward }) => {
        const methods = calls.map(({ method }) => method)
        seen.push(...methods)
        const fate = fateOf(methods)
        if (fate === "lose") return undefined
        const reply = await forward()
        return fate === "loseAnswer" ? undefined : reply
      })
      return {
        inFront: (books) => inFront("service", books),
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
