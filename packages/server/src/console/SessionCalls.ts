/** The catalogue's handlers behind a session: one fold over the calls, no endpoint named. */
import type { Address } from "@vault-trader/core/chain/Address"
import { ManagerCalls, WalletCalls } from "@vault-trader/core/console/ConsoleApi"
import { SignedIn } from "@vault-trader/core/console/Session"
import { Caller, Manager, Principal } from "@vault-trader/core/endpoint/Admission"
import type { Catalogue } from "@vault-trader/core/Catalogue"
import { type EndpointFacts, factsOf } from "@vault-trader/core/endpoint/Endpoint"
import { type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import type { Network } from "@vault-trader/core/chain/Network"
import { type Authority, ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Rpc from "effect/rpc/Rpc"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import type * as Scope from "effect/Scope"
import { Gatekeeper } from "../endpoint/Admission.ts"
import { query } from "../gate/ActorCall.ts"
import * as RequestState from "../gate/RequestState.ts"
import { IdempotentWrites, nameOf } from "../intent/IdempotentWrites.ts"
import { ChangeNotifier } from "./ChangeNotifier.ts"

type Params = Readonly<Record<string, unknown>>
type Handler = (payload: Params, options: Parameters<Rpc.Handler<string>["handler"]>[1]) => Effect.Effect<unknown, Failure>
/** The same behind a session. */
type Call = (...asked: Parameters<Handler>) => Effect.Effect<unknown, Failure, SignedIn>
type Endpoints = RpcGroup.Rpcs<typeof Catalogue>

/** Fails unless the wallet is in the manager's list. */
export const mine = (managers: ManagerStore["Service"], authority: Authority, wallet: Address): Effect.Effect<void, ValidationFailure> =>
  Effect.flatMap(query(managers.has(authority, wallet)), (has) =>
    has ? Effect.void : new ValidationFailure({ code: "1005", message: `wallet: ${wallet} is not in your list of gas wallets` }))

/** What a contract wallet's session must not do, because it would be done on networks that the wallet does not speak for. */
export const beyond = (network: Network, what: string): ValidationFailure =>
  new ValidationFailure({
    code: "1010",
    message: `${what}: you are signed in with a contract wallet on ${network}, which speaks for that network alone, and this acts on all of them. Use the gas wallet's API key or private key; nothing was done.`
  })

/** Changes without a network that take authority away and give none. */
const brakes = new Set(["pauseWallet", "revokeWebhookToken"])

/** The parameters of a call within the session's authority: a contract wallet's is its network. */
const within = (facts: EndpointFacts, params: Params, network: Network | null): Effect.Effect<Params, ValidationFailure> => {
  if (network === null || facts.access === "open") return Effect.succeed(params)
  if (facts.params.every(({ name }) => name !== "network")) {
    return facts.class === "readOnly" || brakes.has(facts.name) ? Effect.succeed(params) : beyond(network, facts.name)
  }
  const asked = params["network"]
  return asked === undefined || asked === network
    ? Effect.succeed({ ...params, network })
    : new ValidationFailure({ code: "1000", message: `network: you are signed in with a contract wallet on ${network}, which speaks for that network alone; nothing was done` })
}

/** What changes something is brought to its end although the page is closed meanwhile; who follows what it changed is told at once. */
const seenThrough = Effect.gen(function*() {
  const scope = yield* Effect.scope
  const { notifyNow } = yield* ChangeNotifier
  return (facts: EndpointFacts) => <A, E, R>(answer: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    facts.class === "readOnly" ? answer : Effect.flatMap(Effect.forkIn(Effect.ensuring(answer, notifyNow), scope), Fiber.join)
})

/** The handlers of a group of calls, each made of its endpoint's own. */
const fold = <Rpcs extends Rpc.Any, R>(
  group: RpcGroup.RpcGroup<Rpcs>,
  make: (facts: EndpointFacts, handler: Handler) => Effect.Effect<Call, never, R>
): Layer.Layer<Rpc.ToHandler<Rpcs>, never, Rpc.ToHandler<Endpoints> | Exclude<R, Scope.Scope>> =>
  group.toLayer(Effect.gen(function*() {
    const context = yield* Effect.context<never>()
    const made: Record<string, Call> = {}
    for (const [name, rpc] of group.requests) {
      const facts = factsOf(rpc as unknown as Rpc.AnyWithProps)
      // Handlers lie in the context under the procedure's key; what they need of it they carry along.
      const found = context.mapUnsafe.get(`effect/rpc/Rpc/${facts.name}`) as { readonly handler: Handler; readonly context: Context.Context<never> }
      made[name] = yield* make(facts, (payload, options) => Effect.provide(found.handler(payload, options), found.context))
    }
    return made
  }) as never)

/** As a wallet of the manager's list, by whatever key it has now: through the same admission as a request with that key. */
export const WalletCallsLive = fold(WalletCalls, (facts, handler) =>
  Effect.gen(function*() {
    const managers = yield* ManagerStore
    const keys = yield* ApiKeyStore
    const { admitAs } = yield* Gatekeeper
    const { settled } = yield* IdempotentWrites
    const through = yield* seenThrough
    return ({ wallet, ...asked }, options) =>
      Effect.gen(function*() {
        const session = yield* SignedIn
        const { manager } = session
        yield* mine(managers, session, wallet as Address)
        const params = yield* within(facts, asked, session.network)
        const key = yield* query(keys.activeOf(wallet as Address))
        if (Option.isNone(key)) return yield* new ValidationFailure({ code: "1002", message: `wallet: ${String(wallet)} has no API key; give it a new one` })
        // An endpoint that takes both proofs acts as the wallet, for the manager: the session stands for that signature.
        const given = facts.access === "apiKeyAndManager" ? { ...params, manager } : params
        const state = { ...(yield* RequestState.begin), name: nameOf(facts, params) }
        const answer = Effect.flatMap(admitAs(facts, params, key.value), (caller) => Effect.provideService(handler(given, options), Caller, caller))
        return yield* Effect.provideService(through(facts)(settled(answer)), RequestState.RequestState, state)
      })
  }))

/** As the manager. */
export const ManagerCallsLive = fold(ManagerCalls, (facts, handler) =>
  Effect.map(seenThrough, (through) => (params, options) =>
    Effect.flatMap(SignedIn, ({ manager, network }) =>
      Effect.flatMap(within(facts, params, network), (kept) =>
        through(facts)(handler({ ...kept, manager }, options)).pipe(
          Effect.provideService(Manager, manager),
          Effect.provideService(Principal, { _tag: "manager", manager })
        )))))
