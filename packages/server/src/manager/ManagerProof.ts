/**
 * Proof that a manager asked: the signature is theirs, over this action and subject, young enough, and was not used before. The gate has
 * no node to ask about contract wallets, so the chains' actors look at signatures.
 */
import type { Sharding } from "@effect/cluster/Sharding"
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import { Chain } from "@vault-trader/core/chain/Chain"
import type { Network } from "@vault-trader/core/chain/Network"
import { type Failure, ValidationFailure } from "@vault-trader/core/endpoint/Failure"
import { ManagerNonceStore } from "@vault-trader/core/manager/ManagerNonceStore"
import * as ManagerSignature from "@vault-trader/core/manager/ManagerSignature"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { answered, stored, type Unreachable as NotReached } from "../gate/Asking.ts"
import { Directory } from "../gate/Directory.ts"
import { Origin } from "./Origin.ts"

/** What a manager asks for, and the signature that is to prove it. */
export interface Proof {
  /** The endpoint's name. */
  readonly action: string
  readonly manager: Address
  /** What it is about; of an address, lower-case. */
  readonly subject: string
  readonly signature: Redacted.Redacted<string>
  /** `once`: the signature is used up by it. For everything that changes something. */
  readonly use: "once" | "read"
}

/** How long one network may take to say whose a signature is. */
const patience = "8 seconds"

const refuse = (sentence: string) => new ValidationFailure({ code: "1010", message: `signature: ${sentence}` })

const isoOf = (unixSeconds: number) => new Date(unixSeconds * 1000).toISOString()

const seconds = Effect.map(Clock.currentTimeMillis, (now) => Math.floor(now / 1000))

/** Refuses a signature that is too old, or of a time that has not come. */
const inTime = (issuedAt: number, now: number) => {
  const expiresAt = issuedAt + ManagerSignature.lifetimeSeconds
  if (issuedAt > now + ManagerSignature.skewSeconds) {
    return refuse(`says it was made at ${isoOf(issuedAt)}, which has not come; here it is ${isoOf(now)}`)
  }
  return now > expiresAt
    ? refuse(`expired at ${isoOf(expiresAt)}: a signature is good for ten minutes. Sign again what /signingPayload answers`)
    : Effect.void
}

/**
 * Whether the manager made a signature, by what the networks' actors say of it. The first network knows an account's signature; a contract
 * wallet may be on any. 2020 when a network that might know cannot be asked.
 */
export const knownToAny = <E extends Failure | NotReached>(
  networks: ReadonlyArray<Network>,
  ask: (network: Network) => Effect.Effect<ManagerSignature.Signed, E>
): Effect.Effect<boolean, Failure> =>
  Effect.gen(function*() {
    const asked = (network: Network) => Effect.either(answered(ask(network), patience))
    const first = yield* Effect.forEach(networks.slice(0, 1), asked)
    if (first.some(isSurely)) return true
    const others = yield* Effect.forEach(networks.slice(1), asked, { concurrency: "unbounded" })
    const all = [...first, ...others]
    if (all.some(isSurely)) return true
    const unknown = all.find(Either.isLeft)
    if (unknown !== undefined) return yield* unknown.left
    // A wallet that is deployed nowhere yet speaks for itself by the code it will have; one that is deployed does so where it is.
    const answers = all.flatMap((each) => Either.isRight(each) ? [each.right] : [])
    return answers.some(({ by }) => by === "contract") && !answers.some(({ hasCode }) => hasCode)
  })

export class ManagerProof extends Context.Tag("vault-trader/server/manager/ManagerProof")<ManagerProof, {
  /** Succeeds when the manager has asked for exactly this. 1010 says what is wrong with the signature; 2020 that a chain could not be asked. */
  readonly verify: (proof: Proof) => Effect.Effect<void, Failure>
}>() {
  static readonly layer: Layer.Layer<ManagerProof, never, Directory | Origin | ManagerNonceStore | Sharding> = Layer.effect(
    ManagerProof,
    Effect.gen(function*() {
      const { networks } = yield* Directory
      const { salt } = yield* Origin
      const nonces = yield* ManagerNonceStore
      const chains = yield* Chain.client

      const signed = (statement: ManagerSignature.Statement, signature: ManagerSignature.Parsed["signature"]) =>
        Effect.gen(function*() {
          if (yield* knownToAny(networks, (network) => chains(network).signedBy({ statement, signature }))) return
          const { action, manager, subject } = statement
          return yield* refuse(
            `is not ${manager}'s over action '${action}' and subject '${subject}': another account made it, or it was made for another action, ` +
              `subject or service. /signingPayload answers with what is to be signed`
          )
        })

      return {
        verify: Effect.fn("ManagerProof.verify")(function*({ action, manager, signature, subject, use }: Proof) {
          const parsed = ManagerSignature.parse(signature)
          if (Option.isNone(parsed)) return yield* refuse(`must be ${ManagerSignature.format}`)
          const { issuedAt, nonce } = parsed.value
          yield* inTime(issuedAt, yield* seconds)
          yield* signed(ManagerSignature.Statement.make({ action, manager, subject, issuedAt, nonce, salt }), parsed.value.signature)
          if (use === "read") return
          // Last, so that nobody but the manager uses the manager's nonces up.
          const fresh = yield* stored(nonces.use({ manager, nonce, expiresAt: issuedAt + ManagerSignature.lifetimeSeconds }))
          if (!fresh) return yield* refuse("was used before: a signature changes something once. Sign again what /signingPayload answers")
        })
      }
    })
  )
}

const isSurely = (answer: Either.Either<ManagerSignature.Signed, Failure>): boolean =>
  Either.isRight(answer) && (answer.right.by === "account" || (answer.right.by === "contract" && answer.right.hasCode))

/** A statement to be signed now; `salt` is the service's. */
export const freshStatement = ({ action, manager, salt, subject }: {
  readonly action: string
  readonly manager: Address
  readonly subject: string
  readonly salt: Hash | null
}): Effect.Effect<ManagerSignature.Statement> =>
  Effect.map(seconds, (issuedAt) =>
    ManagerSignature.Statement.make({ action, manager, subject, salt, issuedAt, nonce: crypto.randomUUID().replaceAll("-", "") }))
