/** Calls of the vault platform that only a vault's manager makes, for the manager's wallet. */
import type { Address } from "@vault-trader/core/chain/Address"
import { decodeEventLog, decodeFunctionResult, encodeEventTopics, encodeFunctionData, parseAbi } from "viem"
import { type TransactionReceipt, type TransactionRequest, type ManagerWallet, read } from "../session/ManagerWallet.ts"

const nameParams = "address manager, string managerName, string fundName, string fundSymbol"
const feeParams = "uint256 performanceFeeNumerator, uint256 managerFeeNumerator, uint256 entryFeeNumerator"
const lastParams = "uint256 exitFeeNumerator, Asset[] supportedAssets"
const eventParams = "address fundAddress, bool isPoolPrivate, string fundName, string managerName, address manager"
const eventFeeParams = "uint256 performanceFeeNumerator, uint256 managerFeeNumerator, uint256 managerFeeDenominator"

const factoryAbi = parseAbi([
  "struct Asset { address asset; bool isDeposit; }",
  `function createFund(bool privatePool, ${nameParams}, ${feeParams}, ${lastParams}) returns (address)`,
  `event FundCreated(${eventParams}, uint256 time, ${eventFeeParams})`
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
): TransactionRequest => ({
  to: factory,
  data: encodeFunctionData({
    abi: factoryAbi,
    functionName: "createFund",
    args: [false, manager, managerName, name, symbol, fees.performance, fees.management, fees.entry, fees.exit, assets]
  })
})

const [fundCreated] = encodeEventTopics({ abi: factoryAbi, eventName: "FundCreated" })

/** Returns the vault that a transaction created, or undefined. */
export const findCreatedVault = ({ logs }: TransactionReceipt): Address | undefined => {
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
export const managerLogicOf = async (managerWallet: ManagerWallet, pool: Address): Promise<Address> => {
  const answer = await read(managerWallet, pool, encodeFunctionData({ abi: poolAbi, functionName: "poolManagerLogic" }))
  return decodeFunctionResult({ abi: poolAbi, functionName: "poolManagerLogic", data: answer }).toLowerCase() as Address
}

/** Returns true if the vault's trader may change which assets the vault may hold. */
export const traderChangesAssets = async (managerWallet: ManagerWallet, logic: Address): Promise<boolean> => {
  const answer = await read(
    managerWallet,
    logic,
    encodeFunctionData({ abi: managerAbi, functionName: "traderAssetChangeDisabled" })
  )
  return !decodeFunctionResult({ abi: managerAbi, functionName: "traderAssetChangeDisabled", data: answer })
}

export const setTrader = (logic: Address, trader: Address): TransactionRequest => ({
  to: logic,
  data: encodeFunctionData({ abi: managerAbi, functionName: "setTrader", args: [trader] })
})

export const forbidAssetChanges = (logic: Address): TransactionRequest => ({
  to: logic,
  data: encodeFunctionData({ abi: managerAbi, functionName: "setTraderAssetChangeDisabled", args: [true] })
})
