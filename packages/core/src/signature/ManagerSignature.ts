/**
 * The typed data (EIP-712) that a manager signs to authorize a request, and the text form of the signature,
 * `v2.<issuedAt>.<nonce>.<0x signature>`. A signature is valid for ten minutes, for one action on one subject with
 * exactly these parameters, and for a single change.
 */
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Address, Hash, type Hex } from "../chain/Address.ts"
import { facts, type Network } from "../chain/Network.ts"

/** How long a signature is valid after `issuedAt`. */
export const lifetimeSeconds = 600
/** How far the signer's clock may be ahead of ours. */
export const skewSeconds = 60

/** The content of a signature: the manager, the action, its subject and the time. */
export const Statement = Schema.Struct({
  /** The endpoint's name. */
  action: Schema.String,
  manager: Address,
  /** A wallet's address, a sub-account's name, or the manager's own address. */
  subject: Schema.String,
  /** SHA-256 of the request's parameters in canonical form: see `RequestDigest`. */
  params: Hash,
  /** An account's signature is valid on every network of the service, a contract wallet's only on this chain. */
  chainId: Schema.Int,
  /** Unix seconds. */
  issuedAt: Schema.Int,
  nonce: Schema.String,
  /** Distinguishes deployments: SHA-256 of the configured public origin. Null when no origin is configured. */
  salt: Schema.NullOr(Hash)
}).annotate({ identifier: "Statement" })
export type Statement = typeof Statement.Type

/** The parts of a signature in the form callers send. */
export interface Parsed {
  readonly issuedAt: number
  readonly nonce: string
  readonly signature: Redacted.Redacted<Hex>
}

/** Contract wallets' signatures can be long; 4096 bytes is the maximum accepted. */
const pattern = /^v2\.(\d{1,12})\.([A-Za-z0-9_-]{8,64})\.(0x(?:[0-9a-fA-F]{2}){1,4096})$/

/** Describes `pattern` to callers. */
export const format = "v2.<issuedAt, unix seconds>.<nonce>.<0x signature>, as /signingPayload prepares it"

/** Checks for a version 1 signature, which did not cover the parameters and is no longer accepted. */
export const isOutdated = (text: Redacted.Redacted<string>): boolean => /^\s*v1\./.test(Redacted.value(text))

/**
 * Returns the chain id for a statement: that of the request's network, or of the default network when the request names
 * none.
 */
export const chainIdOf = (network: Network | undefined, defaultNetwork: Network): number =>
  facts[network ?? defaultNetwork].chainId

/** Parses a signature; none when the text is not a signature. */
export const parse = (text: Redacted.Redacted<string>): Option.Option<Parsed> => {
  const [, issuedAt, nonce, signature] = pattern.exec(Redacted.value(text).trim()) ?? []
  return issuedAt === undefined || nonce === undefined || signature === undefined
    ? Option.none()
    : Option.some({ issuedAt: Number(issuedAt), nonce, signature: Redacted.make(signature as Hex) })
}

/** Returns the text that precedes the signature bytes. */
export const prefixOf = ({ issuedAt, nonce }: Statement): string => `v2.${issuedAt}.${nonce}.`

/** EIP-712 typed data in the form wallets accept. */
export interface TypedData {
  readonly domain: { readonly name: string; readonly version: string; readonly salt?: Hash }
  readonly types: Readonly<Record<string, ReadonlyArray<{ readonly name: string; readonly type: string }>>>
  readonly primaryType: string
  readonly message: Readonly<Record<string, unknown>>
}

const domainFields = [{ name: "name", type: "string" }, { name: "version", type: "string" }]

/** Builds the EIP-712 typed data of a statement. */
export const typedData = (
  { action, chainId, issuedAt, manager, nonce, params, salt, subject }: Statement
): TypedData => ({
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

/** The signer of a signature, as verified on one network. */
export const Signed = Schema.Struct({
  /**
   * `account`: the manager's own key. `contract`: the manager is a contract wallet that confirms the signature.
   * `nobody`: neither.
   */
  by: Schema.Literals(["account", "contract", "nobody"]),
  /** Always false; nothing reads it. Servers of older versions require it in the answers of a newer runner. */
  hasCode: Schema.Boolean
}).annotate({ identifier: "Signed" })
export type Signed = typeof Signed.Type
