/** Between the socket and the handler: network, protocol, key, vault, the rest, trader. First hit wins; nothing is charged here. */
import { Admission, type Caller } from "@vault-trader/core/endpoint/Admission"
import { type Facts, factsOf } from "@vault-trader/core/endpoint/Endpoint"
import { ExecutionFailure, type Failure, ValidationFailure } from "@vault-trader/core/endpoint/Failure"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import { vaultId } from "@vault-trader/core/gas-wallet/KeyLimits"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { mayTrade } from "@vault-trader/core/vault/Authority"
import { idOf, Vault } from "@vault-trader/core/vault/Vault"
import type { Sharding } from "@effect/cluster/Sharding"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Directory, notServed } from "../gate/Directory.ts"
import { answered, stored } from "../gate/Asking.ts"
import { firstUpTo, rankOfKey, rankOfVault, type Refusal } from "./Refusal.ts"

/** What admission reads of an endpoint's parameters; every endpoint that has one of these means the same by it. */
const Read = Schema.Struct({
  apiKey: Schema.optional(Schema.RedactedFromSelf(Schema.String)),
  network: Schema.optional(Schema.String),
  protocol: Schema.optional(Schema.String),
  pool: Schema.optional(Schema.String),
  idempotency_key: Schema.optional(Schema.String)
})
const readParams = Schema.decodeUnknownSync(Read)
const everything = Number.POSITIVE_INFINITY

export class Gatekeeper extends Context.Tag("vault-trader/server/endpoint/Gatekeeper")<Gatekeeper, {
  /** The caller of a request whose parameters were read, or the first thing that is wrong with it. */
  readonly admit: (
    facts: Facts,
    params: Readonly<Record<string, unknown>>,
    refusals: ReadonlyArray<Refusal>
  ) => Effect.Effect<Option.Option<Caller["Type"]>, Failure>
}>() {
  static readonly layer: Layer.Layer<Gatekeeper, never, Directory | ApiKeyDigest | ApiKeyStore | KeyLimitStore | Sharding> = Layer.effect(
    Gatekeeper,
    Effect.gen(function*() {
      const directory = yield* Directory
      const { digest } = yield* ApiKeyDigest
      const keys = yield* ApiKeyStore
      const limits = yield* KeyLimitStore
      const vaults = yield* Vault.client

      const refuseUpTo = (refusals: ReadonlyArray<Refusal>, limit: number) => {
        const failure = firstUpTo(refusals, limit)
        return failure === undefined ? Effect.void : Effect.fail(failure)
      }

      const callerOf = (apiKey: Redacted.Redacted<string>) =>
        Effect.flatMap(
          stored(Effect.flatMap(digest(apiKey), keys.find)),
          Option.match({
            onNone: () => new ValidationFailure({ code: "1002", message: "apiKey: unknown or revoked" }),
            onSome: ({ keyId, wallet }) => Effect.succeed({ keyId, wallet })
          })
        )

      const vaultChecks = (facts: Facts, params: Readonly<Record<string, unknown>>, refusals: ReadonlyArray<Refusal>, wallet: Address) =>
        Effect.gen(function*() {
          const { network, pool } = readParams(params)
          const where = network ?? directory.defaultNetwork
          const assets = facts.params.filter(({ name, info }) => info.asset && params[name] !== undefined)
          const rest = firstUpTo(refusals, everything)
          const { facts: vault } = yield* answered(
            vaults(idOf(where as Network, pool as Address)).describe({ assets: rest === undefined ? assets.map(({ name }) => String(params[name])) : [] }),
            facts.patienceMillis
          ).pipe(Effect.mapError((failure) => namingTheAsset(failure, assets.map(({ name }) => [name, String(params[name])]))))
          if (rest !== undefined) return yield* rest
          if (facts.trader) yield* mayTrade(vault, wallet)
        })

      /** What the key's limits say of a write whatever it is worth; the rest of them is planning's affair. */
      const withinLimits = ({ idempotency_key, network, pool }: typeof Read.Type, wallet: Address) =>
        Effect.flatMap(
          stored(limits.refusalOfWrite({
            wallet,
            vault: pool === undefined ? null : vaultId((network ?? directory.defaultNetwork) as Network, pool as Address),
            idempotencyKey: idempotency_key ?? null
          })),
          Option.match({ onNone: () => Effect.void, onSome: Effect.fail })
        )

      return {
        admit: (facts, params, syntactic) =>
          Effect.gen(function*() {
            const read = readParams(params)
            const refusals = [...syntactic, ...unserved(directory, read)]
            yield* refuseUpTo(refusals, rankOfKey - 1)
            if (facts.access === "open") {
              yield* refuseUpTo(refusals, everything)
              return Option.none()
            }
            yield* refuseUpTo(refusals, rankOfKey)
            // A key that is there and cannot be used, for instance given twice with different values.
            yield* refuseUpTo(refusals.filter(({ name }) => name === "apiKey"), everything)
            if (read.apiKey === undefined) {
              return yield* new ValidationFailure({ code: "1010", message: "Missing required parameter: apiKey" })
            }
            const caller = yield* callerOf(read.apiKey)
            yield* refuseUpTo(refusals, rankOfVault)
            const aboutVault = facts.params.some(({ name, required }) => name === "pool" && required)
            if (aboutVault) yield* vaultChecks(facts, params, refusals, caller.wallet)
            else yield* refuseUpTo(refusals, everything)
            if (facts.class !== "readOnly") yield* withinLimits(read, caller.wallet)
            return Option.some(caller)
          }).pipe(Effect.withSpan("admission", { captureStackTrace: false }))
      }
    })
  )
}

const unserved = (directory: Directory["Type"], { network, protocol }: typeof Read.Type): ReadonlyArray<Refusal> => [
  ...(network === undefined || network === "all" || directory.networks.some((served) => served === network)
    ? []
    : [{ code: "1000" as const, name: "network", missing: false, message: notServed(directory, network).message.replace(/^network: /, "") }]),
  ...(protocol === undefined || directory.protocols.includes(protocol)
    ? []
    : [{ code: "1001" as const, name: "protocol", missing: false, message: `must be one of ${directory.protocols.join(", ")}` }])
]

/** The vault's actor quotes the text it cannot place; the caller wants to know which parameter that was. */
const namingTheAsset = (failure: Failure, assets: ReadonlyArray<readonly [string, string]>): Failure => {
  const named = assets.find(([, text]) => failure.message.startsWith(`'${text}'`))
  return failure._tag === "ExecutionFailure" || named === undefined
    ? failure
    : new ValidationFailure({ code: failure.code, message: `${named[0]}: ${failure.message}` })
}

/** The middleware that stands before every handler that acts for a wallet. */
export const AdmissionLive = Layer.effect(
  Admission,
  Effect.map(Gatekeeper, ({ admit }) => ({ rpc, payload }) =>
    Effect.flatMap(
      admit(factsOf(rpc), payload as Readonly<Record<string, unknown>>, []),
      Option.match({
        onNone: () => new ExecutionFailure({ errorType: "internal", message: "An open endpoint stands behind admission." }),
        onSome: Effect.succeed
      })
    ))
)
