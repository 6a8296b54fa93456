/** The declaration of an endpoint. Routes, wire format, documents, prices, tools and tests are derived from it. */
import * as Rpc from "effect/rpc/Rpc"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import { Hash } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import { Admission, EitherAdmission, ManagerAdmission } from "./Admission.ts"
import { Failure } from "../failure/Failure.ts"
import * as Param from "./Param.ts"
import * as Params from "./Params.ts"

/** The effect of a call (spec 4.1). */
export type Class = "readOnly" | "changesConfig" | "movesFunds"
/**
 * The proof a call requires. `apiKey` endpoints act as the key's wallet, `manager` endpoints as the manager who signed
 * the request. `apiKeyAndManager` requires both proofs and acts as the wallet; `apiKeyOrManager` accepts either, and
 * uses the key when both are given. Endpoints about exchange accounts name the key `gas_wallet_api_key`.
 */
export type Access = "open" | "apiKey" | "manager" | "apiKeyAndManager" | "apiKeyOrManager"
/** The price class of an executed action; `free` actions are never charged. */
export type Charge = "free" | "trade" | "approve" | "lend" | "liquidity" | "managerFee" | "exchangeTrade"
export type Method = "GET" | "POST" | "DELETE"

/** Everything about an endpoint except its types. */
export interface EndpointFacts {
  readonly name: string
  readonly paths: ReadonlyArray<`/${string}`>
  readonly methods: ReadonlyArray<Method>
  /** The method that the reference lists first. */
  readonly method: Method
  readonly class: Class
  readonly access: Access
  /**
   * The parameter whose value a manager's signature covers as its subject; for `apiKey`, the subject is the key's
   * wallet.
   */
  readonly subject: string | undefined
  readonly charge: Charge
  readonly summary: string
  /** True when the endpoint is shown at `/__docs__`. */
  readonly listed: boolean
  /** True when the caller's wallet must be the vault's trader or manager. */
  readonly trader: boolean
  /** The kind of row that callers without a key can create; the gate limits such rows per hour. */
  readonly creates: "wallets" | undefined
  /**
   * True when only the database is read: admission does not read the vault from the chain, and the handler decides who
   * may call.
   */
  readonly fromRows: boolean
  /**
   * Time limit of admission's reads of the vault, for endpoints that must answer quickly; otherwise the limit of any
   * read.
   */
  readonly patienceMillis: number | undefined
  /** The network used when the caller names none; if unset, the service's default network. */
  readonly network: Network | undefined
  readonly params: ReadonlyArray<Param.Described>
  readonly success: Schema.Codec<unknown, unknown>
  readonly example: Readonly<Record<string, unknown>>
}

/** The annotation on every endpoint; start-up refuses a group with an Rpc that lacks it. */
export class Declared extends Context.Service<Declared, EndpointFacts>()("vault-trader/core/endpoint/Declared") {}

export interface Options<
  A extends Access,
  C extends Class,
  P extends Param.Fields,
  S extends Param.Fields,
  Q extends Param.Fields
> {
  readonly class: C
  readonly access?: A
  /** The parameter that is the subject of a manager's signature (`apiKey`: its wallet); defaults to the manager. */
  readonly subject?: string
  readonly charge?: Charge
  readonly summary: string
  readonly listed?: boolean
  readonly trader?: boolean
  /** The kind of row that callers without a key can create; the gate limits such rows per hour. */
  readonly creates?: "wallets"
  readonly fromRows?: boolean
  readonly patienceMillis?: number
  readonly network?: Network
  readonly method?: Method
  /** Defaults to GET and POST, plus DELETE when `method` is DELETE. */
  readonly methods?: ReadonlyArray<Method>
  /** Defaults to `/<name>`. A segment `:network` is the parameter `network`. */
  readonly path?: `/${string}`
  /** Additional paths of the same endpoint. */
  readonly aliases?: ReadonlyArray<`/${string}`>
  readonly params: P
  readonly success: S
  /** Fields of the plan that a dry run's response also shows at the top level. */
  readonly quoted?: Q
  /** Fields of a typical success besides `status`; the conformance test decodes them. */
  readonly example: Readonly<Record<string, unknown>>
}

const successStatus = Schema.Literal("success")

/** A response for an intent that is accepted and not final. Never sent for something that can no longer happen. */
export const Pending = Schema.Struct({
  status: Schema.Literal("pending"),
  /** Null until the first of several intents has started. */
  intent_id: Schema.NullOr(Schema.String),
  tx_hash: Schema.NullOr(Hash),
  message: Schema.String
})

/** Fields of every response to an executed intent. An endpoint's field of the same name overrides one of these. */
export const executed = {
  status: successStatus,
  intent_id: Schema.String,
  tx_hash: Schema.NullOr(Hash),
  message: Schema.String
}

/** The response to `dryRun=true`: the plan of the request; nothing was sent. */
export const DryRun = Schema.Struct({
  status: successStatus,
  dryRun: Schema.Literal(true),
  plan: Schema.Unknown,
  intent_id: Schema.Null,
  tx_hash: Schema.Null,
  message: Schema.String
})

type Success<C extends Class, S extends Schema.Struct.Fields, Q extends Schema.Struct.Fields> = C extends "movesFunds"
  ? Schema.Union<
    [Schema.Struct<Omit<typeof executed, keyof S> & S>, typeof Pending, Schema.Struct<typeof DryRun.fields & Q>]
  >
  : Schema.Struct<{ status: typeof successStatus } & S>

type Writes = {
  readonly idempotency_key: Schema.optional<typeof Params.IdempotencyKey>
}
type Payload<C extends Class, P> = C extends "movesFunds" ? P & Writes : P

/** The Rpc type of an endpoint. */
export type Endpoint<
  Name extends string,
  A extends Access,
  C extends Class,
  P extends Schema.Struct.Fields,
  S extends Schema.Struct.Fields,
  Q extends Schema.Struct.Fields
> = Rpc.Rpc<
  Name,
  Schema.Struct<Payload<C, P>>,
  Success<C, S, Q>,
  typeof Failure,
  Middleware<A>
>

type Middleware<A extends Access> = A extends "open" ? never
  : A extends "manager" ? typeof ManagerAdmission
  : A extends "apiKeyOrManager" ? typeof EitherAdmission
  : typeof Admission

const defaultMethods = (method: Method): ReadonlyArray<Method> =>
  method === "DELETE" ? ["GET", "POST", "DELETE"] : ["GET", "POST"]

/** Returns true when the endpoint accepts a manager's signature. */
const usesSignature = (access: Access = "apiKey"): boolean => access !== "open" && access !== "apiKey"

/** The admission middleware of each access. */
const middlewares = {
  apiKey: Admission,
  apiKeyAndManager: Admission,
  manager: ManagerAdmission,
  apiKeyOrManager: EitherAdmission
} as const

/**
 * Declares an endpoint. `name` is also the path unless `path` is given; `params` come from `Params`; `success` holds
 * the response's fields.
 */
export const make = <
  const Name extends string,
  P extends Param.Fields,
  S extends Param.Fields,
  const C extends Class,
  const A extends Access = "apiKey",
  Q extends Param.Fields = {}
>(name: Name, options: Options<A, C, P, S, Q>): Endpoint<Name, A, C, P, S, Q> => {
  const method = options.method ?? "GET"
  const movesFunds = options.class === "movesFunds"
  const fields: Param.Fields = movesFunds
    ? { ...options.params, idempotency_key: Schema.optional(Params.IdempotencyKey) }
    : options.params
  const answer: Param.Fields = { ...(movesFunds ? executed : { status: successStatus }), ...options.success }
  const success: Schema.Codec<unknown, unknown> = movesFunds
    ? Schema.Union([Schema.Struct(answer), Pending, Schema.Struct({ ...DryRun.fields, ...(options.quoted ?? {}) })])
    : Schema.Struct(answer)
  const facts: EndpointFacts = {
    name,
    paths: [options.path ?? `/${name}`, ...(options.aliases ?? [])],
    methods: options.methods ?? defaultMethods(method),
    method,
    class: options.class,
    access: options.access ?? "apiKey",
    subject: usesSignature(options.access) ? options.subject ?? "manager" : undefined,
    charge: options.charge ?? "free",
    summary: options.summary,
    listed: options.listed ?? true,
    trader: options.trader ?? false,
    creates: options.creates,
    fromRows: options.fromRows ?? false,
    patienceMillis: options.patienceMillis,
    network: options.network,
    params: Param.describe(fields),
    success,
    example: options.example
  }
  const rpc = Rpc.make(name, { payload: Schema.Struct(fields), success, error: Failure }).annotate(Declared, facts)
  // These branches match the conditional types above, but TypeScript cannot infer that from the values.
  return (facts.access === "open" ? rpc : rpc.middleware(middlewares[facts.access])) as unknown as Endpoint<
    Name,
    A,
    C,
    P,
    S,
    Q
  >
}

/** Returns the facts of an Rpc. Throws if it was not declared with `make`, so that start-up refuses its group. */
export const factsOf = (rpc: Rpc.AnyWithProps): EndpointFacts => {
  const facts = Context.getOption(rpc.annotations, Declared)
  if (facts._tag === "None") throw new Error(`endpoint '${rpc._tag}' has no declaration; declare it with Endpoint.make`)
  return facts.value
}

/** Returns the facts of every endpoint of a group, in order of declaration. */
export const factsOfGroup = <R extends Rpc.Any>(group: RpcGroup.RpcGroup<R>): ReadonlyArray<EndpointFacts> =>
  Array.from(group.requests.values()).map((rpc) => factsOf(rpc as unknown as Rpc.AnyWithProps))
