/**
 * The types of the console's calls as JSON carries them. Responses arrive as they are sent, without a schema in the
 * browser: `ConsoleWire.test.ts` holds that the wire's form of every response is its own type, secrets excepted.
 */
import type { ConsoleApi } from "@vault-trader/core/console/ConsoleApi"
import type * as BigDecimal from "effect/BigDecimal"
import type * as Redacted from "effect/Redacted"
import type * as Rpc from "effect/rpc/Rpc"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import type * as RpcSchema from "effect/rpc/RpcSchema"

type Plain = string | number | boolean | null | undefined | void

/** A value on the wire: secrets, exact decimals and dates are text. */
export type Wire<A> = unknown extends A ? A
  : A extends Redacted.Redacted<infer Secret> ? Secret
  : A extends BigDecimal.BigDecimal | Date ? string
  : A extends Plain ? A
  : { readonly [Key in keyof A]: Wire<A[Key]> }

/** A call that is not sent yet. The type parameter is that of its response. */
export interface Request<A> {
  readonly tag: string
  readonly payload: unknown
  readonly response?: A
}

/** A stream that is not opened yet: the current response of a call, and each new one. */
export interface StreamRequest<A> {
  readonly tag: string
  readonly payload: unknown
  readonly item?: A
}

type Calls = RpcGroup.Rpcs<typeof ConsoleApi>

/** The part of a call's name before the first dot. */
type PrefixOf<Name> = Name extends `${infer Before}.${string}` ? Before : never

type Call<R extends Rpc.Any> = (
  payload: Wire<Rpc.Payload<R>>
) => [Rpc.SuccessSchema<R>] extends [RpcSchema.Stream<infer Each, infer _>] ? StreamRequest<Wire<Each["Type"]>>
  : Request<Wire<Rpc.Success<R>>>

/** The calls by name. Calls with a dot in their name are grouped under the part before it. */
export type Client =
  & { readonly [R in Calls as R["_tag"] extends `${string}.${string}` ? never : R["_tag"]]: Call<R> }
  & {
    readonly [P in PrefixOf<Calls["_tag"]>]: {
      readonly [R in Calls as R["_tag"] extends `${P}.${infer Name}` ? Name : never]: Call<R>
    }
  }

/** The row of a list that a stream repeats. */
export type RowOf<Stream extends (payload: never) => StreamRequest<unknown>> = ReturnType<Stream> extends
  StreamRequest<{ readonly data?: ReadonlyArray<infer Row> | undefined }> ? Row : never

const groups = ["wallet", "manager", "signed", "live"]

const callsUnder = (prefix: string): unknown =>
  new Proxy({}, {
    get: (_, name) =>
      prefix === "" && groups.includes(String(name))
        ? callsUnder(`${String(name)}.`)
        : (payload: unknown) => ({ tag: `${prefix}${String(name)}`, payload: payload ?? null })
  })

/** Builds requests by the names of the calls. */
export const client = callsUnder("") as Client
