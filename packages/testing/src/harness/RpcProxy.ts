/** A proxy between the service and its nodes: counts calls, and loses calls or answers on request. */
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as NodeFront from "./NodeFront.ts"

/** `lose`: the node never receives it. `loseAnswer`: the node executes it, but the service gets no answer. */
type FaultDecision = "forward" | "lose" | "loseAnswer"

export class RpcProxy extends Context.Service<RpcProxy, {
  /** Returns the same networks with the proxy in front of their nodes. */
  readonly inFront: (books: ReadonlyArray<NetworkBook>) => ReadonlyArray<NetworkBook>
  /** Methods called since `forget`, one entry per call, also inside batches. */
  readonly methods: Effect.Effect<ReadonlyArray<string>>
  readonly forget: Effect.Effect<void>
  /** Sets the decision about each HTTP request, by its methods. */
  readonly decide: (decision: (methods: ReadonlyArray<string>) => FaultDecision) => Effect.Effect<void>
}>()("vault-trader/testing/harness/RpcProxy") {
  static readonly layer: Layer.Layer<RpcProxy> = Layer.effect(
    RpcProxy,
    Effect.gen(function*() {
      let seen: Array<string> = []
      let decisionOf: (methods: ReadonlyArray<string>) => FaultDecision = () => "forward"
      const { inFront } = yield* NodeFront.listen(async ({ calls, forward }) => {
        const methods = calls.map(({ method }) => method)
        seen.push(...methods)
        const decision = decisionOf(methods)
        if (decision === "lose") return undefined
        const reply = await forward()
        return decision === "loseAnswer" ? undefined : reply
      })
      return {
        inFront: (books) => inFront("service", books),
        methods: Effect.sync(() => seen),
        forget: Effect.sync(() => {
          seen = []
        }),
        decide: (decision) =>
          Effect.sync(() => {
            decisionOf = decision
          })
      }
    })
  )
}
