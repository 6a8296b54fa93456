/** Defines how a kind of request is executed: plan a call, and later interpret its receipt. One file per action. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { Charge } from "@vault-trader/core/endpoint/Endpoint"
import type { ExecutionFailure, Failure } from "@vault-trader/core/failure/Failure"
import type { Reverted } from "@vault-trader/core/failure/Reason"
import type { Estimate, Receipt } from "@vault-trader/core/gas-wallet/Submission"
import { mayTrade } from "@vault-trader/core/vault/Vault"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ChainClient } from "../chain/ChainClient.ts"
import type { MovementDecoder } from "../platform/AssetMovement.ts"
import { reasonOf } from "../chain/Revert.ts"
import { type VaultCall, throughVault } from "../platform/VaultCall.ts"
import { meaningOf } from "../platform/PlatformRevert.ts"
import type { EarlierStep, Waiting } from "./EarlierStep.ts"
import type { VaultState } from "./VaultReader.ts"
import type { IntentRequest } from "@vault-trader/core/intent/Intent"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

/** The wallet, vault and network that an action plans for. */
export interface PlanContext {
  readonly network: Network
  /** The vault; for an action that is about no single vault, the wallet itself. */
  readonly pool: Address
  readonly chain: ChainClient
  /** The gas wallet that will sign. */
  readonly wallet: Address
  /** The intent that is planned; absent for a dry run. */
  readonly intentId?: string
  /** Reads the vault's state, at most a block old; fails with 1004 when there is no such vault. */
  readonly state: Effect.Effect<VaultState, Failure>
}

/** A context with the state of a vault whose trader or manager is the wallet. */
export interface VaultContext extends Omit<PlanContext, "state">, VaultState {}

/**
 * The planner's decision. `details` is stored with the intent, because it is needed after a restart. No calls: nothing
 * needs doing.
 */
export interface Decision<D> {
  readonly calls: ReadonlyArray<VaultCall>
  readonly details: D
  /** The vaults it concerns, when it runs under the wallet's own address: a key's limits name vaults. */
  readonly vaults?: ReadonlyArray<Address>
  /**
   * USD value (18 decimals, by the vault's oracle) that the calls sell; absent when they sell nothing, null without an
   * oracle price.
   */
  readonly worth?: bigint | null
  /** Message to return when there are no calls and nothing is sent. */
  readonly nothingToDo: string
  /** A permissionless call, sent by the wallet itself and not through the vault. There are no `calls` then. */
  readonly direct?: VaultCall
  /** The node's gas estimate of the transaction during planning; without it the lane estimates. */
  readonly estimate?: Estimate
}

/** Returns the transaction that the wallet sends for a decision; `undefined` when nothing needs doing. */
export const transactionOf = (
  pool: Address,
  { calls, direct }: Pick<Decision<unknown>, "calls" | "direct">
): VaultCall | undefined => direct ?? (calls.length === 0 ? undefined : { to: pool, data: throughVault(calls) })

/** The result of a mined, successful call: a sentence, and the endpoint's response fields. */
export interface ActionResult {
  readonly message: string
  readonly result: Readonly<Record<string, unknown>>
  /** Gas units and wei spent on earlier transactions of the same request. */
  readonly spentBefore?: { readonly gasUsed: bigint; readonly gasCost: bigint }
}

/** Context in which `confirm` reads the result of a mined transaction that acts outside its chain. */
export interface ConfirmContext extends Pick<PlanContext, "network" | "pool" | "chain"> {
  readonly intentId: string
}

/**
 * A request that needs two transactions, one after the other. Once the first one has succeeded, only the second one
 * ends the request: while that one cannot be planned, or was not executed, the request waits.
 */
export interface TwoSteps<D, Here, Request, R> {
  /** Returns `only` for a plan of one transaction. */
  readonly stepOf: (details: D) => "only" | "first" | "second"
  /** Plans the second step, or plans it again after it was not executed. */
  readonly planSecond: (
    here: Here,
    request: Request,
    earlier: EarlierStep<D>
  ) => Effect.Effect<Decision<D>, Failure | Waiting, R>
}

/** The outcome is not known yet: it is polled again. */
export class Unconfirmed extends Data.TaggedError("Unconfirmed")<{ readonly reason: string }> {}

/**
 * Decoders of a decision's calls, so that a key's limits are checked against the signed bytes and not against the plan.
 */
export interface MovementDecoders {
  /** Decodes one of the `calls`. */
  readonly decodeMovement: MovementDecoder
  /**
   * Compares a call with the request that it is made for; returns the difference. For calls that the movements do not
   * describe in full. `request`: as the ledger stores it.
   */
  readonly refuses?: (chain: ChainClient, call: VaultCall, request: unknown) => string | undefined
  /** Decodes the `direct` call; a key with limits never signs a call that no decoder matches. */
  readonly directMovement?: MovementDecoder
}

/** Seconds for which a planned transaction may be mined, unless the action or the caller says otherwise. */
const defaultLifetimeSeconds = 600

/** An action with erased types: `details` are JSON. */
export interface Action<Request, R> extends MovementDecoders {
  readonly charge: Charge
  /** Seconds for which its transaction may be mined after it was planned. */
  readonly lifetimeSeconds: number
  readonly plan: (place: PlanContext, request: Request) => Effect.Effect<Decision<unknown>, Failure | Waiting, R>
  readonly steps?: TwoSteps<unknown, PlanContext, Request, R>
  /** Returns the response fields of the details for a dry run. */
  readonly describe: (details: unknown) => Readonly<Record<string, unknown>>
  /** `receipt` is null when nothing needed sending. */
  readonly interpretReceipt: (
    context: Pick<VaultContext, "network" | "pool">,
    details: unknown,
    receipt: Receipt | null
  ) => Effect.Effect<ActionResult, ExecutionFailure>
  /**
   * Returns the result of a transaction that was mined and succeeded, when its receipt does not show it; replaces
   * `interpretReceipt`. Polled while it fails with `Unconfirmed`. Any other failure is final, so it fails that way only
   * once the request can no longer take effect.
   */
  readonly confirm?: (
    here: ConfirmContext,
    details: unknown,
    receipt: Receipt
  ) => Effect.Effect<ActionResult, ExecutionFailure | Unconfirmed, R>
  /** Interprets the revert data of its transaction. */
  readonly explainRevert: (revert: string | undefined) => Reverted
}

interface ActionSpec<Here, Request, D, I, R> extends MovementDecoders {
  readonly charge: Charge
  /** Seconds for which its transaction may be mined; shorter than the default where it depends on a quote. */
  readonly lifetimeSeconds?: number
  readonly details: Schema.Codec<D, I>
  readonly plan: (here: Here, request: Request) => Effect.Effect<Decision<D>, Failure | Waiting, R>
  readonly steps?: TwoSteps<D, Here, Request, R>
  readonly describe: (details: D) => Readonly<Record<string, unknown>>
  readonly interpretReceipt: (
    context: Pick<VaultContext, "network" | "pool">,
    details: D,
    receipt: Receipt | null
  ) => Effect.Effect<ActionResult, ExecutionFailure>
  readonly confirm?: (
    here: ConfirmContext,
    details: D,
    receipt: Receipt
  ) => Effect.Effect<ActionResult, ExecutionFailure | Unconfirmed, R>
  /** Explains reverts of contracts with their own messages; without it, the platform's messages are used. */
  readonly explainRevert?: Action<Request, R>["explainRevert"]
}

/** Makes an action that any wallet may request, from typed parts; `details` are encoded and decoded by their schema. */
export const makeOpen = <Request, D, I, R>(options: ActionSpec<PlanContext, Request, D, I, R>): Action<Request, R> => {
  const encode = Schema.encodeSync(options.details)
  const decode = Schema.decodeUnknownSync(options.details)
  const { confirm, steps } = options
  return {
    charge: options.charge,
    lifetimeSeconds: options.lifetimeSeconds ?? defaultLifetimeSeconds,
    plan: (place, request) =>
      Effect.map(options.plan(place, request), (decision) => ({ ...decision, details: encode(decision.details) })),
    ...(steps === undefined ? {} : {
      steps: {
        stepOf: (details) => steps.stepOf(decode(details)),
        planSecond: (place, request, { details, receipt }) =>
          Effect.map(
            steps.planSecond(place, request, { details: decode(details), receipt }),
            (decision) => ({ ...decision, details: encode(decision.details) })
          )
      }
    }),
    decodeMovement: options.decodeMovement,
    ...(options.refuses === undefined ? {} : { refuses: options.refuses }),
    ...(options.directMovement === undefined ? {} : { directMovement: options.directMovement }),
    describe: (details) => options.describe(decode(details)),
    interpretReceipt: (context, details, receipt) => options.interpretReceipt(context, decode(details), receipt),
    ...(confirm === undefined
      ? {}
      : {
        confirm: (here: ConfirmContext, details: unknown, receipt: Receipt) => confirm(here, decode(details), receipt)
      }),
    explainRevert: options.explainRevert ?? ((revert) => meaningOf(reasonOf(revert)))
  }
}

/**
 * Makes an action that only the vault's trader or manager may request.
 *
 * @example
 * ```ts
 * import type { ApproveRequest } from "@vault-trader/core/trading/Trading"
 * import * as Action from "@vault-trader/workers/vault/Action"
 * import * as Effect from "effect/Effect"
 * import * as Schema from "effect/Schema"
 *
 * const Details = Schema.Struct({ asset: Schema.String })
 *
 * // Plans no calls: nothing is sent, and the request succeeds.
 * export const DoNothing = Action.make<ApproveRequest, typeof Details.Type, typeof Details.Encoded, never>({
 *   charge: "free",
 *   details: Details,
 *   plan: (_, { asset }) => Effect.succeed({ calls: [], details: { asset }, nothingToDo: "Nothing was sent." }),
 *   decodeMovement: () => undefined,
 *   describe: (details) => details,
 *   interpretReceipt: (_, details) => Effect.succeed({ message: "Done.", result: details })
 * })
 * ```
 */
export const make = <Request, D, I, R>(
  { steps, ...options }: ActionSpec<VaultContext, Request, D, I, R>
): Action<Request, R> => {
  const vaultOf = ({ state, ...place }: PlanContext) =>
    Effect.gen(function*() {
      const { assets, facts } = yield* state
      yield* mayTrade(facts, place.wallet)
      return { ...place, assets, facts }
    })
  return makeOpen({
    ...options,
    plan: (place, request) => Effect.flatMap(vaultOf(place), (vault) => options.plan(vault, request)),
    ...(steps === undefined ? {} : {
      steps: {
        stepOf: steps.stepOf,
        planSecond: (place: PlanContext, request: Request, earlier: EarlierStep<D>) =>
          Effect.flatMap(vaultOf(place), (vault) => steps.planSecond(vault, request, earlier))
      }
    })
  })
}

/** Seconds for which a swap may be mined: it was quoted at the market's price. */
export const swapLifetimeSeconds = 120

/** One action for every kind of request; `R` is the services that they plan with. */
type ActionTable<R> = {
  readonly [K in IntentRequest["_tag"]]: Action<Extract<IntentRequest, { readonly _tag: K }>, R>
}

/** All services that the actions of a table plan with. */
type Needs<T extends ActionTable<unknown>> = Effect.Services<ReturnType<T[IntentRequest["_tag"]]["plan"]>>

/** An action bound to the request that it executes. */
interface BoundAction extends Omit<Action<never, never>, "plan" | "confirm" | "steps"> {
  readonly plan: (place: PlanContext) => Effect.Effect<Decision<unknown>, Failure | Waiting>
  readonly stepOf: (details: unknown) => "only" | "first" | "second"
  readonly planSecond: (
    place: PlanContext,
    earlier: EarlierStep<unknown>
  ) => Effect.Effect<Decision<unknown>, Failure | Waiting>
  readonly confirm?: (
    ...args: Parameters<NonNullable<Action<never, never>["confirm"]>>
  ) => Effect.Effect<ActionResult, ExecutionFailure | Unconfirmed>
}

export class Actions extends Context.Service<Actions, {
  readonly of: (request: IntentRequest) => BoundAction
}>()("vault-trader/workers/vault/Actions") {
  static readonly layer = <T extends ActionTable<unknown>>(table: T): Layer.Layer<Actions, never, Needs<T>> =>
    Layer.effect(
      Actions,
      Effect.map(Effect.context<Needs<T>>(), (context) => ({
        of: (request) => {
          // The table's type pairs each request with its action; the lookup by tag cannot carry that pairing.
          const action = table[request._tag] as Action<IntentRequest, Needs<T>>
          // The planner's own context wins, so that its span is the parent and not the span that built the layer.
          const bound = <A, E>(effect: Effect.Effect<A, E, Needs<T>>) =>
            Effect.updateContext(effect, (own: Context.Context<never>) => Context.merge(context, own))
          const { confirm, steps, ...rest } = action
          return {
            ...rest,
            plan: (place) => bound(action.plan(place, request)),
            stepOf: (details) => steps?.stepOf(details) ?? "only",
            planSecond: (place, earlier) => bound((steps?.planSecond ?? action.plan)(place, request, earlier)),
            ...(confirm === undefined
              ? {}
              : { confirm: (...args: Parameters<typeof confirm>) => bound(confirm(...args)) })
          }
        }
      }))
    )
}
