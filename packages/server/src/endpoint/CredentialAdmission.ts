/**
 * Admits requests about one wallet that accept its private key, the signature of a manager whose list has it, or its
 * API key. The strongest proof that is given counts; the others must then be about the same wallet.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { CredentialOf } from "@vault-trader/core/endpoint/Admission"
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import { type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import { Keyring } from "@vault-trader/core/gas-wallet/Keyring"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { query, read } from "../gate/ActorCall.ts"
import type { Refusal } from "../params/RequestParams.ts"
import { signatureCheck } from "./AdmissionChecks.ts"
import { type AdmissionParams, allRanks, isMissing, refuseUpTo } from "./AdmissionRefusals.ts"

/** A request to admit, with all errors of its parameters. */
interface Request {
  readonly facts: EndpointFacts
  readonly params: Readonly<Record<string, unknown>>
  readonly read: AdmissionParams
  readonly refusals: ReadonlyArray<Refusal>
}

/** The strongest kind of proof that a request gives. */
type Kind = CredentialOf["_tag"]
type Lookup = (apiKey: Redacted.Redacted<string>) => Effect.Effect<Option.Option<{ readonly wallet: Address }>, Failure>

/**
 * Returns the kind of the strongest proof that is given. A malformed one counts as given, except beside a key: then it
 * is refused as any malformed parameter, and no other one is missing.
 */
export const kindOf = (params: AdmissionParams, syntactic: ReadonlyArray<Refusal>): Kind => {
  const lacks = (name: "privateKey" | "manager" | "signature") =>
    params.apiKey === undefined ? isMissing(params[name], syntactic, name) : params[name] === undefined
  return !lacks("privateKey") ? "owner" : lacks("manager") && lacks("signature") ? "key" : "manager"
}

/** Returns the missing parameters of a request that accepts every kind of proof. */
export const missingCredential = (
  params: AdmissionParams,
  syntactic: ReadonlyArray<Refusal>
): ReadonlyArray<Refusal> => {
  const lacks = (name: "apiKey" | "manager" | "signature" | "wallet") => isMissing(params[name], syntactic, name)
  const missing = (name: string): Refusal => ({ code: "1010", name, missing: true, message: "is missing" })
  switch (kindOf(params, syntactic)) {
    case "owner":
      return []
    case "manager":
      return [
        ...(["manager", "signature"] as const).filter(lacks),
        ...(lacks("wallet") && lacks("apiKey") ? ["wallet"] : [])
      ].map(missing)
    case "key":
      return lacks("apiKey") ? [missing("apiKey, or manager and signature, or privateKey")] : []
  }
}

const otherWallet = (wallet: Address) =>
  new ValidationFailure({ code: "1005", message: `wallet: the other parameters are about ${wallet}` })

/** Fails unless `wallet`, if given, is this one. */
const sameWallet = ({ wallet: named }: AdmissionParams, wallet: Address) =>
  named === undefined || named === wallet ? Effect.void : otherWallet(wallet)

/** Builds the check of a private key or a signature. */
export const strongAdmission = Effect.gen(function*() {
  const keyrings = yield* Keyring.client
  const keys = yield* ApiKeyStore
  const managers = yield* ManagerStore
  const checkSignature = yield* signatureCheck

  const ownerOf = (privateKey: Redacted.Redacted<string>) =>
    Effect.gen(function*() {
      // Keyrings are stateless: a random name spreads them over the runners.
      const wallet = yield* read(keyrings(crypto.randomUUID().slice(0, 2)).addressOf({ privateKey }))
      return Option.isSome(yield* query(keys.activeOf(wallet)))
        ? wallet
        : yield* new ValidationFailure({ code: "1005", message: `privateKey: there is no gas wallet ${wallet}` })
    })

  return ({ facts, params, read: given, refusals }: Request, kind: Exclude<Kind, "key">, callerOf: Lookup) =>
    Effect.gen(function*(): Effect.fn.Return<CredentialOf, Failure> {
      yield* refuseUpTo(refusals, allRanks)
      const caller = given.apiKey === undefined ? undefined : yield* callerOf(given.apiKey)
      if (caller !== undefined && Option.isNone(caller)) {
        return yield* new ValidationFailure({ code: "1002", message: "apiKey: unknown or revoked" })
      }
      const ofKey = caller === undefined ? undefined : Option.getOrUndefined(caller)?.wallet
      if (kind === "owner" && given.privateKey !== undefined) {
        const wallet = yield* ownerOf(given.privateKey)
        yield* sameWallet(given, wallet)
        return ofKey === undefined || ofKey === wallet ? { _tag: "owner", wallet } : yield* otherWallet(ofKey)
      }
      const wallet = (given.wallet ?? ofKey) as Address
      if (ofKey !== undefined) yield* sameWallet(given, ofKey)
      const manager = given.manager as Address
      const by = yield* checkSignature(facts, params, wallet)
      // An account's signature counts on all networks, a contract wallet's only on the request's.
      const network = by === "account" ? null : given.network as Network
      return (yield* query(managers.has({ manager, network }, wallet)))
        ? { _tag: "manager", wallet, manager }
        : yield* new ValidationFailure({
          code: "1005",
          message: `wallet: ${wallet} is not in the list of ${manager}; /getAssociatedGasWallets lists its wallets`
        })
    })
})
