/** How a kind of request is carried out: decide on a call, and later tell what its receipt means. One file an action. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { Charge } from "@vault-trader/core/endpoint/Endpoint"
import type { ExecutionFailure, Failure } from "@vault-trader/core/endpoint/Failure"
import type { Receipt } from "@vault-trader/core/gas-wallet/Submission"
import type { Token } from "@vault-trader/core/chain/Token"
import type { VaultFacts } from "@vault-trader/core/vault/Vault"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { encodeFunctionData } from "viem"
import type { ChainClient } from "../chain/ChainClient.ts"
import { poolAbi } from "./PlatformAbi.ts"

/** Where an action plans: one vault, as it is now. */
export interface Bench {
  readonly network: Network
  readonly pool: Address
  readonly chain: ChainClient
  readonly facts: VaultFacts
  /** The vault's enabled assets that are tokens. */
  readonly assets: ReadonlyArray<Token>
}

/** A call the vault makes to somebody else. */
export interface VaultCall {
  readonly to: Address
  readonly data: Hex
}

/** What was decided. `details` is kept with the intent: settling needs it after a restart. No calls: nothing needs doing. */
export interface Decision<D> {
  readonly calls: ReadonlyArray<VaultCall>
  readonly details: D
  /** Said instead of sending anything, when there are no calls. */
  readonly nothingToDo: string
}

/** What a mined, successful call amounts to: a sentence, and the endpoint's answer fields. */
export interface Effects {
  readonly message: string
  readonly result: Readonly<Record<string, unknown>>
}

/** An action with its types hidden: `details` travel as JSON. */
export interface Action<Request, R> {
  readonly charge: Charge
  readonly plan: (bench: Bench, request: Request) => Effect.Effect<Decision<unknown>, Failure, R>
  /** The details' answer fields, as a dry run shows them. */
  readonly show: (details: unknown) => Readonly<Record<string, unknown>>
  /** `receipt` is null when nothing needed sending. */
  readonly settle: (bench: Pick<Bench, "network" | "pool">, details: unknown, receipt: Receipt | null) => Effect.Effect<Effects, ExecutionFailure>
}

/** Makes an action of typed parts; `details` are encoded and decoded by their schema. */
export const make = <Request, D, I, R>(options: {
  readonly charge: Charge
  readonly details: Schema.Schema<D, I>
  readonly plan: (bench: Bench, request: Request) => Effect.Effect<Decision<D>, Failure, R>
  readonly show: (details: D) => Readonly<Record<string, unknown>>
  readonly settle: (bench: Pick<Bench, "network" | "pool">, details: D, receipt: Receipt | null) => Effect.Effect<Effects, ExecutionFailure>
}): Action<Request, R> => {
  const encode = Schema.encodeSync(options.details)
  const decode = Schema.decodeUnknownSync(options.details)
  return {
    charge: options.charge,
    plan: (bench, request) =>
      Effect.map(options.plan(bench, request), (decision) => ({ ...decision, details: encode(decision.details) })),
    show: (details) => options.show(decode(details)),
    settle: (bench, details, receipt) => options.settle(bench, decode(details), receipt)
  }
}

/** The one transaction a gas wallet sends to the vault for these calls: all of them happen, or none. */
export const throughVault = (calls: ReadonlyArray<VaultCall>): Hex => {
  const [only] = calls
  return calls.length === 1 && only !== undefined
    ? encodeFunctionData({ abi: poolAbi, functionName: "execTransaction", args: [only.to, only.data] })
    : encodeFunctionData({ abi: poolAbi, functionName: "execTransactions", args: [calls] })
}
