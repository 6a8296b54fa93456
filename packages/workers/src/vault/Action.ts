/** How a kind of request is carried out: decide on a call, and later tell what its receipt means. One file an action. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { Charge } from "@vault-trader/core/endpoint/Endpoint"
import type { ExecutionFailure, Failure } from "@vault-trader/core/failure/Failure"
import type { Estimate, Receipt } from "@vault-trader/core/gas-wallet/Submission"
import { mayTrade } from "@vault-trader/core/vault/Authority"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ChainClient } from "../chain/ChainClient.ts"
import type { MovementDecoder } from "../platform/AssetMovement.ts"
import { reasonOf } from "../chain/Revert.ts"
import { type VaultCall, throughVault } from "../platform/VaultCall.ts"
import { type Meaning, meaningOf } from "../platform/PlatformRevert.ts"
import type { VaultState } from "./VaultReader.ts"

/** Where an action plans: a wallet and a vault on a network. */
export interface PlanContext {
  readonly network: Network
  /** The vault; of an action that is about no single vault, the wallet itself. */
  readonly pool: Address
  readonly chain: ChainClient
  /** The gas wallet that will sign. */
  readonly wallet: Address
  /** The intent it plans for; none for a dry run. */
  readonly intentId?: string
  /** The vault, at most a block old; 1004 when there is none. */
  readonly state: Effect.Effect<VaultState, Failure>
}

/** A place with a vault whose trader or manager the wallet is. */
export interface VaultContext extends Omit<PlanContext, "state">, VaultState {}

/** What was decided. `details` is kept with the intent: settling needs it after a restart. No calls: nothing needs doing. */
export interface Decision<D> {
  readonly calls: ReadonlyArray<VaultCall>
  readonly details: D
  /** The vaults it is about, where it runs under the wallet's own address: a key's limits name vaults. */
  readonly vaults?: ReadonlyArray<Address>
  /** The worth of what the calls sell, in USD (18 decimals) by the vault's oracle; absent when they sell nothing, null while the oracle has no price. */
  readonly worth?: bigint | null
  /** Said instead of sending anything, when there are no calls. */
  readonly nothingToDo: string
  /** Sent by the wallet itself, not through the vault: what anybody may call. There are no `calls` then. */
  readonly direct?: VaultCall
  /** What the node said of the transaction while planning; without it the lane asks. */
  readonly estimate?: Estimate
}

/** What the wallet sends for a decision; nothing, where nothing needs doing. */
export const transactionOf = (pool: Address, { calls, direct }: Pick<Decision<unknown>, "calls" | "direct">): VaultCall | undefined =>
  direct ?? (calls.length === 0 ? undefined : { to: pool, data: throughVault(calls) })

/** What a mined, successful call amounts to: a sentence, and the endpoint's answer fields. */
export interface ActionResult {
  readonly message: string
  readonly result: Readonly<Record<string, unknown>>
}

/** Where a mined transaction is told that acts somewhere else than on its chain. */
export interface ConfirmContext extends Pick<PlanContext, "network" | "pool" | "chain"> {
  readonly intentId: string
}

/** What came of it cannot be told yet: it is looked for again. */
export class Unconfirmed extends Data.TaggedError("Unconfirmed")<{ readonly reason: string }> {}

/** The way back from a decision's calls, so that a key's limits hold for the bytes that are signed, whatever planning said. */
export interface MovementDecoders {
  /** Reads one of the `calls`. */
  readonly decodeMovement: MovementDecoder
  /** Reads the `direct` one; a key with limits never signs what nobody reads. */
  readonly directMovement?: MovementDecoder
}

/** An action with its types hidden: `details` travel as JSON. */
export interface Action<Request, R> extends MovementDecoders {
  readonly charge: Charge
  readonly plan: (place: PlanContext, request: Request) => Effect.Effect<Decision<unknown>, Failure, R>
  /** The details' answer fields, as a dry run shows them. */
  readonly describe: (details: unknown) => Readonly<Record<string, unknown>>
  /** `receipt` is null when nothing needed sending. */
  readonly interpretReceipt: (context: Pick<VaultContext, "network" | "pool">, details: unknown, receipt: Receipt | null) => Effect.Effect<ActionResult, ExecutionFailure>
  /**
   * Tells what came of a transaction that was mined and succeeded, where its receipt cannot: instead of `settle`. Asked again and again
   * while it is `Unconfirmed`; a failure is final, so it is said only of what can no longer act.
   */
  readonly confirm?: (here: ConfirmContext, details: unknown, receipt: Receipt) => Effect.Effect<ActionResult, ExecutionFailure | Unconfirmed, R>
  /** What the data of its transaction's revert means. */
  readonly explainRevert: (revert: string | undefined) => Meaning
}

interface ActionSpec<Here, Request, D, I, R> extends MovementDecoders {
  readonly charge: Charge
  readonly details: Schema.Codec<D, I>
  readonly plan: (here: Here, request: Request) => Effect.Effect<Decision<D>, Failure, R>
  readonly describe: (details: D) => Readonly<Record<string, unknown>>
  readonly interpretReceipt: (context: Pick<VaultContext, "network" | "pool">, details: D, receipt: Receipt | null) => Effect.Effect<ActionResult, ExecutionFailure>
  readonly confirm?: (here: ConfirmContext, details: D, receipt: Receipt) => Effect.Effect<ActionResult, ExecutionFailure | Unconfirmed, R>
  /** Where the contracts it calls revert in words of their own; without it, by the platform's. */
  readonly explainRevert?: Action<Request, R>["explainRevert"]
}

/** Makes an action anybody may have done, of typed parts; `details` are encoded and decoded by their schema. */
export const makeOpen = <Request, D, I, R>(options: ActionSpec<PlanContext, Request, D, I, R>): Action<Request, R> => {
  const encode = Schema.encodeSync(options.details)
  const decode = Schema.decodeUnknownSync(options.details)
  const { confirm } = options
  return {
    charge: options.charge,
    plan: (place, request) =>
      Effect.map(options.plan(place, request), (decision) => ({ ...decision, details: encode(decision.details) })),
    decodeMovement: options.decodeMovement,
    ...(options.directMovement === undefined ? {} : { directMovement: options.directMovement }),
    describe: (details) => options.describe(decode(details)),
    interpretReceipt: (context, details, receipt) => options.interpretReceipt(context, decode(details), receipt),
    ...(confirm === undefined ? {} : { confirm: (here: ConfirmContext, details: unknown, receipt: Receipt) => confirm(here, decode(details), receipt) }),
    explainRevert: options.explainRevert ?? ((revert) => meaningOf(reasonOf(revert)))
  }
}

/** Makes an action only the vault's trader or manager may have done. */
export const make = <Request, D, I, R>(options: ActionSpec<VaultContext, Request, D, I, R>): Action<Request, R> =>
  makeOpen({
    ...options,
    plan: ({ state, ...place }, request) =>
      Effect.gen(function*() {
        const { assets, facts } = yield* state
        yield* mayTrade(facts, place.wallet)
        return yield* options.plan({ ...place, assets, facts }, request)
      })
  })
