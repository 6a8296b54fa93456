/** The seam between an endpoint that moves funds and its intent: a handler only turns its parameters into a request. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { Caller } from "@vault-trader/core/endpoint/Admission"
import { factsOf } from "@vault-trader/core/endpoint/Endpoint"
import type { Failure } from "@vault-trader/core/failure/Failure"
import { Backlog, type Limits } from "@vault-trader/core/intent/Backlog"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import type { IntentRequest } from "@vault-trader/core/intent/Intent"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Rpc from "effect/rpc/Rpc"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import type * as Schema from "effect/Schema"
import { Directory } from "../gate/ServedNetworks.ts"
import { IntentExecution } from "./IntentExecution.ts"

/** The names of the group's endpoints that move funds: those with an idempotency key. */
type WriteName<R> = R extends Rpc.Any ? "idempotency_key" extends keyof Rpc.Payload<R> ? R["_tag"] : never : never

type Params<R extends Rpc.Any, Name extends string> = Rpc.Payload<Rpc.ExtractTag<R, Name>>

/** The parameters that have the same meaning in every write. */
interface WriteParams {
  readonly network?: Network | undefined
  readonly pool?: Address | undefined
  readonly dryRun?: boolean | undefined
  readonly idempotency_key?: string | undefined
  readonly valid_for?: number | undefined
  readonly duplicate?: boolean | undefined
}

export class Intents extends Context.Service<Intents, {
  /**
   * Returns the handler of an endpoint that moves funds. `toRequest` builds the intent's request from the parameters;
   * network, vault, dry run, lifetime and idempotency key are read here. A request without a vault runs under the wallet's
   * address.
   */
  readonly write: <R extends Rpc.Any, const Name extends WriteName<R>, Services = never>(
    group: RpcGroup.RpcGroup<R>,
    name: Name,
    toRequest: (params: Params<R, Name>) => IntentRequest | Effect.Effect<IntentRequest, Failure, Services>
  ) => (
    params: Params<R, Name>
  ) => Effect.Effect<Rpc.Success<Rpc.ExtractTag<R, Name>>, Failure, Caller | NoInfer<Services>>
}>()("vault-trader/server/intent/Intents") {
  static readonly layer: Layer.Layer<Intents, never, Directory | IntentExecution> = Layer.effect(
    Intents,
    Effect.gen(function*() {
      const { execute } = yield* IntentExecution
      const { defaultNetwork } = yield* Directory
      return {
        write: <R extends Rpc.Any, const Name extends WriteName<R>, Services = never>(
          group: RpcGroup.RpcGroup<R>,
          name: Name,
          toRequest: (params: Params<R, Name>) => IntentRequest | Effect.Effect<IntentRequest, Failure, Services>
        ) => {
          const rpc = group.requests.get(name) as unknown as Rpc.AnyWithProps
          const facts = factsOf(rpc)
          // An endpoint that takes `duplicate` makes no second identical request while the first one is unfinished.
          const absorbs = facts.params.some((param) => param.name === "duplicate")
          const answer = rpc.successSchema as Schema.Codec<Rpc.Success<Rpc.ExtractTag<R, Name>>, unknown>
          return (params: Params<R, Name>) =>
            Effect.gen(function*() {
              const { dryRun, duplicate = false, idempotency_key, network, pool, valid_for } = params as WriteParams
              const { wallet } = yield* Caller
              const request = toRequest(params)
              return yield* execute(answer, {
                endpoint: name,
                network: network ?? facts.network ?? defaultNetwork,
                pool: pool ?? wallet,
                request: Effect.isEffect(request) ? yield* request : request,
                idempotencyKey: idempotency_key,
                validFor: valid_for,
                dryRun: dryRun ?? false,
                absorbed: absorbs && !duplicate
              })
            })
        }
      }
    })
  )
}

/** Intents with the stores that only they need. */
export const layer = ({ open, waitSeconds }: { readonly open: Limits; readonly waitSeconds: number }) =>
  Intents.layer.pipe(
    Layer.provide(IntentExecution.layer(waitSeconds)),
    Layer.provide([Backlog.layer(open), IntentStore.layer])
  )
