/**
 * Verifies that a manager signed a request: the signature is theirs, covers action, subject and parameters, is recent
 * and unused. Contract wallets need a node, which the gate does not have, so the chains' actors verify signatures.
 */
import { type Address, type Hash, parse as parseAddress } from "@vault-trader/core/chain/Address"
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
import { LastUse } from "../gate/LastUse.ts"
import { Directory } from "../gate/ServedNetworks.ts"
import { Origin } from "../wire/Origin.ts"

/** A manager's request and the signature that proves it. */
export interface Proof {
  /** The endpoint's name. */
  readonly action: string
  readonly manager: Address
  /** The subject of the action; an address is lower-case. */
  readonly subject: string
  /** Digest of the request's parameters. */
  readonly params: Hash
  /** The request's network. A contract wallet's signature is valid only there, and not at all without a network. */
  readonly network: Network | undefined
  readonly signature: Redacted.Redacted<string>
  /** `once` consumes the signature; required for everything that changes something. */
  readonly use: "once" | "read"
}

/** How long one network may take to verify a signature. */
const verifyTimeout = "8 seconds"

const refuse = (sentence: string) => new ValidationFailure({ code: "1010", message: `signature: ${sentence}` })

const isoOf = (unixSeconds: number) => new Date(unixSeconds * 1000).toISOString()

const seconds = Effect.map(Clock.currentTimeMillis, (now) => Math.floor(now / 1000))

/** Refuses a signature that has expired or is from the future. */
const inTime = (issuedAt: number, now: number) => {
  const expiresAt = issuedAt + ManagerSignature.lifetimeSeconds
  if (issuedAt > now + ManagerSignature.skewSeconds) {
    return refuse(`is dated ${isoOf(issuedAt)}, in the future; the service's time is ${isoOf(now)}`)
  }
  return now > expiresAt
    ? refuse(
      `expired at ${isoOf(expiresAt)}: a signature is valid for ten minutes. Sign a new payload from /signingPayload`
    )
    : Effect.void
}

/** The signer: the manager's key, a contract at the manager's address on the queried network, or neither (`nobody`). */
export type SignedBy = ManagerSignature.Signed["by"]

/**
 * Finds the signer through the named network; only a contract on that network is accepted. An account's signature is
 * valid on every network, so if that network does not respond, or none is named, the others are queried for an account.
 * Fails with 2020 if no network could decide.
 */
export const signerOn = <E extends Failure | NotReached>(
  networks: ReadonlyArray<Network>,
  named: Network | undefined,
  signerAt: (network: Network) => Effect.Effect<ManagerSignature.Signed, E>
): Effect.Effect<SignedBy, Failure> =>
  Effect.gen(function*() {
    const query = (network: Network) => Effect.result(read(signerAt(network), verifyTimeout))
    const first = named !== undefined && networks.includes(named) ? named : networks[0]
    if (first === undefined) return "nobody"
    const answer = yield* query(first)
    if (Result.isSuccess(answer)) {
      return first === named || answer.success.by !== "contract" || named === undefined
        ? answer.success.by
        : "nobody"
    }
    const others = yield* Effect.forEach(networks.filter((network) => network !== first), query, {
      concurrency: "unbounded"
    })
    return others.some((each) => Result.isSuccess(each) && each.success.by === "account")
      ? "account"
      : yield* answer.failure
  })

export class ManagerProof extends Context.Service<ManagerProof, {
  /**
   * Succeeds if the manager signed exactly this request: with a key (`account`), or by a contract wallet on the
   * request's network. Fails with 1010 for a bad signature, 2020 if a chain could not be queried.
   */
  readonly verify: (proof: Proof) => Effect.Effect<Exclude<SignedBy, "nobody">, Failure>
}>()("vault-trader/server/manager/ManagerProof") {
  static readonly layer: Layer.Layer<ManagerProof, never, Directory | LastUse | Origin | ManagerNonceStore | Sharding> = Layer
    .effect(
      ManagerProof,
      Effect.gen(function*() {
        const { defaultNetwork, networks } = yield* Directory
        const { salt } = yield* Origin
        const nonces = yield* ManagerNonceStore
        const { note } = yield* LastUse
        const chains = yield* Chain.client

        const signed = (
          statement: ManagerSignature.Statement,
          signature: ManagerSignature.Parsed["signature"],
          network: Network | undefined
        ) =>
          Effect.gen(function*() {
            const by = yield* signerOn(networks, network, (each) => chains(each).signedBy({ statement, signature }))
            if (by === "account" || (by === "contract" && network !== undefined)) return by
            if (by === "contract") return yield* refuse(contractAnywhere)
            const { action, manager, subject } = statement
            return yield* refuse(
              `is not ${manager}'s over action '${action}', subject '${subject}' and the parameters of this request${
                network === undefined ? "" : ` on ${network}`
              }: another account ` +
                "made it, or it was made for another action, subject, parameters, network or service. " +
                "/signingPayload returns the payload to sign"
            )
          })

        return {
          verify: Effect.fn("ManagerProof.verify")(
            function*({ action, manager, network, params, signature, subject, use }: Proof) {
              if (ManagerSignature.isOutdated(signature)) {
                return yield* refuse(
                  "is of version 1, which covered no parameters and is no longer accepted. Sign a new payload " +
                    "from /signingPayload; its prefix begins with v2."
                )
              }
              const parsed = ManagerSignature.parse(signature)
              if (Option.isNone(parsed)) return yield* refuse(`must be ${ManagerSignature.format}`)
              const { issuedAt, nonce } = parsed.value
              yield* inTime(issuedAt, yield* seconds)
              const chainId = ManagerSignature.chainIdOf(network, defaultNetwork)
              const by = yield* signed(
                ManagerSignature.Statement.make({ action, manager, subject, params, chainId, issuedAt, nonce, salt }),
                parsed.value.signature,
                network
              )
              const wallet = parseAddress(subject)
              if (wallet !== undefined) yield* note({ _tag: "manager", id: manager, wallet })
              if (use === "read") return by
              // Last, so that only the manager can consume the manager's nonces.
              const fresh = yield* query(
                nonces.use({ manager, nonce, expiresAt: issuedAt + ManagerSignature.lifetimeSeconds })
              )
              if (!fresh) {
                return yield* refuse(
                  "was used before: a signature can be used for one change. Sign a new payload from /signingPayload"
                )
              }
              return by
            }
          )
        }
      })
    )
}

/** Message for a contract wallet's signature on a request that applies to every network. */
const contractAnywhere =
  "is a contract wallet's, which is valid on one network only. Send that network as network if the request takes " +
  "it; otherwise use an account's signature or the wallet's API key"

/** Creates a statement to be signed now; `salt` is the service's. */
export const freshStatement = (
  fields: Pick<
    Parameters<typeof ManagerSignature.Statement.make>[0],
    "action" | "manager" | "subject" | "params" | "chainId" | "salt"
  >
): Effect.Effect<ManagerSignature.Statement> =>
  Effect.map(
    seconds,
    (issuedAt) =>
      ManagerSignature.Statement.make({ ...fields, issuedAt, nonce: crypto.randomUUID().replaceAll("-", "") })
  )

export const ManagerProofLive = Layer.provide(ManagerProof.layer, ManagerNonceStore.layer)
