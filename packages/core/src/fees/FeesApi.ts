/**
 * The endpoints that mint managers' fees. Any wallet may call them: the fee goes to the manager, and the wallet pays
 * the gas.
 */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Params from "../endpoint/Params.ts"
import { Charge } from "../billing/Charge.ts"
import { maxBatch, MintResult, Skipped } from "./Fees.ts"

const hash = "0x7d6a6b0f2f6f0c5b3f0f0f4f7f3b1b0a4c4b4e4d5a5b5c5d5e5f606162636465"
const pool = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"
const other = "0x0b2c639c533813f4aa9d7837caf62653d097ff85"
const manager = "0x90f79bf6eb2c4f870365e785982e1f101e93b906"
const executedExample = { intent_id: "01936f5a-0000-7000-8000-000000000000", tx_hash: hash }

/** The gas that a transaction used, in gas units, and its cost in native human units. */
const costFields = {
  gas_used: Schema.NullOr(Schema.String),
  gas_cost: Schema.NullOr(Schema.String),
  charge_usd: Schema.Number
}
const costExample = { gas_used: "210000", gas_cost: "0.00021", charge_usd: 0.05 }

/** Response fields for one vault. Amounts are in vault tokens, human units. */
const vaultFields = {
  network: Network,
  pool: Address,
  manager: Address,
  availableManagerFee: Schema.String,
  hasFee: Schema.Boolean
}

/** Response fields for several vaults; `scanned` ≥ `matched` ≥ `eligible` ≥ `count`. */
const batchFields = {
  network: Network,
  scanned: Schema.Int,
  matched: Schema.Int,
  eligible: Schema.Int,
  count: Schema.Int,
  wouldSucceed: Schema.Int,
  minted: Schema.Int,
  results: Schema.Array(MintResult),
  skipped: Schema.Array(Skipped)
}
const batchExample = {
  dryRun: false,
  network: "base",
  scanned: 2,
  matched: 2,
  eligible: 1,
  count: 1,
  wouldSucceed: 1,
  minted: 1,
  results: [
    { pool, availableManagerFee: "12.5", hasFee: true, willSucceed: true, managerFee: "11.25", daoFee: "1.25" }
  ],
  skipped: [{ pool: other, reason: "The vault has no fee to mint" }]
}

const allowFailure = Schema.optional(Params.Flag(
  "Mint for the other vaults when one of them fails (the default); `false` mints for all of them or none.",
  true
))

export class FeesApi extends RpcGroup.make(
  Endpoint.make("mintManagerFee", {
    origin: "spec",
    class: "movesFunds",
    charge: "managerFee",
    method: "POST",
    summary:
      "Mint the performance and management fee that a vault owes its manager. Any wallet may call this; it only pays the gas.",
    params: {
      apiKey: Params.ApiKey,
      network: Params.Network,
      pool: Params.Pool,
      protocol: Schema.optional(Params.Protocol),
      dryRun: Schema.optional(Params.DryRun),
      valid_for: Schema.optional(Params.ValidFor)
    },
    success: {
      dryRun: Schema.Literal(false),
      ...vaultFields,
      managerFee: Schema.NullOr(Schema.String),
      daoFee: Schema.NullOr(Schema.String),
      ...costFields
    },
    quoted: { ...vaultFields, charge: Charge },
    failsWith: ["price_unavailable"],
    example: {
      ...executedExample,
      message: `Minted 11.25 vault tokens to the manager of ${pool} and 1.25 to the platform.`,
      dryRun: false,
      network: "base",
      pool,
      manager,
      availableManagerFee: "12.5",
      hasFee: true,
      managerFee: "11.25",
      daoFee: "1.25",
      ...costExample
    }
  }),
  Endpoint.make("mintManagerFeeBatch", {
    origin: "spec",
    class: "movesFunds",
    charge: "managerFee",
    summary:
      `Mint the managers' fees of up to ${maxBatch} vaults in one transaction; vaults without a fee are skipped.`,
    params: {
      apiKey: Params.ApiKey,
      pools: Params.Pools(maxBatch),
      network: Params.Network,
      protocol: Schema.optional(Params.Protocol),
      dryRun: Schema.optional(Params.DryRun),
      valid_for: Schema.optional(Params.ValidFor),
      allowFailure
    },
    success: { dryRun: Schema.Literal(false), ...batchFields, ...costFields },
    quoted: { ...batchFields, charge: Charge },
    failsWith: ["price_unavailable"],
    example: { ...executedExample, message: "Minted the fee of 1 vault.", ...batchExample, ...costExample }
  }),
  Endpoint.make("mintAllFeesByManager", {
    origin: "spec",
    class: "movesFunds",
    charge: "managerFee",
    summary: "Find a manager's vaults and mint the fees of those that have one, in one transaction.",
    params: {
      apiKey: Params.ApiKey,
      manager: Params.AddressOf("manager of the vaults"),
      network: Schema.optional(Params.Network),
      protocol: Schema.optional(Params.Protocol),
      dryRun: Schema.optional(Params.DryRun),
      valid_for: Schema.optional(Params.ValidFor),
      allowFailure
    },
    success: { dryRun: Schema.Literal(false), manager: Address, ...batchFields, ...costFields },
    quoted: { manager: Address, ...batchFields, charge: Charge },
    exampleRequest: { network: "base" },
    failsWith: ["price_unavailable"],
    example: {
      ...executedExample,
      message: "Minted the fee of 1 vault.",
      manager,
      ...batchExample,
      scanned: 40,
      ...costExample
    }
  })
) {}
