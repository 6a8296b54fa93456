/** devnet.json: what a running devnet tells everybody else on this machine. */
import * as Schema from "effect/Schema"
import { Address, Hash } from "@vault-trader/core/chain/Address"
import { names, Network } from "@vault-trader/core/chain/Network"
import { Deployed } from "../contract/Deployed.ts"

/** The account that manages the demo vaults. Its key was made by this devnet and is worth nothing elsewhere. */
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
  /** Names the contracts that were deployed; others are deployed anew. */
  fingerprint: Schema.String
})
export type DevnetNetwork = typeof DevnetNetwork.Type

/** Where the fake aggregators answer instead of the real ones. */
export const DevnetAggregators = Schema.Struct({
  urls: Schema.Struct({ "1inch": Schema.String, kyberswap: Schema.String, odosV3: Schema.String }),
  /** What 1inch and Odos take for a credential here. */
  apiKey: Schema.String
})
export type DevnetAggregators = typeof DevnetAggregators.Type

/** Where the fake exchanges answer instead of the real ones, by ccxt's ids, and an account with play money at binance. */
export const DevnetExchanges = Schema.Struct({
  urls: Schema.Struct({ binance: Schema.String, coinbase: Schema.String }),
  account: Schema.Struct({ apiKey: Schema.String, secret: Schema.String })
})
export type DevnetExchanges = typeof DevnetExchanges.Type

/** Where the fake derivatives exchange answers instead of the real one; absent without its network. */
export const DevnetPerpetuals = Schema.Struct({
  /** Its info API, to be asked by POST. */
  infoUrl: Schema.String,
  /** Below here tests make it fail and ask how far it is. */
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

/** What a next start keeps of a file, whichever version of this code wrote it: the manager, the ports, and chains it still understands. */
export const EarlierFile = Schema.Struct({
  manager: DevnetManager,
  networks: Schema.Record(Network, Schema.optional(Schema.Union([DevnetNetwork, Schema.Struct({ rpcUrl: Schema.String })]))),
  aggregators: Schema.optional(DevnetAggregators),
  exchanges: Schema.optional(DevnetExchanges),
  perpetuals: Schema.optional(DevnetPerpetuals)
})
export type EarlierFile = typeof EarlierFile.Type
export type EarlierNetwork = EarlierFile["networks"][Network]

/** The networks of a devnet in their canonical order. */
export const entries = ({ networks }: DevnetFile): ReadonlyArray<readonly [Network, DevnetNetwork]> =>
  names.flatMap((name) => {
    const entry = networks[name]
    return entry === undefined ? [] : [[name, entry] as const]
  })
