/** Endpoints about gas wallets and their keys. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import { accessKinds, Ended, noneEnded } from "./Ended.ts"

const address = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"

/** A balance of a network's native token; null where the network could not be reached. */
export const NetworkBalance = Schema.Struct({
  network: Schema.String,
  address: Address,
  token: Schema.String,
  balance: Schema.NullOr(Schema.String),
  balance_usd: Schema.optional(Schema.NullOr(Schema.Number)),
  /** Why `balance` is null: the network could not be reached. */
  error: Schema.optional(Schema.String)
})

const LinkedPool = Schema.Struct({
  network: Schema.String,
  pool: Address,
  protocol: Schema.String,
  /** Null while the network is unreachable. */
  is_trader: Schema.NullOr(Schema.Boolean),
  linked_at: Schema.String
})

const keepNames = `${accessKinds.join(", ")}, or true for all of them`

/** The kinds of access that a rotation keeps; `true` for all, `false` for none. */
const Keep = Param.list(
  Param.make(Schema.Literals([...accessKinds, "true", "false"]), {
    accepts: keepNames,
    description: "A kind of access.",
    example: "managers",
    jsonSchema: { type: "string", enum: [...accessKinds, "true", "false"] },
    read: (text) => {
      const name = ({ "1": "true", "0": "false" } as Readonly<Record<string, string>>)[text] ?? text.toLowerCase()
      return ([...accessKinds, "true", "false"] as const).find((each) => each === name)
    },
    show: (value) => value
  }),
  {
    accepts: keepNames,
    description: `The access to the wallet that is kept: ${keepNames}. By default all of it ends with the old key.`,
    example: ["managers"],
    jsonSchema: {
      type: ["array", "boolean"],
      items: { type: "string", enum: accessKinds },
      maxItems: accessKinds.length
    },
    fault: (kinds) =>
      kinds.length > 1 && kinds.some((kind) => kind === "true" || kind === "false")
        ? `must be ${keepNames}`
        : undefined
  }
)

export class GasWalletApi extends RpcGroup.make(
  Endpoint.make("createGasWallet", {
    origin: "spec",
    class: "changesConfig",
    access: "open",
    creates: "wallets",
    listed: false,
    summary:
      "Create a gas wallet. The private key and the API key are in this response and nowhere else: back both up. A " +
      "wallet that is never used is purged after 30 days: its API key ends until its private key is imported again.",
    params: {},
    success: {
      address: Address,
      private_key: Schema.RedactedFromValue(Schema.String),
      apiKey: Schema.RedactedFromValue(Schema.String)
    },
    example: { address, private_key: "<64 hex characters>", apiKey: "00000000-0000-4000-8000-000000000000" }
  }),
  Endpoint.make("getNewApiKey", {
    origin: "spec",
    class: "changesConfig",
    access: "open",
    method: "POST",
    methods: ["POST"],
    summary: "Issue a new API key for a wallet, revoking the old one at once, and end all other access to it, except " +
      "what `keep` names. Imports a wallet that the service does not know.",
    params: {
      privateKey: Params.PrivateKey,
      keep: Schema.optional(Keep)
    },
    success: {
      address: Address,
      apiKey: Schema.RedactedFromValue(Schema.String),
      message: Schema.String,
      ended: Ended,
      kept: Ended
    },
    example: {
      address,
      apiKey: "00000000-0000-4000-8000-000000000000",
      message: "New API key issued; the previous one is revoked. Ended with it: 1 manager.",
      ended: { managers: [address], sessions: 1, webhook_tokens: [], webhooks: [], channels: [] },
      kept: noneEnded
    }
  }),
  Endpoint.make("getGasBalance", {
    origin: "spec",
    class: "readOnly",
    summary:
      "Native gas-token balance of the wallet behind the key; `network=all` for every network, `USD` for its value.",
    params: {
      network: Params.NetworkOrAll,
      apiKey: Params.ApiKey,
      USD: Schema.optional(Params.Flag("Balance also in USD."))
    },
    success: {
      address: Address,
      balance: Schema.optional(Schema.String),
      token: Schema.optional(Schema.String),
      balance_usd: Schema.optional(Schema.NullOr(Schema.Number)),
      balances: Schema.optional(Schema.Array(NetworkBalance))
    },
    exampleRequest: { USD: true },
    example: { address, balance: "0.5", token: "ETH", balance_usd: 1500 }
  }),
  Endpoint.make("getAllGasBalance", {
    origin: "spec",
    class: "readOnly",
    access: "apiKeyOrManager",
    summary:
      "Native balances on every network, also in USD: of the key's wallet, or of every wallet in the manager's list.",
    params: Params.keyOrManagerOn,
    success: {
      balances: Schema.Array(Schema.Struct({ ...NetworkBalance.fields, label: Schema.NullOr(Schema.String) })),
      /** Sum of the known values. */
      total_usd: Schema.Number
    },
    example: {
      balances: [{ network: "base", address, label: null, token: "ETH", balance: "0.5", balance_usd: 1500 }],
      total_usd: 1500
    }
  }),
  Endpoint.make("linkGasWallet", {
    origin: "spec",
    class: "changesConfig",
    trader: true,
    method: "POST",
    summary:
      "Link a vault to the key's wallet, which must be its trader on chain. The link is kept when the wallet gets a new key.",
    params: {
      apiKey: Params.ApiKey,
      network: Params.Network,
      pool: Params.Pool,
      protocol: Schema.optional(Params.Protocol)
    },
    success: { address: Address, message: Schema.String },
    example: { address, message: "The vault is linked to the wallet." }
  }),
  Endpoint.make("unlinkGasWallet", {
    origin: "spec",
    class: "changesConfig",
    fromRows: true,
    method: "POST",
    summary: "Unlink a vault from the key's wallet; the vault's trader on chain does not change.",
    params: {
      apiKey: Params.ApiKey,
      network: Params.Network,
      pool: Params.Pool,
      protocol: Schema.optional(Params.Protocol)
    },
    success: { address: Address, message: Schema.String },
    example: { address, message: "The vault is no longer linked to the wallet." }
  }),
  Endpoint.make("getGasWalletPools", {
    origin: "spec",
    class: "readOnly",
    summary: "The vaults linked to the key's wallet, and whether it is their trader on chain now.",
    params: { apiKey: Params.ApiKey, network: Schema.optional(Params.NetworkOrAll) },
    success: { address: Address, pools: Schema.Array(LinkedPool) },
    example: {
      address,
      pools: [{
        network: "base",
        pool: address,
        protocol: "dhedge",
        is_trader: true,
        linked_at: "2026-11-20T10:00:00.000Z"
      }]
    }
  })
) {}
