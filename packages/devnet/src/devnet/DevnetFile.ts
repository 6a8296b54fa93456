/** devnet.json: what a running devnet publishes to other processes of this machine. */
import * as Schema from "effect/Schema"
import { Address, Hash } from "@vault-trader/core/chain/Address"
import { names, Network } from "@vault-trader/core/chain/Network"
import { Deployed } from "../contract/Deployed.ts"

/** The account that manages the demo vaults. The devnet generated its key, which controls nothing elsewhere. */
export const DevnetManager = Schema.Struct({
  address: Address,
  /** 32 bytes of hex. */
  privateKey: Hash
})
export type DevnetManager = typeof DevnetManager.Type

export const DevnetNetwork = Schema.Struct({
  chainId: Schema.Int,
  rpcUrl: Schema.String,
  ...Deployed.fields,
  /** Identifies the deployed contracts. When it differs, the contracts are deployed again. */
  fingerprint: Schema.String
})
export type DevnetNetwork = typeof DevnetNetwork.Type

/** Base URLs of the fake aggregators, used in place of the real ones. */
export const DevnetAggregators = Schema.Struct({
  urls: Schema.Struct({ "1inch": Schema.String, kyberswap: Schema.String, odosV3: Schema.String }),
  /** API key that the fakes of 1inch and Odos accept. */
  apiKey: Schema.String
})
export type DevnetAggregators = typeof DevnetAggregators.Type

/** Base URLs of the fake exchanges by ccxt id, used in place of the real ones, and a play-money account at binance. */
export const DevnetExchanges = Schema.Struct({
  urls: Schema.Struct({ binance: Schema.String, coinbase: Schema.String }),
  account: Schema.Struct({ apiKey: Schema.String, secret: Schema.String })
})
type DevnetExchanges = typeof DevnetExchanges.Type

/** URLs of the fake derivatives exchange; absent when its network is. */
export const DevnetPerpetuals = Schema.Struct({
  /** Its info API, queried by POST. */
  infoUrl: Schema.String,
  /** Base URL at which tests inject faults and wait until it has caught up with the chain. */
  controlUrl: Schema.String
})
export type DevnetPerpetuals = typeof DevnetPerpetuals.Type

export const DevnetFile = Schema.Struct({
  manager: DevnetManager,
  networks: Schema.Record(Network, Schema.optional(DevnetNetwork)),
  aggregators: DevnetAggregators,
  exchanges: DevnetExchanges,
  perpetuals: Schema.optional(DevnetPerpetuals)
})
export type DevnetFile = typeof DevnetFile.Type

/**
 * The parts of a devnet.json that the next start reuses, whichever version of this code wrote it: the manager, the
 * ports, and the chains it still understands.
 */
export const EarlierFile = Schema.Struct({
  manager: DevnetManager,
  networks: Schema.Record(
    Network,
    Schema.optional(Schema.Union([DevnetNetwork, Schema.Struct({ rpcUrl: Schema.String })]))
  ),
  aggregators: Schema.optional(DevnetAggregators),
  exchanges: Schema.optional(DevnetExchanges),
  perpetuals: Schema.optional(DevnetPerpetuals)
})
export type EarlierFile = typeof EarlierFile.Type
export type EarlierNetwork = EarlierFile["networks"][Network]

/** Returns the networks of a devnet in their canonical order. */
export const entries = ({ networks }: DevnetFile): ReadonlyArray<readonly [Network, DevnetNetwork]> =>
  names.flatMap((name) => {
    const entry = networks[name]
    return entry === undefined ? [] : [[name, entry] as const]
  })
