/** The console's signed actions: changes for which the session's cookie alone is not enough. */
import type { Address } from "@vault-trader/core/chain/Address"
import { factsOfGroup } from "@vault-trader/core/endpoint/Endpoint"
import { SubKeyApi } from "@vault-trader/core/gas-wallet/SubKeyApi"
import { ManagerApi } from "@vault-trader/core/manager/ManagerApi"
import type { Network } from "@vault-trader/core/chain/Network"
import type { SignedAction } from "@vault-trader/core/console/SignedAction"
import { SignedIn } from "@vault-trader/core/console/Session"
import * as Param from "@vault-trader/core/endpoint/Param"
import { Pair } from "@vault-trader/core/endpoint/Pair"
import * as Params from "@vault-trader/core/endpoint/Params"
import { type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import * as RequestDigest from "@vault-trader/core/manager/RequestDigest"
import * as ManagerSignature from "@vault-trader/core/signature/ManagerSignature"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { query } from "../gate/ActorCall.ts"
import { Directory } from "../gate/ServedNetworks.ts"
import { freshStatement, ManagerProof } from "../manager/ManagerProof.ts"
import { Origin } from "../wire/Origin.ts"
import { beyond, mine } from "./SessionCalls.ts"

const wallet = Params.AddressOf("gas wallet")

/** The endpoints whose calls the manager's wallet signs in the console. */
const signedEndpoints = ["createSubKey", "setKeyLimits"] as const

/** Checks whether an endpoint is one of those. */
export const isSignedEndpoint = (name: string): name is (typeof signedEndpoints)[number] =>
  signedEndpoints.some((each) => each === name)

const proofs = ["apiKey", "manager", "signature", "wallet"]

/** The parameters of an endpoint, the wallet first, without those that prove who calls. */
const paramsOf = (name: (typeof signedEndpoints)[number]) => [
  ...Param.describe({ wallet }),
  ...[...factsOfGroup(SubKeyApi), ...factsOfGroup(ManagerApi)].flatMap((facts) =>
    facts.name === name ? facts.params.filter((param) => !proofs.includes(param.name)) : []
  )
]

/** The parameters that a signature of each action covers. */
const signedParams = {
  createSubKey: paramsOf("createSubKey"),
  setKeyLimits: paramsOf("setKeyLimits"),
  rotateKey: Param.describe({ wallet }),
  resumeWallet: Param.describe({ wallet }),
  resumeBot: Param.describe({
    wallet,
    network: Params.Network,
    pool: Params.Pool,
    pair: Schema.optional(Pair)
  }),
  associateWallet: Param.describe({
    apiKey: Params.ApiKey,
    privateKey: Schema.optional(Params.PrivateKey),
    label: Schema.optional(Params.Label)
  })
}

/** Returns the private key as the service compares it. */
export const normalizedKey = (privateKey: Redacted.Redacted<string> | null): Redacted.Redacted<string> | undefined =>
  privateKey === null
    ? undefined
    : Redacted.make(Redacted.value(privateKey).trim().replace(/^0x/i, "").toLowerCase())

/** Returns the API key as the service compares it. */
const normalizedApiKey = (apiKey: Redacted.Redacted<string>) =>
  Redacted.make(Redacted.value(apiKey).trim().toLowerCase())

/** Returns the values that the signature covers; null and absent ones are the same. */
const valuesOf = (action: SignedAction): Readonly<Record<string, unknown>> => {
  if ("params" in action) return { ...action.params, wallet: action.wallet }
  if (action.action !== "associateWallet") return { ...action }
  const { apiKey, label, privateKey } = action
  return {
    apiKey: normalizedApiKey(apiKey),
    privateKey: normalizedKey(privateKey),
    label: label ?? undefined
  }
}

/** Decodes an endpoint's parameters as its call does, so that the signature covers the same values. */
const decoded = (action: SignedAction): Effect.Effect<SignedAction, ValidationFailure> => {
  if (!("params" in action)) return Effect.succeed(action)
  const values: Record<string, unknown> = {}
  for (const { decode, info, name } of signedParams[action.action]) {
    const given = action.params[name]
    if (given === undefined || name === "wallet") continue
    const value = decode(given)
    if (Option.isNone(value)) {
      return new ValidationFailure({ code: info.code, message: `${name}: must be ${info.accepts}` })
    }
    values[name] = value.value
  }
  return Effect.succeed({ ...action, params: values })
}

/** A signed action that may be carried out. */
interface Subject {
  readonly wallet: Address
  /** The id of the wallet's key, where the action names the key. */
  readonly keyId: string | undefined
}

/** Builds the checks of signed actions. */
export const signedActions = Effect.gen(function*() {
  const { digest } = yield* ApiKeyDigest
  const keys = yield* ApiKeyStore
  const managers = yield* ManagerStore
  const proofs = yield* ManagerProof
  const { salt } = yield* Origin
  const { defaultNetwork } = yield* Directory

  /** Returns the wallet of an action. Fails unless the session may take the action on it, apart from the signature. */
  const subjectOf = (action: SignedAction): Effect.Effect<Subject, Failure, SignedIn> =>
    Effect.gen(function*() {
      const session = yield* SignedIn
      if (action.action === "associateWallet") {
        const found = yield* query(Effect.flatMap(digest(normalizedApiKey(action.apiKey)), keys.find))
        if (Option.isNone(found)) {
          return yield* new ValidationFailure({ code: "1002", message: "apiKey: unknown or revoked" })
        }
        return found.value
      }
      yield* mine(managers, session, action.wallet)
      const { network } = session
      if (network !== null && !(action.action === "resumeBot" && action.network === network)) {
        return yield* beyond(network, action.action)
      }
      return { wallet: action.wallet, keyId: undefined }
    })

  /** The network that a signature counts on: that of a contract wallet's session, or else all of them. */
  const networkOf = Effect.map(SignedIn, ({ network }): Network | undefined => network ?? undefined)

  return {
    /** Prepares the typed data that the manager's wallet signs. */
    prepare: (given: SignedAction) =>
      Effect.gen(function*() {
        const action = yield* decoded(given)
        const subject = yield* subjectOf(action)
        const { manager } = yield* SignedIn
        const statement = yield* freshStatement({
          action: action.action,
          manager,
          subject: subject.wallet,
          params: yield* RequestDigest.of(signedParams[action.action], valuesOf(action)),
          chainId: ManagerSignature.chainIdOf(yield* networkOf, defaultNetwork),
          salt
        })
        return { typedData: ManagerSignature.typedData(statement), prefix: ManagerSignature.prefixOf(statement) }
      }),
    /** Verifies that the manager signed this action with these parameters. Consumes the signature. */
    check: (action: SignedAction, signature: Redacted.Redacted<string>) =>
      Effect.gen(function*() {
        const subject = yield* subjectOf(action)
        const { manager } = yield* SignedIn
        yield* proofs.verify({
          action: action.action,
          manager,
          subject: subject.wallet,
          params: yield* RequestDigest.of(signedParams[action.action], valuesOf(action)),
          network: yield* networkOf,
          signature,
          use: "once"
        })
        return subject
      })
  }
})
