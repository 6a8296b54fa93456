/** An endpoint, declared once: everything else (routes, wire, documents, prices, tools, tests) folds over what is said here. */
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

/** What a call does to the world (spec 4.1). */
export type Class = "readOnly" | "changesConfig" | "movesFunds"
/**
 * Who may call. `apiKey` endpoints act as the key's wallet, `manager` endpoints as the manager who signed the request. `apiKeyAndManager`
 * takes both proofs and acts as the wallet; `apiKeyOrManager` takes either, the key where both are given. Endpoints about exchange accounts
 * take the key as `gas_wallet_api_key`.
 */
export type Access = "open" | "apiKey" | "manager" | "apiKeyAndManager" | "apiKeyOrManager"
/** The price class of an executed action; `free` is never charged. */
export type Charge = "free" | "trade" | "approve" | "lend" | "liquidity" | "managerFee" | "exchangeTrade"
export type Method = "GET" | "POST" | "DELETE"

/** Everything about an endpoint that is not its types. */
export interface EndpointFacts {
  readonly name: string
  readonly paths: ReadonlyArray<`/${string}`>
  readonly methods: ReadonlyArray<Method>
  /** The method the reference lists first. */
  readonly method: Method
  readonly class: Class
  readonly access: Access
  /** What a manager's signature is about: the value of this parameter, or, of `apiKey`, the key's wallet. */
  readonly subject: string | undefined
  readonly charge: Charge
  readonly summary: string
  /** Shown at `/__docs__`. */
  readonly listed: boolean
  /** The caller's wallet must be the vault's trader or manager. */
  readonly trader: boolean
  /** What anybody can have it create, for which the gate has a budget an hour. */
  readonly creates: "wallets" | undefined
  /** Works from rows: admission asks no chain about the vault, and the handler decides who may call. */
  readonly fromRows: boolean
  /** How long admission may ask the chain about the vault, where the answer must be quick; else as long as any read. */
  readonly patienceMillis: number | undefined
  /** The network that is meant where the caller names none; the service's own default where nothing is said. */
  readonly network: Network | undefined
  readonly params: ReadonlyArray<Param.Described>
  readonly success: Schema.Codec<unknown, unknown>
  readonly example: Readonly<Record<string, unknown>>
}

/** The annotation every endpoint carries; start-up refuses a group with an Rpc that lacks it. */
export class Declared extends Context.Service<Declared, EndpointFacts>()("vault-trader/core/endpoint/Declared") {}

export interface Options<Access_ extends Access, Class_ extends Class, P extends Param.Fields, S extends Param.Fields, Q extends Param.Fields> {
  readonly class: Class_
  readonly access?: Access_
  /** What a manager's signature is about: the parameter of this name (`apiKey`: its wallet); the manager, where none is said. */
  readonly subject?: string
  readonly charge?: Charge
  readonly summary: string
  readonly listed?: boolean
  readonly trader?: boolean
  /** What anybody can have it create, for which the gate has a budget an hour. */
  readonly creates?: "wallets"
  readonly fromRows?: boolean
  readonly patienceMillis?: number
  readonly network?: Network
  readonly method?: Method
  /** Defaults to GET and POST (plus the listed method when that is DELETE). */
  readonly methods?: ReadonlyArray<Method>
  /** Its path, where that is not `/<name>`. A segment `:network` is the parameter `network`. */
  readonly path?: `/${string}`
  /** Further paths that answer the same. */
  readonly aliases?: ReadonlyArray<`/${string}`>
  readonly params: P
  readonly success: S
  /** Fields of a plan that a dry run's answer shows at its top too. */
  readonly quoted?: Q
  /** Fields of a typical success beside `status`; the conformance test decodes it. */
  readonly example: Readonly<Record<string, unknown>>
}

const succeeded = Schema.Literal("success")

/** Still on its way: never said of something that can no longer happen. */
export const Pending = Schema.Struct({
  status: Schema.Literal("pending"),
  /** Null while the first of several intents has not begun. */
  intent_id: Schema.NullOr(Schema.String),
  tx_hash: Schema.NullOr(Hash),
  message: Schema.String
})

/** Fields of every answer that results from an executed intent. An endpoint's own field of the same name stands instead. */
export const executed = { status: succeeded, intent_id: Schema.String, tx_hash: Schema.NullOr(Hash), message: Schema.String }

/** The answer to `dryRun=true`: what would be done; nothing was sent. */
export const DryRun = Schema.Struct({
  status: succeeded,
  dryRun: Schema.Literal(true),
  plan: Schema.Unknown,
  intent_id: Schema.Null,
  tx_hash: Schema.Null,
  message: Schema.String
})

type Success<C extends Class, S extends Schema.Struct.Fields, Q extends Schema.Struct.Fields> = C extends "movesFunds"
  ? Schema.Union<[Schema.Struct<Omit<typeof executed, keyof S> & S>, typeof Pending, Schema.Struct<typeof DryRun.fields & Q>]>
  : Schema.Struct<{ status: typeof succeeded } & S>

type Writes = {
  readonly idempotency_key: Schema.optional<typeof Params.IdempotencyKey>
}
type Payload<C extends Class, P> = C extends "movesFunds" ? P & Writes : P

/** The Rpc an endpoint is. */
export type Endpoint<
  Name extends string,
  A extends Access,
  C extends Class,
  P extends Schema.Struct.Fields,
  S extends Schema.Struct.Fields,
  Q extends Schema.Struct.Fields
> =
  Rpc.Rpc<
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

const listOf = (method: Method): ReadonlyArray<Method> => method === "DELETE" ? ["GET", "POST", "DELETE"] : ["GET", "POST"]

/** Whether a manager's signature may stand before it. */
const usesSignature = (access: Access = "apiKey"): boolean => access !== "open" && access !== "apiKey"

/** What stands before the handler. */
const middlewares = { apiKey: Admission, apiKeyAndManager: Admission, manager: ManagerAdmission, apiKeyOrManager: EitherAdmission } as const

/** Declares an endpoint. `name` is also its path, unless another is given; parameters are `Params`, the answer's fields are `success`. */
export const make = <
  const Name extends string,
  P extends Param.Fields,
  S extends Param.Fields,
  const C extends Class,
  const A extends Access = "apiKey",
  Q extends Param.Fields = {}
>(name: Name, options: Options<A, C, P, S, Q>): Endpoint<Name, A, C, P, S, Q> => {
  const method = options.method ?? "GET"
  const moves = options.class === "movesFunds"
  const fields: Param.Fields = moves
    ? { ...options.params, idempotency_key: Schema.optional(Params.IdempotencyKey) }
    : options.params
  const answer: Param.Fields = { ...(moves ? executed : { status: succeeded }), ...options.success }
  const success: Schema.Codec<unknown, unknown> = moves
    ? Schema.Union([Schema.Struct(answer), Pending, Schema.Struct({ ...DryRun.fields, ...(options.quoted ?? {}) })])
    : Schema.Struct(answer)
  const facts: EndpointFacts = {
    name,
    paths: [options.path ?? `/${name}`, ...(options.aliases ?? [])],
    methods: options.methods ?? listOf(method),
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
  // The conditional types above say what these branches do; TypeScript cannot follow a value through them.
  return (facts.access === "open" ? rpc : rpc.middleware(middlewares[facts.access])) as unknown as Endpoint<Name, A, C, P, S, Q>
}

/** The facts of one Rpc; dies when it was not declared by `make` (start-up refuses such a group). */
export const factsOf = (rpc: Rpc.AnyWithProps): EndpointFacts => {
  const facts = Context.getOption(rpc.annotations, Declared)
  if (facts._tag === "None") throw new Error(`endpoint '${rpc._tag}' carries no declaration; make it with Endpoint.make`)
  return facts.value
}

/** The facts of every endpoint of a group, in order of declaration. */
export const factsOfGroup = <R extends Rpc.Any>(group: RpcGroup.RpcGroup<R>): ReadonlyArray<EndpointFacts> =>
  Array.from(group.requests.values()).map((rpc) => factsOf(rpc as unknown as Rpc.AnyWithProps))
