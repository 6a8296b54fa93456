/**
 * Proof that a manager asked: the signature is theirs, over this action, subject and parameters, young enough, and was not used before. The gate has
 * no node to ask about contract wallets, so the chains' actors look at signatures.
 */
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import { Chain } from "@vault-trader/core/network/Chain"
import type { Network } from "@vault-trader/core/chain/Network"
import { type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import { ManagerNonceStore } from "@vault-trader/core/manager/ManagerNonceStore"
import * as ManagerSignature from "@vault-trader/core/signature/ManagerSignature"
import * as Clock from "effect/Clock"
import type { Sharding } from "effect/cluster/Sharding"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { read, query, type Unreachable as NotReached } from "../gate/ActorCall.ts"
import { Directory } from "../gate/ServedNetworks.ts"
import { Origin } from "./Origin.ts"

/** What a manager asks for, and the signature that is to prove it. */
export interface Proof {
  /** The endpoint's name. */
  readonly action: string
  readonly manager: Address
  /** What it is about; of an address, lower-case. */
  readonly subject: string
  /** Digest of the request's parameters. */
  readonly params: Hash
  /** The network the request is about. A contract wallet's signature counts there alone, and not at all where none is named. */
  readonly network: Network | undefined
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

/** Who made a signature: the manager's own key, a contract at the manager's address on the network that was asked, or nobody who counts. */
export type SignedBy = ManagerSignature.Signed["by"]

/**
 * Asks the named network who made a signature. Only that network's contract counts. An account's signature is the same everywhere, so when the
 * network does not answer, or none is named, the others are asked about that alone. 2020 when a network that might know cannot be asked.
 */
export const signerOn = <E extends Failure | NotReached>(
  networks: ReadonlyArray<Network>,
  named: Network | undefined,
  ask: (network: Network) => Effect.Effect<ManagerSignature.Signed, E>
): Effect.Effect<SignedBy, Failure> =>
  Effect.gen(function*() {
    const asked = (network: Network) => Effect.result(read(ask(network), patience))
    const first = named !== undefined && networks.includes(named) ? named : networks[0]
    if (first === undefined) return "nobody"
    const answer = yield* asked(first)
    if (Result.isSuccess(answer)) return first === named || answer.success.by !== "contract" || named === undefined ? answer.success.by : "nobody"
    const others = yield* Effect.forEach(networks.filter((network) => network !== first), asked, { concurrency: "unbounded" })
    return others.some((each) => Result.isSuccess(each) && each.success.by === "account") ? "account" : yield* answer.failure
  })

export class ManagerProof extends Context.Service<ManagerProof, {
  /** Succeeds when the manager has asked for exactly this. 1010 says what is wrong with the signature; 2020 that a chain could not be asked. */
  readonly verify: (proof: Proof) => Effect.Effect<void, Failure>
}>()("vault-trader/server/manager/ManagerProof") {
  static readonly layer: Layer.Layer<ManagerProof, never, Directory | Origin | ManagerNonceStore | Sharding> = Layer.effect(
    ManagerProof,
    Effect.gen(function*() {
      const { defaultNetwork, networks } = yield* Directory
      const { salt } = yield* Origin
      const nonces = yield* ManagerNonceStore
      const chains = yield* Chain.client

      const signed = (statement: ManagerSignature.Statement, signature: ManagerSignature.Parsed["signature"], network: Network | undefined) =>
        Effect.gen(function*() {
          const by = yield* signerOn(networks, network, (each) => chains(each).signedBy({ statement, signature }))
          if (by === "account" || (by === "contract" && network !== undefined)) return
          if (by === "contract") return yield* refuse(contractAnywhere)
          const { action, manager, subject } = statement
          return yield* refuse(
            `is not ${manager}'s over action '${action}', subject '${subject}' and the parameters of this request${network === undefined ? "" : ` on ${network}`}: another account ` +
              `made it, or it was made for another action, subject, parameters, network or service. /signingPayload answers with what is to be signed`
          )
        })

      return {
        verify: Effect.fn("ManagerProof.verify")(function*({ action, manager, network, params, signature, subject, use }: Proof) {
          if (ManagerSignature.isOutdated(signature)) {
            return yield* refuse("is of version 1, which covered no parameters and is not accepted any more. Sign again what /signingPayload answers: it begins with v2.")
          }
          const parsed = ManagerSignature.parse(signature)
          if (Option.isNone(parsed)) return yield* refuse(`must be ${ManagerSignature.format}`)
          const { issuedAt, nonce } = parsed.value
          yield* inTime(issuedAt, yield* seconds)
          const chainId = ManagerSignature.chainIdOf(network, defaultNetwork)
          yield* signed(ManagerSignature.Statement.make({ action, manager, subject, params, chainId, issuedAt, nonce, salt }), parsed.value.signature, network)
          if (use === "read") return
          // Last, so that nobody but the manager uses the manager's nonces up.
          const fresh = yield* query(nonces.use({ manager, nonce, expiresAt: issuedAt + ManagerSignature.lifetimeSeconds }))
          if (!fresh) return yield* refuse("was used before: a signature changes something once. Sign again what /signingPayload answers")
        })
      }
    })
  )
}

/** A contract wallet signed a request that is about every network. */
const contractAnywhere = "is a contract wallet's, which counts on one network only. Name that network as network where the request takes it; a request that does not is for accounts, or for the wallet's API key"

/** A statement to be signed now; `salt` is the service's. */
export const freshStatement = (
  said: Pick<Parameters<typeof ManagerSignature.Statement.make>[0], "action" | "manager" | "subject" | "params" | "chainId" | "salt">
): Effect.Effect<ManagerSignature.Statement> =>
  Effect.map(seconds, (issuedAt) => ManagerSignature.Statement.make({ ...said, issuedAt, nonce: crypto.randomUUID().replaceAll("-", "") }))
