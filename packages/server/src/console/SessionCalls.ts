/** Serves the catalogue's endpoints to signed-in managers, by one fold over the calls that names no endpoint. */
import type { Address } from "@vault-trader/core/chain/Address"
import { ManagerCalls, WalletCalls } from "@vault-trader/core/console/ConsoleApi"
import { SignedIn } from "@vault-trader/core/console/Session"
import { Caller, Credential, Manager, Principal } from "@vault-trader/core/endpoint/Admission"
import type { Catalogue } from "@vault-trader/core/Catalogue"
import { type EndpointFacts, factsOf } from "@vault-trader/core/endpoint/Endpoint"
import { type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import { ActingManager } from "@vault-trader/core/gas-wallet/ActingManager"
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
import { Gatekeeper } from "../endpoint/Gatekeeper.ts"
import { query } from "../gate/ActorCall.ts"
import { LastUse } from "../gate/LastUse.ts"
import * as RequestState from "../wire/RequestState.ts"
import { IdempotentWrites, nameOf } from "../gate/IdempotentWrites.ts"
import { ChangeNotifier } from "./ChangeNotifier.ts"

type Params = Readonly<Record<string, unknown>>
type Handler = (
  payload: Params,
  options: Parameters<Rpc.Handler<string>["handler"]>[1]
) => Effect.Effect<unknown, Failure>
/** The same handler for a signed-in manager. */
type Call = (...args: Parameters<Handler>) => Effect.Effect<unknown, Failure, SignedIn>
type Endpoints = RpcGroup.Rpcs<typeof Catalogue>

/** Fails unless the wallet is in the manager's list. */
export const mine = (
  managers: ManagerStore["Service"],
  authority: Authority,
  wallet: Address
): Effect.Effect<void, ValidationFailure> =>
  Effect.flatMap(
    query(managers.has(authority, wallet)),
    (has) =>
      has
        ? Effect.void
        : new ValidationFailure({ code: "1005", message: `wallet: ${wallet} is not in your list of gas wallets` })
  )

/** Refuses an action of a contract wallet's session that would affect networks the wallet has no authority on. */
export const beyond = (network: Network, what: string): ValidationFailure =>
  new ValidationFailure({
    code: "1010",
    message: `${what}: you are signed in with a contract wallet on ${network}, which has authority on that network ` +
      "only, but this acts on all networks. Use the gas wallet's API key or private key; nothing was done."
  })

/** Changes without a network that only reduce authority. */
const brakes = new Set(["pauseWallet", "revokeWebhookToken", "revokeSubKey"])

/**
 * Restricts the parameters of a call to the session's authority: a contract wallet's session is limited to its network.
 */
const within = (
  facts: EndpointFacts,
  params: Params,
  network: Network | null
): Effect.Effect<Params, ValidationFailure> => {
  if (network === null || facts.access === "open") return Effect.succeed(params)
  if (facts.params.every(({ name }) => name !== "network")) {
    return facts.class === "readOnly" || brakes.has(facts.name) ? Effect.succeed(params) : beyond(network, facts.name)
  }
  const requested = params["network"]
  return requested === undefined || requested === network
    ? Effect.succeed({ ...params, network })
    : new ValidationFailure({
      code: "1000",
      message:
        `network: you are signed in with a contract wallet on ${network}, which has authority on that network only; nothing was done`
    })
}

/**
 * Completes a change even if the page is closed meanwhile, and notifies the streams of the changed data immediately.
 */
const uninterruptedWrite = Effect.gen(function*() {
  const scope = yield* Effect.scope
  const { notifyNow } = yield* ChangeNotifier
  return (facts: EndpointFacts) => <A, E, R>(answer: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    facts.class === "readOnly"
      ? answer
      : Effect.flatMap(Effect.forkIn(Effect.ensuring(answer, notifyNow), scope), Fiber.join)
})

/** Builds the handlers of a group of calls from the handlers of their endpoints. */
export const fold = <Rpcs extends Rpc.Any, R>(
  group: RpcGroup.RpcGroup<Rpcs>,
  make: (facts: EndpointFacts, handler: Handler) => Effect.Effect<Call, never, R>
): Layer.Layer<Rpc.ToHandler<Rpcs>, never, Rpc.ToHandler<Endpoints> | Exclude<R, Scope.Scope>> =>
  group.toLayer(Effect.gen(function*() {
    const context = yield* Effect.context<never>()
    const made: Record<string, Call> = {}
    for (const [name, rpc] of group.requests) {
      const facts = factsOf(rpc as unknown as Rpc.AnyWithProps)
      // The context holds each handler under its procedure's key, together with the context it needs.
      const found = context.mapUnsafe.get(`effect/rpc/Rpc/${facts.name}`) as {
        readonly handler: Handler
        readonly context: Context.Context<never>
      }
      made[name] = yield* make(
        facts,
        (payload, options) => Effect.provide(found.handler(payload, options), found.context)
      )
    }
    return made
  }) as never)

/**
 * Builds a call that acts as a wallet of the manager's list, with the wallet's current key and the admission of a request
 * with that key.
 */
export const asWallet = (facts: EndpointFacts, handler: Handler) =>
  Effect.gen(function*() {
    const managers = yield* ManagerStore
    const keys = yield* ApiKeyStore
    const { admitAs } = yield* Gatekeeper
    const { settled } = yield* IdempotentWrites
    const uninterrupted = yield* uninterruptedWrite
    const { note } = yield* LastUse
    const call: Call = ({ wallet, ...given }, options) =>
      Effect.gen(function*() {
        const session = yield* SignedIn
        const { manager } = session
        yield* mine(managers, session, wallet as Address)
        yield* note({ _tag: "manager", id: manager, wallet: wallet as Address })
        const params = yield* within(facts, given, session.network)
        const key = yield* query(keys.activeOf(wallet as Address))
        if (Option.isNone(key)) {
          return yield* new ValidationFailure({
            code: "1002",
            message: `wallet: ${String(wallet)} has no API key; issue a new one`
          })
        }
        // An endpoint that takes both proofs acts as the wallet for the manager; the session replaces the manager's
        // signature.
        const payload = facts.access === "apiKeyAndManager" ? { ...params, manager } : params
        const state = { ...(yield* RequestState.begin), name: nameOf(facts, params) }
        const answer = Effect.flatMap(
          admitAs(facts, params, key.value),
          (caller) =>
            handler(payload, options).pipe(
              Effect.provideService(Caller, caller),
              Effect.provideService(Principal, { _tag: "key", caller }),
              Effect.provideService(Credential, { _tag: "manager", wallet: caller.wallet, manager }),
              Effect.provideService(ActingManager, manager)
            )
        )
        return yield* Effect.provideService(uninterrupted(facts)(settled(answer)), RequestState.RequestState, state)
      })
    return call
  })

/** Builds a call that acts as the manager. */
export const asManager = (facts: EndpointFacts, handler: Handler) =>
  Effect.map(
    uninterruptedWrite,
    (uninterrupted): Call => (params, options) =>
      Effect.flatMap(SignedIn, ({ manager, network }) =>
        Effect.flatMap(within(facts, params, network), (restricted) =>
          RequestState.started(uninterrupted(facts)(handler({ ...restricted, manager }, options))).pipe(
            Effect.provideService(Manager, manager),
            Effect.provideService(Principal, { _tag: "manager", manager })
          )))
  )

export const WalletCallsLive = fold(WalletCalls, asWallet)

export const ManagerCallsLive = fold(ManagerCalls, asManager)
