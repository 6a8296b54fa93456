/** Calls of the vault platform that only a vault's manager makes, for the manager's wallet. */
import type { Address } from "@vault-trader/core/chain/Address"
import { decodeEventLog, decodeFunctionResult, encodeEventTopics, encodeFunctionData, parseAbi } from "viem"
import { type OwnReceipt, type OwnTransaction, type OwnWallet, read } from "../session/ManagerWallet.ts"

const factoryAbi = parseAbi([
  "struct Asset { address asset; bool isDeposit; }",
  "function createFund(bool privatePool, address manager, string managerName, string fundName, string fundSymbol, uint256 performanceFeeNumerator, uint256 managerFeeNumerator, uint256 entryFeeNumerator, uint256 exitFeeNumerator, Asset[] supportedAssets) returns (address)",
  "event FundCreated(address fundAddress, bool isPoolPrivate, string fundName, string managerName, address manager, uint256 time, uint256 performanceFeeNumerator, uint256 managerFeeNumerator, uint256 managerFeeDenominator)"
])
const poolAbi = parseAbi(["function poolManagerLogic() view returns (address)"])
const managerAbi = parseAbi([
  "function setTrader(address newTrader)",
  "function setTraderAssetChangeDisabled(bool disabled)",
  "function traderAssetChangeDisabled() view returns (bool)"
])

export interface NewVault {
  readonly manager: Address
  readonly managerName: string
  readonly name: string
  readonly symbol: string
  /** In parts of the platform's denominator. */
  readonly fees: {
    readonly performance: bigint
    readonly management: bigint
    readonly entry: bigint
    readonly exit: bigint
  }
  readonly assets: ReadonlyArray<{ readonly asset: Address; readonly isDeposit: boolean }>
}

export const createVault = (
  factory: Address,
  { assets, fees, manager, managerName, name, symbol }: NewVault
): OwnTransaction => ({
  to: factory,
  data: encodeFunctionData({
    abi: factoryAbi,
    functionName: "createFund",
    args: [false, manager, managerName, name, symbol, fees.performance, fees.management, fees.entry, fees.exit, assets]
  })
})

const [fundCreated] = encodeEventTopics({ abi: factoryAbi, eventName: "FundCreated" })

/** Returns the vault that a transaction created, or undefined. */
export const createdBy = ({ logs }: OwnReceipt): Address | undefined => {
  const log = logs.find(({ topics }) => topics[0] === fundCreated)
  if (log === undefined) return undefined
  const { args } = decodeEventLog({
    abi: factoryAbi,
    eventName: "FundCreated",
    data: log.data,
    topics: log.topics as [`0x${string}`]
  })
  return args?.fundAddress.toLowerCase() as Address | undefined
}

/** Returns the contract that stores a vault's manager and trader. */
export const managerLogicOf = async (own: OwnWallet, pool: Address): Promise<Address> => {
  const answer = await read(own, pool, encodeFunctionData({ abi: poolAbi, functionName: "poolManagerLogic" }))
  return decodeFunctionResult({ abi: poolAbi, functionName: "poolManagerLogic", data: answer }).toLowerCase() as Address
}

/** Returns true if the vault's trader may change which assets the vault may hold. */
export const traderChangesAssets = async (own: OwnWallet, logic: Address): Promise<boolean> => {
  const answer = await read(
    own,
    logic,
    encodeFunctionData({ abi: managerAbi, functionName: "traderAssetChangeDisabled" })
  )
  return !decodeFunctionResult({ abi: managerAbi, functionName: "traderAssetChangeDisabled", data: answer })
}

export const setTrader = (logic: Address, trader: Address): OwnTransaction => ({
  to: logic,
  data: encodeFunctionData({ abi: managerAbi, functionName: "setTrader", args: [trader] })
})

export const forbidAssetChanges = (logic: Address): OwnTransaction => ({
  to: logic,
  data: encodeFunctionData({ abi: managerAbi, functionName: "setTraderAssetChangeDisabled", args: [true] })
})
