/** The declaration of an endpoint. Routes, wire format, documents, prices, tools and tests are derived from it. */
import * as Rpc from "effect/rpc/Rpc"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import { Hash } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { Admission, CredentialAdmission, EitherAdmission, ManagerAdmission } from "./Admission.ts"
import type { Deprecation } from "./Deprecation.ts"
import { type ErrorType, Failure } from "../failure/Failure.ts"
import * as Param from "./Param.ts"
import * as Params from "./Params.ts"

/** The effect of a call (spec 4.1). */
export type Class = "readOnly" | "changesConfig" | "movesFunds"
/**
 * The proof a call requires. `apiKey` endpoints act as the key's wallet, `manager` endpoints as the manager who signed
 * the request. `apiKeyAndManager` requires both proofs and acts as the wallet; `apiKeyOrManager` accepts either, and
 * uses the key when both are given. `anyProof` acts on one wallet and accepts its private key, the signature of a
 * manager whose list has it, or its API key; the first of these that is given counts. Endpoints about exchange accounts
 * name the key `gas_wallet_api_key`.
 */
type Access = "open" | "apiKey" | "manager" | "apiKeyAndManager" | "apiKeyOrManager" | "anyProof"
/** The price class of an executed action; `free` actions are never charged. */
export type Charge = "free" | "trade" | "approve" | "lend" | "liquidity" | "managerFee" | "exchangeTrade"
export type Method = "GET" | "POST" | "DELETE"
/** The document that requires the endpoint: the user's specification, or none (`ours`). */
type Origin = "spec" | "ours"

/** Everything about an endpoint except its types. */
export interface EndpointFacts {
  readonly name: string
  readonly origin: Origin
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
  /** Set for an endpoint that will be removed: its answers say so in their headers. */
  readonly deprecated: Deprecation | undefined
  /** True when the endpoint is shown at `/__docs__`. */
  readonly listed: boolean
  /** True when the same request gets the same response until the service is restarted: callers may cache it. */
  readonly isDocument: boolean
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
   * True when the handler is also called for a request whose parameters do not decode: without those, and with the
   * request itself. Its required parameters decode always.
   */
  readonly judges: boolean
  /**
   * Time limit of admission's reads of the vault, for endpoints that must answer quickly; otherwise the limit of any
   * read.
   */
  readonly timeoutMillis: number | undefined
  /** The network used when the caller names none; if unset, the service's default network. */
  readonly network: Network | undefined
  /** True when a request without a network is about all of them; admission then leaves the vault to the handler. */
  readonly everyNetwork: boolean
  readonly params: ReadonlyArray<Param.ParamDescription>
  readonly success: Schema.Codec<unknown, unknown>
  readonly example: Readonly<Record<string, unknown>>
  /** Parameters of a typical request, as they are written in a JSON body. Secrets have placeholders. */
  readonly exampleRequest: Readonly<Record<string, unknown>>
  /** Failures besides those that every endpoint of its class may return (docs/api.md). */
  readonly failsWith: ReadonlyArray<ErrorType>
}

/** The annotation on every endpoint; start-up refuses a group with an Rpc that lacks it. */
export class Declared extends Context.Service<Declared, EndpointFacts>()("vault-trader/core/endpoint/Declared") {}

interface Options<
  A extends Access,
  C extends Class,
  P extends Param.Fields,
  S extends Param.Fields,
  Q extends Param.Fields
> {
  /** Defaults to `ours`. */
  readonly origin?: Origin
  readonly class: C
  readonly access?: A
  /** The parameter that is the subject of a manager's signature (`apiKey`: its wallet); defaults to the manager. */
  readonly subject?: string
  readonly charge?: Charge
  readonly summary: string
  readonly deprecated?: Deprecation
  readonly listed?: boolean
  readonly isDocument?: boolean
  readonly trader?: boolean
  /** The kind of row that callers without a key can create; the gate limits such rows per hour. */
  readonly creates?: "wallets"
  readonly fromRows?: boolean
  readonly judges?: boolean
  readonly timeoutMillis?: number
  readonly network?: Network
  readonly everyNetwork?: boolean
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
  /**
   * Parameters of a typical request whose values are not their own examples, or that are optional. The required
   * parameters are added with their examples; so is `apiKey` where a key or a manager is required.
   */
  readonly exampleRequest?: { readonly [K in keyof NoInfer<P> | "idempotency_key"]?: unknown }
  /** Failures besides those that every endpoint of its class may return; docs/api.md lists them. */
  readonly failsWith?: ReadonlyArray<ErrorType>
}

const successStatus = Schema.Literal("success")

/** A response for an intent that is accepted and not final. Never sent for something that can no longer happen. */
const Pending = Schema.Struct({
  status: Schema.Literal("pending"),
  /** Null until the first of several intents has started. */
  intent_id: Schema.NullOr(Schema.String),
  tx_hash: Schema.NullOr(Hash),
  message: Schema.String,
  network: Schema.optionalKey(Network)
})

/** Fields of every response to an executed intent. An endpoint's field of the same name overrides one of these. */
const executedFields = {
  status: successStatus,
  intent_id: Schema.String,
  tx_hash: Schema.NullOr(Hash),
  message: Schema.String
}

/** The response to `dryRun=true`: the plan of the request; nothing was sent. */
const DryRun = Schema.Struct({
  status: successStatus,
  dryRun: Schema.Literal(true),
  plan: Schema.Unknown,
  intent_id: Schema.Null,
  tx_hash: Schema.Null,
  message: Schema.String
})

type Success<C extends Class, S extends Schema.Struct.Fields, Q extends Schema.Struct.Fields> = C extends "movesFunds"
  ? Schema.Union<
    [Schema.Struct<Omit<typeof executedFields, keyof S> & S>, typeof Pending, Schema.Struct<typeof DryRun.fields & Q>]
  >
  : Schema.Struct<{ status: typeof successStatus } & S>

type Writes = {
  readonly idempotency_key: Schema.optional<typeof Params.IdempotencyKey>
}
type Payload<C extends Class, P> = C extends "movesFunds" ? P & Writes : P

/** The Rpc type of an endpoint. */
type Endpoint<
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
  : A extends "anyProof" ? typeof CredentialAdmission
  : typeof Admission

const defaultMethods = (method: Method): ReadonlyArray<Method> =>
  method === "DELETE" ? ["GET", "POST", "DELETE"] : ["GET", "POST"]

/** Returns true when the endpoint accepts a manager's signature. */
const usesSignature = (access: Access = "apiKey"): boolean => access !== "open" && access !== "apiKey"

/** Returns the examples of the parameters that every request has. */
const requiredExamples = (
  access: Access,
  params: ReadonlyArray<Param.ParamDescription>
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    params.filter(({ name, required }) =>
      required ||
      ((access === "apiKeyOrManager" || access === "anyProof") && (name === "apiKey" || name === "gas_wallet_api_key"))
    )
      .map(({ info, name }) => [name, info.example])
  )

/** The admission middleware of each access. */
const middlewares = {
  apiKey: Admission,
  apiKeyAndManager: Admission,
  manager: ManagerAdmission,
  apiKeyOrManager: EitherAdmission,
  anyProof: CredentialAdmission
} as const

/**
 * Declares an endpoint. `name` is also the path unless `path` is given; `params` come from `Params`; `success` holds
 * the response's fields.
 *
 * @example
 * ```ts
 * import * as Endpoint from "@vault-trader/core/endpoint/Endpoint"
 * import * as Params from "@vault-trader/core/endpoint/Params"
 * import * as RpcGroup from "effect/rpc/RpcGroup"
 * import * as Schema from "effect/Schema"
 *
 * export class DecimalsApi extends RpcGroup.make(
 *   Endpoint.make("getDecimals", {
 *     class: "readOnly",
 *     summary: "How many decimals a token counts in.",
 *     params: { apiKey: Params.ApiKey, symbol: Params.Asset("Token symbol"), network: Params.Network },
 *     success: { decimals: Schema.Int },
 *     example: { decimals: 6 }
 *   })
 * ) {}
 * ```
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
  const answer: Param.Fields = { ...(movesFunds ? executedFields : { status: successStatus }), ...options.success }
  const success: Schema.Codec<unknown, unknown> = movesFunds
    ? Schema.Union([Schema.Struct(answer), Pending, Schema.Struct({ ...DryRun.fields, ...(options.quoted ?? {}) })])
    : Schema.Struct(answer)
  const access = options.access ?? "apiKey"
  const params = Param.describe(fields)
  const facts: EndpointFacts = {
    name,
    origin: options.origin ?? "ours",
    paths: [options.path ?? `/${name}`, ...(options.aliases ?? [])],
    methods: options.methods ?? defaultMethods(method),
    method,
    class: options.class,
    access,
    subject: usesSignature(options.access) ? options.subject ?? "manager" : undefined,
    charge: options.charge ?? "free",
    summary: options.summary,
    deprecated: options.deprecated,
    listed: options.listed ?? true,
    isDocument: options.isDocument ?? false,
    trader: options.trader ?? false,
    creates: options.creates,
    fromRows: options.fromRows ?? false,
    judges: options.judges ?? false,
    timeoutMillis: options.timeoutMillis,
    network: options.network,
    everyNetwork: options.everyNetwork ?? false,
    params,
    success,
    example: options.example,
    exampleRequest: { ...requiredExamples(access, params), ...options.exampleRequest },
    failsWith: options.failsWith ?? []
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
