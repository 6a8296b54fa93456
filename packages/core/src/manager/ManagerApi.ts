/** Endpoints of managers: the payloads they sign, and the wallets in their lists. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import { VaultId } from "../gas-wallet/KeyLimits.ts"
import { UsdOrOff, Vaults } from "../gas-wallet/LimitParams.ts"
import * as ManagerSignature from "../signature/ManagerSignature.ts"

const manager = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"

const Action = Param.make(Schema.String, {
  accepts: "the name of an endpoint that takes a signature",
  description: "The action to sign: the name of an endpoint that takes `signature`.",
  example: "associateGasWallet",
  jsonSchema: { type: "string" },
  read: (text) => /^[A-Za-z]{1,64}$/.test(text) ? text : undefined,
  show: (value) => value
})

const Subject = Param.make(Schema.String, {
  accepts: "1 to 128 characters without line breaks",
  description:
    "The subject of the action: the gas wallet's address or a sub-account's name; by default the manager's own address.",
  example: manager,
  jsonSchema: { type: "string", minLength: 1, maxLength: 128 },
  read: (text) => /^[^\p{Cc}\p{Cs}]{1,128}$/u.test(text) ? text : undefined,
  show: (value) => value
})

const Wallet = Params.AddressOf("gas wallet")

/** The parameters of the request to sign, exactly as the request will have them. */
const Given = Param.json(
  Schema.Record(Schema.String, Schema.Unknown).pipe(Schema.check(Schema.makeFilter((given) => !Array.isArray(given)))),
  {
    accepts: "an object with the parameters of the request",
    description:
      "The request's own parameters, as an object; the signature covers all of them. A secret may be given as " +
      "`sha256:` and the hex of its SHA-256. In the request body only.",
    example: { wallet: manager, max_usd_per_trade: "250" },
    jsonSchema: { type: "object" },
    bodyOnly: true
  }
)

const statement = ManagerSignature.Statement.make({
  action: "associateGasWallet",
  manager,
  subject: manager,
  params: `0x${"5d".repeat(32)}`,
  chainId: 8453,
  issuedAt: 1_795_168_800,
  nonce: "3f9a2c1b7d5e4f60",
  salt: null
})

export class ManagerApi extends RpcGroup.make(
  Endpoint.make("signingPayload", {
    class: "readOnly",
    access: "open",
    summary:
      "Returns the EIP-712 typed data that a manager signs, and the prefix that turns the signature into a `signature` parameter.",
    params: {
      action: Action,
      manager: Params.AddressOf("manager"),
      subject: Schema.optional(Subject),
      network: Schema.optional(Params.Network),
      params: Schema.optional(Given)
    },
    success: { typed_data: Schema.Unknown, prefix: Schema.String, expires_at: Schema.String },
    exampleRequest: { action: "getAllBots" },
    example: {
      typed_data: ManagerSignature.typedData(statement),
      prefix: ManagerSignature.prefixOf(statement),
      expires_at: "2026-11-20T10:10:00.000Z"
    }
  }),
  Endpoint.make("associateGasWallet", {
    origin: "spec",
    class: "changesConfig",
    access: "apiKeyAndManager",
    subject: "apiKey",
    method: "POST",
    summary: "Add the key's wallet to the manager's list; the signature's subject is the wallet's address. For a new " +
      "wallet the key suffices; any other needs its private key, or a manager who manages every vault it trades.",
    params: {
      apiKey: Params.ApiKey,
      ...Params.managedOn,
      label: Schema.optional(Params.Label),
      privateKey: Schema.optional(Params.PrivateKey)
    },
    success: { address: Address, message: Schema.String },
    exampleRequest: { label: "momentum, base" },
    failsWith: ["limit_exceeded"],
    example: { address: manager, message: "The wallet is in the manager's list." }
  }),
  Endpoint.make("deassociateGasWallet", {
    origin: "spec",
    class: "changesConfig",
    access: "manager",
    subject: "wallet",
    method: "POST",
    summary: "Remove a wallet from the manager's list; the signature's subject is the wallet's address.",
    params: { wallet: Wallet, ...Params.managedOn },
    success: { address: Address, message: Schema.String },
    example: { address: manager, message: "The wallet is no longer in the manager's list." }
  }),
  Endpoint.make("getAssociatedGasWallets", {
    origin: "spec",
    class: "readOnly",
    access: "manager",
    summary: "The wallets in the manager's list; the signature's subject is the manager's own address.",
    params: Params.managedOn,
    success: {
      wallets: Schema.Array(
        Schema.Struct({ address: Address, label: Schema.NullOr(Schema.String), since: Schema.String })
      )
    },
    example: { wallets: [{ address: manager, label: "momentum, base", since: "2026-11-20T10:00:00.000Z" }] }
  }),
  Endpoint.make("setKeyLimits", {
    class: "changesConfig",
    access: "apiKeyOrManager",
    subject: "wallet",
    method: "POST",
    summary:
      "Set the limits of a wallet's key, which rotation keeps. With the key, limits can only be lowered; with a " +
      "signature (subject: the wallet), the manager who set them may also raise them.",
    params: {
      ...Params.keyOrManagerOn,
      wallet: Schema.optional(Wallet),
      vaults: Schema.optional(
        Vaults("The only vaults the wallet's key may write to, as network/address; `any` removes the limit.")
      ),
      max_usd_per_trade: Schema.optional(UsdOrOff("Maximum US dollars that one write may sell")),
      max_usd_per_day: Schema.optional(
        UsdOrOff("Maximum US dollars that the writes of one day (UTC) may sell together")
      ),
      read_only: Schema.optional(Params.Flag("Allow reads and refuse writes."))
    },
    success: {
      address: Address,
      limits: Schema.Struct({
        vaults: Schema.NullOr(Schema.Array(VaultId)),
        max_usd_per_trade: Schema.NullOr(Schema.String),
        max_usd_per_day: Schema.NullOr(Schema.String),
        read_only: Schema.Boolean
      }),
      message: Schema.String
    },
    exampleRequest: { max_usd_per_trade: "1000000" },
    failsWith: ["limit_exceeded"],
    example: {
      address: manager,
      limits: { vaults: null, max_usd_per_trade: "250", max_usd_per_day: "1000", read_only: false },
      message: "The limits are set as requested."
    }
  })
) {}
