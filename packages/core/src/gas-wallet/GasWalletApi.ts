/** Endpoints about gas wallets and their keys. */
import * as RpcGroup from "@effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Params from "../endpoint/Params.ts"

const address = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"

const NetworkBalance = Schema.Struct({
  network: Schema.String,
  address: Address,
  token: Schema.String,
  balance: Schema.NullOr(Schema.String),
  balance_usd: Schema.optional(Schema.NullOr(Schema.Number)),
  /** Why `balance` is null: the network could not be reached. */
  error: Schema.optional(Schema.String)
})

export class GasWalletApi extends RpcGroup.make(
  Endpoint.make("createGasWallet", {
    class: "changesConfig",
    access: "open",
    listed: false,
    summary: "Create a gas wallet. The private key and the API key are in this answer and nowhere else: back both up.",
    params: {},
    success: {
      address: Address,
      private_key: Schema.Redacted(Schema.String),
      apiKey: Schema.Redacted(Schema.String)
    },
    example: { address, private_key: "<64 hex characters>", apiKey: "00000000-0000-4000-8000-000000000000" }
  }),
  Endpoint.make("getNewApiKey", {
    class: "changesConfig",
    access: "open",
    method: "POST",
    methods: ["POST"],
    summary: "Issue a new API key for a wallet, revoking the old one at once; imports a wallet the service does not know.",
    params: { privateKey: Params.PrivateKey },
    success: { address: Address, apiKey: Schema.Redacted(Schema.String), message: Schema.String },
    example: { address, apiKey: "00000000-0000-4000-8000-000000000000", message: "New API key issued; the previous one is revoked." }
  }),
  Endpoint.make("getGasBalance", {
    class: "readOnly",
    summary: "Native gas-token balance of the wallet behind the key; `network=all` for every network, `USD` for its value.",
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
    example: { address, balance: "0.5", token: "ETH", balance_usd: 1500 }
  })
) {}
