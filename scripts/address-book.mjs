/**
 * `node scripts/address-book.mjs FOLDER`: writes packages/workers/src/address-book/<Network>.ts from the vault
 * platform's published configuration in FOLDER: per network a JSON list of supported assets
 * (`<network>-assets-list.json`) and a CSV of guarded contracts (`<network>-governance-contract-guards.csv`). Run `npm run format` afterwards.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error("address-book: name the folder of the platform's lists. Nothing was written.")
  process.exit(2)
}

const networks = ["optimism", "base", "arbitrum", "polygon", "ethereum", "hyperliquid", "plasma"]
const target = resolve(import.meta.dirname, "../packages/workers/src/address-book")

/** Guards whose contracts the service calls, by the name of the contract here. */
const kinds = {
  OneInchV6Guard: "oneInch",
  OdosV3ContractGuard: "odosV3",
  KyberSwapRouterV2ContractGuard: "kyberswap",
  AaveLendingPoolGuardV3: "aaveV3",
  AaveLendingPoolGuardV3L2Pool: "aaveV3",
  CompoundV3CometContractGuard: "comets",
  FluidTokenContractGuard: "fTokens",
  UniswapV3NonfungiblePositionGuard: "uniswapV3Positions",
  VelodromeNonfungiblePositionGuard: "velodromePositions",
  VelodromeCLGaugeContractGuard: "velodromeGauges",
  PancakeNonfungiblePositionGuard: "pancakePositions",
  PancakeMasterChefV3Guard: "pancakeMasterChef",
  EasySwapperV2ContractGuard: "easySwapper",
  PendleRouterV4ContractGuard: "pendleRouter",
  PendleRouterV4PlasmaContractGuard: "pendleRouter",
  HyperliquidCoreWriterContractGuard: "coreWriter",
  HyperliquidCoreDepositWalletContractGuard: "depositWallet"
}
/** Kinds of which a network may have several contracts. */
const lists = new Set(["comets", "fTokens", "velodromeGauges"])

const text = (value) => JSON.stringify(value)

const guardsOf = (network) => {
  const found = {}
  const [, ...rows] = readFileSync(join(folder, `${network}-governance-contract-guards.csv`), "utf8").split("\n")
  for (const row of rows) {
    const [address = "", guard = ""] = row.split(",")
    const kind = kinds[guard.trim()]
    if (kind !== undefined) (found[kind] ??= []).push(address.trim().toLowerCase())
  }
  return Object.entries(found).map(([kind, addresses]) => {
    if (lists.has(kind)) return `    ${kind}: [\n${addresses.map((each) => `      ${text(each)}`).join(",\n")}\n    ]`
    if (addresses.length > 1) throw new Error(`${network} has ${addresses.length} contracts of ${kind}, not one`)
    return `    ${kind}: ${text(addresses[0])}`
  })
}

/** Returns an asset's price feed in USD; undefined where its price has several sources. */
const feedOf = ({ specificOracleConfig: config = {} }) =>
  (config.chainlinkOracleAddress ?? config.chainlinkAggregatorAddress)?.toLowerCase()

const assetsOf = (network) =>
  JSON.parse(readFileSync(join(folder, `${network}-assets-list.json`), "utf8")).map((asset) => {
    const feed = feedOf(asset)
    const fields = [text(asset.assetName), text(asset.assetAddress.toLowerCase()), Number(asset.assetType)]
    return `    [${[...fields, ...(feed === undefined ? [] : [text(feed)])].join(", ")}]`
  })

for (const network of networks) {
  const name = network[0].toUpperCase() + network.slice(1)
  writeFileSync(
    join(target, `${name}.ts`),
    `/**
 * Contracts and assets of the vault platform on ${network}. Written by scripts/address-book.mjs from the platform's published
 * configuration of April 2026; do not edit.
 */
import type { PublishedNetwork } from "./PublishedNetwork.ts"

export const ${network}: PublishedNetwork = {
  contracts: {
${guardsOf(network).join(",\n")}
  },
  assets: [
${assetsOf(network).join(",\n")}
  ]
}
`
  )
}
