/**
 * What a manager signs to prove a request theirs, and how the signature travels. One string, `v2.<issuedAt>.<nonce>.<0x signature>`, over
 * EIP-712 typed data; good for ten minutes, for one action on one subject with exactly these parameters, and to change something once.
 */
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Address, Hash, type Hex } from "../chain/Address.ts"
import { facts, type Network } from "../chain/Network.ts"

/** How long a signature is good, from `issuedAt` on. */
export const lifetimeSeconds = 600
/** How far the signer's clock may be ahead of ours. */
export const skewSeconds = 60

/** What a signature says: who asks for which action on what, and when. */
export const Statement = Schema.Struct({
  /** The endpoint's name. */
  action: Schema.String,
  manager: Address,
  /** What it is about: a wallet's address, a sub-account's name, or the manager's own address. */
  subject: Schema.String,
  /** SHA-256 of the request's parameters in canonical form: see `RequestDigest`. */
  params: Hash,
  /** The chain it is for. An account's signature is good for every network of the service, a contract wallet's for this one only. */
  chainId: Schema.Int,
  /** Unix seconds. */
  issuedAt: Schema.Int,
  nonce: Schema.String,
  /** Tells deployments apart: SHA-256 of the configured public origin. Null where none is configured. */
  salt: Schema.NullOr(Hash)
}).annotate({ identifier: "Statement" })
export type Statement = typeof Statement.Type

/** The parts of a signature as callers send it. */
export interface Parsed {
  readonly issuedAt: number
  readonly nonce: string
  readonly signature: Redacted.Redacted<Hex>
}

/** Signatures of contract wallets may be long; beyond this nobody's is. */
const pattern = /^v2\.(\d{1,12})\.([A-Za-z0-9_-]{8,64})\.(0x(?:[0-9a-fA-F]{2}){1,4096})$/

/** How `pattern` is said in words. */
export const format = "v2.<issuedAt, unix seconds>.<nonce>.<0x signature>, as /signingPayload prepares it"

/** Whether the text is a signature of the first version, which covered no parameters and is not accepted any more. */
export const isOutdated = (text: Redacted.Redacted<string>): boolean => /^\s*v1\./.test(Redacted.value(text))

/** The chain id that a statement names: that of the request's network, or of the service's default network where the request names none. */
export const chainIdOf = (network: Network | undefined, defaultNetwork: Network): number => facts[network ?? defaultNetwork].chainId

/** Takes a signature apart; none when it is not one. */
export const parse = (text: Redacted.Redacted<string>): Option.Option<Parsed> => {
  const [, issuedAt, nonce, signature] = pattern.exec(Redacted.value(text).trim()) ?? []
  return issuedAt === undefined || nonce === undefined || signature === undefined
    ? Option.none()
    : Option.some({ issuedAt: Number(issuedAt), nonce, signature: Redacted.make(signature as Hex) })
}

/** What comes before the signature itself. */
export const prefixOf = ({ issuedAt, nonce }: Statement): string => `v2.${issuedAt}.${nonce}.`

/** Typed data as wallets take it. */
export interface TypedData {
  readonly domain: { readonly name: string; readonly version: string; readonly salt?: Hash }
  readonly types: Readonly<Record<string, ReadonlyArray<{ readonly name: string; readonly type: string }>>>
  readonly primaryType: string
  readonly message: Readonly<Record<string, unknown>>
}

const domainFields = [{ name: "name", type: "string" }, { name: "version", type: "string" }]

/** The EIP-712 typed data of a statement, as wallets take it. */
export const typedData = ({ action, chainId, issuedAt, manager, nonce, params, salt, subject }: Statement): TypedData => ({
  domain: { name: "Vault Trader", version: "2", ...(salt === null ? {} : { salt }) },
  types: {
    EIP712Domain: [...domainFields, ...(salt === null ? [] : [{ name: "salt", type: "bytes32" }])],
    ManagerRequest: [
      { name: "action", type: "string" },
      { name: "manager", type: "address" },
      { name: "subject", type: "string" },
      { name: "params", type: "bytes32" },
      { name: "chainId", type: "uint256" },
      { name: "issuedAt", type: "uint256" },
      { name: "nonce", type: "string" }
    ]
  },
  primaryType: "ManagerRequest",
  message: { action, manager, subject, params, chainId, issuedAt, nonce }
})

/** Who a signature is by, as one network tells. */
export const Signed = Schema.Struct({
  /** `account`: the manager's own key. `contract`: the manager is a contract wallet, and it says that the signature is its own. */
  by: Schema.Literals(["account", "contract", "nobody"]),
  /** Whether the manager's address has code on this network. */
  hasCode: Schema.Boolean
}).annotate({ identifier: "Signed" })
export type Signed = typeof Signed.Type
